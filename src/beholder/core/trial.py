"""One model on one sample: ask, accept, read out, confine, measure. This is what a worker does; a fault is a row."""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from beholder.core.benchmark import Benchmark, Criterion, People, Recorded
from beholder.core.cite import facts_of
from beholder.core.entrant import Ceiling, Job, Person, rng_for
from beholder.core.failures import Refused, as_result, says
from beholder.core.measure import SETTLED, Measure, NotApplicable, Result, State, card
from beholder.core.reader import Reader, cached
from beholder.core.sample import STATUSES, Sample, worst
from beholder.store.cache import digest, package
from beholder.store.paths import answer_path


class Cell(NamedTuple):
    """A row without what all rows of a model on a sample share."""

    measure: str
    criterion: str
    repeat: int
    result: Result
    n: int


class Outcome(NamedTuple):
    """Everything that a run keeps of one model on one sample."""

    cells: tuple[Cell, ...]
    pooled: Mapping[tuple[str, str], list[tuple[int, str, Any]]]  # (measure, criterion) → (repeat, whom, pair | Result)
    tags: Mapping[str, str] = {}
    status: str = ""
    stimulus: str = ""
    seconds: float = 0.0
    failure: str = ""


class Question(NamedTuple):
    """One answer to be had, and the references it is scored on."""

    repeat: int
    ask: Callable[[], Any]
    key: str  # for the cache; nothing = not to be cached
    held: Sequence[tuple[str, Any]]  # whom it is scored on: ("", reference), or one pair for each held-out observer


def trial(job: Job, name: str, id: str) -> Outcome:
    """Put one entrant to one sample. Whatever goes wrong is in the outcome, never raised."""
    started = time.perf_counter()
    try:
        sample, seen = job.sample(id)
    except Exception as fault:  # noqa: BLE001  (a failure is a row)
        return lost(job, "failed", f"the sample could not be loaded: {says(fault)}")
    notes, more = _Notes(), 0  # of answers that hold several
    for question in questions(job, name, sample, seen):
        later = question._replace(repeat=question.repeat + more)
        more += _answered(job, name, sample, seen, later, notes) - 1
    seconds = time.perf_counter() - started
    status = worst([status_of(sample.reference) or job.benchmark.dataset.status, *notes.statuses])
    return Outcome(notes.cells(), notes.pooled, dict(sample.tags), status, seen, seconds, notes.failure)


def status_of(thing: Any) -> str:
    """How far a reference or a recorded answer can be trusted, where it says so itself."""
    status = getattr(thing, "status", "")
    return status if isinstance(status, str) and status in STATUSES else ""


def lost(job: Job, state: State, reason: str) -> Outcome:
    """The outcome of a model that could not be put to a sample at all: a row for each that would have been."""
    notes = _Notes()
    for measure in job.benchmark.measured:
        for criterion in job.benchmark.confines:
            notes.add(measure, criterion, 0, "", Result(math.nan, state=state, reason=reason))
    return Outcome(notes.cells(), notes.pooled, failure=notes.failure)


class _Notes:
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
            self.found.setdefault((its.name, criterion.name, repeat), []).append(value)
        else:
            self.pooled.setdefault((its.name, criterion.name), []).append((repeat, who, value))

    def cells(self) -> tuple[Cell, ...]:
        """One cell for each measure, criterion and repeat."""
        return tuple(Cell(*key, *merged(results)) for key, results in self.found.items())


def merged(results: Sequence[Result]) -> tuple[Result, int]:
    """The mean over held-out observers, and how many there were. One failure fails the whole."""
    if len(results) == 1:
        return results[0], int(results[0].state in SETTLED)
    held = [r for r in results if r.state in SETTLED]
    failed = next((r for r in results if r.state == "failed"), None)
    if failed or not held:
        return failed or results[0], 0
    parts = {part: float(np.mean([r.parts[part] for r in held if part in r.parts])) for part in held[0].parts}
    doubtful = next((r for r in held if r.state != "ok"), held[0])
    status = worst([r.status for r in held])
    mean = float(np.mean([r.value for r in held]))
    return Result(mean, parts, doubtful.state, doubtful.reason, status=status), len(held)


def questions(job: Job, name: str, sample: Sample[Any, Any], seen: str) -> Iterator[Question]:
    """Every answer that an entrant gives to a sample."""
    people, reference, stimulus = job.benchmark.people, sample.reference, sample.stimulus
    try:
        model = job.opened(name)
        if job.benchmark.unfit and (why := job.benchmark.unfit(facts_of(model))):
            raise NotApplicable(why)
        if people and isinstance(model, Ceiling):
            if len(people.names(reference)) < 2:
                raise NotApplicable("fewer than two people saw this sample, so none can be left out")
            for whom, who in _places(people, reference, sample.id):
                sides = people.without(reference, who), people.only(reference, who)
                theirs, held = sides[::-1] if people.alone else sides
                yield Question(0, functools.partial(people.answer, theirs, stimulus), "", [(whom, held)])
            return
        if people and isinstance(model, Person):
            if model.who not in people.names(reference):
                raise NotApplicable(f"{model.who} did not see this sample")
            own = functools.partial(people.answer, people.only(reference, model.who), stimulus)
            yield Question(0, own, "", [("", people.without(reference, model.who))])
            return
        held = held_out(job.benchmark, model, reference)
        if not held:
            raise NotApplicable("nobody whom this model left out saw this sample")
        yield from _asked(job, model, sample, seen, held)
    except Exception as fault:  # noqa: BLE001  (opening a model or taking a reference apart can fail like a model)
        yield Question(0, functools.partial(_raise, fault), "", [("", reference)])


def _places(people: People, reference: Any, id: str) -> Iterator[tuple[str, str]]:
    """What a pooled measure joins over samples, and the observer: himself.

    Where people answer alone it joins one of them a sample, another one each time: what is pooled is as mixed as that
    of any model of people, and not one person's own manner.
    """
    names = people.names(reference)
    mixed = rng_for(0, id).permutation(len(names)) if people.alone else ()
    return zip((f"{at}" for at in mixed) if people.alone else names, names, strict=True)


def _asked(
    job: Job, model: Any, sample: Sample[Any, Any], seen: str, held: Sequence[tuple[str, Any]]
) -> Iterator[Question]:
    """The answers of a model proper: recorded, stochastic (one for each repeat) or plain."""
    if isinstance(model, Recorded):
        yield Question(0, functools.partial(model.recall, sample.id), "", held)
        return
    key = _answer_key(model, seen)
    drawn = parameters(model)
    if "rng" not in drawn:
        yield Question(0, functools.partial(model, sample.stimulus), key, held)
        return
    names = (job.benchmark.dataset.name, sample.id)
    if "many" in drawn:
        draw = functools.partial(model, sample.stimulus, rng=rng_for(job.seed, *names), many=job.repeats)
        if key:
            draw = functools.partial(cached, digest(key, job.seed, *names, "many", job.repeats), draw)
        several = functools.cache(functools.partial(_drawn, draw, job.repeats))
        for repeat in range(job.repeats):
            yield Question(repeat, functools.partial(_nth, several, repeat), "", held)
        return
    for repeat in range(job.repeats):
        rng = rng_for(job.seed, *names, str(repeat))
        once = digest(key, job.seed, *names, repeat) if key else ""
        yield Question(repeat, functools.partial(model, sample.stimulus, rng=rng), once, held)


def _answer_key(model: Any, seen: str) -> str:
    """The cache's key of an answer; nothing for models that are not ours, whose source nobody watches."""
    inner = getattr(model, "func", model)
    name = getattr(inner, "__qualname__", "")  # an object that can be called has none, and its state nobody knows
    where = f"{getattr(inner, '__module__', '')}.{name}"
    settings = getattr(model, "keywords", {})
    files = any(isinstance(value, str) and ":" in value for value in settings.values())  # of='dir:maps': nobody watches
    ours = bool(name) and where.startswith("beholder.") and not files
    return digest("answer", package(), where, settings, seen) if ours else ""


def parameters(model: Any) -> Sequence[str]:
    """The names of a model's parameters; none where Python does not know them."""
    try:
        return list(inspect.signature(model).parameters)
    except (ValueError, TypeError):
        return []


def _drawn(draw: Callable[[], Any], repeats: int) -> Sequence[Any] | BaseException:
    """Several answers, or the fault that there was instead, so that it is asked once."""
    try:
        return _several(draw(), repeats)
    except (Exception, SystemExit) as fault:  # noqa: BLE001  (raised again for every repeat)
        return fault


def _several(answers: Any, repeats: int) -> Sequence[Any]:
    if not hasattr(answers, "__len__") or len(answers) != repeats:
        got = len(answers) if hasattr(answers, "__len__") else type(answers).__name__
        raise ValueError(f"got {got} answers; expected as many as `many` asked for, {repeats}")
    found: Sequence[Any] = answers
    return found


def _nth(several: Callable[[], Sequence[Any] | BaseException], repeat: int) -> Any:
    found = several()
    if isinstance(found, BaseException):
        raise found
    return found[repeat]


def held_out(benchmark: Benchmark, model: Any, reference: Any) -> list[tuple[str, Any]]:
    """Whom a model is scored on: the reference, or each observer in turn, or those that the model says it left out."""
    if benchmark.people is None:
        return [("", reference)]
    left_out = getattr(model, "leaves_out", None)
    if benchmark.people.alone and not left_out:
        return [("", reference)]
    names = benchmark.people.names(reference)
    return [(who, benchmark.people.only(reference, who)) for who in names if who in (left_out or names)]


def _answered(job: Job, name: str, sample: Sample[Any, Any], seen: str, question: Question, notes: _Notes) -> int:
    """Ask one question and note what every measure says of the answer, or of each in it; how many these were."""
    benchmark = job.benchmark
    reader = Reader(sample.stimulus, seen)
    try:
        raw = cached(question.key, question.ask) if question.key else question.ask()
        if raw is None:
            raise TypeError("the model returned None; expected an answer: is a `return` missing?")
        reader.answer = _accepted(benchmark, raw, sample.stimulus)
        notes.statuses.append(status_of(reader.answer))  # a recorded answer may be remembered only
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # noqa: BLE001  (a failure is a row, whatever a model raises)
        reader.fault = as_result(fault)
    if question.repeat == 0 and not reader.fault:
        with contextlib.suppress(OSError):  # how answers are kept changes no score
            _kept(job, name, sample.id, reader.answer)
    readers = reader.apart(benchmark.apart) if benchmark.apart else [reader]
    concerned = list(_concerned(benchmark, sample.reference))
    for repeat, one in enumerate(readers, question.repeat):
        if one.fault and one.fault.state == "failed":  # counts, though no measure may be about this sample
            notes.failure = notes.failure or one.fault.reason
        for measure, criterion, unknown in concerned:
            for held in question.held:
                notes.add(measure, criterion, repeat, held[0], unknown or one.value(measure, criterion, *held))
    return len(readers)


def _concerned(benchmark: Benchmark, reference: Any) -> Iterator[tuple[Measure, Criterion, Result | None]]:
    """The measures and criteria that are about a sample, by its whole reference alone; and a fault in telling that."""
    for measure, criterion in itertools.product(benchmark.measured, benchmark.confines):
        try:
            strange = any(of.outside and of.outside(reference) for of in (card(measure), criterion))
        except Exception as fault:  # noqa: BLE001  (a failure is a row)
            yield measure, criterion, as_result(fault, f"{card(measure).name}: ")
            continue
        if not strange:
            yield measure, criterion, None


def _accepted(benchmark: Benchmark, raw: Any, stimulus: Any) -> Any:
    try:
        return benchmark.accept(raw, stimulus)
    except (ValueError, TypeError) as fault:
        raise Refused(str(fault)) from fault


def _kept(job: Job, name: str, id: str, answer: Any) -> None:
    files, keep = job.benchmark.files, job.keep
    if files is None or keep.folder is None or not (keep.ids is None or id in keep.ids):
        return
    path = answer_path(keep.folder, name, id, files.suffixes[0])
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(answer, path)


def _raise(fault: BaseException) -> Any:
    raise fault
