"""Do two groups look differently? Permutation of the observers' labels, and intervals over observers.

What is exchangeable under the hypothesis is people, so labels of people are permuted, whatever the number of their
fixations: tests that take fixations or trials for independent find differences where there are none.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.groups.reading import TwoGroups
from beholder.attention.groups.resemblance import (
    Distribution,
    map_similarity,
    movement_distributions,
    scanpath_similarity,
)
from beholder.attention.types import Floats
from beholder.stats.paired import holm

Bools = NDArray[np.bool_]
Statistic = Callable[[Floats, Floats], Floats]  # weights of the first and of the second group, rows × observers

EXACT = 10_000  # ways to part observers up to which all are tried
DRAWS = 9_999  # random ones above that: the smallest p is then 1/10,000
LEVEL = 0.95


class Finding(NamedTuple):
    """One measure of two groups."""

    name: str
    first: float  # similarity within the first group, or its mean
    second: float
    between: float  # similarity between the groups; NaN for movements
    effect: float  # within − between, or the distance of the distributions; 0 where groups are alike
    lo: float
    hi: float
    p: float
    ways: int  # to part the observers that were tried, the one at hand among them
    exact: bool  # all of them
    sizes: tuple[int, int]  # observers with a value
    unit: str  # of similarities, the measure
    corrected: float = math.nan  # p, for the number of measures


def compare_groups(given: TwoGroups, *, scanpaths: str = "scanmatch", seed: int = 0) -> list[Finding]:
    """Compare scanpaths, maps, saccade amplitudes, saccade directions and fixation durations of two groups.

    Similarity: the mean over pairs within a group less that over pairs between the groups. Movements: the
    Wasserstein distance of the groups' mean distributions, each observer weighing alike. p = the share of ways to part
    the observers into groups of these sizes that give as large a value; all ways up to 10,000, else 9,999 drawn with
    the one at hand. Correction by Holm. A measure that nobody of a group has (durations) is not there.
    """
    everyone = given.observers
    first = np.array([who in set(given.first[1]) for who in everyone])
    rng = np.random.default_rng(seed)
    found = [
        _of_similarity("scanpaths", scanpath_similarity(given.seen, everyone, by=scanpaths), first, scanpaths, rng),
        _of_similarity("maps", map_similarity(given.seen, everyone), first, "CC", rng),
    ]
    for name, one in movement_distributions(given.seen, everyone).items():
        held = np.isfinite(one.typical)
        if min((first & held).sum(), (~first & held).sum()) >= 2:
            found.append(_of_movements(name, one.of(held), first[held], rng))
    tested = [one for one in found if math.isfinite(one.p)]
    corrected = dict(zip([one.name for one in tested], holm(np.array([one.p for one in tested])), strict=True))
    return [one._replace(corrected=float(corrected.get(one.name, math.nan))) for one in found]


def within_less_between(table: Floats) -> Statistic:
    """Of a table of similarities: how much more alike people of one group are than people of two; NaN if unknown.

    >>> table = np.array([[np.nan, 9, 1, 1], [9, np.nan, 1, 1], [1, 1, np.nan, 9], [1, 1, 9, np.nan]])
    >>> first = np.array([[1.0, 1, 0, 0], [1.0, 0, 1, 0]])
    >>> within_less_between(table)(first, 1 - first)
    array([ 8., -4.])
    """
    known = np.isfinite(table).astype(float)
    held = np.where(known > 0, table, 0.0)

    def statistic(a: Floats, b: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            within = (_sums(a, held, a) + _sums(b, held, b)) / (_sums(a, known, a) + _sums(b, known, b))
            return np.asarray(within - _sums(a, held, b) / _sums(a, known, b))

    return statistic


def _sums(a: Floats, table: Floats, b: Floats) -> Floats:
    return np.asarray(((a @ table) * b).sum(axis=1))


def distance_of_means(shares: Floats, step: float, *, circular: bool = False) -> Statistic:
    """Of observers' distributions (observers × bins, `step` wide): the Wasserstein distance of the groups' means.

    Σ |F_a − F_b| · step, in the unit of the bins: how far values of one group must be moved, on average, to be those of
    the other. On a circle the median of F_a − F_b is taken away first.

    >>> first = np.array([[1.0, 1, 0, 0], [1.0, 0, 1, 0]])
    >>> shares = np.array([[1.0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1]])
    >>> distance_of_means(shares, 2.0)(first, 1 - first)
    array([6., 0.])
    >>> distance_of_means(shares, 2.0, circular=True)(first, 1 - first)
    array([2., 0.])
    """

    reached = np.cumsum(shares, axis=1)

    def statistic(a: Floats, b: Floats) -> Floats:
        gap = a @ reached / a.sum(axis=1, keepdims=True) - b @ reached / b.sum(axis=1, keepdims=True)
        if circular:
            gap = gap - np.median(gap, axis=1, keepdims=True)
        return np.asarray(step * np.abs(gap).sum(axis=1))

    return statistic


def part_in_all_ways(first: Bools, rng: np.random.Generator) -> tuple[Floats, bool]:
    """Ways to part observers into groups of these sizes, one a row, the one at hand first; and whether all are there.

    >>> ways, every = part_in_all_ways(np.array([True, False, False]), np.random.default_rng(0))
    >>> ways.tolist(), every
    ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], True)
    """
    many, size = len(first), int(first.sum())
    if math.comb(many, size) <= EXACT:
        chosen = [np.isin(np.arange(many), those) for those in combinations(range(many), size)]
        others = [one for one in chosen if (one != first).any()]
        return np.array([first, *others], float), True
    drawn = rng.permuted(np.tile(first, (DRAWS, 1)), axis=1)
    return np.vstack([first, drawn]).astype(float), False


def permutation_p(statistic: Statistic, first: Bools, rng: np.random.Generator) -> tuple[float, int, bool]:
    """The share of ways to part the observers that give at least the value at hand; how many; whether all."""
    ways, every = part_in_all_ways(first, rng)
    values = statistic(ways, 1 - ways)
    if not np.isfinite(values[0]):
        return math.nan, len(ways), every
    known = values[np.isfinite(values)]
    return float((known >= values[0] - 1e-12).mean()), len(known), every


def jackknife(statistic: Statistic, first: Bools) -> tuple[float, float, float]:
    """A statistic of two groups without its bias, and its interval over observers: each of them left out in turn.

    θ̃ = θ − Σ_k (n_k − 1)(θ̄_k − θ), s² = Σ_k (n_k − 1)/n_k Σ_i (θ_(i) − θ̄_k)², θ̄_k the mean of the θ_(i) without one
    of group k; θ̃ ± t s with as many degrees of freedom as the smaller group has (Arvesen 1969; there n − 2,
    which is too many where the groups' spreads are unlike).
    """
    from scipy.special import stdtrit

    a = first.astype(float)
    (whole,) = statistic(a[None], 1 - a[None])
    kept = 1 - np.eye(len(first))
    left = statistic(a * kept, (1 - a) * kept)
    estimate, variance = float(whole), 0.0
    for group in (first, ~first):
        own, n = left[group], int(group.sum())
        estimate -= (n - 1) * float(own.mean() - whole)
        variance += (n - 1) / n * float(((own - own.mean()) ** 2).sum())
    reach = float(stdtrit(min(_sizes(first)) - 1, (1 + LEVEL) / 2)) * math.sqrt(variance)
    return estimate, estimate - reach, estimate + reach


def _of_similarity(name: str, table: Floats, first: Bools, unit: str, rng: np.random.Generator) -> Finding:
    statistic = within_less_between(table)
    p, ways, every = permutation_p(statistic, first, rng)
    effect = jackknife(statistic, first)
    blocks = table[np.ix_(first, first)], table[np.ix_(~first, ~first)], table[np.ix_(first, ~first)]
    own, other, between = (float(np.nanmean(block)) if np.isfinite(block).any() else math.nan for block in blocks)
    return Finding(name, own, other, between, *effect, p, ways, every, _sizes(first), unit)


def _of_movements(name: str, of: Distribution, first: Bools, rng: np.random.Generator) -> Finding:
    statistic = distance_of_means(of.shares, of.step, circular=of.circular)
    p, ways, every = permutation_p(statistic, first, rng)
    a = first.astype(np.float64)[None]
    measured = float(statistic(a, 1 - a)[0])
    value, lo, hi = jackknife(statistic, first)
    # Near 0 a distance is not normal: the test, which is exact, says whether 0 is in the interval, and its upper end is
    # that around what was measured, which is too large on average.
    value, lo, hi = max(0.0, value), max(0.0, lo) if p <= 1 - LEVEL else 0.0, measured + hi - value
    own, other = float(of.typical[first].mean()), float(of.typical[~first].mean())
    return Finding(name, own, other, math.nan, value, lo, hi, p, ways, every, _sizes(first), of.unit)


def _sizes(first: Bools) -> tuple[int, int]:
    return int(first.sum()), int((~first).sum())
