"""MIT1003: fifteen people, a thousand pictures, three seconds each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beholder.attention.datasets import _folder, _nus
from beholder.attention.datasets._gaze import Card, Seen, gaze_dataset
from beholder.attention.gaze.detection import Gaze, detector
from beholder.attention.types import Lookers, Outside, Picture, Scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import structs

HERTZ = 240.0
CODE_PX_PER_DEG = 34.0  # in the program that found the fixations; the Tübingen benchmark says 35
LICENCE = "none stated; offered for research by MIT"
ABOUT = (
    "15 participants, free viewing, 1003 pictures, 3 s each (both sources agree); 35 px per degree (Tübingen "
    "benchmark; 34 in the authors' program); coordinates count from 0. The first fixation, which was forced to the "
    "centre, is {first}."
)


@source("Judd2009")
def mit1003(
    path: Path, *, detector: str = "", initial: bool = False, px_per_deg: float = 35.0, outside: Outside = "drop"
) -> Dataset[Picture, Lookers]:
    """The folder with eye/fixations.mat and stimuli (as packed by NUS), or with DATA and ALLSTIMULI (as packed by MIT).

    The former holds fixations found by the authors' program. The latter holds raw gaze at 240 Hz, in which fixations
    are found here by a `detector`: acceleration (the authors' program), velocity or dispersion; the dataset's name says
    which. With raw gaze, `initial` keeps the first fixation of a trial.
    """
    root = _folder.existing_folder(path, "the folder of MIT1003")
    raw = _folder.first_existing(root, "DATA")
    packed = _folder.first_existing(root, *_nus.FIXATIONS)
    if raw and (detector or not packed):
        return _raw(root, detector or "acceleration", initial=initial, px_per_deg=px_per_deg, outside=outside)
    if not packed:
        raise Misuse(f"got {root} with neither eye/fixations.mat nor DATA; expected MIT1003 as packed by NUS or by MIT")
    if detector or initial:
        raise Misuse(
            f"got detector={detector!r}, initial={initial}; {packed} holds fixations only; give the folder "
            "with MIT's DATA"
        )
    seen, file = _nus.read_pictures(root)
    about = f"{ABOUT.format(first='not in the file')} {_nus.ONSETS}"
    card = Card("mit1003", about, "Judd2009", LICENCE, px_per_deg)
    return gaze_dataset(seen, card, root=root, annotations=[file], outside=outside)


def _raw(root: Path, name: str, *, initial: bool, px_per_deg: float, outside: Outside) -> Dataset[Picture, Lookers]:
    found = _folder.pictures(_folder.require(root, "ALLSTIMULI", "stimuli"))
    people = sorted(place for place in (root / "DATA").iterdir() if place.is_dir())
    files = {who.name: {file.stem: file for file in sorted(who.glob("*.mat"))} for who in people}
    if not any(files.values()):
        raise Misuse(f"got {root / 'DATA'} without recordings; expected a folder per person, with one .mat per picture")
    ids = sorted({id for theirs in files.values() for id in theirs})
    seen = {
        id: Seen(
            {who: trial(theirs[id], name, initial=initial) for who, theirs in files.items() if id in theirs},
            found.get(id),
        )
        for id in ids
    }
    first = "kept" if initial else "dropped"
    about = f"{ABOUT.format(first=first)} Fixations were found in the raw gaze by the {name} detector."
    card = Card(f"mit1003_{name}" + "_initial" * initial, about, "Judd2009", LICENCE, px_per_deg)
    annotations = [file for theirs in files.values() for file in theirs.values()]
    return gaze_dataset(seen, card, root=root, annotations=annotations, outside=outside)


def trial(file: Path, name: str, *, initial: bool = False) -> Scanpath:
    """The fixations in one recording; what is negative or not a number is no gaze.

    The authors' program knows NaN only: it finds fixations at negative places, which are dropped as outside.
    """
    samples = _samples(file)
    if name != "acceleration":
        samples = np.where((samples < 0).any(axis=1, keepdims=True), np.nan, samples)
    path = detector(name)(Gaze(samples[:, 0], samples[:, 1], HERTZ), px_per_deg=CODE_PX_PER_DEG)
    return path if initial else path.at(slice(1, None))


def recordings(path: Path) -> dict[str, tuple[tuple[int, int], dict[str, Gaze]]]:
    """The raw gaze, where MIT's DATA is there: per picture its rows and columns, and each participant's, in its px."""
    root = _folder.existing_folder(path, "the folder of MIT1003")
    if not (root / "DATA").is_dir():
        return {}
    pictures = _folder.pictures(_folder.require(root, "ALLSTIMULI", "stimuli"))
    found: dict[str, tuple[tuple[int, int], dict[str, Gaze]]] = {}
    for who in sorted(place for place in (root / "DATA").iterdir() if place.is_dir()):
        for file in sorted(who.glob("*.mat")):
            if file.stem in pictures:
                samples = _samples(file)
                seen = np.where((samples < 0).any(axis=1, keepdims=True), np.nan, samples)
                shape = _folder.picture_size(pictures[file.stem])
                found.setdefault(file.stem, (shape, {}))[1][who.name] = Gaze(seen[:, 0], seen[:, 1], HERTZ)
    return found


def _samples(file: Path) -> NDArray[np.float64]:
    """(n, 2): x and y of a recording."""
    held = list(structs.read(file).values())
    try:
        return np.asarray(structs.several(held[0]["DATA"])[0]["eyeData"], np.float64).reshape(-1, 2)
    except (IndexError, KeyError, TypeError, ValueError):
        raise Misuse(f"{file}: got no DATA(1).eyeData of n x 2; expected a recording of MIT1003") from None
