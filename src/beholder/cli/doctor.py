"""`beholder doctor`: is everything there that Beholder needs, and what is to be installed for what."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import textwrap
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from beholder.engines.local import cores
from beholder.errors import listed
from beholder.extras import EXTRAS
from beholder.io.memory import left

NEEDED = {  # packages without which nothing runs, and what they are imported as
    "numpy": "numpy",
    "scipy": "scipy",
    "pandas": "pandas",
    "matplotlib": "matplotlib",
    "numba": "numba",
    "opencv-contrib-python-headless": "cv2",
    "scikit-image": "skimage",
    "pillow": "PIL",
    "av": "av",
    "typer": "typer",
    "rich": "rich",
}
LEAST = 2 * 1024**3  # bytes of memory per worker below which large pictures may not fit
ROOM = 1024**3  # bytes of disk that a bare run with its cache may take
MARKS = {"fine": "ok", "missing": "--", "broken": "!!"}  # missing: Beholder does without it


class Finding(NamedTuple):
    """One thing that was looked at."""

    subject: str
    state: str  # fine, missing (it can be done without) or broken
    says: str


def examine() -> list[Finding]:
    """Everything that was looked at; nothing is changed, and nothing of the user's is imported."""
    return [*_versions(), *_extras(), *_machine(), *_media(), *_folders(), *_data()]


def told(found: list[Finding]) -> str:
    """The findings as lines, and what they come to."""
    wide = max(len(one.subject) for one in found)
    room = max(shutil.get_terminal_size().columns, 2 * wide + 40)
    indent = " " * (wide + 6)
    lines = [
        textwrap.fill(
            f"{MARKS[one.state]}  {one.subject:<{wide}}  {one.says}",
            room,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for one in found
    ]
    broken = [one.subject for one in found if one.state == "broken"]
    end = f"Broken: {', '.join(broken)}." if broken else "Everything that Beholder needs is there."
    return "\n".join([*lines, end])


def _versions() -> Iterator[Finding]:
    from beholder import __version__

    old = sys.version_info < (3, 11)
    yield Finding("beholder", "fine", f"{__version__}, in {Path(__file__).parents[1]}")
    yield Finding(
        "python", "broken" if old else "fine", f"{platform.python_version()}{', expected 3.11 or newer' * old}"
    )
    gone = [name for name, module in NEEDED.items() if not _there(module)]
    if gone:
        yield Finding("packages", "broken", f"missing: {', '.join(gone)}; pip install {' '.join(gone)}")
    else:
        some = [f"{name} {metadata.version(name)}" for name in ("numpy", "scipy", "pandas", "numba")]
        yield Finding("packages", "fine", ", ".join(some))


def _extras() -> Iterator[Finding]:
    """Each extra: what it is for, and how to install it where it is missing."""
    for name, one in EXTRAS.items():
        state = "missing" if one.missing else "fine"
        yield Finding(f"extra {name}", state, f"{one.use}{f'; {one.install}' if one.missing else ''}")


def _machine() -> Iterator[Finding]:
    memory = left()
    few = 0 < memory < LEAST * cores()
    size = f"{memory / 1024**3:.1f} GB" if memory else "unknown"
    hint = "; with large pictures give --jobs 1" if few else ""
    yield Finding("cores", "fine", f"{cores()}: so many workers by default (--jobs)")
    yield Finding("memory", "fine", f"{size} free{hint}")


def _media() -> Iterator[Finding]:
    player = shutil.which("ffmpeg")
    says = "reads and writes clips (package av)" if _there("av") else "cannot read clips: pip install av"
    yield Finding(
        "clips", "fine" if _there("av") else "broken", f"{says}; ffmpeg {'at hand' if player else 'not needed'}"
    )
    browser = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
    )
    says = browser or "not found; only tests of web pages need it: apt-get install chromium"
    yield Finding("chromium", "fine" if browser else "missing", says)


def _folders() -> Iterator[Finding]:
    """The cache, numba's compiled code, and where runs go: can they be written, and is there room?"""
    from beholder.store.cache import Cache

    store = Cache()
    fine = _writable(store.where)
    size = f"{store.size() / 1024**2:.0f} MB in {len(store.files())} files"
    how = "" if fine else "; cannot be written: runs work, but nothing is remembered; set BEHOLDER_CACHE to a folder"
    yield Finding("cache", "fine" if fine else "missing", f"{store.where}: {size}{how}")
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    numba = Path(chosen) if chosen else Path(__file__).parents[1]
    how = "" if _writable(numba) else ": cannot be written, so each run compiles anew; set NUMBA_CACHE_DIR"
    yield Finding("numba cache", "missing" if how else "fine", f"{numba}{how}")
    runs = Path("runs")
    fine = _writable(runs)
    how = "can be written" if fine else "cannot be written: give --out DIR"
    yield Finding("runs folder", "fine" if fine else "broken", f"{runs.absolute()}: {how}")
    free = shutil.disk_usage(_first_there(runs)).free
    short = free < ROOM
    says = f"{free / 1024**3:.1f} GB free{'; a run of everything takes up to 1 GB' * short}"
    yield Finding("disk", "missing" if short else "fine", says)


def _data() -> Iterator[Finding]:
    """Data at hand: what was fetched by name, and what else lies beside it."""
    from beholder.datasets.record import records
    from beholder.store.paths import data_folder, fetched

    root, known = data_folder(), [one.name for one in records()]
    if root.exists() and not root.is_dir():
        yield Finding("data", "broken", f"{root} is not a folder; set BEHOLDER_DATA to one")
        return
    here = [name for name in known if fetched(name)]
    beside = sorted(path.name for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    others = [name for name in beside if name not in here]
    says = f"{root}: {len(here)} of {len(known)} known datasets fetched{f' ({listed(here)})' if here else ''}"
    more = f"; beside them {listed(others, most=6)}" if others else ""
    yield Finding("data", "fine" if here or others else "missing", f"{says}{more}; beholder data list names all")


def _writable(folder: Path) -> bool:
    """Whether files can be written there, or the folder can be made; nothing is made."""
    return os.access(_first_there(folder), os.W_OK | os.X_OK) and _first_there(folder).is_dir()


def _first_there(folder: Path) -> Path:
    """The folder, or the first one above it that exists."""
    return next(path for path in [folder.absolute(), *folder.absolute().parents] if path.exists())


def _there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
