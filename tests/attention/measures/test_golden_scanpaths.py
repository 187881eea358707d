"""Values of attention.md 9 and scanpath-and-study.md 3, and what tells a measure from its name."""

from itertools import product

import numpy as np
import pytest

from attention_walks import SCREEN, A, B, person
from beholder.attention.measures.elastic import dtw, euclidean, eyenalysis, frechet, hausdorff
from beholder.attention.measures.mannan import mannan
from beholder.attention.measures.recurrence import corm, cross_recurrence, determinism, laminarity, recurrence
from beholder.attention.measures.scanmatch import scanmatch
from beholder.attention.measures.scasim import scasim
from beholder.attention.measures.sequence_score import mean_shift, sequence_score
from beholder.attention.measures.subsmatch import subsmatch
from beholder.attention.measures.time_delay import embedding_distance, embedding_distances, stde, string_tde, tde
from beholder.attention.paths import pairs
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.core.measure import NotApplicable, fix
from beholder.errors import Misuse

HUMAN_A, HUMAN_B = person(A, SCREEN, 25.0), person(B, SCREEN, 25.0)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (scanmatch, 0.7857142857142857),
        (fix(scanmatch, step_ms=50.0), 0.7984544984745869),
        (dtw, 162.44834989744928),
        (frechet, 44.721359549995796),
        (hausdorff, 44.721359549995796),
        (eyenalysis, 46.695890040817126),
        (recurrence, 20.0),  # 2 degrees are 50 px
        (determinism, 100.0),
        (laminarity, 20.0),
        (corm, 10.0),
    ],
)
def test_golden_values(measure, expected):
    assert measure(A, HUMAN_B).value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (fix(tde, k=1), 23.545398069490698),
        (fix(tde, k=2), 18.662633244750936),
        (fix(tde, k=3), 36.952300948945094),
        (stde, 0.9442887601461478),
    ],
)
def test_golden_values_of_embeddings_are_of_b_beside_the_human_a(measure, expected):
    assert measure(B, HUMAN_A).value == pytest.approx(expected, rel=1e-12)


def test_the_sign_of_corm_says_who_leads():
    assert corm(A, HUMAN_B).parts["signed"] == -10
    assert corm(B, HUMAN_A).parts["signed"] == 10


def test_mannan():
    found = mannan(A, HUMAN_B)
    assert found.parts["distance"] ** 2 == pytest.approx(0.00068, rel=1e-12)
    assert found.value == pytest.approx(100 * (1 - found.parts["distance"] / found.parts["random"]))
    assert mannan(A, HUMAN_B).value == found.value  # seeded
    assert mannan(A, HUMAN_B, seed=1).value == pytest.approx(found.value, abs=0.5)
    with pytest.raises(Misuse, match="expected 1000 or more"):
        mannan(A, HUMAN_B, draws=10)


@pytest.mark.parametrize("reference", ["uniform", "shuffled"])
def test_mannan_is_the_same_whichever_of_two_scanpaths_comes_first(reference):
    rng = np.random.default_rng(3)
    elsewhere = Controls(rng.random((40, 2)) * 600, np.full(40, "a"), np.zeros(40), np.full(40, "p"))
    short, long = (scanpath(*(rng.random((n, 2)) * 600).T) for n in (3, 5))
    one, other = (
        mannan(a, person(b, SCREEN, 25.0, controls=elsewhere), reference=reference)
        for a, b in ((short, long), (long, short))
    )
    assert one.value == other.value
    assert one.parts == other.parts


def test_gaps_cost_what_is_asked_for():
    # A_C beside ABC: T + gap + T = 6.5 of 3 T; with dear gaps C stands for B: T + (T − 1)
    triple = person(scanpath([0, 1, 2], [0, 0, 0]), (1, 3))
    found = [scanmatch(scanpath([0, 2], [0, 0]), triple, grid=(3, 1), gap=gap).value for gap in (0.0, -0.5, -9.0)]
    assert found == pytest.approx([7 / 10.5, 6.5 / 10.5, 6 / 10.5])
    with pytest.raises(Misuse, match="got gap=1"):
        scanmatch(A, HUMAN_B, gap=1)


@pytest.mark.parametrize("measure", [tde, stde, mannan, sequence_score])
def test_long_scanpaths_are_cut_and_said_to_be(measure, monkeypatch):
    assert pairs.LONGEST == 1000
    monkeypatch.setattr(pairs, "LONGEST", 100)
    rng = np.random.default_rng(0)
    a, b = (scanpath(*(rng.random((150, 2)) * [799, 599]).T) for _ in range(2))
    found = measure(a, person(b, SCREEN, 25.0))
    first = measure(a.at(slice(100)), person(b.at(slice(100)), SCREEN, 25.0))
    assert found.state == "low"
    assert "the first 100 of 150 fixations are compared" in found.reason
    if measure is not sequence_score:  # its clusters are those of all fixations
        assert found.value == first.value
    assert first.state == "ok"


def test_clusters_of_very_many_fixations_are_made_of_some(monkeypatch):
    monkeypatch.setattr("beholder.attention.measures.sequence_score.CLUSTERED", 50)
    rng = np.random.default_rng(0)
    group = Lookers({who: scanpath(*(rng.random((40, 2)) * [799, 599]).T) for who in "abc"}, SCREEN, 25.0)
    found = sequence_score(A, group)
    assert found.state == "low"
    assert "clusters made from 1 in 3 of all people's fixations" in found.reason


def test_one_window_alone_is_that_among_all():
    apart = np.random.default_rng(1).random((9, 7))
    for norm, reach in product(("k", "rms", "mean"), ("mean", "hausdorff")):
        every = embedding_distances(apart, norm=norm, reach=reach)
        found = [embedding_distance(apart, k, norm=norm, reach=reach) for k in range(1, 8)]
        np.testing.assert_allclose(found, every, rtol=1e-14)


def test_clusters_are_those_of_plain_mean_shift():
    points = np.random.default_rng(2).random((300, 2)) * 400
    means = points.copy()
    for _ in range(300):
        near = np.hypot(*(means[:, None] - points).transpose(2, 0, 1)) <= 60
        moved = (near @ points) / near.sum(axis=1, keepdims=True)
        still, means = np.abs(moved - means).max() < 1e-3, moved
        if still:
            break
    found = mean_shift(points, 60.0)
    nearest = np.hypot(*(found[:, None] - means).transpose(2, 0, 1)).min(axis=1)
    assert nearest.max() < 1e-6  # every centre is one where points arrive
    assert len(found) > 3


def test_mannan_is_zero_for_random_places_and_negative_for_worse():
    rng = np.random.default_rng(4)
    places = rng.random((200, 2, 8, 2)) * SCREEN[::-1]
    mean = np.mean([mannan(scanpath(*a.T), person(scanpath(*b.T), SCREEN)).value for a, b in places])
    assert abs(mean) < 2
    assert mannan(scanpath([0], [0]), person(scanpath([799], [599]), SCREEN)).value < -50


def test_mannan_flags_very_unequal_lengths():
    found = mannan(A.at(slice(2)), HUMAN_B)
    assert (found.state, found.reason) == ("low", "1 of 1 pairs: 2 fixations against 5: very different lengths")
    assert mannan(A, HUMAN_B).state == "ok"


def test_mannan_beside_shuffled_fixations():
    points = np.full((9, 2), [400.0, 300.0]) + np.arange(9)[:, None]
    unknown = np.full(9, "")
    centre = Controls(points, unknown, np.full(9, np.nan), unknown)
    lookers = person(B, SCREEN, controls=centre)
    assert mannan(A, lookers, reference="shuffled").parts["random"] < 0.01  # all controls are near the centre
    with pytest.raises(NotApplicable, match="no fixations on other pictures"):
        mannan(A, HUMAN_B, reference="shuffled")


def test_one_fixation_where_the_person_looked_has_the_best_embedding():
    assert stde(A.at([3]), HUMAN_A).value == 1
    assert stde(A, HUMAN_B).value != pytest.approx(stde(B, HUMAN_A).value)  # simulated and human are not alike


def test_norms_of_the_embedding_differ_by_the_length_of_the_window():
    k, rms = (tde(B, HUMAN_A, k=3, norm=norm).value for norm in ("k", "rms"))
    assert rms == pytest.approx(k * np.sqrt(3))
    assert tde(B, HUMAN_A, k=3, norm="mean").value <= rms + 1e-12
    assert tde(B, HUMAN_A, k=1, norm="mean").value == tde(B, HUMAN_A, k=1).value
    assert tde(B, HUMAN_A, k=2, reach="hausdorff").value >= tde(B, HUMAN_A, k=2).value
    assert stde(B, HUMAN_A, norm="rms").value < stde(B, HUMAN_A).value


def test_stde_takes_whole_numbers_as_numbers():
    # the public program divides integer arrays in place: everything becomes 1
    whole = scanpath(np.arange(3), np.arange(3))
    assert stde(scanpath([700, 100], [10, 500]), person(whole, SCREEN)).value < 0.8


def test_lines_of_recurrence_are_unbroken():
    same = np.zeros((5, 5), bool)
    same[0, 0] = same[2, 2] = same[4, 4] = same[0, 3] = same[1, 4] = True
    found = cross_recurrence(same)
    assert (found.rec, found.det) == (20, 40)  # the three on the main diagonal have gaps
    assert cross_recurrence(np.zeros((3, 3), bool)).rec == 0


def test_broken_lines_do_not_count_though_they_do_in_fixatons():
    same = np.zeros((4, 4), bool)
    same[[0, 2], [0, 2]] = True  # two points of one diagonal, not neighbours: FixaTons has DET 100
    assert cross_recurrence(same).det == 0
    assert "FixaTons" in determinism.__doc__


def test_where_nothing_recurs_only_the_rate_is_a_number():
    far = person(scanpath([1, 2], [1, 2]), SCREEN, 25.0)
    path = scanpath([700, 600], [500, 400])
    assert recurrence(path, far).value == 0
    for measure in (determinism, laminarity, corm):
        with pytest.raises(NotApplicable, match="never look at the same place"):
            measure(path, far)


def test_degrees_that_are_assumed_are_said():
    found = recurrence(A, person(B, SCREEN, np.nan))
    assert found.reason == "px per degree are unknown: 35 is assumed (as on MIT1003)"
    with pytest.raises(NotApplicable, match="use unit='diagonal'"):
        dtw(A, person(B, SCREEN, np.nan), unit="deg")


def test_units_are_factors():
    assert dtw(A, HUMAN_B, unit="deg").value == pytest.approx(162.44834989744928 / 25)
    assert frechet(A, HUMAN_B, unit="diagonal").value == pytest.approx(0.044721359549995796)
    assert dtw(A, HUMAN_B, normalise=True).value == pytest.approx(162.44834989744928 / 6)
    apart = np.linalg.norm(A.points[:5] - B.points, axis=1)
    assert euclidean(A.at(slice(5)), HUMAN_B).value == pytest.approx(apart.mean())


def test_eyenalysis_in_time():
    one, other = (scanpath([5, 5], [5, 5], onset_ms=[0, at], duration_ms=[50, 50]) for at in (100, 200))
    assert eyenalysis(one, person(other), weights=(1, 1, 0, 0)).value == 0
    assert eyenalysis(one, person(other), weights=(0, 0, 1, 0)).value == 100
    with pytest.raises(NotApplicable, match="unknown"):
        eyenalysis(scanpath([5], [5]), person(other), weights=(1, 1, 1, 1))


def test_scasim_by_hand():
    px = 25.0
    step = px / np.tan(np.radians(1)) * np.tan(np.radians(2))  # 2 degrees from the middle
    at = scanpath([400], [300], duration_ms=[200])
    beside = scanpath([400 + step], [300], duration_ms=[300])
    near = 0.83**2
    expected = 100 * near + 500 * (1 - near)
    assert scasim(at, person(beside, SCREEN, px)).value == pytest.approx(expected)
    assert scasim(at, person(beside, SCREEN, px), normalise="durations").value == pytest.approx(expected / 500)
    far = scanpath([799], [599], duration_ms=[300])  # where moving costs as much as deleting and inserting
    assert scasim(at, person(far, SCREEN, px)).value == pytest.approx(500, abs=15)
    with pytest.raises(NotApplicable, match="unknown"):
        scasim(scanpath([1], [1]), HUMAN_B)


def test_sequence_score_follows_the_clusters_of_people():
    rng = np.random.default_rng(0)
    homes = np.array([[100, 100], [400, 300], [700, 500]])
    order = [0, 1, 2, 1]
    path = homes[order] + rng.normal(0, 5, (4, 2))
    lookers = person(scanpath(*path.T), SCREEN, 25.0)
    assert len(mean_shift(lookers.points, 50.0)) == 3
    assert sequence_score(scanpath(*(homes[order] + 9).T), lookers).value == 1
    assert sequence_score(scanpath(*homes[[0, 2, 1]].T), lookers).value == 0.75
    assert sequence_score(scanpath(*homes[[0, 2, 1]].T), lookers, cut=1).value == 1
    labels = np.zeros(SCREEN, int)
    labels[:, 600:] = 1
    assert sequence_score(scanpath([5, 700], [5, 5]), lookers, areas=labels).value == 0.5  # AB beside AABA


def test_subsmatch_by_hand():
    lookers = person(scanpath([0, 1, 2, 3], [0, 0, 0, 0]), (1, 4))  # letters 0, 0, 1, 1 of 2
    assert subsmatch(scanpath([3, 0], [0, 0]), lookers, letters=2).value == pytest.approx(1)  # word 10 alone
    assert subsmatch(scanpath([0, 3], [0, 0]), lookers, letters=2).value == pytest.approx(2 / 3)
    with pytest.raises(NotApplicable, match="no word of 3 letters"):
        subsmatch(scanpath([0, 3], [0, 0]), lookers, window=3)


def test_strings_of_windows():
    lookers = person(B, SCREEN)
    assert string_tde(A, lookers, k=1, areas=5).value == pytest.approx(1 / 6)  # of 0 6 18 18 14 20 only 0 is not met
    assert string_tde(A, lookers, k=5, areas=5).value == pytest.approx(
        (3 + 2) / 2 / 5
    )  # 5 6 18 14 20 from 0 6 18 18 14, from 6 18 18 14 20
    with pytest.raises(NotApplicable, match="not both have a run of 6"):
        string_tde(A, lookers, k=6)
