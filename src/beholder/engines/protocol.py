"""What an engine is: a place where tasks run. A new engine is one file, and is found by its path."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


class Died(RuntimeError):
    """The worker's process ended in the middle of a task."""


class Late(RuntimeError):
    """The task took longer than it may; its worker was killed."""


class Outgrown(RuntimeError):
    """The worker held more memory than it may; it was killed."""


class Parcel(Protocol):
    """Bytes that tasks can read wherever they run; equal parcels hold equal bytes."""

    def __hash__(self) -> int: ...

    def read(self) -> bytes:
        """The bytes."""


@dataclass(frozen=True)
class InFile:
    """A parcel on a disk that all workers see."""

    path: Path

    def read(self) -> bytes:
        """The bytes of the file."""
        return self.path.read_bytes()


@dataclass(frozen=True)
class InHand:
    """A parcel that travels with every task."""

    data: bytes

    def read(self) -> bytes:
        """The bytes."""
        return self.data


class Engine(Protocol):
    """Where tasks run.

    What befalls a task is in its future: `Died`, `Late` or `Outgrown` where its worker was lost, which costs exactly
    this task. Engines are made by a function of their file's name, `make(jobs, timeout=seconds or None)`; those that
    can watch the memory of their workers take `memory=bytes or None`, too.
    """

    @property
    def slots(self) -> int:
        """How many tasks run at once."""

    @property
    def remote(self) -> bool:
        """Whether tasks run in other processes, so that functions and arguments must be picklable."""

    def share(self, data: bytes) -> Parcel:
        """Make bytes available to all tasks."""

    def submit(
        self, task: Callable[..., Any], /, *args: Any, prepare: Callable[..., None] | None = None
    ) -> Future[Any]:
        """Queue a task. `prepare` gets the same arguments before it, in the same worker, and has time of its own."""

    def close(self, *, now: bool = False) -> None:
        """End all workers: when what was submitted is done, or at once."""


def prepare_and_do(prepare: Callable[..., None], task: Callable[..., Any], *args: Any) -> Any:
    """A task after its preparation, for engines that do not time them apart."""
    prepare(*args)
    return task(*args)
