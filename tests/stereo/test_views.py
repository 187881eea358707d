"""A pair side by side: the colours are those of the sheet, and say what is right, wrong, unknown and missing."""

from dataclasses import replace

import numpy as np
import pytest

from beholder.stereo.datasets.planes import planes
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.figures import COLOURS, GAP, NO_ESTIMATE, NO_TRUTH
from beholder.stereo.types import Truth
from beholder.stereo.views import disparity_views, prediction_views
from beholder.vision.painting import rgb


@pytest.fixture
def sample():
    made = random_dots(1, size=64)[0]
    disparity = made.reference.disparity.copy()
    disparity[:10, :20] = np.nan
    return replace(made, reference=Truth(disparity, made.reference.regions))


def test_errors_have_the_colours_of_the_sheet(sample):
    found = np.nan_to_num(sample.reference.disparity)
    found[20:30], found[40:50] = found[20:30] + 3, np.nan
    views = disparity_views(sample, {"mine": found})
    assert [view.title for view in views.shared] == ["left image", "ground truth"]
    disparity, error = (view.picture for view in views.models["mine"])
    assert tuple(error[35, 40]) == rgb(COLOURS[0])
    assert tuple(error[25, 40]) == rgb(COLOURS[4])  # 2 to 4 px
    assert tuple(error[45, 40]) == tuple(disparity[45, 40]) == rgb(NO_ESTIMATE)
    assert tuple(error[5, 5]) == tuple(views.shared[1].picture[5, 5]) == rgb(NO_TRUTH)
    same = np.isfinite(sample.reference.disparity) & (found == sample.reference.disparity)
    assert (disparity[same] == views.shared[1].picture[same]).all()  # one scale for all maps


def test_large_maps_are_thinned_and_never_mixed(sample):
    large = np.kron(sample.reference.disparity, np.ones((20, 20), np.float32))
    sides = {side: np.kron(getattr(sample.stimulus, side), np.ones((20, 20), np.uint8)) for side in ("left", "right")}
    pair = replace(sample.stimulus, **sides)
    views = disparity_views(replace(sample, stimulus=pair, reference=Truth(large, {})), {"mine": large})
    assert max(max(view.picture.shape) for view in (*views.shared, *views.models["mine"])) <= 480
    assert {tuple(colour) for colour in np.unique(views.models["mine"][1].picture.reshape(-1, 3), axis=0)} == {
        rgb(COLOURS[0]),
        rgb(NO_TRUTH),
    }


def test_a_predicted_view_shows_its_gaps():
    sample = planes(1, size=96)[0]
    views = prediction_views(sample, {"truth": sample.reference.disparity, "none": np.full((96, 96), np.nan)})
    assert [view.title for view in views.models["truth"]] == ["predicted view", "difference"]
    assert (views.models["none"][0].picture == rgb(GAP)).all()
    assert not (views.models["truth"][0].picture == rgb(GAP)).all()
