"""Where things lie: the package itself, the user's cache, and file names that are safe for any model or sample."""

from __future__ import annotations

import functools
import os
import re
from hashlib import blake2b
from pathlib import Path

from beholder.errors import Misuse
from beholder.io.remote import at_url

ROOT = Path(__file__).parents[1]  # of the package
FETCHED = ".fetched.json"  # in the folder of a dataset that was fetched by name: what it is, and that it is whole


def cache_folder() -> Path:
    """The cache: BEHOLDER_CACHE, else the user's cache folder. Of one at a URL, what this machine has used of it."""
    return _cache_folder(os.environ.get("BEHOLDER_CACHE"))


@functools.cache
def _cache_folder(chosen: str | None) -> Path:
    import platformdirs

    if chosen and re.match(r"[\w+.-]{2,}:(?!//)", chosen):
        raise Misuse(
            f"got BEHOLDER_CACHE={chosen}; expected a folder, or a URL such as s3://lab/cache, with two slashes"
        )
    ours = platformdirs.user_cache_dir("beholder")
    if chosen and at_url(chosen):
        return Path(ours, "at_url", distinct_slug(chosen))
    return Path(chosen or ours).expanduser()


def data_folder() -> Path:
    """Where datasets that were fetched by name lie: BEHOLDER_DATA, else the user's data folder."""
    import platformdirs

    chosen = os.environ.get("BEHOLDER_DATA")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("beholder"), "datasets")


def spare_keys(cache: Path) -> Path:
    """Where the keys that a cache has had lie a second time: not in the cache, which anybody may delete."""
    import platformdirs

    return Path(platformdirs.user_data_dir("beholder"), "keys", distinct_slug(str(cache.resolve())))


def fetched(name: str) -> Path | None:
    """Where a dataset lies that was fetched by name; nothing where it was not."""
    place = data_folder() / name
    return place if (place / FETCHED).is_file() else None


def inside(folder: Path, name: str) -> Path | None:
    """A file that a record names, if it lies in this folder, links followed: records are anybody's.

    >>> inside(Path("run"), "figures/a.webp"), inside(Path("run"), "../secret"), inside(Path("run"), "/etc/passwd")
    (PosixPath('run/figures/a.webp'), None, None)
    """
    file = folder / name
    return file if file.resolve().is_relative_to(folder.resolve()) else None


def answer_path(folder: Path, model: str, id: str, suffix: str) -> Path:
    """Where a kept answer lies: model/id, each part made safe as a file name."""
    parts = [part for part in (distinct_slug(model), *(distinct_slug(p) for p in id.split("/"))) if part]
    return folder.joinpath(*parts[:-1], f"{parts[-1]}{suffix}")


def sketch_suffix(suffix: str) -> str:
    """The suffix of an answer of which no more is kept than pictures show: it must not pass for the whole.

    >>> sketch_suffix(".npz")
    '.drawn.npz'
    """
    return f".drawn{suffix}"


def slug(name: str) -> str:
    """A name as a file name.

    >>> slug("sgbm(mode='hh')"), slug("..")
    ('sgbm(mode=_hh_)', '__')
    """
    return re.sub(r"^\.+", lambda dots: "_" * len(dots[0]), re.sub(r"[^\w.()=,+-]", "_", name))


def distinct_slug(name: str) -> str:
    """A name as a file name that no other name has.

    >>> distinct_slug("block"), distinct_slug("my k") == distinct_slug("my_k")
    ('block', False)
    """
    safe = slug(name)[:80]
    return safe if safe == name else f"{safe}-{blake2b(os.fsencode(name), digest_size=3).hexdigest()}"
