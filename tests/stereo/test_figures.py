import io

import numpy as np
import pytest

from beholder.io import image
from beholder.stereo.datasets.planes import planes
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.figures import disparity_maps, predicted_views
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
        return "#" + "".join(f"{c:02x}" for c in drawn[row, column, :3])

    assert (colour(50, 50), colour(30, 30), colour(5, 5)) == ("#f1f6fb", "#e0621b", "#c4c4c4")


def test_predicted_views_beside_the_actual_one():
    scene = planes(1, size=96)[0]
    true = scene.reference.disparity
    holed = true.copy()
    holed[40:60, 40:60] = np.nan
    figure = predicted_views(scene, {"right": true, "wrong": true + 3, "holed": holed})
    assert [t for axes in figure.axes if (t := axes.get_title())] == [
        "view at 0.5 · baseline",
        "right",
        "wrong",
        "holed",
    ]
    lower = [axes for axes in figure.axes if axes.get_xlabel().startswith("RMSE")]
    seen = [float(axes.get_xlabel().split("visible ")[1].split()[0]) for axes in lower]
    assert len(seen) == 3
    assert 1.5 * seen[0] < seen[1]
    assert len(np.unique(pixels(figure).reshape(-1, 3), axis=0)) > 10
    right, _, empty = (np.asarray(axes.images[0].get_array())[45:55, 45:55, :3] for axes in lower)
    assert (empty == 0).all()  # nothing predicted is black
    assert not (right == 0).all()


def test_gaps_are_pink_and_scenes_without_views_have_their_maps(sample):
    scene = planes(1, size=96)[0]
    figure = predicted_views(scene, {"empty": np.full((96, 96), np.nan, np.float32)})
    drawn = next(axes for axes in figure.axes if axes.get_title() == "empty").images[0].get_array()
    assert np.allclose(drawn, np.array([0xE6, 0x00, 0x7E]) / 255)
    titles = [axes.get_title() for axes in predicted_views(sample, {}).axes]
    assert "ground truth" in titles
