"""What a model needs of the machine that it runs on: memory, GPUs, or whatever else a cluster counts."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from beholder.errors import Misuse

UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}


def resources_of(model: Any) -> dict[str, float]:
    """What a model says that it needs: its attribute `resources`; memory in bytes.

    >>> def mine(picture): ...
    >>> mine.resources = {"memory": "8 GB", "gpu": 1}
    >>> resources_of(mine)
    {'memory': 8000000000.0, 'gpu': 1.0}
    """
    said = getattr(getattr(model, "func", model), "resources", None)
    return {str(name): _amount(name, value) for name, value in said.items()} if isinstance(said, Mapping) else {}


def suffices(has: Mapping[str, float], needs: Mapping[str, float]) -> bool:
    """Whether a machine that has so much can run a model that needs so much.

    >>> suffices({"memory": 16e9}, {"memory": 8e9}), suffices({"memory": 16e9}, {"gpu": 1.0})
    (True, False)
    """
    return all(has.get(name, 0.0) >= much for name, much in needs.items())


def tell_resources(needs: Mapping[str, float]) -> str:
    """Needs in words.

    >>> tell_resources({"memory": 8e9, "gpu": 1.0})
    'memory=8 GB, gpu=1'
    """
    return ", ".join(
        f"{name}={much / 1e9:g} GB" if name == "memory" else f"{name}={much:g}" for name, much in needs.items()
    )


def _amount(name: str, value: Any) -> float:
    """A number, or as text a number of bytes."""
    text = re.fullmatch(r"\s*([\d.]+)\s*([kMGT]?i?)B?\s*", str(value))
    try:
        found = float(text[1]) * UNITS[text[2]] if text else math.nan
    except (ValueError, KeyError):
        found = math.nan
    if not found > 0:
        raise Misuse(f"got resources {{{name!r}: {value!r}}}; expected a number above 0, or bytes such as '8 GB'")
    return found
