"""The elements of a MATLAB file of version 5 to 7, walked through before SciPy reads them.

SciPy takes each code of a type as an index in C, descends into cells by recursion, and makes as many elements as a
header says (scipy#25829): a damaged file would end the process, fill its memory or never be done. So the walk goes
where SciPy goes, element by element, and refuses what could do that.
"""

from __future__ import annotations

import io
import math
import struct
import zlib
from collections import Counter
from typing import IO

_HEADER = 128  # bytes, of which the last two tell the order of bytes
_MATRIX, _COMPRESSED = 14, 15  # types of elements, as are those below
_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 16, 17, 18)  # which SciPy knows, those of texts included
_TEXTS, _SIZES = (1, 16), (5, 6)
_CELL, _STRUCT, _OBJECT, _CHAR, _SPARSE, _FUNCTION, _OPAQUE = 1, 2, 3, 4, 5, 16, 17  # classes of variables
_NUMERIC = range(6, 16)
_COMPLEX = 1 << 11
_AXES = 32  # the most that NumPy had
_DEEPEST = 100  # cells within cells
_FIELDS, _ALIKE = 10_000, 100  # of a struct, and those of one name: SciPy compares each with all before it
_PIECE = 1 << 20


def is_old(file: IO[bytes]) -> bool:
    """Whether a file is of version 4, which has no such elements and which NumPy alone reads."""
    file.seek(0)
    return 0 in file.read(4)


def walk(file: IO[bytes], limit: int) -> int:
    """The bytes of all variables, unpacked, counted only so far as they stay below the limit; refused where unsafe."""
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    order = "<" if file.read(_HEADER).endswith(b"IM") else ">"
    total = 0
    while total <= limit and file.tell() < size:
        kind, length = _Walk(file, order, size).tag()
        after = file.tell() + length
        if kind == _COMPRESSED:
            inside = _inflated(file, length, limit - total)
            total += len(inside)
            if total > limit:
                break
            kind, _ = (own := _Walk(io.BytesIO(inside), order, len(inside))).tag()
        else:
            own, total = _Walk(file, order, size), total + length
        if kind != _MATRIX:
            raise ValueError(f"a variable has the type {kind}, not {_MATRIX}")
        own.variable(0)
        file.seek(after)
    return total


def _inflated(file: IO[bytes], length: int, limit: int) -> bytes:
    """What so many compressed bytes become, and not much of it beyond the limit."""
    found, stream = io.BytesIO(), zlib.decompressobj()
    given = file.read(min(length, _PIECE))
    while given and found.tell() <= limit and not stream.eof:
        length -= 0 if stream.unconsumed_tail else len(given)
        found.write(stream.decompress(given, _PIECE))
        given = stream.unconsumed_tail or file.read(min(length, _PIECE))
    return found.getvalue()


class _Walk:
    """A walk through the elements of one stream, from where it stands."""

    def __init__(self, file: IO[bytes], order: str, size: int) -> None:
        self._file, self._tag, self._size = file, struct.Struct(f"{order}2I"), size
        self._order = order

    def tag(self) -> tuple[int, int]:
        """The type and the bytes of an element."""
        kind, length = self._tag.unpack(self._exactly(self._tag.size))
        return kind, length

    def variable(self, depth: int) -> None:
        """Pass one variable, whose tag has been read."""
        self._exactly(8)
        flags, _ = self.tag()
        kind, many = flags & 0xFF, 1
        if kind != _OPAQUE:
            many = self._elements()
            self._pass(_TEXTS)  # its name
        if kind in _NUMERIC:
            self._numbers(2 if flags & _COMPLEX else 1)
        elif kind == _SPARSE:
            self._numbers(4 if flags & _COMPLEX else 3)
        elif kind == _CHAR:
            self._check_many(many)
            self._numbers(1)
        elif kind == _CELL:
            self._inner(many, depth)
        elif kind in (_STRUCT, _OBJECT):
            if kind == _OBJECT:
                self._pass(_TEXTS)  # the name of its class
            self._inner(many * self._fields(), depth, of=many)
        elif kind == _FUNCTION:
            self._inner(1, depth)
        elif kind == _OPAQUE:
            for _ in range(3):
                self._pass(_TEXTS)
            self._inner(1, depth)
        else:
            raise ValueError(f"a variable has the class {kind}")

    def _inner(self, many: int, depth: int, of: int = 0) -> None:
        """Pass the variables within one, which has so many elements."""
        self._check_many(max(many, of))
        if depth == _DEEPEST:
            raise ValueError("its cells are nested too deep")
        for _ in range(many):
            kind, length = self.tag()
            if kind != _MATRIX:
                raise ValueError(f"an element has the type {kind}, not {_MATRIX}")
            if length:
                self.variable(depth + 1)

    def _numbers(self, times: int) -> None:
        for _ in range(times):
            self._pass(_NUMBERS)

    def _elements(self) -> int:
        """How many elements the sizes of a variable make."""
        raw = self._content(_SIZES, 4 * _AXES)
        sizes = struct.unpack(f"{self._order}{len(raw) // 4}i", raw[: len(raw) // 4 * 4])
        if any(size < 0 for size in sizes):
            raise ValueError("a size is negative")
        return math.prod(sizes)

    def _fields(self) -> int:
        """How many fields a struct has: its names stand one after another, each of the same length."""
        raw = self._content(_SIZES, 4)
        length = struct.unpack(f"{self._order}i", raw)[0] if len(raw) == 4 else 0
        if length < 1:
            raise ValueError("the names of fields have no length")
        names = self._content(_TEXTS, _FIELDS * int(length))
        found = Counter(
            names[at : at + length].partition(b"\0")[0] for at in range(0, len(names) // length * length, length)
        )
        if max(found.values(), default=0) > _ALIKE:
            raise ValueError("too many of its fields have one name")
        return found.total()

    def _check_many(self, many: int) -> None:
        if many > self._size:
            raise ValueError(f"{many:,} elements stand in {self._size:,} bytes")

    def _pass(self, kinds: tuple[int, ...]) -> int:
        """Skip the content of an element of one of these types; its bytes."""
        length, small = self._head(kinds)
        if not small:
            after = self._file.tell() + length + -length % 8
            if after > self._size + 7:  # the last may be without what fills it up to 8
                raise ValueError("it ends before its time")
            self._file.seek(after)
        return length

    def _content(self, kinds: tuple[int, ...], most: int) -> bytes:
        """The content of a small element."""
        length, small = self._head(kinds)
        if small:
            return small
        if length > most:
            raise ValueError(f"got {length:,} bytes where at most {most} belong")
        found = self._exactly(length)
        self._file.seek(-length % 8, io.SEEK_CUR)
        return found

    def _head(self, kinds: tuple[int, ...]) -> tuple[int, bytes]:
        """The bytes of an element of one of these types, and its content where that stands in the tag itself."""
        raw = self._exactly(8)
        kind, length = self._tag.unpack(raw)
        packed = kind >> 16
        if packed > 4:
            raise ValueError("a small element is too large")
        if packed:
            kind, length = kind & 0xFFFF, packed
        if kind not in kinds:
            raise ValueError(f"an element has the type {kind}")
        return length, raw[4 : 4 + packed]

    def _exactly(self, length: int) -> bytes:
        found = self._file.read(length)
        if len(found) < length:
            raise ValueError("it ends before its time")
        return found
