import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.grating import Grating
from beholder.motion.stimuli.noisy import Noisy
from beholder.motion.stimuli.sampling import Sampling
from beholder.motion.types import true_motion

SMALL = Sampling(hertz=50.0, size=64, seconds=0.1)
GRATING = Grating(diameter=4.0, frequency=1.0, speed=4.0, contrast=0.2)


def test_noise_is_normal_and_independent_in_pixels_and_frames():
    bare, noisy = movie(GRATING, SMALL).frames, movie(Noisy(GRATING, sigma=0.1), SMALL).frames
    z = (noisy / bare - 1) / 0.1
    assert z.mean() == pytest.approx(0, abs=0.03)
    assert z.std() == pytest.approx(1, abs=0.02)
    assert abs(np.corrcoef(z[0].ravel(), z[1].ravel())[0, 1]) < 0.05
    assert abs(np.corrcoef(z[0, :, :-1].ravel(), z[0, :, 1:].ravel())[0, 1]) < 0.05


def test_a_seed_is_a_film_of_noise():
    one, again, other = (movie(Noisy(GRATING, seed=seed), SMALL).frames for seed in (1, 1, 2))
    assert_array_equal(one, again)
    assert not np.array_equal(one, other)


def test_without_noise_it_is_the_scene_and_never_below_black():
    assert_array_equal(movie(Noisy(GRATING, sigma=0.0), SMALL).frames, movie(GRATING, SMALL).frames)
    assert movie(Noisy(GRATING, sigma=2.0), SMALL).frames.min() == 0


def test_nothing_moves_in_a_blank():
    blank = Noisy(Grating(diameter=4.0, contrast=0.0))
    assert (blank.percept.kind, blank.percept.speed) == ("noisy grating", 0)
    assert not true_motion(blank.percept, movie(blank, SMALL)).velocity.any()
    assert Noisy(GRATING).percept.speed == 4


@pytest.mark.parametrize("wrong", [{"sigma": -1.0}, {"sigma": np.nan}, {"seed": -1}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(Misuse, match="noisy: got"):
        Noisy(GRATING, **wrong)
