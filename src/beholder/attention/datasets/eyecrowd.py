"""EyeCrowd: sixteen people, five hundred pictures of crowds."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from beholder.attention.datasets import _folder, _nus
from beholder.attention.datasets._gaze import COUNTED_FROM_ONE, FROM_ONE, Card, gaze_dataset
from beholder.attention.types import Lookers, Outside, Picture, keep_inside
from beholder.core.cite import source
from beholder.core.sample import Dataset

SHAPE = (768, 1024)


@source("Jiang2014")
def eyecrowd(path: Path, *, px_per_deg: float = np.nan, outside: Outside = "drop") -> Dataset[Picture, Lookers]:
    """The folder with eye/fixations.mat and stimuli, or the repository with both below data."""
    root = _folder.existing_folder(path, "the folder of EyeCrowd")
    # x runs over 1 … 1024 and y up to 768 in the file: they count from 1; the authors' program rounds them.
    seen, file = _nus.read_pictures(root, offset=FROM_ONE, shape=SHAPE)
    about = (
        "16 participants, free viewing, 500 pictures of 1024 x 768, 5 s each (from memory); px per degree unknown; "
        f"{COUNTED_FROM_ONE}. {_nus.ONSETS}"
    )
    licence = "MIT (repository); the photographs are from the web"
    card = Card("eyecrowd", about, "Jiang2014", licence, px_per_deg, version=2)
    return gaze_dataset(seen, card, root=root, annotations=[file], outside=outside)


def read_everyone(folder: Path, *, offset: float = FROM_ONE) -> list[Lookers]:
    """Who looked at each of all 500 pictures, also those whose pictures are not at hand."""
    seen, _ = _nus.read_pictures(folder, offset=offset, shape=SHAPE)
    paths = [{who: keep_inside(path, SHAPE)[0] for who, path in each.paths.items()} for each in seen.values()]
    return [Lookers(each, SHAPE) for each in paths]
