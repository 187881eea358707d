import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import ndimage

from beholder.vision.gabor import gabor, rectified

RNG = np.random.default_rng(10)


@pytest.mark.parametrize("angle", [0, 45, 90, 135, 20])
def test_both_parts_have_no_mean_and_norm_one(angle):
    patch = gabor(angle, period=7, sigma=7 / 3, radius=4)
    for part, sign in ((patch.real, 1), (patch.imag, -1)):
        assert abs(part.sum()) < 1e-5
        assert np.linalg.norm(part) == pytest.approx(1, abs=1e-5)
        assert_allclose(part[::-1, ::-1], sign * part, atol=1e-6)


def test_a_quarter_turn_turns_the_patch():
    settings = {"period": 6, "sigma": 2, "elongation": 2, "radius": 8}
    assert_allclose(np.rot90(gabor(0, **settings).real), gabor(90, **settings).real, atol=1e-6)
    assert_allclose(np.rot90(gabor(45, **settings).real), gabor(135, **settings).real, atol=1e-6)


def test_the_envelope_is_longer_along_the_stripes():
    patch = np.abs(gabor(0, period=4, sigma=2, elongation=2, radius=8))
    down, right = np.indices(patch.shape) - 8
    assert (patch * down**2).sum() > 2 * (patch * right**2).sum()


def test_responses_are_those_of_scipy():
    image, patch = RNG.random((20, 24)).astype(np.float32), gabor(30, period=5, sigma=2, radius=4)
    parts = [ndimage.correlate(image.astype(float), part, mode="nearest") for part in (patch.real, patch.imag)]
    assert_allclose(rectified(image, patch), np.abs(parts[0]) + np.abs(parts[1]), atol=1e-5)


def test_waves_answer_to_their_own_angle():
    y, x = np.indices((64, 64))
    for angle in (0, 45, 90, 135):
        turn = np.radians(angle)
        wave = np.cos(2 * np.pi / 7 * (x * np.cos(turn) - y * np.sin(turn))).astype(np.float32)
        sizes = [
            rectified(wave, gabor(other, period=7, sigma=7 / 3, radius=4))[8:-8, 8:-8].mean()
            for other in (0, 45, 90, 135)
        ]
        assert (0, 45, 90, 135)[int(np.argmax(sizes))] == angle


@pytest.mark.parametrize("wrong", [{"period": 1}, {"sigma": 0}, {"elongation": -1}, {"radius": 0}])
def test_patches_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match="expected"):
        gabor(0, **({"period": 7, "sigma": 2, "radius": 4} | wrong))
