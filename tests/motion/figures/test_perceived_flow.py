"""Pictures of perceived flow: every model can be found, and what lies beyond a plot keeps its direction."""

import numpy as np
import pytest

from beholder.core.sample import Sample
from beholder.motion.figures.perceived_flow import APART, BEYOND, probed
from beholder.motion.perceived import Local, Probes, Unseen


def sample(count=1, *, people=(1.0, 2.0)):
    truth = np.tile([1.0, 2.0], (count, 1))
    trials = np.tile(people, (1, 40, count, 1)).astype(float)
    return Sample("m", Unseen(count=count), Probes(truth, trials, ("a",)), {})


def models(*vectors, count=1):
    return {f"m{n}": Local(np.tile(vector, (count, 1)).astype(float)) for n, vector in enumerate(vectors)}


def keys(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def markers(axes):
    """Model markers: those that are drawn whole whatever the axes, but for triangles."""
    return [line for line in axes.get_lines() if not line.get_clip_on() and line.get_label() != BEYOND]


def triangles(axes):
    return [line for line in axes.get_lines() if line.get_label() == BEYOND]


def angle(point):
    return np.degrees(np.arctan2(point[1], point[0]))


@pytest.mark.parametrize("far", [(30.0, 10.0), (-5.0, 40.0), (-20.0, -60.0)])
def test_what_lies_beyond_keeps_its_direction_and_is_marked(far):
    figure = probed(sample(), models(far))
    (axes,) = figure.axes
    reach = axes.get_xlim()[1]
    (marker,), (triangle,) = markers(axes), triangles(axes)
    for line in (marker, triangle):
        place = line.get_xydata()[0]
        assert np.abs(place).max() < reach
        assert angle(place) == pytest.approx(angle(far))
    assert angle(triangle.get_marker()[0]) == pytest.approx(angle(far))  # its tip
    assert triangle.get_color() == marker.get_color()
    assert BEYOND in keys(figure)


def test_a_single_trial_beyond_is_a_triangle_too_and_the_others_are_dots():
    one = sample()
    one.reference.people.setflags(write=True)
    one.reference.people[0, 0, 0] = (-30.0, 10.0)
    (axes,) = probed(one, {}).axes
    (triangle,) = triangles(axes)
    assert angle(triangle.get_xydata()[0]) == pytest.approx(angle((-30, 10)))
    dots = next(line for line in axes.get_lines() if line.get_marker() == ".")
    assert len(dots.get_xydata()) == 39


def test_what_is_within_stands_where_it_is_and_needs_no_note():
    figure = probed(sample(), models((1.0, -1.0), (-1.0, 1.0)))
    assert [tuple(line.get_xydata()[0]) for line in markers(figure.axes[0])] == [(1, -1), (-1, 1)]
    assert not {BEYOND, APART} & set(keys(figure))


def test_models_that_agree_can_all_be_seen():
    figure = probed(sample(), models(*[(0.0, 0.0)] * 13))
    figure.draw_without_rendering()
    (axes,) = figure.axes
    drawn = markers(axes)
    places = np.array([line.get_transform().transform(line.get_xydata())[0] for line in drawn]) * 72 / figure.dpi
    gaps = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + 99 * np.eye(13)
    assert gaps.min() > 0.75 * drawn[0].get_markersize()
    assert all(tuple(line.get_xydata()[0]) == (0, 0) for line in drawn)  # the data stay; lines lead there
    assert [text.xy for text in axes.texts] == [pytest.approx((0, 0))] * len(axes.texts)
    assert len(axes.texts) >= 12
    assert APART in keys(figure)


def test_thirteen_models_differ_by_marker_or_by_colour_and_filling():
    drawn = markers(probed(sample(), models(*[(0.0, 0.0)] * 13)).axes[0])
    assert len({line.get_marker() for line in drawn[:12]}) == 12
    looks = {(line.get_color(), line.get_marker(), line.get_markerfacecolor()) for line in drawn}
    assert len(looks) == 13
    assert len({(line.get_color(), line.get_markerfacecolor()) for line in drawn}) == 12


def test_a_model_without_an_answer_moves_no_other():
    figure = probed(sample(), models((np.nan, np.nan), (1.0, 1.0), (1.0, np.nan)))
    figure.draw_without_rendering()
    assert tuple(markers(figure.axes[0])[1].get_xydata()[0]) == (1, 1)
    assert APART not in keys(figure)


def test_both_axes_are_named_where_a_row_begins_and_a_column_ends():
    figure = probed(sample(8), models((0.0, 0.0), count=8))  # two rows of four
    assert [bool(axes.get_ylabel()) for axes in figure.axes] == [True, False, False, False] * 2
    assert [axes.get_xlabel() for axes in figure.axes] == [""] * 4 + ["right (px/frame)"] * 4
