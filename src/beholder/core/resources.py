"""What a model needs of the machine that it runs on: memory, GPUs, or whatever else a cluster counts."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping
from typing import Any

from beholder.errors import Misuse
from beholder.io.sizes import parse_size


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
    """A number, as such or as text, or a text that says how many bytes."""
    for read in (float, parse_size):
        with contextlib.suppress(Misuse, AttributeError, TypeError, ValueError):
            if 0 < (found := float(read(value))) < math.inf:
                return found
    raise Misuse(f"got resources {{{name!r}: {value!r}}}; expected a number above 0, or bytes such as '8 GB'")
