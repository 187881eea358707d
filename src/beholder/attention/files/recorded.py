"""Models of attention that are known by their answers, which lie beside a dataset's pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from beholder.core.benchmark import Recorded
from beholder.core.sample import Dataset


@dataclass(frozen=True)
class Stored(Recorded):
    """A published model's scanpaths by sample."""

    cite: str = ""
    found: frozenset[str] = frozenset()  # where, as it says itself, it came to what it searched for


def recorded(dataset: Dataset[Any, Any]) -> Mapping[str, Recorded]:
    """The models whose answers lie beside a dataset's pictures, by their names; none for other datasets."""
    found: Mapping[str, Recorded] = getattr(dataset.load, "recorded", {})
    return found
