"""What happens in a Dask worker: it hosts our own supervised processes, and passes tasks and replies on as bytes."""

from __future__ import annotations

import os
import platform
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beholder.engines.local import Local, Step
from beholder.errors import Misuse
from beholder.store.digest import package

IDLE = 60.0  # seconds after which a run's processes in a Dask worker are ended when another run comes
SHELVED = 64  # parcels that a Dask worker keeps as files; what is dropped comes again with the next task
TRIM = "MALLOC_TRIM_THRESHOLD_"  # by which Dask has its workers give back memory at once: thrice the page faults
SHELF = "BEHOLDER_SHELF"  # the variable that tells a hosted worker where its parcels lie


@dataclass(frozen=True)
class OnShelf:
    """A parcel that travels through the cluster, to each Dask worker once, and is read there from a file."""

    token: str
    travelling: Any = field(default=None, compare=False, repr=False)  # Dask's own future: it goes when the parcel does

    def __reduce__(self) -> Any:
        return OnShelf, (self.token,)

    def read(self) -> bytes:
        """The bytes, in a hosted worker."""
        return Path(os.environ[SHELF], self.token).read_bytes()


@dataclass(frozen=True)
class Guest:
    """A run as the Dask workers know it that host its processes."""

    token: str
    code: str  # digest of Beholder: other code may give other numbers
    memory: int | None = None  # bytes that a hosted process may hold


@dataclass
class _Hosted:
    """The processes of one run in this Dask worker."""

    pool: Local
    busy: int = 0
    since: float = field(default_factory=time.monotonic)


_hosted: dict[str, _Hosted] = {}
_shelved: dict[str, None] = {}  # tokens, the least recently used first
_in_use: Counter[str] = Counter()  # how many tasks under way read a parcel
_guard = threading.Lock()


def enter(home: str) -> None:
    """In a hosted process: go where the run was started, if that is there. Specs may name files relative to it."""
    if Path(home).is_dir():
        os.chdir(home)


def host(guest: Guest, steps: Sequence[Step], tokens: Sequence[str], *parcels: bytes) -> bytes:
    """Do a task in a supervised process of this Dask worker; its reply."""
    if guest.code != package():
        raise Misuse(
            f"the Dask worker on {platform.node()} has another version of Beholder, or of a library that numbers "
            "depend on, than this machine; install the same there and start it again"
        )
    with _guard:
        try:
            _shelve(dict(zip(tokens, parcels, strict=True)))
            mine = _hosted_for(guest)
        except (OSError, RuntimeError) as fault:  # a full disk, no room for a thread: the next task would meet it too
            raise Misuse(
                f"the Dask worker on {platform.node()} cannot take tasks ({fault}); mend or stop it: "
                "what was finished is kept, and the same command goes on where it was"
            ) from fault
        mine.busy += 1
        _in_use.update(tokens)
    try:
        reply: bytes = mine.pool.send(steps, bytes).result()
        return reply
    finally:
        with _guard:
            mine.busy, mine.since = mine.busy - 1, time.monotonic()
            _in_use.subtract(tokens)


def _shelve(parcels: Mapping[str, bytes]) -> None:
    """Lay parcels down as files; the least recently used ones go, but for those that a task under way reads."""
    from distributed import get_worker

    shelf = Path(get_worker().local_directory, "beholder")
    shelf.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.environ[SHELF] = str(shelf)
    for token, data in parcels.items():
        if token not in _shelved:
            (shelf / token).write_bytes(data)
        _shelved.pop(token, None)
        _shelved[token] = None
    for token in list(_shelved)[: -SHELVED - len(parcels)]:
        if _in_use[token] > 0:
            continue
        del _shelved[token], _in_use[token]
        (shelf / token).unlink(missing_ok=True)


def _hosted_for(guest: Guest) -> _Hosted:
    """The processes of a run; those of runs that have not been heard of for a while are ended."""
    from distributed import get_worker

    for token, other in list(_hosted.items()):
        if token != guest.token and not other.busy and time.monotonic() - other.since > IDLE:
            _hosted.pop(token).pool.close(now=True)
    if guest.token not in _hosted:
        os.environ.pop(TRIM, None)  # Dask's own process has read it; ours would give every array back to the kernel
        _hosted[guest.token] = _Hosted(Local(get_worker().state.nthreads, memory=guest.memory))
    return _hosted[guest.token]


def dismiss(token: str) -> None:
    """End the processes of a run in this Dask worker."""
    with _guard:
        mine = _hosted.pop(token, None)
    if mine:
        mine.pool.close(now=True)
