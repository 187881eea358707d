"""Numbers as colours, for people to look at: arrays in, 8-bit pictures out."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Scale = Literal["viridis", "plasma"]
LARGEST = 480  # px: the longer side of a picture on a page


@cache
def _table(scale: Scale) -> Bytes:
    """256 colours, as matplotlib has them."""
    import cv2

    known = {"viridis": cv2.COLORMAP_VIRIDIS, "plasma": cv2.COLORMAP_PLASMA}
    return np.asarray(cv2.applyColorMap(np.arange(256, dtype=np.uint8)[:, None], known[scale])[:, 0, ::-1])


def painted(values: NDArray[Any], low: float, high: float, *, scale: Scale = "viridis") -> Bytes:
    """The colours of values on a scale, (…, 3); what lies beyond gets the end's colour, and so does NaN the low one.

    >>> painted(np.array([0.0, 1.0, 2.0, np.nan]), 0.0, 1.0).tolist()
    [[68, 1, 84], [253, 231, 37], [253, 231, 37], [68, 1, 84]]
    """
    shares = np.nan_to_num((values - low) / ((high - low) or 1.0), posinf=1.0, neginf=0.0)
    return _table(scale)[np.rint(255 * np.clip(shares, 0, 1)).astype(np.intp)]


def coloured(picture: NDArray[np.uint8]) -> Bytes:
    """A picture with three channels, whether it is grey or not."""
    return np.repeat(picture[..., None], 3, axis=2) if picture.ndim == 2 else picture[..., :3]


def shrunk(picture: NDArray[Any], largest: int = LARGEST) -> NDArray[Any]:
    """A picture no larger than a page needs: each pixel the mean of those that it stands for."""
    import cv2

    height, width = fitted(picture.shape[:2], largest)
    if (height, width) == picture.shape[:2]:
        return picture
    return np.asarray(cv2.resize(np.ascontiguousarray(picture), (width, height), interpolation=cv2.INTER_AREA))


def thinned(values: NDArray[Any], largest: int = LARGEST) -> NDArray[Any]:
    """Values no finer than a page needs, none of them mixed with another: NaN and classes stay what they are."""
    height, width = fitted(values.shape[:2], largest)
    rows, columns = (np.arange(new) * old // new for new, old in zip((height, width), values.shape[:2], strict=True))
    return np.asarray(values[rows[:, None], columns])


def fitted(shape: tuple[int, ...], largest: int = LARGEST) -> tuple[int, int]:
    """Height and width of a picture, made no larger than so many px.

    >>> fitted((300, 960)), fitted((30, 40))
    ((150, 480), (30, 40))
    """
    factor = min(1.0, largest / max(shape[:2]))
    return max(1, round(shape[0] * factor)), max(1, round(shape[1] * factor))


def rgb(colour: str) -> tuple[int, int, int]:
    """The three bytes of a colour such as "#d7301f".

    >>> rgb("#d7301f")
    (215, 48, 31)
    """
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue
