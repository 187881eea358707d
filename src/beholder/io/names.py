"""Files as people give them: the words in their names, what stands at a path, and all files below a folder."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path

IMAGES = (".png", ".jpg", ".jpeg", ".ppm", ".pgm", ".bmp", ".tif", ".tiff", ".webp")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DEEP = 6  # folders below the given one that are looked into


def words(text: str) -> tuple[str, ...]:
    """The words and numbers of a name, in lower case; a capital begins a word.

    >>> words("Frame_0010"), words("imL"), words("seq 3-leftImg2")
    (('frame', '0010'), ('im', 'l'), ('seq', '3', 'left', 'img', '2'))
    """
    return tuple(word.lower() for word in _WORD.findall(text))


def special(path: Path | str) -> str:
    """What stands at a path, if it is neither a file nor a folder: reading it may never end, and replacing it harms."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):  # nothing is there, or it cannot be seen
        return ""
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return ""
    return "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"


def files_below(folder: Path, *, deep: int = _DEEP) -> Iterator[Path]:
    """Every file in a folder and in those below it, sorted; what begins with a dot or is no file is left out."""
    for one in sorted(folder.iterdir()):
        if one.name.startswith(".") or (one.is_dir() and not deep):
            continue
        if one.is_dir():
            yield from files_below(one, deep=deep - 1)
        elif not special(one):
            yield one
