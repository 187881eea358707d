"""Whether answers can be stored right now: asked of the database itself, and said once in the log when it changes."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

EVERY = 5.0  # seconds for which what was found holds
LOG = logging.getLogger("beholder.study")


class Pulse:
    """The state of a store: a real write, at most once in `EVERY` seconds, however many ask."""

    def __init__(self, write: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._clock = write, clock
        self._well, self._until = True, float("-inf")
        self._asking = threading.Lock()

    def beats(self) -> bool:
        """Whether something can be written; who comes while another one asks is told what was found last."""
        if self._clock() >= self._until and self._asking.acquire(blocking=False):
            try:
                self._write()
            except Exception as fault:  # noqa: BLE001  whatever it is, nothing can be stored
                self.failed(fault)
            else:
                self._is(True, "beholder study: answers are stored again")
            finally:
                self._asking.release()
        return self._well

    def failed(self, fault: Exception) -> None:
        """Somebody's answer could not be stored: all know of it for a while."""
        why = " ".join(str(getattr(fault, "orig", None) or fault).split())[:300]
        self._is(False, f"beholder study: answers cannot be stored: {why}; people are told that the study is paused")

    def _is(self, well: bool, says: str) -> None:
        changed, self._well = well != self._well, well
        self._until = self._clock() + EVERY
        if changed:
            LOG.warning(says) if well else LOG.error(says)
