"""Pictures of an analysis: how right people are, and which items look human."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np

from beholder.study.analysis.table2 import named

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from beholder.study.analysis.analyse import Analysis, Findings

INK, SIGNAL, NOISE = "#22282d", "#0072b2", "#e69f00"  # blue and orange of Okabe & Ito
TEXT = 8.5  # points


def drawn(analysis: Analysis) -> dict[str, bytes]:
    """All that can be drawn, as SVG."""
    found = analysis.findings
    made = {}
    if found.shares:
        made["accuracy"] = accuracy(found)
    if found.items:
        made["items"] = items(analysis, found)
    return {name: _svg(figure) for name, figure in made.items()}


def _svg(figure: Figure) -> bytes:
    """A drawing that is the same every time, and in which text stays text."""
    import matplotlib as mpl

    file = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "beholder", "svg.fonttype": "none"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def accuracy(found: Findings) -> Figure:
    """The share of right answers, of all and of each part, with intervals; a dot for each participant."""
    from matplotlib.figure import Figure

    rows = [("all", found.shares[0].mean)]
    rows += [
        (", ".join(filter(None, [part.stimulus, "" if part.kind is None else named(part.kind)])), part.accuracy.mean)
        for part in found.parts
    ]
    figure = Figure(figsize=(7.0, 0.9 + 0.3 * len(rows)), layout="constrained")
    axes = figure.subplots()
    own = np.array([person.accuracy for person in found.people])
    if len(own):
        lift = np.random.default_rng(0).uniform(-0.3, 0.3, len(own))
        axes.plot(own, lift, ".", color=NOISE, alpha=0.5, markersize=4, label="a participant")
    for at, (_, mean) in enumerate(rows):
        axes.plot([mean.lo, mean.hi], [at, at], color=SIGNAL, linewidth=2)
        axes.plot(mean.value, at, "o", color=SIGNAL, markersize=5, label="mean, 95 % interval" if not at else None)
    axes.axvline(0.5, color=INK, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=TEXT)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of right answers (dotted: guessing)", fontsize=TEXT)
    axes.tick_params(labelsize=TEXT)
    axes.legend(fontsize=TEXT - 1, frameon=False, loc="lower right")
    return figure


def items(analysis: Analysis, found: Findings) -> Figure:
    """Every item's share of "signal" with Wilson's interval, sorted, in the colour of what it truly is."""
    from matplotlib.figure import Figure

    choice = analysis.study.trial == "two_alternative"
    rows = sorted(found.items, key=lambda row: row.share)
    figure = Figure(figsize=(7.0, 3.2), layout="constrained")
    axes = figure.subplots()
    for signal, colour, marker in ((True, SIGNAL, "o"), (False, NOISE, "s")):
        mine = [(at, row) for at, row in enumerate(rows) if row.signal == signal]
        if not mine:
            continue
        places = [at for at, _ in mine]
        axes.vlines(places, [row.lo for _, row in mine], [row.hi for _, row in mine], color=colour, alpha=0.35)
        kinds = ", ".join(dict.fromkeys(row.kind for _, row in mine))
        axes.plot(places, [row.share for _, row in mine], marker, color=colour, markersize=3, label=kinds)
    axes.axhline(0.5, color=INK, linewidth=0.8, linestyle=":")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xticks([])
    axes.set_xlabel(f"{len(rows)} items, sorted", fontsize=TEXT)
    axes.set_ylabel("share right" if choice else f"share labelled {analysis.study.signal}", fontsize=TEXT)
    axes.tick_params(labelsize=TEXT)
    axes.legend(fontsize=TEXT - 1, frameon=False, loc="upper left")
    return figure
