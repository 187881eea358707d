"""SALICON: where people pointed a mouse whose cursor uncovers the picture; pictures of COCO."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import COUNTED_FROM_ONE, FROM_ONE, Card, Seen, gaze_dataset
from beholder.attention.people.controls import Shape
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import structs
from beholder.io.reading import parse_json

SHAPE = (480, 640)
ABOUT = (
    "Mouse movements, not eye movements: workers in a web study uncovered each picture of 640 x 480 for 5 s (from "
    "memory); {who}. No px per degree; "
    f"{COUNTED_FROM_ONE}; the files have neither onsets nor durations of the fixations."
)
NAMELESS = "they are anonymous, so it is not known who saw more than one picture"
NUMBERED = "they are identified by numbers; what this edition's files call fixations are samples of slow movement"


@source("Jiang2015")
def salicon(path: Path, *, px_per_deg: float = np.nan, outside: Outside = "drop") -> Dataset[Picture, Lookers]:
    """The folder with one .mat per picture (below fixations, or anywhere) and the pictures of the same names (images).

    Without .mat files it reads the evaluation server's form: fixations_…2014.json, lists of images and annotations, in
    which places are rows and columns.
    """
    root = _folder.existing_folder(path, "the folder of SALICON")
    files = sorted((_folder.first_existing(root, "fixations") or root).rglob("*.mat"))
    lists = [] if files else sorted((_folder.first_existing(root, "annotations") or root).rglob("*.json"))
    if not files and not lists:
        raise Misuse(f"got {root} without .mat files, one per picture, and without a list of annotations (.json)")
    found = {file.stem: file for file in _folder.pictures(_folder.first_existing(root, "images") or root).values()}
    if files:
        seen = {file.stem: Seen(dict(_people(file)), found.get(file.stem), SHAPE) for file in files}
    else:
        seen = {id: Seen(paths, found.get(id), shape) for file in lists for id, paths, shape in _listed(file)}
    about = ABOUT.format(who=NAMELESS if files else NUMBERED)
    name = "salicon" if files else "salicon_json"
    card = Card(name, about, "Jiang2015", "CC BY 4.0 (annotations; from memory)", px_per_deg, version=2)
    return gaze_dataset(seen, card, root=root, annotations=files or lists, outside=outside)


def _listed(file: Path) -> Iterator[tuple[str, dict[str, Scanpath], Shape]]:
    """Every picture of a list of annotations: its name, its workers' paths, its size."""
    try:
        held = parse_json(file.read_text("utf-8"))
    except (ValueError, UnicodeDecodeError) as fault:
        raise Misuse(f"{file}: not valid JSON ({fault}); expected SALICON's list of annotations") from None
    if not isinstance(held, dict) or not {"images", "annotations"} <= set(held):
        raise Misuse(f"{file}: got no images and annotations; expected SALICON's list of annotations")
    paths: dict[Any, dict[str, Scanpath]] = {}
    for at, one in enumerate(held["annotations"]):
        if not {"image_id", "fixations"} <= set(one):
            raise Misuse(f"{file}: got annotation {at} without image_id and fixations; expected both")
        theirs = paths.setdefault(one["image_id"], {})
        who = str(one.get("worker_id", f"#{at}"))
        points = _points(one["fixations"], file) - FROM_ONE
        theirs[who if who not in theirs else f"{who}#{at}"] = scanpath(points[:, 1], points[:, 0])
    for image in held["images"]:
        if image["id"] in paths:
            yield Path(image["file_name"]).stem, paths[image["id"]], (int(image["height"]), int(image["width"]))


def _people(file: Path) -> Iterator[tuple[str, Scanpath]]:
    for at, one in enumerate(structs.several(structs.variable(file, "gaze")), 1):
        if not isinstance(one, dict) or "fixations" not in one:
            raise Misuse(
                f"{file}: got no fixations in gaze({at}); expected a struct with location, timestamp, fixations"
            )
        points = _points(one["fixations"], file)
        yield f"{file.stem}#{at:02}", scanpath(points[:, 0] - FROM_ONE, points[:, 1] - FROM_ONE)


def _points(values: Any, file: Path) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    found = np.asarray(values, np.float64)
    if found.size % 2 or (found.ndim == 2 and found.shape[1] != 2):
        raise Misuse(f"{file}: got fixations of shape {found.shape}; expected n x 2")
    return found.reshape(-1, 2)
