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
GRID = ("grid_rows", "grid_columns", "grid_field", "says_found")  # signals of a recorded model's path, see `on_grid`
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


def on_grid(path: Scanpath, shape: tuple[int, int], *, field: float, found: bool) -> Scanpath:
    """A model's scanpath that knows the grid it was made on, its receptive field there, and what the model says."""
    each = dict(zip(GRID, (*shape, field, float(found)), strict=True))
    return replace(path, signals={**path.signals, **{name: np.full(len(path), value) for name, value in each.items()}})


def at_own_resolution(size: float = RECEPTIVE) -> Criterion:
    """`found_only` as Travi et al. (2022) print it: at the resolution of each recorded model, taking its own word.

    People's paths are brought to the model's grid and merged within its receptive field there. A path that knows no
    grid (`on_grid`) is compared at the resolution of the picture, with a field of `size` px. With it
    `multimatch(weights=Weights(duration=0))` is the AvgMM of their table.

    >>> at_own_resolution().name
    "found, at the model's resolution"
    """
    return Criterion("found, at the model's resolution", partial(_at_own_resolution, size=size))


def search_criteria(dataset: Dataset[Any, Any]) -> tuple[Criterion, ...]:
    """What a benchmark of scanpaths may score beside the whole on this dataset: who found it, where people searched."""
    if not getattr(dataset.load, "searched", False):
        return ()
    size = getattr(dataset.load, "receptive", RECEPTIVE)
    return found_only(size), at_own_resolution(size)


def _found_only(observed: Walk | Moves, lookers: Lookers, *, size: float) -> tuple[Sequence[Scanpath], Lookers]:
    walks, searchers = _searched(observed, lookers)
    came = [path for path in walks if searchers.target.near(path, size).any()]
    return _prepared(came, searchers, size=size)


def _at_own_resolution(observed: Walk | Moves, lookers: Lookers, *, size: float) -> tuple[Sequence[Scanpath], Lookers]:
    walks, searchers = _searched(observed, lookers)
    known = next((path.signals for path in walks if len(path) and GRID[0] in path.signals), None)
    if known is None:
        return _found_only(walks, lookers, size=size)
    rows, columns, field = (float(known[name][0]) for name in GRID[:3])
    across, down = columns / searchers.shape[1], rows / searchers.shape[0]
    target = Box(*(float(int(edge * by)) for edge, by in zip(searchers.target, (across, down) * 2, strict=True)))
    own = {
        who: replace(path, x=np.trunc(path.x * across), y=np.trunc(path.y * down))
        for who, path in searchers.paths.items()
    }
    there = replace(searchers, paths=own, target=target, shape=(int(rows), int(columns)), px_per_deg=np.nan)
    said = [path for path in walks if len(path) and path.signals[GRID[3]][0]]
    scaled = [replace(path, x=np.trunc(path.x * across), y=np.trunc(path.y * down)) for path in said]
    return _prepared(scaled, there, size=field)


def _searched(observed: Walk | Moves, lookers: Lookers) -> tuple[Sequence[Scanpath], Searchers]:
    if not isinstance(lookers, Searchers):
        raise NotApplicable("nobody searched for anything here")
    if isinstance(observed, Moves):
        raise NotApplicable("this measure reads eye movements, not scanpaths")
    return scanpaths_of(observed), lookers


def _prepared(came: Sequence[Scanpath], searchers: Searchers, *, size: float) -> tuple[Sequence[Scanpath], Lookers]:
    """Paths that came to the target, and people's, merged and cut; those of three fixations or more."""
    target = searchers.target
    walks = [path for path in (prepare_search(one, target, size=size) for one in came) if len(path) >= LEAST]
    if not walks:
        raise NotApplicable(f"it did not reach the target, or needed fewer than {LEAST} fixations")
    found = {who: path for who, path in searchers.paths.items() if who in searchers.found}
    theirs = {who: prepare_search(path, target, size=size) for who, path in found.items()}
    people = {who: path for who, path in theirs.items() if len(path) >= LEAST}
    if not people:
        raise NotApplicable(f"nobody here found the target in {LEAST} fixations or more")
    return tuple(walks), replace(searchers, paths=people)
