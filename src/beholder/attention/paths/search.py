"""Search: pictures in which people look for a target, and scanpaths as studies of search compare them.

Travi et al. (2022) merge fixations that lie within one receptive field, cut a scanpath where it comes to the target,
and compare those of three fixations or more that found it. Each step is a function here, and `found_only` is all of
them as a criterion, to which any measure of scanpaths can be confined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.gaze.saccades import Moves
from beholder.attention.paths.pairs import Walk, scanpaths_of
from beholder.attention.types import Lookers, Picture, Scanpath
from beholder.core.benchmark import Criterion
from beholder.core.measure import NotApplicable
from beholder.core.sample import Dataset
from beholder.errors import Misuse

RECEPTIVE = 32.0  # px: the side of a receptive field in the Interiors set
LEAST = 3  # fixations that a scanpath must have to be compared

Lasting = Literal["sum", "first"]


class Box(NamedTuple):
    """Where a target is, in px; its borders belong to it."""

    left: float
    top: float
    right: float
    bottom: float

    def near(self, path: Scanpath, size: float = 0.0) -> NDArray[np.bool_]:
        """Which fixations see it: those no further than half of `size` px, cut to whole px, from it in x and in y."""
        reach = size // 2
        across = (path.x >= self.left - reach) & (path.x <= self.right + reach)
        return np.asarray(across & (path.y >= self.top - reach) & (path.y <= self.bottom + reach))


NOWHERE = Box(np.nan, np.nan, np.nan, np.nan)


@dataclass(frozen=True, eq=False)
class Search(Picture):
    """A picture to be searched, and what for: a patch of it, which people were shown before."""

    target: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))


@dataclass(frozen=True, eq=False)
class Searchers(Lookers):
    """Everybody who searched a picture, where the target was, and who found it."""

    target: Box = NOWHERE
    found: frozenset[str] = frozenset()


def merge_near(path: Scanpath, size: float = RECEPTIVE, *, lasting: Lasting = "sum") -> Scanpath:
    """A scanpath without steps inside one receptive field: neighbours less than `size`/2 apart in x and in y are one.

    It goes from the first fixation on; two that are one lie halfway between, and the next is compared with that place.
    What a fixation lasts is the sum of those that it was made of, its onset and signals are those of the first. With
    `lasting` = "first" durations are those of as many first fixations, whichever they were: so did Travi et al.

    >>> from beholder.attention.types import scanpath
    >>> short = merge_near(scanpath([0, 10, 40], [0, 0, 0], duration_ms=[100, 50, 200]), 32)
    >>> short.x, short.duration_ms
    (array([ 5., 40.]), array([150., 200.]))
    """
    if not size >= 0:
        raise Misuse(f"got a receptive field of {size} px; expected 0 or more")
    if lasting not in ("sum", "first"):
        raise Misuse(f"got lasting={lasting!r}; expected 'sum' or 'first'")
    places, firsts = _places(path, size / 2)
    kept = path.at(np.array(firsts, np.intp))
    x, y = np.array(places, np.float64).reshape(-1, 2).T
    total = np.add.reduceat(path.duration_ms, firsts) if firsts else np.empty(0)
    return replace(kept, x=x, y=y, duration_ms=total if lasting == "sum" else path.duration_ms[: len(firsts)])


def _places(path: Scanpath, reach: float) -> tuple[list[tuple[float, float]], list[int]]:
    """The places of merged fixations, and the first fixation of each."""
    places: list[tuple[float, float]] = []
    firsts: list[int] = []
    for at, (x, y) in enumerate(zip(path.x.tolist(), path.y.tolist(), strict=True)):
        if places and abs(x - places[-1][0]) < reach and abs(y - places[-1][1]) < reach:
            places[-1] = (places[-1][0] + x) / 2, (places[-1][1] + y) / 2
        else:
            places.append((x, y))
            firsts.append(at)
    return places, firsts


def cut_at_target(path: Scanpath, target: Box, *, size: float = RECEPTIVE) -> Scanpath:
    """A scanpath up to the first fixation that sees the target (see `Box.near`); all of it where none does.

    >>> from beholder.attention.types import scanpath
    >>> cut_at_target(scanpath([0, 50, 90], [0, 0, 0]), Box(60, 0, 70, 9), size=32).x
    array([ 0., 50.])
    """
    seen = np.flatnonzero(target.near(path, size))
    return path.at(slice(0, int(seen[0]) + 1)) if len(seen) else path


def prepare_search(path: Scanpath, target: Box, *, size: float = RECEPTIVE, lasting: Lasting = "sum") -> Scanpath:
    """A scanpath as Travi et al. (2022) compare it: points cut to whole px, `merge_near`, and then `cut_at_target`."""
    whole = replace(path, x=np.trunc(path.x), y=np.trunc(path.y))
    return cut_at_target(merge_near(whole, size, lasting=lasting), target, size=size)


def found_only(size: float = RECEPTIVE) -> Criterion:
    """The criterion of Travi et al. (2022): paths that found the target in three fixations or more (`prepare_search`).

    With it `multimatch(weights=Weights(duration=0))` is their average. On datasets without a target nothing is
    applicable.

    Deviation: a model has found the target where a fixation of it sees the target with the field of `size` px; they
    take its own word, and IVSN and eccNET have larger fields. Durations are summed (see `merge_near`). They compare
    at the resolution of each model, this at that of the picture.

    >>> found_only().name
    'found, merged within 32 px'
    """
    return Criterion(f"found, merged within {size:g} px", partial(_found_only, size=size))


def search_criteria(dataset: Dataset[Any, Any]) -> tuple[Criterion, ...]:
    """What a benchmark of scanpaths may score beside the whole on this dataset: `found_only` where people searched."""
    searched = getattr(dataset.load, "searched", False)
    return (found_only(getattr(dataset.load, "receptive", RECEPTIVE)),) if searched else ()


def _found_only(observed: Walk | Moves, lookers: Lookers, *, size: float) -> tuple[Sequence[Scanpath], Lookers]:
    if not isinstance(lookers, Searchers):
        raise NotApplicable("nobody searched for anything here")
    if isinstance(observed, Moves):
        raise NotApplicable("this measure reads eye movements, not scanpaths")
    target = lookers.target
    came = [path for path in scanpaths_of(observed) if target.near(path, size).any()]
    walks = [path for path in (prepare_search(one, target, size=size) for one in came) if len(path) >= LEAST]
    if not walks:
        raise NotApplicable(f"it did not reach the target, or needed fewer than {LEAST} fixations")
    theirs = {
        who: prepare_search(path, target, size=size) for who, path in lookers.paths.items() if who in lookers.found
    }
    people = {who: path for who, path in theirs.items() if len(path) >= LEAST}
    if not people:
        raise NotApplicable(f"nobody here found the target in {LEAST} fixations or more")
    return tuple(walks), replace(lookers, paths=people)
