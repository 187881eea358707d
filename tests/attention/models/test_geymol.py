import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from skimage import data as photographs

import scanpath_vectors as vectors
from beholder.attention.gaze.extraction import geymol_fixations
from beholder.attention.models.geymol import Scene, channels, geymol, sobel, soft_kernel, start_states, trace, walk
from beholder.attention.types import Picture
from beholder.errors import Misuse


@pytest.fixture(scope="module")
def scene():
    return Scene(channels(vectors.picture()))


def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize("at", range(8))
def test_channels_and_masses_are_the_program_s(at):
    channel = channels(vectors.picture())[at]
    mass = sobel(channel)
    found = channel.sum(dtype=float), channel.max(), mass.sum(), mass.max(), mass[84, 112]
    assert_allclose(found, vectors.CHANNELS[at], rtol=1e-6)
    assert channel.dtype == (np.float32 if at < 4 else np.uint8)


def test_the_kernel_is_the_program_s():
    kernel = soft_kernel(225)
    found = kernel[0, 112, 112], kernel[0, 113, 112], kernel[1, 112, 113], kernel[0, 130, 90], kernel[0, 0, 0]
    assert_allclose(found, [0, 1, 1, 0.498795180723, -0.102588610115], rtol=1e-11)
    assert kernel[1, 130, 90] == pytest.approx(-0.609638554217, rel=1e-11)


def test_inhibition_is_the_program_s():
    held, sums = np.zeros(vectors.SHAPE), []
    for look in vectors.LOOKS:
        held = trace(held, *look)
        sums.append(held.sum())
    assert_allclose(sums, [3853.00220587, 5756.39061078, 9069.25315499], rtol=1e-11)
    assert held[35, 35] == 1
    assert held[3, 3] == pytest.approx(0.146340405982, rel=1e-10)
    once = trace(np.zeros(vectors.SHAPE), 84, 112)[84, [112, 132, 142, 147, 152, 162, 172, 177]]
    expected = [
        1,
        0.958119171518,
        0.688666920164,
        0.449598227138,
        0.227611569563,
        0.0228450464964,
        1.88929748749e-05,
        0,
    ]
    assert_allclose(once, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("state", "inhibited", "expected"), vectors.GEYMOL)
def test_right_hand_sides_are_the_program_s(scene, state, inhibited, expected):
    held = np.zeros(vectors.SHAPE)
    for look in vectors.LOOKS if inhibited else []:
        held = trace(held, *look)
    scene.inhibited(held)
    assert_allclose(scene.slope(np.array(state)), expected, rtol=1e-9)


def test_the_trajectory_is_the_program_s_to_the_pixel(scene):
    states = walk(scene, np.array(vectors.START), hertz=25.0, frames=125)
    assert_array_equal(states[:30, :2], vectors.WALK)
    assert_allclose(states[-1], vectors.LAST, rtol=1e-8)
    found = geymol_fixations(states[:, 1::-1], 40.0 * np.arange(125))
    ends = found.onset_ms + found.duration_ms
    assert_allclose(np.stack([found.x, found.y, found.onset_ms, ends], axis=1), vectors.FIXATIONS)


@pytest.mark.parametrize("wall", vectors.WALLS)
def test_trajectories_that_touch_a_border_are_the_program_s_to_the_pixel(scene, wall):
    start, places, last = vectors.WALLS[wall]
    expected = np.array(places.split(), float).reshape(-1, 2)
    least, most = expected.min(axis=0), expected.max(axis=0)
    ends = {"top": least[0], "left": least[1], "bottom": 167 - most[0], "right": 223 - most[1]}
    assert ends[wall] == 5
    states = walk(scene, np.array(start), hertz=25.0, frames=125)
    assert_array_equal(states[:, :2], expected)
    assert_allclose(states[-1], last, rtol=1e-8)


def test_the_disc_keeps_off_borders_as_the_program_s():
    far = trace(np.zeros(vectors.SHAPE), 166, 222)
    rows, columns = np.nonzero(far == far.max())
    assert (rows.mean(), columns.mean()) == (167 - 35, 223 - 35)


def test_starts_are_near_the_middle():
    found = start_states((168, 224), 500, rng())
    assert np.abs(found[:, :2] - [84, 112]).max() == 28  # int(0.17 · 168), both ends included
    assert ((np.abs(found[:, 2:]) >= 0.6) & (np.abs(found[:, 2:]) <= 1.4)).all()
    assert (found[:, 2:] < 0).mean() == pytest.approx(0.5, abs=0.1)


def test_pictures_of_any_size_and_grey_ones():
    paths = geymol(Picture(photographs.coffee()), rng=rng(), many=2, seconds=2.0)
    assert all(0 < len(path) < 25 for path in paths)
    tall = photographs.camera()[:, :300]
    path = geymol(Picture(tall), rng=rng(), seconds=1.0)
    assert (path.x < 300).all()
    assert channels(Picture(tall))[0].shape == (224, 131)


def test_nothing_pulls_on_a_flat_picture():
    path = geymol(Picture(np.full((64, 96), 100, np.uint8)), rng=rng(), seconds=1.0)
    assert len(path) == 1


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="hertz=1"):
        geymol(vectors.picture(), rng=rng(), hertz=1)
    with pytest.raises(Misuse, match="many=0"):
        geymol(vectors.picture(), rng=rng(), many=0)
