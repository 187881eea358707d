"""The map that a density should show to SIM, whose best map is neither the density nor its blur."""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats
from beholder.stats.divergence import shares
from beholder.vision.blur import Border, spread

FIXATIONS = 100  # that people's maps are made of: what the Tübingen benchmark assumes for MIT1003
DRAWS = 128
CELLS = 3.0  # of the coarse grid in one σ
KEPT = 8  # maps: blind models come again with every picture, people between them
_RECENT: dict[Hashable, Floats] = {}


def shared_map(density: Floats, *, sigma: float, border: Border, fixations: int = FIXATIONS) -> Floats:
    """The `sim_map` of a density, with the draws of the convention: the same density, the same map.

    The last few are kept: blind models say the same of every picture of one size.
    """
    key = (blake2b(density.ravel().data, digest_size=16).digest(), density.shape, sigma, border, fixations)
    found = _RECENT.pop(key, None)
    if found is None:
        rng = np.random.default_rng(0)
        found = sim_map(density, sigma=sigma, border=border, fixations=fixations, rng=rng)
        found.setflags(write=False)
    _RECENT[key] = found
    while len(_RECENT) > KEPT:
        del _RECENT[next(iter(_RECENT))]
    return found


def sim_map(
    density: Floats,
    *,
    sigma: float,
    border: Border = "reflect",
    fixations: int = FIXATIONS,
    rng: np.random.Generator,
) -> Floats:
    """The map with the best expected SIM with maps of so many fixations of a density, blurred by σ px.

    E Σ min(p, Q) is concave in p, and greatest under Σp = 1 where P(Q_x > p_x) is the same everywhere: p_x is one and
    the same quantile of Q_x in all pixels. Q is drawn 128 times, on a grid of σ/3; the quantile is that with which p
    adds up to 1.

    Deviation: Kümmerer et al. 2018 reach it by stochastic gradients.
    """
    import cv2

    factor = max(1.0, sigma / CELLS)
    shape = (max(1, round(density.shape[0] / factor)), max(1, round(density.shape[1] / factor)))
    where = _sampled(density, shape, n=DRAWS * fixations, rng=rng).reshape(2, DRAWS, fixations)
    rows, columns = (spread(side, sigma / factor, border)[at] for side, at in zip(shape, where, strict=True))
    drawn = (rows.swapaxes(1, 2) @ columns).reshape(DRAWS, -1)  # each the sum of its fixations' outer products
    coarse = _quantile(np.sort(drawn / drawn.sum(axis=1, keepdims=True), axis=0)).reshape(shape)
    return shares(np.maximum(cv2.resize(coarse, density.shape[::-1], interpolation=cv2.INTER_LINEAR), 0.0))


def _sampled(density: Floats, shape: tuple[int, int], *, n: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Rows and columns on a coarse grid of n fixations drawn from a density."""
    cumulated = np.cumsum(density)
    at = np.searchsorted(cumulated, rng.random(n) * cumulated[-1], "right")
    rows, columns = np.unravel_index(np.minimum(at, density.size - 1), density.shape)
    return np.stack([rows * shape[0] // density.shape[0], columns * shape[1] // density.shape[1]])


def _quantile(ordered: Floats) -> Floats:
    """The quantile of each column, the same for all, with which they add up to 1; linear between the ordered values."""
    sums = ordered.sum(axis=1)
    if not sums[0] < 1 < sums[-1]:
        return np.asarray(ordered.mean(axis=0))  # all draws are alike
    after = int(np.searchsorted(sums, 1.0))
    along = (1.0 - sums[after - 1]) / (sums[after] - sums[after - 1])
    return np.asarray((1 - along) * ordered[after - 1] + along * ordered[after])
