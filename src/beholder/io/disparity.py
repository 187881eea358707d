"""Disparity files ↔ arrays: PFM, NumPy and the 16-bit PNG of KITTI. Pixels without a disparity are NaN.

Formats whose values mean nothing without more have modules of their own: `middlebury` (8 bits and a scale), `spring`
(stored at twice the size) and `sintel` (three bytes a pixel).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.io import arrays, image
from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST, check_file, check_size

Map = NDArray[np.float32]

_KITTI_SCALE = 256  # KITTI's devkit: a 16-bit grey value is 256 times the disparity, and 0 says that there is none
_PFM_HEADER = re.compile(rb"(\S{1,16})\s+(\S{1,16})\s+(\S{1,16})\s+(\S{1,32})(?:\r\n|\s)")


def read(path: Path | str, *, limit: int = LARGEST) -> Map:
    """The disparity map in a file, in pixels: `.pfm`, `.npy`, `.npz` or `.tif` (floats), or `.png` (16 bits, KITTI's).

    Whatever is not finite in a PFM or NumPy file, and 0 in a PNG, means that there is no disparity and becomes NaN.
    The rows of a PFM stand from bottom to top, in the byte order that the sign of its scale says; the size of its
    scale is not applied, as in Middlebury's own tools. An 8-bit PNG is refused: its scale does not stand in the file.
    A map of more than `limit` bytes is refused unread.
    """
    where = Path(path)
    suffix = where.suffix.lower()
    if suffix not in _READERS:
        raise ValueError(f"{where}: got the suffix {suffix!r}; expected {', '.join(_READERS)}; convert the file")
    found = _READERS[suffix](where, limit)
    return np.where(np.isfinite(found), found, np.float32(np.nan))


def write(disparity: NDArray[Any], path: Path | str) -> None:
    """Put a disparity map into a file whose suffix names the format; it appears whole or not at all.

    PFM and NumPy keep float32 exactly. PNG rounds to 1/256 px and is refused for what it cannot hold.
    """
    where = Path(path)
    suffix = where.suffix.lower()
    if suffix not in _ENCODERS:
        raise ValueError(f"{where}: got the suffix {suffix!r}; expected {', '.join(_ENCODERS)}; choose one of them")
    values = np.asarray(disparity)
    if values.ndim != 2 or values.size == 0 or values.dtype.kind not in "fiu":
        raise ValueError(f"{where}: got {_kind(values)}; expected numbers of shape (H, W); write one map per file")
    with np.errstate(over="ignore"):
        values = values.astype(np.float32)
    with whole_file(where) as file:
        _ENCODERS[suffix](values, file)


def _read_pfm(path: Path, limit: int) -> Map:
    check_file(path, limit)
    content = path.read_bytes()
    header = _PFM_HEADER.match(content)
    if header is None or header[1] != b"Pf":
        start = header[1] if header else content[:8]
        raise ValueError(
            f"{path}: got a file that begins with {start!r}; expected the header of a PFM of one channel: 'Pf', width, "
            "height, scale; convert it"
        )
    width, height, scale = _pfm_numbers(header, path)
    expected, held = 4 * width * height, len(content) - header.end()
    if held != expected:
        raise ValueError(
            f"{path}: got {held} bytes after the header; expected 4·{width}·{height} = {expected}; "
            "the file is cut off or its header is wrong, write it again"
        )
    check_size(path, (height, width), np.float32, limit)
    values = np.frombuffer(content, "<f4" if scale < 0 else ">f4", offset=header.end())
    return values.reshape(height, width)[::-1].astype(np.float32)  # rows stand from bottom to top


def _pfm_numbers(header: re.Match[bytes], path: Path) -> tuple[int, int, float]:
    try:
        width, height, scale = int(header[2]), int(header[3]), float(header[4])
    except ValueError as error:
        raise ValueError(f"{path}: got the header {header[0]!r}; expected 'Pf', width, height, scale") from error
    if width < 1 or height < 1 or not abs(scale) > 0:  # also NaN
        raise ValueError(f"{path}: got {width} × {height} at scale {scale}; expected sides of 1 or more, scale not 0")
    return width, height, scale


def _read_npy(path: Path, limit: int) -> Map:
    return _floats(arrays.load(path, limit=limit), path)


def _read_npz(path: Path, limit: int) -> Map:
    held = arrays.load(path, limit=limit)
    if not isinstance(held, dict):
        raise ValueError(f"{path}: got no archive of NumPy arrays; expected one map; save it with np.savez")
    if len(held) != 1:
        raise ValueError(f"{path}: got {len(held)} arrays; expected one map; save it alone")
    return _floats(next(iter(held.values())), path)


def _floats(values: Any, path: Path) -> Map:
    if not isinstance(values, np.ndarray) or values.ndim != 2 or values.dtype.kind != "f":
        raise ValueError(f"{path}: got {_kind(values)}; expected floats of shape (H, W); save the map in pixels")
    with np.errstate(over="ignore"):
        return values.astype(np.float32)


def _read_png(path: Path, limit: int) -> Map:
    mode, values = _picture(path, limit, "PNG", "16-bit grey")
    if not mode.startswith("I"):
        raise ValueError(
            f"{path}: got a PNG of mode {mode}, whose scale would be a guess; expected 16-bit grey, 256 times the "
            "disparity, 0 where there is none; write .pfm, or multiply by 256 into 16 bits"
        )
    return np.where(values > 0, values / np.float32(_KITTI_SCALE), np.nan).astype(np.float32)


def _read_tif(path: Path, limit: int) -> Map:
    mode, values = _picture(path, limit, "TIFF", "32-bit floats")
    if mode != "F":
        raise ValueError(f"{path}: got a TIFF of mode {mode}; expected 32-bit floats, in px; write it as such")
    return values.astype(np.float32)


def _picture(path: Path, limit: int, format: str, wanted: str) -> tuple[str, NDArray[Any]]:
    """Pillow's word for the pixels of an image, and the pixels."""
    from PIL import UnidentifiedImageError

    try:
        with image.opened(path, limit) as picture:
            return picture.mode, np.asarray(picture)
    except FileNotFoundError:
        raise
    except (UnidentifiedImageError, OSError, SyntaxError) as error:
        raise ValueError(f"{path}: got no whole {format} ({error}); expected {wanted}; write it again") from error


def _encode_pfm(values: Map, file: Any) -> None:
    file.write(f"Pf\n{values.shape[1]} {values.shape[0]}\n-1.0\n".encode())
    file.write(np.where(np.isnan(values), np.float32(np.inf), values)[::-1].astype("<f4").tobytes())


def _encode_npy(values: Map, file: Any) -> None:
    np.save(file, values, allow_pickle=False)


def _encode_npz(values: Map, file: Any) -> None:
    np.savez_compressed(file, disparity=values)


def _encode_png(values: Map, file: Any) -> None:
    from PIL import Image

    known = np.isfinite(values)
    steps = np.floor(np.where(known, values, 0).astype(np.float64) * _KITTI_SCALE + 0.5)
    if steps.min() < 0 or steps.max() > 65535:
        raise ValueError(
            f"{file.name}: got disparities of {values[known].min()} … {values[known].max()} px; expected 0 … 255.99, "
            "which is what a 16-bit PNG holds; write .pfm"
        )
    # 0 means that there is no disparity: the smallest that can be said is one step, 1/256 px.
    Image.fromarray(np.where(known, np.maximum(steps, 1), 0).astype(np.uint16)).save(file, format="PNG")


def _kind(values: Any) -> str:
    if not isinstance(values, np.ndarray):
        return f"a {type(values).__name__}"
    return f"{values.dtype} of shape {values.shape}"


_READERS = {
    ".pfm": _read_pfm,
    ".npy": _read_npy,
    ".npz": _read_npz,
    ".png": _read_png,
    ".tif": _read_tif,
    ".tiff": _read_tif,
}
_ENCODERS = {".pfm": _encode_pfm, ".npy": _encode_npy, ".npz": _encode_npz, ".png": _encode_png}
