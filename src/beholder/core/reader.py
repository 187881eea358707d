"""One answer, read: each readout is computed once per sample, each confinement once, and what is slow is cached."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any

from beholder.core.benchmark import Criterion
from beholder.core.failures import as_result
from beholder.core.measure import Measure, Readout, Result, as_is, card, result
from beholder.core.model_code import Process, name_ours
from beholder.io.pickles import pickled
from beholder.store.cache import Cache, cached
from beholder.store.digest import digest, package
from beholder.store.seal import MISSING

Key = tuple[Readout, str, str]  # a readout, a criterion's name, and who is held out

SMALL = 64 * 1024  # bytes that a pooled measure may keep of one sample


class Reader:
    """One answer: each readout is computed once, each confinement once, whoever asks.

    `question` is what readouts are kept by, where they follow from the question alone: once they are known, a large
    answer need neither be kept nor be asked for again.
    """

    def __init__(self, stimulus: Any, seen: str, question: str = "") -> None:
        self.stimulus = stimulus
        self.seen = seen
        self.question = question
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

    def recall(self, several: Collection[Readout]) -> bool:
        """Whether all that will be read is in the cache: then the answer is not needed."""
        return bool(self.question and several) and all(self._recall(reads) for reads in several)

    def _recall(self, reads: Readout) -> bool:
        found = Cache().get(self._readout_key(reads)) if is_kept(reads) else MISSING
        if found is not MISSING:
            self._read[reads] = found
        return found is not MISSING

    def remember(self, besides: Sequence[Readout] = ()) -> None:
        """Keep what was read, where that is small, for whoever will ask the same question; some is read for them.

        Not where a model that is not ours was ever opened: it may have changed what readouts compute with.
        """
        if Process.foreign or self.fault or not self.question:
            return
        for reads in besides:
            with contextlib.suppress(Exception):  # whoever needs it will see the fault
                self.read(reads)
        for reads, value in self._read.items():
            if is_kept(reads) and not isinstance(value, Exception) and len(pickled(value)) <= SMALL:
                Cache().put(self._readout_key(reads), value)

    def _answer_key(self, reads: Readout) -> str:
        return digest("readout", package(), name_ours(reads), self._answered, self.seen)

    def _readout_key(self, reads: Readout) -> str:
        return digest("reading", package(), name_ours(reads), self.question, self.seen)

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
                observed, confined = criterion.select(self.read(key[0]), reference)
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

    @functools.cached_property
    def _answered(self) -> str:
        return digest(self.answer)

    def read(self, reads: Readout) -> Any:
        """What a readout makes of the answer; a fault is raised again."""
        if reads not in self._read:
            ask = functools.partial(reads, self.answer, self.stimulus)
            try:
                self._read[reads] = (
                    cached(self._answer_key(reads), ask) if is_kept(reads) and not Process.foreign else ask()
                )
            except Exception as fault:  # noqa: BLE001  (kept, and raised for every measure that asks)
                self._read[reads] = fault
        if isinstance(self._read[reads], Exception):
            raise self._read[reads]
        return self._read[reads]


def is_kept(reads: Readout) -> bool:
    """Whether a readout may be kept in the cache: not one that is quicker than a look there."""
    return bool(name_ours(reads)) and reads is not as_is and not getattr(reads, "quick", False)


def refuse_large(pair: tuple[Any, Any]) -> None:
    """Refuse a pair that is too large to be pooled."""
    size = len(pickled(pair))
    if size > SMALL:
        raise ValueError(
            f"got {size // 1024} kB to pool for one sample; expected at most 64 kB: pool a smaller readout"
        )
