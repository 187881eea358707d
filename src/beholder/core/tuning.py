"""Models that were tuned on a dataset's own kind of stimulus: by a fact on their cards, tuned_on="bars, diamonds"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def tuned_here(models: Iterable[Mapping[str, Any]], datasets: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Of some models, as run.json tells of them, those that were tuned on stimuli as these datasets have; and on which.

    Being tuned on a kind of stimulus is less than having been trained on the very samples, which is refused; but what
    such a model scores here is more than it would score on what its authors had not looked at.

    >>> models = [{"name": "a", "facts": {"tuned_on": "bars, diamonds"}}, {"name": "b", "facts": {}}]
    >>> tuned_here(models, ["diamonds+plaids"])
    {'a': ('diamonds',)}
    """
    shown = " ".join(datasets)
    told = {model["name"]: map(str.strip, model["facts"].get("tuned_on", "").split(",")) for model in models}
    found = {model: tuple(one for one in own if one and one in shown) for model, own in told.items()}
    return {model: own for model, own in found.items() if own}
