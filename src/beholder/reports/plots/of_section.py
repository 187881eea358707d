"""What can be drawn of the scores of one benchmark: means, skill, and what each judge makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from beholder.core.scores import labels
from beholder.core.verdict import Verdict, scores_of
from beholder.errors import Misuse
from beholder.registry.find import names, nearest
from beholder.registry.load import judge
from beholder.reports import _skill, _view
from beholder.reports._standing import column_name, heading
from beholder.reports.plots.dots import Dot, Mark, Panel, draw_dots, panel_of, shared_settings
from beholder.verdicts.drawing import count_axes, draw_critical_difference, draw_pareto_layers

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from beholder.evaluation.sections import Section

MOST = 9  # panels of one figure


def draw_section(section: Section, kind: str, measure: str) -> Figure:
    """A figure of one benchmark: `scores`, `skill`, or the name of a judge."""
    kinds: Mapping[str, Callable[[Section, str], Figure]] = {"scores": draw_scores, "skill": draw_skill}
    if kind in kinds:
        return kinds[kind](section, measure)
    if kind.partition("(")[0] not in names("judges") and ":" not in kind:
        raise Misuse(f"got the plot {kind!r}{nearest(kind, [*kinds, *names('judges')])}")
    return draw_judge(section, kind)


def draw_scores(section: Section, measure: str = "") -> Figure:
    """Everyone's means, a panel for each judged measure × criterion, or for those of `measure`, judged or not."""
    table = _view.table(section)
    chosen = table.select(_named(cell, measure) for cell in table.cells) if measure else table.judged
    if not chosen.cells:
        known = {cell.name for cell in table.cells}
        raise Misuse(f"{section.benchmark} has no measure {measure!r}{nearest(measure, known)}")
    drawn = _with_values([panel_of(chosen, at) for at in range(len(chosen.cells))])
    if not drawn:
        raise Misuse(f"{section.benchmark}: no model has a value here, so there is nothing to draw")
    return draw_dots(drawn[:MOST], _title(section, chosen))


def _with_values(panels: Sequence[Panel]) -> list[Panel]:
    """Without those in which there would be no dot."""
    return [panel for panel in panels if any(math.isfinite(dot.value) for dot in panel.dots)]


def _named(cell: _view.Cell, measure: str) -> bool:
    return measure in (cell.name, cell.measure)


def _title(section: Section, table: _view.Table) -> str:
    """Benchmark and datasets, and the settings that all measures share, which then need not stand at each."""
    datasets = " and ".join(dict.fromkeys(map(str, section.scores["dataset"])))
    shared = shared_settings(table)
    return f"{section.benchmark} on {datasets}{f' ({shared})' if shared else ''}"


def draw_skill(section: Section, measure: str = "") -> Figure:
    """How far models are from the best blind model, at 0, to people, at 1."""
    found = _skill.skill(section)
    if found is None:
        raise Misuse(f"{section.benchmark} has no skill to draw: that needs people and a blind model")
    table = found.table
    wanted = [at for at, cell in enumerate(table.cells) if not measure or _named(cell, measure)]
    panels = [panel_of(table, at)._replace(blind=Mark("0", 0.0), people=Mark("people (1)", 1.0)) for at in wanted]
    drawn = _with_values(panels)
    if not drawn:
        raise Misuse(f"{section.benchmark}: people do not beat the blind models here, so there is no skill to draw")
    return draw_dots(drawn[:MOST], f"{_title(section, table)}: {_skill.TITLE.lower()}")


def draw_judge(section: Section, spec: str) -> Figure:
    """What a judge makes of the official scores."""
    official = {cell.name for cell in _view.table(section).judged.cells}
    judged = section.scores[labels(section.scores).isin(official)]
    judged = judged[~judged["criterion"].isin(section.facts["unjudged"])]
    return draw_verdict(judge(spec)(judged), judged)


def draw_verdict(verdict: Verdict, scores: pd.DataFrame | None = None) -> Figure:
    """Pareto layers, mean ranks with their critical difference, or else the number by which the judge ranks."""
    standing = verdict.standing
    scores = scores_of(verdict) if scores is None else scores
    if standing.empty:
        raise Misuse(f"nobody was judged by {verdict.method}, so there is nothing to draw: {verdict.says}")
    if "groups" in standing and "mean_rank" in standing:
        return draw_critical_difference(verdict)
    if "layer" in standing and scores is not None and count_axes(scores) > 1 and len(standing) > 1:
        return draw_pareto_layers(scores, verdict)
    return draw_dots([_ranked(verdict, scores)])


def _ranked(verdict: Verdict, scores: pd.DataFrame | None) -> Panel:
    """The first number of a standing, with its interval where the columns after it are one."""
    standing = verdict.standing
    numbers = [at for at in range(standing.shape[1]) if standing.iloc[:, at].dtype.kind == "f"]
    if not numbers:
        raise Misuse(f"a verdict by {verdict.method} alone cannot be drawn; expected plot(scores, 'JUDGE')")
    at = numbers[0]
    columns = [column_name(name) for name in standing.columns]
    ended = columns[at + 1 : at + 3] == ["lo", "hi"]
    roles = {} if scores is None else dict(zip(scores["model"], scores["role"], strict=True))
    rows = zip(standing.index, standing.itertuples(index=False, name=None), strict=True)
    dots = [Dot(str(name), *_numbers(row, at, ended), roles.get(name, "baseline")) for name, row in rows]
    return Panel(heading(columns[at]), f"by {verdict.method}, best on top", dots)


def _numbers(row: tuple[Any, ...], at: int, ended: bool) -> tuple[float, float, float]:
    return (row[at], row[at + 1], row[at + 2]) if ended else (row[at], math.nan, math.nan)
