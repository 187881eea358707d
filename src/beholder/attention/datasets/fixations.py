"""Anybody's recordings: a long table of fixations, whatever its columns are called, and a folder of pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from beholder.attention.datasets._fixations import Read, read_pictures
from beholder.attention.datasets._gaze import Card, gaze_dataset
from beholder.attention.gaze.placing import Placing
from beholder.attention.recordings.long_table import Wanted
from beholder.attention.types import Lookers, Outside, Picture
from beholder.core.cite import source
from beholder.core.sample import Dataset

ABOUT = "Your own recordings from {name}; px per degree {known}; {told}. {times}"
ONSETS = "Where onsets are missing, they are the sums of earlier durations."


@source("LeMeur2013")
def fixations(  # noqa: PLR0913  (what a lab's files may need to be told)
    path: Path,
    *,
    columns: str = "",
    pictures: str = "",
    px_per_deg: float = np.nan,
    screen: str = "",
    width_cm: float = np.nan,
    distance_cm: float = np.nan,
    placement: str = "",
    origin: str = "",
    units: str = "",
    offset: float = 0.0,
    left: float = 0.0,
    top: float = 0.0,
    time: str = "",
    outside: Outside = "drop",
) -> Dataset[Picture, Lookers]:
    """A table of fixations (.csv, .tsv, .txt, .parquet, .json, .jsonl), or a folder that holds one, and the pictures.

    Columns: stimulus (the picture's name), observer, x and y; where they are known index (the order), duration, onset,
    group (of the observer) and event (only rows marked as fixations count). Names that EyeLink Data Viewer, Tobii,
    Pupil Labs and others use are recognised; `columns` says any other: columns='stimulus=stim,observer=obs'. Any
    further column of numbers becomes a signal. A trial without a fixation is one row without x and y. Times are in ms,
    unless the column's name or `time` (s, ms, us, ns) says otherwise. `pictures` is their folder, by default the
    table's.

    Coordinates are px of the picture from its upper left corner. With `screen` (1920x1080) they are px of the screen,
    and `placement` says how the picture stood there: centre (its own size, the default), fit, stretch, or picture
    (coordinates are of the picture, the screen serves for px per degree only). units=share: from 0 to 1. `origin`:
    top_left, bottom_left, centre (y up), centre_down. `offset` is the coordinate of the upper left corner: 0 if pixel i
    covers [i, i + 1), 0.5 if (1, 1) is the middle of the first pixel (as in MATLAB), −0.5 if (0, 0) is; `left` and
    `top` are the same for each axis, as on a second monitor. px per degree are px_per_deg, or follow from screen,
    width_cm and distance_cm.
    """
    placing = Placing(
        px_per_deg, screen, width_cm, distance_cm, placement, origin, units, offset, left, top
    )  # fmt: skip
    read = read_pictures(path, Wanted(columns, time, pictures, placing))
    return from_table(
        read, name=f"fixations_{read.rows.file.stem}", settings=f"columns={columns},time={time}", outside=outside
    )


def from_table(
    read: Read, *, name: str, settings: str, outside: Outside, people: str = "recorded", who: str = "people"
) -> Dataset[Picture, Lookers]:
    """The dataset of a table that was read."""
    placing, file = read.rows.placing, read.rows.file
    scale = picture_scale(read, placing)
    known = f"{scale:.4g}" if np.isfinite(scale) else "not known"
    about = ABOUT.format(name=file.name, known=known, told=placing.told, times=ONSETS)
    card = Card(
        name, about, "LeMeur2013", "not stated", scale, groups=read.groups, settings=f"{placing.key},{settings}",
        people=people, remarks=read.remarks, placing=placing, columns=read.rows.columns, who=who,
    )  # fmt: skip
    return gaze_dataset(read.seen, card, root=file.parent, annotations=[file], outside=outside)


def picture_scale(read: Read, placing: Placing) -> float:
    """Pixels of pictures per degree; NaN where they were shown enlarged by different factors."""
    from beholder.attention.datasets._folder import picture_size

    grown = {round(placing.grown(picture_size(one.file)), 9) for one in read.seen.values() if one.file}
    return placing.scale / grown.pop() if len(grown) == 1 else float("nan") if grown else placing.scale
