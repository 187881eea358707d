"""What the datasets that read folders share: what is in them, and what tells one state of them from another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

from beholder.attention.people.controls import Shape
from beholder.attention.types import Scanpath
from beholder.errors import Misuse

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".ppm", ".pgm")


def folder(path: Path, what: str) -> Path:
    """A folder that exists."""
    if not path.is_dir():
        raise Misuse(f"got {path}, which is no folder; expected {what}")
    return path


def place(root: Path, *names: str) -> Path | None:
    """The first of some files or folders that is below a folder."""
    return next((root / name for name in names if (root / name).exists()), None)


def needed(root: Path, *names: str) -> Path:
    """The first of some files or folders that is below a folder; there must be one."""
    found = place(root, *names)
    if found is None:
        raise Misuse(f"got {root} without {' or '.join(names)}; expected the folder as it is unpacked")
    return found


def pictures(where: Path, suffixes: Sequence[str] = PICTURES) -> dict[str, Path]:
    """The pictures below a folder by their path without suffix."""
    found: dict[str, Path] = {}
    for file in sorted(file for file in where.rglob("*") if file.suffix.lower() in suffixes):
        id = file.relative_to(where).with_suffix("").as_posix()
        if id in found:
            raise Misuse(f"got {found[id].name} and {file.name} in {file.parent}; expected one picture of a name")
        found[id] = file
    return found


def size(file: Path) -> Shape:
    """Rows and columns of a picture, from the head of its file."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(file) as opened:
            return opened.height, opened.width
    except (UnidentifiedImageError, OSError) as fault:
        raise ValueError(f"{file}: got no picture that can be read ({fault}); expected JPEG, PNG, …") from fault


def content(root: Path, files: Iterable[Path], *, annotations: Iterable[Path]) -> str:
    """Digest of the names and sizes of some files, and of the bytes of those that hold the eye movements."""
    told = blake2b(digest_size=8)
    for file in sorted(set(files)):
        told.update(f"{_below(file, root)}:{file.stat().st_size};".encode())
    for file in sorted(set(annotations)):
        told.update(file.read_bytes())
    return told.hexdigest()


def _below(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name


def once(paths: Iterable[tuple[str, Scanpath]], where: str) -> dict[str, Scanpath]:
    """Paths by observer, each of whom looked once."""
    found: dict[str, Scanpath] = {}
    for who, path in paths:
        if who in found:
            raise Misuse(
                f"{where}: got the observer {who!r} twice; expected one path each (who looks again has seen it); keep "
                "the first, or give other names"
            )
        found[who] = path
    return found
