"""A movie side by side: it plays at its pace, and what is drawn is what was measured."""

from xml.etree import ElementTree

import numpy as np
import pytest

from beholder.core.sample import Sample
from beholder.motion.figures.views import film, motion_views, percept_views
from beholder.motion.figures.views_of_flow import probe_views
from beholder.motion.perceived import Field, Local, Probes, Scene, Unseen
from beholder.motion.percepts import Percepts, Watched
from beholder.motion.types import Movie, Percept, Velocity

PAIRS = 22
DIAMOND = Percept(
    "diamond", 0.0, 10.0, vector_average=44.0, average_speed=6.95, conditions={"contrast": 1.0, "textured": 0.0}
)
FRAMES = np.full((PAIRS + 1, 24, 32), 20.0, np.float32)
FRAMES[:, 8:16, 4:8] = 40.0


def lines(drawing, colour):
    found = ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}polyline")
    return [one.get("points") for one in found if one.get("stroke") == colour]


def test_a_movie_plays_at_its_pace_and_as_a_monitor_shows_it():
    shown = film(Movie(FRAMES, 50.0, 8.0))
    times, frames = zip(*shown.frames, strict=True)
    assert (shown.seconds, times[1]) == (pytest.approx(23 / 50), pytest.approx(0.02))
    assert frames[0].shape == (24, 32, 3)
    assert (int(frames[0][10, 5, 0]), int(frames[0][0, 0, 0])) == (255, 188)  # half the light is level 188


def test_each_model_has_its_course_and_its_end():
    up = Velocity(np.tile([0.0, 10.0], (PAIRS, 1)))
    gap = Velocity(np.where(np.arange(PAIRS)[:, None] == 10, np.nan, [10.0, 0.0]))
    views = motion_views(Sample("a", Movie(FRAMES, 50.0, 8.0), DIAMOND), {"up": up, "gap": gap, "still": still()})
    course, end = views.models["up"]
    (line,) = lines(course.picture, "#0072b2")
    heights = {float(point.split(",")[1]) for point in line.split()}
    assert len(heights) == 1  # it stays 90° off
    assert min(heights) == pytest.approx(8, abs=0.1)  # at the top of what any model does
    assert "blue: the model, 90°" in end.legend
    assert "grey band: people" in course.legend
    assert len(lines(views.models["gap"][0].picture, "#0072b2")) == 2  # interrupted where there is no direction
    assert "no final direction" in views.models["still"][1].legend
    assert "no direction" in views.models["still"][0].picture


def still():
    return Velocity(np.zeros((PAIRS, 2)))


def test_percepts_are_periods_of_the_trial():
    watched = Watched(FRAMES, 50.0, 8.0, watched=60.0)
    answer = Percepts(("coherent", "transparent"), np.array([45.0, 15.0]))
    (view,) = percept_views(Sample("a", watched, DIAMOND), {"mine": answer}).models["mine"]
    assert "coherent: 75% of the time" in view.picture
    assert view.picture.count("<rect") == 2


def test_flow_has_its_direction_as_its_hue_and_arrows_at_the_probes():
    scene = Scene(FRAMES, 50.0, 8.0, points=np.array([[10.0, 10.0], [20.0, 12.0]]))
    probes = Probes(np.tile([1.0, 0.0], (2, 1)), np.tile([1.0, 0.0], (1, 3, 2, 1)), ("a",))
    flow = np.zeros((24, 32, 2), np.float32)
    flow[..., 0], flow[0, 0] = 1.0, np.nan
    upwards, person = Local(np.tile([0.0, 1.0], (2, 1))), Local(probes.truth, people=True)
    answers = {"flow": Field(flow), "local": upwards, "person": person}
    views = probe_views(Sample("a", scene, probes), answers)
    assert {name: [view.title for view in own] for name, own in views.models.items()} == {
        "flow": ["flow", "at the probes"],
        "local": ["at the probes"],
    }
    pixels = views.models["flow"][0].picture
    assert (pixels[5, 5].tolist(), pixels[0, 0].tolist()) == ([255, 0, 0], [0, 0, 0])
    shaft = lines(views.models["local"][0].picture, "#1e90ff")[0]
    (x0, y0), (x1, y1) = (map(float, point.split(",")) for point in shaft.split())
    assert x0 == x1
    assert y1 < y0  # up


def test_a_movie_that_is_not_here_has_no_views():
    views = probe_views(Sample("m", Unseen(count=1), Probes(np.ones((1, 2)), np.ones((1, 1, 1, 2)), ("a",))), {})
    assert (views.shared, views.models) == ((), {})
