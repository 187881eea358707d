"""The first pictures of a dataset with everybody's fixations on them: what to look at before anything is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.attention.figures.marks import ground_on, path_on, washed
from beholder.attention.maps.features import still_picture
from beholder.attention.people.doubts import MANY, of_models, without_place
from beholder.attention.types import Lookers, Scanpath
from beholder.core.sample import Dataset, Sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito's, without the yellow, which is not seen on pale pictures.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#333333")
ACROSS, WIDE, TEXT = 3, 10.0, 8  # panels in a row, inches, points


def first_samples(dataset: Dataset[Any, Any], ids: Sequence[str]) -> Figure:
    """Each picture with all fixations, a colour per observer, and the scanpath of one observer numbered."""
    from matplotlib.figure import Figure

    across = 2 if len(ids) == 4 else min(ACROSS, len(ids))
    rows = -(-len(ids) // across)
    samples = [dataset.load(id) for id in ids]
    ratio = float(np.median([one.reference.shape[0] / one.reference.shape[1] for one in samples]))
    side = WIDE / ACROSS
    figure = Figure((side * across, rows * (side * min(1.3, ratio) + 0.45) + 0.5), dpi=150, layout="constrained")
    panels = np.atleast_1d(figure.subplots(rows, across)).ravel()
    for axes, sample in zip(panels, samples, strict=False):
        ground_on(axes, washed(still_picture(sample.stimulus)), sample.reference.shape)
        _looks(axes, _raw(dataset, sample), sample.reference.shape)
        axes.set_title(_title(dataset, sample), size=TEXT, loc="left", parse_math=False)
    for axes in panels[len(samples) :]:
        axes.set_axis_off()
    each, first = ("scanpath of a model", "model's") if of_models(dataset) else ("observer", "observer's")
    told = f"{dataset.name}: dots are fixations, a colour per {each}; the numbered path is the first {first}"
    figure.suptitle(fill(told, 36 * across), size=TEXT + 1, x=0.01, ha="left", parse_math=False)
    return figure


def _raw(dataset: Dataset[Any, Any], sample: Sample[Any, Lookers]) -> Mapping[str, Scanpath]:
    """Everybody's path as it was read, before what lies outside was left out, where the loader knows it."""
    every: Mapping[str, Mapping[str, Scanpath]] = getattr(dataset.load, "raw", {})
    return every.get(sample.id, sample.reference.paths)


def _looks(axes: Axes, paths: Mapping[str, Scanpath], shape: tuple[int, int]) -> None:
    for at, path in enumerate(paths.values()):
        colour = COLOURS[at % len(COLOURS)]
        axes.scatter(path.x, path.y, s=14, color=colour, edgecolors="white", linewidths=0.5, alpha=0.9, zorder=2)
    first = next((path for path in paths.values() if len(path)), None)
    if first is not None:
        path_on(axes, _alike(first), colour="#222222")
    _widen(axes, paths, shape)


def _widen(axes: Axes, paths: Mapping[str, Scanpath], shape: tuple[int, int]) -> None:
    """Where many fixations lie outside a picture, show them there; the ticks are the picture's own size."""
    x, y = (np.concatenate([np.empty(0), *(getattr(path, axis) for path in paths.values())]) for axis in "xy")
    inside = (x >= 0) & (x < shape[1]) & (y >= 0) & (y < shape[0])
    if len(x) and inside.mean() < 1 - MANY:
        axes.set_xlim(min(0, np.nanmin(x)) - 10, max(shape[1], np.nanmax(x)) + 10)
        axes.set_ylim(max(shape[0], np.nanmax(y)) + 10, min(0, np.nanmin(y)) - 10)
    axes.set(xticks=[0, shape[1]], yticks=[0, shape[0]])
    axes.tick_params(labelsize=TEXT - 2, length=2, color="#808080", labelcolor="#606060")


def _alike(path: Scanpath) -> Scanpath:
    """A path at most 24 fixations long: more cannot be read."""
    return path.at(np.arange(min(len(path), 24)))


def _title(dataset: Dataset[Any, Any], sample: Sample[Any, Lookers]) -> str:
    id, lookers = sample.id, sample.reference
    name = id if len(id) <= 24 else f"…{id[-23:]}"
    count = sum(map(len, lookers.paths.values()))
    nowhere = without_place(dataset, [id])
    beyond = {"outside": lookers.dropped - nowhere, "without a place": nowhere}
    out = "".join(f", {many} {what}" for what, many in beyond.items() if many)
    who = "scanpaths of models" if of_models(dataset) else "observers"
    return f"{name}  {lookers.shape[1]} × {lookers.shape[0]} px\n{len(lookers.paths)} {who}, {count} fixations{out}"
