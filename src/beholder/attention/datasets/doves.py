"""DOVES: 29 people, 101 grey pictures of natural scenes, raw gaze at 200 Hz."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import COUNTED_FROM_ONE, FROM_ONE, Card, Seen, gaze_dataset
from beholder.attention.gaze.detection import Gaze
from beholder.attention.gaze.detection import detector as detector_of
from beholder.attention.gaze.times import timed_path
from beholder.attention.people.controls import Shape
from beholder.attention.types import Lookers, Outside, Picture, Scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import hateren, image, structs
from beholder.io.image import PICTURES
from beholder.io.video import srgb

HERTZ = 200.0
PX_PER_DEG = 60.0  # 1 arcmin a pixel at 134 cm
ABOUT = (
    "29 participants, free viewing followed by a memory task, 101 grey pictures of 1024 x 768, 5 s each; 60 px per "
    f"degree; {COUNTED_FROM_ONE}. Luminance is shown as sRGB, with the brightest value as white."
)


@source("vanderLinde2009")
def doves(
    path: Path,
    *,
    detector: str = "",
    px_per_deg: float = PX_PER_DEG,
    offset: float = FROM_ONE,
    outside: Outside = "drop",
) -> Dataset[Picture, Lookers]:
    """The folder with Fixations/PICTURE.iml.mat and the pictures (.iml, or .png of the same names) below it.

    Fixations are those of the files or, with a `detector` (acceleration, velocity, dispersion), found in their gaze.
    """
    root = _folder.existing_folder(path, "the folder of DOVES")
    where = _folder.require(root, "Fixations", "fixations")
    files = sorted(where.glob("*.mat"))
    if not files:
        raise Misuse(f"got {where} without .mat files; expected one per picture, such as img00001.iml.mat")
    found = {file.stem: file for file in _folder.pictures(root, (*PICTURES, ".iml")).values()}
    seen = {}
    for file in files:
        id = file.name.split(".")[0]
        people = _people(file, detector=detector, px_per_deg=px_per_deg, offset=offset)
        seen[id] = Seen(_folder.one_path_each(people, str(file)), found.get(id), hateren.CUT)
    by = (
        f"Fixations were found in the raw gaze by the {detector} detector."
        if detector
        else ("Fixations are those of the files.")
    )
    card = Card(
        f"doves_{detector}" if detector else "doves",
        f"{ABOUT} {by}",
        "vanderLinde2009",
        "eye data may be redistributed with their copyright notice; the pictures are van Hateren's",
        px_per_deg,
        pixels=grey,
        shape=_shape,
        settings=f"offset={offset:g}",
        version=2,
    )
    return gaze_dataset(seen, card, root=root, annotations=files, outside=outside)


def grey(file: Path) -> NDArray[np.uint8]:
    """The picture in a file, of van Hateren's format or any other."""
    if file.suffix.lower() != ".iml":
        return image.read(file)
    light = hateren.read(file)
    return srgb(light / max(1, int(light.max())))


def _shape(file: Path) -> Shape:
    return hateren.CUT if file.suffix.lower() == ".iml" else _folder.picture_size(file)


def _people(file: Path, *, detector: str, px_per_deg: float, offset: float) -> Iterator[tuple[str, Scanpath]]:
    held = structs.read(file)
    missing = [name for name in ("subj_names_list", "eye_data" if detector else "fix_data") if name not in held]
    if missing:
        raise Misuse(f"{file}: got {', '.join(held) or 'nothing'}; expected {missing[0]}")
    data = structs.several(held["eye_data" if detector else "fix_data"])
    names = [str(name) for name in structs.several(held["subj_names_list"])]
    if len(names) != len(data):
        raise Misuse(f"{file}: got {len(names)} names and {len(data)} recordings; expected the same number of each")
    for who, values in zip(names, data, strict=True):
        if detector:
            x, y = _rows(values, 2, file) - offset
            yield who, detector_of(detector)(Gaze(x, y, HERTZ), px_per_deg=px_per_deg)
        else:
            x, y, samples = _rows(values, 3, file)
            yield who, timed_path(x - offset, y - offset, duration_ms=1000 * samples / HERTZ)


def _rows(values: Any, count: int, file: Path) -> NDArray[np.float64]:
    """Rows of a recording; one column loses its axis in reading, and an empty one both."""
    found = np.asarray(values, np.float64)
    if found.size % count or (found.ndim == 2 and found.shape[0] != count):
        raise Misuse(f"{file}: got a recording of shape {found.shape}; expected {count} rows")
    return found.reshape(count, -1)
