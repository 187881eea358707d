"""Drawings of verdicts: the critical-difference diagram, and Pareto layers in parallel coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import label
from beholder.core.scores import CELL, COMPONENT, JUDGED, whole
from beholder.errors import Misuse
from beholder.verdicts.components import components

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from beholder.core.verdict import Verdict

Floats = NDArray[np.float64]

# The first layer, then further and further back; apart by lightness too. Beyond the last, its colour again.
COLOURS = ("#b5310f", "#2b6ca3", "#7d9bb5", "#a9b4bd", "#cfd4d8")
DARK = COLOURS[:2]  # dark enough for text on white: 4.5 : 1 and more
INK = "#22282d"
AXES = 16  # components that have an axis each; more are drawn as the means of measure × criterion
NAMED = 12  # models of which each line is named; of more, those of the first layer
LINES = 60  # models drawn; the layers after those are left out, and said to be
ROW = 0.24  # inches between two lines of text
HEADS = 1.8  # inches above and below the lines of Pareto layers: legend, ends and names of axes
TEXT = 8.5  # points


def draw_critical_difference(verdict: Verdict) -> Figure:
    """Mean ranks on a line, the best to the left; bars join models that do not differ significantly (Demšar 2006).

    The verdict is that of `nemenyi`. Names stand below the line, the better half to the left; of more
    than 60 models the first are drawn.
    """
    from matplotlib.figure import Figure

    standing = verdict.standing.iloc[:LINES]
    if "mean_rank" not in standing or "groups" not in standing:
        raise Misuse(f"got a verdict by {verdict.method}; expected one of nemenyi, which has mean ranks and groups")
    rank, names = standing["mean_rank"].to_numpy(dtype=float), [str(name) for name in standing.index]
    bars = _bars([str(groups) for groups in standing["groups"]])
    rows = len(bars) * 0.6 + 1 + (len(rank) + 1) // 2
    figure = Figure(figsize=(7.0, 0.75 + ROW * rows), layout="constrained")
    axes = figure.subplots()
    width = float(verdict.standing.attrs.get("critical_difference", 0.0))
    axes.set_xlim(0.5, max(len(rank), rank.max(initial=1), 1 + width) + 0.5)
    _scale(figure, axes, width)
    title = f"mean rank (1 is best); critical difference {width:.2f}"
    if len(standing) < len(verdict.standing):
        title += f"; the first {len(standing)} of {len(verdict.standing)} models"
    axes.set_title(title, fontsize=TEXT, color=INK, pad=34)
    for at, (start, end) in enumerate(bars):
        y = 0.6 * (at + 1)
        axes.plot([rank[start] - 0.03, rank[end] + 0.03], [y, y], color=COLOURS[0], linewidth=3, solid_capstyle="round")
    _names(axes, rank, names, 0.6 * len(bars) + 1)
    return figure


def _bars(letters: list[str]) -> list[tuple[int, int]]:
    """First and last position of every group of two models or more, from the letters of the models in order.

    >>> _bars(["A", "AB", "B", "C"])
    [(0, 1), (1, 2)]
    """
    found: dict[str, list[int]] = {}
    for at, own in enumerate(letters):
        for letter in own.replace("]", "] ").replace("[", " [").split() if "[" in own else own:
            found.setdefault(letter, []).append(at)
    return [(several[0], several[-1]) for several in found.values() if len(several) > 1]


def _scale(figure: Figure, axes: Axes, width: float) -> None:
    """The line of ranks on top, with the critical difference above it."""
    from matplotlib.transforms import offset_copy

    axes.spines[["left", "right", "bottom"]].set_visible(False)
    axes.xaxis.set_ticks_position("top")
    axes.yaxis.set_visible(False)
    last = int(axes.get_xlim()[1])
    axes.set_xticks(np.unique(np.linspace(1, last, min(last, 12)).round()))
    axes.tick_params(labelsize=TEXT, colors=INK)
    above = offset_copy(axes.get_xaxis_transform(), figure, y=26, units="points")
    axes.plot([1, 1 + width], [1, 1], color=INK, linewidth=2, marker="|", clip_on=False, transform=above)


def _names(axes: Axes, rank: Floats, names: list[str], top: float) -> None:
    """Every name on a line of its own, joined to its rank: the better half to the left, the others to the right."""
    half = (len(rank) + 1) // 2
    left, right = axes.get_xlim()
    for at, (own, name) in enumerate(zip(rank, names, strict=True)):
        first = at < half
        y = top + (at if first else len(rank) - 1 - at)
        edge = left if first else right
        axes.plot([own, own, edge], [0, y, y], color=INK, linewidth=0.8, zorder=0)
        text = f"{name}  {own:.2f}" if first else f"{own:.2f}  {name}"
        axes.annotate(
            text, (edge, y), xytext=(-4 if first else 4, 0), textcoords="offset points", va="center",
            ha="right" if first else "left", fontsize=TEXT, color=INK, annotation_clip=False,
            parse_math=False,
        )  # fmt: skip
    axes.set_ylim(top + half - 0.5, 0)


def draw_pareto_layers(scores: pd.DataFrame, verdict: Verdict) -> Figure:
    """Every model as a line over the components, the best value of each on top, in the colour of its Pareto layer.

    Each axis runs from the worst to the best value that a drawn model has, written at its ends. With more than 16
    components the axes are means over units of measure × criterion. Of up to 12 models each is named, of more those of
    the first layer. The verdict is that of `pareto` on these scores.
    """
    from matplotlib.figure import Figure

    if "layer" not in verdict.standing:
        raise Misuse(f"got a verdict by {verdict.method}; expected one of pareto, which has layers")
    layer = verdict.standing["layer"].iloc[:LINES]
    values, sign = _values(scores, [str(name) for name in layer.index])
    named = np.flatnonzero((layer == 1).to_numpy() | (len(layer) <= NAMED))
    # A name needs 0.17 inches; lines of few models are clear in less height than those of many.
    height = max(min(4.6, 2.8 + 0.2 * len(layer)), HEADS + 0.17 * len(named))
    figure = Figure(figsize=(max(5.5, 1.3 + 0.62 * values.shape[1]), height), layout="constrained")
    axes = figure.subplots()
    heights = _heights(values.to_numpy(dtype=float) * sign)
    for at in range(len(layer))[::-1]:  # the first layer last, over the others
        _line(axes, heights[at], int(layer.iloc[at]))
    _axes(axes, values, sign)
    _labels(axes, heights[named], layer.iloc[named], height=height)
    notes = ["axes are means over units"] if values.columns.nlevels == len(CELL) else []
    if more := len(verdict.standing) - len(layer):
        notes.append(f"{more} more models not drawn")
    _legend(axes, layer, notes)
    return figure


def count_axes(scores: pd.DataFrame) -> int:
    """How many axes Pareto layers are drawn over."""
    rows = whole(scores)
    judged = rows[rows["role"].isin(JUDGED)]
    many = len(judged[COMPONENT].drop_duplicates())
    return many if many <= AXES else len(judged[CELL].drop_duplicates())


def _values(scores: pd.DataFrame, names: list[str]) -> tuple[pd.DataFrame, Floats]:
    """Models × axes in natural values, and the sign of each axis: +1 where less is better."""
    found = components(scores[scores["model"].isin(names)], missing="common")
    if found.values.shape[1] <= AXES:
        return found.values.loc[names], found.sign
    means = found.values.T.groupby(level=CELL, sort=False).mean().T
    sign = {key[: len(CELL)]: own for key, own in zip(_keys(found.values), found.sign, strict=True)}
    return means.loc[names], np.array([sign[cell] for cell in _keys(means)])


def _keys(values: pd.DataFrame) -> list[tuple[str, ...]]:
    """What each column is: measure, settings, criterion, and of a component its dataset and unit."""
    return list(values.columns.to_frame(index=False).itertuples(index=False, name=None))


def _heights(losses: Floats) -> Floats:
    """0 for the worst and 1 for the best of each column, one half where all are equal; NaN where not finite."""
    finite = np.where(np.isfinite(losses), losses, np.nan)
    worst, best = np.nanmax(finite, axis=0), np.nanmin(finite, axis=0)
    return np.where(worst > best, (worst - finite) / np.where(worst > best, worst - best, 1.0), 0.5 + 0 * finite)


def _line(axes: Axes, height: Floats, layer: int) -> None:
    width = 1.8 if layer == 1 else 0.9
    axes.plot(height, color=_colour(layer), linewidth=width, marker="o", markersize=2.5 * width**0.5, zorder=2 - layer)


def _colour(layer: int) -> str:
    return COLOURS[min(layer, len(COLOURS)) - 1]


def _axes(axes: Axes, values: pd.DataFrame, sign: Floats) -> None:
    """A vertical line for each component, with its name below and its two ends written at it."""
    many = values.shape[1]
    ends = np.stack([values.min(), values.max()])
    for at in range(many):
        axes.axvline(at, color="#dddddd", linewidth=0.8, zorder=-99)
        top, foot = ends[:, at] if sign[at] > 0 else ends[::-1, at]
        axes.text(at, 1.03, f"{top:.3g}", ha="center", va="bottom", fontsize=TEXT - 1.5, color=INK)
        axes.text(at, -0.03, f"{foot:.3g}", ha="center", va="top", fontsize=TEXT - 1.5, color=INK)
    several = len({key[:2] for key in _keys(values)}) > 1  # measures with their settings
    labels = [_title(key, several=several) for key in _keys(values)]
    axes.set_xticks(
        range(many), labels, fontsize=TEXT, color=INK, rotation=40, ha="right", rotation_mode="anchor", parse_math=False
    )
    axes.set_yticks([0, 1], ["worst", "best"], fontsize=TEXT, color=INK)
    axes.set_ylim(-0.12, 1.12)
    axes.set_xlim(-0.4, many - 1 + (1.4 if many > 1 else 0.8) + 0.04 * many)
    axes.spines[["left", "right", "top", "bottom"]].set_visible(False)
    axes.tick_params(length=0)


def _title(key: Sequence[str], *, several: bool) -> str:
    """What an axis is called: criterion and unit, and the measure where there are several.

    >>> _title(("bad", "", "disc", "v2", "teddy"), several=False), _title(("bad", "delta=1", "all"), several=True)
    ('teddy disc', 'bad(delta=1) all')
    """
    measure, settings, criterion, *unit = key
    words = [*unit[1:], criterion]
    return " ".join([label(measure, settings), *words] if several else words)


def _labels(axes: Axes, heights: Floats, layer: pd.Series[int], *, height: float) -> None:
    """Names at the right ends of their lines, moved apart where they would overlap."""
    ends = np.nan_to_num([own[np.isfinite(own)][-1] for own in heights])
    order = np.argsort(-ends, kind="stable")
    room = min(0.19 / (height - HEADS), 1.2 / max(len(layer), 1))  # a name needs 0.15 inches; the axes show 1.24
    y = ends[order]
    for at in range(1, len(y)):
        y[at] = min(y[at], y[at - 1] - room)
    y += max(0.0, -0.1 - y.min(initial=0.0))  # a stack that has run out at the foot moves up
    many = heights.shape[1]
    right = many - 1 + 0.05 * many**0.8 + 0.15
    for height_of_name, at in zip(y, order, strict=True):
        own = _colour(int(layer.iloc[at]))
        axes.annotate(
            str(layer.index[at]), (many - 1, ends[at]), xytext=(right, height_of_name), va="center", fontsize=TEXT,
            color=own if own in DARK else INK, parse_math=False,
            arrowprops={"arrowstyle": "-", "color": own, "linewidth": 0.6, "relpos": (0, 0.5), "shrinkA": 1},
        )  # fmt: skip


def _legend(axes: Axes, layer: pd.Series[int], notes: list[str]) -> None:
    """How many models each layer has, in its colour."""
    counts = layer.value_counts().sort_index()
    words = [f"layer {at}: {many}" for at, many in counts.items()]
    lines = [axes.plot([], [], color=_colour(int(at)), linewidth=2)[0] for at in counts.index]
    shown = min(len(lines), 2 * len(COLOURS))
    title = " · ".join(["models in each Pareto layer", *notes])
    axes.legend(
        lines[:shown], words[:shown], loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(shown, 5),
        fontsize=TEXT, title_fontsize=TEXT, title=title, frameon=False,
    )  # fmt: skip
