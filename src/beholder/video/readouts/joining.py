"""The stretches of a long clip, joined to the evidence of the whole clip."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from beholder.video.evidence import Evidence, Facts
from beholder.video.types import Floats

Record = TypeVar("Record")
COUNTED = ("seconds", "frames")  # numbers that add up; any other number is a share, whose mean is taken


def join(parts: Sequence[Evidence]) -> Evidence:
    """Evidence of successive stretches as one. Times count from the start of the clip, so series simply follow.

    Shares are weighted by the seconds that each stretch lasts. What happens between the last frame of a stretch and the
    first of the next is not seen.
    """
    if not parts:
        raise ValueError("got no stretches of a clip; expected at least one")
    if len(parts) == 1:
        return parts[0]
    weights = np.array([p.facts.seconds for p in parts])
    return Evidence(
        _facts([p.facts for p in parts]),
        _record([p.frames for p in parts], weights),
        _record([p.camera for p in parts], weights),
        _record([p.motion for p in parts], weights),
        tuple(track for p in parts for track in p.tracks),
        _record([p.coherence for p in parts], weights),
        _record([p.deformation for p in parts], weights),
        parts[0].poses,
    )


def _facts(parts: Sequence[Facts]) -> Facts:
    first, last = parts[0], parts[-1]
    times = np.concatenate([p.times for p in parts])
    return dataclasses.replace(last, times=times, seconds=float(last.times[0] + last.seconds - first.times[0]))


def _record(parts: Sequence[Record], weights: Floats) -> Record:
    """Records of one type as one, field by field."""
    names = [field.name for field in dataclasses.fields(parts[0])]  # type: ignore[arg-type]
    joined = {name: _joined(name, [getattr(p, name) for p in parts], weights) for name in names}
    return type(parts[0])(**joined)


def _joined(name: str, values: Sequence[Any], weights: Floats) -> Any:
    """Series and events one after the other; counts added; shares averaged."""
    first = values[0]
    if isinstance(first, np.ndarray):
        return np.concatenate(values)
    if isinstance(first, tuple):
        return tuple(item for value in values for item in value)
    if isinstance(first, dict):
        shared = [key for key in first if all(key in value for value in values)]
        return {key: np.concatenate([value[key] for value in values]) for key in shared}
    return sum(values) if name in COUNTED else float(np.average(values, weights=weights))
