"""run(): every entrant on every sample; the result is a table. There is no second loop."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.core.benchmark import Benchmark, Recorded, Role
from beholder.core.entrant import Ceiling, Entrant, Job, Keep, Own, Person, said_of
from beholder.core.measure import SETTLED, Measure, Result, card
from beholder.core.pooling import pooled, strange
from beholder.core.sample import worst
from beholder.core.scores import Score, table
from beholder.core.trial import Cell, Outcome, lost
from beholder.engines.dispatch import here, in_workers, part, remaining
from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse
from beholder.registry.plug import Plug, plugged
from beholder.registry.training import refuse_trained
from beholder.store.cache import digest
from beholder.store.ledger import Ledger

if TYPE_CHECKING:
    import pandas as pd

MOST_FAILURES = 100  # that are listed one by one; all are counted, and all are rows


def run(  # noqa: PLR0913  (the settings of a run)
    benchmark: Benchmark,
    under_test: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    repeats: int = 10,
    jobs: int = 1,
    timeout: float | None = 600.0,
    ledger: Ledger | None = None,
    keep: Keep | None = None,
    watch: Watch | None = None,
) -> pd.DataFrame:
    """Score every model on every sample of a benchmark; a failure is a row.

    `under_test` maps names to functions, `Recorded` answers, or specs ("my.py:flow", "dir:outputs"). Models that are
    named by a spec, and functions that another process can import, run in `jobs` workers with a time-out; other
    functions run in this process, and a sentence says so. `jobs=0` runs everything in this process.
    """
    watch = watch or Silent()
    book = ledger or Ledger()
    job = Job(benchmark, {e.name: e for e in entrants(benchmark, under_test or {})}, seed, repeats, keep or Keep())
    todo = remaining(job, book)
    if ledger and (broken := book.unreadable(part(benchmark))):
        watch.say(
            f"{broken} finished outcomes cannot be read (is the cache folder's key gone?) and are computed again."
        )
    total = len(job.entrants) * len(benchmark.dataset)
    watch.begin(f"{benchmark.name} on {benchmark.dataset.name}", total, total - sum(map(len, todo.values())))
    if jobs:
        in_workers(job, todo, book, watch, jobs=jobs, timeout=timeout)
    here(job, todo, book, watch)
    book.commit()
    tally = Tally()
    scores = table(rows(job, book, tally))
    scores.attrs["run"] = {"seed": seed, "repeats": repeats, **facts(job, tally)}
    return scores


def entrants(benchmark: Benchmark, under_test: Mapping[str, Any]) -> list[Entrant]:
    """Everyone who takes part: baselines, the models under test, oracles, people, nulls."""
    found = [Entrant(name, "model", Own("baselines", name), f"baseline {name}") for name in benchmark.baselines]
    for name, model in under_test.items():
        found += [_entrant(*item) for item in _opened(name, model, benchmark).items()]
    found += [Entrant(name, "oracle", Own("oracles", name)) for name in benchmark.own("oracles")]
    if benchmark.people:
        found.append(Entrant("people", "ceiling", Ceiling()))
        roster = benchmark.people.roster(benchmark.dataset.whole) if benchmark.people.roster else ()
        found += [Entrant(f"person {who}", "person", Person(who)) for who in roster]
    found += [Entrant(name, "null", Own("nulls", name)) for name in benchmark.own("nulls")]
    for entrant in found:
        if entrant.role == "model":
            refuse_trained(entrant.name, _readily(benchmark, entrant), benchmark.dataset.name)
    return list(_distinct(found))


def _readily(benchmark: Benchmark, entrant: Entrant) -> Any:
    """The model itself; none for a file of the user's, which is not opened in this process."""
    if isinstance(entrant.model, Own):
        return benchmark.own(entrant.model.kind)[entrant.model.name]
    if isinstance(entrant.model, Plug):
        return entrant.model.open() if entrant.ours else None
    return entrant.model


def _opened(name: str, model: Any, benchmark: Benchmark) -> dict[str, Any]:
    return plugged(name, model, benchmark) if isinstance(model, str) else {name: model}


def _entrant(name: str, model: Any) -> Entrant:
    if not (callable(model) or isinstance(model, (Recorded, Plug))):
        raise Misuse(f"model {name!r} is a {type(model).__name__}; expected a function, Recorded answers, or a spec")
    role: Role = "person" if isinstance(model, Recorded) and model.partial else "model"
    stamp = f"{model.spec} {model.digest}" if isinstance(model, Plug) else _recorded_stamp(model)
    return Entrant(name, role, model, stamp)


def _recorded_stamp(model: Any) -> str:
    """What tells these recorded answers from others: their values, or sizes and times of their files."""
    if not isinstance(model, Recorded):
        return ""
    facts = {id: (str(a), *a.stat()[6:9:2]) if isinstance(a, Path) else a for id, a in _materialised(model).items()}
    return digest(facts)


def _materialised(model: Recorded) -> Mapping[str, Any]:
    return model.answers if isinstance(model.answers, dict) else {}


def _distinct(found: Iterable[Entrant]) -> Iterator[Entrant]:
    """Each name once; a built-in that is asked for again is the baseline that is there already."""
    seen: dict[str, Entrant] = {}
    for entrant in found:
        other = seen.get(entrant.name)
        if other is None:
            seen[entrant.name] = entrant
            yield entrant
        elif not (isinstance(entrant.model, Plug) and entrant.model.spec == entrant.name):
            raise Misuse(f"got two models called {entrant.name!r} ({other.role}, {entrant.role}); name one NAME=SPEC")


class Tally:
    """What a run counts besides scores."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failures: list[dict[str, str]] = []
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
        """Count a number over many samples that could not be had, unless the model failed already, which is why."""
        if model not in self.failing:
            self._fail(model, "*", failed)

    def _fail(self, model: str, sample: str, reason: str) -> None:
        self.failed += 1
        self.failing.add(model)
        if len(self.failures) < MOST_FAILURES:
            self.failures.append({"model": model, "sample": sample, "reason": reason})


def facts(job: Job, tally: Tally) -> dict[str, Any]:
    """What run.json says of who took part, what it cost and what failed."""
    models = [
        {
            "name": entrant.name,
            "role": entrant.role,
            "spec": spec_of(entrant),
            **_known(job, entrant),
            "seconds": round(tally.seconds.get(entrant.name, 0.0), 3),
        }
        for entrant in job.entrants.values()
    ]
    stimuli = digest(tally.stimuli)
    return {"models": models, "failed": tally.failed, "failures": tally.failures, "stimuli": stimuli}


def spec_of(entrant: Entrant) -> str:
    """How this entrant could be named on the command line, as far as it can."""
    model = entrant.model
    if isinstance(model, Plug):
        return model.spec
    return f"{model.kind[:-1]} {model.name}" if isinstance(model, Own) else type(model).__name__


def _known(job: Job, entrant: Entrant) -> dict[str, Any]:
    """What a model says of itself; a file of the user's is not imported for that in this process."""
    if entrant.name in job.known:
        return job.known[entrant.name]
    return said_of(_readily(job.benchmark, entrant))


def rows(job: Job, book: Ledger, tally: Tally) -> Iterator[Score]:
    """The rows of every entrant, in an order that does not depend on who finished when."""
    for entrant in job.entrants.values():
        pairs: dict[str, Outcome] = {}
        met: set[tuple[str, str]] = set()
        for id in job.benchmark.dataset.ids:
            outcome = book.outcome(part(job.benchmark), entrant.name, id)
            if outcome is None:
                outcome = lost(job, "failed", "what the ledger holds of it cannot be read")
            if outcome.stimulus == "":
                outcome = _completed(outcome, job, book, entrant.name, id)
            tally.add(entrant.name, id, outcome)
            for cell in outcome.cells:
                yield from _rows(job, entrant, id, outcome.status, cell)
            met |= {(cell.measure, cell.criterion) for cell in outcome.cells}
            pairs[id] = outcome._replace(cells=())  # only what is pooled stays in memory
        for measure in job.benchmark.measured:
            if card(measure).per == "sample":
                yield from _unmet(job, entrant, measure, met)
                continue
            for criterion in job.benchmark.confines:
                for got in pooled(job, measure, criterion, pairs):
                    if got.result.state == "failed":
                        tally.add_pooled(entrant.name, got.result.reason)
                    cell = Cell(card(measure).name, criterion.name, got.repeat, got.result, got.n)
                    yield from _rows(job, entrant, got.unit, got.status, cell)


def _unmet(job: Job, entrant: Entrant, measure: Measure, met: set[tuple[str, str]]) -> Iterator[Score]:
    """A row for each judged criterion that has none, because no sample of the dataset is what it is about."""
    for criterion in job.benchmark.criteria:
        if (card(measure).name, criterion.name) not in met and len(job.benchmark.dataset):
            gone = Result(math.nan, state="na", reason=strange(measure, criterion))
            yield from _rows(job, entrant, "*", "", Cell(card(measure).name, criterion.name, 0, gone, 0))


def _completed(outcome: Outcome, job: Job, book: Ledger, name: str, id: str) -> Outcome:
    """An outcome that was lost as a whole: with the tags and the rows that another one has, and lost in every repeat.

    Which measures are about a sample is known only to whoever could load it.
    """
    others = (book.outcome(part(job.benchmark), other, id) for other in job.entrants)
    seen = next((other for other in others if other and other.stimulus), outcome)
    about = {(cell.measure, cell.criterion) for cell in seen.cells} | seen.pooled.keys()
    repeats = range(_repeats(job, book, name))
    cells = (cell._replace(repeat=n) for cell in outcome.cells for n in repeats)
    pairs = {key: [(n, who, gone) for _, who, gone in own for n in repeats] for key, own in outcome.pooled.items()}
    return outcome._replace(
        cells=tuple(cell for cell in cells if (cell.measure, cell.criterion) in about),
        pooled={key: own for key, own in pairs.items() if key in about},
        tags=seen.tags,
    )


def _repeats(job: Job, book: Ledger, name: str) -> int:
    """How often an entrant answers a sample: as often as where it did."""
    outcomes = (outcome for _, outcome in book.outcomes(part(job.benchmark), name) if outcome.stimulus)
    first = next(outcomes, None)
    if first is None:
        return 1
    pairs = [repeat for several in first.pooled.values() for repeat, _, _ in several]
    return 1 + max([*(cell.repeat for cell in first.cells), *pairs], default=0)


def _rows(job: Job, entrant: Entrant, unit: str, status: str, cell: Cell) -> Iterator[Score]:
    """A row for a number, and one for each of its parts."""
    bench, found = job.benchmark, cell.result
    better = next(card(m).better for m in (*bench.measures, *bench.extra) if card(m).name == cell.measure)
    head = (bench.name, bench.version, entrant.name, entrant.role, bench.dataset.name, unit, cell.repeat)
    trust = worst([status, found.status])
    own = (cell.n, found.state, found.reason, trust)
    yield Score(*head, cell.measure, cell.criterion, better, found.value, found.lo, found.hi, *own)
    for name, value in found.parts.items():
        undefined = math.isnan(value) and found.state in SETTLED
        tail = (cell.n, "na", "undefined here", trust) if undefined else own
        yield Score(*head, f"{cell.measure}.{name}", cell.criterion, better, float(value), math.nan, math.nan, *tail)
