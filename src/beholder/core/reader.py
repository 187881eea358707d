"""One answer, read: each readout is computed once per sample, each confinement once, and what is slow is cached."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from beholder.core.benchmark import Criterion
from beholder.core.failures import as_result
from beholder.core.measure import Measure, Readout, Result, card, result
from beholder.io.pickles import pickled
from beholder.store.cache import cached
from beholder.store.digest import digest, package

Key = tuple[Readout, str, str]  # a readout, a criterion's name, and who is held out

SMALL = 64 * 1024  # bytes that a pooled measure may keep of one sample


class Reader:
    """One answer: each readout is computed once, each confinement once, whoever asks."""

    def __init__(self, stimulus: Any, seen: str) -> None:
        self.stimulus = stimulus
        self.seen = seen
        self.answer: Any = None
        self.fault: Result | None = None
        self._read: dict[Readout, Any] = {}
        self._confined: dict[Key, tuple[Any, Any] | Exception] = {}
        self._weighed: set[Key] = set()

    def value(self, measure: Measure, criterion: Criterion, who: str, reference: Any) -> Any:
        """A `Result`, or for a pooled measure the pair to be kept."""
        if self.fault:
            return self.fault
        its = card(measure)
        try:
            key = (its.reads, criterion.name, who)
            pair = self._pair(key, criterion, reference)
            if isinstance(pair, Exception):
                return as_result(pair, f"{its.label}: ")
            return result(measure(*pair)) if its.per == "sample" else self._small(key, pair)
        except (Exception, SystemExit) as fault:  # noqa: BLE001  (a failure is a row)
            return as_result(fault, f"{its.label}: ")

    def split(self, by: Callable[[Any], Sequence[Any]]) -> list[Reader]:
        """A reader of each answer in this one; this one itself where there is a fault, or only one."""
        several = [] if self.fault else by(self.answer)
        if len(several) < 2:
            return [self]
        found = [Reader(self.stimulus, self.seen) for _ in several]
        for one, answer in zip(found, several, strict=True):
            one.answer = answer
        return found

    def _pair(self, key: Key, criterion: Criterion, reference: Any) -> tuple[Any, Any] | Exception:
        """What a measure compares, or why there is nothing: kept, and told to every measure that asks."""
        if key not in self._confined:
            try:
                observed, confined = criterion.select(self._readout(key[0]), reference)
                self._confined[key] = (observed, confined)
            except Exception as fault:  # noqa: BLE001  (a failure is a row)
                self._confined[key] = fault
        return self._confined[key]

    def _small(self, key: Key, pair: tuple[Any, Any]) -> tuple[Any, Any]:
        """The pair; it is weighed once, however many measures pool it."""
        if key not in self._weighed:
            refuse_large(pair)
            self._weighed.add(key)
        return pair

    def _readout(self, reads: Readout) -> Any:
        if reads not in self._read:
            ask = functools.partial(reads, self.answer, self.stimulus)
            where = f"{getattr(reads, '__module__', '')}.{getattr(reads, '__qualname__', '')}"
            try:
                timed = where.startswith("beholder.") and "as_is" not in where and not getattr(reads, "quick", False)
                self._read[reads] = _cached_readout(where, self.answer, self.seen, ask) if timed else ask()
            except Exception as fault:  # noqa: BLE001  (kept, and raised for every measure that asks)
                self._read[reads] = fault
        if isinstance(self._read[reads], Exception):
            raise self._read[reads]
        return self._read[reads]


def _cached_readout(where: str, answer: Any, seen: str, ask: Callable[[], Any]) -> Any:
    return cached(digest("readout", package(), where, answer, seen), ask)


def refuse_large(pair: tuple[Any, Any]) -> None:
    """Refuse a pair that is too large to be pooled."""
    size = len(pickled(pair))
    if size > SMALL:
        raise ValueError(
            f"got {size // 1024} kB to pool for one sample; expected at most 64 kB: pool a smaller readout"
        )
