"""What models of scanpaths share: how many observers, where they start, and the maps that guide them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from beholder.attention.types import Density, Floats, Picture, Scanpath, accept_map
from beholder.core.cite import facts_of
from beholder.errors import Misuse
from beholder.registry.find import find, names

Rng = np.random.Generator
Guide = str | Callable[[Picture], Any]  # a model of salience: its name, or the model itself
Paths = Scanpath | list[Scanpath]

AROUND = 0.17  # of the shorter side: how far from the middle G-Eymol and Eymol begin [V]
UNKNOWN_MS = 250.0  # of a fixation whose duration is not known
SIDE = 224  # px of the longer side that G-Eymol works at [V]


def observer_count(many: int | None) -> int:
    """How many observers are asked for: one where `many` is None."""
    if many is not None and many < 1:
        raise Misuse(f"got many={many}; expected 1 or more observers, or None for a single one")
    return 1 if many is None else int(many)


def one_or_many(paths: list[Scanpath], many: int | None) -> Paths:
    """One scanpath where `many` is None, a list otherwise."""
    return paths[0] if many is None else paths


def start_points(shape: tuple[int, int], count: int, rng: Rng) -> Floats:
    """(count, 2): points x, y drawn evenly within 0.17 of the shorter side from the middle, in each direction."""
    middle = np.array(shape[::-1]) / 2
    return np.asarray(middle + AROUND * min(shape) * rng.uniform(-1, 1, (count, 2)))


def last_point(after: Scanpath, shape: tuple[int, int]) -> Floats:
    """(2,): x and y of the fixation that a path goes on from, the last of those before; it must be in the picture."""
    if not len(after):
        raise ValueError(
            "got a path without fixations to continue from; expected one or more, or None to start a new path"
        )
    x, y = after.points[-1]
    if not (0 <= x < shape[1] and 0 <= y < shape[0]):
        raise ValueError(f"got the last fixation at ({x:g}, {y:g}); expected it inside {shape[1]} x {shape[0]}")
    return np.asarray(after.points[-1])


def fixation_seconds(after: Scanpath) -> Floats:
    """How long each fixation of a path took, in s; 250 ms where it is not known."""
    return np.asarray(np.where(np.isfinite(after.duration_ms), after.duration_ms, UNKNOWN_MS) / 1000)


def guide_map(picture: Picture, of: Guide, on: str = "") -> Floats:
    """The map of a model of salience (H, W), from 0 to 1; all 0 where it is constant.

    `of` is the name of a built-in model, or any function from a picture to a map or a `Density`; or whatever --model
    takes, such as dir:maps, a folder with a map for each picture of the dataset `on`.
    """
    model = guide(of, on)
    if "answers" in facts_of(model):
        raise Misuse(f"got of={of!r}, a scanpath model; expected a map model, such as itti or gbvs")
    found = accept_map(model(picture), picture)
    values = np.exp(found.log) if isinstance(found, Density) else found.values
    low, span = float(values.min()), float(np.ptp(values))
    return np.asarray((values - low) / span if span > 0 else np.zeros(picture.shape))


def guide(of: Guide, on: str = "") -> Callable[[Picture], Any]:
    """The model of maps that a setting names."""
    if not isinstance(of, str):
        return of
    if of in names("attention.models"):
        return find("attention.models", of)  # type: ignore[no-any-return]
    from beholder.attention.models._recalled import map_model  # it loads a benchmark, which lists the models here

    return map_model(of, on)


def guide_shares(picture: Picture, of: Guide, shape: tuple[int, int]) -> Floats:
    """A guide's map as probabilities of the cells of a coarser grid; even where it is constant."""
    from beholder.vision.scales import resized

    values = np.maximum(resized(guide_map(picture, of), shape), 0)
    total = float(values.sum())
    return np.asarray(values / total if total > 0 else np.full(shape, 1 / values.size))


def clip_inside(points: Floats, shape: tuple[int, int]) -> Floats:
    """Points (…, 2) no nearer to the far borders than the next number below: every one lies in a pixel."""
    return np.asarray(np.clip(points, 0, np.nextafter(np.array(shape[::-1], np.float64), 0)))
