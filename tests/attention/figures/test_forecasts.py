"""Pictures of forecasts can be drawn whatever there is to draw."""

import io

import numpy as np
import pandas as pd
import pytest

from attention_forecasts import PICTURE, Drifting
from attention_walks import ODD, SHAPE, wandering
from beholder.attention.figures.forecasts import forecasts
from beholder.attention.figures.overview_forecasts import pictures_of
from beholder.attention.forecasts.forecast import Forecast, accept_forecast
from beholder.attention.models.centre import centre
from beholder.attention.types import Lookers
from beholder.core.sample import Sample
from beholder.core.scores import Score, table

AUC = "conditional_auc"


def saved(figure):
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=40)
    return len(file.getvalue())


def sample(paths):
    return Sample("one", PICTURE, Lookers(paths, SHAPE, 8.0))


def answers():
    return {
        "near": Forecast(Drifting(), SHAPE),
        "far": Forecast(Drifting(spread=3.0), SHAPE),
        "centre": accept_forecast(centre(PICTURE), PICTURE),
        "flat": accept_forecast(np.ones(SHAPE), PICTURE),
        "ramp": accept_forecast(np.indices(SHAPE)[1], PICTURE),
        "people": accept_forecast(centre(PICTURE), PICTURE),
        "b": Forecast(Drifting(), SHAPE),
    }


def test_people_come_first_then_who_reads_the_history_and_nobody_who_says_nothing():
    rng = np.random.default_rng(3)
    figure = forecasts(sample({who: wandering(rng, 6) for who in "abc"}), answers())
    titles = [axes.get_title().partition("\n")[0] for axes in figure.subfigs[0].axes]
    assert [title for title in titles if title] == ["people", "near", "far", "centre", "ramp"]
    assert len(figure.subfigs[0].axes) == 10
    legend = [text.get_text() for text in figure.subfigs[1].axes[0].get_legend().get_texts()]
    assert legend == ["people", "near", "far", "centre"]  # a map has no bits
    assert saved(figure) > 10_000


def test_people_s_own_forecast_is_of_the_last_one_only():
    rng = np.random.default_rng(3)
    figure = forecasts(sample({"a": wandering(rng, 6), "b": ODD["one"]}), answers())
    titles = [axes.get_title().partition("\n")[0] for axes in figure.subfigs[0].axes]
    assert "people" not in titles


@pytest.mark.parametrize("paths", [{}, {"a": ODD["one"]}, {"a": ODD["empty"]}])
def test_where_nobody_went_on_it_says_so(paths):
    figure = forecasts(sample(paths), answers())
    assert "second fixation" in figure.texts[0].get_text()


WHO = {"m": ("model", 0.7), "adapter": ("model", 0.6), "people": ("ceiling", 0.9), "uniform": ("blind", 0.5)}


def scored(numbers):
    rows = []
    for name, (role, value) in WHO.items():
        state = "low" if name == "adapter" else "ok"
        for criterion in ("all", *(f"fixation_{number}" for number in numbers)):
            told = (AUC, "", "", criterion, "higher", value, 0, 0, 1, state, "", "")
            one = Score("b", 1, name, role, "dataset", "p", 0, *told)
            rows += [one, one._replace(unit="q", value=value + 0.1)]
    return table(rows)


def test_the_curve_has_a_line_for_everybody():
    found = pictures_of(scored((2, 10, 3)), {}, official=(AUC,))
    assert set(found) == {"scores", "over_fixations"}
    axes = found["over_fixations"].axes[0]
    assert [line.get_xdata().tolist() for line in axes.lines] == [[2, 3, 10]] * 4
    assert [text.get_text() for text in found["over_fixations"].legends[0].get_texts()] == [
        "people",
        "m",
        "adapter (low confidence)",
        "uniform",
    ]
    dashed = [line.get_linestyle() for line in axes.lines if line.get_label().startswith("adapter")]
    assert dashed == ["--"]
    assert all(saved(figure) > 1000 for figure in found.values())


def test_without_numbers_there_is_no_curve():
    assert set(pictures_of(scored(()), {}, official=(AUC,))) == {"scores"}
    assert isinstance(scored(()), pd.DataFrame)
