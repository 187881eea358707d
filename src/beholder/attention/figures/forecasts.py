"""Pictures of forecasts: a person's path up to some fixations, and what each model says of the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from beholder.attention.figures.curves import COLOURS, GREY, TEXT
from beholder.attention.figures.looks import heat
from beholder.attention.figures.paths import cut
from beholder.attention.forecasts.forecast import First, Forecast, Still
from beholder.attention.forecasts.next_of_people import ANY_ORDER
from beholder.attention.people.ceiling import observers
from beholder.attention.types import Floats, Lookers, Picture, Scanpath
from beholder.core.sample import Sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PEOPLE = "people"  # the ceiling's name in every run
CEILINGS = PEOPLE, ANY_ORDER  # their kept answers are for the last one who was left out
STEPS = (1, 4)  # fixations after which the next one is shown
ACROSS = 5  # models side by side: more cannot be read
WIDE, TALL = 9.0, 2.2  # inches: of the figure, and the highest that a panel may be
EDGE, HEAD = 0.1, 0.45  # inches above each row of panels, and above the first


class Shown(NamedTuple):
    """A model that is drawn: what it said along one path."""

    name: str
    forecast: Forecast
    gains: Floats  # bits over a uniform density, of each fixation; NaN of the first, and of maps
    z: Floats

    @property
    def title(self) -> str:
        """Its name and its mean along the path: bits, or of a map the z-score."""
        name = cut(self.name) + (" (adapter)" if self.forecast.low else "")
        if np.isfinite(self.gains).any():
            return f"{name}\n{np.nanmean(self.gains):+.2f} bits"
        return f"{name}\nz {np.nanmean(self.z):+.2f}"


def forecasts(sample: Sample[Picture, Lookers], answers: Mapping[str, Forecast], *, first: First = "drop") -> Figure:
    """What models say of the next fixation of one person, after one and four fixations, and bits along the path.

    The person is the last one of the picture, so that people's forecast is of all others. People come first, then
    models that read the history, then those that say the same every time, by what they gain along this path; five are
    drawn, and none that says nothing. A square is where the eye is, a ring where it went next.
    """
    from matplotlib.figure import Figure

    who, path = person(sample.reference)
    shown = _ordered(answers, sample.reference, path, first)[:ACROSS]
    steps = [at for at in STEPS if at < len(path)]
    if not shown or not steps:
        figure = Figure((WIDE / 2, 1.0), dpi=150)
        figure.text(0.5, 0.5, "nobody here made a second fixation for a model to predict", ha="center", size=TEXT)
        return figure
    height, width = sample.stimulus.shape
    tall = min(TALL, WIDE / max(3, len(shown)) * height / width)
    heights = [len(steps) * (tall + EDGE) + HEAD, 2.3]
    figure = Figure((WIDE, sum(heights)), dpi=150, layout="constrained")
    parts: Any = figure.subfigures(2, 1, height_ratios=heights)
    panels = parts[0].subplots(len(steps), len(shown), squeeze=False)
    for row, at in zip(panels, steps, strict=True):
        for axes, one in zip(row, shown, strict=True):
            _panel(axes, sample.stimulus, one, path, at)
        row[0].set_ylabel(f"after {at} fixation{'s' * (at > 1)}", size=TEXT)
    for axes, one in zip(panels[0], shown, strict=True):
        axes.set_title(one.title, size=TEXT)
    curve(parts[1].subplots(), shown, who=who)
    return figure


def curve(axes: Axes, shown: Sequence[Shown], *, who: str) -> None:
    """Bits of each fixation of a path, of each model that is a density."""
    dense = [one for one in shown if np.isfinite(one.gains).any()]
    for at, one in enumerate(dense):
        number = np.arange(1, len(one.gains) + 1)
        held = np.isfinite(one.gains)
        colour = {PEOPLE: "black", ANY_ORDER: GREY}.get(one.name) or COLOURS[at % len(COLOURS)]
        axes.plot(number[held], one.gains[held], "o-", color=colour, markersize=3, linewidth=1.2, label=cut(one.name))
    axes.axhline(0, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xlabel(f"fixation number of {who}", size=TEXT)
    axes.set_ylabel("bits over a uniform density", size=TEXT)
    axes.locator_params(axis="x", integer=True)
    axes.tick_params(labelsize=TEXT - 1, length=2)
    axes.spines[["top", "right"]].set_visible(False)
    if dense:
        axes.legend(fontsize=TEXT - 1, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))


def _panel(axes: Axes, picture: Picture, one: Shown, path: Scanpath, at: int) -> None:
    """The forecast of fixation `at` as heat, the path up to it, and a ring where the eye went."""
    from matplotlib.patheffects import withStroke

    values = one.forecast.before(path, at).map
    heat(axes, picture, values=values - values.min())
    x, y = path.points[:at].T
    dark = [withStroke(linewidth=2.2, foreground="black")]
    axes.plot(x, y, "-", color="white", linewidth=0.9, path_effects=dark)
    axes.plot(x[:-1], y[:-1], "o", color="white", markersize=2.6, markeredgecolor="black", markeredgewidth=0.5)
    axes.plot(x[-1:], y[-1:], "s", color="white", markersize=4.2, markeredgecolor="black", markeredgewidth=0.7)
    axes.plot(*path.points[at], "o", color="none", markersize=9, markeredgecolor="black", markeredgewidth=3.0)
    axes.plot(*path.points[at], "o", color="none", markersize=9, markeredgecolor="#39d353", markeredgewidth=1.6)
    label = f"{one.gains[at]:+.1f} bits" if np.isfinite(one.gains[at]) else f"z {one.z[at]:+.1f}"
    axes.text(0.02, 0.03, label, transform=axes.transAxes, size=TEXT - 1, color="white", path_effects=dark)


def person(lookers: Lookers) -> tuple[str, Scanpath]:
    """The last one who made two fixations or more."""
    moved = [who for who in observers(lookers) if len(lookers.paths[who]) > 1]
    return (moved[-1], lookers.paths[moved[-1]]) if moved else ("nobody", Scanpath(*np.empty((4, 0))))


def _ordered(answers: Mapping[str, Forecast], lookers: Lookers, path: Scanpath, first: First) -> list[Shown]:
    """Models by what they gain along the path; not single persons, who may have been asked about themselves."""
    found = []
    last = observers(lookers)[-1:]
    for name, forecast in answers.items():
        if name in lookers.paths or (name in CEILINGS and not any(path is lookers.paths[who] for who in last)):
            continue
        try:
            log, _, z = forecast.along(path, first).T
        except LookupError:  # a record of a forecast that was asked about somebody else
            continue
        if not z[1:].any():
            continue
        found.append(Shown(name, forecast, (log + np.log(lookers.shape[0] * lookers.shape[1])) / np.log(2), z))
    return sorted(found, key=_rank)


def _rank(one: Shown) -> tuple[bool, bool, float]:
    """People, forecasts that read their history, all others; by what they gain."""
    held = one.gains[np.isfinite(one.gains)]
    return one.name not in CEILINGS, isinstance(one.forecast.next, Still), -float(held.mean()) if len(held) else np.inf
