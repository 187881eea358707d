"""Pictures of motion beyond the seed: what contrast, time, coherence and size do to what is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.motion.figures import GREY, TEXT, styles
from beholder.motion.measures._series import Floats, Seen, series
from beholder.motion.measures.coherence import share_right
from beholder.motion.measures.contrast import speed
from beholder.motion.measures.detection import detectability_by_cell
from beholder.spine.benchmark import Readings

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LAWFUL = "lawful"  # the oracle that follows every fact: what people would do, in black
Panel = Callable[["Axes", Sequence[Seen], Mapping[str, Any]], None]


def of_conditions(scores: pd.DataFrame, readings: Readings) -> Mapping[str, Figure]:
    """One figure of six panels: every model over contrast, time, coherence and size, and what people are known to do.

    Titles say what people do and how well that is known; the black line is an observer who does all of it.
    """
    from matplotlib.figure import Figure

    shown = [name for name in readings if (_role(scores, name) == "model" or name == LAWFUL) and readings[name]]
    figure = Figure((9.0, 5.4), dpi=150, layout="constrained")
    panels = (_bias, _speeds, _plaids, _dots, _faint, _strong)
    grid: Any = figure.subplots(2, 3)
    for draw, axes in zip(panels, grid.ravel(), strict=True):
        for name, own in zip(shown, styles(len(shown)), strict=True):
            style = {"color": "#000000", "linestyle": "--"} if name == LAWFUL else own
            those = [Seen(trace, percept) for trace, percept in readings[name].values()]
            label = f"{name} (oracle)" if name == LAWFUL else name
            draw(axes, those, {**style, "label": label, "linewidth": 1.4, "markersize": 3.5})
        axes.tick_params(labelsize=TEXT - 1)
        axes.spines[["top", "right"]].set_visible(False)
        _titled(axes, draw)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=max(1, len(labels)), fontsize=TEXT, frameon=False)
    return {"conditions": figure}


def _role(scores: pd.DataFrame, name: str) -> str:
    return str(scores.loc[scores["model"] == name, "role"].iloc[0])


def _of(those: Sequence[Seen], kind: str) -> list[Seen]:
    return [one for one in those if one.percept.kind == kind]


def _logarithmic(axes: Axes, x: Floats, y: Floats, style: Mapping[str, Any]) -> None:
    """A curve over a logarithmic axis that names the levels which were shown, and no others."""
    axes.semilogx(x, y, marker="o", **style)
    axes.set_xticks(x, [f"{level:g}" for level in x])
    axes.minorticks_off()


def _bias(axes: Axes, those: Sequence[Seen], style: Mapping[str, Any]) -> None:
    levels, error = series(_of(those, "diamond"), "contrast", lambda one: one.first)
    _logarithmic(axes, levels, error, style)


def _speeds(axes: Axes, those: Sequence[Seen], style: Mapping[str, Any]) -> None:
    levels, share = series(_of(those, "grating"), "contrast", lambda one: speed(one.trace) / one.percept.speed)
    _logarithmic(axes, levels, share, style)


def _plaids(axes: Axes, those: Sequence[Seen], style: Mapping[str, Any]) -> None:
    strong = [one for one in _of(those, "plaid") if abs(one.percept.bias) > 10 and one.condition("contrast") == 1]
    if strong:
        one = max(strong, key=lambda each: float(each.trace.seconds.max(initial=0.0)))
        axes.plot(one.trace.seconds * 1000, one.error, **style)


def _dots(axes: Axes, those: Sequence[Seen], style: Mapping[str, Any]) -> None:
    levels, right = series(_of(those, "dots"), "coherence", share_right)
    _logarithmic(axes, 100 * levels, 100 * right, style)


def _faint(axes: Axes, those: Sequence[Seen], style: Mapping[str, Any]) -> None:
    _sizes(axes, those, style, min)


def _strong(axes: Axes, those: Sequence[Seen], style: Mapping[str, Any]) -> None:
    _sizes(axes, those, style, max)


def _sizes(
    axes: Axes, those: Sequence[Seen], style: Mapping[str, Any], which: Callable[[Sequence[float]], float]
) -> None:
    told = detectability_by_cell(_of(those, "noisy grating"))
    if told:
        chosen = which([contrast for contrast, _ in told])
        points = [(diameter, value) for (contrast, diameter), value in told.items() if contrast == chosen]
        axes.plot(*np.transpose(points), marker="o", **style)


_TITLES: dict[Panel, tuple[str, str, str]] = {
    _bias: (
        "diamonds: people are misled\nfurther at low contrast (verified)",
        "contrast",
        "first 50 ms of response (deg)",
    ),
    _speeds: ("gratings: at low contrast\nthey look slower (memory)", "contrast", "speed / true speed"),
    _plaids: ("type II plaid: first the average,\nby 150 ms the common motion (memory)", "time (ms)", "error (deg)"),
    _dots: ("dots: the threshold of people\nis not known (placeholder)", "coherence (%)", "told right from left (%)"),
    _faint: ("faint gratings in noise:\nlarger is easier (memory)", "diameter (deg)", "d′"),
    _strong: ("strong gratings in noise:\nlarger is harder (memory)", "diameter (deg)", "d′"),
}


def _titled(axes: Axes, draw: Panel) -> None:
    title, across, up = _TITLES[draw]
    axes.set_title(title, size=TEXT)
    axes.set_xlabel(across, size=TEXT)
    axes.set_ylabel(up, size=TEXT)
    if draw is _plaids:
        axes.axhline(0, color=GREY, linewidth=0.8)
        axes.axvline(150, color=GREY, linewidth=0.8, linestyle=":")
    if draw is _dots:
        axes.axhline(50, color=GREY, linewidth=0.8, linestyle=":")
