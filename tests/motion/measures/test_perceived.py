"""Measures of perceived flow against independent arithmetic."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from beholder.core.measure import NotApplicable
from beholder.motion.measures.perceived import correlation_people, epe_people, partial_correlation, rci, unwrapped
from beholder.motion.measures.truth import epe_truth
from beholder.motion.perceived import Local, Probes, only
from beholder.stats.correlation import partial
from motion_people import crowd, world


def stack(sides):
    return np.concatenate(sides).ravel()


def test_the_partial_correlation_is_that_of_residuals():
    found, probes = world()
    m, h, g = (stack(s) for s in ([f.velocity for f in found], [p.everyone for p in probes], [p.truth for p in probes]))
    left = [a - np.polyval(np.polyfit(g, a, 1), g) for a in (m, h)]
    result = partial_correlation(found, probes)
    assert result.value == pytest.approx(stats.pearsonr(*left).statistic)
    assert result.parts["mean"] == pytest.approx(result.value)
    assert result.parts["corrected"] == pytest.approx(result.value / result.parts["ceiling"])
    half = result.parts["split_half"]
    assert result.parts["ceiling"] == pytest.approx(2 * half / (1 + half))
    assert result.value > 0.8


@pytest.mark.parametrize("observers", [2, 3, 4, 5, 8])
def test_the_ceiling_is_the_reliability_of_all_people(observers):
    """Known from the variances: what all share over that and the noise of their mean."""
    parts = partial_correlation(*crowd(observers, noise=1.5, movies=1500)).parts
    reliability = 1 / (1 + 1.5**2 / observers)
    assert parts["ceiling"] == pytest.approx(reliability, abs=0.01)
    assert parts["mean"] == pytest.approx(math.sqrt(reliability), abs=0.01)  # of a model that is what all share


def test_no_observer_is_chosen_to_stand_alone():
    """One of three who answers at random pulls the ceiling down as much whoever it is."""
    found, probes = crowd(3, noise=0.5)
    noise = np.random.default_rng(1).normal(0, 4, (len(probes), 1, 20, 2))
    ceilings = []
    for who in range(3):
        spoilt = [p.people.copy() for p in probes]
        for people, wild in zip(spoilt, noise, strict=True):
            people[who] += wild
        made = [Probes(p.truth, people, p.names) for p, people in zip(probes, spoilt, strict=True)]
        ceilings.append(partial_correlation(found, made).parts["ceiling"])
    assert ceilings == pytest.approx([np.mean(ceilings)] * 3, abs=0.02)


def test_the_split_half_is_the_mean_over_all_splits():
    found, probes = crowd(3, movies=4)
    people, truth = np.concatenate([p.people for p in probes], axis=2), np.concatenate([p.truth for p in probes])
    each = [
        partial(people[list(two)].mean(axis=(0, 1)), people[3 - sum(two), 0], truth)
        for two in combinations(range(3), 2)
    ]
    parts = partial_correlation(found, probes).parts
    assert parts["split_half"] == pytest.approx(np.mean(each))
    rho = parts["ceiling"] / (3 - 2 * parts["ceiling"])
    assert parts["split_half"] == pytest.approx(rho * math.sqrt(2 / (1 + rho)))


def test_movies_with_unlike_numbers_of_observers_have_a_ceiling():
    (three, probes), (five, more), (_, lonely) = crowd(3, seed=0), crowd(5, seed=1), crowd(1, seed=2, movies=9)
    parts = partial_correlation(three + five + three[:9], probes + more + lonely).parts
    assert 1 / (1 + 9 / 3) < parts["ceiling"] < 1 / (1 + 9 / 5)
    assert math.isnan(partial_correlation(three[:9], lonely).parts["ceiling"])


def test_a_probe_that_one_split_has_lost_stays_in_the_others():
    found, probes = crowd(3)
    for p in probes:
        p.people[0, :, :15] = np.nan  # only in a quarter of the probes did the first observer answer
    parts = partial_correlation(found, probes).parts
    one, two, three = (np.concatenate([p.people[who, 0] for p in probes]) for who in range(3))
    truth = np.concatenate([p.truth for p in probes])
    rest = [np.where(np.isnan(one), other, (one + other) / 2) for other in (two, three)]
    each = [partial(one, (two + three) / 2, truth), partial(rest[0], three, truth), partial(rest[1], two, truth)]
    assert parts["split_half"] == pytest.approx(np.mean(each))


def test_the_mean_is_of_all_and_the_value_of_those_who_are_held_out():
    found, probes = world(noise=2.0)
    alone = partial_correlation(found, [only(p, "2") for p in probes])
    together = partial_correlation(found, probes)
    assert alone.parts["mean"] == pytest.approx(together.value)
    assert alone.value < together.value


@pytest.mark.parametrize("scale", [0.0, 0.7, 1.0, -1.0])
@pytest.mark.parametrize("further", [(0, 0), (1, 1), (3, -2)])
def test_an_affine_function_of_the_truth_is_not_applicable(scale, further):
    _, probes = world()
    result = partial_correlation([Local(scale * p.truth + np.array(further)) for p in probes], probes)
    assert math.isnan(result.value)
    assert result.state == "na"
    assert "affine function of the truth" in result.reason


def test_one_vector_everywhere_has_no_correlation():
    """Though u and v together are two values, and correlate with anything whose means differ."""
    _, probes = world()
    result = correlation_people([Local(np.tile([1.0, -1.0], (8, 1))) for _ in probes], probes)
    assert result.state == "na"


def test_people_who_answer_the_truth_leave_nothing_and_it_is_said_that_it_is_they():
    found, probes = world()
    perfect = [Probes(p.truth, p.truth[None, None], ("1",)) for p in probes]
    assert partial_correlation(found, perfect).reason.startswith("people's answers are constant or an affine function")


def test_people_have_no_parts():
    _, probes = world()
    own = [Local(p.people[0].mean(axis=0), people=True) for p in probes]
    for measure in (partial_correlation, epe_people, rci):
        assert measure(own, probes).parts == {}
    assert "mean" not in correlation_people(own, probes).parts


def test_end_point_errors():
    found, probes = world()
    to_people = np.concatenate([f.velocity - p.everyone for f, p in zip(found, probes, strict=True)])
    assert epe_people(found, probes).value == pytest.approx(np.linalg.norm(to_people, axis=1).mean())
    assert epe_truth([Local(p.truth + np.array([3, 4])) for p in probes], probes).value == pytest.approx(5)


def test_correlations_of_aspects():
    found, probes = world()
    m, h = np.concatenate([f.velocity for f in found]), np.concatenate([p.everyone for p in probes])
    parts = correlation_people(found, probes).parts
    for n, name in enumerate("uv"):
        assert parts[name] == pytest.approx(stats.pearsonr(m[:, n], h[:, n]).statistic)
    speeds = np.linalg.norm(m, axis=1), np.linalg.norm(h, axis=1)
    assert parts["speed"] == pytest.approx(stats.pearsonr(*speeds).statistic)
    assert parts["direction"] > 0.9


def test_directions_are_unwrapped_around_the_truth():
    around = np.array([[-1.0, 0.01]])
    assert unwrapped(np.array([[-1.0, -0.01]]), around)[0] == pytest.approx(180.573, abs=1e-3)
    assert np.isnan(unwrapped(np.zeros((1, 2)), around)[0])


def test_rci_of_people_is_mean_a_and_of_the_truth_nothing():
    _, probes = world()
    h, g = (np.concatenate(s) for s in ([p.everyone for p in probes], [p.truth for p in probes]))
    a = np.linalg.norm(g - h, axis=1) / (np.linalg.norm(g, axis=1) + np.linalg.norm(h, axis=1))
    assert rci([Local(p.everyone) for p in probes], probes).value == pytest.approx(a.mean())
    assert rci([Local(p.truth) for p in probes], probes).value == 0
    against = [Local(2 * p.truth - p.everyone) for p in probes]
    assert rci(against, probes).value < 0


def test_rci_where_nothing_moves_is_nothing():
    still = Probes(np.zeros((2, 2)), np.zeros((1, 1, 2, 2)), ("1",))
    assert rci([Local(np.ones((2, 2)))], [still]).value == 0


@pytest.mark.parametrize("measure", [partial_correlation, correlation_people])
def test_a_correlation_of_few_probes_is_of_low_confidence(measure):
    found, probes = world()
    assert measure(found, probes).state == "ok"
    few = measure(found[:1], probes[:1])
    assert (few.state, few.reason) == ("low", "only 8 probes: a correlation of fewer than 15 is mostly chance")
    assert epe_people(found[:1], probes[:1]).state == "ok"


@pytest.mark.parametrize("measure", [partial_correlation, epe_people, epe_truth, correlation_people, rci])
def test_probes_without_an_estimate_are_left_out_and_counted(measure):
    found, probes = world()
    holed = [Local(np.where(np.arange(8)[:, None] == 0, np.nan, f.velocity)) for f in found]
    result = measure(holed, probes)
    assert result.state == "low"
    assert result.reason == "no estimate at 6 of 48 probes, which are left out"
    rest = [Probes(p.truth[1:], p.people[:, :, 1:], p.names) for p in probes]
    assert result.value == pytest.approx(measure([Local(f.velocity[1:]) for f in found], rest).value)
    with pytest.raises(NotApplicable, match="no estimate at any probe"):
        measure([Local(np.full((8, 2), np.nan)) for _ in found], probes)
    with pytest.raises(ValueError, match=r"got vectors of shape \(7, 2\); expected \(8, 2\)"):
        measure([Local(np.zeros((7, 2))) for _ in found], probes)
