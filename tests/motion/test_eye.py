"""An eye between the model and the score: declared once, the same for all stimuli."""

import numpy as np
import pytest

from beholder.core.measure import card
from beholder.errors import Misuse
from beholder.motion.benchmarks.dynamic import dynamic, eye
from beholder.motion.types import Movie, Velocity

MOVIE = Movie(np.zeros((31, 8, 8), np.float32), 100.0, 8.0)
STEP = Velocity(np.tile([10.0, 0.0], (30, 1)))


def test_it_follows_a_step_late_and_slowly():
    found = eye(STEP, MOVIE, delay=0.1, tau=0.05)
    speed = np.hypot(*found.velocity.T)
    assert speed[found.seconds < 0.1] == pytest.approx(0)
    late = found.seconds > 0.12
    since = found.seconds[late] - 0.1
    assert speed[late] == pytest.approx(10 * (1 - np.exp(-since / 0.05)), abs=1.0)  # to a frame


def test_the_names_of_the_measures_say_so():
    plain, followed = dynamic(models="none"), dynamic(models="none", delay=0.1, tau=0.05)
    assert not any("eye" in card(of).name for of in plain.measures)
    assert all("readout=eye after 0.1 s with 0.05 s" in card(of).name for of in followed.measures)


def test_an_impossible_eye_is_refused():
    with pytest.raises(Misuse, match=r"got delay=-1"):
        eye(STEP, MOVIE, delay=-1.0, tau=0.0)
    with pytest.raises(Misuse, match=r"got delay=-1"):
        dynamic(models="none", delay=-1.0)
