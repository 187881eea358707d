"""What a dataset of eye movements holds: who looked at what, how far coordinates reach, what is doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from beholder.attention.columns import FIXATIONS, GAZE, SCANPATHS
from beholder.attention.people.doubts import doubts, of_models, without_place
from beholder.attention.recordings.long_table import REPEAT
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.overview import Overview
from beholder.core.sample import Dataset
from beholder.errors import listed
from beholder.io import table
from beholder.io.columns import Words, meanings, named, refuse_twice

SHOWN = 6  # samples in the picture
GEOMETRY = "not known; give px_per_deg=N, or screen=1920x1080, width_cm=53 and distance_cm=60"


def overview(dataset: Dataset[Any, Any]) -> Overview:
    """Counts, sizes, ranges and units of recorded eye movements, and a picture of the first samples."""
    seen = {id: dataset.reference(id) for id in dataset.ids}
    if not seen or not all(isinstance(one, Lookers) for one in seen.values()):
        kind = type(next(iter(seen.values()), None)).__name__
        return Overview({"samples": f"{len(dataset)}, with references of the kind {kind}"})
    loader = dataset.load
    reach, card = getattr(loader, "reach", None), getattr(loader, "card", None)
    placing = getattr(card, "placing", None)
    unsure = (*getattr(card, "doubts", ()), *(doubts(reach, placing) if reach is not None else ()))
    from beholder.attention.figures.samples import first_samples

    return Overview(facts(dataset, seen), unsure, partial(first_samples, dataset, dataset.ids[:SHOWN]))


def facts(dataset: Dataset[Any, Any], seen: dict[str, Lookers]) -> dict[str, str]:
    """The lines of the card."""
    card = getattr(dataset.load, "card", None)
    who = "models" if of_models(dataset) else "people"
    paths = [path for one in seen.values() for path in one.paths.values()]
    people = {name.partition(REPEAT)[0] if who == "models" else name for one in seen.values() for name in one.paths}
    placing, columns = getattr(card, "placing", None), getattr(card, "columns", {})
    nowhere = without_place(dataset, seen)
    outside = sum(one.dropped for one in seen.values()) - nowhere
    found = {
        f"{who} × pictures": f"{len(people):,} × {len(seen):,}; {sum(map(len, paths)):,} fixations in {len(paths):,} "
        f"{'scanpaths' if who == 'models' else 'trials'}, {_per(sum(map(len, paths)), len(paths))} each",
        "columns": ", ".join(f"{word} = {name.strip()}" for word, name in columns.items() if not name.startswith("(")),
        **getattr(card, "facts", {}),
        "pictures": _sizes([one.shape for one in seen.values()]),
        "coordinates": placing.told if placing else "",
        "x": _range(_all(dataset, paths, "x"), "px of the picture"),
        "y": _range(_all(dataset, paths, "y"), "px of the picture"),
        "durations": _range(_all(dataset, paths, "duration_ms"), "ms", middle=True) or "not known",
        "px per degree": _scale(seen),
        "groups": listed(sorted({group for one in seen.values() for group in one.groups.values()})),
        "outside pictures": f"{_fixations(outside)}, left out" if outside else "",
        "without a place": f"{_fixations(nowhere)}, left out" if nowhere else "",
    }
    return {key: text for key, text in found.items() if text}


def _fixations(count: int) -> str:
    return "1 fixation" if count == 1 else f"{count:,} fixations"


def _per(count: int, trials: int) -> str:
    return f"{count / trials:.1f}" if trials else "0"


def _sizes(shapes: Sequence[tuple[int, int]]) -> str:
    """Widths and heights."""
    sizes = sorted({(width, height) for height, width in shapes})
    if len(sizes) == 1:
        return f"{sizes[0][0]} × {sizes[0][1]} px"
    wide, high = ([size[axis] for size in sizes] for axis in (0, 1))
    return f"{len(sizes)} sizes: {min(wide)} to {max(wide)} px wide, {min(high)} to {max(high)} px high"


def _all(dataset: Dataset[Any, Any], paths: Sequence[Scanpath], name: str) -> Sequence[Floats]:
    """All values, those that were left out with them, where the loader knows these."""
    reach = getattr(dataset.load, "reach", None)
    return [getattr(path, name) for path in paths] if reach is None else [getattr(reach, name)]


def _range(columns: Sequence[Floats], unit: str, *, middle: bool = False) -> str:
    """From where to where the known values run."""
    every = np.concatenate([np.empty(0), *columns])
    known = every[np.isfinite(every)]
    if not len(known):
        return ""
    median = f", median {np.median(known):.3g}" if middle else ""
    return f"{known.min():.4g} to {known.max():.4g} {unit}{median}"


def _scale(seen: dict[str, Lookers]) -> str:
    scales = {round(one.px_per_deg, 2) for one in seen.values() if np.isfinite(one.px_per_deg)}
    return listed([f"{scale:g}" for scale in sorted(scales)], most=3) if scales else GEOMETRY


def recognise(path: Path, columns: str = "") -> str:
    """The dataset of attention that a path seems to be; nothing where it is none."""
    if path.is_dir():
        if any(path.rglob("*_physio.tsv.gz")):
            return "bids"
        if any(path.rglob("*.asc")):
            return "eyelink"
        files = [file for file in sorted(path.iterdir()) if file.suffix.lower() in (".csv", ".tsv", ".txt", ".parquet")]
        return next((kind for file in files if (kind := recognise(file, columns))), "")
    if path.suffix.lower() == ".asc":
        return "gaze"
    return _of_table(path, columns) if path.suffix.lower() in table.SUFFIXES else ""


def _of_table(file: Path, columns: str) -> str:
    """By a table's columns: models', fixations, or samples of gaze."""
    refuse_twice(named(columns), str(file))  # wrong for every kind of table
    walks, looks, samples = (_meant(file, words, columns) for words in (SCANPATHS, FIXATIONS, GAZE))
    if walks.get("model", "").strip().lower() == "model" and {"stimulus", "x", "y"} <= {*walks}:
        return "scanpaths"
    found = {"index", "duration"} & {*looks} and {"x", "y"} <= {*looks}  # a tracker's own fixations, sample by sample
    if {"time", "x", "y"} <= {*samples} and not found:
        return "gaze"
    placed = {"x", "y", "duration"} & {*looks}
    return "fixations" if {"x", "y"} <= placed or (placed and {"stimulus", "observer"} <= {*looks}) else ""


def _meant(file: Path, words: Words, columns: str) -> dict[str, str]:
    try:
        return meanings(table.head(file), words, columns, of=str(file))
    except ValueError:  # no table, or what is said of its columns is not of this kind
        return {}
