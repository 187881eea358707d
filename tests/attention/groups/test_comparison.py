"""Two groups compared: statistics against plain loops, the test against its own promise, intervals."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import wasserstein_distance

from beholder.attention.groups.comparison import (
    compare_groups,
    distance_of_means,
    jackknife,
    part_in_all_ways,
    permutation_p,
    within_less_between,
)
from beholder.attention.groups.reading import TwoGroups
from beholder.attention.groups.resemblance import map_similarity, movement_distributions, scanpath_similarity
from beholder.attention.measures.scanmatch import scanmatch
from beholder.attention.paths.pairs import group_separation, pair_table
from beholder.attention.types import Lookers, scanpath
from beholder.stats.samples import circular_wasserstein

SHAPE = (480, 640)


def person(rng, *, far=3.0, long=220.0, home=(320, 240), fixations=9):
    points = np.clip(rng.normal(home, 24 * far, (fixations, 2)), 0, (639, 479))
    return scanpath(*points.T, duration_ms=long * np.exp(rng.normal(0, 0.3, fixations)))


def people(rng, sizes=(5, 5), *, pictures=3, **second):
    names = [f"a{n}" for n in range(sizes[0])] + [f"b{n}" for n in range(sizes[1])]
    seen = {
        f"p{at}": Lookers({who: person(rng, **(second if who[0] == "b" else {})) for who in names}, SHAPE, 24.0)
        for at in range(pictures)
    }
    return TwoGroups(seen, ("a", names[: sizes[0]]), ("b", names[sizes[0] :]))


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_within_less_between_is_that_of_the_library(rng):
    """`paths.pairs.group_separation` is another implementation of the same difference."""
    given = people(rng, (4, 6), pictures=1)
    lookers = given.seen["p0"]
    table = scanpath_similarity(given.seen, given.observers)
    other = pair_table(lookers.paths, lambda a, b: scanmatch(a, Lookers({"b": b}, SHAPE)))
    assert_allclose(table, other)
    first = np.array([who[0] == "a" for who in given.observers])
    ours = within_less_between(table)(first[None].astype(float), 1.0 - first[None])
    assert ours == pytest.approx(group_separation(other, [who[0] for who in given.observers], rng=rng).difference)


def test_p_is_the_share_of_all_ways(rng):
    values = rng.normal(size=7)
    table = -np.abs(values[:, None] - values)
    np.fill_diagonal(table, np.nan)
    first = np.array([True] * 3 + [False] * 4)

    def gap(those):
        label = np.isin(np.arange(7), those)
        same = label[:, None] == label
        known = ~np.eye(7, dtype=bool)
        return table[same & known].mean() - table[~same].mean()

    every = np.array([gap(those) for those in combinations(range(7), 3)])
    p, ways, exact = permutation_p(within_less_between(table), first, rng)
    assert (ways, exact) == (35, True)
    assert p == pytest.approx((every >= gap([0, 1, 2]) - 1e-12).mean())


def test_many_observers_are_drawn_and_the_same_seed_gives_the_same(rng):
    first = np.array([True] * 10 + [False] * 10)
    ways, every = part_in_all_ways(first, np.random.default_rng(3))
    assert (len(ways), every) == (10_000, False)
    assert (ways.sum(axis=1) == 10).all()
    assert (ways[0] == first).all()
    assert (part_in_all_ways(first, np.random.default_rng(3))[0] == ways).all()


def test_the_distance_of_distributions_is_wassersteins(rng):
    given = people(rng, pictures=4, far=5.0, long=300.0)
    found = movement_distributions(given.seen, given.observers)
    first = np.array([[who[0] == "a" for who in given.observers]], float)
    paths = [[lookers.paths[who] for lookers in given.seen.values()] for who in given.observers]
    lasts = [np.concatenate([path.duration_ms for path in own]) for own in paths]
    ours = distance_of_means(found["fixation duration"].shares, found["fixation duration"].step)(first, 1 - first)
    assert ours == pytest.approx(wasserstein_distance(np.concatenate(lasts[:5]), np.concatenate(lasts[5:])), abs=5)
    angles = [
        np.concatenate([np.degrees(np.arctan2(-np.diff(path.y), np.diff(path.x))) for path in own]) for own in paths
    ]
    one = found["saccade direction"]
    ours = distance_of_means(one.shares, one.step, circular=True)(first, 1 - first)
    expected = circular_wasserstein(np.concatenate(angles[:5]), np.concatenate(angles[5:]))
    assert ours == pytest.approx(expected, abs=2.5)


def test_the_jackknife_of_a_difference_of_means_is_welchs_standard_error(rng):
    values, first = rng.normal(size=12), np.array([True] * 5 + [False] * 7)

    def difference(a, b):
        return (a @ values) / a.sum(axis=1) - (b @ values) / b.sum(axis=1)

    estimate, lo, hi = jackknife(difference, first)
    a, b = values[first], values[~first]
    assert estimate == pytest.approx(a.mean() - b.mean())
    error = np.sqrt(a.var(ddof=1) / 5 + b.var(ddof=1) / 7)
    assert (hi - lo) / 2 == pytest.approx(2.776445 * error, rel=1e-5)  # Student's t for 4 degrees of freedom


def test_a_difference_is_found_where_it_is(rng):
    given = people(rng, (6, 6), far=6.0)
    found = {one.name: one for one in compare_groups(given)}
    assert found["saccade amplitude"].corrected < 0.05
    assert found["saccade amplitude"].lo > 0
    assert found["saccade amplitude"].second > found["saccade amplitude"].first
    assert found["fixation duration"].corrected > 0.05
    assert found["fixation duration"].lo == 0
    elsewhere = {one.name: one for one in compare_groups(people(rng, (6, 6), home=(200, 150)))}
    assert elsewhere["maps"].corrected < 0.05
    assert elsewhere["maps"].between < min(elsewhere["maps"].first, elsewhere["maps"].second)


def test_corrected_values_are_holms(rng):
    found = compare_groups(people(rng))
    p = np.array([one.p for one in found])
    order = np.argsort(p)
    expected = np.minimum(np.maximum.accumulate(p[order] * np.arange(5, 0, -1)), 1)
    assert_allclose(np.array([one.corrected for one in found])[order], expected)


def test_measures_that_nobody_has_are_not_there(rng):
    given = people(rng)
    timeless = {
        id: Lookers({who: scanpath(path.x, path.y) for who, path in one.paths.items()}, SHAPE)
        for id, one in given.seen.items()
    }
    found = compare_groups(TwoGroups(timeless, given.first, given.second))
    assert [one.name for one in found] == ["scanpaths", "maps", "saccade amplitude", "saccade direction"]
    assert found[2].unit == "of the diagonal"


def test_missing_trials_favour_nobody(rng):
    """One picture draws every eye: who happened to see it would be alike, but for its level being taken away."""
    given = people(rng, (4, 4), pictures=2)
    same = person(rng)
    seen = {**given.seen, "odd": Lookers(dict.fromkeys(given.first[1], same) | {"b0": same}, SHAPE, 24.0)}
    table = map_similarity(seen, given.observers)
    assert table[0, 1] == pytest.approx(map_similarity(given.seen, given.observers)[0, 1], abs=0.3)
    assert np.nanmean(table[:4, :4]) - np.nanmean(table[4:, 4:]) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize(("size", "runs", "most"), [(5, 100, 11), (10, 30, 5)])
def test_of_groups_that_do_not_differ_one_in_twenty_is_called_different(size, runs, most):
    """More than `most` have a chance below 0.005. The page has many more runs: benchmarks/groups_of_people.py."""
    wrong = sum(
        any(one.corrected <= 0.05 for one in compare_groups(people(np.random.default_rng([7, run]), (size, size))))
        for run in range(runs)
    )
    assert wrong <= most
