"""Physion: how many people foresee rightly whether two objects will touch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import table as tables
from beholder.study.datasets import _files
from beholder.study.ratings import Item, Opinion, clean

if TYPE_CHECKING:
    import pandas as pd

HUMANS = "results/csv/humans/human_accuracy-*.csv"
NEEDED = ("stim_ID", "correct", "c")
ABOUT = (
    "Clips of eight kinds of physical event; the value is the share of people who correctly predicted whether one "
    "object would touch another. Individual answers are not published."
)


@source("Bear2021")
def physion(path: Path) -> Dataset[Item, Opinion]:
    """The folder of Physion's tables: one item per clip, its value the share of people who were right.

    An item is scenario/clip; its group is the scenario. The only column is `observers`, how many people saw the clip:
    it is not a measure of anything, and only separates scenarios. Models' accuracies are published per scenario only:
    `beholder.study.scoreboards.physion` reads them. People's means there differ by up to 0.005 from the means here.
    """
    import pandas as pd

    root = _files.folder(path, "the folder of Physion's tables, with results/csv")
    files = _files.found(root, HUMANS, "people's accuracies")
    rows = pd.concat([_scenario(file) for file in files], ignore_index=True)
    made = clean(rows.drop(columns="observers"), rows.drop_duplicates("item").set_index("item")[["observers"]])
    return made.dataset("physion", cite="Bear2021", licence="MIT", about=ABOUT)


def _scenario(file: Path) -> pd.DataFrame:
    """The clips of one scenario, which the name of the file tells."""
    rows = tables.read(file, ["stim_ID"])
    if lacking := [name for name in NEEDED if name not in rows]:
        raise Misuse(f"{file}: no column called {lacking[0]}; expected {', '.join(NEEDED)}")
    scenario = file.stem.partition("human_accuracy-")[2].partition("_")[0]
    named = rows.rename(columns={"correct": "value", "c": "observers"})
    return named.assign(item=scenario + "/" + named["stim_ID"], group=scenario, dimension="accuracy").drop(
        columns="stim_ID"
    )
