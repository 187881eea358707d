"""Models of scanpaths that go on from given fixations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.attention.models._falling import Law, Retina, inhibition_after
from beholder.attention.models.eymol import trajectories as leaping
from beholder.attention.models.geymol import geymol
from beholder.attention.models.gravity import gravity, retina
from beholder.attention.models.gravity import trajectories as falling
from beholder.attention.models.levy import levy
from beholder.attention.models.scanddm import scanddm
from beholder.attention.models.wta_argmax import wta_argmax
from beholder.attention.types import Picture, scanpath

PICTURE = Picture(np.random.default_rng(0).integers(0, 255, (96, 128), np.uint8), 8.0)
BEFORE = scanpath([30.0, 100.0], [20.0, 70.0], duration_ms=[300.0, np.nan])


def rng():
    return np.random.default_rng(4)


def left(picture):
    return np.tile(np.linspace(1, 0, picture.shape[1]), (picture.shape[0], 1))


def test_trajectories_begin_at_the_last_fixation():
    for moved in (
        falling(PICTURE, rng=rng(), count=5, seconds=0.1, after=BEFORE),
        leaping(PICTURE, rng=rng(), count=5, seconds=0.1, after=BEFORE),
    ):
        assert np.hypot(*(moved[:, 0] - [100, 70]).T).max() < 1.0
        assert np.ptp(moved[:, -1], axis=0).max() > 0.1  # velocities differ


def test_fixations_begin_at_the_last_one():
    first = [path.points[0] for path in levy(PICTURE, rng=rng(), many=5, of=left, fixations=2, after=BEFORE)]
    assert_allclose(first, np.tile([100, 70], (5, 1)))
    cell = 96 / 15
    for path in scanddm(PICTURE, rng=rng(), many=5, of=left, seconds=0.5, after=BEFORE):
        assert np.abs(path.points[0] - [100, 70]).max() <= cell


def test_the_released_program_begins_there_and_inhibits_it():
    """On a blank picture nothing pulls: two frames of 1.4 px at the most, at 224 px of the longer side."""
    blank = Picture(np.zeros((96, 128), np.uint8))
    for path in geymol(blank, rng=rng(), many=3, seconds=0.08, after=BEFORE):
        assert np.hypot(*(path.points[0] - [100, 70])) < 4
    traced, long = (
        geymol(PICTURE, rng=rng(), seconds=2.0, after=path)
        for path in (BEFORE.at([1]), scanpath([60.0, 100.0], [40.0, 70.0], duration_ms=[2000.0, 250.0]))
    )
    assert traced.points.shape != long.points.shape or np.abs(traced.points - long.points).max() > 1


def test_gravity_inhibits_what_was_fixated():
    """The closed form of spec 1.1 for an eye that stood still: I = g(x − a) (1 − e^(−βt)); then it fades."""
    law, seen = Law(beta=2.0, sigma=2.0), Retina(np.ones((1, 40, 60)), 4.0)
    one = inhibition_after(seen, law, np.array([[20.5, 10.5]]), np.array([0.5]))
    x, y = np.arange(60) + 0.5, np.arange(40)[:, None] + 0.5
    bell = np.exp(-((x - 20.5) ** 2 + (y - 10.5) ** 2) / (2 * 8.0**2))
    near = np.hypot(x - 20.5, y - 10.5) < 24
    assert_allclose(one[near], (bell * (1 - np.exp(-1)))[near], atol=1e-3)
    two = inhibition_after(seen, law, np.array([[20.5, 10.5], [50.5, 30.5]]), np.array([0.5, 0.25]))
    assert two[10, 20] == pytest.approx(np.exp(-0.5) * one[10, 20], abs=1e-3)


def test_gravity_remembers_more_than_the_last_fixation():
    again = scanpath([100.0, 100.0], [70.0, 70.0], duration_ms=[2000.0, 250.0])
    once, often = (
        falling(PICTURE, rng=rng(), count=1, seconds=0.5, after=path)[0, -1] for path in (BEFORE.at([1]), again)
    )
    assert np.hypot(*(once - often)) > 0.01
    assert retina(PICTURE).masses.shape[1:] == (168, 224)


def test_the_greatest_of_what_is_left():
    alone = wta_argmax(PICTURE, of=left, fixations=3)
    rest = wta_argmax(PICTURE, of=left, fixations=2, after=alone.at(slice(1)))
    assert_allclose(rest.points, alone.points[1:])


@pytest.mark.parametrize("model", [gravity, levy, scanddm])
def test_what_is_wrong_is_said(model):
    with pytest.raises(ValueError, match=r"last fixation at \(500, 5\); expected it inside 128 x 96"):
        model(PICTURE, rng=rng(), after=scanpath(500.0, 5.0))
    with pytest.raises(ValueError, match="expected one or more, or None"):
        model(PICTURE, rng=rng(), after=scanpath([], []))
