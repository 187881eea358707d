"""Git object ids of files and folders: the id of a folder covers the names, modes and bytes of everything in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha1
from pathlib import Path
from typing import BinaryIO

PLAIN, EXECUTABLE, FOLDER = "100644", "100755", "40000"
PIECE = 1 << 20  # bytes read at a time


class Blob:
    """The id of a file whose bytes come in pieces; its size must be known first, as it stands before the bytes."""

    def __init__(self, size: int) -> None:
        self._hash = sha1(b"blob %d\0" % size, usedforsecurity=False)

    def add(self, piece: bytes) -> None:
        """Take some more bytes."""
        self._hash.update(piece)

    @property
    def id(self) -> bytes:
        """The 20 bytes of the id."""
        return self._hash.digest()


def blob_id(path: Path) -> bytes:
    """The id of a file.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as empty:
    ...     blob_id(Path(empty.name)).hex()
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    found = Blob(path.stat().st_size)
    with path.open("rb") as file:
        for piece in pieces(file):
            found.add(piece)
    return found.id


def pieces(file: BinaryIO) -> Iterator[bytes]:
    """The bytes of a file, some at a time."""
    while piece := file.read(PIECE):
        yield piece


def tree_id(files: Mapping[str, tuple[str, bytes]]) -> str:
    """The id of a folder from its files: path with slashes → mode and blob id.

    >>> tree_id({})
    '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
    """
    entries: dict[str, tuple[str, bytes]] = {}
    inner: dict[str, dict[str, tuple[str, bytes]]] = {}
    for path, found in files.items():
        head, slash, rest = path.partition("/")
        if slash:
            inner.setdefault(head, {})[rest] = found
        else:
            entries[head] = found
    entries |= {name: (FOLDER, bytes.fromhex(tree_id(own))) for name, own in inner.items()}
    return _tree(entries.items())


def _tree(entries: Iterable[tuple[str, tuple[str, bytes]]]) -> str:
    """Git sorts names as bytes, and a folder as if a slash stood after it."""
    order = sorted(entries, key=lambda one: (one[0] + "/" * (one[1][0] == FOLDER)).encode())
    body = b"".join(f"{mode} {name}".encode() + b"\0" + id for name, (mode, id) in order)
    return sha1(b"tree %d\0" % len(body) + body, usedforsecurity=False).hexdigest()


def read_folder(root: Path) -> dict[str, tuple[str, bytes]]:
    """All files below a folder, with their modes and ids, as `tree_id` takes them."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink())
    return {path.relative_to(root).as_posix(): (_mode(path), blob_id(path)) for path in files}


def _mode(path: Path) -> str:
    return EXECUTABLE if path.stat().st_mode & 0o100 else PLAIN
