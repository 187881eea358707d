"""Any model that --model takes, as a function of a picture: also a folder of answers, by the pictures of a dataset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from beholder.attention.maps.densities import picture_key
from beholder.attention.types import Lookers, Picture
from beholder.core.benchmark import Benchmark, Files, Recorded
from beholder.core.sample import Dataset
from beholder.io.bounds import LARGEST
from beholder.registry.load import dataset as opened_dataset
from beholder.registry.load import load
from beholder.registry.models import Plug, model


@dataclass(frozen=True)
class RecalledAnswers:
    """A folder of answers as a function: a picture is recognised by its pixels."""

    answers: Recorded
    dataset: Dataset[Picture, Lookers]
    files: Files | None
    _ids: dict[int, str] = field(default_factory=dict, repr=False, compare=False)

    def __call__(self, picture: Picture) -> Any:
        """The answer for this picture."""
        if not self._ids:
            self._ids.update({picture_key(sample.stimulus): sample.id for sample in self.dataset.whole})
        own = picture_key(picture)
        if own not in self._ids:
            raise LookupError(
                f"this picture is not in the dataset {self.dataset.name}, so the folder has no map for it"
            )
        return self.answers.recall(self._ids[own], self.files.limit(picture) if self.files else LARGEST)


@cache
def map_model(of: str, on: str = "") -> Callable[[Picture], Any]:
    """The model of maps behind a spec; `on` is the dataset, as --dataset names it, that names a folder's files.

    Without `on` that is the built-in dataset.
    """
    dataset = opened_dataset("attention.datasets", on) if on else None
    bench = load("attention/saliency", dataset=dataset)
    return as_function(model(of, bench), bench)


def as_function(found: Plug | Recorded, bench: Benchmark) -> Callable[[Picture], Any]:
    """A model of a benchmark as a function of a picture."""
    if isinstance(found, Recorded):
        return RecalledAnswers(found, bench.dataset, bench.files)
    return found.function(bench.files)
