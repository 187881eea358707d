"""Files and folders for their owner's eyes only: what people answered, and who they are."""

from __future__ import annotations

import os
from pathlib import Path

from beholder.errors import Misuse, listed
from beholder.io.atomic import whole_file

FILE, FOLDER = 0o600, 0o700


def write_private(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; nobody but its owner reads it."""
    try:
        with whole_file(path) as file:
            os.fchmod(file.fileno(), FILE)
            file.write(content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        if isinstance(fault, Misuse):  # a full disk
            raise
        raise unwritable(path, fault) from fault


def make_folder(path: Path) -> bool:
    """Make a folder that nobody but its owner opens; whether it was made. One that is there stays as it is."""
    if path.is_dir():
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(FOLDER)
        path.chmod(FOLDER)
    except OSError as fault:
        raise unwritable(path, fault) from fault
    return True


def seen_by_others(*files: Path) -> str:
    """A sentence on those of the files that others than their owner may read; nothing where there are none."""
    loose = [str(file) for file in files if file.is_file() and file.stat().st_mode & 0o077]
    return f"other users of this machine can read {listed(loose)}; run chmod 600 {' '.join(loose)}" if loose else ""


def unwritable(path: Path, fault: OSError) -> Misuse:
    """The sentence on a place that cannot be written to."""
    return Misuse(
        f"{path} cannot be written: {fault.strerror or fault}; choose another place, or correct its permissions"
    )
