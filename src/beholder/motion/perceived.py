"""Perceived flow in natural scenes: local velocities that people matched at probes, beside the true ones.

All vectors here are in px/frame, x to the right and y up. Models answer with image flow (u right, v down), which is
turned over once, at `local`; each dataset says how its files count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, singledispatch
from itertools import combinations, islice
from math import comb
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.motion.types import Flow, Movie, Velocity

Floats = NDArray[np.float64]

NO_FRAMES = "the frames of this movie are not here"
SPLITS = 10  # into halves, at most: all that there are of six observers


@dataclass(frozen=True, eq=False)
class Scene(Movie):
    """A movie, and the points in one of its frames at which people were asked how fast the picture moves there."""

    points: Floats = field(kw_only=True)  # (P, 2): x, y in px, the centre of the upper left pixel is 0, 0
    at: int = 0  # the frame that was probed: flow is read between it and the next


@dataclass(frozen=True, eq=False)
class Unseen:
    """A movie of which only the probes are known; a model that asks for its frames is not applicable."""

    points: Floats = field(default_factory=lambda: np.zeros((0, 2)))  # (P, 2), or none where they are not known
    count: int = 0  # P, where the places are not known

    @property
    def frames(self) -> NoReturn:
        """There are none."""
        raise NotApplicable(NO_FRAMES)

    seconds = hertz = px_per_deg = onset = frames


Shown = Scene | Unseen


@dataclass(frozen=True, eq=False)
class Probes:
    """What people saw at the probes of a movie, and what moved there: the reference of a dataset's sample.

    `scored` are the observers that count; all by default. The others stay, because reliability is that of all.
    """

    truth: Floats  # (P, 2)
    people: Floats  # (K, R, P, 2): observers, their trials, probes; NaN: no answer
    names: tuple[str, ...]  # of the observers
    scored: tuple[int, ...] = ()
    status: str = ""
    downwards: bool = False  # whether its publication counts v downwards: see `as_published`

    @cached_property
    def mean(self) -> Floats:
        """The mean of the scored observers' trials, (P, 2); NaN where none answered."""
        return averaged(self.people[list(self.scored)] if self.scored else self.people)

    @cached_property
    def everyone(self) -> Floats:
        """The mean of all trials of all observers, (P, 2)."""
        return averaged(self.people)

    @property
    def halves(self) -> Floats:
        """The means of both halves of the observers in each of S `splits`, (S, 2, P, 2); NaN where there is one."""
        first = splits(len(self.people))
        total, count = (np.tensordot(np.stack([first, ~first], axis=1), of, axes=1) for of in _answers(self.people))
        return np.where(count > 0, total / np.maximum(count, 1), np.nan)

    @cached_property
    def columns(self) -> Floats:
        """People that are scored, truth, everyone, and both halves of each split, as published: (3 + 2 S) × P × 2."""
        halves = self.halves.reshape(-1, *self.truth.shape)
        return self.as_published(np.concatenate([[self.mean, self.truth, self.everyone], halves]))

    def as_published(self, vectors: Floats) -> Floats:
        """Vectors with v counted as in the publication.

        A correlation of u and v taken together has one mean for both, and so depends on which way v counts: to agree
        with published numbers it must count as they do.
        """
        return vectors * (1, -1) if self.downwards else vectors


@dataclass(frozen=True, eq=False)
class Local:
    """A velocity for each probe: a model's answer, read where people were asked; NaN: none."""

    velocity: Floats  # (P, 2)
    people: bool = False  # whether people gave it, who must not be compared with a mean that holds them


@dataclass(frozen=True, eq=False)
class Field:
    """A velocity for each pixel between the probed frame and the next, y up; NaN: none."""

    velocity: NDArray[np.float32]  # (H, W, 2)


def averaged(people: Floats) -> Floats:
    """The mean over observers and trials of those that answered; NaN where none did.

    >>> averaged(np.array([[[[1.0, 2.0]], [[3.0, np.nan]]]]))
    array([[2., 2.]])
    """
    total, count = (of.sum(axis=0) for of in _answers(people))
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _answers(people: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The sum of each observer's answers and their number, observers × P × 2."""
    held = np.isfinite(people)
    return np.where(held, people, 0.0).sum(axis=1), held.sum(axis=1)


@cache
def splits(observers: int) -> NDArray[np.bool_]:
    """Ways to part observers into halves as equal as may be: who stands in the first, the larger one, S × observers.

    All ways where there are ten or fewer (up to six observers), else ten of them, always the same.

    >>> splits(3).astype(int).tolist()
    [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
    >>> [len(splits(observers)) for observers in (1, 2, 3, 4, 5, 6, 7, 30)]
    [1, 1, 3, 3, 10, 10, 10, 10]
    """
    larger, odd = observers - observers // 2, observers % 2
    distinct = comb(observers, larger) // (1 if odd else 2)  # the halves of an even number may change places
    if distinct <= SPLITS:  # of an even number the first ways are those with the first observer in the first half
        chosen = set(islice(combinations(range(observers), larger), distinct))
    else:
        rng, chosen = np.random.default_rng(observers), set()
        while len(chosen) < SPLITS:
            others = rng.permutation(observers) if odd else [0, *1 + rng.permutation(observers - 1)]
            chosen.add(tuple(sorted(int(who) for who in others[:larger])))
    return np.array([np.isin(np.arange(observers), first) for first in sorted(chosen)])


def names(of: Probes) -> Sequence[str]:
    """Who stands behind these probes."""
    return of.names


def without(of: Probes, who: str) -> Probes:
    """The same probes, scored on all observers but one."""
    left = tuple(at for at, name in enumerate(of.names) if name != who)
    return replace(of, scored=left)


def only(of: Probes, who: str) -> Probes:
    """The same probes, scored on one observer."""
    return replace(of, scored=(of.names.index(who),))


def answer(of: Probes, scene: Any) -> Local:
    """What the scored observers would answer: their mean."""
    return Local(of.mean, people=True)


def local(raw: Any, scene: Shown) -> Field | Local:
    """A model's answer, accepted: image flow (u right, v down, px/frame) becomes y up, once, here.

    For T frames of H × W and P probes: (T − 1, H, W, 2), the flow of every pair; (H, W, 2), that of the probed pair;
    (T − 1, 2), one velocity per pair; or (P, 2), one per probe. `Flow` and `Velocity`, in deg/s, become px/frame by
    the scene's scale; `Field` and `Local` are y up already. NaN: no estimate.
    """
    if isinstance(raw, Local):
        return replace(_vectors(_finite(raw.velocity), scene), people=raw.people)
    if isinstance(raw, (Flow, Velocity)):
        values = _finite(raw.velocity) * (scene.px_per_deg / scene.hertz)
    else:
        values = _finite(raw.velocity) if isinstance(raw, Field) else _upwards(_finite(numbers(raw)))
    return _sorted(values, scene) if isinstance(scene, Scene) else _vectors(values, scene)


def _finite(values: NDArray[Any]) -> Floats:
    return np.where(np.isfinite(values), values, np.nan).astype(np.float64)


def _upwards(values: Floats) -> Floats:
    """The same with y turned over; what is no array of vectors is left to be refused by its shape."""
    return values * (1, -1) if values.ndim and values.shape[-1] == 2 else values


def numbers(raw: Any) -> Floats:
    """An answer as an array of real numbers; what is none is refused with a sentence."""
    if isinstance(raw, dict) or not (hasattr(raw, "__array__") or np.iterable(raw)):
        raise ValueError(f"got an answer of {type(raw).__name__}; expected an array of flow in px/frame")
    values = np.asarray(raw)
    if values.dtype.kind not in "fiu":
        raise ValueError(f"got an answer of {values.dtype}; expected real numbers: flow in px/frame")
    return values.astype(np.float64)


def _sorted(values: Floats, scene: Scene) -> Field | Local:
    """A field of the probed pair, or a vector for each probe, by the shape."""
    pairs, (height, width) = len(scene.frames) - 1, scene.frames.shape[1:]
    every, one, each, probes = (pairs, height, width, 2), (height, width, 2), (pairs, 2), scene.points.shape
    if values.shape in (every, one):
        return Field((values if values.ndim == 3 else values[scene.at]).astype(np.float32))
    if each == probes != (1, 2) and values.shape == each:
        raise ValueError(f"got an answer of shape {each}, one velocity per pair or one per probe; expected {every}")
    if values.shape == each:
        return Local(np.tile(values[scene.at], (len(scene.points), 1)))
    if values.shape == probes:
        return _vectors(values, scene)
    raise ValueError(
        f"got an answer of shape {values.shape}; expected {every}, the flow between {pairs + 1} frames, {one}, "
        f"{each}, or {probes}, one velocity per probe"
    )


def _vectors(values: Floats, scene: Shown) -> Local:
    """Vectors, one per probe: all that can be said of a movie that is not here."""
    count = scene.count if isinstance(scene, Unseen) and not len(scene.points) else len(scene.points)
    if values.shape != (count, 2):
        raise ValueError(f"got an answer of shape {values.shape}; expected {(count, 2)}, one velocity per probe")
    return Local(values)


@singledispatch
def at_probes(found: Any, scene: Shown) -> Local:
    """The velocity at each probe: bilinear in the flow between the probed frame and the next.

    A probe whose four neighbours are not all known, or that lies outside the frame, has none (NaN).
    """
    raise TypeError(f"got an answer of {type(found).__name__}; expected flow or vectors; register a readout of it")


@at_probes.register
def _(found: Local, scene: Shown) -> Local:
    return found


@at_probes.register
def _(found: Field, scene: Shown) -> Local:
    return Local(bilinear(found.velocity, scene.points))


def bilinear(values: NDArray[Any], points: Floats) -> Floats:
    """Values (H, W, C) at points (x, y) between pixels; NaN outside.

    >>> bilinear(np.array([[[0.0], [1.0]], [[2.0], [3.0]]]), np.array([[0.5, 0.5], [1.0, 0.0], [1.5, 0.0]])).ravel()
    array([1.5, 1. , nan])
    """
    height, width = values.shape[:2]
    x, y = points.T
    inside = (x >= 0) & (y >= 0) & (x <= width - 1) & (y <= height - 1)
    left = np.clip(np.floor(x).astype(int), 0, max(width - 2, 0))
    top = np.clip(np.floor(y).astype(int), 0, max(height - 2, 0))
    right, below = np.minimum(left + 1, width - 1), np.minimum(top + 1, height - 1)
    across, down = (x - left)[:, None], (y - top)[:, None]
    corners = [values[row, column].astype(np.float64) for row in (top, below) for column in (left, right)]
    shares = [(1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across]
    # A pixel that has no share does not count, though it may be NaN.
    found = sum(np.where(share > 0, share * corner, 0.0) for share, corner in zip(shares, corners, strict=True))
    return np.where(inside[:, None], found, np.nan)
