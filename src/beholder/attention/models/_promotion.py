"""Normalisation of maps: those with one strong peak are promoted, those with many alike suppressed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.scaling import FLAT, stretched
from beholder.vision.filters import Image, blurred

WEAK = 0.1  # of the greatest: lower local maxima are not counted, as in the GBVS toolbox's version [V]
ROUNDS = 3
EXCITATION, NEAR = 0.5, 0.02  # c and σ in widths of the map, SaliencyToolbox [V]
INHIBITION, FAR = 1.5, 0.25
GLOBAL = 0.02  # of the greatest


def promote(values: Image) -> Image:
    """N of 1998: the map from 0 to 1, times (1 − m̄)², m̄ the mean of the local maxima besides the greatest.

    A local maximum is a plateau, of one pixel or more, of which no neighbour is higher. Without another one m̄ is 0. A
    constant map becomes 0.

    >>> one = np.zeros((1, 9), np.float32)
    >>> one[0, 2] = 4
    >>> two = one.copy()
    >>> two[0, 6] = 2
    >>> promote(one).max(), promote(two).max()
    (np.float32(1.0), np.float32(0.25))
    """
    scaled = stretched(values, flat=FLAT)
    peaks = maxima(scaled)
    others = (peaks.sum() - 1) / (len(peaks) - 1) if len(peaks) > 1 else 0.0
    return np.asarray(scaled * (1 - others) ** 2, np.float32)


def maxima(scaled: Image) -> NDArray[np.float64]:
    """The heights of the local maxima of a map from 0 to 1 that are not weak."""
    import cv2

    highest = (scaled >= cv2.dilate(scaled, np.ones((3, 3), np.uint8))) & (scaled > WEAK)
    _, labels = cv2.connectedComponents(highest.astype(np.uint8), connectivity=8)
    _, first = np.unique(labels[highest], return_index=True)
    return np.asarray(scaled[highest][first], np.float64)


def promote_iteratively(values: Image) -> Image:
    """N of 2001: three rounds of M ← max(M + M ∗ DoG − 0.02 max M, 0), whatever the scale of the map.

    DoG = 0.5² G(2 % of the width) − 1.5² G(25 %). G is a Gaussian whose part inside the map has the integral 1: else
    what is near the border were inhibited less.
    """
    found, width = values, max(values.shape)
    for _ in range(ROUNDS):
        drive, brake = EXCITATION**2 * _inside(found, NEAR * width), INHIBITION**2 * _inside(found, FAR * width)
        found = np.maximum(found + drive - brake - GLOBAL * found.max(), 0)
    return np.asarray(found, np.float32)


def _inside(values: Image, sigma: float) -> Image:
    return blurred(values, sigma, outside="zero") / blurred(np.ones_like(values), sigma, outside="zero")
