"""Any measure of video as a model: it is shown a clip and answers with a number."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from beholder.core.cite import source
from beholder.core.measure import NotApplicable, card, result
from beholder.registry.load import measure_from
from beholder.store.cache import cached
from beholder.store.digest import digest, package
from beholder.study.ratings import Item
from beholder.video.accept import accept
from beholder.video.types import Clip, Prompt


@source("")
def measured(shown: Clip | Item, *, measure: str, part: str = "", rate: float = math.nan) -> float:
    """A measure's score of a clip, with its sign flipped if lower is better; NaN where it is not applicable.

    `measure` is its name, as in `beholder list video`, with settings in brackets; `part` takes one of its parts, whose
    sign is kept. `rate` is the frame rate of clips that do not state their own.
    """
    clip = shown if isinstance(shown, Clip) else _clip_of(shown, rate)
    of = measure_from("video.measures", measure)
    its = card(of)
    try:
        found = result(of(_read(its.reads, clip), None))
    except NotApplicable as why:
        if isinstance(shown, Clip):
            return math.nan
        raise NotApplicable(f"{its.label}: {why}") from why
    sign = -1.0 if its.better == "lower" and not part else 1.0
    return sign * float(found.parts.get(part, math.nan) if part else found.value)


def _clip_of(item: Item, rate: float) -> Clip:
    if item.media is None:
        raise NotApplicable("the table does not say where this item can be seen")
    return accept(item.media, Prompt(rate=rate))


def _read(reads: Any, clip: Clip) -> Any:
    """What a readout finds in a clip: measures are asked of the same one, one after the other."""
    if getattr(reads, "quick", False):  # it knows itself what may be kept, such as what a network said
        return reads(clip, Prompt())
    seen = clip.content or digest(clip.pixels)
    return _found(_Asked(reads, clip, digest(f"{reads.__module__}.{reads.__qualname__}", seen, clip.rate, clip.poses)))


@dataclass(frozen=True)
class _Asked:
    """A readout of a clip; two are equal that are of the same readout and of equal clips."""

    reads: Any = field(compare=False)
    clip: Clip = field(compare=False)
    key: str


@lru_cache(maxsize=4)
def _found(asked: _Asked) -> Any:
    return cached(digest("readout", package(), asked.key), partial(asked.reads, asked.clip, Prompt()))
