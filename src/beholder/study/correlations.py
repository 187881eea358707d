"""Rank correlations among measures: do two of them say the same of the same items?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.stats import bootstrap, resampled_correlation

Floats = NDArray[np.float64]
Texts = NDArray[np.str_]

DRAWS = 500


class Numbers(NamedTuple):
    """What some measures say of the same items, with what each item belongs to."""

    names: tuple[str, ...]
    values: Floats  # items × measures
    systems: Texts
    clusters: Texts


class Matrix(NamedTuple):
    """Spearman's ρ of each two measures, with its interval."""

    names: tuple[str, ...]
    rho: Floats
    lo: Floats
    hi: Floats


def rank_correlations(numbers: Numbers, *, within: bool = False, draws: int = DRAWS, seed: int = 0) -> Matrix:
    """ρ of each two measures over all items, or `within` systems (the mean over systems); intervals over clusters."""
    clusters, at = np.unique(numbers.clusters, return_inverse=True)
    rng = np.random.default_rng(seed)
    counts = np.concatenate(list(bootstrap.counts(len(clusters), draws=draws, rng=rng)))[:, at]
    places = [np.flatnonzero(numbers.systems == one) for one in np.unique(numbers.systems)] if within else None
    size = len(numbers.names)
    rho, lo, hi = (np.full((size, size), np.nan) for _ in range(3))
    for one in range(size):
        for other in range(one + 1):
            pair = numbers.values[:, one], numbers.values[:, other]
            found = _spearman(*pair, np.ones((1, len(at))), places)[0]
            bounds = bootstrap.interval(_spearman(*pair, counts, places)[:, None], units=len(clusters))
            for table, value in ((rho, found), (lo, bounds[0][0]), (hi, bounds[1][0])):
                table[one, other] = table[other, one] = value
    return Matrix(numbers.names, rho, lo, hi)


def _spearman(x: Floats, y: Floats, counts: Floats, places: Sequence[NDArray[np.int64]] | None) -> Floats:
    if places is None:
        return resampled_correlation.spearman(x, y, counts)
    own = np.array([resampled_correlation.spearman(x[here], y[here], counts[:, here]) for here in places])
    return bootstrap.mean_of_known(own)


def numbers_of(
    said: Mapping[str, Mapping[str, float]], systems: Mapping[str, str], clusters: Mapping[str, str]
) -> Numbers:
    """What measures say, on the items of which all of them say something."""
    ids = [id for id in systems if all(id in own for own in said.values())]
    values = np.array([[own[id] for own in said.values()] for id in ids]).reshape(len(ids), len(said))
    return Numbers(tuple(said), values, np.array([systems[id] for id in ids]), np.array([clusters[id] for id in ids]))
