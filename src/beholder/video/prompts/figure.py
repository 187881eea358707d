"""One figure of what sets of prompts cover: patterns × kinds, shares of patterns, lengths, and how words add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from beholder.errors import Misuse, listed
from beholder.io.atomic import whole_file
from beholder.verdicts.drawing import COLOURS, INK, TEXT
from beholder.video.figures.overview import FAINT, SOFT
from beholder.video.prompts.coverage import Coverage, coverage
from beholder.video.prompts.entry import Entry
from beholder.video.prompts.tags import INTERACTIONS, KINDS, PATTERNS, UNKNOWN

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SETS = (COLOURS[0], COLOURS[1], "#00805c", "#a3467a", "#e69f00")
GROWTH = {"actions": "action", "nouns": "subject_noun", "places": "place"}
STYLES = ("-", "--", ":")
FORMATS = {".png": ["Software"], ".pdf": ["CreationDate"], ".svg": ["Date"]}  # and what would differ between two runs


def check_suffix(path: Path) -> None:
    """Refuse a file that cannot hold a figure, before anything is drawn."""
    if path.suffix.lower() not in FORMATS:
        raise Misuse(f"got {path}; expected a figure's name that ends with {listed(FORMATS)}")


def save(sets: Mapping[str, Sequence[Entry]], path: Path) -> None:
    """Draw and write the figure; equal sets are equal bytes."""
    check_suffix(path)
    figure = draw(sets)
    suffix = path.suffix.lower()
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        figure.savefig(file, format=suffix.lstrip("."), metadata=dict.fromkeys(FORMATS[suffix]))


def draw(sets: Mapping[str, Sequence[Entry]]) -> Figure:
    """The figure of one set, or of several beside one another; the counts of cells are those of the first."""
    from matplotlib.figure import Figure

    counted = {name: coverage(entries) for name, entries in sets.items()}
    figure = Figure((7.4, 5.9), dpi=200, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.09, h_pad=0.09)  # type: ignore[union-attr,call-arg]
    panels = figure.subplots(2, 2, width_ratios=[1.35, 1], height_ratios=[1.15, 1])
    first = next(iter(sets))
    _cells(panels[0, 0], counted[first], first if len(sets) > 1 else "")
    _shares(panels[0, 1], counted)
    _lengths(panels[1, 0], counted)
    _growth(panels[1, 1], sets)
    if len(sets) > 1:
        from matplotlib.patches import Patch

        handles = [
            Patch(color=_colour(at), label=f"{name} ({counted[name].prompts:,})") for at, name in enumerate(sets)
        ]
        figure.legend(
            handles=handles, loc="outside lower center", ncols=min(4, len(sets)), fontsize=TEXT, frameon=False
        )
    return figure


def _colour(at: int) -> str:
    return SETS[at % len(SETS)]


def _title(panel: Axes, letter: str, text: str) -> None:
    panel.set_title(f"{letter}  {text}", fontsize=TEXT + 0.5, color=INK, loc="left", fontweight="bold")
    panel.tick_params(labelsize=TEXT - 0.5, colors=INK, length=2)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(FAINT)


def _cells(panel: Axes, counted: Coverage, name: str) -> None:
    """Pattern × kind, and below it interactions by pattern are left to the table."""
    kinds = [kind for kind in (*KINDS, UNKNOWN) if counted.kinds[kind]] or list(KINDS)
    patterns = [*PATTERNS, *([UNKNOWN] if counted.patterns[UNKNOWN] else [])]
    values = np.array([[counted.cells.get((pattern, kind), 0) for kind in kinds] for pattern in patterns])
    panel.imshow(
        np.sqrt(values), cmap="Blues", vmin=0, vmax=max(1.0, 1.25 * float(np.sqrt(values.max()))), aspect="auto"
    )
    bright = 0.55 * np.sqrt(values.max())
    for row, column in np.ndindex(values.shape):
        count = values[row, column]
        if count:
            colour = "white" if np.sqrt(count) > bright * 1.25 else INK
            panel.text(column, row, f"{count:,}", ha="center", va="center", fontsize=TEXT - 0.5, color=colour)
    _title(panel, "a", "prompts by pattern and kind" + (f", {name}" if name else ""))
    panel.set_xticks(range(len(kinds)), kinds, rotation=35, ha="right", rotation_mode="anchor")
    panel.set_yticks(range(len(patterns)), patterns)
    panel.set_xticks(np.arange(-0.5, len(kinds)), minor=True)
    panel.set_yticks(np.arange(-0.5, len(patterns)), minor=True)
    panel.grid(which="minor", color="white", lw=1.5)
    panel.tick_params(which="both", length=0)
    panel.spines[:].set_visible(False)


def _shares(panel: Axes, counted: Mapping[str, Coverage]) -> None:
    """Shares of patterns and interactions, a bar for each set."""
    patterns = [*PATTERNS, *([UNKNOWN] if any(one.patterns[UNKNOWN] for one in counted.values()) else [])]
    rows = [*patterns, *INTERACTIONS]
    high = 0.8 / len(counted)
    at = np.array([*range(len(patterns)), *(len(patterns) + 0.6 + np.arange(len(INTERACTIONS)))])
    for number, one in enumerate(counted.values()):
        values = [100 * {**one.patterns, **one.interactions}[name] / max(1, one.prompts) for name in rows]
        y = at + (number - (len(counted) - 1) / 2) * high
        panel.barh(y, values, high * 0.92, color=_colour(number))
        for place, value in zip(y, values, strict=True):
            panel.text(value + 0.6, place, f"{value:.1f}" if value else "0", va="center", fontsize=TEXT - 2, color=SOFT)
    _title(panel, "b", "share of prompts (%)")
    panel.axhline(len(patterns) - 0.2, color=FAINT, lw=0.8)
    panel.set_yticks(at, rows)
    panel.set_ylim(at[-1] + 0.6, -0.6)
    panel.set_xlim(0, panel.get_xlim()[1] * 1.12)
    panel.spines["left"].set_visible(False)
    panel.tick_params(axis="y", length=0)


def _lengths(panel: Axes, counted: Mapping[str, Coverage]) -> None:
    """How many words prompts have."""
    longest = max((max(one.lengths, default=1) for one in counted.values()), default=1)
    edges = np.arange(0.5, longest + 3, 2)
    for number, one in enumerate(counted.values()):
        share = np.histogram(one.lengths, edges)[0] / max(1, one.prompts) * 100
        panel.stairs(share, edges, color=_colour(number), lw=1.4, fill=False)
        panel.stairs(share, edges, color=_colour(number), alpha=0.15, fill=True)
        mean = float(np.mean(one.lengths)) if one.lengths else 0.0
        panel.plot([mean], [0], marker="^", ms=6, color=_colour(number), clip_on=False, zorder=5)
    _title(panel, "c", "words in a prompt (triangle: mean)")
    panel.set_xlim(0, longest + 3)
    panel.set_ylim(0, None)
    panel.set_xlabel("words", fontsize=TEXT, color=SOFT)
    panel.set_ylabel("% of prompts", fontsize=TEXT, color=SOFT)


def _growth(panel: Axes, sets: Mapping[str, Sequence[Entry]]) -> None:
    """How many different actions, nouns and places stand in the first n prompts, taken in random order."""
    longest = max((len(entries) for entries in sets.values()), default=1)
    ends: list[tuple[float, str, str]] = []
    for number, entries in enumerate(sets.values()):
        order = Random(0).sample(list(entries), len(entries))
        for style, (name, key) in zip(STYLES, GROWTH.items(), strict=True):
            counts = _different([getattr(entry, key) for entry in order])
            if counts and counts[-1] > 1:
                panel.plot(range(1, len(counts) + 1), counts, style, color=_colour(number), lw=1.4)
                ends.append((counts[-1], f"{counts[-1]} {name}", _colour(number)))
    top = 1.08 * max((end[0] for end in ends), default=1)
    _title(panel, "d", "different words in n prompts")
    panel.set_ylim(0, top)
    panel.set_xlim(0, longest * 1.36)
    panel.set_xticks([tick for tick in panel.get_xticks() if tick <= longest])
    panel.set_xlabel("prompts", fontsize=TEXT, color=SOFT)
    for at, (_, text, colour) in zip(_apart([end[0] for end in ends], 0.065 * top), ends, strict=True):
        panel.text(longest * 1.03, at, text, va="center", fontsize=TEXT - 1.5, color=colour)


def _different(words: Sequence[str]) -> list[int]:
    """How many different words there are among the first, the first two, and so on."""
    first = {word: at for at, word in reversed(list(enumerate(words))) if word}
    new = np.zeros(len(words), int)
    new[list(first.values())] = 1
    return [int(count) for count in np.cumsum(new)]


def _apart(heights: Sequence[float], least: float) -> list[float]:
    """Heights moved up where labels would lie on one another."""
    found = list(heights)
    for before, at in pairwise(sorted(range(len(found)), key=lambda one: found[one])):
        found[at] = max(found[at], found[before] + least)
    return found
