"""Numbers that travel with the package."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray


@cache
def carried(name: str) -> dict[str, NDArray[Any]]:
    """The arrays of a file that `python -m beholder.study.data` has written."""
    file = resources.files("beholder.study.data").joinpath(f"{name}.npz")
    with file.open("rb") as opened, np.load(opened, allow_pickle=False) as held:
        return {key: held[key] for key in held.files}
