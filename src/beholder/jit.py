"""Loops that must be loops: compiled by Numba when they are first called, and kept for the next process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """A function of arrays and numbers, compiled at its first call: until then Numba is not imported.

    Its body may use NumPy and `math`, but no other function of ours.

    >>> @compiled
    ... def twice(x):
    ...     return 2 * x
    >>> twice.__name__, twice.__wrapped__(4)
    ('twice', 8)
    """

    @cache
    def machine_code() -> Callable[..., Any]:
        import numba

        # Sums keep their order and NaN stays NaN: no fast mathematics. Division by 0 is as in NumPy: loops without its
        # branch become vectors.
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)

    @wraps(function)
    def call(*given: Any) -> Any:
        return machine_code()(*given)

    return call  # type: ignore[return-value]


def is_loaded() -> bool:
    """Whether the compiler is here already, so that a loop costs no more than its own time."""
    return "numba" in sys.modules
