"""Pictures of disparity maps and of where they are wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.media.image import eight_bit
from beholder.spine.measure import NotApplicable
from beholder.spine.sample import Sample
from beholder.stereo.measures.disparity import bad_pixels
from beholder.stereo.regions import confined
from beholder.stereo.types import Image, Map, Pair, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

DELTA = 1.0  # px: errors above it are bad
_CLASSES = (0, 0.25, 0.5, DELTA, 2, 4, 8)  # px: errors are drawn in classes
# Blue up to δ, orange to red above: apart for all common kinds of colour blindness, and by lightness in print.
_COLOURS = ("#f1f6fb", "#c6dbef", "#8ab8dd", "#fdae61", "#e0621b", "#8f1d0c")
_NO_TRUTH, _NO_ESTIMATE = "#c4c4c4", "#000000"
_ACROSS = 5  # panels side by side: more are not readable on a page
_PANEL = 2.0  # inches
_TEXT = 8  # points, the size of a caption


def disparity_maps(sample: Sample[Pair, Truth], answers: Mapping[str, Map]) -> Figure:
    """The truth over the left image, then each model's map over its errors.

    All maps share one scale, from 0 to the largest true disparity. Errors are drawn in classes: blue up to 1 px,
    orange to red above, with the per cent of these in each region. Grey hatching says that the truth is unknown,
    black that there is no estimate.
    """
    truth = sample.reference
    depth, error = _depth_scale(truth.disparity), _error_scale()
    figure, panels = _panels(len(answers) + 1, sample.stimulus.shape, (depth, error))
    first = panels[0]
    _map(first[0], truth.disparity, depth, "ground truth", _NO_TRUTH)
    _photograph(first[1], sample.stimulus.left)
    for (upper, lower), (name, found) in zip(panels[1:], answers.items(), strict=True):
        _map(upper, found, depth, name, _NO_ESTIMATE)
        _errors(lower, found, truth, error)
    _legend(figure, truth, list(answers.values()))
    return figure


def _depth_scale(truth: Map) -> ScalarMappable:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    return ScalarMappable(Normalize(0, float(np.nanmax(truth))), "viridis")


def _error_scale() -> ScalarMappable:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import BoundaryNorm, ListedColormap

    return ScalarMappable(BoundaryNorm(_CLASSES, len(_COLOURS)), ListedColormap(_COLOURS))


def _panels(
    count: int, shape: tuple[int, int], scales: tuple[ScalarMappable, ScalarMappable]
) -> tuple[Figure, list[tuple[Axes, Axes]]]:
    """An empty figure and its pairs of axes, upper and lower, with a colour bar at the end of each row."""
    from matplotlib.figure import Figure

    across, bands = min(count, _ACROSS), -(-count // _ACROSS)
    height = _PANEL * shape[0] / shape[1] + 0.3
    figure = Figure((across * _PANEL + 0.9, 2 * bands * height + 0.25), dpi=200, layout="compressed")
    axes = figure.subplots(2 * bands, across, squeeze=False)
    for row, line in enumerate(axes):
        _bar(figure, scales[row % 2], list(line), ("disparity (px)", "|error| (px)")[row % 2])
        for one in line:
            one.set(xticks=[], yticks=[])
    pairs = [(axes[2 * band, n], axes[2 * band + 1, n]) for band in range(bands) for n in range(across)]
    for unused in pairs[count:]:
        for one in unused:
            one.set_axis_off()
    return figure, pairs[:count]


def _bar(figure: Figure, scale: ScalarMappable, line: list[Axes], label: str) -> None:
    extend = "max"  # estimates and errors beyond the scale get its last colour
    bar = figure.colorbar(scale, ax=line, extend=extend, shrink=0.95, pad=0.015, fraction=0.05, aspect=18)
    bar.set_label(label, size=_TEXT)
    bar.ax.yaxis.set_major_formatter("{x:g}")
    bar.ax.tick_params(labelsize=_TEXT - 1)


def _map(axes: Axes, disparity: Map, scale: ScalarMappable, title: str, missing: str) -> None:
    axes.imshow(_painted(disparity, scale, missing), interpolation="nearest")
    axes.set_title(title, size=_TEXT + 1)
    if missing == _NO_TRUTH:
        _hatch(axes, disparity)


def _photograph(axes: Axes, image: Image) -> None:
    axes.imshow(eight_bit(image), cmap="gray", vmin=0, vmax=255)
    axes.set_xlabel("left image", size=_TEXT)


def _errors(axes: Axes, found: Map, truth: Truth, scale: ScalarMappable) -> None:
    pixels = _painted(np.abs(found - truth.disparity), scale, _NO_ESTIMATE)
    pixels[~np.isfinite(truth.disparity)] = _rgba(_NO_TRUTH)
    axes.imshow(pixels, interpolation="nearest")
    _hatch(axes, truth.disparity)
    axes.set_xlabel(_shares(found, truth), size=_TEXT)


def _painted(values: Map, scale: ScalarMappable, missing: str) -> Any:
    """The colours of values on a scale, and another one where they are missing."""
    pixels = scale.to_rgba(np.nan_to_num(values), norm=True)
    pixels[~np.isfinite(values)] = _rgba(missing)
    return pixels


def _rgba(colour: str) -> tuple[float, float, float, float]:
    from matplotlib.colors import to_rgba

    return to_rgba(colour)


def _hatch(axes: Axes, truth: Map) -> None:
    """Fine lines over the pixels whose truth is unknown."""
    unknown = ~np.isfinite(truth)
    if unknown.any() and not unknown.all():
        lines = axes.contourf(unknown.astype(float), levels=[0.5, 1.5], colors="none", hatches=["//////"])
        lines.set(linewidth=0, edgecolor="#8a8a8a", hatch_linewidth=0.4)


def _shares(found: Map, truth: Truth) -> str:
    """Bad pixels in the regions of a truth, for a label."""
    parts = []
    for name in truth.regions:
        try:
            parts.append(f"{name} {bad_pixels(*confined(found, truth, name=name), delta=DELTA):.1f}")
        except NotApplicable:
            continue
    return "bad pixels (%)\n" + "   ".join(parts) if parts else ""


def _legend(figure: Figure, truth: Truth, answers: list[Map]) -> None:
    from matplotlib.patches import Patch

    marks = []
    if not np.isfinite(truth.disparity).all():
        marks.append(Patch(facecolor=_NO_TRUTH, edgecolor="#8a8a8a", hatch="//////", label="truth unknown"))
    if any(not np.isfinite(found).all() for found in answers):
        marks.append(Patch(facecolor=_NO_ESTIMATE, label="no estimate"))
    if marks:
        figure.legend(handles=marks, loc="outside lower center", ncols=2, fontsize=_TEXT, frameon=False)
