"""CAT2000: two thousand pictures of twenty kinds, eighteen people each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import COUNTED_FROM_ONE, FROM_ONE, Card, Seen, gaze_dataset
from beholder.attention.datasets._pooled import NOBODY, pooled_path
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import structs

PX_PER_DEG = 40.0  # the standard deviation of the benchmark's blur, which stands for a degree
SHAPE = (1080, 1920)
ABOUT = (
    "18 participants per picture, free viewing, 2000 pictures of 1920 x 1080 in 20 kinds, 5 s each; a degree is "
    "taken to be 40 px, the benchmark's blur."
)
ROWS = f"{COUNTED_FROM_ONE.capitalize()}; a row that repeats the one before it is the same fixation."


@source("Borji2015")
def cat2000(path: Path, *, px_per_deg: float = PX_PER_DEG, outside: Outside = "drop") -> Dataset[Picture, Lookers]:
    """The folder trainSet (or its parent) with Stimuli and either allFixData.mat or FIXATIONLOCS.

    allFixData.mat is a containers.Map from 'Action/001.jpg' to everybody's rows of x and y. FIXATIONLOCS has a map of
    fixated pixels for each picture, without observers. Ids are KIND/NNN.
    """
    root = _folder.existing_folder(path, "the folder of CAT2000")
    root = root / "trainSet" if (root / "trainSet").is_dir() else root
    stimuli = _folder.require(root, "Stimuli")
    found = {id: file for id, file in _folder.pictures(stimuli).items() if "Output" not in Path(id).parts}
    rows = _folder.first_existing(root, "allFixData.mat")
    seen, annotations = _observers(rows, found) if rows else _maps(_folder.require(root, "FIXATIONLOCS"), found)
    card = Card("cat2000", f"{ABOUT} {ROWS if rows else NOBODY}", "Borji2015", "none stated", px_per_deg, version=2)
    return gaze_dataset(seen, card, root=root, annotations=annotations, outside=outside)


def _observers(file: Path, found: dict[str, Path]) -> tuple[dict[str, Seen], list[Path]]:
    held = [value for value in structs.read(file).values() if isinstance(value, dict)]
    if len(held) != 1:
        raise Misuse(f"{file}: got no map of pictures; expected the containers.Map of CAT2000")
    seen = {}
    for name, people in held[0].items():
        id = Path(name).with_suffix("").as_posix()
        paths = _folder.one_path_each(_paths(people, f"{file}, {id}"), f"{file}, {id}")
        seen[id] = Seen(paths, found.get(id), SHAPE, {"kind": Path(id).parent.name})
    return dict(sorted(seen.items())), [file]


def _paths(people: Any, where: str) -> Iterator[tuple[str, Scanpath]]:
    records = structs.several(people)
    if not all(isinstance(one, dict) and {"name", "data"} <= set(one) for one in records):
        raise Misuse(f"{where}: got no name and data; expected a cell of structs with both")
    whole = [Path(str(one["name"])).stem for one in records]
    last = [name.rpartition("-")[2] for name in whole]  # '24-53-ak' is the observer ak
    names = last if len(set(last)) == len(last) else whole
    for who, one in zip(names, records, strict=True):
        points = np.asarray(one["data"], np.float64).reshape(-1, 2) - FROM_ONE
        fresh = np.ones(len(points), np.bool_)
        fresh[1:] = (np.diff(points, axis=0) != 0).any(axis=1)
        yield who, scanpath(points[fresh, 0], points[fresh, 1])


def _maps(where: Path, found: dict[str, Path]) -> tuple[dict[str, Seen], list[Path]]:
    files = {file.relative_to(where).with_suffix("").as_posix(): file for file in sorted(where.rglob("*.mat"))}
    seen = {
        id: Seen(
            pooled_path(next(iter(structs.read(file).values()), None), str(file)),
            found.get(id),
            SHAPE,
            {"kind": Path(id).parent.name},
        )
        for id, file in files.items()
    }
    return seen, list(files.values())
