"""Pictures of an analysis: how right people are, and which items look human.

They are drawn as wide as a telephone shows a page, so that their text is readable there without being made smaller.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from beholder.study.analysis.table2 import Share, named
from beholder.study.analysis.trials import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from beholder.study.analysis.analyse import Analysis, Findings
    from beholder.study.analysis.items import ItemShare

INK, FAINT, SIGNAL, NOISE = "#22282d", "#8a939b", "#0072b2", "#d55e00"  # blue and vermilion of Okabe & Ito
WIDTH, TEXT = 4.0, 9.5  # inches; points
ROW, LEAST = 0.5, 3.0  # inches: of a row of the first picture; the height of all at least


def drawn(analysis: Analysis) -> dict[str, bytes]:
    """All that can be drawn, as SVG."""
    found = analysis.kept
    made: dict[str, Figure] = {}
    if found is None:
        return {}
    if found.shares:
        made["accuracy"] = accuracy(found)
    if found.items:
        made["items"] = items(analysis, found)
    return {name: _svg(figure) for name, figure in made.items()}


def told(name: str) -> str:
    """What a picture shows, for those who cannot see it."""
    return {
        "accuracy": "Share of right answers: mean, 95 % interval and each participant, overall and by part",
        "items": "Share of answers that call each item signal, by class",
    }[name]


def _svg(figure: Figure) -> bytes:
    """A drawing that is the same every time, and in which text stays text."""
    import matplotlib as mpl

    file = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "beholder", "svg.fonttype": "none"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _height(found: Findings) -> float:
    """Inches: the same of all pictures, as they stand side by side."""
    return max(LEAST, 0.9 + ROW * (1 + len(found.parts)))


def accuracy(found: Findings) -> Figure:
    """The share of right answers, of all and of each part, with intervals; below each, a dot for each participant."""
    from matplotlib.figure import Figure

    rows: list[tuple[str, Share]] = [("all", found.shares[0])]
    rows += [
        (", ".join(filter(None, [part.stimulus, "" if part.kind is None else named(part.kind)])), part.accuracy)
        for part in found.parts
    ]
    figure = Figure(figsize=(WIDTH, _height(found)), layout="constrained")
    axes = figure.subplots()
    for at, (_, share) in enumerate(rows):
        _dots(axes, at, np.array(share.own))
        mean = share.mean
        axes.plot([mean.lo, mean.hi], [at - 0.2, at - 0.2], color=SIGNAL, linewidth=2.5, solid_capstyle="butt")
        axes.plot(mean.value, at - 0.2, "o", color=SIGNAL, markersize=6, label=None if at else "mean, 95 % interval")
    axes.axvline(0.5, color=INK, linewidth=1, linestyle=":", zorder=0)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.set_ylim(len(rows) - 0.45, -0.6)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    axes.set_xlabel("right answers (dotted: guessing)", fontsize=TEXT)
    _plain(axes)
    figure.legend(fontsize=TEXT, frameon=False, loc="outside upper left", ncols=2, handletextpad=0.3, columnspacing=1)
    return figure


def _dots(axes: Axes, at: int, own: Floats) -> None:
    """A dot for each participant; those with the same share stand one below the other."""
    values, many = np.unique(own.round(6), return_counts=True)
    step = 0.35 / max(int(many.max(initial=1)), 5)
    x = np.repeat(values, many)
    y = np.concatenate([np.arange(n) * step for n in many]) if len(many) else np.zeros(0)
    axes.plot(x, at + 0.05 + y, ".", color=FAINT, markersize=4, label=None if at else "a participant")


def _plain(axes: Axes) -> None:
    """No frame but the lines that are read."""
    axes.tick_params(labelsize=TEXT, length=3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def items(analysis: Analysis, found: Findings) -> Figure:
    """Every item's share of "signal" with Wilson's interval, each class sorted by itself in a panel of its own."""
    from matplotlib.figure import Figure

    choice = analysis.study.trial == "two_alternative"
    classes = [
        (colour, [row for row in found.items if row.signal == signal])
        for signal, colour in ((True, SIGNAL), (False, NOISE))
    ]
    classes = [(colour, sorted(own, key=lambda row: row.share)) for colour, own in classes if own]
    figure = Figure(figsize=(WIDTH, _height(found)), layout="constrained")
    panels = figure.subplots(1, len(classes), sharey=True, squeeze=False)[0]
    for axes, (colour, own) in zip(panels, classes, strict=True):
        _sorted(axes, colour, own)
        kinds = ", ".join(dict.fromkeys(row.kind for row in own))
        axes.set_title("right choices" if choice else kinds, fontsize=TEXT, color=INK)
        axes.set_xlabel(f"{len(own)} {'pairs' if choice else 'items'}", fontsize=TEXT)
    panels[0].set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    panels[0].set_ylabel("right" if choice else f"labelled {analysis.study.signal}", fontsize=TEXT)
    return figure


def _sorted(axes: Axes, colour: str, own: list[ItemShare]) -> None:
    """The items of a class; those that fool people are open circles."""
    places = np.arange(len(own))
    axes.vlines(places, [row.lo for row in own], [row.hi for row in own], color=colour, alpha=0.3, linewidth=1)
    for fools, face in ((False, colour), (True, "white")):
        mine = [at for at in places if own[at].fools == fools]
        axes.plot(mine, [own[at].share for at in mine], "o", color=colour, markerfacecolor=face, markersize=3.5)
    axes.axhline(0.5, color=INK, linewidth=1, linestyle=":", zorder=0)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xticks([])
    _plain(axes)
