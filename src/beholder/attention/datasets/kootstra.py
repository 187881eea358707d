"""Kootstra: 31 people, a hundred pictures of five kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import COUNTED_FROM_ONE, FROM_ONE, Card, Seen, gaze_dataset
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import structs

PX_PER_DEG = 34.8  # 1024 x 768 px on 36 x 27 cm at 70 cm
SHAPE = (768, 1024)
ABOUT = (
    "31 participants, free viewing, 100 pictures of 1024 x 768 (an older list says 101), viewing time not given; "
    f"34.8 px per degree; {COUNTED_FROM_ONE}; the file has neither times nor durations."
)


@source("Kootstra2011")
def kootstra(
    path: Path, *, px_per_deg: float = PX_PER_DEG, offset: float = FROM_ONE, outside: Outside = "drop"
) -> Dataset[Picture, Lookers]:
    """The folder with eyeTrackData.mat and the pictures below it, each found by its name; ids are KIND/PICTURE."""
    root = _folder.existing_folder(path, "the folder of Kootstra's set")
    file = _folder.require(root, "eyeTrackData.mat")
    found = {picture.stem.lower(): picture for picture in _folder.pictures(root).values()}
    kinds = structs.variable(file, "eyeTrackData")
    if not isinstance(kinds, dict):
        raise Misuse(f"{file}: got {type(kinds).__name__}; expected a struct with the kinds of pictures as its fields")
    seen = {
        f"{kind}/{name}": Seen(
            dict(_people(people, f"{file}, {name}", offset)), found.get(name.lower()), SHAPE, {"kind": kind}
        )
        for kind, held in kinds.items()
        for name, people in held.items()
    }
    settings = f"offset={offset:g}"
    card = Card("kootstra", ABOUT, "Kootstra2011", "non-commercial use", px_per_deg, settings=settings, version=2)
    return gaze_dataset(seen, card, root=root, annotations=[file], outside=outside)


def _people(people: Any, where: str, offset: float) -> Iterator[tuple[str, Scanpath]]:
    if not isinstance(people, dict):
        raise Misuse(f"{where}: got {type(people).__name__}; expected subject_XX with fixX and fixY")
    for who, path in people.items():
        if not isinstance(path, dict) or not {"fixX", "fixY"} <= set(path):
            raise Misuse(f"{where}, {who}: got no fixX and fixY; expected both")
        x, y = (structs.vector(path[name]) - offset for name in ("fixX", "fixY"))
        yield who.removeprefix("subject_"), scanpath(x, y)
