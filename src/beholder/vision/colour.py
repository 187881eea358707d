"""Colour spaces: linear light, cones and their opponents. Arrays (…, 3) in, arrays (…, 3) out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# Linear sRGB → XYZ (IEC 61966-2-1), white at Y = 1.
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
# XYZ → cones of Smith and Pokorny (1975), L + M = Y.
CONES = np.array([[0.15514, 0.54312, -0.03286], [-0.15514, 0.45684, 0.03286], [0.0, 0.0, 0.01608]])
_WHITE_CONES = CONES @ XYZ / (CONES @ XYZ).sum(axis=1, keepdims=True)  # linear sRGB → cones, each 1 for white
KRAUSKOPF = np.array([[0.5, 0.5, 0], [1, -1, 0], [-0.5, -0.5, 1]]) @ _WHITE_CONES
# A monitor's guns → cones, as the GBVS toolbox has them. Its mid grey is (34.918539, 19.314797, 0.585611), less than
# 1 % off half of all guns, which is taken here: else every grey but one had a hue.
GUNS = np.array([[18.32535, 44.60077, 7.46216], [4.09544, 28.20135, 6.66066], [0.02114, 0.10325, 1.05258]])
GREY = GUNS.sum(axis=1) / 2
DKL_SCALE = np.array([0.5774, 2.7525, 0.4526])  # of the same toolbox


def linear(srgb: ArrayLike) -> Floats:
    """Linear light of sRGB values, both 0 … 1.

    >>> linear([0, 0.04045, 0.5, 1]).round(4)
    array([0.    , 0.0031, 0.214 , 1.    ])
    """
    values = np.asarray(srgb, np.float64)
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(light: Floats) -> Floats:
    """CIE L*a*b* of linear sRGB, relative to its own white: greys have a = b = 0 to within rounding.

    >>> lab(np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]])).round(1) + 0.0
    array([[100. ,   0. ,   0. ],
           [ 53.2,  80.1,  67.2]])
    """
    ratios = light @ (XYZ / XYZ.sum(axis=1, keepdims=True)).T
    x, y, z = np.moveaxis(np.where(ratios > (6 / 29) ** 3, np.cbrt(ratios), ratios * (29 / 6) ** 2 / 3 + 4 / 29), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def krauskopf(light: Floats) -> Floats:
    """Krauskopf's opponents of linear sRGB: A = (L + M) / 2, Cr1 = L − M, Cr2 = S − A, each cone 1 for white.

    >>> krauskopf(np.array([[1.0, 1.0, 1.0], [0.5, 0.5, 0.5]])).round(6) + 0.0
    array([[1. , 0. , 0. ],
           [0.5, 0. , 0. ]])
    """
    return np.asarray(light @ KRAUSKOPF.T)


def dkl(light: Floats) -> Floats:
    """The cardinal directions of Derrington, Krauskopf and Lennie: luminance, L − M and S − (L + M), about mid grey.

    With ΔL, ΔM, ΔS from the grey (L₀, M₀, S₀): √3 (ΔL + ΔM) / (L₀ + M₀), then
    √(L₀² + M₀²) (ΔL / L₀ − ΔM / M₀) / (L₀ + M₀), then ΔS / S₀ − (ΔL + ΔM) / (L₀ + M₀), each times the scale of the
    GBVS toolbox, whose monitor this is.

    >>> dkl(np.array([1.0, 1.0, 1.0])).round(4) + 0.0  # √3 · 0.5774: the toolbox's white is 1
    array([1.0001, 0.    , 0.    ])
    """
    away = light @ GUNS.T - GREY
    long, middle, short = np.moveaxis(away, -1, 0)
    whole = GREY[0] + GREY[1]
    luminance = np.sqrt(3) * (long + middle) / whole
    red = np.hypot(*GREY[:2]) * (long / GREY[0] - middle / GREY[1]) / whole
    blue = short / GREY[2] - (long + middle) / whole
    return np.asarray(np.stack([luminance, red, blue], axis=-1) * DKL_SCALE)
