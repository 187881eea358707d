"""Curves of looking: hit rate, ROC, congruency over fixation numbers, and salience along a path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.measures.auc import roc_curve
from beholder.attention.measures.hit_rate import hit_rate_curve
from beholder.attention.measures.nss import z_scores
from beholder.attention.people import ceiling as people
from beholder.attention.people.gold_standard import gold_standard
from beholder.attention.readouts import Surface
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import NotApplicable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, apart for all common kinds of colour blindness; black is for people.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
GREY = "#b0b0b0"
TEXT = 8  # points
NAMED = 4  # models in colours; the others are grey, for more lines cannot be told apart
GRID = np.linspace(0, 1, 101)

Curve = Callable[[Surface, Lookers], Floats]


class Shown(NamedTuple):
    """A model that is drawn."""

    name: str
    surface: Surface
    nss: float


def curves(panels: Any, lookers: Lookers, *, shown: Sequence[Shown]) -> None:
    """Hit rate, ROC and congruency of one picture, side by side."""
    shuffled = lookers.controls is not None and len(lookers.controls.points) > 0
    rates = shuffled_rates if shuffled else unfixated_rates
    small = people.shrink(lookers)
    human = human_curves(small, (hits, rates))
    several(panels[0], lookers, shown=shown, curve=hits, human=human[0])
    several(panels[1], lookers, shown=shown, curve=rates, human=human[1])
    square(panels[0], "share of the picture kept", "share of fixations inside", "hit rate")
    against = "fixations on other pictures" if shuffled else "unfixated pixels"
    square(panels[1], f"false alarms ({against})", "hits", "ROC")
    congruencies(panels[2], small)


def hits(found: Surface, lookers: Lookers) -> Floats:
    """The hit rate at 0, 1 … 100 % of the picture."""
    return hit_rate_curve(found, lookers, kept=GRID)[1]


def shuffled_rates(found: Surface, lookers: Lookers) -> Floats:
    """Hits at 0, 1 … 100 % of false alarms, which are fixations made on other pictures."""
    curve = roc_curve(found, lookers, controls="shuffled")
    return np.interp(GRID, curve.fpr, curve.tpr)


def unfixated_rates(found: Surface, lookers: Lookers) -> Floats:
    """Hits at 0, 1 … 100 % of false alarms, which are pixels that nobody fixated."""
    curve = roc_curve(found, lookers, controls="unfixated")
    return np.interp(GRID, curve.fpr, curve.tpr)


def human_curves(lookers: Lookers, of: Sequence[Curve]) -> list[Floats | None]:
    """Curves of people: the gold standard of the others for each observer, averaged; none of fewer than two people."""
    seen = people.observers(lookers)
    if len(seen) < 2:
        return [None] * len(of)
    each: list[list[Floats]] = [[] for _ in of]
    for who in seen:
        found = _surface(lookers.without(who))
        for kept, curve in zip(each, of, strict=True):
            kept.append(curve(found, lookers.only(who)))
    return [np.asarray(np.mean(kept, axis=0)) for kept in each]


def _surface(others: Lookers) -> Surface:
    found = gold_standard(others)
    return Surface(np.exp(found.log), found.log, found.by)


def congruencies(axes: Axes, lookers: Lookers) -> None:
    """NSS of each fixation number on the others' map, and of the first so many fixations, with standard errors."""
    try:
        rank, count = people.congruency_by_number(lookers), people.congruency_by_count(lookers)
    except NotApplicable as why:
        axes.text(0.5, 0.5, str(why), ha="center", va="center", size=TEXT - 1, wrap=True)
        axes.set_axis_off()
        return
    course(axes, rank, label="that fixation", colour=COLOURS[0])
    course(axes, count, label="all fixations up to it", colour=COLOURS[1])
    axes.axhline(0, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xlabel("fixation number", size=TEXT)
    axes.set_ylabel("NSS on the others' map", size=TEXT)
    axes.set_title("congruency of people", size=TEXT + 1)
    axes.legend(fontsize=TEXT - 1, frameon=False)
    _plain(axes)


def course(axes: Axes, of: people.Course, *, label: str, colour: str) -> None:
    """One course with its standard errors."""
    at = np.arange(1, len(of.mean) + 1)
    held = np.isfinite(of.mean)
    axes.errorbar(
        at[held],
        of.mean[held],
        of.sem[held],
        color=colour,
        label=label,
        marker="o",
        markersize=3,
        linewidth=1.2,
        capsize=2,
    )


def along_path(axes: Axes, lookers: Lookers, *, of: Shown) -> None:
    """The z-scored map of a model at each fixation of the observer with the most, and their mean, which is the NSS."""
    who = max(people.observers(lookers), key=lambda name: len(lookers.paths[name]), default="")
    if not who:
        axes.set_axis_off()
        return
    one = lookers.only(who)
    values = z_scores(of.surface, one, pixels(one.points, (lookers.shape[0], lookers.shape[1])))
    at = np.arange(1, len(values) + 1)
    axes.bar(at, values, color=[COLOURS[0] if value >= 0 else COLOURS[1] for value in values], width=0.7)
    axes.axhline(values.mean(), color="black", linewidth=1, linestyle="--", label=f"NSS {values.mean():.2f}")
    axes.set_title(f"{of.name} along the path of {who}", size=TEXT, pad=3)
    axes.set_xlabel("fixation number", size=TEXT - 1)
    axes.set_ylabel("z", size=TEXT - 1)
    axes.set_xticks(at)
    axes.legend(fontsize=TEXT - 2, frameon=False)
    _plain(axes)


def several(axes: Axes, lookers: Lookers, *, shown: Sequence[Shown], curve: Curve, human: Floats | None = None) -> None:
    """A curve of each model, the first four in colours, of people in black, and of chance."""
    for at, one in reversed(list(enumerate(shown))):
        colour, label, width = (COLOURS[at], one.name, 1.4) if at < NAMED else (GREY, None, 0.7)
        axes.plot(GRID, curve(one.surface, lookers), color=colour, label=label, linewidth=width)
    if len(shown) > NAMED:
        axes.plot([], [], color=GREY, linewidth=0.7, label=f"{len(shown) - NAMED} others")
    if human is not None:
        axes.plot(GRID, human, color="black", linewidth=1.8, label="people, one left out")
    axes.plot([0, 1], [0, 1], ":", color="black", linewidth=0.8, label="chance")


def square(axes: Axes, across: str, up: str, title: str) -> None:
    """A panel from 0 to 1 both ways, with a key."""
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.set_xlabel(across, size=TEXT)
    axes.set_ylabel(up, size=TEXT)
    axes.set_title(title, size=TEXT + 1)
    axes.legend(fontsize=TEXT - 2, frameon=False, loc="lower right")
    _plain(axes)


def _plain(axes: Axes) -> None:
    axes.tick_params(labelsize=TEXT - 1, length=2)
    axes.spines[["top", "right"]].set_visible(False)
