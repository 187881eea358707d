"""Interiors: 57 people, and four models, who search grey pictures of rooms for a thing that they were shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.datasets import _folder, _visions
from beholder.attention.datasets._gaze import Card, gaze_dataset
from beholder.attention.paths.search import Search, Searchers
from beholder.attention.types import Outside
from beholder.core.cite import source
from beholder.core.sample import Dataset, remark

DATA, RESULTS = "Datasets/Interiors", "Results/Interiors_dataset"
MODELS = {"IVSN": "ZhangM2018", "eccNET": "Gupta2021", "nnIBS": "Travi2022", "IRL": "Yang2020"}
ABOUT = (
    "57 participants (40 to 57 per picture), search for an object shown before, 134 grey pictures of 1024 x 768, at "
    "most 2 to 12 saccades and no fixed viewing time (max_fixations in the files is one more); screens of 1280 x "
    "960 and 1280 x 1024 px, px per degree {known}; coordinates are px of the picture, from 0. Each trial began at "
    "its own place, which is the first fixation; a path ends where the target was seen. Onsets are the sums of "
    "earlier durations. This is not free viewing: do not use it for claims about salience."
)


@source("Bujia2022,Travi2022")
def interiors_search(
    path: Path, *, px_per_deg: float = np.nan, outside: Outside = "drop"
) -> Dataset[Search, Searchers]:
    """The folder as packed by ViSioNS: Datasets/Interiors and, if present, Results/Interiors_dataset/MODEL.

    A stimulus is a picture with the patch to search for; where it is, and who found it, is in the reference. The
    scanpaths of IVSN, eccNET, nnIBS and IRL in that folder are baselines (see `recorded_models`); IRL searched only 46
    of the pictures. They have no durations. Tag "target": what the target is, if it has a name.
    """
    root = _folder.existing_folder(path, "the folder of ViSioNS with Datasets/Interiors")
    data = _folder.require(root, DATA)
    seen, trials, files = _visions.read_pictures(data)
    stored = {name: root / RESULTS / name / "Scanpaths.json" for name in MODELS}
    present = {name: file for name, file in stored.items() if file.is_file()}
    shapes = {id: one.shape for id, one in seen.items() if one.shape}
    models = {name: _visions.read_model(file, shapes, cite=MODELS[name]) for name, file in present.items()}
    known = f"as given, {px_per_deg:g}" if np.isfinite(px_per_deg) else "not known"
    licence = "MIT (repository); the photographs' provenance is mixed: not to be redistributed"
    card = Card("interiors_search", ABOUT.format(known=known), "Bujia2022,Travi2022", licence, px_per_deg)
    dataset: Dataset[Any, Any] = gaze_dataset(
        seen, card, root=root, annotations=[*files, *present.values()], outside=outside
    )
    absent = remark([name for name in stored if name not in present], "model", "not here, so they do not take part")
    return replace(dataset, load=_visions.Hunt(dataset.load, trials, models), remarks=(*dataset.remarks, *absent))
