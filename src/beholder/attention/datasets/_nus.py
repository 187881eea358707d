"""The layout that the sets of NUS share: eye/fixations.mat with every picture's paths, and a folder of pictures.

`fixations` is a cell or struct array with `img`, the picture's file, and `subjects`, each with fix_x, fix_y and
fix_duration in ms, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import Seen
from beholder.attention.gaze.times import timed_path
from beholder.attention.people.controls import Shape
from beholder.attention.types import Scanpath, scanpath
from beholder.errors import Misuse
from beholder.io import structs

FIXATIONS = ("eye/fixations.mat", "data/eye/fixations.mat", "fixations.mat")
STIMULI = ("stimuli", "data/stimuli", "ALLSTIMULI")
ONSETS = (
    "Onsets are the sums of earlier durations, because the file has neither saccades nor the time before the "
    "first fixation."
)


def read_pictures(
    root: Path, *, offset: float = 0.0, shape: Shape | None = None, observers: Sequence[str] = ()
) -> tuple[dict[str, Seen], Path]:
    """Every picture of fixations.mat, with its file where that is at hand; and the file that was read.

    `offset` is the coordinate of the upper left corner; `shape` that of pictures without a file, where all have one.
    """
    file = _folder.require(root, *FIXATIONS)
    stimuli = _folder.first_existing(root, *STIMULI)
    found = {path.name: path for path in _folder.pictures(stimuli).values()} if stimuli else {}
    seen: dict[str, Seen] = {}
    for at, entry in enumerate(structs.several(structs.variable(file, "fixations"))):
        name = _name(entry, at, file)
        id = Path(name).stem
        if id in seen:
            raise Misuse(f"{file}: got the picture {id} twice; expected each once")
        paths = _paths(entry, f"{file}, {id}", offset=offset, observers=observers)
        seen[id] = Seen(paths, found.get(name), shape)
    return seen, file


def _name(entry: Any, at: int, file: Path) -> str:
    if not isinstance(entry, dict) or not {"img", "subjects"} <= set(entry):
        raise Misuse(f"{file}: got no img and subjects in entry {at}; expected NUS's struct array of fixations")
    return str(entry["img"])


def _paths(entry: Any, where: str, *, offset: float, observers: Sequence[str]) -> dict[str, Scanpath]:
    subjects = structs.several(entry["subjects"])
    names = observers or [f"{n:02}" for n in range(1, len(subjects) + 1)]
    if len(names) != len(subjects):
        raise Misuse(f"{where}: got {len(subjects)} subjects; expected {len(names)}")
    return {who: path_of(one, where, offset=offset) for who, one in zip(names, subjects, strict=True)}


def path_of(subject: Any, where: str, *, offset: float = 0.0) -> Scanpath:
    """The path in one subject's struct; an empty trial is a path of length 0."""
    if not isinstance(subject, dict):
        return scanpath([], [])
    if not {"fix_x", "fix_y"} <= set(subject):
        raise Misuse(f"{where}: got {', '.join(subject)}; expected fix_x, fix_y and fix_duration")
    x, y = (structs.vector(subject[name]) - offset for name in ("fix_x", "fix_y"))
    if "fix_duration" not in subject:
        return scanpath(x, y)
    try:
        return timed_path(x, y, duration_ms=structs.vector(subject["fix_duration"]))
    except ValueError as fault:
        raise Misuse(f"{where}: {fault}") from None
