from dataclasses import replace

import numpy as np
import pytest

from beholder.attention.gaze.modes import preceding_amplitudes, split_modes, two_means
from beholder.attention.maps.fixation_maps import continuous_map, fixation_map
from beholder.attention.types import Lookers, keep_inside, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

# saccades of 3, 50, 4 and of 60 px; 10 px a degree: the limit is 50
GROUP = Lookers(
    {"a": scanpath([0, 3, 53, 57], [0, 0, 0, 0]), "b": scanpath([0, 60], [5, 5]), "c": scanpath([], [])}, (8, 80), 10.0
)


def test_five_degrees():
    split = split_modes(GROUP)
    assert split.limit_px == 50
    assert split.focal.paths["a"].x.tolist() == [3, 53, 57]  # 5 degrees are not more than 5
    assert split.ambient.paths["b"].x.tolist() == [60]
    assert split.undefined == 2
    assert len(split.focal.points) + len(split.ambient.points) + split.undefined == len(GROUP.points)


def test_a_fixation_after_one_that_was_left_out_is_in_neither_mode():
    path, _ = keep_inside(scanpath([0, 3, 999, 60, 63], [0, 0, 0, 0, 0]), (8, 80))
    split = split_modes(Lookers({"a": path}, (8, 80), 10.0))
    assert split.focal.paths["a"].x.tolist() == [3, 63]
    assert len(split.ambient.points) == 0  # not the step of 57 px, which nobody made
    assert split.undefined == 2


def test_each_mode_has_its_map():
    split = split_modes(GROUP, by="clusters")
    assert fixation_map(split.focal).sum() == 2
    assert fixation_map(split.ambient).sum() == 2
    assert continuous_map(split.focal)[0, 3] > continuous_map(split.ambient)[0, 3]


def test_clusters_need_no_degrees_and_five_degrees_do():
    unknown = replace(GROUP, px_per_deg=np.nan)
    assert split_modes(unknown, by="clusters").limit_px == 27  # between 4 and 50
    with pytest.raises(NotApplicable, match="split by clusters"):
        split_modes(unknown)
    with pytest.raises(Misuse, match="by='duration'"):
        split_modes(GROUP, by="duration")
    with pytest.raises(NotApplicable, match="two different amplitudes"):
        split_modes(replace(GROUP, paths={"c": scanpath([], [])}), by="clusters")


def test_one_held_out_is_split_as_the_group_is():
    held = GROUP.only("b")
    split = split_modes(held, by="clusters")
    assert split.limit_px == split_modes(GROUP, by="clusters").limit_px
    assert split.ambient.paths["b"].x.tolist() == [60]
    assert len(split.ambient.everyone.points) == 2
    assert split_modes(GROUP.only("a"), by="clusters").ambient.everyone is split.ambient.everyone


def test_two_means_has_the_least_squares_of_all_limits():
    values = np.random.default_rng(0).gamma(2, 3, 60)
    limit = two_means(values)

    def within(at):
        return sum(((part - part.mean()) ** 2).sum() for part in (values[values <= at], values[values > at]))

    assert within(limit) <= min(within(at) for at in np.sort(values)[:-1]) + 1e-9
    assert np.isnan(two_means(np.array([2.0, 2.0])))
    assert two_means(np.array([1.0, 1.0, np.nan, 3.0])) == 2


def test_amplitudes():
    np.testing.assert_array_equal(preceding_amplitudes(GROUP.paths["a"]), [np.nan, 3, 50, 4])
    assert len(preceding_amplitudes(GROUP.paths["c"])) == 0
