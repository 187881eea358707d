import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.ndimage import gaussian_filter, map_coordinates

from beholder.vision.pyramid import enlarged, halvings, reductions, smoothly_enlarged
from beholder.vision.warp import warped


@pytest.fixture
def image():
    return gaussian_filter(np.random.default_rng(3).random((30, 41)), 2).astype(np.float32)


@pytest.fixture
def flow():
    return np.random.default_rng(4).normal(0, 5, (30, 41, 2)).astype(np.float32)


def places(flow):
    rows, columns = np.mgrid[: flow.shape[0], : flow.shape[1]]
    return [rows + flow[..., 1], columns + flow[..., 0]]


def test_linear_is_as_scipy_has_it(image, flow):
    assert_allclose(warped(image, flow), map_coordinates(image, places(flow), order=1, mode="nearest"), atol=1e-6)


def test_cubic_is_exact_on_parabolas_and_nearer_to_the_spline_than_linear(image):
    y, x = np.mgrid[:20, :20].astype(np.float32)
    shift = np.full((20, 20, 2), 0.3, np.float32)
    bent = warped(x**2 - x * y, shift, cubic=True)[2:-3, 2:-3]
    assert_allclose(bent, ((x + 0.3) ** 2 - (x + 0.3) * (y + 0.3))[2:-3, 2:-3], rtol=1e-4, atol=1e-3)
    inner, flow = np.s_[4:-4, 4:-4], np.full((*image.shape, 2), 0.5, np.float32)
    spline = map_coordinates(image, places(flow), order=3, mode="nearest")[inner]
    cubic, linear = (np.abs(warped(image, flow, cubic=c)[inner] - spline).max() for c in (True, False))
    assert cubic < linear / 4


def test_rest_leaves_an_image_as_it_is_and_nan_stays_nan(image):
    still = np.zeros((*image.shape, 2), np.float32)
    for cubic in (False, True):
        assert_array_equal(warped(image, still, cubic=cubic), image)
        still[3, 4] = np.nan
        assert_array_equal(np.argwhere(np.isnan(warped(image, still, cubic=cubic))), [[3, 4]])
        still[3, 4] = 0


def test_halvings_are_those_of_scikit_image(image):
    from skimage.registration._optical_flow_utils import _get_pyramid

    large = np.tile(image, (3, 3))
    for ours, theirs in zip(halvings(large), _get_pyramid(large), strict=True):
        assert_allclose(ours, theirs, atol=1e-6)


def test_enlarged_fields_are_those_of_scikit_image(flow):
    from skimage.registration._optical_flow_utils import _resize_flow

    theirs = _resize_flow(flow[..., ::-1].transpose(2, 0, 1), (60, 81))[::-1].transpose(1, 2, 0)
    assert_allclose(enlarged(flow, (60, 81)), theirs, rtol=1e-6)


def test_a_uniform_field_stays_uniform_and_grows_with_the_grid():
    field = np.full((10, 20, 2), 1.5, np.float32)
    for found in (enlarged(field, (20, 50)), smoothly_enlarged(field, (20, 50))):
        assert_allclose(found, np.broadcast_to([3.75, 3.0], (20, 50, 2)))


def test_reductions_keep_the_mean_of_a_slope():
    ramp = np.tile(np.arange(64, dtype=np.float32), (48, 1))
    coarse, _, fine = reductions(ramp, 2, levels=3, sigma=1.0)
    assert fine is ramp
    assert coarse.shape == (12, 16)
    assert_allclose(coarse.mean(), ramp.mean(), atol=1e-3)
    assert_allclose(np.diff(coarse[5, 3:-3]), 4, atol=1e-3)
