import numpy as np
import pytest

from beholder.stereo.types import Pair, Truth, disparity_map


@pytest.fixture
def pair():
    return Pair(np.zeros((2, 3), np.uint8), np.zeros((2, 3), np.uint8), 16)


def test_not_finite_and_negative_become_no_estimate(pair):
    raw = np.array([[np.inf, -np.inf, np.nan], [-1, 0, 99]])
    before = raw.copy()
    found = disparity_map(raw, pair)
    np.testing.assert_array_equal(found, np.array([[np.nan] * 3, [np.nan, 0, 99]], np.float32))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(raw, before)


def test_a_value_beyond_float32_is_no_estimate_and_no_warning(pair):
    assert np.isnan(disparity_map(np.full((2, 3), 1e300), pair)).all()


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int64, np.float16, np.float32, np.float64])
def test_numbers_are_pixels(pair, kind):
    np.testing.assert_array_equal(disparity_map(np.full((2, 3), 5, kind), pair), np.full((2, 3), 5, np.float32))


def test_a_map_without_any_estimate_is_an_answer(pair):
    assert np.isnan(disparity_map(np.full((2, 3), np.nan), pair)).all()


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (None, "got None; expected a disparity map"),
        (np.zeros((3, 2)), r"shape \(3, 2\); expected \(2, 3\)"),
        (np.zeros((2, 3, 1)), r"shape \(2, 3, 1\)"),
        (np.zeros((2, 3), bool), "got a map of bool"),
        (np.zeros((2, 3), complex), "got a map of complex128"),
        (np.zeros((2, 3), object), "got a map of object"),
        (np.full((2, 3), "a"), "got a map of <U1"),
        ([[1, 2, 3], [4]], "unequal length"),
        (7, r"shape \(\)"),
        ("map.pfm", "got a map of <U7"),
    ],
)
def test_what_is_no_map_is_refused(pair, raw, sentence):
    with pytest.raises(ValueError, match=sentence):
        disparity_map(raw, pair)


@pytest.mark.parametrize(
    ("left", "right", "range_", "sentence"),
    [
        (np.zeros((2, 3)), np.zeros((2, 4)), 16, "equal shapes"),
        (np.zeros((2, 3, 4)), np.zeros((2, 3, 4)), 16, r"expected \(H, W\) or"),
        (np.zeros((2, 3), np.int32), np.zeros((2, 3), np.int32), 16, "got an image of int32"),
        (np.zeros((0, 3)), np.zeros((0, 3)), 16, r"shape \(0, 3\)"),
        (np.zeros((2, 3)), np.zeros((2, 3)), 0, "max_disparity 0"),
    ],
)
def test_what_is_no_pair_is_refused(left, right, range_, sentence):
    with pytest.raises(ValueError, match=sentence):
        Pair(left, right, range_)


def test_regions_must_fit():
    with pytest.raises(ValueError, match=r"region disc: got bool of shape \(1, 2\)"):
        Truth(np.zeros((2, 2), np.float32), {"disc": np.ones((1, 2), bool)})
    with pytest.raises(ValueError, match="got uint8"):
        Truth(np.zeros((2, 2), np.float32), {"disc": np.ones((2, 2), np.uint8)})


def test_views_must_fit():
    views = {0.5: np.zeros((2, 2, 3), np.uint8)}
    assert Truth(np.zeros((2, 2), np.float32), views=views).views[0.5].shape == (2, 2, 3)
    with pytest.raises(ValueError, match=r"view 0\.5: got an image of \(2, 3\); expected \(2, 2\)"):
        Truth(np.zeros((2, 2), np.float32), views={0.5: np.zeros((2, 3), np.uint8)})
