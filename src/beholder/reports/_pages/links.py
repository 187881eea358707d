"""How a page reaches its pictures: by a path relative to it, or by carrying them inside."""

from __future__ import annotations

import mimetypes
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from beholder.reports._facts import address

if TYPE_CHECKING:
    from PIL import Image

Link = Callable[[str], str]
THUMB = (760, 320)  # twice the size at which a card shows it, for sharp screens
CROP = 0.72  # of a sheet's width: what was seen and what people did stand at its upper left


def beside(path: str) -> str:
    """A link from a page that lies where figures are counted from."""
    return address(path)


def below(path: str) -> str:
    """A link from a page one folder deeper."""
    return f"../{address(path)}"


def inside(folder: Path) -> Link:
    """Links that are the files themselves, as data; a path whose file is not there stays a path."""

    @cache
    def link(path: str) -> str:
        file = folder / path
        return data_uri(file.read_bytes(), kind_of(path)) if file.is_file() else address(path)

    return link


def kind_of(path: str) -> str:
    """The media type of a file by its name."""
    return mimetypes.guess_type(path)[0] or {".webp": "image/webp"}.get(Path(path).suffix, "application/octet-stream")


def data_uri(content: bytes, kind: str) -> str:
    """A file as a link."""
    return f"data:{kind};base64,{b64encode(content).decode()}"


def thumbnail(file: Path) -> str:
    """The upper left of a picture, small, as data; nothing where it cannot be read."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(file) as picture:
            small = _corner(picture.convert("RGB"))
    except (OSError, UnidentifiedImageError):
        return ""
    small.thumbnail(THUMB, Image.Resampling.LANCZOS)
    stream = BytesIO()
    small.save(stream, "WEBP", quality=70)
    return data_uri(stream.getvalue(), "image/webp")


def _corner(picture: Image.Image) -> Image.Image:
    """The upper left of a sheet, without its white margins."""
    from PIL import ImageChops

    inked = ImageChops.invert(picture.convert("L")).point(lambda level: 255 if level > 40 else 0)
    left, top, _, _ = inked.getbbox() or (0, 0, 0, 0)
    width = round((picture.width - left) * CROP)
    height = min(picture.height - top, round(width * THUMB[1] / THUMB[0]))
    return picture.crop((left, top, left + width, top + height))
