"""Scenes in depth: what each eye sees, and what a model with one eye is told."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.errors import Misuse
from beholder.motion.stimuli.barber_pole import BarberPole
from beholder.motion.stimuli.depth import DeepPole, binocular
from beholder.motion.stimuli.diamond import texture
from beholder.motion.stimuli.sampling import Sampling

SMALL = Sampling(hertz=50.0, size=112, seconds=0.1)
NOISE = texture(np.random.default_rng(0))


def deep(apart, **settings):
    return DeepPole(BarberPole(length=9.0, breadth=3.0, **settings), NOISE, apart)


def shifts(left, right):
    """The disparity of each row of two frames, px, by plain correlation of the rows: nothing of the package."""
    found = []
    for one, other in zip(left - left.mean(), right - right.mean(), strict=True):
        score = [np.dot(one[8:-8], np.roll(other, by)[8:-8]) for by in range(-6, 7)]
        found.append(int(np.argmax(score)) - 6)
    return np.array(found)


@pytest.mark.parametrize("apart", [0.5, 0.0, -0.5])
def test_stripes_have_their_disparity_and_the_surround_has_none(apart):
    pair = binocular(deep(apart), SMALL)
    found = shifts(pair.left.frames[0].astype(float), pair.right.frames[0].astype(float))
    assert set(found[5:35]) == set(found[-35:-5]) == {0}
    stripes = pair.left.frames[0, 48:64, 35:77].astype(float), pair.right.frames[0, 48:64].astype(float)
    apart_px = [np.square(stripes[0] - stripes[1][:, 35 - by : 77 - by]).sum() for by in range(-6, 7)]
    assert int(np.argmin(apart_px)) - 6 == round(8 * apart)


@pytest.mark.parametrize("apart", [0.5, -0.5])
def test_edges_go_with_near_stripes_and_stay_with_the_surround_of_far_ones(apart):
    pair = binocular(deep(apart), SMALL)
    starts = [np.flatnonzero(eye.frames[:, 56].std(axis=0) > 5)[0] for eye in (pair.left, pair.right)]
    assert starts[0] - starts[1] == (4 if apart > 0 else pytest.approx(0, abs=1))


def test_without_disparity_both_eyes_see_the_same():
    pair = binocular(deep(0.0, direction=90.0, turn=-1), SMALL)
    assert_array_equal(pair.left.frames, pair.right.frames)


def test_disparity_is_horizontal_however_the_pole_is_turned():
    upright = binocular(deep(0.5, direction=90.0), SMALL)
    starts = [np.flatnonzero(eye.frames[:, 56].std(axis=0) > 5)[0] for eye in (upright.left, upright.right)]
    assert starts[0] - starts[1] == 4
    tops = [
        np.flatnonzero(eye.frames.std(axis=0)[:, 50:62].max(axis=1) > 5)[0] for eye in (upright.left, upright.right)
    ]
    assert tops[0] == tops[1]


def test_eyes_change_places_when_depth_is_reversed_but_for_the_edges():
    near, far = binocular(deep(0.5), SMALL), binocular(deep(-0.5), SMALL)
    inside = np.s_[:, 48:64, 30:82]
    assert_allclose(near.left.frames[inside], far.right.frames[inside], rtol=1e-5)


def test_what_people_are_remembered_to_see():
    percepts = {apart: deep(apart).percept for apart in (0.5, 0.0, -0.5)}
    assert [percepts[apart].object_direction for apart in (0.5, 0.0, -0.5)] == [0, 0, 45]
    assert {percept.status for percept in percepts.values()} == {"memory"}
    assert percepts[-0.5].speed == 8
    assert percepts[0.5].speed == pytest.approx(8 * np.sqrt(2))


@pytest.mark.parametrize("wrong", [{"disparity": np.inf}, {"contrast": 2.0}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(Misuse, match="deeppole: got"):
        DeepPole(BarberPole(), NOISE, **wrong)
