"""What the command `run` does: run a plan into a folder that can be resumed, draw, and write the record."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from beholder.core.benchmark import Benchmark
from beholder.core.job import Job, Keep
from beholder.core.sample import STATUSES
from beholder.core.scores import JUDGED, join_tables
from beholder.engines.dispatch import list_unfinished, open_engine
from beholder.engines.progress import ANSWERING, DRAWING, JUDGING, LOADING, REPORT, SCORING, WRITING, Leg, Silent
from beholder.engines.protocol import Engine
from beholder.errors import Misuse
from beholder.evaluation.figures import (
    answers_folder,
    draw_overview,
    draw_samples,
    drop_answers,
    list_records,
    list_undrawn,
)
from beholder.evaluation.plan import Evaluation, Plan
from beholder.evaluation.record import describe_benchmark, write_run
from beholder.evaluation.room import measure_memory
from beholder.evaluation.run import evaluate
from beholder.io.memory import give_back
from beholder.io.scratch import sweep
from beholder.registry.load import memory_of
from beholder.registry.trained_on import refuse_trained_in_files
from beholder.store import run_folder
from beholder.store.cache import Cache
from beholder.store.digest import digest
from beholder.store.ledger import Ledger
from beholder.store.opened import tell_changed
from beholder.store.paths import slug
from beholder.store.run_json import BenchmarkFacts, Failure
from beholder.store.seal import key_name, prepare_key

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Options:
    """How it is to be done; changes no score."""

    out: Path | None = None
    jobs: int = 1
    timeout: float | None = 600.0
    samples: int = 12
    keep_answers: bool = False
    fresh: bool = False
    retry: bool = False
    engine: str = "local"
    memory: int | None = None  # bytes that a worker may hold
    since: float = 0.0  # nothing is read from the cache that was kept before this time; `execute` sets it


class RunResult(NamedTuple):
    """What came out."""

    folder: Path
    scores: pd.DataFrame
    failures: list[Failure]
    failed: int


def folder_for(what: Plan, how: Options, say: Callable[[str], object] = str) -> Path:
    """Where a run goes: --out, else runs/<name>-<digest>; another one where files of its models have changed since."""
    if how.out:
        return how.out
    name, mark = slug((what.request.target or "all").replace("/", "-")), what.digest
    folder = Path("runs", f"{name}-{mark}")
    while not how.fresh and (changed := run_folder.list_changed(folder)):
        mark = digest(mark, changed)[:10]
        before, folder = folder, Path("runs", f"{name}-{mark}")
        say(f"{tell_changed(changed)} since {before}, so this run goes into {folder}")
    return folder


def execute(what: Plan, how: Options, watch: Silent) -> RunResult:
    """Run the plan in its folder; what was finished before is not done again."""
    folder = folder_for(what, how, watch.say)
    config = run_folder.Config(what.digest, what.parts)
    prepare_key()
    if not key_name():
        watch.say("No key can be kept in the cache or in your data folder: if this run is stopped, it must start over.")
    sweep()
    started = time.monotonic()
    with contextlib.ExitStack() as before:
        # Before the folder: where no engine opens, none is made, and with --fresh none is emptied.
        engine = before.enter_context(open_engine(how.engine, how.jobs, how.timeout, how.memory))
        with run_folder.own(folder, config, fresh=how.fresh, retry=how.retry) as (ledger, began):
            with before.pop_all():  # workers end before the folder is given up, and before the whole table takes memory
                if ledger.mended:
                    watch.say(ledger.mended)
                how = replace(how, out=folder, since=time.time() if how.fresh else 0.0)
                ledger.expect({one.benchmark.key: one.trials for one in what.evaluations})
                watch.expect(legs_of(what, how, lambda bench, name: _count_left(bench, name, ledger)), engine.slots)
                done = [_evaluate(one, what, how, engine, ledger, watch) for one in what.evaluations]
            tables, entries = [scores for scores, _ in done], [entry for _, entry in done]
            scores = join_tables(tables) if len(tables) > 1 else tables[0]
            write_run(
                folder,
                scores,
                entries,
                config=what.digest,
                seed=what.request.seed,
                repeats=what.request.repeats,
                started=began,
                state="finished",
                seconds=round(time.monotonic() - started, 3),
                skipped=list(what.skipped),
            )
    give_back()  # what drawing and writing have freed, before judging takes more
    Cache().drop_large()
    Cache().trim()
    failures = [failure for entry in entries for failure in entry.get("failures", [])]
    return RunResult(folder, scores, failures, sum(entry.get("failed", 0) for entry in entries))


def _count_left(bench: Benchmark, name: str, ledger: Ledger) -> int:
    """How many samples an entrant is still to be put to."""
    return len(bench.dataset) - len(ledger.finished(bench.key, name))


def legs_of(what: Plan, how: Options, left: Callable[[Benchmark, str], int]) -> list[Leg]:
    """All that will be done, in steps that can be counted: each benchmark, then the report.

    `left` tells how many samples an entrant of a benchmark is still to be put to.
    """
    legs = []
    for one in what.evaluations:
        bench, entrants = one.benchmark, one.entrants
        samples = len(bench.dataset)
        todo = {name: left(bench, name) for name in entrants}
        drawn = min(how.samples, samples) if bench.figures.sample and bench.files else 0
        steps = {
            LOADING: {"": sum(count > 0 for count in todo.values())},
            ANSWERING: todo,
            SCORING: {"": len(entrants)},
            DRAWING: {"": 1 + drawn},
        }
        legs.append(Leg(Job(bench, entrants).title, steps))
    return [*legs, Leg(REPORT, {JUDGING: {"": len(legs)}, WRITING: {"": len(legs)}})]


def _evaluate(
    one: Evaluation, what: Plan, how: Options, engine: Engine, ledger: Ledger, watch: Silent
) -> tuple[pd.DataFrame, BenchmarkFacts]:
    """The scores of one benchmark and its entry in run.json, with its pictures drawn."""
    folder, bench = folder_for(what, how), one.benchmark
    job = Job(bench, one.entrants, what.request.seed, what.request.repeats, admit=refuse_trained_in_files)
    job.memory, job.since = memory_of(bench), how.since
    drawn = [name for name, entrant in one.entrants.items() if entrant.role in (*JUDGED, "ceiling")]
    undrawn = list_undrawn(bench, folder, how.samples, functools.partial(list_unfinished, job, ledger))
    place = answers_folder(folder, bench)
    keep_all = _keeps_answers(place, how)
    job.keep = Keep(place) if keep_all else Keep(place, undrawn, frozenset(drawn), sketch=True)
    scores = evaluate(job, engine, ledger, watch, one.earlier)
    scores = _keep_trusted(scores, bench.name, what.request.status, watch)
    entry = describe_benchmark(bench, scores)
    drawn += [model["name"] for model in entry["models"] if "origin" in model]
    watch.begin(job.title, 1 + len(undrawn), 0, "pictures", phase=DRAWING)
    overview = (
        draw_overview(bench, folder, ledger, _drawable(scores, ledger, bench.key), watch.say) if how.samples else []
    )
    watch.step(failed=False)
    give_back()  # a copy of most of the table
    sheets = draw_samples(
        bench, folder, models=drawn, samples=how.samples, say=watch.say, engine=engine, step=watch.step
    )
    if not keep_all:
        drop_answers(bench, folder, [name for name, entrant in one.entrants.items() if entrant.built_in], undrawn)
    entry["figures"] = [*overview, *sheets]
    if records := list_records(folder, sheets):
        entry["films"] = records
    measure_memory(job, engine)
    entry["counts"] = {str(state): int(n) for state, n in scores["state"].value_counts().items() if n}
    scores.attrs = {}  # what they say is in the entry
    return scores, entry


def _keeps_answers(place: Path, how: Options) -> bool:
    """Whether all answers are kept: they are once that was asked for, also where a later session does not ask."""
    mark = place / ".all"
    if how.keep_answers:
        try:
            place.mkdir(parents=True, exist_ok=True)
            mark.touch()
        except OSError as fault:
            raise Misuse(f"cannot keep answers in {place} ({fault.strerror}); remove what is there") from None
    return mark.exists()


def _drawable(scores: pd.DataFrame, ledger: Ledger, key: str) -> pd.DataFrame:
    """The rows of models whose outcomes are at hand: those of a run from elsewhere cannot be read."""
    there = [name for name in scores["model"].unique() if next(ledger.outcomes(key, name), None)]
    at_hand = scores["model"].isin(there)
    return scores if at_hand.all() else scores[at_hand]


def _keep_trusted(scores: pd.DataFrame, name: str, status: str, watch: Silent) -> pd.DataFrame:
    """The rows whose references are no worse than a status; all where none is given."""
    if not status:
        return scores
    trusted = scores["provenance"].isin(STATUSES[: STATUSES.index(status) + 1])
    if not trusted.all():
        watch.say(f"--status {status}: {int((~trusted).sum())} of {len(scores)} scores are left out")
    numbers = scores[scores["state"] != "na"]
    if len(numbers) and not trusted[numbers.index].any():
        best = min(numbers["provenance"], key=STATUSES.index)
        watch.say(f"no number of {name} has a status better than {best}: give --status {best}, or leave it out")
        return numbers[:0]
    return scores[trusted]
