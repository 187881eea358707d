"""Error against sparsity: what an algorithm can do that may leave pixels out, over a sweep of its settings.

After Kostlivá, Čech & Šára (2007). The sparsity rate is the share of the matchable pixels (those of a region, nonocc
by default, whose true disparity is known) that have no estimate. The error rate is the share of wrong ones, by more
than δ, among the estimated.

Deviation: only the abstract of the source was at hand. The denominator of the error rate is our choice, and so is
the area as a figure of merit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from beholder.core.benchmark import Model
from beholder.core.sample import Sample
from beholder.errors import Misuse
from beholder.registry.spec import parse
from beholder.stereo.estimates import Estimates
from beholder.stereo.measures.disparity import bad_pixels, density
from beholder.stereo.regions import confined
from beholder.stereo.sweeps.variants import variants
from beholder.stereo.types import Map, Pair, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Matchers that leave a pixel out unless its best match costs so many per cent less than the next one.
SWEEPS = {name: {"uniqueness": (0, 5, 10, 15, 20, 30, 40, 60)} for name in ("sgbm", "block")}

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # Okabe & Ito's
_MARKS = "os^Dvp"
_TEXT = 8  # points


class Point(NamedTuple):
    """What one setting achieves: both rates are shares, the less the better."""

    sparsity: float
    error: float


def rates(found: Estimates, true: Map, *, delta: float = 1.0) -> Point:
    """Sparsity and error rate of a map in the pixels of known disparity; the error is 1 where nothing is estimated.

    >>> import numpy as np
    >>> rates(np.array([5.0, 7, np.nan, np.nan]), np.array([5.0, 5, 5, 5]))
    Point(sparsity=0.5, error=0.5)
    """
    return Point(1 - density(found, true), bad_pixels(found, true, delta=delta, invalid="exclude") / 100)


def swept(algorithms: Iterable[str]) -> dict[str, Model]:
    """The models of a sweep: each algorithm under every value of the setting that makes it sparser, holes left open."""
    unknown = [name for name in algorithms if name not in SWEEPS]
    if unknown:
        raise Misuse(
            f"got {unknown[0]!r}, which has no known setting that makes it sparser; there are {', '.join(SWEEPS)}"
        )
    return {
        label: model
        for name in algorithms
        for label, model in variants(name, {**SWEEPS[name], "fill": (False,)}).items()
    }


def curves(
    sample: Sample[Pair, Truth], answers: Mapping[str, Map], *, region: str = "nonocc", delta: float = 1.0
) -> dict[str, list[Point]]:
    """The points of each algorithm on one sample: its answers are those whose labels are NAME(setting=…)."""
    found: dict[str, list[Point]] = {}
    for label, answer in answers.items():
        point = rates(*confined(answer, sample.reference, name=region), delta=delta)
        found.setdefault(parse(label)[0], []).append(point)
    return found


def sparsity_of_answers(sample: Sample[Pair, Truth], answers: Mapping[str, Map]) -> Figure:
    """Error against sparsity of every algorithm on one sample."""
    return sparsity_curves(curves(sample, answers))


def staircase(points: Iterable[Point]) -> list[Point]:
    """The lower left of some points, from dense to sparse: those that none equals or beats in both rates.

    >>> staircase([Point(0.2, 0.1), Point(0.1, 0.3), Point(0.3, 0.1), Point(0.3, 0.2)])
    [Point(sparsity=0.1, error=0.3), Point(sparsity=0.2, error=0.1)]
    """
    kept: list[Point] = []
    for point in sorted(points):
        if not kept or point.error < kept[-1].error:
            kept.append(point)
    return kept


def boundary(several: Iterable[Iterable[Point]]) -> list[Point]:
    """The feasibility boundary: the staircase over all algorithms, the best that any of them achieves."""
    return staircase(point for curve in several for point in curve)


def error_at(points: Iterable[Point], sparsity: float) -> float:
    """The least error of the points that are at most so sparse; 1 where there is none.

    >>> error_at([Point(0.1, 0.3), Point(0.2, 0.1)], 0.15), error_at([Point(0.1, 0.3)], 0.05)
    (0.3, 1.0)
    """
    return min((point.error for point in points if point.sparsity <= sparsity), default=1.0)


def shortfall(points: Iterable[Point], best: Iterable[Point]) -> float:
    """The area between a curve and the boundary `best` over sparsities of 0 … 1; 0 for whoever is the boundary.

    ∫ (e(s) − e*(s)) ds with e(s) as in `error_at`: an algorithm that cannot be as dense as another pays for it with
    an error of 1 up to its densest point.

    >>> shortfall([Point(0.5, 0.25)], [Point(0.25, 0.5), Point(0.5, 0.25)])
    0.125
    """
    own, theirs = staircase(points), staircase(best)
    edges = sorted({0.0, 1.0, *(point.sparsity for point in (*own, *theirs))})
    return fsum((error_at(own, start) - error_at(theirs, start)) * (end - start) for start, end in pairwise(edges))


def sparsity_curves(swept: Mapping[str, Sequence[Point]]) -> Figure:
    """Every algorithm's points and staircase, the feasibility boundary behind them, and how far each falls short."""
    from matplotlib.figure import Figure

    if not any(swept.values()):
        raise ValueError("got no points; expected at least one algorithm with one point; sweep it first")
    figure = Figure((5.0, 3.4), dpi=200, layout="constrained")
    axes = figure.subplots()
    best = boundary(swept.values())
    end = 1.08 * max(point.sparsity for points in swept.values() for point in points) or 1.0
    axes.plot(*_steps(best, end), color="#c8c8c8", lw=5, solid_capstyle="butt", label="feasibility boundary", zorder=1)
    for n, (name, points) in enumerate(swept.items()):
        _curve(axes, points, end, f"{name}  ({100 * shortfall(points, best):.2f})", n)
    _scales(axes, end)
    return figure


def _curve(axes: Axes, points: Sequence[Point], end: float, name: str, n: int) -> None:
    colour, mark = _COLOURS[n % len(_COLOURS)], _MARKS[n % len(_MARKS)]
    axes.plot(*_steps(staircase(points), end), color=colour, lw=1.2, zorder=2)
    kept = set(staircase(points))
    for point in points:
        axes.plot(*point, mark, color=colour, markersize=4, markerfacecolor=colour if point in kept else "white")
    axes.plot([], [], mark, color=colour, ls="-", lw=1.2, markersize=4, label=name)


def _scales(axes: Axes, end: float) -> None:
    axes.set(xlim=(0, end), ylim=(0, None))
    axes.set_xlabel("sparsity: matchable pixels without an estimate", size=_TEXT)
    axes.set_ylabel("error: share wrong among estimated pixels", size=_TEXT)
    for side in (axes.xaxis, axes.yaxis):
        side.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    axes.tick_params(labelsize=_TEXT - 1)
    axes.spines[["top", "right"]].set_visible(False)
    legend = axes.legend(
        fontsize=_TEXT - 1, frameon=False, title="algorithm (area to the boundary, %)", alignment="left"
    )
    legend.get_title().set_fontsize(_TEXT - 1)


def _steps(points: Sequence[Point], end: float) -> tuple[list[float], list[float]]:
    """The corners of a staircase: each error holds up to the next point, the last one to `end`."""
    across, up = [points[0].sparsity], [points[0].error]
    for point in points[1:]:
        across += [point.sparsity, point.sparsity]
        up += [up[-1], point.error]
    return [*across, end], [*up, up[-1]]
