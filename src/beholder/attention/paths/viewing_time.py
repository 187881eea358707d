"""Models of scanpaths that take part in a benchmark, and how long they look: as long as people did."""

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
from beholder.registry.training import trained_on

LOOKED_AT = 12  # pictures from which the time is taken
A_SECOND = 2.7  # fixations: MIT1003's (scanpath-and-study.md 4.1), where times are not known


class Viewing(NamedTuple):
    """How long a picture is looked at."""

    seconds: float
    fixations: int


def viewing(dataset: Dataset[Picture, Lookers], seconds: float = 0.0) -> Viewing:
    """How long people look at a picture of this dataset, and how many fixations they make: what models are told.

    Seconds are the median of when people's last fixations end, to a tenth, or those given; fixations the mean of those
    people, both from twelve pictures spread over the dataset. Where times are not known, 2.7 fixations are a second.
    """
    if seconds < 0 or not np.isfinite(seconds):
        raise Misuse(f"got seconds={seconds}; expected above 0, or 0 for as long as people looked")
    whole = dataset.whole
    some = dict.fromkeys(np.linspace(0, len(whole) - 1, LOOKED_AT).astype(int).tolist()) if len(whole) else {}
    paths = [path for at in some for path in whole[at].reference.paths.values() if len(path)]
    count = float(np.mean([len(path) for path in paths])) if paths else 3 * A_SECOND
    ends = np.array([ended(path) for path in paths])
    known = ends[np.isfinite(ends)]
    looked = float(np.median(known)) / 1000 if len(known) else count / A_SECOND
    told = max(0.5, round(looked, 1))
    if not seconds:
        return Viewing(told, max(1, round(count)))
    return Viewing(seconds, max(1, round(count * seconds / told)))


def ended(path: Scanpath) -> float:
    """When the last fixation ends, in ms; without onsets the sum of durations, NaN where these are not known.

    >>> from beholder.attention.types import scanpath
    >>> ended(scanpath([0, 0], [0, 0], onset_ms=[0, 300], duration_ms=[250, 200]))
    500.0
    >>> ended(scanpath([0, 0], [0, 0], duration_ms=[250, 200]))
    450.0
    """
    last = path.onset_ms + path.duration_ms
    return float(np.nanmax(last)) if np.isfinite(last).any() else float(path.duration_ms.sum())


def wandering(dataset: str, looked: Viewing) -> dict[str, Model]:
    """The built-in models that answer with a scanpath, looking as long as people, and not trained on this dataset."""
    every = {name: find("attention.models", name) for name in names("attention.models")}
    return {
        name: timed(model, looked) for name, model in every.items() if _walks(model) and not trained_on(model, dataset)
    }


def _walks(model: Model) -> bool:
    facts = facts_of(model)
    return facts.get("answers") == "scanpath" and "needs" not in facts


def timed(model: Model, looked: Viewing) -> Model:
    """The model with its `seconds` or number of `fixations` set, where it has such and nobody has set them."""
    has, given = parameters(model), getattr(model, "keywords", {})
    told: dict[str, Any] = {
        name: value for name, value in looked._asdict().items() if name in has and name not in given
    }
    return partial(model, **told) if told else model
