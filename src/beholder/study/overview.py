"""What a table of ratings holds: who rated what, on which scale, and what stands beside it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.core.overview import Overview
from beholder.core.sample import Dataset
from beholder.errors import listed
from beholder.study.ratings import ALONE, Ratings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEW = 6  # dimensions and systems that are drawn
GREY, BLUE = "#9a9a9a", "#0072b2"


def overview(dataset: Dataset[Any, Any]) -> Overview:
    """Counts and scales of ratings, and a picture of how they are spread."""
    found = getattr(dataset.load, "ratings", None)
    if not isinstance(found, Ratings):
        return Overview({"items": f"{len(dataset):,}"})
    return Overview(_facts(found), tuple(_doubts(found)), partial(spread, dataset.name, found))


def _facts(found: Ratings) -> dict[str, str]:
    table = found.table
    raters = sorted(set(table["rater"]) - {ALONE})
    counts = table.groupby("item")["rater"].nunique()
    systems, groups = ([name for name in table[word].unique() if name] for word in ("system", "group"))
    facts = {
        "people × items": f"{len(raters) or 'means of people'} × {table['item'].nunique():,}; {len(table):,} ratings, "
        f"{counts.min()} to {counts.max()} raters per item",
        "systems": f"{len(systems)}: {listed(systems, most=6)}" if systems else "",
        "groups": f"{len(groups)}: {listed(groups, most=4)}" if len(groups) > 1 else "",
        "measures": f"{len(found.columns.columns)}: {listed(map(str, found.columns), most=8)}"
        if len(found.columns.columns)
        else "none beside the ratings; measures= names a file of them",
        "media": f"{len(found.media):,} files" if found.media else "",
    }
    for name, own in table.groupby("dimension", sort=False)["value"]:
        facts[f"dimension {name}"] = f"{own.min():g} to {own.max():g}, mean {own.mean():.3g}"
    return {key: text for key, text in facts.items() if text}


def _doubts(found: Ratings) -> list[str]:
    said = []
    for name, own in found.table.groupby("dimension", sort=False)["value"]:
        if own.nunique() == 1:
            said.append(
                f"every rating of {name} is {own.iloc[0]:g}: is value the right column? say --columns value=COLUMN"
            )
        elif own.nunique() == len(own) and len(own) > 20 and (np.diff(np.sort(own)) == 1).all():
            said.append(
                f"the ratings of {name} count rows from {own.min():g} to {own.max():g}: is value a number of rows?"
            )
    if len(found.dimensions) > 1:
        ranges = found.table.groupby("dimension")["value"].max()
        if ranges.max() > 5 * max(abs(ranges.min()), 1e-9):
            said.append(
                "dimensions have different scales; a mean over them weighs the widest most: select with dimension=NAME"
            )
    return said


def spread(name: str, found: Ratings) -> Figure:
    """How often each value was given, for each dimension, and the mean of each system."""
    from matplotlib.figure import Figure

    shown = found.dimensions[:FEW]
    systems = [one for one in found.table["system"].unique() if one]
    figure = Figure((7.5, 1.9 * len(shown) + 0.5), dpi=150, layout="constrained")
    panels = figure.subplots(len(shown), 2 if len(systems) > 1 else 1, squeeze=False)
    for row, dimension in zip(panels, shown, strict=True):
        own = found.table[found.table["dimension"] == dimension]
        values, counts = np.unique(own["value"], return_counts=True)
        if len(values) <= 15:
            row[0].bar(values, counts, color=GREY, width=0.7 * (np.diff(values).min() if len(values) > 1 else 1))
        else:
            row[0].hist(own["value"], bins=20, color=GREY)
        row[0].set_title(f"{dimension}: {len(own):,} ratings", size=8, loc="left", parse_math=False)
        row[0].set_ylabel("ratings", size=7)
        if len(systems) > 1:
            means = own.groupby("system")["value"].mean().sort_values()
            row[1].barh(range(len(means)), means, color=BLUE, height=0.6)
            row[1].set_yticks(range(len(means)), list(map(str, means.index)), size=7)
            row[1].set_title("mean by system", size=8, loc="left")
        for axes in row:
            axes.tick_params(labelsize=7)
            axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(name, size=9, x=0.01, ha="left", parse_math=False)
    return figure


def recognise(path: Path, columns: str = "") -> str:
    """The dataset of studies that a path seems to be: a table with items and values; nothing where it is none."""
    from beholder.io import table
    from beholder.io.columns import meanings
    from beholder.study.ratings import WORDS

    if not path.is_file() or path.suffix.lower() not in table.SUFFIXES:
        return ""
    try:
        found = meanings(table.head(path), WORDS, columns, of=str(path))
    except ValueError:  # no table, or what is said of its columns is not of this kind
        return ""
    return "ratings" if {"item", "value"} <= {*found} else ""
