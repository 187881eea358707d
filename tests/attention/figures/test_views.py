"""A picture side by side: what lies over it has its shape, and whatever was answered can be drawn."""

from xml.etree import ElementTree

import numpy as np
import pytest

from attention_forecasts import PICTURE as GREY
from attention_forecasts import Drifting
from attention_walks import ODD, SHAPE
from beholder.attention.datasets.simulated import simulated
from beholder.attention.figures.looks import CLASSES
from beholder.attention.figures.views_of_maps import PICTURE, map_views
from beholder.attention.figures.views_of_paths import forecast_views, path_views
from beholder.attention.forecasts.forecast import Forecast, accept_forecast
from beholder.attention.types import Lookers, Salience, scanpath
from beholder.core.sample import Sample
from beholder.vision.painting import rgb


@pytest.fixture(scope="module")
def sample():
    return simulated(5).load("odd_colour")


def parts(drawing, name):
    return ElementTree.fromstring(drawing).findall(f".//{{http://www.w3.org/2000/svg}}{name}")


def test_a_map_is_heat_and_agrees_or_not(sample):
    height, width = sample.stimulus.shape
    rows, columns = np.indices((height, width))
    views = map_views(sample, {"ramp": Salience(columns.astype(float)), "people": Salience(rows.astype(float))})
    assert list(views.models) == ["ramp"]  # people's own answer is one who was left out
    heat, against = (view.picture for view in views.models["ramp"])
    assert (heat[:, 0, 3] < 20).all()  # clear where it is lowest
    assert (heat[:, -1, 3] > 200).all()
    colours = {tuple(colour[:3]) for colour in against.reshape(-1, 4) if colour[3]}
    assert colours == {rgb(colour) for colour in CLASSES.values()}
    assert {view.over for view in (*views.shared[1:], *views.models["ramp"])} == {PICTURE}
    assert len(parts(views.shared[1].picture, "circle")) == len(sample.reference.points)


def test_a_constant_map_and_nobody_can_be_drawn(sample):
    nobody = Sample("s", sample.stimulus, Lookers({}, sample.stimulus.shape))
    views = map_views(nobody, {"flat": Salience(np.ones(sample.stimulus.shape))})
    assert (views.models["flat"][0].picture[..., 3] == 0).all()


def test_a_scanpath_is_numbered_and_says_what_is_not_drawn(sample):
    height, width = sample.stimulus.shape
    answer = scanpath([5, width / 2, width + 9], [5, height / 2, 5], duration_ms=[100, 400, 100])
    (view,) = path_views(sample, {"mine": answer, "none": scanpath([], [])}).models["mine"]
    assert [text.text for text in parts(view.picture, "text")] == ["1", "2"]
    small, large = (float(circle.get("r")) for circle in parts(view.picture, "circle"))
    assert large == pytest.approx(2 * small, rel=0.05)  # four times the duration, four times the area
    assert "1 outside, not drawn" in view.legend


@pytest.mark.parametrize("odd", ODD)
def test_any_scanpath_can_be_drawn(odd):
    views = path_views(Sample("s", GREY, Lookers({"a": ODD["two"]}, SHAPE)), {"mine": ODD[odd]})
    ElementTree.fromstring(views.models["mine"][0].picture)


def test_a_forecast_is_shown_after_one_and_four_fixations():
    one = Sample("one", GREY, Lookers({"a": ODD["two"], "b": ODD["collinear"]}, SHAPE, 8.0))
    answers = {"near": Forecast(Drifting(), SHAPE), "ramp": accept_forecast(np.indices(SHAPE)[1], GREY)}
    views = forecast_views(one, {**answers, "people": answers["near"]})
    assert list(views.models) == list(answers)
    for own in views.models.values():
        assert [view.title for view in own] == ["after 1 fixation", "after 4 fixations"]
    assert forecast_views(Sample("one", GREY, Lookers({}, SHAPE, 8.0)), answers).models == {}
