"""COCO-FreeView and COCO-Search18: scanpaths as a JSON list of trials."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import Card, Seen, gaze_dataset
from beholder.attention.gaze.times import timed_path
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.io import structs
from beholder.io.reading import parse_json

PX_PER_DEG = 30.55  # 31.1 across and 30.0 down
ABOUT = (
    "{people} participants, {task}, pictures of COCO; 31.1 x 30.0 px per degree, whose mean is used; coordinates "
    "count from 0; onsets are the sums of earlier durations, without saccades."
)


@source("Chen2021,Chen2022")
def coco(
    path: Path, *, split: str = "", px_per_deg: float = PX_PER_DEG, outside: Outside = "drop"
) -> Dataset[Picture, Lookers]:
    """The folder with one or more JSON lists of {name, subject, X, Y, T, …} and the pictures below it.

    T are durations in ms. Where trials have a task (search), ids are TASK/PICTURE, and the pictures may lie in one
    folder per task. `split` selects the trials of one split (train, valid, test).
    """
    root = _folder.existing_folder(path, "a folder with JSON lists of trials and pictures")
    files = sorted(root.glob("*.json")) or sorted(root.rglob("*.json"))
    if not files:
        raise Misuse(f"got {root} without .json files; expected lists of trials and the pictures")
    trials = [(file, trial) for file in files for trial in _trials(file) if split in ("", trial.get("split", split))]
    if not trials:
        raise Misuse(
            f"got no trial in {', '.join(file.name for file in files)} of the split {split!r}; expected at least one"
        )
    found = _folder.pictures(root)
    tasks = sorted({str(trial["task"]) for _, trial in trials if trial.get("task")})
    people = len({str(trial["subject"]) for _, trial in trials})
    about = ABOUT.format(people=people, task=f"search for {', '.join(tasks)}" if tasks else "free viewing")
    name = "coco_search18" if tasks else "coco_freeview"
    cite = "Chen2021" if tasks else "Chen2022"
    card = Card(f"{name}_{split}" if split else name, about, cite, "that of COCO's pictures (mixed)", px_per_deg)
    return gaze_dataset(_group_by_picture(trials, found), card, root=root, annotations=files, outside=outside)


def _trials(file: Path) -> list[dict[str, Any]]:
    try:
        held = parse_json(file.read_text("utf-8"))
    except (ValueError, UnicodeDecodeError) as fault:
        raise Misuse(f"{file}: not valid JSON ({fault}); expected a list of trials") from None
    needs = {"name", "subject", "X", "Y"}
    if not isinstance(held, list) or not all(isinstance(one, dict) and needs <= set(one) for one in held):
        raise Misuse(
            f"{file}: got no list of trials with {', '.join(sorted(needs))}; expected the form of COCO-FreeView"
        )
    return held


def _group_by_picture(trials: Iterable[tuple[Path, dict[str, Any]]], found: dict[str, Path]) -> dict[str, Seen]:
    """Every picture with its people, in the order of the names."""
    held: dict[str, list[tuple[str, Scanpath]]] = {}
    tags: dict[str, dict[str, str]] = {}
    for file, trial in trials:
        stem, task = Path(str(trial["name"])).stem, str(trial.get("task") or "")
        id = f"{task}/{stem}" if task else stem
        held.setdefault(id, []).append((str(trial["subject"]), _path(trial, f"{file}, {id}")))
        tags[id] = {key: str(trial[key]) for key in ("task", "condition", "split") if trial.get(key)}
    ends = {}
    for inner, file in found.items():
        ends[Path(inner).name] = file
        ends["/".join(Path(inner).parts[-2:])] = file
    return {
        id: Seen(_folder.one_path_each(held[id], id), ends.get(id) or ends.get(Path(id).name), None, tags[id])
        for id in sorted(held)
    }


def _path(trial: dict[str, Any], where: str) -> Scanpath:
    x, y = structs.vector(trial["X"]), structs.vector(trial["Y"])
    try:
        if trial.get("T") is None:
            return scanpath(x, y)
        return timed_path(x, y, duration_ms=structs.vector(trial["T"]))
    except ValueError as fault:
        raise Misuse(f"{where}, subject {trial['subject']}: {fault}") from None
