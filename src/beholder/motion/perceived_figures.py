"""Pictures of perceived flow: the frame with its probes, and what people, truth and models say at each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.motion.perceived import Field, Local, Probes, Scene, Shown, at_probes
from beholder.spine.sample import Sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

MOST = 15  # probes that are drawn one by one
ACROSS = 6  # of them in a row, at most
LONG = 0.09  # of the picture's width: the longest arrow
# Okabe and Ito's colours, apart for all common kinds of colour blindness; black is people, green the truth.
_COLOURS = ("#0072b2", "#d55e00", "#cc79a7", "#e69f00", "#56b4e9", "#666666")
_MARKS = ("o", "s", "^", "D", "v", "P")
_TRUTH, _PEOPLE = "#009e73", "#000000"
_ARROW: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1}
_TEXT = 7  # points
_WIDE, _CELL = 9.0, 1.5  # inches, of the figure and of a probe's plot


def probed(sample: Sample[Shown, Probes], answers: Mapping[str, Field | Local]) -> Figure:
    """The probed frame, where it is here, with the vectors of people and truth; then each probe by itself.

    In the small plots the origin is rest: small dots are single trials, the black arrow is people's mean, the green one
    the truth, and a marker is where a model's vector ends. All have one scale, x to the right and y up.
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
    for at in range(count):
        axes = figure.add_subplot(grid[at // across + seen, at % across])
        _hodograph(axes, sample.reference, vectors, at, reach)
    _legend(figure, vectors, columns=6 if count > 1 else 3)
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
    axes.set_title(f"probed frame; arrows {longer:.1f} times as long as the motion between two frames", size=_TEXT)


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


def _hodograph(axes: Axes, probes: Probes, vectors: Mapping[str, Floats], at: int, reach: float) -> None:
    """One probe: trials, people's mean, truth, models. What lies beyond the plot stands at its edge."""
    thin = 1.0 if len(probes.truth) > 1 else 0.5  # arrows are as wide as the plot says, and one probe's is large
    axes.axhline(0, color="#dddddd", linewidth=0.6, zorder=0)
    axes.axvline(0, color="#dddddd", linewidth=0.6, zorder=0)
    trials = probes.people[:, :, at].reshape(-1, 2)
    axes.plot(*np.clip(trials, -reach, reach).T, ".", color="#999999", markersize=3, zorder=1)
    for vector, colour, wide in ((probes.truth[at], _TRUTH, 0.022), (probes.everyone[at], _PEOPLE, 0.014)):
        if np.isfinite(vector).all():
            axes.quiver(0, 0, *vector, color=colour, width=thin * wide, zorder=2, **_ARROW)
    for n, found in enumerate(vectors.values()):
        end = np.clip(found[at], -reach, reach)
        axes.plot(*end, linestyle="", zorder=3, clip_on=False, **_mark(n))
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    axes.set_title(f"{at + 1}", size=_TEXT, pad=2)
    axes.tick_params(labelsize=_TEXT - 2, length=2)
    axes.locator_params(nbins=4)
    if at == 0:
        axes.set_ylabel("px/frame", size=_TEXT)


def _mark(number: int) -> dict[str, Any]:
    """A colour and a marker for each model; beyond the colours the markers go round another way."""
    return {
        "color": _COLOURS[number % len(_COLOURS)],
        "marker": _MARKS[(number + number // len(_COLOURS)) % len(_MARKS)],
        "markersize": 3.5,
        "markeredgewidth": 0.4,
        "markeredgecolor": "white",
    }


def _legend(figure: Figure, vectors: Mapping[str, Floats], columns: int) -> None:
    from matplotlib.lines import Line2D

    lines = [
        Line2D([], [], color=_TRUTH, linewidth=2.5, label="truth"),
        Line2D([], [], color=_PEOPLE, linewidth=1.5, label="people, mean"),
        Line2D([], [], color="#999999", marker=".", linestyle="", markersize=4, label="single trials"),
        *(Line2D([], [], linestyle="", label=name, **_mark(n)) for n, name in enumerate(vectors)),
    ]
    figure.legend(handles=lines, loc="outside lower center", ncols=columns, fontsize=_TEXT, frameon=False)
