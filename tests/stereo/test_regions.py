import math
import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.core.measure import NotApplicable
from beholder.stereo.regions import discontinuities, evaluated, inner, jumps, middlebury, region, textureless, visible
from beholder.stereo.types import Truth

NAN = np.nan


def rows(*values):
    return np.array(values, np.float32)


def visible_by_loops(d, gap=2.0, slack=1.0):
    """The same rule, pixel by pixel: written from its wording, not from the code."""
    height, width = d.shape
    seen = np.zeros(d.shape, bool)
    for y in range(height):
        nearest = {}

        def put(column, value, nearest=nearest):
            nearest[column] = max(nearest.get(column, -math.inf), value)

        for x in range(width):
            if not math.isnan(d[y, x]):
                put(math.floor(x - float(d[y, x]) + 0.5), float(d[y, x]))
            if x + 1 == width or math.isnan(d[y, x]) or math.isnan(d[y, x + 1]):
                continue
            a, b = float(d[y, x]), float(d[y, x + 1])
            if abs(a - b) < gap:
                start, end = x - a, x + 1 - b
                for column in range(math.floor(min(start, end)) + 1, math.ceil(max(start, end))):
                    put(column, a + (b - a) * (column - start) / (end - start))
        for x in range(width):
            column = math.floor(x - float(d[y, x]) + 0.5) if not math.isnan(d[y, x]) else -1
            seen[y, x] = column >= 0 and nearest[column] <= d[y, x] + slack
    return seen


def test_a_near_surface_hides_what_lies_left_of_it():
    # columns of the right view: 0 1 2 | 3-3 4-3 5-3 | 6: pixels 0, 1, 2 share theirs with the near surface
    assert_array_equal(visible(rows([0, 0, 0, 3, 3, 3, 0])), [[False, False, False, True, True, True, True]])


def test_outside_the_right_view_nothing_is_visible():
    assert_array_equal(visible(rows([2, 2, 2, 2])), [[False, False, True, True]])


def test_unknown_pixels_are_not_visible_and_hide_nothing():
    assert_array_equal(visible(rows([0, 0, NAN, NAN])), [[True, True, False, False]])


def test_a_slack_of_one_pixel_is_no_occlusion():
    assert_array_equal(visible(rows([0, 0, 1, 1])), [[True, True, True, True]])
    assert_array_equal(visible(rows([0, 0, 1, 1]), slack=0.5), [[True, False, True, True]])


def test_a_steep_slope_is_filled_between_its_pixels():
    d = rows([0, 0, 0, 0, 0, 0, 7.5, 6, 4.5])  # land at 0 … 5, −1.5, 1, 3.5: the line crosses 0, 2 and 3
    assert_array_equal(visible(d)[0, :6], [False, False, False, False, False, True])
    assert_array_equal(visible(d, gap=1.0)[0, :6], [True, False, True, True, False, True])


@pytest.mark.parametrize("gap", [1.0, 2.0, 3.5])
def test_visible_agrees_with_loops(gap):
    rng = np.random.default_rng(5)
    for step in (1, 0.25, 0.1):
        d = np.float32(step) * np.cumsum(rng.integers(-8, 9, (12, 60)), axis=1).astype(np.float32)
        d = np.abs(d) % 20
        d[rng.random(d.shape) < 0.1] = NAN
        assert_array_equal(visible(d, gap=gap), visible_by_loops(d, gap))


def test_jumps_are_both_pixels_of_a_pair():
    d = np.zeros((4, 4), np.float32)
    d[1, 1] = 2
    expected = np.zeros((4, 4), bool)
    expected[[0, 1, 1, 1, 2], [1, 0, 1, 2, 1]] = True
    assert_array_equal(jumps(d), expected)
    assert not jumps(d, gap=2.5).any()


def test_disc_is_a_window_around_jumps_and_around_the_hidden():
    d = np.zeros((21, 40), np.float32)
    d[10, 30] = 5
    hidden = np.zeros(d.shape, bool)
    hidden[10, 10] = True
    expected = np.zeros(d.shape, bool)
    expected[5:16, 26:35] = True
    expected[6:15, 25:36] = True  # the cross of the five jump pixels, each in a window of 9 × 9
    expected[6:15, 6:15] = True
    assert_array_equal(discontinuities(d, hidden), expected)


def test_holes_are_jumps_unless_they_are_left_out():
    d = rows([6, 6, 6, 6, 6, NAN])
    none = np.zeros(d.shape, bool)
    assert_array_equal(discontinuities(d, none, width=3), [[False, False, False, True, True, True]])
    assert not discontinuities(d, none, width=3, holes=False).any()


def test_regions_nest():
    d = rows(*np.random.default_rng(0).integers(0, 6, (20, 30)))
    d[3, 4] = NAN
    made = middlebury(d, border=2)
    assert_array_equal(made["all"], inner(d.shape, 2) & ~np.isnan(d))
    assert not (made["nonocc"] & ~made["all"]).any()
    assert not (made["disc"] & ~made["nonocc"]).any()
    assert made["nonocc"].any()
    assert (made["all"] & ~made["nonocc"]).any()


def test_a_region_survives_pickling_and_keeps_unknown_pixels_out():
    truth = Truth(rows([1, 2, NAN, 4]), {"disc": np.array([[False, True, True, True]])})
    criterion = pickle.loads(pickle.dumps(region("disc")))
    found, true = criterion.select(rows([5, 6, 7, NAN]), truth)
    assert criterion.name == "disc"
    assert_array_equal(found, rows([6, NAN])[0])
    assert_array_equal(true, rows([2, 4])[0])


def test_an_empty_or_absent_region_is_not_applicable():
    truth = Truth(rows([NAN, 2]), {"disc": np.array([[True, False]])})
    with pytest.raises(NotApplicable, match="'disc' is empty"):
        region("disc").select(rows([1, 1]), truth)
    with pytest.raises(NotApplicable, match="no region 'fg'; it has disc"):
        region("fg").select(rows([1, 1]), truth)


# Pixels of the given masks (all, nonocc, disc); pixels in which ours differ: nonocc, disc, disc from the given nonocc.
GOLDEN = {
    "tsukuba": ((87696, 85438, 15790), 15, 39, 11),
    "venus": ((150282, 147513, 10540), 224, 411, 119),
    "teddy": ((165344, 147651, 40517), 794, 1340, 15),
    "cones": ((163321, 143926, 47189), 1182, 2012, 378),
}


@pytest.mark.data
@pytest.mark.parametrize("name", GOLDEN)
def test_masks_of_middlebury(scene, name):
    counts, occlusion, both, edges = GOLDEN[name]
    given, holes = scene(name), name != "tsukuba"
    assert tuple(int(given.masks[key].sum()) for key in ("all", "nonocc", "disc")) == counts
    made = middlebury(given.truth, border=given.border, holes=holes)
    assert_array_equal(made["all"], given.masks["all"])
    assert np.count_nonzero(made["nonocc"] != given.masks["nonocc"]) == occlusion
    assert np.count_nonzero(made["disc"] != given.masks["disc"]) == both
    hidden = given.masks["all"] & ~given.masks["nonocc"]
    near = given.masks["nonocc"] & discontinuities(given.truth, hidden, holes=holes)
    assert np.count_nonzero(near != given.masks["disc"]) == edges
    assert not (given.masks["disc"] & ~near).any()


def test_textureless_against_loops():
    image = np.random.default_rng(0).integers(0, 7, (9, 11, 3)).astype(np.uint8)
    image[:, 5:8] += 40
    levels = image.astype(float)
    squares = np.zeros((9, 11))
    for y in range(9):
        for x in range(11):
            here = min(x, 9)
            squares[y, x] = np.mean((levels[y, here + 1] - levels[y, here]) ** 2)
    padded = np.pad(squares, 1, mode="symmetric")
    means = np.array([[padded[y : y + 3, x : x + 3].mean() for x in range(11)] for y in range(9)])
    for threshold in (4.0, 8.0, 14.0):
        expected = means < threshold
        assert_array_equal(textureless(image, threshold=threshold), expected)
    assert expected.any()
    assert not expected.all()


def test_texture_is_what_changes_from_left_to_right():
    stripes = np.tile(np.array([[0], [200]], np.uint8), (5, 12))
    assert textureless(stripes).all()
    assert not textureless(stripes.T).any()
    assert_array_equal(textureless(stripes.T / 255), textureless(stripes.T))


@pytest.mark.parametrize("levels", [np.full((2, 2), 254, np.uint8), np.zeros((2, 2, 3), np.uint8)])
def test_what_is_no_mask_is_refused(levels):
    with pytest.raises(ValueError, match="expected \\(H, W\\) of 255, 128 and 0"):
        evaluated(levels)
