"""Pictures of motion/beyond: what contrast, time, coherence and size do to what is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.core.benchmark import Readings
from beholder.core.scores import JUDGED
from beholder.motion.courses.series import Floats, Seen, series
from beholder.motion.figures.courses import GREY, SIDE_BY_SIDE, TEXT, instants, step_aside, styles
from beholder.motion.measures.coherence import share_right
from beholder.motion.measures.contrast import speed
from beholder.motion.measures.detection import detectability_by_cell

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LAWFUL = "lawful"  # the oracle that follows every fact: what people would do, in black
ACROSS = 3  # panels side by side
Curve = tuple[Floats, Floats]
_NOTE: dict[str, Any] = {"title": SIDE_BY_SIDE.replace("\n", " "), "title_fontsize": TEXT - 1}


@dataclass(frozen=True)
class Panel:
    """What is drawn of each model, and what is said about it."""

    curve: Callable[[Sequence[Seen]], Curve]
    title: str
    across: str
    up: str
    levels: bool = False  # a logarithmic axis that names the levels which were shown, and no others
    level: float | None = None  # a grey line across
    moment: float | None = None  # and one upwards, in a course over time


def of_conditions(scores: pd.DataFrame, readings: Readings) -> Mapping[str, Figure]:
    """A figure of up to six panels: every model over contrast, time, coherence and size, and what people do.

    Titles say what people do and how well that is known; the black line is an observer who does all of it. A panel of
    which the dataset shows nothing is left out, and so is the figure if it has none.
    """
    from matplotlib.figure import Figure

    shown = [name for name in readings if (_role(scores, name) in JUDGED or name == LAWFUL) and readings[name]]
    seen = {name: [Seen(trace, percept) for trace, percept in readings[name].values()] for name in shown}
    curves = {panel: {name: panel.curve(those) for name, those in seen.items()} for panel in PANELS}
    held = [panel for panel, own in curves.items() if any(np.isfinite(y).any() for _, y in own.values())]
    if not held:
        return {}
    across, down = min(ACROSS, len(held)), -(-len(held) // ACROSS)
    figure = Figure((max(3.0 * across, 4.5), 2.4 * down + 0.6), dpi=150, layout="constrained")
    for at, panel in enumerate(held):
        _draw(figure.add_subplot(down, across, at + 1), panel, curves[panel])
    handles, labels = figure.axes[0].get_legend_handles_labels()
    columns = min(len(labels), int(figure.get_figwidth() / 1.25))
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=columns,
        fontsize=TEXT,
        frameon=False,
        **(_NOTE if len(labels) > 1 else {}),
    )
    return {"conditions": figure}


def _role(scores: pd.DataFrame, name: str) -> str:
    return str(scores.loc[scores["model"] == name, "role"].iloc[0])


def _draw(axes: Axes, panel: Panel, curves: Mapping[str, Curve]) -> None:
    """One line per model, side by side where models agree."""
    for n, ((name, (x, y)), own) in enumerate(zip(curves.items(), styles(len(curves)), strict=True)):
        style = {"color": "#000000", "linestyle": "--"} if name == LAWFUL else own
        label = f"{name} (oracle)" if name == LAWFUL else name
        (line,) = axes.plot(x, y, marker="o", markersize=3.5, linewidth=1.4, label=label, **style)
        if panel.moment is None:
            step_aside(line, n, len(curves))
        else:  # instants must stay where they are: marks of their own show equal courses
            line.set_markevery(instants(n, len(curves), len(y)))
    if panel.levels:
        levels = np.unique(np.concatenate([x for x, _ in curves.values()]))
        axes.set_xscale("log")
        axes.set_xticks(levels, [f"{level:g}" for level in levels])
        axes.minorticks_off()
    _titled(axes, panel)


def _titled(axes: Axes, panel: Panel) -> None:
    axes.set_title(panel.title, size=TEXT)
    axes.set_xlabel(panel.across, size=TEXT)
    axes.set_ylabel(panel.up, size=TEXT)
    axes.tick_params(labelsize=TEXT - 1)
    axes.spines[["top", "right"]].set_visible(False)
    if panel.level is not None:
        axes.axhline(panel.level, color=GREY, linewidth=0.8, linestyle=":")
    if panel.moment is not None:
        axes.axvline(panel.moment, color=GREY, linewidth=0.8, linestyle=":")


def _of(those: Sequence[Seen], kind: str) -> list[Seen]:
    return [one for one in those if one.percept.kind == kind]


def _bias(those: Sequence[Seen]) -> Curve:
    return series(_of(those, "diamond"), "contrast", lambda one: one.first)


def _speeds(those: Sequence[Seen]) -> Curve:
    return series(_of(those, "grating"), "contrast", lambda one: speed(one.trace) / one.percept.speed)


def _plaids(those: Sequence[Seen]) -> Curve:
    strong = [one for one in _of(those, "plaid") if abs(one.percept.bias) > 10 and one.condition("contrast") == 1]
    if not strong:
        return np.empty(0), np.empty(0)
    one = max(strong, key=lambda each: float(each.trace.seconds.max(initial=0.0)))
    return one.trace.seconds * 1000, one.error


def _dots(those: Sequence[Seen]) -> Curve:
    levels, right = series(_of(those, "dots"), "coherence", share_right)
    return 100 * levels, 100 * right


def _faint(those: Sequence[Seen]) -> Curve:
    return _sizes(those, min)


def _strong(those: Sequence[Seen]) -> Curve:
    return _sizes(those, max)


def _sizes(those: Sequence[Seen], which: Callable[[Sequence[float]], float]) -> Curve:
    told = detectability_by_cell(_of(those, "noisy grating"))
    chosen = which([contrast for contrast, _ in told]) if told else np.nan
    points = [(diameter, value) for (contrast, diameter), value in told.items() if contrast == chosen]
    sizes, values = np.reshape(np.array(points, float), (-1, 2)).T
    return sizes, values


PANELS = (
    Panel(
        _bias,
        "diamonds: the bias is larger\nat low contrast (verified)",
        "contrast",
        "first 50 ms of response (deg)",
        levels=True,
    ),
    Panel(
        _speeds, "gratings: at low contrast\nthey look slower (memory)", "contrast", "speed / true speed", levels=True
    ),
    Panel(
        _plaids,
        "type II plaid: first the average,\nby 150 ms the common motion (memory)",
        "time (ms)",
        "error (deg)",
        level=0,
        moment=150,
    ),
    Panel(
        _dots,
        "dots: people's threshold\nis not known (placeholder)",
        "coherence (%)",
        "right/left correct (%)",
        levels=True,
        level=50,
    ),
    Panel(_faint, "low-contrast gratings in noise:\nlarger is easier (memory)", "diameter (deg)", "d′"),
    Panel(_strong, "high-contrast gratings in noise:\nlarger is harder (memory)", "diameter (deg)", "d′"),
)
