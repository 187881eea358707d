"""The figure of motion/beyond: panels for what was shown, and no others."""

import numpy as np
import pandas as pd
import pytest

from beholder.motion.figures.beyond import of_conditions
from beholder.motion.types import Percept, Trace

T = np.arange(0.01, 0.25, 0.02)
SCORES = pd.DataFrame({"model": ["a", "b", "lawful", "still"], "role": ["model", "model", "oracle", "blind"]})


def seen(kind, contrast):
    velocity = np.tile([10.0, 0.0], (len(T), 1))
    percept = Percept(kind, 0.0, 10.0, vector_average=44.0, average_speed=6.95, conditions={"contrast": contrast})
    return Trace(T, velocity, np.ones(len(T))), percept


def shown(*kinds, models=("a", "b", "lawful", "still")):
    those = {f"{kind}{contrast}": seen(kind, contrast) for kind in kinds for contrast in (0.25, 1.0)}
    return dict.fromkeys(models, those)


def titles(figure):
    return [axes.get_title().split(":")[0] for axes in figure.axes]


def test_panels_of_what_the_dataset_does_not_show_are_left_out():
    figure = of_conditions(SCORES, shown("diamond"))["conditions"]
    assert titles(figure) == ["diamonds"]
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["0.25", "1"]
    both = of_conditions(SCORES, shown("diamond", "grating", "plaid"))["conditions"]
    assert titles(both) == ["diamonds", "gratings", "type II plaid"]
    assert both.get_figwidth() > figure.get_figwidth()


def test_without_a_panel_there_is_no_figure():
    assert of_conditions(SCORES, shown("bar")) == {}
    assert of_conditions(SCORES, {}) == {}


def test_models_and_the_lawful_oracle_are_drawn_and_named():
    figure = of_conditions(SCORES, shown("diamond"))["conditions"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b", "lawful (oracle)"]


def test_equal_curves_stand_side_by_side_and_courses_have_marks_of_their_own():
    figure = of_conditions(SCORES, shown("diamond", "plaid", models=("a", "b")))["conditions"]
    figure.draw_without_rendering()
    levels, course = (axes.get_lines()[:2] for axes in figure.axes)
    left, right = (line.get_transform().transform((1.0, 0.0)) for line in levels)
    assert right - left == pytest.approx([2 / 72 * figure.dpi, 0], abs=1e-6)
    assert levels[0].get_xdata() == pytest.approx(levels[1].get_xdata())
    left, right = (line.get_transform().transform((50.0, 0.0)) for line in course)
    assert left == pytest.approx(right)  # an instant is where it is
    assert course[0].get_markevery() != course[1].get_markevery()
