"""A bar in notebooks: a line of HTML that is written anew in its place. It needs no widgets, and no script."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from html import escape
from typing import Any

from beholder.engines.progress import ANSWERING, Bar, Silent, Watch
from beholder.errors import printable

OFTEN = 0.2  # seconds between two drawings: each is a message to the browser
LONG = "max-width:44em;font:13px/1.5 system-ui,sans-serif"


class NotebookBar(Silent):
    """A bar with counts and the time left, and sentences below it."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._title, self._phase, self._unit = "", "", "trials"
        self._total, self._done, self._failed = 0, 0, 0
        self._before = 0  # done before this began, which took no time
        self._asked = 0, "trials"
        self._opened = self._began = self._drawn = 0.0
        self._said: list[str] = []

    def begin(
        self, title: str, total: int, done: int, unit: str = "trials", *, phase: str = "", failed: int = 0
    ) -> None:
        """Another phase of the same, in the same bar; or something else, in a new bar below."""
        if title != self._title:
            self._finish()
            self._title, self._failed, self._said, self._opened = title, 0, [], time.monotonic()
        self._phase, self._unit, self._total, self._done = phase, unit, total, done
        self._before, self._began = done, time.monotonic()
        if phase in ("", ANSWERING):
            self._asked, self._failed = (total, unit), failed
        self._draw()

    def step(self, failed: bool, who: str = "", seconds: float = 0.0) -> None:
        """One further."""
        self._done += 1
        self._failed += failed
        if self._done >= self._total or time.monotonic() - self._drawn > OFTEN:
            self._draw()

    def say(self, sentence: str) -> None:
        """A line below the bar; before there is one, on standard error."""
        if self._handle is None:
            super().say(sentence)
            return
        self._said.append(printable(sentence))
        self._draw()

    def __exit__(self, kind: Any, fault: Any, at: Any) -> None:
        """Say what was done; after a fault, leave the bar as it is."""
        if kind is None:
            self._finish()

    def _finish(self) -> None:
        """Say of the whole what was asked, and how long it took."""
        if self._handle is not None:
            self._phase, self._began = "", self._opened
            self._total, self._unit = self._asked
            self._done = self._total
            self._draw()
            self._handle = None

    def _draw(self) -> None:
        """Show the bar, or show it anew."""
        from IPython.display import display

        self._drawn = time.monotonic()
        bundle = {"text/html": self.html(), "text/plain": self.text()}
        if self._handle is None:
            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)

    def text(self) -> str:
        """The bar in words."""
        failed = f", {self._failed} failed" if self._failed else ""
        doing = f"{self._phase} " if self._phase else ""
        return f"{printable(self._title)}: {doing}{self._done} of {self._total} {self._unit}{failed}, {self._time()}"

    def html(self) -> str:
        """The bar; its colours are those of the page, light or dark."""
        share = 100 * self._done / self._total if self._total else 100
        bar = f'<div style="height:6px;border-radius:3px;background:#0b6fb0;width:{share:.1f}%"></div>'
        said = "".join(f"<div>{escape(one)}</div>" for one in self._said)
        return (
            f'<div style="{LONG}" role="progressbar" aria-valuemin="0" aria-valuemax="{self._total}" '
            f'aria-valuenow="{self._done}" aria-label="{escape(printable(self._title))}">{escape(self.text())}'
            f'<div style="border-radius:3px;background:rgba(128,128,128,.25)">{bar}</div>{said}</div>'
        )

    def _time(self) -> str:
        """How long it took, or how long it will take by the pace so far."""
        spent, made = time.monotonic() - self._began, self._done - self._before
        if self._done >= self._total:
            return f"{spent:.0f} s"
        return f"{spent / made * (self._total - self._done):.0f} s left" if made else "starting"


def here() -> Silent:
    """The watcher that fits a caller of Python: a bar in a notebook or an interactive shell, nothing in a script."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(shell, "kernel"):
        return NotebookBar()
    return Bar() if hasattr(sys, "ps1") and sys.stderr.isatty() else Silent()


@contextlib.contextmanager
def watching(given: Watch | None) -> Iterator[Watch]:
    """The watcher that the caller gave, who closes it; or one of our own."""
    if given is not None:
        yield given
        return
    with here() as own:
        yield own
