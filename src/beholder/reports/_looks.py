"""Pictures inside any thing, whatever its domain: arrays that look like one, and frames of what looks like a film."""

from __future__ import annotations

import base64
import dataclasses
import io
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from beholder.errors import printable

LEAST = 16  # pixels of a side below which an array is a table of numbers, and no picture
WIDE = 180  # pixels of a thumbnail
FRAMES = 3  # of a film: first, middle, last
LONG = 60  # letters of a value
SHOWN = 4  # pictures of one thing


class Look(NamedTuple):
    """A picture that was found."""

    name: str
    pixels: NDArray[np.uint8]


def fields(thing: Any) -> Iterator[tuple[str, Any]]:
    """What a thing holds, by name; a thing that holds nothing named is its own only field."""
    if dataclasses.is_dataclass(thing):
        yield from ((field.name, getattr(thing, field.name)) for field in dataclasses.fields(thing))
    elif isinstance(thing, Mapping):
        yield from ((str(key), value) for key, value in thing.items())
    elif hasattr(thing, "_fields"):
        yield from zip(thing._fields, thing, strict=True)
    else:
        yield "", thing


def looks(thing: Any) -> list[Look]:
    """The pictures that a thing holds, small: of a film some frames."""
    found = [look for name, value in fields(thing) if isinstance(value, np.ndarray) for look in _frames(name, value)]
    return found[:SHOWN]


def _frames(name: str, array: NDArray[Any]) -> Iterator[Look]:
    colour = array.ndim > 2 and array.shape[-1] in (3, 4)
    sides = array.shape[-3:-1] if colour else array.shape[-2:]
    flat = array.ndim - colour == 2
    if array.ndim - colour not in (2, 3) or min(sides, default=0) < LEAST or array.dtype.kind not in "uifb":
        return
    if flat:
        yield Look(name, _small(array))
        return
    for at in np.unique(np.linspace(0, len(array) - 1, FRAMES).round().astype(int)):
        yield Look(f"{name} {at}", _small(array[at], scale=array))


def _small(array: NDArray[Any], scale: NDArray[Any] | None = None) -> NDArray[np.uint8]:
    """An array as 8 bits, not wider than a thumbnail; numbers that are no bytes are spread over the greys."""
    step = max(1, -(-array.shape[1] // WIDE))
    part = array[::step, ::step]
    if part.dtype == np.uint8:
        return part
    of = array if scale is None else scale
    with np.errstate(invalid="ignore"):
        least, most = (float(np.nanmin(of)), float(np.nanmax(of))) if np.isfinite(of).any() else (0.0, 1.0)
        grey = 255 * (part.astype(float) - least) / (most - least if most > least else 1.0)
    return np.nan_to_num(grey, nan=128, posinf=255, neginf=0).clip(0, 255).astype(np.uint8)


def image(look: Look) -> Markup:
    """A picture that stands in the page itself: colours as a photograph, greys as they are."""
    from PIL import Image

    file, kind = io.BytesIO(), "jpeg" if look.pixels.ndim == 3 else "png"
    picture = Image.fromarray(look.pixels)
    (picture.convert("RGB") if kind == "jpeg" else picture).save(file, kind, quality=80, optimize=True)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return Markup('<img alt="{}" src="data:image/{};base64,{}">').format(look.name or "picture", kind, data)


def words(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, np.ndarray) and value.size > 1:
        return f"array {' × '.join(map(str, value.shape))}, {value.dtype}"
    if isinstance(value, Mapping) and len(value) > SHOWN:
        return f"{len(value)} entries: {', '.join(map(str, list(value)[:SHOWN]))} …"
    text = printable(value if isinstance(value, str) else repr(value))
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"
