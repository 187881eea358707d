"""Optical flow files ↔ arrays: Middlebury's .flo and KITTI's 16-bit PNG. Shape (H, W, 2): u right, v down, in px.

Pixels without a flow are NaN in both components.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.io.atomic import whole_file
from beholder.io.bounds import LARGEST, check_file, check_size

Field = NDArray[np.float32]

_MAGIC = b"PIEH"  # 202021.25 as a little-endian float: a file of the other byte order begins with HEIP
_PNG_SIZE = re.compile(rb"\x89PNG\r\n\x1a\n.{4}IHDR(.{8})", re.DOTALL)  # width and height
_HEADER = 12  # bytes: the magic, width and height as 32-bit integers
_UNKNOWN = 1e9  # Middlebury: larger values say that the flow is unknown …
_SAID_AS = 1.666666752e9  # … and its own files say it by this one (from memory)
_STEPS, _ZERO = (
    64,
    2**15,
)  # KITTI's devkit, from memory: value = 64 · flow + 2¹⁵, the third channel says that it is known


def read(path: Path | str, *, limit: int = LARGEST) -> Field:
    """The flow in a `.flo`, or in a 16-bit colour PNG of KITTI's; more than `limit` bytes are refused unread."""
    where = Path(path)
    found = _of(_READERS, where)(where, limit)
    known = (np.isfinite(found) & (np.abs(found) <= _UNKNOWN)).all(axis=-1, keepdims=True)
    return np.where(known, found, np.float32(np.nan))


def write(flow: NDArray[Any], path: Path | str) -> None:
    """Put a flow field into a file whose suffix names the format: `.flo` keeps float32, PNG rounds to 1/64 px."""
    where = Path(path)
    encode = _of(_ENCODERS, where)
    if flow.ndim != 3 or flow.shape[2] != 2 or flow.size == 0 or flow.dtype.kind != "f":
        raise ValueError(f"{where}: got {flow.dtype} of shape {flow.shape}; expected floats of shape (H, W, 2)")
    with np.errstate(over="ignore"):
        values = flow.astype(np.float32)
    content = encode(values, np.isfinite(values).all(axis=-1), where)
    with whole_file(where) as file:
        file.write(content)


def _of(formats: dict[str, Any], path: Path) -> Any:
    suffix = path.suffix.lower()
    if suffix not in formats:
        raise ValueError(f"{path}: got the suffix {suffix!r}; expected {', '.join(formats)}; convert the file")
    return formats[suffix]


def _read_flo(path: Path, limit: int) -> Field:
    check_file(path, limit)
    content = path.read_bytes()
    if content[:4] != _MAGIC or len(content) < _HEADER:
        swapped = " (its byte order is the other one)" if content[:4] == _MAGIC[::-1] else ""
        raise ValueError(
            f"{path}: got a file that begins with {content[:4]!r}{swapped}; expected {_MAGIC!r} and a size"
        )
    width, height = (int(side) for side in np.frombuffer(content, "<i4", 2, offset=4))
    expected, held = 8 * width * height, len(content) - _HEADER
    if width < 1 or height < 1 or held != expected:
        raise ValueError(
            f"{path}: got {held} bytes for {width} × {height} pixels; expected {expected}; the file is cut off, "
            "write it again"
        )
    check_size(path, (height, width, 2), np.float32, limit)
    return np.frombuffer(content, "<f4", offset=_HEADER).reshape(height, width, 2).astype(np.float32)


def _read_png(path: Path, limit: int) -> Field:
    import cv2

    check_file(path, limit)
    content = path.read_bytes()
    size = _PNG_SIZE.match(content)
    if size:
        check_size(path, (*struct.unpack(">2I", size[1])[::-1], 3), np.uint16, limit)
    levels = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_UNCHANGED) if size else None
    if levels is None or levels.ndim != 3 or levels.shape[2] != 3 or levels.dtype != np.uint16:
        got = "no whole image" if levels is None else f"{levels.dtype} of shape {levels.shape}"
        raise ValueError(f"{path}: got {got}; expected a PNG of three 16-bit channels")
    valid, v, u = np.moveaxis(levels.astype(np.float32), -1, 0)  # OpenCV turns the channels around
    flow = (np.stack([u, v], axis=-1) - _ZERO) / _STEPS
    return np.where(valid[..., None] > 0, flow, np.float32(np.nan))


def _encode_flo(values: Field, known: NDArray[np.bool_], path: Path) -> bytes:
    if np.abs(values[known]).max(initial=0) > _UNKNOWN:
        raise ValueError(f"{path}: got a flow above {_UNKNOWN:g} px; expected less, for that says unknown")
    size = np.array([values.shape[1], values.shape[0]], "<i4").tobytes()
    return _MAGIC + size + np.where(known[..., None], values, _SAID_AS).astype("<f4").tobytes()


def _encode_png(values: Field, known: NDArray[np.bool_], path: Path) -> bytes:
    import cv2

    steps = np.floor(np.where(known[..., None], values, 0).astype(np.float64) * _STEPS + _ZERO + 0.5)
    if steps.min() < 0 or steps.max() > 65535:
        raise ValueError(f"{path}: got a flow outside −512 … 511.98 px, which 16 bits hold; write .flo")
    _, content = cv2.imencode(".png", np.dstack([known, steps[..., 1], steps[..., 0]]).astype(np.uint16))
    return bytes(content)


_READERS = {".flo": _read_flo, ".png": _read_png}
_ENCODERS = {".flo": _encode_flo, ".png": _encode_png}
