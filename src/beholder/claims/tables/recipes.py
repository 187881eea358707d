"""Published numbers that no run of a benchmark gives, by the recipe of their authors.

Each takes the folder of a set and returns its values by row and column, and the number of samples that they are of.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.gaze.vectors import DIMENSIONS
from beholder.attention.measures.multimatch import Weights, multimatch
from beholder.attention.paths.search import RECEPTIVE, Box, Searchers, at_own_resolution, on_grid
from beholder.attention.types import Scanpath, scanpath
from beholder.core.measure import NotApplicable
from beholder.io import structs
from beholder.motion.datasets.huperflow import huperflow
from beholder.motion.perceived import Probes

Floats = NDArray[np.float64]
Values = dict[tuple[str, str], float]

SPACE = ("vector", "direction", "length", "position")  # MultiMatch without durations
PREDICTED = {"AUC": "AUChsp", "NSS": "NSShsp", "IG": "IGhsp", "LL": "LLhsp"}  # columns of Metrics.json
MODELS = ("nnIBS", "eccNET", "IRL", "IVSN")


def fixation_statistics(folder: Path) -> tuple[Values, int]:
    """How many fixations a set of NUS has, and the moments of their places, over all pictures and people."""
    pictures = structs.several(structs.variable(folder / "eye" / "fixations.mat", "fixations"))
    people = [one for picture in pictures for one in structs.several(picture["subjects"])]
    x, y = (np.concatenate([structs.vector(one[key]) for one in people]) for key in ("fix_x", "fix_y"))
    lengths = np.array([len(structs.vector(one["fix_x"])) for one in people])
    found = {
        "fixations": float(len(x)),
        "per trial": float(lengths.mean()),
        "empty trials": float((lengths == 0).sum()),
        **_moments("x", x),
        **_moments("y", y),
    }
    return {("people", name): value for name, value in found.items()}, len(pictures)


def _moments(axis: str, places: Floats) -> dict[str, float]:
    z = (places - places.mean()) / places.std()
    moments = {"mean": places.mean(), "sd": places.std(), "skew": (z**3).mean(), "kurtosis": (z**4).mean() - 3}
    return {f"{name} {axis}": float(value) for name, value in moments.items()}


def people_against_truth(folder: Path) -> tuple[Values, int]:
    """How far people's mean answers in HuPerFlow are from the truth, by source of the movies and over all."""
    dataset = huperflow(folder)
    found: dict[str, list[Probes]] = {}
    for id in dataset.ids:
        for name in (id.partition("-")[0], "all"):
            found.setdefault(name, []).append(dataset.reference(id))
    values = {(name, key): value for name, probes in found.items() for key, value in _against(probes).items()}
    return values, len(dataset)


def _against(probes: list[Probes]) -> dict[str, float]:
    people, truth = (np.concatenate([getattr(one, side) for one in probes]) for side in ("everyone", "truth"))
    speeds = np.hypot(*people.T), np.hypot(*truth.T)
    u, v = (float(np.corrcoef(people[:, at], truth[:, at])[0, 1]) for at in (0, 1))
    ratio = float(np.median(speeds[0] / speeds[1]))
    error = float(np.hypot(*(people - truth).T).mean())
    return {"speed": float(speeds[1].mean()), "EPE": error, "r(u)": u, "r(v)": v, "speed ratio": ratio}


def search_multimatch(folder: Path) -> tuple[Values, int]:
    """MultiMatch of models and people on Interiors, by the criterion of a run, also where the picture is not here."""
    pictures = _searchers(folder / "Datasets" / "Interiors")
    found: Values = {}
    for name in MODELS:
        walks = _read(folder / "Results" / "Interiors_dataset" / name / "Scanpaths.json")
        found |= _averaged(name, [_alike(_model_path(walk), pictures[picture]) for picture, walk in walks.items()])
    return found | _averaged("people", [_among(one) for one in pictures.values()]), len(pictures)


def _averaged(name: str, rows: list[Floats]) -> Values:
    """Means over pictures on which there is something to compare; AvgMM is that of the four dimensions of space."""
    means = np.nanmean(rows, axis=0)
    return {(name, key): float(value) for key, value in zip(("AvgMM", *SPACE), (means.mean(), *means), strict=True)}


def _alike(path: Scanpath, people: Searchers) -> Floats:
    """The four similarities of a path with people's; NaN where nothing is compared."""
    try:
        found = multimatch(*at_own_resolution().select(path, people), weights=Weights(duration=0))
    except NotApplicable:
        return np.full(4, np.nan)
    return np.array([found.parts[key] for key in DIMENSIONS[:4]])


def _among(people: Searchers) -> Floats:
    """The four similarities of people with one another: of each who found the target with the others."""
    each = [
        _alike(path, replace(people, paths={other: one for other, one in people.paths.items() if other != who}))
        for who, path in people.paths.items()
        if who in people.found
    ]
    known = [one for one in each if not np.isnan(one).any()]
    return np.mean(known, axis=0) if known else np.full(4, np.nan)


def _searchers(folder: Path) -> dict[str, Searchers]:
    """Who searched each picture; the field of people is 32 px."""
    trials: dict[str, dict[str, Any]] = {}
    for file in sorted((folder / "human_scanpaths").glob("subj*_scanpaths.json")):
        for picture, trial in _read(file).items():
            trials.setdefault(picture, {})[file.name] = trial
    return {picture: _of(by) for picture, by in trials.items()}


def _of(trials: Mapping[str, Any]) -> Searchers:
    one = next(iter(trials.values()))
    top, left, bottom, right = one["target_bbox"]
    paths = {who: scanpath(trial["X"], trial["Y"]) for who, trial in trials.items()}
    found = frozenset(who for who, trial in trials.items() if trial["target_found"])
    shape = int(one["image_height"]), int(one["image_width"])
    return Searchers(paths, shape, target=Box(left, top, right, bottom), found=found)


def _model_path(trial: Mapping[str, Any]) -> Scanpath:
    """A model's path, in px of the picture: the middles of cells of its own grid, which it knows."""
    grid = int(trial["image_height"]), int(trial["image_width"])
    x, y = ((np.array(trial[key]) + 0.5) * side / n for key, side, n in zip("XY", (1024, 768), grid[::-1], strict=True))
    field = min(float(trial["receptive_height"]), RECEPTIVE)
    return on_grid(scanpath(x, y), grid, field=field, found=bool(trial["target_found"]))


def stored_prediction(folder: Path) -> tuple[Values, int]:
    """The mean over pictures of what the authors stored for each: how well models predict people's next fixation."""
    place = folder / "Results" / "Interiors_dataset"
    held = {name: _read(place / name / "human_scanpath_prediction_mean_per_image.json") for name in MODELS}
    found: Values = {}
    for name, pictures in (held | _read(place / "baseline_hsp.json")).items():
        for shown, key in PREDICTED.items():
            found[name, shown] = float(np.mean([one[key.removesuffix("hsp")] for one in pictures.values()]))
    return found, len(held["nnIBS"])


def _read(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))
