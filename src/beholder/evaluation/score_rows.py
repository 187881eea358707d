"""From outcomes to rows, in an order that does not depend on who finished when; and what a run counts besides."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from beholder.core.entrant import Entrant
from beholder.core.job import Job
from beholder.core.measure import SETTLED, Card, Measure, Result, card
from beholder.core.pooling import pool, why_nothing
from beholder.core.sample import worst
from beholder.core.scores import Score
from beholder.core.trial import Cell, Outcome, fail_whole
from beholder.engines.progress import Watch
from beholder.errors import printable
from beholder.store.ledger import Ledger
from beholder.store.run_json import Failure

MOST_FAILURES = 100  # that are listed one by one; all are counted, and all are rows


class Tally:
    """What a run counts besides scores."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failures: list[Failure] = []
        self.failed = 0
        self.failing: set[str] = set()  # models
        self.stimuli: dict[str, str] = {}

    def add(self, model: str, id: str, outcome: Outcome) -> None:
        """Count one outcome."""
        self.seconds[model] = self.seconds.get(model, 0.0) + outcome.seconds
        self.stimuli[id] = outcome.stimulus or self.stimuli.get(id, "")
        if outcome.failure:
            self._fail(model, id, outcome.failure)

    def add_pooled(self, model: str, failed: str) -> None:
        """Count a pooled measure that failed, unless the model failed on a sample already, which is why."""
        if model not in self.failing:
            self._fail(model, "*", failed)

    def _fail(self, model: str, sample: str, reason: str) -> None:
        self.failed += 1
        self.failing.add(model)
        if len(self.failures) < MOST_FAILURES:
            self.failures.append({"model": printable(model), "sample": printable(sample), "reason": printable(reason)})


def rows(job: Job, ledger: Ledger, tally: Tally, watch: Watch | None = None) -> Iterator[Score]:
    """The rows of every entrant, sample by sample, then those over many samples."""
    key, cards = job.benchmark.key, {card(m).label: card(m) for m in job.benchmark.all_measures}
    repeats = functools.cache(functools.partial(_count_repeats, job, ledger))  # all its outcomes may have to be read
    about = functools.cache(functools.partial(_about, job, ledger))  # of those samples only that somebody has lost
    for entrant in job.entrants.values():
        small: dict[str, Outcome] = {}
        met: set[tuple[str, str]] = set()
        for id in job.benchmark.dataset.ids:
            outcome = ledger.outcome(key, entrant.name, id)
            if outcome is None:
                outcome = fail_whole(job.benchmark, "failed", "its entry in the ledger cannot be read")
            if outcome.stimulus == "":
                outcome = _complete(outcome, about(id), repeats(entrant.name))
            tally.add(entrant.name, id, outcome)
            for cell in outcome.cells:
                yield from _rows_of(job, entrant, id, outcome.status, cell, cards[cell.measure])
            met |= {(cell.measure, cell.criterion) for cell in outcome.cells}
            small[id] = outcome._replace(cells=())  # only what is pooled stays in memory
        for measure in job.benchmark.all_measures:
            if card(measure).per == "sample":
                yield from _rows_of_nothing(job, entrant, measure, met)
            else:
                yield from _pooled_rows(job, entrant, measure, small, tally)
        if watch:
            watch.step(failed=False)


def _pooled_rows(
    job: Job, entrant: Entrant, measure: Measure, outcomes: dict[str, Outcome], tally: Tally
) -> Iterator[Score]:
    """The rows of a measure that is taken over many samples."""
    for criterion in job.benchmark.all_criteria:
        for found in pool(job.benchmark, measure, criterion, outcomes, seed=job.seed):
            if found.result.state == "failed":
                tally.add_pooled(entrant.name, found.result.reason)
            cell = Cell(card(measure).label, criterion.name, found.repeat, found.result, found.n)
            yield from _rows_of(job, entrant, found.unit, found.status, cell, card(measure))


def _rows_of_nothing(job: Job, entrant: Entrant, measure: Measure, met: set[tuple[str, str]]) -> Iterator[Score]:
    """One `na` row for each judged criterion that no sample of the dataset is about."""
    its = card(measure)
    for criterion in job.benchmark.criteria:
        if (its.label, criterion.name) not in met and len(job.benchmark.dataset):
            nothing = Result(math.nan, state="na", reason=why_nothing(measure, criterion))
            yield from _rows_of(job, entrant, "*", "", Cell(its.label, criterion.name, 0, nothing, 0), its)


class _About(NamedTuple):
    """What those who have loaded a sample know of it."""

    measured: frozenset[tuple[str, str]]  # measures that are about it, each within a criterion
    tags: Mapping[str, str]


def _about(job: Job, ledger: Ledger, id: str) -> _About | None:
    """What an entrant that has loaded a sample knows of it; None where nobody has."""
    outcomes = (ledger.outcome(job.benchmark.key, name, id) for name in job.entrants)
    seen = next((one for one in outcomes if one and one.stimulus), None)
    if seen is None:
        return None
    return _About(frozenset({(cell.measure, cell.criterion) for cell in seen.cells} | seen.pooled.keys()), seen.tags)


def _complete(outcome: Outcome, about: _About | None, repeats: int) -> Outcome:
    """Complete the outcome of a sample that never ran: tags and applicable measures from an entrant that loaded it.

    All of them have failed, in every repeat.
    """
    every = range(repeats)
    cells = (cell._replace(repeat=n) for cell in outcome.cells for n in every)
    pairs = {key: [(n, who, gone) for _, who, gone in own for n in every] for key, own in outcome.pooled.items()}
    if about is None:
        return outcome._replace(cells=tuple(cells), pooled=pairs)
    return outcome._replace(
        cells=tuple(cell for cell in cells if (cell.measure, cell.criterion) in about.measured),
        pooled={key: own for key, own in pairs.items() if key in about.measured},
        tags=about.tags,
    )


def _count_repeats(job: Job, ledger: Ledger, name: str) -> int:
    """How often an entrant answers a sample: as often as where it did."""
    outcomes = (outcome for _, outcome in ledger.outcomes(job.benchmark.key, name) if outcome.stimulus)
    first = next(outcomes, None)
    if first is None:
        return 1
    pairs = [repeat for several in first.pooled.values() for repeat, _, _ in several]
    return 1 + max([*(cell.repeat for cell in first.cells), *pairs], default=0)


def _rows_of(job: Job, entrant: Entrant, unit: str, status: str, cell: Cell, its: Card) -> Iterator[Score]:
    """A row for a number, and one for each of its parts."""
    bench, found = job.benchmark, cell.result
    head = (bench.name, bench.version, entrant.name, entrant.role, bench.dataset.name, unit, cell.repeat)
    trust = worst([status, found.status])
    tail = (cell.n, found.state, found.reason, trust)
    whole = (its.name, its.variant, "", cell.criterion, its.better)
    yield Score(*head, *whole, found.value, found.lo, found.hi, *tail)
    for part, value in found.parts.items():
        undefined = math.isnan(value) and found.state in SETTLED
        own = (cell.n, "na", "undefined here", trust) if undefined else tail
        one = (its.name, its.variant, part, cell.criterion, its.parts.get(part, "neither"))
        yield Score(*head, *one, float(value), math.nan, math.nan, *own)
