"""Scores of a run over those of people."""

import numpy as np
import pytest

from beholder.attention.people.ceiling import normalised_auc
from beholder.attention.people.normalised import normalised_scores
from beholder.core.scores import Score, table


def row(model, role, unit, value, measure="auc(preset=tuebingen)", state="ok"):
    return Score("b", 1, model, role, "dataset", unit, 0, measure, "all", "higher", value, 0, 0, 1, state, "", "")


def test_ratio_and_correction_over_the_pictures_that_both_have():
    rows = [row("m", "model", "p", 0.7), row("m", "model", "q", 0.8), row("m", "model", "r", 0.1)]
    rows += [row("people", "ceiling", "p", 0.9), row("people", "ceiling", "q", 1.0)]
    rows += [row("people", "ceiling", "r", np.nan, state="na"), row("m", "model", "p", 3.0, "cc(preset=tuebingen)")]
    (found,) = normalised_scores(table(rows)).to_dict("records")
    assert found["value"] == pytest.approx(0.75)
    assert found["ratio"] == pytest.approx(0.75 / 0.95)
    assert found["corrected"] == pytest.approx(0.25 / 0.45)
    assert 0.5 + found["corrected"] / 2 == pytest.approx(normalised_auc(0.75, 0.95))


def test_without_people_there_is_nothing():
    assert normalised_scores(table([row("m", "model", "p", 0.7)])).empty
