"""Sheets and views of flow: colours that mean what the legend says, and all that there is to see."""

import numpy as np
import pytest

from beholder.core.sample import Sample
from beholder.motion.figures.true_flow import CLASSES, colours_of, flow_sheet, top_speed, wheel
from beholder.motion.figures.views_of_true_flow import flow_views
from beholder.motion.frame_pairs import FramePair
from beholder.motion.perceived import Scene
from beholder.motion.true_flow.types import TrueFlow
from beholder.vision.painting import rgb

PICTURES = np.random.default_rng(0).integers(0, 256, (2, 20, 30, 3)).astype(np.uint8)
FRAMES = PICTURES.mean(axis=-1).astype(np.float32)


def dense():
    true = np.zeros((20, 30, 2), np.float32)
    true[:, 15:] = (6, 0)
    true[:2] = np.nan
    matched = np.arange(30) < 25
    regions = {"matched": np.tile(matched, (20, 1)), "unmatched": np.tile(~matched, (20, 1))}
    return Sample("one", FramePair(FRAMES, 30.0, 30.0, pictures=PICTURES), TrueFlow(true, regions))


def sparse():
    points = np.array([[4.0, 5.0], [20.0, 8.0]])
    return Sample("one", Scene(FRAMES, 30.0, 30.0, points=points), TrueFlow(np.array([[3, 0], [0, 4]], np.float32)))


def test_colours_are_directions_and_the_wheel_says_so():
    flow = np.array([[[5, 0], [0, -5], [-5, 0], [0, 0], [np.nan, 0]]], np.float32)
    right, up, left, rest, none = colours_of(flow, 5.0, "#123456")[0].tolist()
    assert (right, rest, none) == ([255, 0, 0], [255, 255, 255], [18, 52, 86])
    disc = wheel(201)
    assert disc[100, 199, :3].tolist() == pytest.approx(right, abs=8)
    assert disc[1, 100, :3].tolist() == pytest.approx(up, abs=8)
    assert disc[100, 1, :3].tolist() == pytest.approx(left, abs=8)
    assert (disc[0, 0, 3], disc[100, 100, 3]) == (0, 255)


@pytest.mark.parametrize("make", [dense, sparse])
def test_a_sheet_has_all_answers_with_their_errors(make):
    sample = make()
    answers = {"still": np.zeros((20, 30, 2), np.float32), "holes": np.full((20, 30, 2), np.nan, np.float32)}
    figure = flow_sheet(sample, answers)
    titles = [axes.get_title() for axes in figure.axes]
    labels = [axes.get_xlabel() for axes in figure.axes]
    assert {"still", "holes", "direction"} <= set(titles)
    error = "EPE 3.00 px   Fl 50.0 %" if make is dense else "EPE 3.50 px   Fl 50.0 %"
    assert error in labels
    assert [text.get_text() for legend in figure.legends for text in legend.get_texts()][-1] == "no estimate"
    figure.canvas.draw()


def test_views_show_errors_in_classes():
    sample = dense()
    views = flow_views(sample, {"still": np.zeros((20, 30, 2), np.float32)})
    assert [view.title for view in views.shared] == ["frames", "true flow"]
    flow, error = views.models["still"]
    assert flow.picture[10, 20].tolist() == [255, 255, 255]
    assert error.picture[0, 0].tolist() == list(rgb("#c4c4c4"))
    assert error.picture[10, 0].tolist() == list(rgb("#f1f6fb"))
    assert error.picture[10, 20].tolist() == list(rgb("#e0621b"))  # 6 px: between 5 and 10
    assert error.legend.startswith("EPE 3.00 px")
    assert CLASSES[3] == 3
    assert top_speed(sample.reference) == 6


def test_views_of_probes_are_arrows():
    views = flow_views(sparse(), {"still": np.zeros((20, 30, 2), np.float32)})
    assert views.shared[-1].picture.startswith("<svg")
    assert views.models["still"][0].legend.startswith("EPE 3.50 px")
