"""SALICON: where people pointed a mouse whose cursor uncovers the picture; pictures of COCO."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.beds import _folder
from beholder.attention.beds._gaze import Card, Seen, gallery
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, scanpath
from beholder.media import structs
from beholder.spine.cite import source
from beholder.spine.misuse import Misuse
from beholder.spine.sample import Bed

SHAPE = (480, 640)
ABOUT = (
    "Mouse, not eyes: workers of a web study uncovered each picture of 640 x 480 for 5 s (from memory); they are not "
    "named, so that nobody is known to have seen two pictures. No px per degree; coordinates count from 1 in the files "
    "and from 0 here; onsets and durations of the fixations are not in the files."
)


@source("Jiang2015")
def salicon(path: Path, *, px_per_deg: float = np.nan, outside: Outside = "drop") -> Bed[Picture, Lookers]:
    """The folder with a .mat a picture (below fixations, or anywhere) and the pictures of the same names (images)."""
    root = _folder.folder(path, "the folder of SALICON")
    files = sorted((_folder.place(root, "fixations") or root).rglob("*.mat"))
    if not files:
        raise Misuse(f"got {root} without .mat files; expected one a picture, as of fixations.zip")
    found = {file.stem: file for file in _folder.pictures(_folder.place(root, "images") or root).values()}
    seen = {file.stem: Seen(dict(_people(file)), found.get(file.stem), SHAPE) for file in files}
    card = Card("salicon", ABOUT, "Jiang2015", "CC BY 4.0 (annotations; from memory)", px_per_deg)
    return gallery(seen, card, root=root, annotations=files, outside=outside)


def _people(file: Path) -> Iterator[tuple[str, Scanpath]]:
    for at, one in enumerate(structs.several(structs.variable(file, "gaze")), 1):
        if not isinstance(one, dict) or "fixations" not in one:
            raise Misuse(
                f"{file}: got no fixations in gaze({at}); expected a struct with location, timestamp, fixations"
            )
        points = _points(one["fixations"], file)
        yield f"{file.stem}#{at:02}", scanpath(points[:, 0] - 1, points[:, 1] - 1)


def _points(values: Any, file: Path) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    found = np.asarray(values, np.float64)
    if found.size % 2 or (found.ndim == 2 and found.shape[1] != 2):
        raise Misuse(f"{file}: got fixations of shape {found.shape}; expected n x 2")
    return found.reshape(-1, 2)
