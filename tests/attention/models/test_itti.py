import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import ndimage

from beholder.attention.models._promotion import maxima, promote, promote_iteratively
from beholder.attention.models.itti import COLOURS, ORIENTATIONS, conspicuities, differences, features, itti, opponents
from beholder.attention.types import Picture
from beholder.errors import Misuse
from beholder.vision.scales import dyadic, resized
from saliency_displays import DISPLAYS, RED, bar, disc, display

RNG = np.random.default_rng(3)


def test_there_are_42_feature_maps_at_the_scales_of_their_centres():
    maps = features(DISPLAYS["colour"])
    assert set(maps) == {"intensity", *COLOURS, *ORIENTATIONS}
    assert sum(len(several) for several in maps.values()) == 42
    for several in maps.values():
        assert [each.shape for each in several] == [(96, 128)] * 2 + [(48, 64)] * 2 + [(24, 32)] * 2


def test_a_difference_is_centre_minus_enlarged_surround_but_at_the_border():
    pyramid = dyadic(RNG.random((256, 256)).astype(np.float32), 9)
    found = differences(pyramid)[1]  # centre 2, surround 6
    expected = np.abs(pyramid[2] - resized(pyramid[6], (64, 64)))
    assert_allclose(found[3:-3, 3:-3], expected[3:-3, 3:-3], atol=1e-6)
    assert (found[0] <= expected[0] / 3).all()


@pytest.mark.parametrize(
    ("channel", "shown"),
    [
        ("intensity", display((disc(12), (230, 230, 230)), (disc(12), (110, 110, 110)))),
        ("red_green", display((disc(12), RED), (disc(12), (110, 110, 110)))),
        ("blue_yellow", display((disc(12), (80, 80, 170)), (disc(12), (110, 110, 110)))),
        ("orientation_0", display((bar(90), (0, 0, 0)), (disc(0), (0, 0, 0)))),
        ("orientation_90", display((bar(0), (0, 0, 0)), (disc(0), (0, 0, 0)))),
        ("orientation_45", display((bar(135), (0, 0, 0)), (disc(0), (0, 0, 0)))),
    ],
)
def test_what_stands_out_is_in_its_own_channel(channel, shown):
    group = COLOURS if channel in COLOURS else ORIENTATIONS if channel in ORIENTATIONS else ("intensity",)
    tops = {name: max(float(each.max()) for each in features(shown)[name][:2]) for name in group}
    assert max(tops, key=tops.get) == channel
    assert tops[channel] > 0.05


def test_grey_pictures_have_no_colour():
    maps = conspicuities(DISPLAYS["orientation"])
    assert maps["colour"].max() == 0
    assert maps["orientation"].max() > 0


def test_a_wave_has_the_hue_of_its_colour_only():
    assert_array_equal(opponents(np.array([[[0.5, 0.5, 0.5], [0, 1, 0]]], np.float32))[0], [[0, 0], [-3, 0]])


def test_peaks_are_those_of_a_search_by_hand():
    values = ndimage.gaussian_filter(RNG.random((30, 40)), 2)
    scaled = ((values - values.min()) / np.ptp(values)).astype(np.float32)
    wide = np.pad(scaled, 1, constant_values=-1)
    by_hand = [
        scaled[y, x]
        for y, x in np.ndindex(scaled.shape)
        if scaled[y, x] > 0.1 and scaled[y, x] == wide[y : y + 3, x : x + 3].max()
    ]
    assert_allclose(np.sort(maxima(scaled)), np.sort(by_hand))
    assert_allclose(promote(scaled).max(), (1 - np.sort(by_hand)[:-1].mean()) ** 2, rtol=1e-5)


def test_a_plateau_is_one_peak():
    values = np.zeros((12, 12), np.float32)
    values[2:5, 2:6] = 1
    values[8, 8] = 0.5
    assert_array_equal(np.sort(maxima(values)), [0.5, 1])


@pytest.mark.parametrize(("rule", "times"), [(promote, 4), (promote_iteratively, 1.5)])
def test_one_peak_is_promoted_and_many_are_suppressed(rule, times):
    one, many = np.zeros((2, 48, 64), np.float32)
    one[24, 32] = 1
    many[6::12, 8::12] = 1
    one, many = (ndimage.gaussian_filter(values, 2) / 0.04 for values in (one, many))  # things of some size
    assert rule(one).max() > times * rule(many).max()


def test_a_round_of_competition_is_a_convolution_with_a_difference_of_gaussians():
    values = np.zeros((65, 65), np.float32)
    values[20:45, 20:45] = RNG.random((25, 25))
    expected = values.astype(np.float64)
    weight = {s: ndimage.gaussian_filter(np.ones((65, 65)), s * 65, mode="constant") for s in (0.02, 0.25)}
    for _ in range(3):
        near, far = (ndimage.gaussian_filter(expected, s * 65, mode="constant") / weight[s] for s in (0.02, 0.25))
        expected = np.maximum(expected + 0.25 * near - 2.25 * far - 0.02 * expected.max(), 0)
    assert_allclose(promote_iteratively(values), expected, atol=1e-5)
    assert_allclose(promote_iteratively(5 * values), 5 * expected, atol=1e-4)


def test_small_pictures_are_enlarged():
    small = np.full((64, 64), 90, np.uint8)
    small[20:28, 40:48] = 255
    y, x = np.unravel_index(itti(Picture(small)).argmax(), (64, 64))
    assert abs(y - 23.5) <= 4
    assert abs(x - 43.5) <= 4


def test_a_last_blur_smooths_and_is_none_by_default():
    shown = DISPLAYS["colour"]
    plain, smooth = itti(shown), itti(shown, blur=0.03)
    assert_array_equal(plain, itti(shown, blur=0.0))
    assert np.abs(np.diff(smooth, axis=1)).max() < np.abs(np.diff(plain, axis=1)).max()
    assert smooth.mean() == pytest.approx(plain.mean(), rel=0.05)
    with pytest.raises(Misuse, match="got blur=-1"):
        itti(shown, blur=-1)


def test_conspicuities_are_made_once_for_a_picture_that_is_read_only():
    pixels = np.random.default_rng(3).integers(0, 256, (64, 80, 3), np.uint8)
    picture = Picture(pixels)
    before = conspicuities(picture)["colour"]
    pixels[:, :40] = 0
    assert np.abs(conspicuities(picture)["colour"] - before).max() > 0  # what may change is looked at again
    pixels.setflags(write=False)
    assert conspicuities(picture) is conspicuities(picture)
    assert conspicuities(picture, normalisation="iterative") is not conspicuities(picture)
