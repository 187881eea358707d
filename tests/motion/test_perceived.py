"""Types of perceived flow: what is accepted, how it is read at the probes, and how people are taken apart."""

import math

import numpy as np
import pytest
from scipy.ndimage import map_coordinates

from beholder.core.measure import NotApplicable
from beholder.motion.perceived import (
    SPLITS,
    Field,
    Local,
    Probes,
    Scene,
    Unseen,
    answer,
    at_probes,
    averaged,
    bilinear,
    local,
    only,
    splits,
    without,
)
from beholder.motion.types import Flow, Velocity

POINTS = np.array([[1.0, 2.0], [2.5, 0.5], [0.0, 0.0], [4.0, 3.0]])
SCENE = Scene(np.zeros((4, 4, 5), np.float32), 30.0, 15.0, points=POINTS, at=1)


def test_a_field_is_that_of_the_probed_pair_and_turned_over():
    flow = np.random.default_rng(0).normal(size=(3, 4, 5, 2))
    found = local(flow, SCENE)
    assert isinstance(found, Field)
    assert found.velocity == pytest.approx(flow[1] * (1, -1))
    assert local(flow[1], SCENE).velocity == pytest.approx(found.velocity)


def test_vectors_are_a_pair_or_a_probe_each():
    pairs, probes = np.arange(6.0).reshape(3, 2), np.arange(8.0).reshape(4, 2)
    assert local(pairs, SCENE).velocity == pytest.approx(np.tile([2.0, -3.0], (4, 1)))
    assert local(probes, SCENE).velocity == pytest.approx(probes * (1, -1))
    alike = Scene(np.zeros((5, 4, 5), np.float32), 30.0, 15.0, points=POINTS)
    with pytest.raises(ValueError, match="one velocity per pair or one per probe; expected"):
        local(probes, alike)


def test_degrees_a_second_become_px_a_frame():
    steady = np.tile([2.0, 4.0], (3, 1))  # deg/s, y up; 15 px/deg at 30 Hz: 0.5 px/frame for each
    assert local(Velocity(steady), SCENE).velocity == pytest.approx(np.tile([1.0, 2.0], (4, 1)))
    dense = np.broadcast_to([2.0, 4.0], (3, 4, 5, 2)).astype(np.float32)
    assert local(Flow(dense), SCENE).velocity[0, 0] == pytest.approx([1.0, 2.0])


def test_what_is_infinite_is_no_estimate():
    flow = np.zeros((3, 4, 5, 2))
    flow[1, 2, 1] = np.inf
    read = at_probes(local(flow, SCENE), SCENE).velocity
    assert np.isnan(read[0]).all()
    assert np.array_equal(read[1:], np.zeros((3, 2)))


@pytest.mark.parametrize("scene", [SCENE, Unseen(POINTS), Unseen(count=4)], ids=["seen", "places", "count"])
@pytest.mark.parametrize(
    "raw",
    [
        None,
        "flow",
        {"u": 1},
        pytest.param(object(), id="object"),
        np.zeros((3, 3)),
        np.zeros((2, 4, 5, 2)),
        np.zeros(4),
        ["a"],
        np.zeros((4, 2), complex),
    ],
    ids=str,
)
def test_rubbish_is_refused(raw, scene):
    with pytest.raises(ValueError, match=r"got an answer of .*; expected"):
        local(raw, scene)


def test_without_frames_only_vectors_are_accepted():
    vectors = np.arange(8.0).reshape(4, 2)
    for scene in (Unseen(POINTS), Unseen(count=4)):
        assert local(vectors, scene).velocity == pytest.approx(vectors * (1, -1))
        with pytest.raises(NotApplicable, match="frames of this movie are not here"):
            _ = scene.frames
        with pytest.raises(NotApplicable):
            _ = scene.px_per_deg


def test_bilinear_is_scipys():
    rng = np.random.default_rng(1)
    values, points = rng.normal(size=(6, 7, 2)), rng.uniform(0, 5, (50, 2))
    theirs = [map_coordinates(values[..., n], points[:, ::-1].T, order=1) for n in (0, 1)]
    assert bilinear(values, points) == pytest.approx(np.stack(theirs, axis=1))


def test_outside_there_is_nothing_and_on_the_border_there_is():
    values = np.arange(12.0).reshape(3, 4, 1)
    read = bilinear(values, np.array([[3.0, 2.0], [-0.1, 0.0], [3.1, 0.0], [0.0, 2.5]])).ravel()
    assert read[0] == 11
    assert np.isnan(read[1:]).all()


def test_a_hole_counts_where_it_has_a_share():
    values = np.ones((2, 3, 1))
    values[0, 2] = np.nan
    read = bilinear(values, np.array([[1.0, 0.0], [1.5, 0.0], [1.0, 1.0]])).ravel()
    assert read.tolist()[::2] == [1, 1]
    assert np.isnan(read[1])


def people():
    values = np.arange(2 * 3 * 2 * 2, dtype=float).reshape(2, 3, 2, 2)
    values[1, 2, 1] = np.nan
    return Probes(np.zeros((2, 2)), values, ("a", "b"))


def test_people_are_taken_apart():
    of = people()
    assert only(of, "a").mean == pytest.approx(of.people[0].mean(axis=0))
    assert without(of, "a").mean == pytest.approx(np.nanmean(of.people[1], axis=0))
    assert answer(without(of, "b"), None).velocity == pytest.approx(only(of, "a").mean)
    assert answer(of, None).people
    assert only(of, "a").everyone == pytest.approx(of.everyone)
    assert of.mean == pytest.approx(np.nanmean(of.people, axis=(0, 1)))


@pytest.mark.parametrize("observers", range(2, 10))
def test_halves_are_as_equal_as_may_be_and_no_split_comes_twice(observers):
    first = splits(observers)
    assert set(first.sum(axis=1)) == {(observers + 1) // 2}
    halves = {frozenset([tuple(half), tuple(~half)]) for half in first}
    assert len(halves) == len(first) == min(SPLITS, math.comb(observers, observers // 2) // (2 - observers % 2))
    assert np.array_equal(splits.__wrapped__(observers), first)  # no matter when


def test_halves_are_means_of_all_trials_of_their_observers():
    values = np.random.default_rng(0).normal(size=(5, 3, 4, 2))
    values[0, :, 0], values[3, 1, 2] = np.nan, np.nan
    of = Probes(np.zeros((4, 2)), values, tuple("abcde"))
    assert of.halves.shape == (10, 2, 4, 2)
    for first, (one, other) in zip(splits(5), of.halves, strict=True):
        assert one == pytest.approx(averaged(values[first]), nan_ok=True)
        assert other == pytest.approx(averaged(values[~first]), nan_ok=True)


def test_nobody_is_nan_without_a_warning():
    assert np.isnan(averaged(np.full((2, 2, 1, 2), np.nan))).all()
    assert np.isnan(Probes(np.zeros((1, 2)), np.ones((1, 1, 1, 2)), ("mean",)).halves[:, 1]).all()


def test_other_answers_have_no_readout():
    with pytest.raises(TypeError, match="got an answer of int; expected flow or vectors"):
        at_probes(3, SCENE)
    assert at_probes(Local(POINTS), SCENE).velocity is POINTS
