import numpy as np
import pytest
from numpy.testing import assert_allclose
from skimage import data as photographs

from beholder.attention.maps.features import Clip, faces, gradient, masses, speeds
from beholder.attention.types import Picture
from beholder.errors import Misuse


def test_a_ramp_has_its_slope_per_degree():
    ramp = np.tile(np.arange(0, 128, 2, dtype=np.uint8), (40, 1))
    assert_allclose(gradient(Picture(ramp, 20.0)), 2 / 255 * 20, rtol=1e-4)
    assert_allclose(gradient(Picture(ramp)), 2 / 255 * 35, rtol=1e-4)  # assumed


def test_the_astronaut_has_a_face():
    found = faces(Picture(photographs.astronaut()))
    row, column = np.unravel_index(found.argmax(), found.shape)
    assert 60 < row < 160
    assert 180 < column < 270
    assert 0.99 < found.max() <= 1
    assert found[400:].max() < 0.01


def test_what_moves_is_fast():
    rng = np.random.default_rng(0)
    wide = rng.integers(0, 255, (64, 120), np.uint8)
    frames = np.stack([wide[:, 10 + 2 * at : 90 + 2 * at] for at in range(5)])
    found = speeds(Clip(frames, 25.0, 10.0))
    assert found.shape == (5, 64, 80)
    assert np.median(found) == pytest.approx(0.1 * 2 * 25 / 10, rel=0.1)  # a tenth of 5 deg/s
    still = speeds(Clip(np.repeat(frames[:1], 3, 0), 25.0, 10.0))
    assert still.max() < 0.02
    assert not speeds(Clip(frames[:1], 25.0)).any()


def test_masses_add_up():
    picture = Picture(photographs.astronaut())
    both = masses(picture, "gradient+faces", shape=(128, 128))
    assert_allclose(both, masses(picture, shape=(128, 128)) + masses(picture, "faces", shape=(128, 128)))
    assert_allclose(masses(picture, "gradient+flow"), masses(picture))  # a picture does not move
    assert_allclose(masses(picture, ["gradient", gradient])[0], 2 * gradient(picture), rtol=1e-5)


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="expected masses of 0 or more"):
        masses(Picture(np.zeros((40, 40), np.uint8)), [lambda picture: np.full(picture.shape, -1.0)])
    with pytest.raises(Misuse, match="got features=''"):
        masses(Picture(np.zeros((40, 40), np.uint8)), "")
    with pytest.raises(ValueError, match=r"got frames of shape \(4, 4\)"):
        Clip(np.zeros((4, 4), np.uint8), 25.0)
    with pytest.raises(ValueError, match="frames a second"):
        Clip(np.zeros((2, 4, 4), np.uint8), 0.0)
