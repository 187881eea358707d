"""Anybody's recordings: a long table of fixations and a folder of pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from beholder.attention.datasets import _table
from beholder.attention.datasets._gaze import Card, gaze_dataset
from beholder.attention.types import Lookers, Outside, Picture
from beholder.core.cite import source
from beholder.core.sample import Dataset

ABOUT = (
    "Your own recordings from {name}; px per degree {known}; the picture's corner is at {offset:g} in the file and "
    "at 0 here. Where onsets are missing, they are the sums of earlier durations."
)


@source("LeMeur2013")
def table(
    path: Path, *, px_per_deg: float = np.nan, offset: float = 0.0, outside: Outside = "drop"
) -> Dataset[Picture, Lookers]:
    """A table (.csv, .tsv, .parquet), or a folder that holds one, with the pictures below the same folder.

    Columns: stimulus (the picture's name, with or without suffix), observer, index (the order), x and y in px of the
    picture. Optional: duration_ms, onset_ms, group (of the observer); any further column of numbers becomes a signal. A
    trial without a fixation is one row without x and y. `offset` is the coordinate of the picture's upper left corner:
    0 if pixel i covers [i, i + 1), 0.5 if (1, 1) is the middle of the first pixel (as in MATLAB), −0.5 if (0, 0) is.
    """
    seen, file, groups = _table.read_pictures(path, offset)
    known = f"as given, {px_per_deg:g}" if np.isfinite(px_per_deg) else "not known"
    about = ABOUT.format(name=file.name, known=known, offset=offset)
    name, settings = f"table_{file.stem}", f"offset={offset:g}"
    card = Card(name, about, "LeMeur2013", "not stated", px_per_deg, groups=groups, settings=settings)
    return gaze_dataset(seen, card, root=file.parent, annotations=[file], outside=outside)
