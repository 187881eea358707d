"""The layout of ViSioNS: Datasets/NAME has pictures and one JSON per person, Results/NAME_dataset one per model.

dataset_info.json says where the pictures are and how large a receptive field is; the loaders of the four sets of
search in that repository differ in their cards only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.datasets import _folder
from beholder.attention.datasets._gaze import Card, Seen, gaze_dataset
from beholder.attention.files.recorded import Stored
from beholder.attention.gaze.times import timed_path
from beholder.attention.paths.search import RECEPTIVE, Box, Search, Searchers, on_grid
from beholder.attention.people.controls import Shape
from beholder.attention.types import Lookers, Outside, Picture, Scanpath, scanpath
from beholder.core.sample import Dataset, Sample, remark
from beholder.errors import Misuse
from beholder.io import structs
from beholder.io.reading import parse_json

MODELS = {"IVSN": "ZhangM2018", "eccNET": "Gupta2021", "nnIBS": "Travi2022", "IRL": "Yang2020"}
LICENCE = "MIT (repository); the photographs' provenance is mixed: not to be redistributed"
NAMELESS = "TBD"  # what the files say of a target that has no name
NEEDED = ("X", "Y", "image_height", "image_width", "target_found")
PLACED = ("image", "target_matched_row", "target_matched_column", "target_height", "target_width")


@dataclass(frozen=True, eq=False)
class Trials:
    """What was searched for on each picture, and who found it."""

    targets: Mapping[str, Box]
    found: Mapping[str, frozenset[str]]


@dataclass(frozen=True, eq=False)
class Hunt:
    """The loader of a dataset of search: pictures with their targets, and models that searched them as well."""

    look: Callable[[str], Sample[Picture, Lookers]]
    trials: Trials
    recorded: Mapping[str, Stored]
    receptive: float = RECEPTIVE  # px: the side of a receptive field
    searched: bool = True  # not freely viewed: see `search_criteria`

    def __call__(self, id: str) -> Sample[Search, Searchers]:
        sample = self.look(id)
        box, picture = self.trials.targets[id], sample.stimulus
        left, top, right, bottom = map(int, box)
        patch = np.ascontiguousarray(picture.pixels[top:bottom, left:right])
        search = Search(picture.pixels, picture.px_per_deg, patch)
        return Sample(id, search, self._searchers(id, sample.reference), sample.tags)

    def reference(self, id: str) -> Searchers:
        """Who searched, without the picture."""
        alone = getattr(self.look, "reference", None)
        return self._searchers(id, alone(id) if alone else self.look(id).reference)

    def _searchers(self, id: str, lookers: Lookers) -> Searchers:
        found = self.trials.found[id] & set(lookers.paths)
        return Searchers(**vars(lookers), target=self.trials.targets[id], found=found)


def search_dataset(path: Path, name: str, card: Card, *, outside: Outside) -> Dataset[Search, Searchers]:
    """One of the sets of ViSioNS: the people of Datasets/NAME, and the models of Results/NAME_dataset that are here."""
    root = _folder.existing_folder(path, f"the folder of ViSioNS with Datasets/{name}")
    data = _folder.require(root, f"Datasets/{name}")
    seen, trials, files = read_pictures(data)
    stored = {model: root / "Results" / f"{name}_dataset" / model / "Scanpaths.json" for model in MODELS}
    present = {model: file for model, file in stored.items() if file.is_file()}
    shapes = {id: one.shape for id, one in seen.items() if one.shape}
    size = float(max(_info(data).get("receptive_size", [RECEPTIVE])))
    models = {model: read_model(file, shapes, cite=MODELS[model], size=size) for model, file in present.items()}
    dataset: Dataset[Any, Any] = gaze_dataset(
        seen, card, root=root, annotations=[*files, *present.values()], outside=outside
    )
    absent = remark([model for model in stored if model not in present], "model", "not here, so they do not take part")
    hunt = Hunt(dataset.load, trials, models, size)
    return replace(dataset, load=hunt, remarks=(*dataset.remarks, *absent))


def known(px_per_deg: float) -> str:
    """What a card says of px per degree, which ViSioNS does not give."""
    return f"as given, {px_per_deg:g}" if np.isfinite(px_per_deg) else "not known"


def _info(root: Path) -> Mapping[str, Any]:
    """What dataset_info.json says; nothing where it is not."""
    file = root / "dataset_info.json"
    held = read_json(file) if file.is_file() else {}
    return held if isinstance(held, dict) else {}


def read_pictures(root: Path) -> tuple[dict[str, Seen], Trials, list[Path]]:
    """Every picture with its people's paths, targets, and the files that were read.

    `root` holds human_scanpaths, trials_properties.json and images (or what dataset_info.json calls images_dir). A
    person's durations may outnumber the places, which were cut where the target was seen: the first are taken.
    """
    places = _folder.require(root, "trials_properties.json")
    files = sorted(_folder.require(root, "human_scanpaths").glob("subj*_scanpaths.json"))
    if not files:
        raise Misuse(f"got {root / 'human_scanpaths'} without subj…_scanpaths.json; expected one per person")
    targets = dict(_targets(places))
    paths: dict[str, dict[str, Scanpath]] = {}
    found: dict[str, set[str]] = {}
    for file in files:
        who = file.name.removesuffix("_scanpaths.json").removeprefix("subj")
        for id, trial in _trials(file):
            if id not in targets:
                raise Misuse(f"{file}: got the picture {id}; expected one of {places.name}")
            paths.setdefault(id, {})[who] = _human(trial, f"{file}, {id}")
            found.setdefault(id, set()).update({who} if trial["target_found"] else ())
    shown = _folder.require(root, str(_info(root).get("images_dir", "images")).strip("/"))
    images = {file.stem: file for file in _folder.pictures(shown).values()}
    tags = {id: {"target": name} if name != NAMELESS else {} for id, (_, _, name) in targets.items()}
    seen = {id: Seen(paths[id], images.get(id), targets[id][1], tags[id]) for id in sorted(paths)}
    trials = Trials({id: box for id, (box, _, _) in targets.items()}, {id: frozenset(who) for id, who in found.items()})
    return seen, trials, [places, *files]


def read_model(file: Path, shapes: Mapping[str, Shape], *, cite: str, size: float = RECEPTIVE) -> Stored:
    """A model's scanpaths: cells of a grid of its own, of which the middle is taken, in px of the pictures.

    Each knows its grid, and a receptive field there: the model's or people's (`size`), whichever is smaller.
    """
    paths: dict[str, Scanpath] = {}
    found: set[str] = set()
    for id, trial in _trials(file):
        if id in shapes:
            path = _simulated(trial, shapes[id], f"{file}, {id}")
            grid, field = (int(trial["image_height"]), int(trial["image_width"])), trial.get("receptive_height", size)
            paths[id] = on_grid(path, grid, field=min(float(field), size), found=bool(trial["target_found"]))
            found.update({id} if trial["target_found"] else ())
    return Stored(paths, partial=True, cite=cite, found=frozenset(found))


def _simulated(trial: Mapping[str, Any], shape: Shape, where: str) -> Scanpath:
    height, width = float(trial["image_height"]), float(trial["image_width"])
    x, y = structs.vector(trial["X"]), structs.vector(trial["Y"])
    try:
        return scanpath((x + 0.5) * shape[1] / width, (y + 0.5) * shape[0] / height)
    except ValueError as fault:
        raise Misuse(f"{where}: {fault}") from None


def _human(trial: Mapping[str, Any], where: str) -> Scanpath:
    x, y = structs.vector(trial["X"]), structs.vector(trial["Y"])
    try:
        if "T" not in trial:
            return scanpath(x, y)
        return timed_path(x, y, duration_ms=structs.vector(trial["T"])[: len(x)])
    except ValueError as fault:
        raise Misuse(f"{where}: {fault}") from None


def _targets(file: Path) -> Iterator[tuple[str, tuple[Box, Shape, str]]]:
    """Of each picture: where the target is, rows and columns, and what the target is called."""
    held = read_json(file)
    if not isinstance(held, list):
        raise Misuse(f"{file}: got {type(held).__name__}; expected a list of trials")
    for at, trial in enumerate(held, 1):
        missing = [key for key in (*PLACED, "image_height", "image_width") if key not in trial]
        if missing:
            raise Misuse(f"{file}: got no {missing[0]} in trial {at}; expected {', '.join(PLACED)}")
        name, top, left, height, width = (trial[key] for key in PLACED)
        shape = int(trial["image_height"]), int(trial["image_width"])
        box = Box(left, top, left + width, top + height)
        yield Path(name).stem, (box, shape, str(trial.get("target_object", NAMELESS)))


def _trials(file: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each trial of a person or a model, by the picture."""
    held = read_json(file)
    if not isinstance(held, dict):
        raise Misuse(f"{file}: got {type(held).__name__}; expected an object with one trial per picture")
    for name, trial in held.items():
        missing = [key for key in NEEDED if key not in trial]
        if missing:
            raise Misuse(f"{file}, {name}: got no {missing[0]}; expected {', '.join(NEEDED)}")
        yield Path(name).stem, trial


def read_json(file: Path) -> Any:
    """The JSON of a file."""
    try:
        return parse_json(file.read_text("utf-8"))
    except (ValueError, UnicodeDecodeError) as fault:
        raise Misuse(f"{file}: not valid JSON ({fault}); expected the file of ViSioNS") from None
