"""Pictures of a whole run of attention/conditional: all scores, and what is gained over the fixation number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from beholder.attention.figures.curves import COLOURS, GREY, TEXT
from beholder.attention.figures.overview import dots
from beholder.core.scores import JUDGED, labels
from beholder.verdicts.summary import summary

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from beholder.core.benchmark import Readings

PREFIX = "conditional_"  # of all measures here, so that it tells nothing
NUMBERED = "fixation_"  # criteria that confine to one fixation number
LOW = " (low confidence)"
TITLES = {"information_gain": "information gain (bits)", "auc": "AUC", "nss": "NSS"}
SHADED = 4  # people in both ways and two models
STYLES = {"blind": ":", "model": "-", "baseline": "-", "oracle": "-.", "ceiling": "-"}


def pictures_of(scores: pd.DataFrame, readings: Readings, *, official: Sequence[str]) -> dict[str, Figure]:
    """Scores of everybody, and each official measure over the fixation number; what is of low confidence says so."""
    low = scores["model"].isin(scores.loc[scores["state"] == "low", "model"])
    names = scores["model"].astype("object")
    told = scores.assign(model=names.where(~low, names + LOW))
    short = told.assign(measure=told["measure"].str.removeprefix(PREFIX))
    found = {"scores": dots(short, [name.removeprefix(PREFIX) for name in official])}
    if scores["criterion"].str.startswith(NUMBERED).any():
        found["over_fixations"] = over_fixations(told, official)
    return found


def over_fixations(scores: pd.DataFrame, official: Sequence[str]) -> Figure:
    """Each measure of the k-th fixation: models in colours, low confidence dashed, people black, blind models grey.

    Shades are 95 % intervals over pictures, of people and the two best models: more hide one another. Single persons
    are left away.
    """
    from matplotlib.figure import Figure

    own = scores[scores["criterion"].str.startswith(NUMBERED) & labels(scores).isin(official)]
    table = summary(own[own["role"] != "person"])
    number = table["criterion"].str.removeprefix(NUMBERED).astype(int)
    table = table.assign(number=number, label=labels(table))[table["held"] > 0]
    figure = Figure((3.4 * len(official) + 1.2, 3.0), dpi=150, layout="constrained")
    panels = np.atleast_1d(figure.subplots(1, len(official)))
    colours = _colours(table, official[0])
    for axes, measure in zip(panels, official, strict=True):
        lines = table[table["label"] == measure]
        for model, line in lines.groupby("model", sort=False):
            shaded = list(colours).index(str(model)) < SHADED
            _line(axes, line.sort_values("number"), colour=colours[str(model)], shaded=shaded)
        bare = str(lines["measure"].iloc[0]).removeprefix(PREFIX) if len(lines) else measure
        axes.set_title(TITLES.get(bare, measure), size=TEXT + 1)
        axes.set_xlabel("fixation number", size=TEXT)
        axes.locator_params(axis="x", integer=True)
        axes.tick_params(labelsize=TEXT - 1, length=2)
        axes.spines[["top", "right"]].set_visible(False)
    handles, names = panels[0].get_legend_handles_labels()
    order = sorted(range(len(names)), key=lambda at: list(colours).index(names[at]))
    figure.legend(
        [handles[at] for at in order],
        [names[at] for at in order],
        loc="outside right center",
        fontsize=TEXT - 1,
        frameon=False,
    )
    return figure


def _line(axes: Axes, line: pd.DataFrame, *, colour: str, shaded: bool) -> None:
    number, value = line["number"].to_numpy(float), line["value"].to_numpy(float)
    label = str(line["model"].iloc[0])
    style = "--" if label.endswith(LOW) else STYLES.get(str(line["role"].iloc[0]), "-")
    axes.plot(number, value, style, marker="o", markersize=2.5, color=colour, linewidth=1.3, label=label)
    if shaded:
        lo, hi = line["lo"].to_numpy(float), line["hi"].to_numpy(float)
        axes.fill_between(number, lo, hi, color=colour, alpha=0.12, linewidth=0)


def _colours(table: pd.DataFrame, measure: str) -> dict[str, str]:
    """A colour of each entrant, people first, then models by their mean, then blind models in greys."""
    means = table[table["label"] == measure].groupby(["model", "role"])["value"].mean().reset_index()
    rows = means.sort_values("value", ascending=False)
    greys = (GREY, "#8a8a8a", "#d0d0d0", "#6a6a6a")
    found = {}
    for role, shades in (
        ("ceiling", ("black", "#5a5a5a")),
        ("oracle", COLOURS[::-1]),
        ("model", COLOURS),
        ("blind", greys),
    ):
        alike = JUDGED if role == "model" else (role,)
        for at, model in enumerate(rows.loc[rows["role"].isin(alike), "model"]):
            found[str(model)] = shades[at % len(shades)]
    missing = dict.fromkeys(str(model) for model in table["model"] if str(model) not in found)
    return {**found, **dict.fromkeys(missing, GREY)}
