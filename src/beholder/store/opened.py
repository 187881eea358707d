"""The files behind scores: which ones models and datasets open, and whether they have changed since."""

from __future__ import annotations

import contextlib
import functools
import os
import site
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from beholder.errors import listed
from beholder.store.digest import digest, file_digest
from beholder.store.paths import ROOT, cache_folder

LIBRARY = "library "  # before the name of an installed package, which stands for all of its files
SYSTEM = ("/proc/", "/sys/", "/dev/", "/run/", "/etc/", "/lib/", "/lib64/", "/usr/lib/", "/usr/share/")
MAPS = Path("/proc/self/maps")  # what is mapped into memory was opened, though by a library that Python cannot see
SIZES = Path("/proc/self/statm")  # pages of memory; read in a hundredth of the time that MAPS takes, 2 ms
SELDOM = 2.0  # seconds after which, at the latest, MAPS is read though no size has changed


class Stamp(NamedTuple):
    """What tells one state of a file from another."""

    facts: str  # size, times and inode: while they are the same, so are the bytes
    digest: str  # of the bytes; of a library, its version


GONE = Stamp("", "")
PASSING = ("__pycache__",)  # comes and goes in any folder


class _Seen:
    """What models and datasets have opened in this process."""

    watching = 0  # how many models and loaders of samples are running: inside one another, or in threads
    hooked = False
    read: ClassVar[set[str]] = set()
    written: ClassVar[set[str]] = set()


@contextlib.contextmanager
def watch_files() -> Iterator[None]:
    """Note every file that Python opens meanwhile."""
    if not _Seen.hooked:
        _Seen.hooked = True
        sys.addaudithook(_note)  # there is no way to take one off, so that it looks whether anybody is watching
    _Seen.watching += 1
    try:
        yield
    finally:
        _Seen.watching -= 1


def _note(event: str, args: tuple[Any, ...]) -> None:
    if not _Seen.watching or event not in _EVENTS:
        return
    with contextlib.suppress(Exception):  # whatever a model passes as a path: Python itself will refuse it
        _EVENTS[event](args)


def _note_open(args: tuple[Any, ...]) -> None:
    path, flags = args[0], args[2]
    if isinstance(path, str | bytes | os.PathLike):
        (_Seen.written if flags & _WRITING else _Seen.read).add(_absolute(os.fsdecode(path)))


def _note_listing(args: tuple[Any, ...]) -> None:
    """A model may take the newest of some files; we ourselves, and what looks for modules, list folders too."""
    if not _asker().startswith(("<frozen importlib", str(ROOT))):
        _Seen.read.add(f"{_absolute(os.fsdecode(args[0] or '.'))}/")


def _asker() -> str:
    """The file of the code that has asked for something, through whatever Python's own library did for it."""
    frame = sys._getframe(3)
    while frame.f_back and frame.f_code.co_filename.startswith((_STDLIB, "<frozen os", "<frozen posixpath")):
        frame = frame.f_back
    return frame.f_code.co_filename


def _note_move(args: tuple[Any, ...]) -> None:
    _Seen.written.add(_absolute(os.fsdecode(args[1])))


def _note_program(args: tuple[Any, ...]) -> None:
    """The files that a program is started with; what it opens itself cannot be seen."""
    words = [args[1]] if isinstance(args[1], str | bytes) else args[1]
    files = [_absolute(os.fsdecode(word)) for word in words]
    _Seen.read.update(file for file in files if Path(file).is_file())


_STDLIB = sysconfig.get_path("stdlib")
_WRITING = os.O_WRONLY | os.O_TRUNC | os.O_CREAT | os.O_APPEND  # what is opened to be read and changed, is read
_EVENTS: dict[str, Callable[[tuple[Any, ...]], None]] = {
    "open": _note_open,
    "os.listdir": _note_listing,
    "os.scandir": _note_listing,
    "os.rename": _note_move,
    "sqlite3.connect": lambda args: _Seen.read.add(_absolute(os.fsdecode(args[0]))),
    "subprocess.Popen": _note_program,
}


def list_opened() -> tuple[set[str], set[str]]:
    """The files that this process has read, modules among them, and those that it has written itself."""
    return _Seen.read | _modules() | _mapped(), set(_Seen.written)


def _modules() -> set[str]:
    """The files of all modules; looked through when one was imported since the last time."""
    last = next(reversed(sys.modules))
    return _files_of_modules(len(sys.modules), last, id(sys.modules.get(last)))


@functools.lru_cache(maxsize=1)
def _files_of_modules(*_imported: object) -> set[str]:
    every = list(sys.modules.values())
    return {file for module in every if isinstance(file := getattr(module, "__file__", None), str)}


def name_opened(paths: Iterable[Any]) -> set[str]:
    """What of the files that were read scores depend on: files, and `library NAME` for installed ones."""
    ours = _folders(str(ROOT), str(cache_folder()))
    others = (path for path in paths if isinstance(path, str) and not path.startswith(ours))
    return {name for path in others if (name := _name(path))} - _Seen.written


def _mapped() -> set[str]:
    """Files that are mapped into memory to be read, as large weights are; looked for when its size has changed."""
    try:
        return _paths_in_maps(*SIZES.read_text().split()[:3:2], time.monotonic() // SELDOM)  # all pages, those of files
    except OSError:
        return set()


@functools.lru_cache(maxsize=1)
def _paths_in_maps(*_changing: object) -> set[str]:
    """The files in the table of maps, but for those that are shared to be written."""
    lines = (line.partition(" /") for line in MAPS.read_text("utf-8", "replace").splitlines())
    return {f"/{path}" for access, _, path in lines if path and " rw-s " not in access}


def _folders(*places: str | None) -> tuple[str, ...]:
    """Folders as beginnings of paths, links followed and not."""
    known = [place for place in places if place]
    return tuple({f"{path}/" for place in known for path in (Path(place).absolute(), Path(place).resolve())})


_SITES = _folders(
    *(sysconfig.get_path(kind) for kind in ("purelib", "platlib")),
    *site.getsitepackages(),
    site.getusersitepackages(),
)
_PYTHON = _folders(
    sysconfig.get_path("stdlib"),
    *(f"{root}/{place}" for root in (sys.prefix, sys.base_prefix) for place in ("lib", "bin")),
)


def _name(path: str) -> str:
    """What a file is called among those that a model depends on; nothing for Python's own and the system's."""
    if "/__pycache__/" in path or path.startswith(SYSTEM):
        return ""
    place = next((place for place in _SITES if path.startswith(place)), None)
    if place:
        top = path[len(place) :].partition("/")[0]
        hidden = not top or top.startswith(("_", ".")) or top.endswith("-info")
        return "" if hidden else LIBRARY + top.partition(".")[0]
    return "" if path.startswith(_PYTHON) else path if path.endswith("/") else _absolute(path)


def _absolute(path: str) -> str:
    """The whole path; a name that is no Unicode text is spelt out, for the ledger holds texts: it is not watched."""
    return str(Path(path).absolute()).encode("utf-8", "backslashreplace").decode()


def stamp(name: str, known: Stamp | None = None) -> Stamp:
    """The present state of a file, a folder's listing or a library, with no digest where it is not there.

    Bytes are read only if `known` may be outdated. A folder ends in a slash; which names are in it is what counts.
    """
    if name.startswith(LIBRARY):
        return Stamp("", _version(name.removeprefix(LIBRARY)))
    try:
        file = Path(name)
        if name.endswith("/"):
            return Stamp("", digest(sorted(one.name for one in file.iterdir() if one.name not in PASSING)))
        facts = file.stat()
        told = f"{facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns} {facts.st_ino}"
        if known and known.facts == told:
            return known
        return Stamp(told, file_digest(file)) if file.is_file() else GONE
    except OSError:
        return GONE


def _version(package: str) -> str:
    """The version of an installed package, by its own name or that of the distribution that brings it."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(package)
    return ", ".join(metadata.version(name) for name in _distributions().get(package, ()))


@functools.cache
def _distributions() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


def passing(name: str, since: float) -> bool:
    """Whether a file is one of those that come and go: in the folder for temporary ones, and younger than the run."""
    with contextlib.suppress(OSError):
        return name.startswith(tempfile.gettempdir()) and Path(name).stat().st_mtime > since
    return False


def list_changed(known: Mapping[str, Stamp]) -> dict[str, str]:
    """Of the files that a run depends on, those that differ now: what each of them is now, or nothing."""
    now = {name: stamp(name, was).digest for name, was in known.items()}
    return {name: state for name, state in now.items() if state != known[name].digest}


def name_files(files: Iterable[str]) -> str:
    """The first few of some files, as one would call them from here.

    >>> name_files(["library torch", "/weights/"])
    '/weights/, library torch'
    """
    return listed((_short(name) for name in sorted(files)), most=3)


def tell_changed(files: Mapping[str, str]) -> str:
    """What has happened to files that have changed.

    >>> tell_changed({"/w.npz": "1f", "/v.npz": ""}), tell_changed({"library torch": "2.1"})
    ('/v.npz is gone, /w.npz has changed', 'library torch has changed')
    """
    said = (f"{_short(name)} {'has changed' if state else 'is gone'}" for name, state in sorted(files.items()))
    return listed(said, most=3)


def _short(name: str) -> str:
    near = name if name.startswith(LIBRARY) else os.path.relpath(name) + "/" * name.endswith("/")
    return name if near.startswith("..") else near
