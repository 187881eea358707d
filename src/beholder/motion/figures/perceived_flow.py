"""Pictures of perceived flow: the frame with its probes, and what people, truth and models say at each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Sample
from beholder.motion.perceived import Field, Local, Probes, Scene, Shown, at_probes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

MOST = 15  # probes that are drawn one by one
ACROSS = 6  # of them in a row, at most
# Legends, shown only where they apply.
BEYOND, APART = "ends outside the plot, in this direction", "from a shifted marker to its true position"
LONG = 0.09  # of the picture's width: the longest arrow
# Okabe and Ito's colours, apart for all common kinds of colour blindness; black is people, green truth, grey trials.
_COLOURS = ("#0072b2", "#d55e00", "#cc79a7", "#e69f00", "#56b4e9", "#882255")
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "p", "<", "*", ">", "d")
_SIZE = 4.8  # points, of a model's marker
_ROOM = 0.85  # of its size, between two: they may touch
_EDGE = 0.95  # of the way to the edge of a plot: where the triangle of what lies beyond it stands
_INSIDE = 0.86  # and the marker of the model whose triangle it is
_TRIANGLE = np.array([(1.0, 0.0), (-0.8, 0.45), (-0.8, -0.45), (1.0, 0.0)])  # slender: its tip, to the right, is plain
_TRUTH, _PEOPLE, _TRIALS = "#009e73", "#000000", "#999999"
_ARROW: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1}
_FAR: dict[str, Any] = {"marker": _TRIANGLE, "markersize": 6, "linestyle": "", "snap": False, "label": BEYOND}
_LEADS: dict[str, Any] = {"arrowstyle": "-", "color": "#444444", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 0}
_TEXT = 7  # points
_WIDE, _CELL = 9.0, 1.5  # inches, of the figure and of a probe's plot


def probed(sample: Sample[Shown, Probes], answers: Mapping[str, Field | Local]) -> Figure:
    """The probed frame, where it is here, with the vectors of people and truth; then each probe by itself.

    In the small plots the origin is rest: small dots are single trials, the black arrow is people's mean, the green one
    the truth, and a marker is where a model's vector ends. All have one scale, x to the right and y up. What lies
    beyond a plot stands at its edge in its own direction, with a triangle. Markers that would hide one another are set
    apart, and a thin line leads from each to where its vector ends.
    """
    from matplotlib.figure import Figure

    seen = isinstance(sample.stimulus, Scene)
    count = min(len(sample.reference.truth), MOST)
    rows = -(-count // ACROSS)
    across = -(-count // rows)
    cell = _CELL if count > 1 else 2 * _CELL
    top = _frame_height(sample.stimulus)
    figure = Figure((_WIDE if count > 1 else 0.6 * _WIDE, cell * rows + top + 0.7), dpi=150, layout="constrained")
    grid = figure.add_gridspec(rows + seen, across, height_ratios=[*([top] if seen else []), *[cell] * rows])
    if isinstance(sample.stimulus, Scene):
        _picture(figure.add_subplot(grid[0, :]), sample.stimulus, sample.reference)
    vectors = {name: one.velocity for name, one in _read(sample.stimulus, answers).items() if not one.people}
    reach = _reach(sample.reference, vectors)
    plots = [figure.add_subplot(grid[at // across + seen, at % across]) for at in range(count)]
    for at, axes in enumerate(plots):
        _hodograph(axes, sample.reference, vectors, at, reach)
        _labelled(axes, at, first=at % across == 0, last=at + across >= count)
    _legend(figure, plots, vectors, columns=6 if count > 1 else 3)
    if count < len(sample.reference.truth):
        figure.suptitle(f"the first {count} of {len(sample.reference.truth)} probes", size=_TEXT)
    return figure


def _read(shown: Shown, answers: Mapping[str, Field | Local]) -> dict[str, Local]:
    return {name: at_probes(found, shown) for name, found in answers.items()}


def _frame_height(shown: Shown) -> float:
    """Inches that a frame takes at the figure's width; none where there is none."""
    if not isinstance(shown, Scene):
        return 0.0
    height, width = shown.frames.shape[1:]
    return float(min(_WIDE * height / width, 3.6))


def _picture(axes: Axes, scene: Scene, probes: Probes) -> None:
    """The frame, with arrows of people and truth at the numbered probes."""
    frame = scene.frames[scene.at]
    axes.imshow(frame, cmap="gray", vmin=0, vmax=float(frame.max()), alpha=0.75)
    height, width = frame.shape
    fastest = np.nanmax(np.hypot(*np.concatenate([probes.truth, probes.everyone]).T), initial=1e-9)
    longer = LONG * width / fastest
    for vectors, colour, wide in ((probes.truth, _TRUTH, 0.0042), (probes.everyone, _PEOPLE, 0.0026)):
        u, v = longer * vectors.T
        axes.quiver(*scene.points.T, u, -v, color=colour, width=wide, **_ARROW)
    for at, (x, y) in enumerate(scene.points):
        behind = -7 * np.sign(probes.truth[at])  # points from the foot of the arrow
        axes.annotate(f"{at + 1}", (x, y), behind, textcoords="offset points", **_number())
    axes.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -0.5), xticks=[], yticks=[])
    axes.set_title(f"probed frame; arrows show {longer:.1f} times the motion between two frames", size=_TEXT)


def _number() -> dict[str, Any]:
    """How a probe's number is written: white with a black edge, to be read on any picture."""
    from matplotlib.patheffects import withStroke

    edge = [withStroke(linewidth=1.5, foreground="black")]
    return {"size": _TEXT, "color": "white", "ha": "center", "va": "center", "path_effects": edge}


def _reach(probes: Probes, vectors: Mapping[str, Floats]) -> float:
    """How far the small plots go: to truth and people's mean with room, and to most of the trials and models."""
    means = np.abs(np.concatenate([probes.truth, probes.everyone]))
    rest = np.abs(np.concatenate([probes.people.reshape(-1, 2), *vectors.values()]))
    far = np.nanpercentile(rest, 95) if np.isfinite(rest).any() else 0.0
    return float(1.1 * max(np.nanmax(means, initial=0.0), far, 1e-3))


def _beyond(vectors: Floats, reach: float) -> NDArray[np.bool_]:
    """Which vectors end beyond a square plot of this reach."""
    return np.asarray(np.abs(vectors).max(axis=-1) > reach)


def _within(vectors: Floats, reach: float, share: float = _EDGE) -> Floats:
    """The vectors, and those that end beyond the plot shortened to a share of the way to its edge: the angle stays.

    >>> _within(np.array([[3.0, 4.0], [30.0, 40.0]]), 10.0, share=0.8)
    array([[3., 4.],
           [6., 8.]])
    """
    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    return np.where(largest > reach, vectors * (share * reach / np.maximum(largest, reach)), vectors)


def _hodograph(axes: Axes, probes: Probes, vectors: Mapping[str, Floats], at: int, reach: float) -> None:
    """One probe: trials, people's mean, truth, models."""
    thin = 1.0 if len(probes.truth) > 1 else 0.5  # arrows are as wide as the plot says, and one probe's is large
    axes.axhline(0, color="#dddddd", linewidth=0.6, zorder=0)
    axes.axvline(0, color="#dddddd", linewidth=0.6, zorder=0)
    trials = probes.people[:, :, at].reshape(-1, 2)
    far = _beyond(trials, reach)
    axes.plot(*trials[~far].T, ".", color=_TRIALS, markersize=3, zorder=1)
    for trial in trials[far]:
        _triangle(axes, trial, reach, _TRIALS)
    for vector, colour, wide in ((probes.truth[at], _TRUTH, 0.022), (probes.everyone[at], _PEOPLE, 0.014)):
        if np.isfinite(vector).all():
            axes.quiver(0, 0, *vector, color=colour, width=thin * wide, zorder=2, **_ARROW)
    _models(axes, np.array([found[at] for found in vectors.values()]).reshape(-1, 2), reach, 0.35 * 72 * _CELL / thin)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")


def _models(axes: Axes, ends: Floats, reach: float, half: float) -> None:
    """One marker per model, in a plot that goes about `half` points to either side; none hides another."""
    from matplotlib.transforms import ScaledTranslation

    places = _within(ends, reach, _INSIDE)
    for n, (place, offset) in enumerate(zip(places, _apart(places * half / reach), strict=True)):
        if _beyond(ends[n], reach):
            _triangle(axes, ends[n], reach, _mark(n)["color"])
        if np.hypot(*offset) > _SIZE / 4:
            axes.annotate("", place, offset, textcoords="offset points", arrowprops=_LEADS, zorder=3)
        moved = axes.transData + ScaledTranslation(offset[0] / 72, offset[1] / 72, axes.figure.dpi_scale_trans)
        axes.plot(*place, linestyle="", zorder=4, clip_on=False, transform=moved, **_mark(n))


def _apart(places: Floats) -> Floats:
    """How far each of these places is moved so that no two hide one another; all in points.

    Neighbours push each other away until there is room; those at one place begin a little around it.

    >>> moved = _apart(np.array([[0.0, 0.0], [50.0, 50.0], [0.0, 0.0]]))
    >>> [round(float(np.hypot(*way)), 1) for way in (moved[1], moved[2] - moved[0])]
    [0.0, 4.1]
    """
    turns = 2 * np.pi * np.arange(len(places)) / max(len(places), 1)
    around = 1e-3 * np.stack([np.sin(turns), np.cos(turns)], axis=1)
    moved = places + around
    for _ in range(200):
        gap = moved[:, None] - moved[None]
        far = np.hypot(*np.moveaxis(gap, -1, 0)) + np.diag(np.full(len(places), np.inf))
        push = np.clip(_ROOM * _SIZE - far, 0, None) / 2 / far
        moved = moved + np.nansum(push[..., None] * gap, axis=1)
    return moved - places - around


def _triangle(axes: Axes, vector: Floats, reach: float, colour: str) -> None:
    """A triangle at the edge of the plot, which points to where the vector ends."""
    x, y = vector / np.hypot(*vector)
    turned = {**_FAR, "marker": _TRIANGLE @ [[x, y], [-y, x]]}
    axes.plot(*_within(vector, reach), color=colour, zorder=3, clip_on=False, **turned)


def _labelled(axes: Axes, at: int, *, first: bool, last: bool) -> None:
    """The probe's number, and what the axes are where a row begins and a column ends."""
    axes.set_title(f"{at + 1}", size=_TEXT, pad=2)
    axes.tick_params(labelsize=_TEXT - 2, length=2)
    axes.locator_params(nbins=4)
    if last:
        axes.set_xlabel("right (px/frame)", size=_TEXT - 1)
    if first:
        axes.set_ylabel("up (px/frame)", size=_TEXT - 1)


def _mark(number: int) -> dict[str, Any]:
    """A colour and a marker for each model: one round of colours is filled, the next hollow, and so on."""
    colour, hollow = _COLOURS[number % len(_COLOURS)], number // len(_COLOURS) % 2 == 1
    return {
        "color": colour,
        "marker": _MARKS[(number + number // len(_MARKS)) % len(_MARKS)],
        "markersize": _SIZE,
        "markerfacecolor": "white" if hollow else colour,
        "markeredgecolor": colour if hollow else "white",
        "markeredgewidth": 1.0 if hollow else 0.3,
    }


def _legend(figure: Figure, plots: Sequence[Axes], vectors: Mapping[str, Floats], columns: int) -> None:
    """Truth, people and models, and what is done with markers, where it is done."""
    from matplotlib.lines import Line2D

    beyond = any(line.get_label() == BEYOND for axes in plots for line in axes.get_lines())
    apart = any(axes.texts for axes in plots)
    thin = {name: _LEADS[name] for name in ("color", "linewidth")}
    lines = [
        Line2D([], [], color=_TRUTH, linewidth=2.5, label="truth"),
        Line2D([], [], color=_PEOPLE, linewidth=1.5, label="people, mean"),
        Line2D([], [], color=_TRIALS, marker=".", linestyle="", markersize=4, label="single trials"),
        *([Line2D([], [], color=_TRIALS, **_FAR)] if beyond else []),
        *([Line2D([], [], label=APART, **thin)] if apart else []),
        *(Line2D([], [], linestyle="", label=name, **_mark(n)) for n, name in enumerate(vectors)),
    ]
    figure.legend(handles=lines, loc="outside lower center", ncols=columns, fontsize=_TEXT, frameon=False)
