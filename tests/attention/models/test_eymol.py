import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from skimage import data as photographs

import scanpath_vectors as vectors
from beholder.attention.models._curiosity import (
    CAT2000,
    Derivatives,
    Final,
    accelerations,
    drives,
    final_slope,
    leaps,
)
from beholder.attention.models.eymol import _wide, equalised, eymol, sights, trajectories
from beholder.attention.types import Picture
from beholder.errors import Misuse

PHOTO = Picture(photographs.chelsea(), 16.0)


def rng():
    return np.random.default_rng(2)


def maps():
    grey = vectors.levels()
    return grey, cv2.GaussianBlur(grey, (31, 31), 0)


@pytest.mark.parametrize(("state", "time", "expected"), vectors.CAT2000)
def test_right_hand_sides_of_march_2017(state, time, expected):
    found = np.empty((1, 2))
    accelerations(drives(*maps()), np.array([state]), time, CAT2000, found)
    assert_allclose(found[0], expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("state", "time", "expected"), vectors.FINAL)
def test_right_hand_sides_of_the_last_program(state, time, expected):
    brightness, periphery = (Derivatives(each) for each in maps())
    found = final_slope(brightness, periphery, Final())(np.array(state), time)
    assert_allclose(found, [*state[2:], *expected], rtol=1e-9)


def test_derivatives_of_a_paraboloid():
    y, x = np.indices((20, 24)).astype(float)
    found = Derivatives(3 * y**2 + 2 * x**2 + 5 * x * y)
    assert_allclose(found.first[:, 8, 9], [6 * 8 + 5 * 9, 4 * 9 + 5 * 8])
    assert_allclose(found.second[:, 8, 9], [6, 4, 5])
    assert_allclose(found.rising[:, 8, 9], [93 * 6 + 76 * 5, 93 * 5 + 76 * 4])
    assert not found.first[:, :2].any()
    assert not found.second[:, :, -2:].any()


def test_leaps_follow_the_equations_where_these_are_smooth():
    # Walls alone: b and p are constant, so that the eye flies straight and is thrown back by a spring of 2 κ.
    fields = np.zeros((5, 40, 60))
    start = np.array([[20.0, 30.0, 0.5, 0.7]])
    found = leaps(fields, start, every=10, count=60)[:, 0]

    def slope(time, state):
        pushed = np.empty((1, 2))
        accelerations(fields, state[None], time, CAT2000, pushed)
        return np.concatenate([state[2:], pushed[0]])

    exact = solve_ivp(slope, (0, 60), start[0], rtol=1e-9, atol=1e-9, max_step=0.5, t_eval=np.arange(1, 61)).y.T
    assert_allclose(found[:30, :2], exact[:30, :2], atol=1e-3)
    assert_allclose(found[:, :2], exact[:, :2], atol=0.1)
    assert found[:, 1].max() < 60


def test_sights_are_at_most_1_and_equalised_levels_even():
    bright = equalised(PHOTO, (180, 270))
    assert np.abs(np.quantile(bright, [0.25, 0.5, 0.75]) - [0.25, 0.5, 0.75]).max() < 0.05
    detail, around = sights(bright)
    assert detail.max() == around.max() == 1


def test_observers_explore_with_march_2017_and_hardly_move_with_the_last():
    wide = trajectories(PHOTO, rng=rng(), count=5, seconds=3.0)
    still = trajectories(PHOTO, rng=rng(), count=2, seconds=1.0, version="final")
    assert wide.std(axis=1).mean() > 20
    assert still.std(axis=1).max() < 8
    assert ((wide >= 0) & (wide < PHOTO.shape[::-1])).all()


def test_a_flat_picture_lets_the_eye_glide():
    path = eymol(Picture(np.full((64, 96), 100, np.uint8), 8.0), rng=rng(), seconds=1.0)
    assert np.isfinite(path.points).all()


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="version='2018'"):
        eymol(PHOTO, rng=rng(), version="2018")


@pytest.mark.parametrize("shape", [(300, 401), (64, 90)])  # the latter is narrower than half a kernel
def test_wide_blurs_are_opencvs(shape):
    image = np.random.default_rng(0).random(shape)
    for width, found in zip((51, 101), _wide(image, (51, 101)), strict=True):
        np.testing.assert_allclose(found, cv2.GaussianBlur(image, (width, width), 0), atol=1e-12)
