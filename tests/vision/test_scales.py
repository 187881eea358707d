import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import ndimage

from beholder.vision.scales import dyadic, halved, resized

RNG = np.random.default_rng(9)
SIX = np.array([1, 5, 10, 10, 5, 1]) / 32


def direct(image):
    """The convolution with six weights a side at every second place between pixels."""
    wide = np.pad(image.astype(np.float64), 2, mode="edge")
    rows, columns = image.shape[0] // 2, image.shape[1] // 2
    windows = (
        (wide[2 * i : 2 * i + 6, 2 * j : 2 * j + 6] * np.outer(SIX, SIX)).sum() for i, j in np.ndindex(rows, columns)
    )
    return np.array(list(windows)).reshape(rows, columns)


def test_a_half_is_a_direct_convolution():
    image = RNG.random((20, 26)).astype(np.float32)
    assert_allclose(halved(image), direct(image), atol=1e-6)


def test_a_pyramid_is_halves_of_halves():
    image = RNG.random((32, 48)).astype(np.float32)
    assert_allclose(dyadic(image, 4)[3], direct(direct(direct(image))), atol=1e-6)


def test_channels_are_halved_one_by_one():
    image = RNG.random((21, 16, 2)).astype(np.float32)
    both = halved(image)
    assert both.shape == (11, 8, 2)
    for at in range(2):
        assert_allclose(both[..., at], halved(image[..., at]), atol=1e-6)


def test_constants_stay_and_means_nearly():
    assert_allclose(dyadic(np.full((37, 50), 3, np.float32), 7)[-1], 3, rtol=1e-6)
    image = ndimage.gaussian_filter(RNG.random((64, 64)), 3).astype(np.float32)
    assert halved(image).mean() == pytest.approx(image.mean(), rel=0.01)


def test_sizes_shrink_by_area_and_grow_linearly():
    image = RNG.random((12, 18)).astype(np.float32)
    assert_allclose(resized(image, (4, 6)), image.reshape(4, 3, 6, 3).mean(axis=(1, 3)), atol=1e-6)
    ramp = np.tile(np.arange(6, dtype=np.float32), (2, 1))
    assert_allclose(resized(ramp, (2, 12))[0, 1:-1], np.arange(1, 11) / 2 - 0.25, atol=1e-6)


def test_one_side_may_shrink_while_the_other_grows():
    ramp = np.tile(np.arange(8, dtype=np.float32), (4, 1))
    found = resized(ramp, (8, 4))
    assert found.shape == (8, 4)
    assert_allclose(found, np.tile([0.5, 2.5, 4.5, 6.5], (8, 1)), atol=1e-6)


def test_numbers_keep_their_kind_and_inputs_stay():
    image = RNG.random((5, 7, 2))
    image.setflags(write=False)
    assert resized(image, (5, 7)).dtype == np.float64
    assert resized(image.astype(np.float32), (9, 9), cubic=True).shape == (9, 9, 2)
    with pytest.raises(ValueError, match="at least one pixel"):
        resized(image, (0, 4))
