"""How much memory a worker and what it has started hold, and when that is too much."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable

from beholder.errors import Misuse
from beholder.io import memory
from beholder.io.programs import descendants
from beholder.io.sizes import parse_size, say_size

TICK = 0.1  # seconds between two looks: what takes 1 GB/s is seen 0.1 GB beyond its limit
SCAN = 100  # looking for children may take 1/100 of the time: all of /proc must be read
SCARCE = 0.02  # share of the machine's memory below which the largest worker is ended, before Linux ends just anybody
LARGE = 0.125  # share of the machine's memory below which a worker is not to blame for that
LEAST = 200_000_000  # bytes: a worker with NumPy and SciPy loaded holds about 120 MB


def parse_limit(text: str) -> int:
    """The bytes that a worker may hold; what no worker can do with is refused.

    >>> parse_limit("4")
    Traceback (most recent call last):
    beholder.errors.Misuse: got a memory limit of 4 B; expected 200 MB or more, such as 4GB: an idle worker needs that
    """
    limit = parse_size(text)
    if limit < LEAST:
        raise Misuse(
            f"got a memory limit of {say_size(limit)}; expected {say_size(LEAST)} or more, such as 4GB: "
            "an idle worker needs that"
        )
    return limit


class MemoryWatch:
    """Looks at the memory of one process and what it has started.

    They may hold `limit` bytes; without a limit all that there is, unless nothing is left and no peer holds more. No
    rlimit does this: it would count what is only mapped, which is many times what numba and torch ever touch.
    """

    def __init__(self, pid: int, limit: int | None = None, peers: Callable[[], Iterable[int]] = tuple) -> None:
        self._pid, self._limit, self._peers = pid, limit, peers
        self.held, self._most, self._family = 0, 0, list[int]()
        self._looked = self._scanned = -math.inf
        self._pause = 1.0  # seconds between two looks for children

    @property
    def large(self) -> bool:
        """Whether it held a good part of the machine's memory when it was last looked at."""
        return self.held > LARGE * memory.total()

    def outgrown(self) -> str:
        """Why the worker must end, if it holds too much; looks at most ten times a second."""
        if time.monotonic() - self._looked < TICK:
            return ""
        self._looked, self.held = time.monotonic(), memory.held(self._members())
        self._most = max(self._most, self.held)
        return self._starved() if self._limit is None else self._beyond(self._limit)

    def _beyond(self, limit: int) -> str:
        if self.held <= limit or memory.held_apart(self._members()) <= limit:
            return ""
        return f"the worker process used more than {say_size(limit)} of memory (--memory)"

    def _starved(self) -> str:
        left = memory.left()
        if left >= SCARCE * memory.total() or not self.large or self.held < max(self._peers(), default=0):
            return ""
        return f"the worker process used {say_size(self.held)} of memory when only {say_size(left)} were left"

    def _members(self) -> list[int]:
        """The process and what it has started."""
        if time.monotonic() - self._scanned > self._pause:
            self._scanned = time.monotonic()
            self._family = list(descendants(self._pid))
            self._pause = max(1.0, SCAN * (time.monotonic() - self._scanned))
        return [self._pid, *self._family]

    def most(self, *, forget: bool = False) -> int:
        """The most bytes that were held; from now on, where that is to be forgotten."""
        found = max(self._most, memory.peak(self._pid))
        if forget:
            self._most = 0
            memory.forget_peak(self._pid)
        return found
