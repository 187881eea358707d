"""How long models of scanpaths look in a benchmark: as long as people did."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from beholder.attention.types import Lookers, Picture, Scanpath
from beholder.core.benchmark import Model
from beholder.core.cite import facts_of
from beholder.core.entrant import parameters
from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.registry.find import find, names
from beholder.registry.trained_on import trained_on

PICTURES = 12  # from which the viewing time is taken
FIXATIONS_PER_SECOND = 2.7  # MIT1003's (scanpath-and-study.md 4.1), where times are not known


class ViewingTime(NamedTuple):
    """How long a picture is looked at."""

    seconds: float
    fixations: int


def viewing_time(dataset: Dataset[Picture, Lookers], seconds: float = 0.0) -> ViewingTime:
    """How long people look at a picture of this dataset, and how many fixations they make: models are given both.

    The seconds are the median end of people's last fixations, to a tenth, or those given; the fixations are people's
    mean number. Both come from twelve pictures spread over the dataset. Where times are unknown, 2.7 fixations are
    taken as a second.
    """
    if seconds < 0 or not np.isfinite(seconds):
        raise Misuse(f"got seconds={seconds}; expected above 0, or 0 to look as long as people did")
    whole = dataset.whole
    some = dict.fromkeys(np.linspace(0, len(whole) - 1, PICTURES).astype(int).tolist()) if len(whole) else {}
    paths = [path for at in some for path in whole.reference(whole.ids[at]).paths.values() if len(path)]
    count = float(np.mean([len(path) for path in paths])) if paths else 3 * FIXATIONS_PER_SECOND
    ends = np.array([end_ms(path) for path in paths])
    known = ends[np.isfinite(ends)]
    median = float(np.median(known)) / 1000 if len(known) else count / FIXATIONS_PER_SECOND
    rounded = max(0.5, round(median, 1))
    if not seconds:
        return ViewingTime(rounded, max(1, round(count)))
    return ViewingTime(seconds, max(1, round(count * seconds / rounded)))


def end_ms(path: Scanpath) -> float:
    """When the last fixation ends, in ms; without onsets the sum of durations, NaN if these are unknown.

    >>> from beholder.attention.types import scanpath
    >>> end_ms(scanpath([0, 0], [0, 0], onset_ms=[0, 300], duration_ms=[250, 200]))
    500.0
    >>> end_ms(scanpath([0, 0], [0, 0], duration_ms=[250, 200]))
    450.0
    """
    last = path.onset_ms + path.duration_ms
    return float(np.nanmax(last)) if np.isfinite(last).any() else float(path.duration_ms.sum())


def scanpath_models(dataset: str, viewing: ViewingTime) -> dict[str, Model]:
    """The built-in models of scanpaths that were not trained on this dataset; they look as long as people."""
    every = {name: find("attention.models", name) for name in names("attention.models")}
    return {
        name: with_viewing_time(model, viewing)
        for name, model in every.items()
        if _answers_scanpaths(model) and not trained_on(model, dataset)
    }


def _answers_scanpaths(model: Model) -> bool:
    facts = facts_of(model)
    return facts.get("answers") == "scanpath" and "needs" not in facts


def with_viewing_time(model: Model, viewing: ViewingTime) -> Model:
    """The model with its settings `seconds` and `fixations` filled in, if it has them and nobody has set them."""
    has, given = parameters(model), getattr(model, "keywords", {})
    settings: dict[str, Any] = {
        name: value for name, value in viewing._asdict().items() if name in has and name not in given
    }
    return partial(model, **settings) if settings else model
