"""Toronto (Bruce and Tsotsos): 120 pictures with the pixels that anybody looked at."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import Card, Seen, gaze_dataset
from beholder.attention.datasets._pooled import NOBODY, pooled_path
from beholder.attention.types import Lookers, Outside, Picture
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import structs

ABOUT = (
    "Free viewing of 120 pictures of 681 x 511, 4 s each, by 20 participants (Le Meur and Baccino's table; "
    "QUALINET's list says up to 11 per picture); px per degree unknown; a fixation is at the middle of its pixel. "
    f"The raw listings are not in px of the pictures and are not read. {NOBODY}"
)


@source("Bruce2009")
def toronto(path: Path, *, px_per_deg: float = np.nan, outside: Outside = "drop") -> Dataset[Picture, Lookers]:
    """The folder with origfixdata.mat and the pictures 1.jpg … 120.jpg, both anywhere below it."""
    root = _folder.existing_folder(path, "the folder of the Toronto set")
    file = next(iter(sorted(root.rglob("origfixdata.mat"))), None)
    if file is None:
        raise Misuse(f"got {root} without origfixdata.mat; expected the folder of the Toronto set")
    maps = structs.several(structs.variable(file, "white"))
    found = {picture.stem: picture for picture in _folder.pictures(root).values() if picture.stem.isdigit()}
    seen = {
        f"{n}": Seen(pooled_path(marks, f"{file}, map {n}"), found.get(f"{n}"), np.shape(marks))
        for n, marks in enumerate(maps, 1)
    }
    card = Card("toronto", ABOUT, "Bruce2009", "none stated; offered for research", px_per_deg, version=2)
    return gaze_dataset(seen, card, root=root, annotations=[file], outside=outside)
