"""Pictures of motion: what was shown, the direction error over time, and where it ends."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.core.sample import Sample
from beholder.motion.courses.decays import no_plain_diamond
from beholder.motion.courses.fit import Fit, fit
from beholder.motion.courses.series import Seen
from beholder.motion.readouts import STILL, final_direction, trace
from beholder.motion.references import name_placeholders, normal
from beholder.motion.types import Flow, Movie, Percept, Trace, Velocity

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.projections.polar import PolarAxes

Floats = NDArray[np.float64]
FRAMES = 6  # of the film strip
# Okabe and Ito's colours, apart for all common kinds of colour blindness; black is for the percept.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_LINES = ("-", "--", ":", "-.")  # models beyond the colours differ by their lines
_MARKS = ("o", "s", "^", "D")  # and by the marks on them
APART = 8  # instants between two marks of a course, at least
ASIDE = 2.0  # points between curves of two models that agree, at most; four times as many for all of them
SIDE_BY_SIDE = "curves are offset slightly\nso that equal ones show"
LEAST = 5.0  # degrees of error to either side that a course shows at least: smaller ones are rounding, or look like it
TEXT = 8  # points
GREY = "#808080"
_WIDE, _HIGH = 9.0, 4.6  # inches
_READ: WeakKeyDictionary[Any, tuple[Movie, Trace]] = WeakKeyDictionary()


def courses(sample: Sample[Movie, Percept], answers: Mapping[str, Flow | Velocity], *, reference: str = "") -> Figure:
    """A film strip, each model's direction error over time, and the final directions.

    The error counts towards the vector average of the edges, which is a dotted line; 0 is where people end. Thin grey
    curves are the exponential fits, where there is a decay. Each course has marks at instants of its own and each ray a
    length of its own, so that equal answers do not hide one another. For diamonds a band shows the references' α, β and
    τ with one standard deviation, from the onset of the response; a band that rests on placeholders says so.
    """
    from matplotlib.figure import Figure

    figure = Figure((_WIDE, _HIGH), dpi=150, layout="constrained")
    grid = figure.add_gridspec(2, 3, height_ratios=(1, 2.4), width_ratios=(1, 1, 0.9))
    _strip(figure.add_subplot(grid[0, :]), sample.stimulus)
    axes, polar = figure.add_subplot(grid[1, :2]), figure.add_subplot(grid[1, 2], projection="polar")
    _human(axes, sample, reference)
    for n, ((name, answer), style) in enumerate(zip(answers.items(), marked(len(answers)), strict=True)):
        one = seen(answer, sample)
        _course(axes, one, name, {**style, "markevery": instants(n, len(answers), len(one.error))})
        # matplotlib types every subplot as plain axes
        _end(polar, one, style, 0.8 - 0.55 * n / len(answers))  # type: ignore[arg-type]
    _frame(axes, sample.reference)
    _compass(polar, sample.reference)  # type: ignore[arg-type]
    figure.legend(loc="outside right center", fontsize=TEXT - 1, frameon=False)
    return figure


def seen(answer: Any, sample: Sample[Movie, Percept]) -> Seen:
    """What is read out of an answer, once: the sheet of a sample and its views ask one after the other."""
    movie, found = _READ.get(answer, (None, None))
    if found is None or movie is not sample.stimulus:
        found = trace(answer, sample.stimulus)
        _READ[answer] = sample.stimulus, found
    return Seen(found, sample.reference)


def film_strip(movie: Movie) -> Figure:
    """Some frames of a movie side by side, with their times."""
    from matplotlib.figure import Figure

    figure = Figure((_WIDE, _WIDE / FRAMES + 0.3), dpi=150, layout="constrained")
    _strip(figure.add_subplot(), movie)
    return figure


def contact_sheet(movies: Mapping[str, Movie]) -> Figure:
    """The film strips of several movies below one another, each with its name."""
    from matplotlib.figure import Figure

    figure = Figure((_WIDE * 0.75, 1.2 * len(movies)), dpi=100, layout="constrained")
    for axes, (name, movie) in zip(np.atleast_1d(figure.subplots(len(movies))), movies.items(), strict=True):
        _strip(axes, movie)
        axes.set_ylabel(fill(name, 14), size=TEXT - 1, rotation=0, ha="right", va="center")
    return figure


def human_course(seconds: Floats, *, reference: str = "") -> tuple[Floats, Floats]:
    """The course of people's error on a diamond, and its standard deviation: α exp(−t/τ) + β, propagated linearly.

    The deviations of α, β and τ are taken as independent.

    >>> mean, sd = human_course(np.array([0.0]))
    >>> float(mean[0]), round(float(sd[0]), 3)  # 40 + 0, and √(20² + 5²)
    (40.0, 20.616)
    """
    alpha, beta, tau = (normal(f"diamond.{name}", reference) for name in ("alpha", "beta", "tau"))
    fall = np.exp(-seconds / tau.value)
    slope = alpha.value * seconds / tau.value**2 * fall
    sd = np.sqrt((fall * alpha.spread) ** 2 + beta.spread**2 + (slope * tau.spread) ** 2)
    return alpha.value * fall + beta.value, sd


def placeholders(reference: str = "") -> str:
    """What must be said beside the curve of people: whether it rests on placeholders.

    >>> placeholders()
    ' (placeholders)'
    """
    used = {name: normal(name, reference) for name in ("diamond.alpha", "diamond.beta", "diamond.tau")}
    return " (placeholders)" if name_placeholders(used) else ""


def _strip(axes: Axes, movie: Movie) -> None:
    """Frames in a row, on one grey scale: black is no light, white twice the ground's, so that contrast shows."""
    picks = np.unique(np.linspace(0, len(movie.frames) - 1, FRAMES).round().astype(int))
    white = max(2 * float(np.median(movie.frames[:, 0])), float(movie.frames.max(initial=0.0)))
    width = movie.frames.shape[2]
    gap = max(1, width // 20)
    row = np.pad(movie.frames[picks], ((0, 0), (0, 0), (0, gap)), constant_values=np.nan)
    axes.imshow(np.concatenate(list(row), axis=1), cmap="gray", vmin=0, vmax=white)
    times = (picks - movie.onset) / movie.hertz * 1000
    centres = np.arange(len(picks)) * (width + gap) + width / 2
    axes.set_xticks(centres, [f"{t:.0f} ms" for t in times], size=TEXT)
    axes.set_yticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def styles(count: int) -> list[dict[str, Any]]:
    """A colour and a line for each model."""
    return [
        {"color": _COLOURS[n % len(_COLOURS)], "linestyle": _LINES[n // len(_COLOURS) % len(_LINES)]}
        for n in range(count)
    ]


def marked(count: int) -> list[dict[str, Any]]:
    """A colour, a line and a mark for each model."""
    marks = [_MARKS[n // len(_COLOURS) % len(_MARKS)] for n in range(count)]
    return [{**style, "marker": mark, "markersize": 3.2} for style, mark in zip(styles(count), marks, strict=True)]


def step_aside(line: Line2D, number: int, count: int) -> None:
    """Move a curve a little sideways, each model's by its own amount: equal ones stand side by side; its data stay."""
    from matplotlib.transforms import ScaledTranslation

    if line.figure:
        points = (number - (count - 1) / 2) * min(ASIDE, 4 * ASIDE / count)
        line.set_transform(line.get_transform() + ScaledTranslation(points / 72, 0, line.figure.dpi_scale_trans))


def instants(number: int, count: int, length: int) -> tuple[int, int]:
    """The first instant that has a model's mark, and the instants between two: no other model has marks there.

    >>> instants(1, 3, 22), instants(13, 14, 45)
    ((1, 8), (13, 14))
    """
    step = max(1, min(max(count, APART), length))
    return number % step, step


def _course(axes: Axes, one: Seen, name: str, style: Mapping[str, Any]) -> None:
    """One model's error, and its fit where there is a decay."""
    seconds, error = one.trace.seconds, one.error
    label = name if np.isfinite(error).any() else f"{name} (no direction)"
    axes.plot(seconds * 1000, error, label=label, linewidth=1.4, **style)
    curve = fitted(seconds, error)
    if curve and curve.status != "none":
        axes.plot(seconds * 1000, curve.at(seconds), color=GREY, linewidth=0.7)


def fitted(seconds: Floats, error: Floats) -> Fit | None:
    """The fit to an error over time; None where too few instants have a direction."""
    try:
        return fit(seconds, error)
    except NotApplicable:
        return None


def _human(axes: Axes, sample: Sample[Movie, Percept], reference: str) -> None:
    """The band of people, for diamonds that they were shown.

    Their t = 0 is the onset of the response, as in the score. Models that share a panel begin at different times, so
    that the band is drawn as of one who begins at once, and its label says so.
    """
    if no_plain_diamond(sample.reference):
        return
    seconds = np.linspace(0, max(float(sample.stimulus.seconds[-1]), 0.01), 100)
    mean, sd = human_course(seconds, reference=reference)
    label = f"people ± 1 sd{placeholders(reference)},\nfrom the onset of the response"
    axes.fill_between(seconds * 1000, mean - sd, mean + sd, color="#000000", alpha=0.1, linewidth=0, label=label)
    axes.plot(seconds * 1000, mean, color="#000000", linewidth=0.8, alpha=0.6)


def _frame(axes: Axes, percept: Percept) -> None:
    axes.axhline(0, color="#000000", linewidth=0.8, zorder=1)  # below the courses
    if np.isfinite(percept.bias) and percept.bias:
        axes.axhline(abs(percept.bias), color="#000000", linewidth=0.8, linestyle=":", label="vector average")
    axes.set_xlabel("time from the onset of motion (ms)", size=TEXT)
    axes.set_ylabel("direction error (deg)", size=TEXT)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -LEAST), max(high, LEAST))
    axes.tick_params(labelsize=TEXT - 1)
    axes.spines[["top", "right"]].set_visible(False)


def _end(polar: PolarAxes, one: Seen, style: Mapping[str, Any], length: float) -> None:
    """The final direction as a ray with a mark at its end."""
    direction = final_direction(one.trace, slowest=STILL * one.percept.speed)
    if np.isfinite(direction):
        polar.plot(np.radians([direction, direction]), [0.1, length], linewidth=1.6, markevery=[1], **style)


def _compass(polar: PolarAxes, percept: Percept) -> None:
    """Where people end, and the vector average."""
    for direction, colour in ((percept.vector_average, "#a0a0a0"), (percept.object_direction, "#000000")):
        if np.isfinite(direction):
            polar.plot(np.radians([direction, direction]), [0.85, 1.0], color=colour, linewidth=2.5)
    polar.set_ylim(0, 1)
    polar.set_yticks([])
    polar.set_xticks(np.radians([0, 90, 180, 270]), ["right", "up", "left", "down"], size=TEXT - 1)
    polar.set_title(
        "final direction (lengths differ only to separate the rays)\nblack: people, grey: vector average", size=TEXT
    )
