import io

import numpy as np
import pytest

from beholder.media import image
from beholder.stereo.beds.random_dots import random_dots
from beholder.stereo.figures import disparity_maps
from beholder.stereo.types import Truth


@pytest.fixture
def sample():
    from dataclasses import replace

    made = random_dots(1, size=64)[0]
    disparity = made.reference.disparity.copy()
    disparity[:10, :20] = np.nan
    return replace(made, reference=Truth(disparity, made.reference.regions))


def pixels(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    buffer.seek(0)
    return image.read(buffer)


def test_a_panel_for_each_map_and_each_error(sample):
    wrong = np.nan_to_num(sample.reference.disparity) + 3
    figure = disparity_maps(sample, {"right": sample.reference.disparity, "wrong": wrong})
    titles = [axes.get_title() for axes in figure.axes]
    labels = [axes.get_xlabel() for axes in figure.axes]
    assert [t for t in titles if t] == ["ground truth", "right", "wrong"]
    assert "bad pixels (%)\nnonocc 0.0   all 0.0   disc 0.0" in labels
    assert "bad pixels (%)\nnonocc 100.0   all 100.0   disc 100.0" in labels
    assert {axes.get_ylabel() for axes in figure.axes} >= {"disparity (px)", "|error| (px)"}
    assert len(np.unique(pixels(figure).reshape(-1, 3), axis=0)) > 10


def test_many_models_and_empty_maps(sample):
    empty = np.full(sample.stimulus.shape, np.nan, np.float32)
    figure = disparity_maps(sample, {f"model {n}": empty for n in range(7)})
    assert sum(bool(axes.get_title()) for axes in figure.axes) == 8
    assert pixels(figure).shape[0] > 500


def test_without_models_there_is_the_truth(sample):
    assert pixels(disparity_maps(sample, {})).size > 0


def test_errors_are_coloured_by_class(sample):
    found = sample.reference.disparity.copy()
    found[20:40, 20:40] += 3
    figure = disparity_maps(sample, {"one": found})
    drawn = next(a for a in figure.axes if a.get_xlabel().startswith("bad")).images[0].get_array()

    def colour(row, column):
        return "#" + "".join(f"{round(float(c) * 255):02x}" for c in drawn[row, column, :3])

    assert (colour(50, 50), colour(30, 30), colour(5, 5)) == ("#f1f6fb", "#e0621b", "#c4c4c4")
