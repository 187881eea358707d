"""Graph-based visual saliency of Harel, Koch and Perona: where a walk to what is near and unlike spends its time."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.scaling import (
    FLAT,
    at_picture_size,
    colours,
    enlarge_to,
    fade_border,
    fitting,
    linear_light,
    stretched,
)
from beholder.attention.types import Floats, Picture
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.colour import dkl
from beholder.vision.filters import blurred
from beholder.vision.gabor import gabor, rectified
from beholder.vision.scales import Image, dyadic, resized

LEVELS, SIDE = (2, 3, 4), 32  # scales of features, and the longer side of the graph in nodes [V]
LONGER = 256  # px at least (ours): scale 4 of less has nothing to tell
REACH = 0.15  # σ of distance, in mean sides of the graph [V]
POWER, FADE, BLUR = 1.5, 4, 0.02  # of activation; px of the graph; σ in longer sides of the graph [V]
EDGE = 13  # px of an orientation map that fall off to its border [V]
PIECE = 32  # nodes whose weights are made at a time: they stay in the processor's cache
# The toolbox's period is π px, which at 0 and 90° has hardly more than Nyquist's two samples [V].
PATCHES = [gabor(angle, period=np.pi, sigma=2, elongation=2, radius=8) for angle in (0, 45, 90, 135)]


@source("Harel2007", family="graph")
def gbvs(picture: Picture, *, normalisation: Literal["power", "graph"] = "power", blur: float = BLUR) -> Floats:
    """GBVS: activation of intensity, DKL colour and four orientations at three scales, concentrated, added; 0 … 1.

    The nodes are the pixels of a map A of 32 px. The edge between nodes i and j has weight |A_i − A_j| exp(−d² / 2σ²),
    and the activation is the equilibrium of the Markov chain along these edges. Activations are raised to the power 1.5
    ("power", the toolbox), or spread once more along A_j exp(−d² / 2σ²) ("graph", the paper). They are averaged in each
    channel, then over the three channels, faded at the border, and blurred by `blur` times the longer side. A constant
    map adds nothing; a constant picture has a map of zeros.

    Deviation: the equilibrium is taken in closed form, see `equilibrium`. Linear light follows from sRGB, not from a
    monitor's table. Pictures of less than 256 px are enlarged. Maps shrink by area means.
    """
    if normalisation not in ("power", "graph") or not blur >= 0:
        raise Misuse(f"got normalisation={normalisation!r}, blur={blur}; expected 'power' or 'graph'; 0 or more")
    channels = [np.mean([_active(each, normalisation) for each in maps], axis=0) for maps in features(picture).values()]
    whole = fade_border(stretched(np.mean(channels, axis=0)), FADE)
    return at_picture_size(stretched(blurred(whole, blur * max(whole.shape))), picture)


def features(picture: Picture) -> dict[str, list[Image]]:
    """Feature maps at the size of the graph: 3 of intensity, 9 of colour, 12 of orientation."""
    red, green, blue = np.moveaxis(colours(picture), 2, 0)
    brightest = np.maximum(np.maximum(red, green), blue)
    intensity = dyadic(enlarge_to(brightest, LONGER), max(LEVELS) + 1)
    lights = dyadic(enlarge_to(linear_light(picture), LONGER), max(LEVELS) + 1)
    hues = [dkl(lights[level].astype(np.float64)).astype(np.float32) for level in LEVELS]
    oriented = [fade_border(rectified(intensity[level], patch), EDGE) for level in LEVELS for patch in PATCHES]
    maps = {
        "intensity": [intensity[level] for level in LEVELS],
        "colour": [hue[..., at] for hue in hues for at in range(3)],
        "orientation": oriented,
    }
    graph = fitting(picture.shape, SIDE)
    return {name: [resized(each, graph) for each in several] for name, several in maps.items()}


def _active(values: Image, normalisation: str) -> Floats:
    """How the walk's time is spread over a feature map; zeros where the map is constant."""
    if np.ptp(values) < FLAT:
        return np.zeros(values.shape)
    ties = strengths(values)
    active = (ties / ties.sum()).reshape(values.shape)
    return active**POWER if normalisation == "power" else _concentrated(active)


def _concentrated(active: Floats) -> Floats:
    """The equilibrium of weights A_j F(i, j): with A_i A_j F(i, j), which is symmetric, both ways are alike."""
    values = active.ravel()
    return equilibrium(values * nearness(active.shape) * values[:, None]).reshape(active.shape)


def strengths(values: Image) -> Floats:
    """The sum Σ_j |A_i − A_j| F(i, j) of each node's weights: of the equilibrium, nothing else of them is needed."""
    flat, near = values.astype(np.float64).ravel(), nearness(values.shape)
    found, apart = np.empty(flat.size), np.empty((PIECE, flat.size))
    for start in range(0, flat.size, PIECE):
        part = slice(start, start + PIECE)
        away = np.subtract(flat[part, None], flat, out=apart[: len(flat[part])])
        found[part] = np.einsum("ij,ij->i", np.abs(away, out=away), near[part])
    return found


def equilibrium(weights: NDArray[np.float64]) -> Floats:
    """Where a walk along symmetric weights spends its time: π_i = Σ_j w_ij / Σ w.

    Each node's outgoing weights are divided by their sum s_j, so P_ij = w_ij / s_j, and Σ_j P_ij s_j = Σ_j w_ij = s_i:
    s is the eigenvector of eigenvalue 1. Iteration of P, as in the toolbox, comes to the same, or swings for
    ever where a map has but two values.

    >>> equilibrium(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])).tolist()
    [0.5, 0.25, 0.25]
    """
    total = weights.sum(axis=1)
    return np.asarray(total / total.sum())


@lru_cache(maxsize=8)
def nearness(shape: tuple[int, ...]) -> Floats:
    """F(i, j) = exp(−d² / 2σ²) between all nodes, σ = 0.15 of the mean side."""
    points = np.indices(shape).reshape(2, -1)
    squares = ((points[:, :, None] - points[:, None]) ** 2).sum(axis=0)
    near = np.exp(-squares / (2 * (REACH * np.mean(shape)) ** 2))
    near.setflags(write=False)  # it is shared by all who ask again
    return np.asarray(near)
