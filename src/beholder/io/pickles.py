"""Values as bytes for another process of the same user."""

from __future__ import annotations

import pickle
from typing import Any


def pickled(value: Any) -> bytes:
    """A value as its pickle; where it holds classes or functions of a notebook, or local ones, these travel by value.

    The process in which such a class was made knows it again when it comes back.

    >>> pickle.loads(pickled(lambda x: x + 1))(2)
    3
    """
    try:
        return pickle.dumps(value, protocol=5)
    except (pickle.PicklingError, AttributeError, TypeError):
        import cloudpickle

        found: bytes = cloudpickle.dumps(value, protocol=5)
        return found
