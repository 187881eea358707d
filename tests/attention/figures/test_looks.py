"""Pictures of looking: what is in them, and that few people, one or no model are drawn too."""

from io import BytesIO

import numpy as np
import pytest

from attention_gallery import NAMES, gallery
from beholder.attention.datasets.simulated import simulated
from beholder.attention.datasets.table import table as recordings
from beholder.attention.figures import looks, overview
from beholder.attention.figures.curves import GRID, hits, human_curves, shuffled_rates
from beholder.attention.models.centre import centre
from beholder.attention.readouts import surface
from beholder.attention.types import Salience
from beholder.core.scores import Score, table


def saved(figure):
    file = BytesIO()
    figure.savefig(file, format="png", dpi=50)
    return len(file.getvalue())


@pytest.fixture(scope="module")
def sample():
    return simulated(4).load("odd_colour")


def answers(picture, count):
    rng = np.random.default_rng(0)
    return {f"m{n}": Salience(rng.random(picture.shape)) for n in range(count)}


def titles(figure):
    return [axes.get_title() for axes in figure.get_axes()]


def test_a_sample_shows_people_models_and_curves(sample):
    figure = looks.looks(sample, {**answers(sample.stimulus, 2), "centre": centre(sample.stimulus)})
    shown = titles(figure)
    assert "fixations" in shown
    assert "most fixated" in shown
    assert {"hit rate", "ROC", "congruency of people"} <= set(shown)
    assert sum(title.startswith(("m0", "m1", "centre ")) and "along" not in title for title in shown) == 3
    assert any("along the path of" in title for title in shown)
    assert saved(figure) > 10_000


def test_people_are_not_drawn_as_a_model(sample):
    figure = looks.looks(sample, {"people": centre(sample.stimulus), **answers(sample.stimulus, 1)})
    assert not any(title.startswith("people ") for title in titles(figure))


def test_no_model_many_models_and_one_observer(sample, tmp_path):
    assert saved(looks.looks(sample, {})) > 10_000
    assert saved(looks.looks(sample, answers(sample.stimulus, 9))) > 10_000
    alone = recordings(gallery(tmp_path, NAMES[:1], ("all",)))[0]
    figure = looks.looks(alone, answers(alone.stimulus, 1))
    assert any("fewer than two people" in text.get_text() for axes in figure.get_axes() for text in axes.texts)
    assert saved(figure) > 10_000


def test_curves_rise_from_nothing_to_all(sample):
    found = surface(centre(sample.stimulus), sample.stimulus)
    for curve in (hits, shuffled_rates):
        line = curve(found, sample.reference)
        assert len(line) == len(GRID)
        assert (np.diff(line) >= 0).all()
        assert line[-1] == 1
    human = human_curves(sample.reference, (hits, shuffled_rates))
    assert human[0][20] > hits(found, sample.reference)[20]  # people know the odd one, the centre does not
    assert human_curves(sample.reference.only("simulated01"), (hits,)) == [None]


def test_the_overview_has_scores_congruency_and_centre_bias():
    dataset = simulated(4)
    rows = [
        Score(
            "attention/saliency", 1, model, role, "simulated", unit, 0, *name, "all", "higher", v, 0, 0, 1, "ok", "", ""
        )
        for model, role, v in (("itti", "model", 1.0), ("gbvs", "model", 2.0), ("people", "ceiling", 3.0))
        for unit in dataset.ids[:3]
        for name in (
            ("nss", "preset=tuebingen", ""),
            ("information_gain", "baseline=controls,preset=tuebingen", ""),
        )
    ]
    found = overview.pictures_of(table(rows), {}, dataset=dataset, official=("nss(preset=tuebingen)",))
    assert list(found) == ["scores", "congruency_over_fixations", "centre_bias", "groups_of_observers"]
    panels = found["scores"].get_axes()
    assert [axes.get_title() for axes in panels] == ["nss →", "information_gain (controls) →\n(not judged)"]
    assert [label.get_text() for label in panels[0].get_yticklabels()] == ["people", "gbvs", "itti"]
    assert all(saved(figure) > 2_000 for figure in found.values())


def test_classes_and_tops_colour_what_they_say(sample):
    from matplotlib.colors import to_rgb
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    kept, true = np.zeros((2, *sample.stimulus.shape), bool)
    kept[:, :10], true[:, 5:15] = True, True
    looks.classes(axes, sample.stimulus, kept=kept, true=true)
    pixels = axes.get_images()[0].get_array()
    below = looks.faint(sample.stimulus.pixels)[0]
    for column, name in ((2, "false alarm"), (7, "hit"), (12, "miss")):
        expected = 0.25 * below[column] + 0.75 * np.array(to_rgb(looks.CLASSES[name]))
        np.testing.assert_allclose(pixels[0, column], expected, atol=1e-6)
