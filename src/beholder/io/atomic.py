"""Files that appear whole or not at all: a kill or a full disk never leaves half of one."""

from __future__ import annotations

import errno
import glob
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import IO

from beholder.errors import DiskFull, Misuse
from beholder.io.names import special

FULL = (errno.ENOSPC, errno.EDQUOT)


def disk_full(folder: Path) -> DiskFull:
    """The sentence on a folder that takes no more."""
    space = shutil.disk_usage(next(place for place in (folder, *folder.absolute().parents) if place.is_dir()))
    return DiskFull(
        f"no space left for {folder} ({space.free / 1e6:.1f} MB free of {space.total / 1e6:.1f} MB); "
        "free some, and the same command continues where it stopped"
    )


@contextmanager
def whole_file(path: Path | str) -> Iterator[IO[bytes]]:
    """A file to write to, beside its final place, that takes this place at the end; if writing fails, none is left.

    What a link leads to is written, and the link stays. A pipe or a device is refused: a file would take its place.
    """
    target = Path(os.path.realpath(path)) if Path(path).is_symlink() else Path(path)  # told as the user named it
    if kind := special(target):
        raise Misuse(f"{path}: got {kind}; expected a file to write, or a name that is free; choose another")
    draft = target.with_name(f"{_draft(target)}{token_hex(4)}")
    try:
        with draft.open("xb") as file:
            yield file
        draft.replace(target)
    except OSError as fault:
        short = fault.errno is None and "requested and" in str(fault)  # what NumPy says of a disk that took less
        if (fault.errno in FULL or short) and not isinstance(fault, DiskFull):
            raise disk_full(target.parent) from fault
        fault.filename = str(target) if fault.filename == str(draft) else fault.filename
        raise
    finally:
        draft.unlink(missing_ok=True)


def _draft(target: Path) -> str:
    """How the name of a draft begins; eight characters follow."""
    return f".{target.name}."


def list_drafts(target: Path) -> list[Path]:
    """What writers of a file have left behind who were killed. Only where nobody writes it now."""
    return list(target.parent.glob(f"{glob.escape(_draft(target))}{'[0-9a-f]' * 8}"))


def write_whole(path: Path | str, content: str | bytes) -> None:
    """Write a file in one go; what is no text in a text is spelt out (\\xff)."""
    with whole_file(path) as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))
