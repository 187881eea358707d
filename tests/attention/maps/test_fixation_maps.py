import gc
from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from beholder.attention.maps.fixation_maps import (
    continuous_map,
    fixation_map,
    fixation_weights,
    heat_map,
    made_once,
    mit_map,
    others_map,
    pixels,
    sigma_px,
)
from beholder.attention.types import Lookers, scanpath

PATHS = {
    "a": scanpath([1.5, 30, 30.2], [2, 10, 10.9], duration_ms=[100, 200, 300]),
    "b": scanpath(59.99, 0, duration_ms=400),
    "c": scanpath([], []),
}
GROUP = Lookers(PATHS, (40, 60), px_per_deg=3.0)


def test_each_fixation_counts_once():
    found = fixation_map(GROUP)
    assert found.sum() == 4
    assert (found[2, 1], found[10, 30], found[0, 59]) == (1, 2, 1)


def test_weights():
    assert fixation_weights(GROUP, "observer").tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])
    assert fixation_map(GROUP, weight="duration")[10, 30] == 500
    assert fixation_map(GROUP, weight="observer").sum() == pytest.approx(2)
    unknown = replace(GROUP, paths={"a": scanpath(1, 1)})
    with pytest.raises(ValueError, match="got 1 fixations without a duration"):
        fixation_map(unknown, weight="duration")
    with pytest.raises(ValueError, match="weight='time'"):
        fixation_map(GROUP, weight="time")


@pytest.mark.parametrize("weight", ["pooled", "observer", "duration"])
@pytest.mark.parametrize("border", ["constant", "nearest", "reflect"])
def test_the_smooth_map_is_the_counts_blurred(weight, border):
    expected = gaussian_filter(fixation_map(GROUP, weight=weight), 4.5, mode=border)
    found = continuous_map(GROUP, sigma=1.5, border=border, weight=weight)
    np.testing.assert_allclose(found, expected, atol=1e-13)


def test_who_looked_first_changes_no_digit():
    turned = replace(GROUP, paths=dict(reversed(PATHS.items())))
    np.testing.assert_array_equal(continuous_map(GROUP), continuous_map(turned))


def test_nobody_is_nothing():
    nobody = Lookers({"c": scanpath([], [])}, (4, 5))
    assert not continuous_map(nobody).any()
    assert not mit_map(nobody).any()


def test_sigma_is_in_degrees_or_a_known_number_of_pixels():
    assert sigma_px(GROUP, 2.0) == 6
    assert sigma_px(replace(GROUP, px_per_deg=np.nan)) == 24
    with pytest.raises(ValueError, match="expected 0 or more"):
        sigma_px(GROUP, -1)


def test_pixels_never_wrap():
    assert [side.tolist() for side in pixels(np.array([[0.99, 3.0]]), (4, 5))] == [[3], [0]]
    for point in ([-0.1, 0], [5.0, 0], [0, 4.0], [np.nan, 0]):
        with pytest.raises(ValueError, match="expected it inside 5 x 4"):
            pixels(np.array([point]), (4, 5))


def test_mits_map_merges_and_wraps():
    found = mit_map(GROUP)
    assert found.shape == (40, 60)
    assert found.min() >= 0
    assert found[10, 30] == pytest.approx(found[2, 1], rel=0.9)  # two fixations, one weight
    wide = mit_map(Lookers({"a": scanpath(0, 20)}, (64, 64)))
    assert wide[20, 63] == pytest.approx(wide[20, 1])  # the border is cyclic


def test_heat():
    values = np.array([[0.0, 0.5], [1.0, 0.25]])
    grey, colour = np.full((2, 2), 100, np.uint8), np.full((2, 2, 3), 100, np.uint8)
    over = heat_map(values, grey)
    np.testing.assert_array_equal(over, heat_map(values, colour))
    assert over[0, 0].tolist() == [100, 100, 100]  # nothing there: the picture
    assert over.dtype == np.uint8
    assert heat_map(values - 5).shape == (2, 2, 3)
    assert (heat_map(np.zeros((2, 2))) == heat_map(np.zeros((2, 2)))[0, 0]).all()
    with pytest.raises(ValueError, match="the shape of the map"):
        heat_map(values, np.zeros((3, 3), np.uint8))


def test_what_is_made_of_a_group_is_made_once_and_forgotten_with_it():
    calls = []
    group = Lookers(PATHS, (40, 60))
    for _ in range(2):
        made_once(group, "x", lambda: calls.append(1))
    assert len(calls) == 1
    from beholder.attention.maps import fixation_maps as maps

    before = len(maps._MADE)
    del group
    gc.collect()
    assert len(maps._MADE) == before - 1


@pytest.mark.parametrize("who", PATHS)
def test_the_others_are_all_but_one(who):
    np.testing.assert_allclose(others_map(GROUP, who), continuous_map(GROUP.without(who)), atol=1e-15)
    assert others_map(GROUP, who).min() >= 0
