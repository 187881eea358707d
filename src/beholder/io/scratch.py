"""Folders for a moment: gone when their process is done with them, and when it was killed, at the next start."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import shutil
import stat
import tempfile
from pathlib import Path

PREFIX = "beholder-scratch-"
OWNER = ".owner"  # locked as long as the process lives, whatever ends it; a number could be another's by now


class Scratch(tempfile.TemporaryDirectory[str]):
    """A folder among the temporary files, for this user only."""

    def __init__(self) -> None:
        sweep()
        super().__init__(prefix=PREFIX, ignore_cleanup_errors=True)
        self._owner = _claim(Path(self.name))

    def cleanup(self) -> None:
        """Remove the folder."""
        super().cleanup()
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None


def _claim(folder: Path) -> int | None:
    """The lock of a folder, taken before its name can be seen; None where files cannot be locked."""
    draft = folder / f"{OWNER}-draft"
    lock = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # the folder stays after a kill
        os.close(lock)
        return None
    draft.rename(folder / OWNER)
    return lock


@functools.cache
def sweep() -> None:
    """Remove the folders of this user's processes that were killed: once in each process."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # it is being made, its owner lives, or it is gone by now
            facts = folder.lstat()
            if stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid():
                _remove(folder)


def _remove(folder: Path) -> None:
    lock = os.open(folder / OWNER, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():  # something is still written there: the next start shall find it
            (folder / OWNER).touch()
    finally:
        os.close(lock)
