import pickle
from dataclasses import replace

import numpy as np
import pytest

from attention_walks import SCREEN, A, person
from beholder.attention.criteria import first
from beholder.attention.gaze.distributions import joint_histograms
from beholder.attention.gaze.saccades import (
    amplitudes,
    directions,
    model_moves,
    moves,
    people_moves,
    reduce_to_moves,
    turnings,
)
from beholder.attention.measures.dynamics import (
    amplitude_divergence,
    direction_divergence,
    duration_divergence,
    joint_divergence,
    turning_divergence,
)
from beholder.attention.measures.string_edit import string_edit
from beholder.attention.types import Controls, Lookers, Picture, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

PLACES = {"A": (100, 260), "B": (100, 340), "C": (700, 300)}  # figure 2 of Zanca et al. 2020: A, B near, C far


def route(letters):
    return scanpath(*zip(*(PLACES[letter] for letter in letters), strict=True))


def of(path):
    return [moves([path])]


def test_figure_2_of_zanca_2020():
    human = person(route("ABC"), SCREEN, np.nan)
    edits = [string_edit(route(letters), human, areas=(10, 10)).value for letters in ("ACB", "BAC")]
    assert edits == [1, 1]
    for by in ("kl", "kl_model_people", "js", "wasserstein", "ks"):
        only_long, short_first = (
            amplitude_divergence(of(route(p)), [human], by=by).parts["raw"] for p in ("ACB", "BAC")
        )
        assert short_first < only_long, by


def test_only_the_distance_without_bins_prefers_it_wherever_b_is():
    # B between A and C: |AC| and |BC| are in different bins, each synthetic path shares one bin with the human one
    line = {"A": 100, "B": 180, "C": 700}
    paths = {name: scanpath([line[letter] for letter in name], [300] * 3) for name in ("ABC", "ACB", "BAC")}
    human = [person(paths["ABC"], SCREEN, np.nan)]
    long, short = (amplitude_divergence(of(paths[name]), human) for name in ("ACB", "BAC"))
    assert short.parts["kl"] == long.parts["kl"]
    assert short.parts["wasserstein"] < long.parts["wasserstein"]


def test_divergences_by_hand():
    people = person(scanpath([0, 0, 0, 0], [0, 30, 40, 40]), (30 + 11, 0 + 41), np.nan)
    lengths = np.array([30, 10, 0]) / np.hypot(41, 41)
    assert people_moves(people).moves.amplitude_px.tolist() == [30, 10, 0]
    found = amplitude_divergence(of(scanpath([0, 0], [0, 30])), [people], bins=4, alpha=1)
    h = (np.histogram(lengths, 4, (0, 1))[0] + 1) / 7
    m = (np.histogram(lengths[:1], 4, (0, 1))[0] + 1) / 5
    assert found.parts["raw"] == found.parts["kl"] == pytest.approx((h * np.log(h / m)).sum())
    assert found.parts["kl_model_people"] == pytest.approx((m * np.log(m / h)).sum())
    assert found.parts["ks"] == pytest.approx(2 / 3)
    assert found.parts["wasserstein"] == pytest.approx((lengths[0] - lengths).mean())
    assert found.value == max(0, found.parts["raw"] - found.parts["by_chance"])
    assert found.reason == (
        "only 1 saccade: a divergence of fewer than 50 is mostly chance; 4 bins from 0 to 1 diagonal, alpha 1"
    )
    assert (found.parts["n"], found.parts["n_people"]) == (1, 3)


def test_degrees_have_a_bin_beyond():
    people = person(scanpath([0, 70], [0, 0]), SCREEN, 2.0)  # 35 degrees
    beyond = amplitude_divergence(of(scanpath([0, 90], [0, 0])), [people])  # 45: the 41st bin
    farther = amplitude_divergence(of(scanpath([0, 790], [0, 0])), [people])
    assert beyond.reason.endswith("; 40 bins from 0 to 40 deg and one beyond, alpha 1")
    assert beyond.value == farther.value > 0
    assert farther.parts["wasserstein"] == 395 - 35
    with pytest.raises(NotApplicable, match="px per degree"):
        amplitude_divergence(of(A), [people, person(A, SCREEN, np.nan)][1:], unit="deg")


def test_a_picture_of_unknown_geometry_turns_all_to_the_diagonal():
    people = [person(A, SCREEN, 30.0), person(A, SCREEN, np.nan)]
    assert "diagonal" in amplitude_divergence(of(A) * 2, people).reason


def test_little_smoothing_explodes_and_is_said():
    people = [person(A, SCREEN, np.nan)]
    still = of(scanpath([5, 5, 5], [5, 5, 5]))
    mild, harsh = (amplitude_divergence(still, people, alpha=alpha) for alpha in (1.0, 1e-6))
    assert harsh.value > 5 * mild.value
    assert harsh.reason.endswith("alpha 1e-06")
    with pytest.raises(Misuse, match="smoothing above 0"):
        amplitude_divergence(still, people, alpha=0)


@pytest.mark.parametrize(
    ("measure", "why"),
    [
        (amplitude_divergence, "the model made no saccade"),
        (direction_divergence, "the model made no saccade longer than 0"),
        (turning_divergence, "the model made no turn"),
        (duration_divergence, "the model made no fixation of known duration"),
        (joint_divergence, "the model made no saccade to a fixation of known duration"),
    ],
)
def test_no_movement_is_undefined_and_not_a_number(measure, why):
    with pytest.raises(NotApplicable, match=why):
        measure(of(scanpath([5], [5])), [person(A, SCREEN)])
    with pytest.raises(NotApplicable, match="people made no"):
        measure(of(A), [person(scanpath([5], [5]), SCREEN)])


def test_directions_point_up_where_y_falls():
    path = scanpath([0, 10, 10, 0, 0, 5], [50, 50, 40, 40, 40, 45])
    assert directions(path) == pytest.approx([0, 90, 180, np.nan, -45], nan_ok=True)
    assert turnings(path) == pytest.approx([90, 90, np.nan, np.nan], nan_ok=True)
    assert amplitudes(path) == pytest.approx([10, 10, 10, 0, np.hypot(5, 5)])
    assert turnings(scanpath([0, 1, 0], [0, 0, 0])) == pytest.approx([180])


def test_directions_are_compared_on_the_circle():
    def aimed(degrees):
        return scanpath([50, 50 + 20 * np.cos(np.radians(degrees))], [50, 50 - 20 * np.sin(np.radians(degrees))])

    found = direction_divergence(of(aimed(175)), [person(aimed(-175), (100, 100))])
    assert found.parts["wasserstein"] == pytest.approx(10)
    assert found.parts["ks"] == pytest.approx(1)


def test_pooling_is_over_people_and_pictures():
    rng = np.random.default_rng(0)
    paths = [scanpath(*(rng.random((2, 5)) * 500)) for _ in range(4)]
    two = [Lookers({"a": paths[0], "b": paths[1]}, SCREEN), Lookers({"a": paths[2], "b": paths[3]}, SCREEN)]
    found = amplitude_divergence([moves(paths[:2]), moves(paths[2:])], two)
    assert found.value == 0
    assert found.parts["n_people"] == 16
    assert amplitude_divergence([moves(paths[:1]), moves(paths[2:3])], two).parts["n"] == 8


def test_the_joint_distribution_sees_what_the_margins_do_not():
    short, long = (0, 10), (0, 700)

    def path(*pairs):
        """A scanpath for each saccade and the duration after it."""
        return [scanpath([0, length], [0, 0], duration_ms=[np.nan, ms]) for length, ms in pairs]

    people = Lookers(dict(enumerate(path((short[1], 600), (long[1], 100)))), SCREEN)
    swapped = [moves(path((short[1], 100), (long[1], 600)))]
    assert amplitude_divergence(swapped, [people]).value == duration_divergence(swapped, [people]).value == 0
    assert joint_divergence(swapped, [people], by="js").parts["raw"] == 1
    model, human = joint_histograms(swapped, [people])
    assert model.sum() == human.sum() == 2
    assert human[0, 6] == human[7, 1] == 1  # rows: tenths of the diagonal; columns: 100 ms
    with pytest.raises(Misuse, match="got by='ks'"):
        joint_divergence(swapped, [people], by="ks")


def test_the_readout_is_small_and_drops_what_lies_outside():
    picture = Picture(np.zeros((*SCREEN, 3), np.uint8))
    found = model_moves(scanpath([0, 5000, 30, 60], [0, 0, 40, 80], duration_ms=[100, 100, 200, 300]), picture)
    assert found.amplitude_px.tolist() == [50]  # not from the first to the third: the eye was elsewhere between
    assert found.joint.tolist() == [[50, 300]]
    assert len(found.turning) == 0
    assert model_moves([A, A], picture).saccades == 10
    assert (found.saccades, found.fixations) == (1, 3)


def test_the_centre_stare_is_exposed_on_real_people(data):
    from beholder.attention.datasets.mit1003 import mit1003
    from beholder.attention.measures.time_delay import stde

    folder = data / "mit1003_subset"
    if not folder.is_dir():
        pytest.skip("the subset of MIT1003 is not here")
    dataset = mit1003(folder)
    stares, people, wins = [], [], 0
    for sample in list(dataset)[:12]:
        lookers = sample.reference
        height, width = lookers.shape
        stare = scanpath([width / 2] * 8, [height / 2] * 8)
        names = [name for name, path in lookers.paths.items() if len(path)]
        human = np.mean([stde(lookers.paths[name], lookers.without(name)).value for name in names])
        wins += stde(stare, lookers).value > human
        stares.append(moves([stare]))
        people.append(lookers)
    assert wins >= 6  # where people do not beat the blind one …
    first = next(iter(people[0].paths))
    alone = [people_moves(of.only(first)).moves for of in people]
    other = amplitude_divergence(alone, [of.without(first) for of in people], unit="diagonal")
    assert amplitude_divergence(stares, people, unit="diagonal").value > 1 > 3 * other.value  # … the amplitudes tell


def test_a_pooled_pair_stays_small_whatever_controls_there_are():
    many = np.random.default_rng(0).random((5000, 2)) * 100
    unknown = np.full(5000, "someone")
    lookers = replace(person(A, SCREEN), controls=Controls(many, unknown, many[:, 0], unknown))
    mine = moves([A])
    observed, seen = reduce_to_moves(first(2)).select(mine, lookers)
    assert len(pickle.dumps((observed, seen))) < 4096 < len(pickle.dumps(lookers))
    assert (observed, seen.moves.saccades) == (mine, 1)
    kept = reduce_to_moves().select(mine, lookers)
    for measure in (amplitude_divergence, direction_divergence, duration_divergence, joint_divergence):
        assert measure([mine], [kept[1]]) == measure([mine], [lookers])
    assert reduce_to_moves().select(A, lookers) == (A, lookers)  # what compares paths gets all
