"""Values as bytes for another process of the same user."""

from __future__ import annotations

import io
import pickle
from typing import Any

from beholder.io.sizes import say_size


class TooLarge(ValueError):
    """A value takes more bytes than may be sent."""


class Bounded(io.BytesIO):
    """A buffer that refuses more than so many bytes, before it holds them."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def write(self, data: Any, /) -> int:
        """Hold these bytes too, if there is room."""
        if self.tell() + len(data) > self._most:
            raise TooLarge(f"it holds more than {say_size(self._most)}")
        return super().write(data)


def pickled(value: Any, most: int | None = None, *, protocol: int = 5) -> bytes:
    """A value as its pickle; where it holds classes or functions of a notebook, or local ones, these travel by value.

    The process in which such a class was made knows it again when it comes back. More than `most` bytes are refused.

    >>> pickle.loads(pickled(lambda x: x + 1))(2)
    3
    """
    try:
        return _dumped(value, pickle.Pickler, most, protocol)
    except (pickle.PicklingError, AttributeError, TypeError):
        import cloudpickle

        return _dumped(value, cloudpickle.Pickler, most, protocol)


def _dumped(value: Any, pickler: Any, most: int | None, protocol: int) -> bytes:
    buffer = io.BytesIO() if most is None else Bounded(most)
    pickler(buffer, protocol=protocol).dump(value)
    return buffer.getvalue()
