"""Scanpaths of models as a dataset: one long table, to be looked at before it takes part with `--model table:FILE`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from beholder.attention.columns import SCANPATHS
from beholder.attention.datasets._fixations import read_pictures
from beholder.attention.datasets.fixations import from_table
from beholder.attention.gaze.placing import Placing
from beholder.attention.recordings.long_table import Wanted
from beholder.attention.types import Lookers, Outside, Picture
from beholder.core.cite import source
from beholder.core.sample import Dataset


@source("LeMeur2013")
def scanpaths(  # noqa: PLR0913  (what files may need to be told)
    path: Path,
    *,
    columns: str = "",
    pictures: str = "",
    px_per_deg: float = np.nan,
    origin: str = "",
    units: str = "",
    offset: float = 0.0,
    time: str = "",
    outside: Outside = "drop",
) -> Dataset[Picture, Lookers]:
    """A table of models' scanpaths: model, stimulus, x and y; where they are known repeat, index, duration and onset.

    Models stand where people stand in other datasets, each with its repeats, so that `beholder check --as scanpaths`
    can count and draw them. To score them against people, give the same table as models: --model table:FILE. Without a
    column of models, all rows are of one. Names of columns, units and places are as in `fixations`.
    """
    placing = Placing(px_per_deg, origin=origin, units=units, offset=offset)
    read = read_pictures(path, Wanted(columns, time, pictures, placing, SCANPATHS))
    name, settings = f"scanpaths_{read.rows.file.stem}", f"columns={columns},time={time}"
    return from_table(read, name=name, settings=settings, outside=outside, people="", who="models")
