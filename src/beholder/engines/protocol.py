"""What an engine is: a place where tasks run. A new engine is one file, and is found by its path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from beholder.errors import Misuse


class Died(RuntimeError):
    """The worker's process ended in the middle of a task; `deaths` times where the engine itself has tried again."""

    def __init__(self, said: str, deaths: int = 1) -> None:
        super().__init__(said, deaths)  # both, so that a pickle keeps them
        self.deaths = deaths

    def __str__(self) -> str:
        return str(self.args[0])


class Late(RuntimeError):
    """The task took longer than it may; its worker was killed."""


class Unseen(Misuse):
    """The dataset cannot be read where the worker is, or is another one there."""


class Outgrown(RuntimeError):
    """The worker held more memory than it may; it was killed."""


LOST = (Died, Late, Outgrown)  # what costs a worker


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
    this task; `Misuse` where the engine itself is lost, which ends the run. Engines are made by a function of their
    file's name, `make(jobs, timeout=seconds or None)`; one that takes an `address` is called NAME:ADDRESS, and one that
    can watch the memory of its workers takes `memory=bytes or None`.
    """

    @property
    def slots(self) -> int:
        """How many tasks run at once."""

    @property
    def ahead(self) -> int:
        """How many short tasks more are worth sending, so that no worker waits for its next one."""

    @property
    def remote(self) -> bool:
        """Whether tasks run in other processes, so that functions and arguments must be picklable."""

    @property
    def far(self) -> bool:
        """Whether tasks may run on other machines, which see other files; then it has a method `everywhere`."""

    @property
    def places(self) -> Sequence[Mapping[str, float]]:
        """What each machine or worker has of what models can need: memory in bytes, gpu …; empty: nothing is known."""

    def share(self, data: bytes) -> Parcel:
        """Make bytes available to all tasks that get the parcel as an argument."""

    def submit(
        self,
        task: Callable[..., Any],
        /,
        *args: Any,
        prepare: Callable[..., None] | None = None,
        needs: Mapping[str, float] | None = None,
    ) -> Future[Any]:
        """Queue a task, for a worker that has what it needs.

        `prepare` gets the same arguments before it, in the same worker, and has time of its own.
        """

    def renew(self) -> None:
        """Give the next tasks new processes, where it can: those of before have run anybody's code."""

    def close(self, *, now: bool = False) -> None:
        """End all workers: when what was submitted is done, or at once."""


def prepare_and_do(prepare: Callable[..., None], task: Callable[..., Any], *args: Any) -> Any:
    """A task after its preparation, for engines that do not time them apart."""
    prepare(*args)
    return task(*args)
