"""Pictures of flow beside the true one: colours, a wheel that explains them, and where an answer is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.sample import Sample
from beholder.io.image import eight_bit
from beholder.motion.figures.views_of_flow import flow_colours
from beholder.motion.frame_pairs import FramePair
from beholder.motion.measures.flow import epe, fl
from beholder.motion.perceived import Scene
from beholder.motion.true_flow.types import Mask, TrueFlow, Vectors, truth_of, vectors
from beholder.motion.types import Movie

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

CLASSES = (0, 0.5, 1, 3, 5, 10, 20)  # px: errors are drawn in classes; above 3 px they may be outliers of KITTI's
# Blue up to 3 px, orange to red above: apart for all common kinds of colour blindness, and by lightness in print.
COLOURS = ("#f1f6fb", "#c6dbef", "#8ab8dd", "#fdae61", "#e0621b", "#8f1d0c")
NO_TRUTH, NO_ESTIMATE = "#c4c4c4", "#000000"
TRUTH, MODEL = "#00b386", "#d55e00"  # arrows at probes
MOST = 99.5  # per cent of the true speeds that have a colour of their own: few are much faster
LONG = 0.09  # of the frame's width: the longest arrow
_ACROSS = 4  # panels side by side: more are not readable on a page
_PANEL = 2.2  # inches
_WIDE = 2.2  # width over height of a frame from which fewer and larger panels stand side by side
_SIDE = 1.05  # inches, of the wheel and the bar beside them
_TITLE, _LABEL, _FOOT, _GAP = 0.24, 0.24, 0.26, 0.07  # inches, of a title, a label, the legend, and between panels
_TEXT = 8  # points
_HATCH: dict[str, Any] = {"levels": [0.5, 1.5], "colors": "none", "hatches": ["//////"]}


def flow_sheet(sample: Sample[Movie, Any], answers: Mapping[str, Vectors]) -> Figure:
    """The true flow over the first frame, then each model's flow over its errors.

    Hue is the direction, and the paler a colour, the slower: the wheel has the scale, which all share. Errors are
    drawn in classes, blue up to 3 px. Pixels that the second frame does not show are hatched in the first frame. Where
    the truth is known at probes only, arrows stand in place of both.
    """
    truth = truth_of(sample.reference)
    figure, panels = _panels(len(answers) + 1, sample.stimulus.frames.shape[1:], sparse=truth.flow.ndim == 2)
    fastest = top_speed(truth)
    (upper, lower), *others = panels
    if truth.flow.ndim == 3:
        _colours(upper, truth.flow, fastest, "ground truth", NO_TRUTH)
        _photograph(lower, sample.stimulus, truth)
        for (above, below), (name, found) in zip(others, answers.items(), strict=True):
            _colours(above, found, fastest, name, NO_ESTIMATE)
            _errors(below, found, truth)
    else:
        _arrows(upper, sample.stimulus, {TRUTH: truth.flow}, "ground truth at the probes")
        lower.set_axis_off()
        for (above, below), (name, found) in zip(others, answers.items(), strict=True):
            _at_probes(above, below, found, sample.stimulus, truth, name)
    _legend(figure, truth, list(answers.values()))
    draw_wheel(figure, fastest)
    return figure


def top_speed(truth: TrueFlow) -> float:
    """The speed at the rim of the wheel, px."""
    speeds = truth.speed[truth.known]
    return max(float(np.percentile(speeds, MOST)) if speeds.size else 0.0, 0.1)


def colours_of(flow: Vectors, fastest: float, missing: str) -> NDArray[np.uint8]:
    """Image flow in colours; the strength grows as the root of speed, so that slow motion is seen beside fast one."""
    from beholder.vision.painting import rgb

    speed = np.maximum(np.hypot(flow[..., 0], flow[..., 1]), 1e-9)[..., None]
    pixels = flow_colours(flow * (1, -1) * np.sqrt(fastest / speed), fastest)
    pixels[~np.isfinite(flow).all(axis=-1)] = rgb(missing)
    return pixels


def errors_of(found: Vectors, truth: TrueFlow) -> NDArray[np.float32]:
    """The end-point error of each pixel; NaN where there is no estimate or no truth."""
    away = found - truth.flow
    return np.asarray(np.hypot(away[..., 0], away[..., 1]))


def wheel(side: int) -> NDArray[np.uint8]:
    """A disc with the colour of each direction and speed, RGBA: right is right, and the rim is the greatest speed."""
    across = np.linspace(-1, 1, side)
    flow = np.stack(np.meshgrid(across, across), axis=-1).astype(np.float32)
    inside = np.hypot(flow[..., 0], flow[..., 1]) <= 1
    return np.dstack([colours_of(flow, 1.0, NO_ESTIMATE), np.where(inside, 255, 0).astype(np.uint8)])


def _panels(count: int, shape: tuple[int, int], *, sparse: bool) -> tuple[Figure, list[tuple[Axes, Axes]]]:
    """An empty figure and its pairs of axes, upper and lower; room for wheel and bar at the right."""
    from matplotlib.figure import Figure

    across, panel = (
        (_ACROSS, _PANEL) if shape[1] < _WIDE * shape[0] else (_ACROSS - 1, _PANEL * _ACROSS / (_ACROSS - 1))
    )
    across, bands, height = min(count, across), -(-count // across), panel * shape[0] / shape[1]
    band = _TITLE + height + _GAP + height + _LABEL
    wide, high = across * (panel + _GAP) + _GAP + _SIDE, max(bands * band + _FOOT, 2.9)
    figure = Figure((wide, high), dpi=200)
    pairs: list[tuple[Axes, Axes]] = []
    for n in range(count):
        left = _GAP + n % across * (panel + _GAP)
        top = high - n // across * band - _TITLE - height
        upper, lower = (
            figure.add_axes((left / wide, y / high, panel / wide, height / high), xticks=[], yticks=[])
            for y in (top, top - _GAP - height)
        )
        pairs.append((upper, lower))
    if not sparse:
        _bar(figure, (wide, high))
    return figure, pairs


def _bar(figure: Figure, size: tuple[float, float]) -> None:
    wide, high = size
    place = figure.add_axes((1 - (_SIDE - 0.15) / wide, 0.5 / high, 0.11 / wide, 1.2 / high))
    bar = figure.colorbar(_error_scale(), cax=place, extend="max")
    bar.set_label("end-point error (px)", size=_TEXT)
    bar.ax.yaxis.set_major_formatter("{x:g}")
    bar.ax.tick_params(labelsize=_TEXT - 1, length=2)


def draw_wheel(figure: Figure, fastest: float) -> None:
    """The wheel of colours at the upper right, with the speed at its rim."""
    wide, high = figure.get_size_inches()
    side = 0.72
    axes = figure.add_axes((1 - (_SIDE - 0.1) / wide, 1 - (side + 0.4) / high, side / wide, side / high))
    axes.imshow(wheel(240), extent=(-1, 1, -1, 1))
    axes.plot(0, 0, "+", color="#555555", markersize=4, markeredgewidth=0.6)
    axes.set_axis_off()
    axes.set_title("direction", size=_TEXT, pad=3)
    axes.text(0, -1.15, f"rim: {fastest:.3g} px", size=_TEXT - 1, ha="center", va="top")


def _error_scale() -> ScalarMappable:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import BoundaryNorm, ListedColormap

    return ScalarMappable(BoundaryNorm(CLASSES, len(COLOURS)), ListedColormap(COLOURS))


def _colours(axes: Axes, flow: Vectors, fastest: float, title: str, missing: str) -> None:
    axes.imshow(colours_of(flow, fastest, missing), interpolation="nearest")
    axes.set_title(title, size=_TEXT + 1, pad=3)
    if missing == NO_TRUTH:
        _hatch(axes, np.asarray(~np.isfinite(flow).all(axis=-1)), "#8a8a8a")


def first_frame(movie: Movie, *, later: int = 0) -> NDArray[np.uint8]:
    """The frame from which flow is asked for, as it is in its file, or one `later`."""
    at = getattr(movie, "at", 0) + later
    if isinstance(movie, FramePair):
        return np.asarray(movie.pictures[at])
    return eight_bit(np.clip(movie.frames[at] / (float(movie.frames.max()) or 1.0), 0, 1))


def _photograph(axes: Axes, movie: Movie, truth: TrueFlow) -> None:
    axes.imshow(first_frame(movie), cmap="gray", vmin=0, vmax=255)
    hidden = truth.regions.get("unmatched")
    if hidden is not None:
        _hatch(axes, hidden, "#ffffff")
    axes.set_xlabel("first frame", size=_TEXT)


def _hatch(axes: Axes, mask: Mask, colour: str) -> None:
    """Fine lines over some pixels."""
    if mask.any() and not mask.all():
        axes.contourf(mask.astype(float), **_HATCH).set(linewidth=0, edgecolor=colour, hatch_linewidth=0.4)


def _errors(axes: Axes, found: Vectors, truth: TrueFlow) -> None:
    from matplotlib.colors import to_rgba

    away = errors_of(found, truth)
    pixels = _error_scale().to_rgba(np.nan_to_num(away), norm=True)
    pixels[~np.isfinite(away)] = to_rgba(NO_ESTIMATE)
    pixels[~truth.known] = to_rgba(NO_TRUTH)
    axes.imshow(pixels, interpolation="nearest")
    _hatch(axes, ~truth.known, "#8a8a8a")
    axes.set_xlabel(said(found, truth), size=_TEXT)


def said(found: Vectors, truth: TrueFlow) -> str:
    """Both judged measures of an answer, for a label."""
    if not truth.known.any():
        return ""
    return f"EPE {epe(found, truth.flow).value:.2f} px   Fl {fl(found, truth.flow):.1f} %"


def _at_probes(above: Axes, below: Axes, found: Vectors, movie: Movie, truth: TrueFlow, name: str) -> None:
    """A model's field, and its arrows at the probes beside the true ones."""
    if found.ndim == 3:
        _colours(above, found, top_speed(truth), name, NO_ESTIMATE)
    else:
        _arrows(above, movie, {}, name)
    local = vectors(found, movie)
    _arrows(below, movie, {TRUTH: truth.flow, MODEL: local}, "", scale=truth.flow)
    below.set_xlabel(said(local, truth), size=_TEXT)


def _arrows(axes: Axes, movie: Movie, several: Mapping[str, Vectors], title: str, scale: Vectors | None = None) -> None:
    """The frame, paler, with arrows at its probes, all of one scale."""
    frame = first_frame(movie)
    axes.imshow(frame, cmap="gray", vmin=0, vmax=255, alpha=0.6)
    points = movie.points if isinstance(movie, Scene) else np.zeros((0, 2))
    for colour, flow in several.items():
        fastest = float(np.nanmax(np.hypot(*(flow if scale is None else scale).T), initial=1e-9))
        u, v = LONG * frame.shape[1] / fastest * flow.T
        axes.quiver(*points.T, u, v, color=colour, width=0.008, angles="xy", scale_units="xy", scale=1)
    axes.set(xlim=(-0.5, frame.shape[1] - 0.5), ylim=(frame.shape[0] - 0.5, -0.5))
    axes.set_title(title, size=_TEXT + 1, pad=3)


def _legend(figure: Figure, truth: TrueFlow, answers: list[Vectors]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks: list[Any] = []
    if truth.flow.ndim == 2:
        marks += [
            Line2D([], [], color=TRUTH, linewidth=2, label="truth"),
            Line2D([], [], color=MODEL, linewidth=2, label="model"),
        ]
    elif not truth.known.all():
        marks.append(Patch(facecolor=NO_TRUTH, edgecolor="#8a8a8a", hatch="//////", label="truth unknown"))
    if "unmatched" in truth.regions:
        marks.append(Patch(facecolor="#777777", edgecolor="#ffffff", hatch="//////", label="not in the second frame"))
    if any(not np.isfinite(found).all() for found in answers):
        marks.append(Patch(facecolor=NO_ESTIMATE, label="no estimate"))
    if marks:
        figure.legend(handles=marks, loc="lower center", ncols=len(marks), fontsize=_TEXT, frameon=False)
