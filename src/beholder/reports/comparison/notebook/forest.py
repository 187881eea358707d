"""Two models, paired: on how many units each is ahead, and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from beholder.errors import Misuse
from beholder.evaluation.comparisons import Compared
from beholder.reports import _comparison as _view
from beholder.reports.plots.dots import BASE, INK, MINE, RULE, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from beholder.verdicts.compare import Comparison

SURE = ("better", "worse")


def draw_pair(found: Comparison) -> Figure:
    """The share of units on which the first is ahead, by measure, and the mean difference. Filled: significant."""
    from matplotlib.figure import Figure

    rows = list(found.overall.to_dict("records"))
    table = next(iter(_view.tables(Compared("", 0, found))), None)
    if table is None:
        raise Misuse(f"there is nothing to draw: {found.says}")
    wide = 0.075 * max(len(row.texts[0]) for row in table.rows)
    figure = Figure((wide + 6.4, 1.3 + 0.3 * len(rows)), layout="constrained")
    axes = figure.subplots()
    axes.axvline(50, color=INK, linewidth=1)
    for at, (row, text) in enumerate(zip(rows, table.rows, strict=True)):
        _draw_row(axes, at, {str(key): value for key, value in row.items()})
        axes.annotate(
            text.texts[3], (1.02, at), xycoords=axes.get_yaxis_transform(), va="center", fontsize=TEXT,
            color=INK, annotation_clip=False, parse_math=False,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), [row.texts[0] for row in table.rows], fontsize=TEXT, color=INK, parse_math=False)
    axes.set(xlim=(-3, 103), ylim=(len(rows) - 0.4, -0.6))
    axes.set_xlabel(f"% of units on which {found.a} is ahead of {found.b}", fontsize=TEXT, color=INK, parse_math=False)
    axes.set_title(f"difference, + favours {found.a}", fontsize=TEXT, color=INK, loc="right", parse_math=False)
    axes.tick_params(labelsize=TEXT, length=0)
    axes.grid(axis="x", color=RULE)
    axes.set_axisbelow(True)
    axes.spines[:].set_visible(False)
    return figure


def _draw_row(axes: Axes, at: int, row: dict[str, float | str]) -> None:
    won, lo, hi = (100 * float(row[name]) for name in ("won", "won_lo", "won_hi"))
    if math.isnan(won):
        return
    colour = MINE if won >= 50 else BASE
    sure = row["outcome"] in SURE
    axes.plot([lo, hi], [at, at], color=colour, linewidth=2, alpha=0.55)
    axes.plot(won, at, "o", color=colour, markersize=7, markerfacecolor=colour if sure else "white")
