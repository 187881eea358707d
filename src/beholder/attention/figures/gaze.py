"""Raw gaze with the fixations that were found in it: what to look at before a table of fixations is believed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from beholder.attention.gaze.detection import Gaze
from beholder.attention.types import Scanpath

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"x": "#0072b2", "y": "#d55e00"}  # Okabe & Ito's
TEXT = 8  # points


def gaze_traces(traces: Sequence[tuple[str, Gaze, Scanpath]]) -> Figure:
    """x and y over time, one row per (title, gaze, fixations); fixations are grey bands with a line at their place."""
    from matplotlib.figure import Figure

    figure = Figure((7.0, 1.5 * len(traces) + 0.4), dpi=150, layout="constrained")
    rows = np.atleast_1d(figure.subplots(len(traces), 1))
    for axes, (title, gaze, path) in zip(rows, traces, strict=True):
        times = gaze.start_ms + 1000 * np.arange(len(gaze)) / gaze.hertz
        for begins, lasts, *place in zip(path.onset_ms, path.duration_ms, path.x, path.y, strict=True):
            axes.axvspan(begins, begins + lasts, color="#e4e4e4", lw=0, zorder=0)
            axes.hlines(place, begins, begins + lasts, color="#333333", lw=0.8, zorder=3)
        for axis, colour in COLOURS.items():
            axes.plot(times, getattr(gaze, axis), color=colour, lw=1.0, label=axis, zorder=2)
        axes.set_title(title, size=TEXT, loc="left", parse_math=False)
        axes.set_ylabel("px", size=TEXT)
        axes.tick_params(labelsize=TEXT - 1)
        axes.spines[["top", "right"]].set_visible(False)
    rows[-1].set_xlabel("ms; grey: fixations; a gap in a line: the tracker lost the eye", size=TEXT)
    rows[0].legend(fontsize=TEXT - 1, frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))
    return figure
