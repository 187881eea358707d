"""A scene that is turned or mirrored gives a symmetric model the same error curve (golden numbers, group 6)."""

from itertools import pairwise

import numpy as np
import pytest

from beholder.motion.models.slow_prior import slow_prior
from beholder.motion.readouts import errors, trace
from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.barber_pole import BarberPole
from beholder.motion.stimuli.diamond import Diamond
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.plaid import Plaid
from beholder.motion.stimuli.sampling import Sampling
from beholder.motion.types import motion

GRID = Sampling(hertz=50.0, size=128, seconds=0.2)
SCENES = {
    "diamond": lambda **way: Diamond(edge=5.0, **way),
    "bar": lambda **way: Bar(length=5.0, **way),
    "barber pole": lambda **way: BarberPole(length=9.0, breadth=3.0, **way),
    "plaid": lambda **way: Plaid(diameter=9.0, **way),
}


def curve(scene, model=slow_prior):
    shown = movie(scene, GRID)
    found = trace(motion(model(shown), shown), shown)
    return errors(found, scene.percept) * scene.turn


@pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)
def test_the_error_curve_is_the_same_in_four_directions_and_both_turns(make):
    upright = curve(make(direction=0.0, turn=1))
    assert np.isfinite(upright).all()
    assert np.abs(upright).max() > 1  # a curve of zeros would be the same anyway
    for way in (0.0, 90.0, 180.0, 270.0):
        for turn in (1, -1):
            assert curve(make(direction=way, turn=turn)) == pytest.approx(upright, abs=1e-4)


def test_it_is_the_same_to_the_last_digits_where_the_model_is():
    """The observer below has no direction of its own, so that only the drawing could break the symmetry."""
    one, *others = [
        curve(Diamond(edge=5.0, direction=way, turn=turn), central) for way in (0.0, 90.0) for turn in (1, -1)
    ]
    for other in others:
        assert other == pytest.approx(one, abs=1e-6)


def central(shown):
    """Least squares on central differences in double precision: nothing of the package."""
    frames = shown.frames.astype(float)
    found = []
    for before, after in pairwise(frames):
        down, right = np.gradient((before + after) / 2)
        change = after - before
        matrix = [[(right * right).sum(), (right * down).sum()], [(right * down).sum(), (down * down).sum()]]
        found.append(
            np.linalg.solve(np.array(matrix) + 1e3 * np.eye(2), [-(right * change).sum(), -(down * change).sum()])
        )
    return np.array(found)
