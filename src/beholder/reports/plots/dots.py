"""Dot plots: models with their intervals between the best blind model and people, the user's in their own colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core.measure import label
from beholder.reports._numbers import number
from beholder.reports._view import Cell, Line, Row, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The colours of the page (report.css): your models, ours, blind ones, people.
MINE, BASE, BLIND, PEOPLE = "#b8430b", "#3f4a55", "#737a82", "#0b6fb0"
INK, RULE = "#22282d", "#e3e5e8"
COLOURS = {"model": MINE, "baseline": BASE, "oracle": INK}
WORDS = {"model": "your model", "baseline": "baseline", "oracle": "oracle"}
TEXT = 9.0  # points
ACROSS = 3  # panels in a row
PANEL = 3.4  # inches
LETTER = 0.075  # inches of a letter of a name
STRETCH = 2.0  # a blind model may widen an axis so much; beyond, a line says where it is
LONGEST = 28  # letters of a name


class Dot(NamedTuple):
    """One row of a panel."""

    name: str
    value: float
    lo: float
    hi: float
    role: str = "baseline"  # model, baseline or oracle

    @property
    def mine(self) -> bool:
        """Whether it is the user's."""
        return self.role == "model"

    @property
    def colour(self) -> str:
        """That of its role."""
        return COLOURS[self.role]


class Mark(NamedTuple):
    """What models are seen against: the best blind model, or people."""

    name: str
    value: float
    lo: float = math.nan
    hi: float = math.nan


class Panel(NamedTuple):
    """One axis with its dots, the first on top."""

    title: str
    axis: str
    dots: Sequence[Dot]
    blind: Mark | None = None
    people: Mark | None = None


def panel_of(table: Table, at: int) -> Panel:
    """One measure × criterion of a table: the user's models first, then ours, each in the order of the standing."""
    cell, column = table.cells[at], table.column(at)
    rows = sorted((one for one in column if one[0].judged or one[0].role == "oracle"), key=_rank)
    dots = [Dot(row.marked, *_ends(line), row.role) for row, line in rows]
    return Panel(
        _title(cell, shared_settings(table)), _axis(cell), dots, _best_blind(cell, column), _people(cell, column)
    )


def _rank(one: tuple[Row, Line]) -> int:
    return list(COLOURS).index(one[0].role)


def shared_settings(table: Table) -> str:
    """The settings that several measures of a table all have; nothing where they differ."""
    found = {cell.settings for cell in table.cells}
    return next(iter(found)) if len(found) == 1 and len({cell.measure for cell in table.cells}) > 1 else ""


def _title(cell: Cell, shared: str) -> str:
    unit = f" [{cell.unit}]" if cell.unit else ""
    name = label(cell.measure, "", cell.part) if shared else cell.name
    return f"{name}{unit}" if cell.criterion == "all" else f"{name}{unit}, {cell.criterion}"


def _ends(line: Line) -> tuple[float, float, float]:
    return (line.value, line.lo, line.hi) if line.held else (math.nan,) * 3


def _axis(cell: Cell) -> str:
    return {"↓": "← lower is better", "↑": "higher is better →", "": ""}[cell.arrow]


def _best_blind(cell: Cell, column: Sequence[tuple[Row, Line]]) -> Mark | None:
    blind = [(row, line) for row, line in column if row.role == "blind" and line.held and math.isfinite(line.value)]
    if not blind or not cell.arrow:
        return None
    best = (max if cell.better == "higher" else min)(blind, key=lambda one: one[1].value)
    return Mark(best[0].model, best[1].value)


def _people(cell: Cell, column: Sequence[tuple[Row, Line]]) -> Mark | None:
    """The ceiling; where there is none, what is expected of a person."""
    found = [(row, line) for row, line in column if row.role == "ceiling" and line.held]
    if found:
        return Mark(found[0][0].model, *_ends(found[0][1]))
    return None if math.isnan(cell.person) else Mark("a typical person", cell.person)


def draw_dots(panels: Sequence[Panel], title: str = "") -> Figure:
    """Panels side by side, with one legend."""
    from matplotlib.figure import Figure

    across = 2 if len(panels) == 4 else min(len(panels), ACROSS)
    down = -(-len(panels) // across)
    names = [dot.name for dot in panels[0].dots]
    margin = LETTER * max((min(len(name), LONGEST) for name in names), default=0)
    height = 0.9 + 0.22 * max(len(panel.dots) for panel in panels)
    figure = Figure((margin + PANEL * across, 0.5 + height * down + 0.25 * bool(title)), layout="constrained")
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for at, (one, panel) in enumerate(zip(axes, panels, strict=False)):
        _draw(one, panel, named=at % across == 0 or [dot.name for dot in panel.dots] != names)
    for unused in axes[len(panels) :]:
        unused.set_axis_off()
    if title:
        figure.suptitle(title, fontsize=TEXT + 2, color=INK, x=0.01, ha="left", parse_math=False)
    _legend(figure, panels)
    return figure


def _draw(axes: Axes, panel: Panel, *, named: bool) -> None:
    least, most = _extent(panel)
    if panel.people and math.isfinite(panel.people.lo):
        axes.axvspan(panel.people.lo, panel.people.hi, color=PEOPLE, alpha=0.18, linewidth=0, zorder=0)
    if panel.people:
        axes.axvline(panel.people.value, color=PEOPLE, linewidth=1.6, zorder=1)
    if panel.blind and _shown(panel, panel.blind):
        axes.axvline(panel.blind.value, color=BLIND, linewidth=1.2, linestyle=(0, (4, 3)), zorder=1)
    for at, dot in enumerate(panel.dots):
        width = 2.6 if dot.mine else 1.6
        axes.plot([dot.lo, dot.hi], [at, at], color=dot.colour, linewidth=width, alpha=0.55, zorder=2)
        axes.plot(dot.value, at, "o", color=dot.colour, markersize=7.5 if dot.mine else 5.5, zorder=3)
    _dress(axes, panel, named=named)
    axes.set_xlim(least, most)


def _dress(axes: Axes, panel: Panel, *, named: bool) -> None:
    """Names, title and lines around the dots."""
    axes.set_ylim(len(panel.dots) - 0.4, -0.6)
    axes.set_yticks(range(len(panel.dots)), [_cut(dot.name) if named else "" for dot in panel.dots], parse_math=False)
    for text, dot in zip(axes.get_yticklabels(), panel.dots, strict=True):
        text.set(color=MINE if dot.mine else INK, fontweight="bold" if dot.mine else "normal")
    axes.set_title(panel.title, fontsize=TEXT + 1, color=INK, loc="left", parse_math=False)
    axes.set_xlabel(_foot(panel), fontsize=TEXT, color=INK, parse_math=False)
    axes.tick_params(labelsize=TEXT, length=0)
    axes.locator_params(axis="x", nbins=5)
    axes.grid(axis="x", color=RULE, zorder=0)
    axes.set_axisbelow(True)
    axes.spines[:].set_visible(False)


def _foot(panel: Panel) -> str:
    """Where better lies, and a blind model that is too far away to be drawn."""
    blind = panel.blind
    if blind is None or _shown(panel, blind):
        return panel.axis
    return f"{panel.axis}\nblind {blind.name} is beyond: {number(blind.value, 1)}"


def _extent(panel: Panel) -> tuple[float, float]:
    """The range of an axis: dots, intervals, people, and the best blind model where it does not press them together."""
    found = [value for dot in panel.dots for value in (dot.value, dot.lo, dot.hi)]
    found += [panel.people.value, panel.people.lo, panel.people.hi] if panel.people else []
    core = [value for value in found if math.isfinite(value)] or [0.0, 1.0]
    least, most = min(core), max(core)
    if panel.blind:
        with_blind = min(least, panel.blind.value), max(most, panel.blind.value)
        if with_blind[1] - with_blind[0] <= STRETCH * (most - least) or least == most:
            least, most = with_blind
    air = 0.05 * (most - least) or 0.1 * abs(most) or 0.5
    return least - air, most + air


def _shown(panel: Panel, mark: Mark) -> bool:
    """Whether a mark lies within the axis."""
    least, most = _extent(panel)
    return least <= mark.value <= most


def _cut(name: str) -> str:
    """A name without its middle where it is long: settings differ at the end."""
    half = LONGEST // 2
    return name if len(name) <= LONGEST else f"{name[:half]}…{name[half + 1 - LONGEST :]}"


def _legend(figure: Figure, panels: Sequence[Panel]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    roles = {dot.role for panel in panels for dot in panel.dots}
    marks: list[Any] = [Line2D([], [], marker="o", color=COLOURS[r], label=WORDS[r]) for r in COLOURS if r in roles]
    if blind := sorted({panel.blind.name for panel in panels if panel.blind and _shown(panel, panel.blind)}):
        label = f"best blind model ({', '.join(blind)})"
        marks.append(Line2D([], [], color=BLIND, linestyle="--", label=label))
    if people := sorted({panel.people.name for panel in panels if panel.people}):
        marks.append(Patch(facecolor=PEOPLE, alpha=0.5, label=", ".join(people)))
    figure.legend(handles=marks, loc="outside lower center", ncols=min(len(marks), 3), fontsize=TEXT, frameon=False)
