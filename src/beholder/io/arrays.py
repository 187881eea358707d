"""NumPy files, .npy and .npz: read header first, and written so that equal arrays make equal bytes."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tokenize import TokenError  # of headers that NumPy takes for those of Python 2
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError

import numpy as np
from numpy.lib import format
from numpy.typing import NDArray

from beholder.io.bounds import LARGEST, check_bytes, check_file, check_size
from beholder.io.reading import reading

_LONGEST = 1 << 16  # bytes of an array's header: NumPy reads it whole before it refuses one of 10,000
_DIRECTORY = 1 << 20  # bytes of an archive's list of arrays, which is read whole: some 15,000 of them
_START = format.MAGIC_LEN + 4  # bytes: the magic, the version, and the length of the header
_END, _END_SIZE = b"PK\x05\x06", 22  # the record that ends an archive, …
_COMMENT = 1 << 16  # … the most that may follow it, and the one before it if there are more than 65,535 members or 4 GB
_FAR, _FAR_SIZE, _FAR_AWAY = b"PK\x06\x07", 20, 1 << 32
_DAMAGED = (
    ValueError,
    EOFError,
    BadZipFile,
    ZlibError,
    NotImplementedError,
    RuntimeError,
    OSError,
    TokenError,
    SyntaxError,
)


def load(path: Path | str, *, limit: int = LARGEST) -> NDArray[Any] | dict[str, NDArray[Any]]:
    """The array in a file, or the arrays of an archive by name, which together take at most `limit` bytes as floats.

    A pickle is never opened.
    """
    check(path, limit)
    wanted = "numbers that np.save or np.savez wrote"
    with reading(path, "no plain NumPy arrays", wanted), Path(path).open("rb") as file:
        if not file.peek(_START).startswith((format.MAGIC_PREFIX, b"PK")):
            raise ValueError("it begins like none; a pickle is not opened")  # NumPy advises to open it all the same
        found = np.load(file, allow_pickle=False)
        return found if isinstance(found, np.ndarray) else {name: np.asarray(found[name]) for name in found.files}


def only(path: Path | str, *, limit: int = LARGEST) -> NDArray[Any]:
    """The array of a .npy, or the one array of a .npz."""
    loaded = load(path, limit=limit)
    held = [loaded] if isinstance(loaded, np.ndarray) else list(loaded.values())
    if len(held) != 1:
        raise ValueError(f"{path}: got {len(held)} arrays; expected one; save it with np.save")
    return held[0]


def write(folder: Path, name: str, arrays: Mapping[str, NDArray[Any]]) -> Path:
    """Write arrays to `name`.npz; equal arrays always make equal bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.npz"
    with file.open("wb") as out:
        np.savez_compressed(out, allow_pickle=False, **arrays)
    return file


def check(path: Path | str, limit: int) -> None:
    """Refuse a file whose arrays are too large, from their headers; what is damaged is left for NumPy to tell."""
    check_file(path, limit)
    with Path(path).open("rb") as file:
        if file.read(2) == b"PK":
            _check_archive(file, path, limit)
            return
        file.seek(0)
        header = _header(file, path)
    if header:
        check_size(path, *header, limit)


def _check_archive(file: IO[bytes], path: Path | str, limit: int) -> None:
    check_bytes(path, "a list of arrays", _directory_size(file), _DIRECTORY)
    try:
        archive = ZipFile(file)
    except _DAMAGED:
        return
    with archive:
        members = archive.infolist()
        total = sum(_member_size(archive, member, path, limit) for member in members)
        check_bytes(path, f"{len(members)} arrays", total, limit)


def _directory_size(file: IO[bytes]) -> int:
    """The bytes of an archive's list of members, by the record that `zipfile` goes by."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _END_SIZE - _COMMENT))
    tail = file.read()
    bare = tail[-_END_SIZE:].startswith(_END) and tail.endswith(b"\0\0")
    at = len(tail) - _END_SIZE if bare else tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        return 0  # no archive
    if at >= _FAR_SIZE and tail.startswith(_FAR, at - _FAR_SIZE):
        return _FAR_AWAY
    return int(struct.unpack_from("<L", tail, at + 12)[0])


def _member_size(archive: ZipFile, member: ZipInfo, path: Path | str, limit: int) -> int:
    """The bytes of one member of an archive, of an array as floats; what is no array NumPy reads as it is."""
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):  # these alone are unpacked piece by piece
        raise ValueError(f"{path}: got an archive that is neither stored nor deflated; save it with np.savez")
    try:
        inside = archive.open(member)
    except _DAMAGED:
        return 0
    with inside:
        header = _header(inside, path)
    if header:
        return check_size(path, *header, limit)
    check_bytes(path, member.filename[:40], member.file_size, limit)
    return member.file_size


def _header(file: IO[bytes], path: Path | str) -> tuple[tuple[int, ...], Any] | None:
    """Shape and type of the array that begins here; none where no array does, or its header is damaged."""
    start = b""
    with suppress(*_DAMAGED):
        start = file.read(_START)
    if len(start) < _START or not start.startswith(format.MAGIC_PREFIX):
        return None
    early = start[len(format.MAGIC_PREFIX)] == 1  # the length of its header takes two bytes; later ones take four
    length = int(struct.unpack_from("<H" if early else "<I", start, format.MAGIC_LEN)[0])
    check_bytes(path, "the header of an array", length, _LONGEST)
    with suppress(*_DAMAGED):
        whole = io.BytesIO(start[format.MAGIC_LEN :] + file.read(length))
        shape, _, dtype = (format.read_array_header_1_0 if early else format.read_array_header_2_0)(whole)
        return shape, dtype
    return None
