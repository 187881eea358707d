"""The columns of Tlapale et al. (2012), and nothing but these, in verdict, table and report; ours stand apart."""

import numpy as np
import pytest

import beholder as bh
import toys
from beholder.core.scores import labels
from beholder.evaluation.record import read
from beholder.evaluation.sections import sections
from beholder.motion.benchmarks.dynamic import dynamic
from beholder.motion.benchmarks.static import random, static, still
from beholder.motion.datasets.classical import classical
from beholder.motion.types import Velocity
from beholder.registry.find import find
from beholder.reports._plot import panels
from beholder.reports._view import table
from motion_movies import drawn_once

pytestmark = pytest.mark.slow  # whole runs

DATASET = drawn_once(classical)


def turning(movie):
    """A velocity for each pair of frames that turns as a person's pursuit of a figure to the right would."""
    angle = np.radians(40 * np.exp(-movie.seconds / 0.09))
    return Velocity(10 * np.stack([np.cos(angle), np.sin(angle)], axis=1))


@pytest.fixture(scope="module")
def section_of(tmp_path_factory):
    def conducted(bench):
        lean = toys.vary(bench, baselines={"turning": turning, "resting": still})
        folder = bh.save(tmp_path_factory.mktemp("run"), bh.run(lean, {}, jobs=0, repeats=2), lean)
        (section,) = sections([read(folder)])
        return section

    return {"static": conducted(static(DATASET)), "dynamic": conducted(dynamic(DATASET))}


def cells(section):
    """The judged columns of a standing, by measure and criterion."""
    return [name for name in section.verdicts[0].standing.columns if name.endswith(")")]


def test_static_has_the_four_classes(section_of):
    assert cells(section_of["static"]) == [f"final_score ({kind})" for kind in ("bar", "diamond", "grating", "barber")]


def test_dynamic_has_three_columns_and_barber_poles_stand_apart(section_of):
    section = section_of["dynamic"]
    assert cells(section) == [f"{kind}_dynamics (all)" for kind in ("bar", "diamond", "grating")]
    shown = table(section)
    assert [cell.name for cell in shown.judged.cells] == ["bar_dynamics", "diamond_dynamics", "grating_dynamics"]
    assert {"barber_facts", "diamond_facts"} <= {cell.name for cell in shown.unjudged.cells}
    for view in ("terminal", "markdown", "html"):
        text = find("reports", view)([section])
        assert "barber_facts" in text
        assert "barber_facts" not in section.verdicts[0].says


@pytest.mark.parametrize("name", ["static", "dynamic"])
def test_the_average_is_the_plain_mean_of_the_columns(section_of, name):
    standing = section_of[name].verdicts[0].standing
    means = standing[cells(section_of[name])].mean(axis="columns")
    assert standing["score"].to_numpy() == pytest.approx(means.to_numpy())
    assert section_of[name].verdicts[0].method == "mean score"


def test_a_column_is_the_mean_over_its_stimuli(section_of):
    section = section_of["static"]
    own = section.scores[labels(section.scores) == "final_score"].query("model == 'turning' and criterion == 'diamond'")
    held = own[own["state"] == "ok"]["value"]
    assert len(held) == 4  # without the three controls
    assert section.verdicts[0].standing.loc["turning", "final_score (diamond)"] == pytest.approx(held.mean())


@pytest.mark.parametrize("name", ["static", "dynamic"])
def test_a_model_without_a_direction_takes_no_stimulus_from_the_others(section_of, name):
    verdict = section_of[name].verdicts[0]
    assert list(verdict.standing.index) == ["turning", "resting"]
    assert not verdict.left_out
    assert verdict.standing.loc["resting", "score"] == 0


def test_static_and_dynamic_are_never_averaged(section_of):
    static_measures, dynamic_measures = (set(section_of[name].facts["official"]) for name in ("static", "dynamic"))
    assert not static_measures & dynamic_measures


@pytest.mark.parametrize(
    ("name", "measure", "lines"), [("static", "final_score", 4), ("dynamic", "diamond_dynamics", 1)]
)
def test_what_a_person_expects_is_said_and_drawn_with_the_score(section_of, name, measure, lines):
    section = section_of[name]
    for view in ("terminal", "markdown", "html"):
        words = " ".join(find("reports", view)([section]).split())
        assert f"A typical person scores 0.577 on {measure}" in words
    drawn = [panel for panel in panels(table(section).judged) if panel.person is not None]
    assert len(drawn) == lines
    for panel in drawn:
        (zero, low), (one, high) = ((place, float(label)) for place, label in (panel.ticks[0], panel.ticks[-1]))
        assert panel.person == pytest.approx(zero + (one - zero) * (1 / np.sqrt(3) - low) / (high - low))
        assert "a typical person scores 0.577" in panel.tells
    assert find("reports", "html")([section]).count(">a person</span>") >= lines


def test_chance_is_near_nothing():
    rows = bh.run(toys.vary(static(DATASET[:3]), baselines={"random": random}, blind=None), {}, jobs=0, repeats=20)
    scored = rows[labels(rows) == "final_score"].query("state == 'ok' and model == 'random'")
    assert scored["value"].mean() == pytest.approx(10 * np.sqrt(np.pi) / 360, abs=0.1)  # ∫ exp(−ε²/σ²) dε / 360
