"""Pictures of disparity maps, of where they are wrong, and of the views that they predict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.core.sample import Sample
from beholder.io.image import eight_bit
from beholder.stereo.estimates import Invalid
from beholder.stereo.measures.disparity import bad_pixels
from beholder.stereo.measures.prediction import view_rmse
from beholder.stereo.readouts import Compared, Prediction, Visible, fetched_view
from beholder.stereo.regions import confined
from beholder.stereo.scenes.views import Floats, rendered
from beholder.stereo.types import Image, Map, Pair, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

    Bar = tuple[ScalarMappable, str]  # a scale and its name

DELTA = 1.0  # px: errors above it are bad
CLASSES = (0, 0.25, 0.5, DELTA, 2, 4, 8)  # px: errors are drawn in classes
# Blue up to δ, orange to red above: apart for all common kinds of colour blindness, and by lightness in print.
COLOURS = ("#f1f6fb", "#c6dbef", "#8ab8dd", "#fdae61", "#e0621b", "#8f1d0c")
NO_TRUTH, NO_ESTIMATE = "#c4c4c4", "#000000"
GAP = "#e6007e"  # where nothing is rendered: no photograph has it, as it may have black
FARTHEST = 64  # grey levels: the end of the scale of differences, a quarter of its range
_ACROSS = 5  # panels side by side: more are not readable on a page
_PANEL = 2.0  # inches
_TEXT = 8  # points, the size of a caption
_IN_A_LINE = 3  # regions that fit below a panel


def disparity_maps(sample: Sample[Pair, Truth], answers: Mapping[str, Map], *, invalid: Invalid = "error") -> Figure:
    """The truth over the left image, then each model's map over its errors.

    All maps share one scale, from 0 to the largest true disparity. Errors are drawn in classes: blue up to 1 px,
    orange to red above, with the per cent of these in each region, for which `invalid` says what a pixel without an
    estimate costs. Grey hatching says that the truth is unknown,
    black that there is no estimate.
    """
    truth = sample.reference
    depth, error = _depth_scale(truth.disparity), _error_scale()
    bars = ((depth, "disparity (px)"), (error, "|error| (px)"))
    figure, panels = _panels(len(answers) + 1, sample.stimulus.shape, bars)
    first = panels[0]
    _map(first[0], truth.disparity, depth, "ground truth", NO_TRUTH)
    _photograph(first[1], sample.stimulus.left, "left image")
    for (upper, lower), (name, found) in zip(panels[1:], answers.items(), strict=True):
        _map(upper, found, depth, name, NO_ESTIMATE)
        _errors(lower, found, truth, error, invalid)
    _legend(figure, truth, list(answers.values()))
    return figure


def predicted_views(sample: Sample[Pair, Truth], answers: Mapping[str, Map]) -> Figure:
    """A further view over the left image, then what each model makes of them.

    The view is the one nearest to the middle of the pair. Above, the left image is rendered into it by each model's
    map, with gaps in pink; below is how far the view, fetched back by the map, is from the left image, in pixels that
    the view can see. Scenes without further views have their disparity maps drawn.
    """
    truth = sample.reference
    if not truth.views:
        return disparity_maps(sample, answers)
    factor = min(truth.views, key=lambda f: abs(f - 0.5))
    only = Truth(truth.disparity, truth.regions, views={factor: truth.views[factor]})
    away = _difference_scale()
    figure, panels = _panels(len(answers) + 1, sample.stimulus.shape, (None, (away, "|difference| (levels)")))
    _photograph(panels[0][0], truth.views[factor], "")
    panels[0][0].set_title(f"view at {factor:g} · baseline", size=_TEXT + 1)
    _photograph(panels[0][1], sample.stimulus.left, "left image")
    for (upper, lower), (name, found) in zip(panels[1:], answers.items(), strict=True):
        of = Prediction(sample.stimulus.left, found)
        _picture(upper, rendered(of.left, found, factor), name)
        _differences(lower, fetched_view(of, only, factor), away)
        lower.set_xlabel(_errors_of_views(of, only), size=_TEXT)
    _legend_of_views(figure)
    return figure


def _difference_scale() -> ScalarMappable:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    return ScalarMappable(Normalize(0, FARTHEST), "YlOrBr")


def _picture(axes: Axes, view: Floats, title: str) -> None:
    """A rendered view with its gaps."""
    pixels = np.broadcast_to(np.nan_to_num(view) / 255, (*view.shape[:2], 3)).copy()
    pixels[np.isnan(view).any(axis=-1)] = _rgba(GAP)[:3] / 255
    axes.imshow(np.clip(pixels, 0, 1), interpolation="nearest")
    axes.set_title(title, size=_TEXT + 1)


def _differences(axes: Axes, pair: Compared, scale: ScalarMappable) -> None:
    """Root-mean-square difference of a pixel's channels, where something is compared."""
    away = np.sqrt(np.mean((pair.predicted - pair.actual) ** 2, axis=-1))
    pixels = _painted(away.astype(np.float32), scale, NO_ESTIMATE)
    pixels[~pair.asked] = _rgba(NO_TRUTH)
    axes.imshow(pixels, interpolation="nearest")
    _hatch(axes, np.where(pair.asked, 0, np.nan).astype(np.float32))


def _errors_of_views(of: Prediction, truth: Truth) -> str:
    """The RMSE of the view that is drawn, with and without the test of visibility, for a label."""
    choices: dict[str, Visible] = {"visible": "truth", "everywhere": "none"}
    parts = []
    for word, visible in choices.items():
        try:
            parts.append(f"{word} {view_rmse(of, truth, visible=visible).value:.1f}")
        except NotApplicable:
            continue
    return "RMSE (levels)\n" + "   ".join(parts) if parts else ""


def _legend_of_views(figure: Figure) -> None:
    from matplotlib.patches import Patch

    marks = [
        Patch(facecolor=GAP, label="gap"),
        Patch(facecolor=NO_TRUTH, edgecolor="#8a8a8a", hatch="//////", label="hidden from the view, or unknown"),
        Patch(facecolor=NO_ESTIMATE, label="nothing predicted"),
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=3, fontsize=_TEXT, frameon=False)


def _depth_scale(truth: Map) -> ScalarMappable:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    return ScalarMappable(Normalize(0, float(np.nanmax(truth))), "viridis")


def _error_scale() -> ScalarMappable:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import BoundaryNorm, ListedColormap

    return ScalarMappable(BoundaryNorm(CLASSES, len(COLOURS)), ListedColormap(COLOURS))


def _panels(
    count: int, shape: tuple[int, int], bars: tuple[Bar | None, Bar | None]
) -> tuple[Figure, list[tuple[Axes, Axes]]]:
    """An empty figure and its pairs of axes, upper and lower, with the colour bars at the ends of rows."""
    from matplotlib.figure import Figure

    across, bands = min(count, _ACROSS), -(-count // _ACROSS)
    height = _PANEL * shape[0] / shape[1] + 0.3
    figure = Figure((across * _PANEL + 0.9, 2 * bands * height + 0.25), dpi=200, layout="compressed")
    axes = figure.subplots(2 * bands, across, squeeze=False)
    for row, line in enumerate(axes):
        if bar := bars[row % 2]:
            _bar(figure, bar, list(line))
        for one in line:
            one.set(xticks=[], yticks=[])
    pairs = [(axes[2 * band, n], axes[2 * band + 1, n]) for band in range(bands) for n in range(across)]
    for unused in pairs[count:]:
        for one in unused:
            one.set_axis_off()
    return figure, pairs[:count]


def _bar(figure: Figure, of: Bar, line: list[Axes]) -> None:
    scale, label = of
    extend = "max"  # estimates and errors beyond the scale get its last colour
    bar = figure.colorbar(scale, ax=line, extend=extend, shrink=0.95, pad=0.015, fraction=0.05, aspect=18)
    bar.set_label(label, size=_TEXT)
    bar.ax.yaxis.set_major_formatter("{x:g}")
    bar.ax.tick_params(labelsize=_TEXT - 1)


def _map(axes: Axes, disparity: Map, scale: ScalarMappable, title: str, missing: str) -> None:
    axes.imshow(_painted(disparity, scale, missing), interpolation="nearest")
    axes.set_title(title, size=_TEXT + 1)
    if missing == NO_TRUTH:
        _hatch(axes, disparity)


def _photograph(axes: Axes, image: Image, label: str) -> None:
    axes.imshow(eight_bit(image), cmap="gray", vmin=0, vmax=255)
    axes.set_xlabel(label, size=_TEXT)


def _errors(axes: Axes, found: Map, truth: Truth, scale: ScalarMappable, invalid: Invalid) -> None:
    pixels = _painted(np.abs(found - truth.disparity), scale, NO_ESTIMATE)
    pixels[~np.isfinite(truth.disparity)] = _rgba(NO_TRUTH)
    axes.imshow(pixels, interpolation="nearest")
    _hatch(axes, truth.disparity)
    axes.set_xlabel(_shares(found, truth, invalid), size=_TEXT)


def _painted(values: Map, scale: ScalarMappable, missing: str) -> Any:
    """The colours of values on a scale, in bytes, and another one where they are missing."""
    pixels = scale.to_rgba(np.nan_to_num(values), norm=True, bytes=True)
    pixels[~np.isfinite(values)] = _rgba(missing)
    return pixels


def _rgba(colour: str) -> NDArray[np.uint8]:
    from matplotlib.colors import to_rgba

    return np.round(np.array(to_rgba(colour)) * 255).astype(np.uint8)


def _hatch(axes: Axes, truth: Map) -> None:
    """Fine lines over the pixels whose truth is unknown."""
    unknown = ~np.isfinite(truth)
    if unknown.any() and not unknown.all():
        lines = axes.contourf(unknown.astype(float), levels=[0.5, 1.5], colors="none", hatches=["//////"])
        lines.set(linewidth=0, edgecolor="#8a8a8a", hatch_linewidth=0.4)


def _shares(found: Map, truth: Truth, invalid: Invalid) -> str:
    """Bad pixels in the regions of a truth, for a label."""
    parts = []
    for name in truth.regions:
        try:
            parts.append(f"{name} {bad_pixels(*confined(found, truth, name=name), delta=DELTA, invalid=invalid):.1f}")
        except NotApplicable:
            continue
    lines = ["   ".join(parts[at : at + _IN_A_LINE]) for at in range(0, len(parts), _IN_A_LINE)]
    return "\n".join(["bad pixels (%)", *lines]) if parts else ""


def _legend(figure: Figure, truth: Truth, answers: list[Map]) -> None:
    from matplotlib.patches import Patch

    marks = []
    if not np.isfinite(truth.disparity).all():
        marks.append(Patch(facecolor=NO_TRUTH, edgecolor="#8a8a8a", hatch="//////", label="truth unknown"))
    if any(not np.isfinite(found).all() for found in answers):
        marks.append(Patch(facecolor=NO_ESTIMATE, label="no estimate"))
    if marks:
        figure.legend(handles=marks, loc="outside lower center", ncols=2, fontsize=_TEXT, frameon=False)
