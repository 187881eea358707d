"""Published models whose answers come with a dataset."""

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
    found: frozenset[str] = frozenset()  # pictures on which, by its own account, it found the target


def recorded_models(dataset: Dataset[Any, Any]) -> Mapping[str, Recorded]:
    """The models whose answers come with a dataset, by name; most datasets have none."""
    found: Mapping[str, Recorded] = getattr(dataset.load, "recorded", {})
    return found
