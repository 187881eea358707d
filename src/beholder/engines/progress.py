"""Who watches a run: a bar in a terminal, a line now and then elsewhere, or nobody."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from beholder.errors import printable

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

EVERY = 10.0  # seconds between two lines in a log
BAR = 18  # columns of the bar
SETTING_UP, LOADING, ANSWERING, SCORING, DRAWING = "setting up", "loading", "answering", "scoring", "drawing"
JUDGING, WRITING = "judging", "writing"  # of the report
REPORT = "the report"


class Course(NamedTuple):
    """How far a whole run is."""

    done: int  # benchmarks
    of: int
    left: float | None  # seconds; None: nothing was measured yet that would tell
    sure: bool  # whether all of that rests on measured costs
    share: float  # of all the work, from 0 to 1


class Leg(NamedTuple):
    """One benchmark of a run, or its report: what is to be done, step by step, in each phase and by whom."""

    title: str
    steps: Mapping[str, Mapping[str, int]]  # by phase, then by entrant; nobody's name where it does not matter


class Watch(Protocol):
    """What a run tells while it works."""

    def begin(
        self, title: str, total: int, done: int, unit: str = "trials", *, phase: str = "", failed: int = 0
    ) -> None:
        """Work on something has begun, of which some may have been done before, and some of that have failed."""

    def step(self, failed: bool, who: str = "", seconds: float = 0.0) -> None:
        """One more of it is done, by somebody who worked so long."""

    def say(self, sentence: str) -> None:
        """Something that the user should know."""


class Silent(AbstractContextManager["Silent"]):
    """Draws nothing; sentences still go to standard error."""

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        """Nothing to close."""

    def begin(
        self, title: str, total: int, done: int, unit: str = "trials", *, phase: str = "", failed: int = 0
    ) -> None:
        """Nothing is shown."""

    def step(self, failed: bool, who: str = "", seconds: float = 0.0) -> None:
        """Nothing is shown."""

    def expect(self, legs: Sequence[Leg], slots: int) -> None:
        """What a whole run will do, on so many workers; nothing is made of it."""

    def follow(self, course: Callable[[], Course]) -> None:
        """What tells how far the whole is; nothing is shown."""

    def say(self, sentence: str) -> None:
        """A line on standard error."""
        print(printable(sentence), file=sys.stderr, flush=True)  # noqa: T201


class Lines(Silent):
    """A line at the beginning and every ten seconds: for logs."""

    def __init__(self) -> None:
        self._title, self._phase, self._total, self._done, self._failed = "", "", 0, 0, 0
        self._said = time.monotonic()
        self._course: Callable[[], Course] | None = None

    def follow(self, course: Callable[[], Course]) -> None:
        """From now on lines say how far the whole is."""
        self._course = course

    def begin(
        self, title: str, total: int, done: int, unit: str = "trials", *, phase: str = "", failed: int = 0
    ) -> None:
        """Say what begins; of the phases around the answers only that they take long."""
        self._title, self._total, self._done, self._failed = title, total, done, failed
        self._phase = "" if phase in ("", ANSWERING) else f" {phase}"
        if self._phase:
            return
        self._said = time.monotonic()
        before = f", {done} of them done before" * bool(done) + f" ({failed} failed)" * bool(failed)
        self.say(f"{title}: {total} {unit}{before}")

    def step(self, failed: bool, who: str = "", seconds: float = 0.0) -> None:
        """Say how far it is, now and then."""
        self._done += 1
        self._failed += failed
        if time.monotonic() - self._said > EVERY:
            self._said = time.monotonic()
            left = f", {left_text(self._course())}" if self._course else ""
            lost = "" if self._phase and not self._failed else f", {self._failed} failed"
            self.say(f"{self._title}:{self._phase} {self._done} of {self._total}{lost}{left}")


class Bar(Silent):
    """One bar for the whole, and below it what is being done: something moves as long as something is done."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        self._spinner = Spinner("dots")
        self._title, self._phase, self._unit = "starting", "", ""
        self._total, self._done, self._before = 0, 0, 0
        self._failed: Counter[str] = Counter()  # of each benchmark
        self._began = self._started = time.monotonic()
        self._course: Callable[[], Course] | None = None
        self._farthest = 0.0
        self._live = Live(
            get_renderable=self._drawn, console=Console(stderr=True), refresh_per_second=5, transient=True
        )

    def __enter__(self) -> Bar:
        self._live.start()
        return self

    def __exit__(self, kind: Any, fault: Any, at: Any) -> None:
        """Take the bar away: what came of it is said below."""
        self._live.stop()

    def follow(self, course: Callable[[], Course]) -> None:
        """From now on the bar is of the whole."""
        self._course, self._farthest = course, 0.0

    def begin(
        self, title: str, total: int, done: int, unit: str = "trials", *, phase: str = "", failed: int = 0
    ) -> None:
        """Something new in the line below the bar."""
        self._title, self._phase, self._unit = printable(title), phase, unit
        self._total, self._done, self._before, self._began = total, done, done, time.monotonic()
        if phase == ANSWERING:  # perhaps once more
            self._failed[self._title] = failed

    def step(self, failed: bool, who: str = "", seconds: float = 0.0) -> None:
        """One further."""
        self._done += 1
        self._failed[self._title] += failed

    def say(self, sentence: str) -> None:
        """A line above the bar."""
        self._live.console.print(printable(sentence), highlight=False, markup=False)

    def _drawn(self) -> Group:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        course = self._course() if self._course else self._alone()
        self._farthest = max(self._farthest, course.share)  # a bar that goes back tells nothing
        head = Table.grid(padding=(0, 1))
        head.add_row(ProgressBar(1.0, min(self._farthest, 0.99), width=BAR), Text(self._counted(course), no_wrap=True))
        body = Table.grid(padding=(0, 1))
        body.add_row(self._spinner, self._doing())
        return Group(head, body)

    def _counted(self, course: Course) -> str:
        elapsed = f"{clock(time.monotonic() - self._started)} so far"
        whole = f"{course.done} of {course.of} benchmarks · " if course.of else ""
        return f"{whole}{left_text(course)} · {elapsed}"

    def _doing(self) -> Text:
        from rich.text import Text

        count = f" {self._done} of {self._total} {self._unit}" if self._total else ""
        text = Text(f"{self._title}: {self._phase or 'working'}{count}", no_wrap=True, overflow="ellipsis")
        failed = self._failed.total()
        return text.append(f" · {failed} failed", style="red") if failed else text

    def _alone(self) -> Course:
        """How far it is where nothing is known of a whole: by the pace of what is being done."""
        done, left = self._done - self._before, max(self._total - self._done, 0)
        pace = (time.monotonic() - self._began) / done if done else None
        share = self._done / self._total if self._total else 0.0
        return Course(0, 0, None if pace is None else pace * left, True, share)


def left_text(course: Course) -> str:
    """How long it will take, and whether that was measured.

    >>> left_text(Course(1, 3, 95, True, 0.4)), left_text(Course(1, 3, 95, False, 0.4))
    ('1:35 left', 'perhaps 1:35 left')
    >>> left_text(Course(0, 3, None, False, 0))
    'time left not known yet'
    """
    if course.left is None:
        return "time left not known yet"
    return f"{'' if course.sure else 'perhaps '}{clock(course.left)} left"


def clock(seconds: float) -> str:
    """A time span as clocks show it.

    >>> clock(7.4), clock(95), clock(7265)
    ('0:07', '1:35', '2:01:05')
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def watch(quiet: bool = False) -> Silent:
    """The watcher that fits: a bar where someone sits, lines where nobody does or nothing can move, or silence."""
    if quiet:
        return Silent()
    moves = sys.stderr.isatty() and os.environ.get("TERM", "") not in ("dumb", "unknown")
    return Bar() if moves else Lines()
