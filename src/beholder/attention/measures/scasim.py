"""Scasim: what it costs to turn one scanpath into another in space and time."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

import numpy as np

from beholder.attention.maps.fixated_pixels import check_choice
from beholder.attention.measures._units import px_per_deg_or_assumed, with_note
from beholder.attention.paths.pairs import Over, Walk, over_people, read_scanpaths
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.stats.sequences import alignment_cost

Normalise = Literal["none", "fixations", "durations"]


@measure(better="lower", bounds=(0, np.inf), cite="vonderMalsburg2011", reads=read_scanpaths, unit="ms")
def scasim(
    found: Walk, lookers: Lookers, *, fading: float = 0.83, normalise: Normalise = "none", over: Over = "mean"
) -> Result:
    """Scasim: the fixation time that must be inserted, deleted or moved to turn one scanpath into the other.

    Replacing a fixation of d₁ ms by one of d₂ ms at the visual angle φ (degrees) costs |d₁ − d₂| m^φ + (d₁ + d₂)(1 −
    m^φ), with m = `fading` per degree; an insertion or deletion costs its duration; the score is the least sum over
    alignments. Angles are between lines of sight of an eye in front of the middle of the picture (inverse gnomonic
    projection). With `normalise` the score is divided by the number of fixations, or by the duration, of both together
    (then 0 … 1).

    Undefined for unknown or negative durations. Where px per degree are unknown, 35 is assumed, and the reason says so.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([5, 5], [5, 5], duration_ms=[200, 100])}, (10, 10), px_per_deg=35)
    >>> scasim(scanpath([5], [5], duration_ms=[150]), person).value  # |150 − 200| + 100 inserted
    150.0
    """
    check_choice("normalise", normalise, Normalise)
    if not 0 < fading < 1:
        raise Misuse(f"got fading={fading}; expected the share that is left per degree, between 0 and 1")
    px, said = px_per_deg_or_assumed(lookers)
    compare = partial(_compared, shape=lookers.shape, px=px, fading=fading, normalise=normalise)
    return with_note(over_people(found, lookers, compare, over=over, better="lower"), said)


def _compared(
    simulated: Scanpath, human: Scanpath, *, shape: tuple[int, int], px: float, fading: float, normalise: Normalise
) -> Result:
    one, other = _durations(simulated), _durations(human)
    near = fading ** _angles(simulated, human, shape, px)
    moved = np.abs(one[:, None] - other) * near + (one[:, None] + other) * (1 - near)
    cost = alignment_cost(moved, one, other)
    wholes = {"none": 1.0, "fixations": float(len(one) + len(other)), "durations": float(one.sum() + other.sum())}
    if not wholes[normalise]:
        raise NotApplicable("no time was spent on any fixation")
    return Result(cost / wholes[normalise])


def _durations(path: Scanpath) -> Floats:
    if not (path.duration_ms >= 0).all():
        raise NotApplicable("fixation durations are unknown or below 0")
    return path.duration_ms


def _angles(a: Scanpath, b: Scanpath, shape: tuple[int, int], px: float) -> Floats:
    """Degrees between the directions of all fixations of two scanpaths."""
    distance = px / math.tan(math.radians(1))
    one, other = (_directions(path.points - np.array(shape[::-1]) / 2, distance) for path in (a, b))
    apart = np.linalg.norm(one[:, None] - other[None], axis=-1)
    return np.asarray(np.degrees(2 * np.arcsin(np.clip(apart / 2, 0, 1))))  # exact for small angles, as arccos is not


def _directions(points: Floats, distance: float) -> Floats:
    rays = np.column_stack([points, np.full(len(points), distance)])
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))
