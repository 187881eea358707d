"""One entrant on one sample: ask, accept, read out, confine, measure. This is what a worker does; a fault is a row."""

from __future__ import annotations

import functools
import itertools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from beholder.core.benchmark import Benchmark, Criterion
from beholder.core.cite import facts_of
from beholder.core.entrant import Asked, Question
from beholder.core.failures import Refused, as_result, describe_fault
from beholder.core.job import Job
from beholder.core.measure import SETTLED, Measure, NotApplicable, Readout, Result, State, as_is, card
from beholder.core.model_code import Process, model_code, name_ours
from beholder.core.reader import Reader
from beholder.core.sample import STATUSES, worst
from beholder.errors import DiskFull
from beholder.io.atomic import FULL, disk_full
from beholder.stats.samples import mean
from beholder.store.cache import SLOW, cached
from beholder.store.digest import digest


class Cell(NamedTuple):
    """A row without what all rows of an entrant on a sample share."""

    measure: str  # the label of its card
    criterion: str
    repeat: int
    result: Result
    n: int


class Outcome(NamedTuple):
    """Everything that a run keeps of one entrant on one sample."""

    cells: tuple[Cell, ...]
    pooled: Mapping[tuple[str, str], list[tuple[int, str, Any]]]  # (measure, criterion) → (repeat, whom, pair | Result)
    tags: Mapping[str, str] = {}
    status: str = ""
    stimulus: str = ""  # its digest; nothing where the sample could not be loaded
    seconds: float = 0.0
    failure: str = ""


def trial(job: Job, name: str, id: str) -> Outcome:
    """Put one entrant to one sample. Whatever goes wrong is in the outcome; only a full disk is raised."""
    started = time.perf_counter()
    try:
        asked = job.meet(id)
    except Exception as fault:  # noqa: BLE001  (a failure is a row)
        return fail_whole(job.benchmark, "failed", f"the sample could not be loaded: {describe_fault(fault)}")
    results, more = _Results(), 0  # of answers that hold several
    for question in _questions(job, name, asked):
        later = question._replace(repeat=question.repeat + more)
        more += _score_answer(job, name, asked, later, results) - 1
    status = worst([status_of(asked.sample.reference) or job.benchmark.dataset.status, *results.statuses])
    seconds = time.perf_counter() - started
    tags = {str(tag): str(value) for tag, value in asked.sample.tags.items()}  # pooling sorts and names by them
    return Outcome(results.cells(), results.pooled, tags, status, asked.seen, seconds, results.failure)


def status_of(thing: Any) -> str:
    """How far a reference or a recorded answer can be trusted, where it says so itself."""
    status = getattr(thing, "status", "")
    return status if isinstance(status, str) and status in STATUSES else ""


def fail_whole(benchmark: Benchmark, state: State, reason: str) -> Outcome:
    """The outcome of an entrant that could not be put to a sample at all: a row for each that would have been."""
    results = _Results()
    for measure, criterion in itertools.product(benchmark.all_measures, benchmark.all_criteria):
        results.add(measure, criterion, 0, "", Result(math.nan, state=state, reason=reason))
    return Outcome(results.cells(), results.pooled, failure=results.failure)


class _Results:
    """Results as they come in: for each measure, criterion and repeat one for each held-out observer."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str, int], list[Result]] = {}
        self.pooled: dict[tuple[str, str], list[tuple[int, str, Any]]] = {}
        self.failure = ""
        self.statuses: list[str] = []

    def add(self, measure: Measure, criterion: Criterion, repeat: int, who: str, value: Any) -> None:
        """Note a `Result`, or for a pooled measure the pair that it will need."""
        its = card(measure)
        if isinstance(value, Result) and value.state == "failed":
            self.failure = self.failure or value.reason
        if its.per == "sample":
            self.found.setdefault((its.label, criterion.name, repeat), []).append(value)
        else:
            self.pooled.setdefault((its.label, criterion.name), []).append((repeat, who, value))

    def cells(self) -> tuple[Cell, ...]:
        """One cell for each measure, criterion and repeat."""
        return tuple(Cell(*key, *average(results)) for key, results in self.found.items())


def average(results: Sequence[Result]) -> tuple[Result, int]:
    """The mean over held-out observers, and how many there were. One failure fails the whole."""
    if len(results) == 1:
        return results[0], results[0].n if results[0].state in SETTLED else 0
    held = [r for r in results if r.state in SETTLED]
    failed = next((r for r in results if r.state == "failed"), None)
    if failed or not held:
        return failed or results[0], 0
    parts = {part: mean([r.parts[part] for r in held if part in r.parts]) for part in held[0].parts}
    doubtful = next((r for r in held if r.state != "ok"), held[0])
    status = worst([r.status for r in held])
    return Result(mean([r.value for r in held]), parts, doubtful.state, doubtful.reason, status=status), len(held)


def _questions(job: Job, name: str, asked: Asked) -> Iterator[Question]:
    """Every answer that an entrant gives to a sample."""
    exclude = job.benchmark.hooks.exclude
    try:
        respondent = job.respondent(name)
        if exclude and (why := exclude(facts_of(respondent.model))):
            raise NotApplicable(why)
        yield from respondent.ask(asked)
    except Exception as fault:  # noqa: BLE001  (opening a model or taking a reference apart can fail like a model)
        yield Question(0, functools.partial(_raise, fault), "", [("", asked.sample.reference)])


def _raise(fault: BaseException) -> Any:
    raise fault


def _score_answer(job: Job, name: str, asked: Asked, question: Question, results: _Results) -> int:
    """Ask one question and score every answer in what comes back on every measure; how many answers there were."""
    benchmark, started = job.benchmark, time.perf_counter()
    reader = Reader(asked.sample.stimulus, asked.seen, _readings_key(benchmark, question))
    applying = list(_applying(benchmark, asked.sample.reference))
    kept = job.answer_file(name, asked.sample.id) if question.repeat == 0 else None
    sketch = benchmark.figures.sketch if kept and job.sketches(name) else None
    recalled = reader.recall({*_read_by(applying), *([sketch or as_is] if kept else [])})
    if not recalled:
        _ask(benchmark, question, reader, results)
    if kept and not reader.fault:
        _keep(job, kept, reader, sketch)
    count = _measure(benchmark, question, reader, applying, results)
    if job.memory and not recalled and time.perf_counter() - started > SLOW and not status_of(reader.answer):
        reader.remember(benchmark.hooks.shares)
    return count


def _readings_key(benchmark: Benchmark, question: Question) -> str:
    """The cache's key of all that is read out of an answer; nothing where more than the question decides on that."""
    accept = name_ours(benchmark.accept)
    ours = question.key and accept and not benchmark.hooks.split and not Process.foreign
    return digest(question.key, accept) if ours else ""


def _read_by(applying: Sequence[tuple[Measure, Criterion, Result | None]]) -> set[Readout]:
    """What measures read that apply to a sample."""
    return {card(measure).reads for measure, _, unknown in applying if unknown is None}


def _ask(benchmark: Benchmark, question: Question, reader: Reader, results: _Results) -> None:
    """Ask one question; the answer, or what went wrong, is in the reader."""
    try:
        with model_code():
            raw = cached(question.key, question.ask) if question.key and not Process.foreign else question.ask()
        if raw is None:
            raise TypeError("the model returned None; expected an answer: is a `return` missing?")
        reader.answer = _accept(benchmark, raw, reader.stimulus)
        results.statuses.append(status_of(reader.answer))  # a recorded answer may be remembered only
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # noqa: BLE001  (a failure is a row, whatever a model raises)
        reader.fault = as_result(fault)


def _measure(
    benchmark: Benchmark,
    question: Question,
    reader: Reader,
    applying: Sequence[tuple[Measure, Criterion, Result | None]],
    results: _Results,
) -> int:
    """Score every answer in what came back on every measure; how many answers there were."""
    readers = reader.split(benchmark.hooks.split) if benchmark.hooks.split else [reader]
    for repeat, one in enumerate(readers, question.repeat):
        if one.fault and one.fault.state == "failed":  # counts, though no measure may be about this sample
            results.failure = results.failure or one.fault.reason
        for measure, criterion, unknown in applying:
            for held in question.held:
                results.add(measure, criterion, repeat, held[0], unknown or one.value(measure, criterion, *held))
    return len(readers)


def _applying(benchmark: Benchmark, reference: Any) -> Iterator[tuple[Measure, Criterion, Result | None]]:
    """Each measure and criterion that applies to a sample, with a failed result where deciding that failed."""
    for measure, criterion in itertools.product(benchmark.all_measures, benchmark.all_criteria):
        try:
            excluded = any(of.excludes and of.excludes(reference) for of in (card(measure), criterion))
        except Exception as fault:  # noqa: BLE001  (a failure is a row)
            yield measure, criterion, as_result(fault, f"{card(measure).label}: ")
            continue
        if not excluded:
            yield measure, criterion, None


def _accept(benchmark: Benchmark, raw: Any, stimulus: Any) -> Any:
    if isinstance(raw, np.ma.MaskedArray):  # what is masked is no estimate
        raw = np.ma.filled(raw.astype(np.result_type(raw.dtype, np.float32)), np.nan)
    try:
        return benchmark.accept(raw, stimulus)
    except (ValueError, TypeError) as fault:
        raise Refused(str(fault)) from fault


def _keep(job: Job, path: Path, reader: Reader, sketch: Readout | None) -> None:
    """Keep an answer, or its sketch, as a file."""
    files = job.benchmark.files
    if files is None:
        return
    try:
        answer = reader.read(sketch) if sketch else reader.answer
    except Exception:  # noqa: BLE001  (what cannot be read cannot be drawn either, and measures say why)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(answer, path)
    except DiskFull:
        raise
    except OSError as fault:
        if fault.errno in FULL:
            raise disk_full(path.parent) from fault
        # how answers are kept changes no score
