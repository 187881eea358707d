"""The scenes in depth as a dataset."""

import pickle

import pytest
from numpy.testing import assert_array_equal

from beholder.core.measure import NotApplicable
from beholder.motion.datasets.depths import depths
from beholder.motion.models.lucas_kanade import lucas_kanade
from beholder.motion.stimuli.depth import BinocularMovie
from motion_movies import drawn_once


def test_a_model_of_one_movie_is_told_what_it_was_given():
    pair = drawn_once(depths)[0].stimulus
    with pytest.raises(NotApplicable, match=r"a binocular pair, which has no 'frames': it takes a model that looks"):
        lucas_kanade(pair)
    again = pickle.loads(pickle.dumps(pair))
    assert type(again) is BinocularMovie
    assert_array_equal(again.left.frames, pair.left.frames)


def test_the_dataset_has_every_depth_in_both_directions():
    found = {(sample.tags["depth"], sample.tags["direction"]) for sample in drawn_once(depths)}
    assert found == {(place, way) for place in ("before", "level", "behind") for way in ("right", "left")}
    assert len(depths(full=True)) == 40
