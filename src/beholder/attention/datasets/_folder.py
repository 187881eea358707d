"""What datasets that read folders share: finding files, and a digest of their content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

from beholder.attention.people.controls import Shape
from beholder.attention.types import Scanpath
from beholder.errors import Misuse
from beholder.io import image
from beholder.io.image import PICTURES


def existing_folder(path: Path, what: str) -> Path:
    """Check that a folder exists."""
    if not path.is_dir():
        raise Misuse(f"got {path}, which is not a folder; expected {what}")
    return path


def first_existing(root: Path, *names: str) -> Path | None:
    """The first of some names that exists below a folder, or None."""
    return next((root / name for name in names if (root / name).exists()), None)


def require(root: Path, *names: str) -> Path:
    """The first of some names that exists below a folder; there must be one."""
    found = first_existing(root, *names)
    if found is None:
        raise Misuse(f"got {root} without {' or '.join(names)}; expected the folder as unpacked from the download")
    return found


def pictures(where: Path, suffixes: Sequence[str] = PICTURES) -> dict[str, Path]:
    """The pictures below a folder by their path without suffix."""
    found: dict[str, Path] = {}
    for file in sorted(file for file in where.rglob("*") if file.suffix.lower() in suffixes):
        id = file.relative_to(where).with_suffix("").as_posix()
        if id in found:
            raise Misuse(f"got {found[id].name} and {file.name} in {file.parent}; expected one picture for each name")
        found[id] = file
    return found


def picture_size(file: Path) -> Shape:
    """Rows and columns of a picture, from the head of its file."""
    try:
        with image.opened(file) as found:
            return found.height, found.width
    except OSError as fault:  # Pillow's own fault is one
        raise ValueError(f"{file}: got no picture that can be read ({fault}); expected JPEG, PNG, …") from fault


def content_digest(root: Path, files: Iterable[Path], *, annotations: Iterable[Path]) -> str:
    """Digest of the names and sizes of some files, and of the bytes of those that hold the eye movements."""
    digest = blake2b(digest_size=8)
    for file in sorted(set(files)):
        digest.update(f"{_below(file, root)}:{file.stat().st_size};".encode())
    for file in sorted(set(annotations)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _below(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name


def one_path_each(paths: Iterable[tuple[str, Scanpath]], where: str) -> dict[str, Scanpath]:
    """Paths by observer; an observer who comes twice is refused."""
    found: dict[str, Scanpath] = {}
    for who, path in paths:
        if who in found:
            raise Misuse(
                f"{where}: got the observer {who!r} twice; expected one path per observer (a second look is not a "
                "first look); keep the first, or rename the others"
            )
        found[who] = path
    return found
