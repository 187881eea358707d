"""Scanpaths of published models that lie beside a dataset's pictures, as a model of their own."""

from __future__ import annotations

from functools import cache
from typing import Any

from beholder.attention.files.recorded import recorded_models
from beholder.attention.maps.densities import picture_key
from beholder.attention.types import Picture, Scanpath
from beholder.core.benchmark import Recorded
from beholder.core.cite import source
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.registry.load import dataset as opened_dataset


@source("Travi2022", answers="recorded scanpath", family="plug", needs="a dataset with recorded scanpaths")
def stored(picture: Picture, *, of: str = "", on: str = "") -> Scanpath:
    """A published model's recorded answers: stored(of=IVSN, on='interiors_search:PATH').

    `on` is a dataset that comes with models' answers to its pictures, `of` the name of one such model. A picture is
    recognised by its pixels; one that is not in the dataset has no answer.
    """
    answers, ids = _opened(of, on)
    own = picture_key(picture)
    if own not in ids:
        raise NotApplicable("was not asked about this picture")
    found: Scanpath = answers.recall(ids[own])
    return found


@cache
def _opened(of: str, on: str) -> tuple[Recorded, dict[int, str]]:
    if not on:
        raise Misuse(f"stored got of={of!r}, on={on!r}; expected stored(of=IVSN, on='interiors_search:PATH')")
    dataset: Any = opened_dataset("attention.datasets", on)
    models = recorded_models(dataset)
    if of not in models:
        raise Misuse(f"stored got of={of!r}; expected one of {', '.join(models) or 'none: this dataset has no models'}")
    return models[of], {picture_key(sample.stimulus): sample.id for sample in dataset.whole}
