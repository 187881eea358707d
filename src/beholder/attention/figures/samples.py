"""The first pictures of a dataset with everybody's fixations on them: what to look at before anything is run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.attention.figures.marks import ground_on, path_on, washed
from beholder.attention.maps.features import still_picture
from beholder.attention.types import Lookers, Scanpath
from beholder.core.sample import Dataset

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito's, without the yellow, which is not seen on pale pictures.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#333333")
ACROSS, WIDE, TEXT = 3, 10.0, 8  # panels in a row, inches, points


def first_samples(dataset: Dataset[Any, Any], ids: Sequence[str]) -> Figure:
    """Each picture with all fixations, a colour per observer, and the scanpath of one observer numbered."""
    from matplotlib.figure import Figure

    across = min(ACROSS, len(ids))
    rows = -(-len(ids) // across)
    samples = [dataset.load(id) for id in ids]
    ratio = float(np.median([one.reference.shape[0] / one.reference.shape[1] for one in samples]))
    side = WIDE / ACROSS
    figure = Figure((side * across, rows * (side * min(1.3, ratio) + 0.45) + 0.5), dpi=150, layout="constrained")
    panels = np.atleast_1d(figure.subplots(rows, across)).ravel()
    for axes, sample in zip(panels, samples, strict=False):
        ground_on(axes, washed(still_picture(sample.stimulus)), sample.reference.shape)
        _looks(axes, sample.reference)
        axes.set_title(_title(sample.id, sample.reference), size=TEXT, loc="left", parse_math=False)
    for axes in panels[len(samples) :]:
        axes.set_axis_off()
    figure.suptitle(
        f"{dataset.name}: dots are fixations, a colour per observer; the numbered path is the first observer's",
        size=TEXT + 1, x=0.01, ha="left", parse_math=False,
    )  # fmt: skip
    return figure


def _looks(axes: Axes, lookers: Lookers) -> None:
    for at, path in enumerate(lookers.paths.values()):
        axes.scatter(
            path.x,
            path.y,
            s=14,
            color=COLOURS[at % len(COLOURS)],
            edgecolors="white",
            linewidths=0.5,
            alpha=0.9,
            zorder=2,
        )
    if first := next((path for path in lookers.paths.values() if len(path)), None):
        path_on(axes, _alike(first), colour="#222222")


def _alike(path: Scanpath) -> Scanpath:
    """A path at most 24 fixations long: more cannot be read."""
    return path.at(np.arange(min(len(path), 24)))


def _title(id: str, lookers: Lookers) -> str:
    name = id if len(id) <= 24 else f"…{id[-23:]}"
    count = sum(map(len, lookers.paths.values()))
    out = f", {lookers.dropped} outside" if lookers.dropped else ""
    return f"{name}  {lookers.shape[1]} × {lookers.shape[0]} px\n{len(lookers.paths)} observers, {count} fixations{out}"
