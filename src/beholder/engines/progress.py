"""Who watches a run: a bar in a terminal, a line now and then elsewhere, or nobody."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Protocol

from beholder.errors import printable


class Watch(Protocol):
    """What a run tells while it works."""

    def begin(self, title: str, total: int, done: int, unit: str = "trials") -> None:
        """Work on something has begun, of which some may have been done before."""

    def step(self, failed: bool) -> None:
        """One more model has been put to one more sample."""

    def say(self, sentence: str) -> None:
        """Something that the user should know."""


class Silent(AbstractContextManager["Silent"]):
    """Draws nothing; sentences still go to standard error."""

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        """Nothing to close."""

    def begin(self, title: str, total: int, done: int, unit: str = "trials") -> None:
        """Nothing is shown."""

    def step(self, failed: bool) -> None:
        """Nothing is shown."""

    def say(self, sentence: str) -> None:
        """A line on standard error."""
        print(printable(sentence), file=sys.stderr, flush=True)  # noqa: T201


class Lines(Silent):
    """A line at the beginning and every ten seconds: for logs."""

    def __init__(self) -> None:
        self._title, self._total, self._done, self._failed, self._said = "", 0, 0, 0, 0.0

    def begin(self, title: str, total: int, done: int, unit: str = "trials") -> None:
        """Say what begins."""
        self._title, self._total, self._done, self._failed, self._said = title, total, done, 0, time.monotonic()
        before = f", {done} of them done before" if done else ""
        self.say(f"{title}: {total} {unit}{before}")

    def step(self, failed: bool) -> None:
        """Say how far it is, now and then."""
        self._done += 1
        self._failed += failed
        if time.monotonic() - self._said > 10:
            self._said = time.monotonic()
            self.say(f"{self._title}: {self._done} of {self._total}, {self._failed} failed")


class Bar(Silent):
    """A bar with the time left."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("[red]{task.fields[failed]}"),
            console=Console(stderr=True),
        )
        self._failed = 0

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, kind: Any, fault: Any, at: Any) -> None:
        """Leave the bar as it is."""
        self._progress.stop()

    def begin(self, title: str, total: int, done: int, unit: str = "trials") -> None:
        """A new bar."""
        self._failed = 0
        self._task = self._progress.add_task(printable(title), total=total, completed=done, failed="")

    def step(self, failed: bool) -> None:
        """One further."""
        self._failed += failed
        self._progress.update(self._task, advance=1, failed=f"{self._failed} failed" if self._failed else "")

    def say(self, sentence: str) -> None:
        """A line above the bar."""
        self._progress.console.print(printable(sentence), highlight=False, markup=False)


def watch(quiet: bool = False) -> Silent:
    """The watcher that fits: a bar where someone sits, lines where nobody does, nothing when quiet."""
    return Silent() if quiet else Bar() if sys.stderr.isatty() else Lines()
