"""Pictures of percepts that alternate: the film, and what was seen of it over the trial."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from beholder.core.sample import Sample
from beholder.motion.percepts import WORDS, Percepts, Watched
from beholder.motion.types import Percept

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {"coherent": "#0072b2", "transparent": "#e69f00"}  # Okabe and Ito's
_TEXT = 8  # points


def timelines(sample: Sample[Watched, Percept], answers: Mapping[str, Percepts]) -> Figure:
    """A frame of the plaid, and a strip for each model: which percept it had when, and their mean durations."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure((8.0, 1.7 + 0.35 * max(1, len(answers))), dpi=150, layout="constrained")
    picture, axes = figure.subplots(1, 2, width_ratios=(1, 3.6))
    _frame(picture, sample)
    for row, (name, answer) in enumerate(answers.items()):
        _strip(axes, answer, row)
        axes.text(-0.01, row, name, ha="right", va="center", size=_TEXT, transform=axes.get_yaxis_transform())
    axes.set_xlim(0, sample.stimulus.watched)
    axes.set_ylim(len(answers) - 0.5, -0.6)
    axes.set_yticks([])
    axes.set_xlabel("seconds of the trial", size=_TEXT)
    axes.tick_params(labelsize=_TEXT - 1)
    axes.spines[["top", "left", "right"]].set_visible(False)
    patches = [Patch(color=_COLOURS[word], label=word) for word in WORDS]
    figure.legend(handles=patches, loc="outside upper right", ncols=2, fontsize=_TEXT, frameon=False)
    return figure


def _frame(axes: Axes, sample: Sample[Watched, Percept]) -> None:
    its = sample.reference.conditions
    axes.imshow(sample.stimulus.frames[0], cmap="gray", vmin=0, interpolation="nearest")
    axes.set_axis_off()
    axes.set_title(f"{its.get('angle', np.nan):g}° apart, {its.get('speed', np.nan):g} deg/s", size=_TEXT)


def _strip(axes: Axes, answer: Percepts, row: int) -> None:
    """Periods in a row, and the mean of those that were not cut."""
    starts = np.concatenate([[0.0], answer.seconds.cumsum()[:-1]])
    colours = [_COLOURS[word] for word in answer.words]
    axes.barh(row, answer.seconds, left=starts, height=0.45, color=colours, linewidth=0)
    means = [answer.mean(word) for word in WORDS]
    text = "mean " + " / ".join("—" if np.isnan(mean) else f"{mean:.1f} s" for mean in means)
    axes.text(0, row - 0.27, text, size=_TEXT - 2, va="bottom", color="#404040")
