"""8-bit images ↔ arrays: uint8, (H, W) for grey or (H, W, 3) for colour, channels in the order red, green, blue."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST, check_file, check_size
from beholder.io.reading import reading

Bytes = NDArray[np.uint8]
PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".ppm", ".pgm")  # suffixes of still pictures

# Pillow's modes that hold 8 bits per channel, and what each is read as. Alpha is dropped: it is no light.
_READ_AS = {"1": "L", "L": "L", "LA": "L", "P": "RGB", "RGB": "RGB", "RGBA": "RGB", "CMYK": "RGB", "YCbCr": "RGB"}


@contextmanager
def opened(path: Path | str, limit: int = LARGEST) -> Iterator[Any]:
    """An image whose pixels are not read yet, as Pillow opens it; refused if they take more than `limit` bytes."""
    from PIL import Image

    if isinstance(path, (str, Path)):
        check_file(path, limit)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # ours is the limit
            warnings.simplefilter("ignore", UserWarning)  # of a damaged part that is not needed, such as EXIF
            image = Image.open(path)
    except Image.DecompressionBombError as fault:
        raise ValueError(f"{path}: got an image of too many pixels ({fault}); expected a smaller one") from None
    with image:
        colours = () if len(image.getbands()) == 1 and image.mode != "P" else (3,)
        check_size(path, (image.height, image.width, *colours), np.uint16 if image.mode[0] == "I" else np.uint8, limit)
        yield image


def read(path: Path | str, *, limit: int = LARGEST) -> Bytes:
    """The image in a file: uint8, (H, W) for a grey one, (H, W, 3) for a coloured one; at most `limit` bytes."""
    from PIL import UnidentifiedImageError

    with reading(path, "a damaged image", "a complete one; copy it again"):
        try:
            with opened(path, limit) as image:
                return np.asarray(image.convert(_read_as(image, path)))
        except UnidentifiedImageError as error:
            raise ValueError(
                f"{path}: got no image that Pillow knows; expected PNG, JPEG, …; check the file"
            ) from error


def _read_as(image: Any, path: Path | str) -> str:
    """Pillow's mode that an image of 8 bits per channel is read as."""
    mode = _READ_AS.get(image.mode)
    if mode is None:
        raise ValueError(
            f"{path}: got an image of mode {image.mode}; expected 8 bits per channel; convert it to 8-bit PNG"
        )
    return mode


def write(image: NDArray[Any], path: Path | str) -> None:
    """Put an image into a file whose suffix names the format; the file appears whole or not at all."""
    from PIL import Image

    format = Image.registered_extensions().get(Path(path).suffix.lower())
    if format not in Image.SAVE:
        raise ValueError(f"{path}: got the suffix {Path(path).suffix!r}; expected an image's, such as .png; rename it")
    picture = Image.fromarray(eight_bit(image))
    with whole_file(path) as file:
        picture.save(file, format=format)


def eight_bit(image: NDArray[Any]) -> Bytes:
    """An image as uint8: bytes stay as they are, floats of 0 … 1 become 0 … 255.

    >>> eight_bit(np.array([[0.0, 0.5, 1.0]]))
    array([[  0, 128, 255]], dtype=uint8)
    """
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3) or image.size == 0:
        raise ValueError(f"got an image of shape {image.shape}; expected (H, W) or (H, W, 3); drop further channels")
    if image.dtype == np.uint8:
        return image
    if not np.issubdtype(image.dtype, np.floating):
        raise ValueError(f"got an image of {image.dtype}; expected uint8, or floats of 0 … 1; convert it")
    if not (image.min() >= 0 and image.max() <= 1):
        raise ValueError(
            f"got an image of {image.min()} … {image.max()}; expected floats of 0 … 1; divide by its white"
        )
    return np.floor(image * 255 + 0.5).astype(np.uint8)
