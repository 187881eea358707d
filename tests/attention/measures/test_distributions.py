"""What a divergence of few movements is by chance alone, and the score beyond it."""

import numpy as np
import pytest

from attention_walks import SCREEN
from beholder.attention.gaze.distributions import amplitudes_of, by_chance, histogram
from beholder.attention.gaze.saccades import moves, people_moves
from beholder.attention.measures.dynamics import (
    amplitude_divergence,
    direction_divergence,
    duration_divergence,
    joint_divergence,
    turning_divergence,
)
from beholder.attention.types import Lookers, scanpath
from beholder.stats.small_counts import MOVEMENTS

RNG = np.random.default_rng(3)


def walks(count, length=8):
    """Scanpaths of someone whose saccades are mostly short."""
    steps = RNG.gamma(2, 40, (count, length)) * np.exp(2j * np.pi * RNG.random((count, length)))
    at = np.cumsum(steps, axis=1) + 400 + 300j
    return [scanpath(one.real % SCREEN[1], one.imag % SCREEN[0], duration_ms=RNG.gamma(5, 50, length)) for one in at]


PATHS = walks(400)
PEOPLE = [Lookers({str(at): path for at, path in enumerate(PATHS)}, SCREEN)]
MOVED = people_moves(PEOPLE[0]).moves


def drawn_amplitudes(count, stretch=1.0):
    """A model that draws its amplitudes from people's own, or is wrong: so many times as long."""
    return [MOVED._replace(amplitude_px=stretch * RNG.choice(MOVED.amplitude_px, count))]


@pytest.mark.parametrize("by", ["kl", "kl_model_people", "js", "wasserstein", "ks"])
@pytest.mark.parametrize("count", [50, 400])
def test_it_is_what_models_that_are_people_have(by, count):
    each = [amplitude_divergence(drawn_amplitudes(count), PEOPLE, by=by).parts["raw"] for _ in range(60)]
    chance = amplitude_divergence(drawn_amplitudes(count), PEOPLE, by=by).parts["by_chance"]
    assert chance == pytest.approx(np.mean(each), abs=4 * np.std(each) * np.sqrt(1 / 60 + 1 / 50))


@pytest.mark.parametrize("measure", [direction_divergence, turning_divergence, duration_divergence, joint_divergence])
@pytest.mark.parametrize("by", ["kl", "js"])
def test_people_of_the_same_kind_have_about_it(measure, by):
    others = [moves(walks(20))]
    found = measure(others, PEOPLE, by=by)
    assert 0.6 < found.parts["raw"] / found.parts["by_chance"] < 1.6
    assert measure([moves(PATHS)], PEOPLE, by=by).parts["by_chance"] < found.parts["by_chance"] / 4


@pytest.mark.parametrize("measure", [direction_divergence, turning_divergence])
@pytest.mark.parametrize("by", ["wasserstein", "ks"])
def test_on_the_circle_too(measure, by):
    values = [measure([moves(walks(10))], PEOPLE, by=by) for _ in range(20)]
    chance = np.mean([one.parts["by_chance"] for one in values])
    assert 0.7 < np.mean([one.parts["raw"] for one in values]) / chance < 1.4


def test_it_falls_with_the_number_and_is_subtracted():
    few, many = (amplitude_divergence(drawn_amplitudes(count), PEOPLE) for count in (95, 500))
    assert few.parts["by_chance"] > 3 * many.parts["by_chance"] > 0
    still = [moves([scanpath([5] * 96, [5] * 96)])]
    found = amplitude_divergence(still, PEOPLE)
    assert found.parts["raw"] == found.parts["kl"] > 5 * found.parts["by_chance"]
    assert found.value == found.parts["raw"] - found.parts["by_chance"]
    assert amplitude_divergence(still, PEOPLE, excess=False).value == found.parts["raw"]
    assert found.parts["by_chance"] == few.parts["by_chance"]  # the same size, whatever the movements
    assert amplitude_divergence(still, PEOPLE) == found  # draws are the same ones every time


@pytest.mark.parametrize(("bins", "alpha"), [(5, 1.0), (40, 0.1), (40, 10.0)])
def test_it_has_the_bins_and_the_smoothing_of_the_score(bins, alpha):
    each = [amplitude_divergence(drawn_amplitudes(50), PEOPLE, bins=bins, alpha=alpha) for _ in range(60)]
    values = [one.parts["raw"] for one in each]
    slack = 4 * np.std(values) * np.sqrt(1 / 60 + 1 / 50)
    assert each[0].parts["by_chance"] == pytest.approx(np.mean(values), abs=slack)
    assert (
        abs(each[0].parts["by_chance"] - amplitude_divergence(drawn_amplitudes(50), PEOPLE).parts["by_chance"]) > slack
    )


def share_behind(right, wrong, part=""):
    """How often a right model ranks behind a wrong one, or shares its place."""
    values = [[one.parts[part] if part else one.value for one in side] for side in (right, wrong)]
    return np.mean(np.less_equal.outer(values[1], values[0]))


@pytest.mark.parametrize("stretch", [0.5, 2.0])
def test_five_right_saccades_do_not_rank_behind_a_thousand_wrong_ones(stretch):
    right = [amplitude_divergence(drawn_amplitudes(5), PEOPLE) for _ in range(100)]
    wrong = [amplitude_divergence(drawn_amplitudes(1000, stretch), PEOPLE) for _ in range(20)]
    assert share_behind(right, wrong, "raw") > 0.95  # as it was
    assert share_behind(right, wrong) < 0.05
    assert {one.state for one in right} == {"low"}
    assert {one.state for one in wrong} == {"ok"}


@pytest.mark.parametrize("stretch", [0.5, 1.5, 2.0])
def test_from_fifty_on_neither_few_right_nor_few_wrong_ones_change_places_with_many(stretch):
    right, wrong = (
        {n: [amplitude_divergence(drawn_amplitudes(n, by), PEOPLE) for _ in range(60)] for n in (MOVEMENTS, 1000)}
        for by in (1.0, stretch)
    )
    assert share_behind(right[MOVEMENTS], wrong[1000]) < 0.05
    assert share_behind(right[1000], wrong[MOVEMENTS]) < 0.05
    assert {one.state for one in right[MOVEMENTS]} == {"ok"}


@pytest.mark.parametrize("count", [20, 50, 100, 500])
@pytest.mark.parametrize("by", ["kl", "js"])
def test_of_peoples_own_movements_nothing_is_left_but_noise(count, by):
    found = [amplitude_divergence(drawn_amplitudes(count), PEOPLE, by=by) for _ in range(60)]
    raw, chance = np.array([one.parts["raw"] for one in found]), found[0].parts["by_chance"]
    assert abs(np.mean(raw - chance)) < 4 * raw.std() * np.sqrt(1 / 60 + 1 / 50)
    assert np.mean([one.value for one in found]) < 0.8 * raw.std()  # cut at 0: 0.4 sd on average
    assert np.mean([one.value for one in found]) < 0.15 * chance


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (amplitude_divergence, "only 7 saccades: a divergence of fewer than 50 is mostly chance; 40 bins"),
        (direction_divergence, "only 7 saccades longer than 0: a divergence of fewer than 50 is mostly"),
        (turning_divergence, "only 6 turns between saccades: a divergence of fewer than 50"),
        (duration_divergence, "only 8 fixations of known duration: a divergence of fewer than 50"),
        (joint_divergence, "only 7 saccades to fixations of known duration: a divergence of fewer than 100"),
    ],
)
def test_few_movements_are_of_low_confidence_and_say_so(measure, said):
    found = measure([moves(PATHS[:1])], PEOPLE)
    assert found.state == "low"
    assert found.reason.startswith(said)
    enough = measure([moves(PATHS[:20])], PEOPLE)
    assert (enough.state, "only" in enough.reason) == ("ok", False)


def test_few_movements_of_people_are_told_too():
    few = [Lookers({"a": PATHS[0], "b": PATHS[1]}, SCREEN)]
    found = amplitude_divergence([moves(PATHS[:20])], few)
    assert found.state == "low"
    assert found.reason.startswith("only 14 saccades of people: a divergence of fewer than 50 is mostly chance")


@pytest.mark.data
def test_peoples_own_amplitudes_in_samples_of_three_sizes(data):
    from beholder.attention.datasets.mit1003 import mit1003

    folder = data / "mit1003_subset"
    if not folder.is_dir():
        pytest.skip("the subset of MIT1003 is not here")
    seen = [people_moves(sample.reference) for sample in mit1003(folder)]
    pool = amplitudes_of([of.moves for of in seen], seen)
    people = histogram(pool.people, pool, 40)
    found = [by_chance(people, count, by="kl", alpha=1.0) for count in (95, 266, 500)]
    assert found == pytest.approx([0.211, 0.078, 0.038], rel=0.06)  # drawn apart, by another program
