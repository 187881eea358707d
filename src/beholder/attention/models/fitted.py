"""A model of maps as one of densities, for models of yours."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from beholder.attention.densities import Fitted, mark
from beholder.attention.types import Density, Lookers, Picture
from beholder.spine.benchmark import Recorded
from beholder.spine.cite import source
from beholder.spine.load import bed as opened_bed
from beholder.spine.load import load
from beholder.spine.misuse import Misuse
from beholder.spine.plug import model
from beholder.spine.sample import Bed


@source("Kummerer2018", family="plug", needs="a model and a bed")
def fitted(picture: Picture, *, of: str = "", on: str = "") -> Density:
    """The maps of a model as densities: fitted(of='dir:maps', on='mit1003:PATH').

    `of` is any model as --model takes it, `on` a bed as --bed does. A blur, a monotone nonlinearity and a centre bias
    are fitted on up to twelve pictures of the bed, never on the one that is shown (see `densities.Fitted`). For a
    folder of maps every picture must be in that bed.
    """
    if not of or not on:
        raise Misuse(
            f"fitted got of={of!r}, on={on!r}; expected a model and a bed: fitted(of='dir:maps', on='osie:PATH')"
        )
    return _opened(of, on)(picture)


@cache
def _opened(of: str, on: str) -> Fitted:
    bed: Bed[Picture, Lookers] = opened_bed("attention.beds", on)
    bench = load("attention/saliency", bed=bed)
    found = model(of, bench)
    return Fitted(Recalled(found, bed) if isinstance(found, Recorded) else found.open(bench.files), bed)


@dataclass(frozen=True)
class Recalled:
    """A folder of maps as a function: the picture is known by its pixels."""

    answers: Recorded
    bed: Bed[Picture, Lookers]
    _ids: dict[int, str] = field(default_factory=dict, repr=False, compare=False)

    def __call__(self, picture: Picture) -> Any:
        """The map of this picture."""
        if not self._ids:
            self._ids.update({mark(sample.stimulus): sample.id for sample in self.bed.whole})
        own = mark(picture)
        if own not in self._ids:
            raise LookupError(f"this picture is not in the bed {self.bed.name}, so its map in the folder is not known")
        return self.answers.recall(self._ids[own])
