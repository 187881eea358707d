"""What is shown, in what order, and that nothing is dropped."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from beholder.core.scores import Score, plain, table
from beholder.core.verdict import Verdict
from beholder.evaluation.sections import Section
from beholder.reports import _facts, _plot, _view
from beholder.reports._standing import standing_text

Panels = Callable[..., _plot.Panel]


def verdict_of(frame: pd.DataFrame, **more: object) -> Verdict:
    return Verdict("judge", (), frame, "finding")._replace(**more)


def test_models_by_standing_then_the_unjudged_then_the_other_roles(stereo: Section) -> None:
    rows = _view.table(stereo).rows
    assert [row.model for row in rows] == ["sgm", "census", "block", "broken", "truth+half", "flat", "noise"]
    assert [row.best for row in rows] == [True, True, False, False, False, False, False]
    assert [row.role for row in rows[:4]] == ["model", "baseline", "model", "baseline"]
    assert [row.label for row in rows[1:]] == [
        "census",
        "block",
        "broken",
        "truth+half (oracle)",
        "flat (blind)",
        "noise (blind)",
    ]
    assert "failed" in rows[3].left_out


def test_models_and_baselines_are_one_group_with_marks_alike(stereo: Section) -> None:
    shown = _view.table(stereo).judged
    assert [[row.model for row in rows] for rows in shown.groups()] == [
        ["sgm", "census", "block", "broken"],
        ["truth+half"],
        ["flat", "noise"],
    ]
    assert shown.marks() == ["model", "oracle", "blind"]


def test_values_are_means_over_units(stereo: Section) -> None:
    shown = _view.table(stereo)
    scores = stereo.scores
    for at, cell in enumerate(shown.cells[:3]):
        for row, line in shown.column(at):
            mine = [
                score.value
                for score in scores.itertuples()
                if (score.model, score.measure, score.criterion) == (row.model, cell.measure, cell.criterion)
            ]
            assert line.value == pytest.approx(np.nanmean(mine))
            assert line.lo < line.value < line.hi
            assert (line.held, line.expected) == (7 if row.model == "broken" else 9, 9)


def test_counts_over_all_cells(stereo: Section) -> None:
    counts = {row.model: row.counts for row in _view.table(stereo).judged.rows}
    assert counts["sgm"] == "27/27"
    assert counts["broken"] == "21/27"


def test_judged_cells_are_told_from_further_measures_and_parts(stereo: Section) -> None:
    shown = _view.table(stereo)
    assert {cell.name for cell in shown.judged.cells} == {"bad_pixels(delta=1)"}
    assert [cell.name for cell in shown.unjudged.cells] == ["density", "density.slope"]


def test_without_cards_every_measure_is_official_but_parts_are_not(stereo: Section) -> None:
    bare = _view.table(stereo._replace(facts={**stereo.facts, "measures": []}))
    assert {cell.name for cell in bare.judged.cells} == {"bad_pixels(delta=1)", "density"}
    assert [cell.name for cell in bare.unjudged.cells] == ["density.slope"]


def test_a_pooled_measure_keeps_the_interval_of_the_runner(stereo: Section) -> None:
    shown = _view.table(stereo).unjudged
    assert shown.texts()[shown.rows[0].key] == ["0.900 [0.850, 0.940]", "0.00 [—]"]


def test_a_measure_that_lost_samples_says_so(stereo: Section) -> None:
    shown = _view.table(stereo).unjudged
    (row,) = [row for row in shown.rows if row.model == "broken"]
    assert shown.texts()[row.key] == ["0.600 [0.550, 0.640] 1/1 (1 partial)", "3.75 [—]"]
    assert row.counts == "2/2 (1 partial)"


def test_parts_have_no_better_and_worse(stereo: Section) -> None:
    shown = _view.table(stereo).unjudged
    assert [cell.heading[0] for cell in shown.cells] == ["density ↑", "density.slope"]
    assert [(panel.axis, panel.blind is None) for panel in _plot.panels(shown)] == [
        ("higher is better →", False),
        ("", True),
    ]


def test_several_datasets_are_shown_pooled_and_each(saliency: Section, stereo: Section) -> None:
    assert [shown.dataset for shown in _view.tables(saliency)] == ["", "mit", "interiors"]
    assert [shown.dataset for shown in _view.tables(stereo)] == [""]


def test_the_worst_status_is_shown(saliency: Section) -> None:
    assert [shown.statuses() for shown in _view.tables(saliency)] == [["placeholder"], ["verified"], ["placeholder"]]


def test_many_persons_stand_as_one_row_with_their_range(saliency: Section) -> None:
    shown = _view.table(saliency)
    (crowd,) = [row for row in shown.rows if row.role == "person"]
    means = saliency.scores[saliency.scores["role"] == "person"].groupby("model")["value"].mean()
    line = crowd.lines[0]
    assert line is not None
    assert (line.value, line.lo, line.hi) == pytest.approx((means.mean(), means.min(), means.max()))
    assert line.held == 8 * 12
    assert [row.role for row in shown.rows] == ["model", "model", "ceiling", "person", "blind", "blind"]


def test_a_model_and_a_blind_model_of_the_same_name_are_two_rows(stereo: Section) -> None:
    rows = plain(stereo.scores[stereo.scores["model"].isin(["sgm", "flat"])]).replace({"model": {"flat": "sgm"}})
    shown = _view.table(stereo._replace(scores=rows))
    assert [(row.model, row.role, row.best) for row in shown.rows] == [("sgm", "model", True), ("sgm", "blind", False)]
    assert shown.rows[0].lines != shown.rows[1].lines


def test_a_model_without_any_value_is_shown_with_its_counts(stereo: Section) -> None:
    nothing = stereo.scores.copy()
    nothing.loc[nothing["model"] == "broken", ["value", "lo", "hi"]] = math.nan
    nothing.loc[nothing["model"] == "broken", "state"] = "failed"
    shown = _view.table(stereo._replace(scores=nothing)).judged
    (row,) = [row for row in shown.rows if row.model == "broken"]
    assert shown.texts()[row.key] == ["— 0/9"] * 3
    mark = next(m for m in _plot.panel(shown, 0).marks if m.label == "broken")
    assert math.isnan(mark.x)
    assert mark.tip == "broken: no value, 0/9 held"


def test_nothing_is_an_empty_table(empty: Section) -> None:
    assert _view.tables(empty) == [_view.Table("", (), ())]
    assert _plot.panels(_view.table(empty)) == []


def test_standing_joins_numbers_with_their_intervals() -> None:
    columns = {"score": [1.25, 2.5], "lo": [1.0, 2.0], "hi": [2.0, 3.0], "nss": [1.0, 2.0]}
    columns |= {"nss lo": [0.5, 1.5], "nss hi": [1.5, math.nan], "layer": [1, 2]}
    found = standing_text(verdict_of(pd.DataFrame(columns, index=["a", "b"])))
    assert found.header == ("model", "score", "nss", "layer")
    assert found.rows == (
        ("a", "1.2 [1.0, 2.0]", "1.0 [0.5, 1.5]", "1"),
        ("b", "2.5 [2.0, 3.0]", "2.0 [—]", "2"),
    )


def test_standing_shows_any_column() -> None:
    frame = pd.DataFrame(
        {
            ("a", "b"): [0.123456, math.nan],
            "by": [("x", "y"), ()],
            "in": [True, False],
            "n": [3.0, 4.0],
            "w": ["", None],
        },
        index=["one", "two"],
    )
    found = standing_text(verdict_of(frame))
    assert found.header == ("model", "a · b", "by", "in", "n", "w")
    assert found.rows == (("one", "0.123", "x, y", "yes", "3", "—"), ("two", "—", "—", "no", "4", "—"))


def test_standing_is_headed_in_words(stereo: Section) -> None:
    pareto, ranks = (standing_text(verdict) for verdict in stereo.verdicts)
    assert pareto.header == ("model", "layer", "undominated (share)", "dominated by")
    assert [text.split(":")[0] for text in pareto.footnote.split("; ")] == list(pareto.header[1:])  # each has a legend
    assert ranks.header == ("model", "mean rank")
    assert ranks.footnote.startswith("mean rank: mean of its ranks")


def test_a_column_that_is_shown_under_the_name_of_another_is_not_lost() -> None:
    found = standing_text(verdict_of(pd.DataFrame({"mean_rank": [1.0], "mean rank": [2.0]}, index=["a"])))
    assert found.rows == (("a", "1", "2"),)


def test_standing_of_nobody() -> None:
    assert standing_text(verdict_of(pd.DataFrame({"score": []}, index=[]))).rows == ()


def test_failures_by_model_and_reason(stereo: Section) -> None:
    told, lost = _facts.failures(stereo)
    assert told.samples == ("teddy", "venus")
    assert lost.sentence == "broken on the whole dataset: 2 of 9 samples were lost"


def test_failures_come_from_the_rows_where_facts_tell_none(stereo: Section) -> None:
    without = {name: fact for name, fact in stereo.facts.items() if name != "failures"}
    bare = [(f.model, f.samples) for f in _facts.failures(stereo._replace(facts=without))]
    assert bare == [("broken", ("teddy", "venus")), ("broken", ("*",))]


def test_a_failure_on_many_samples_names_the_first() -> None:
    assert _facts.Failure("m", "why", tuple("abcdefgh")).sentence == "m on a, b, c, d, e and 3 more: why"


def test_whom_all_judges_left_out_is_listed_once(stereo: Section) -> None:
    (first, mine), (second, others) = _facts.verdicts(stereo)
    assert (first.method, second.method) == ("Pareto dominance", "mean rank")
    assert mine == first.left_out
    assert others == {}
    other = second._replace(left_out={"x": "why"})
    assert _facts.verdicts(stereo._replace(verdicts=(first, other)))[1][1] == {"x": "why"}


def test_citations_of_everything(stereo: Section, saliency: Section) -> None:
    assert _facts.cited([stereo, saliency]) == ["Cabezas2011", "Scharstein2002"]


def test_pictures_are_named_after_samples_and_after_datasets_where_there_are_several(
    stereo: Section, saliency: Section
) -> None:
    assert [picture.name for picture in _facts.pictures(stereo)] == ["teddy 1", "venus#2"]
    assert [picture.name for picture in _facts.pictures(saliency)] == ["mit/mit0", "interiors/interiors0"]
    assert [picture.path for picture in _facts.pictures(saliency)] == list(saliency.figures)


def one(model: str, role: str, value: float, better: str = "lower") -> Score:
    numbers = (value, value - 1, value + 1, 9, "ok", "", "")
    return Score("b", 1, model, role, "dataset", "*", 0, "error", "", "", "all", better, *numbers)


@pytest.fixture
def panel_of(empty: Section) -> Panels:
    """The one panel of some scores."""
    return lambda *scores: _plot.panel(_view.table(empty._replace(scores=table(scores))), 0)


def test_positions_are_linear_in_values(panel_of: Panels) -> None:
    found = panel_of(one("a", "model", 2), one("b", "model", 4), one("c", "model", 8))
    a, b, c = (mark.x for mark in found.marks)
    assert (c - b) / (b - a) == pytest.approx(2)
    assert found.marks[0].hi - found.marks[0].x == pytest.approx((b - a) / 2)
    assert all(0 <= x <= 100 for mark in found.marks for x in (mark.lo, mark.x, mark.hi))


def test_a_near_blind_model_is_drawn_and_a_far_one_is_told(panel_of: Panels) -> None:
    near = panel_of(one("a", "model", 2), one("b", "model", 6), one("flat", "blind", 8))
    assert near.marks[2].off == ""
    assert near.blind == near.marks[2].x
    far = panel_of(one("a", "model", 2), one("b", "model", 6), one("flat", "blind", 80))
    assert far.marks[2].off == "80.0 →"
    assert far.blind is None


@pytest.mark.parametrize(("better", "best"), [("lower", 5), ("higher", 7)])
def test_the_best_blind_model_is_marked(panel_of: Panels, better: str, best: int) -> None:
    found = panel_of(*(one(f"m{v}", "blind" if v in (5, 7) else "model", v, better) for v in (2, 5, 7, 9)))
    marked = [mark.label for mark in found.marks if mark.x == found.blind]
    assert marked == [f"m{best}"]


def test_the_ceiling_is_a_band(panel_of: Panels) -> None:
    found = panel_of(one("a", "model", 2), one("people", "ceiling", 6))
    people = found.marks[1]
    assert found.ceiling == (people.lo, people.x, people.hi)
    assert panel_of(one("a", "model", 2)).ceiling is None


def test_one_value_alone_can_be_drawn(panel_of: Panels) -> None:
    lonely = one("a", "model", 3.0)._replace(lo=math.nan, hi=math.nan)
    found = panel_of(lonely)
    assert 0 < found.marks[0].x < 100
    assert math.isnan(found.marks[0].lo)


def test_an_infinite_value_is_told_not_drawn(panel_of: Panels) -> None:
    endless = one("b", "model", 3.0)._replace(value=math.inf, lo=math.nan, hi=math.nan)
    found = panel_of(one("a", "model", 3.0), endless)
    assert found.marks[1].off == "∞ →"
