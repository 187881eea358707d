"""run(): every entrant on every sample; the result is a table. There is no second loop."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beholder.core.benchmark import Benchmark
from beholder.core.entrant import Ceiling, Entrant, Person, Provided, remarks_of
from beholder.core.job import Job, Keep
from beholder.core.measure import card
from beholder.core.scores import JUDGED, table, with_bounds
from beholder.engines.dispatch import Described, list_unfinished, open_engine, run_trials
from beholder.engines.memory import parse_limit
from beholder.engines.notebook import watching
from beholder.engines.progress import SCORING, Watch
from beholder.engines.protocol import Engine
from beholder.engines.shared import recall
from beholder.engines.threads import single_thread
from beholder.errors import Misuse
from beholder.evaluation.against import Earlier, find_earlier, join, read_runs, recall_from
from beholder.evaluation.choice import baselines as choose
from beholder.evaluation.choice import refuse_unknown
from beholder.evaluation.score_rows import Tally, rows
from beholder.evaluation.under_test import name_models
from beholder.io.memory import give_back
from beholder.registry.describe import Description, describe
from beholder.registry.load import load, memory_of
from beholder.registry.models import enter
from beholder.registry.trained_on import refuse_trained, refuse_trained_in_files
from beholder.store.cache import read_since
from beholder.store.digest import digest
from beholder.store.ledger import Ledger
from beholder.store.run_json import ModelFacts, RunOf

if TYPE_CHECKING:
    import pandas as pd

    from beholder.evaluation.score_table import Scores


def run(  # noqa: PLR0913  (the settings of a run)
    benchmark: Benchmark | str | Sequence[Benchmark | str],
    under_test: Any = None,
    *,
    seed: int = 0,
    repeats: int = 10,
    jobs: int = 1,
    timeout: float | None = 600.0,
    memory: str | None = None,
    engine: str | Engine | Executor = "local",
    ledger: Ledger | None = None,
    keep: Keep | None = None,
    baselines: str | Sequence[str] = "all",
    against: str | Path | Sequence[str | Path] = (),
    fresh: bool = False,
    watch: Watch | None = None,
) -> Scores:
    """Score every model on every sample of a benchmark, or of several; a failure is a row.

    `under_test` is a function, a spec ("my.py:flow", "dir:outputs"), `Recorded` answers, a list of such, or a mapping
    of names to such. The benchmark's baselines, blind models and people take part by themselves. For fewer samples
    load fewer: `load("stereo/dense", limit=4)`.

    Models run on the `engine` ("local": `jobs` worker processes), where each may take `timeout` seconds for a sample,
    and where hanging or crashing costs a model its row and nothing else; so does using more than `memory` ("4GB").
    Functions of a notebook travel there by value, so what they change or print stays there. One that cannot travel runs
    in this process, and a sentence says so.
    `jobs=0` runs everything in this process: for debugging.

    `baselines` chooses which of the benchmark's own models take part: "all", "fast" (those that take little time),
    "none", or names. What they scored on a built-in dataset is shared between runs; `fresh` computes it anew.
    `against` are folders of earlier runs whose models stand beside these and are not run again.

    >>> import beholder as bh
    >>> import numpy as np
    >>> def mine(pair):
    ...     return np.full(pair.left.shape[:2], 8.0)
    >>> scores = bh.run(bh.load("stereo/dense", limit=1), mine, jobs=0)
    >>> scores.query("model == 'mine' and criterion == 'all' and measure == 'bad_pixels'")["value"].round().tolist()
    [100.0]
    """
    from beholder.evaluation.score_table import score_table

    benchmarks, since, tables = _loaded(benchmark), time.time() if fresh else 0.0, []
    refuse_unknown(baselines, benchmarks)
    runs = read_runs([against] if isinstance(against, str | Path) else against)
    most = None if memory is None else parse_limit(memory)
    with open_engine(engine, jobs, timeout, most) as opened, watching(watch) as told:
        for one in benchmarks:
            entrants = {own.name: own for own in enlist(one, name_models(under_test, one), baselines)}
            how = (seed, repeats, keep or Keep(), refuse_trained_in_files, memory_of(one), since)
            tables.append(evaluate(Job(one, entrants, *how), opened, ledger, told, find_earlier(runs, one)))
    return score_table(tables, benchmarks)


def _loaded(given: Any) -> list[Benchmark]:
    """The benchmarks that a caller names or gives."""
    several = [given] if isinstance(given, Benchmark | str) else given
    if not isinstance(several, list | tuple) or not all(isinstance(one, Benchmark | str) for one in several):
        raise Misuse(f"got a {type(given).__name__}; expected a benchmark, such as load('stereo/dense'), or several")
    if not several:
        raise Misuse("got no benchmark; expected one at the least, such as load('stereo/dense')")
    return [load(one) if isinstance(one, str) else one for one in several]


def evaluate(
    job: Job, engine: Engine, ledger: Ledger | None, watch: Watch, earlier: Sequence[Earlier] = ()
) -> pd.DataFrame:
    """The scores of a job, with what run.json says of it in `attrs`; what the ledger holds is not done again."""
    book, benchmark = ledger or Ledger(), job.benchmark
    todo = recall(job, list_unfinished(job, book), book)
    for one in earlier:
        todo = recall_from(one, job, todo, book)
    if ledger and (broken := book.unreadable(benchmark.key)):
        ones = f"{broken} finished outcome{'s' * (broken != 1)}"
        watch.say(f"{ones} cannot be read (damaged, of another version, or sealed with a lost key): computed again.")
    with read_since(job.since):
        described = run_trials(engine, job, todo, book, watch)
    book.commit()
    watch.begin(job.title, len(job.entrants), 0, "models", phase=SCORING)
    tally = Tally()
    ends = {card(measure).label: card(measure).bounds for measure in benchmark.all_measures}
    import scipy.special  # noqa: F401  (amid what is pooled, it would keep the pages that are given back after)

    with single_thread():  # pooled measures and intervals
        scores = with_bounds(table(rows(job, book, tally, watch)), ends)
    give_back()  # what was pooled may have been much
    scores.attrs["run"] = _facts(job, tally, described)
    for one in earlier:
        scores = join(one, job, scores, book)
    return scores


def enlist(
    benchmark: Benchmark, under_test: Mapping[str, Any], baselines: str | Sequence[str] = "all"
) -> list[Entrant]:
    """Everyone who takes part: baselines, the models under test, oracles, people, blind models. Loads no sample."""
    found: list[Entrant] = [Provided(name, "baseline") for name in choose(benchmark, baselines)]
    for name, model in under_test.items():
        found += enter(name, model, benchmark)
    found += [Provided(name, "oracle") for name in benchmark.provided("oracle")]
    people = benchmark.lineup.people
    if people:
        found += [Ceiling(), *(Ceiling(name) for name in people.further)]
        found += [Person(who) for who in (people.roster(benchmark.dataset.whole) if people.roster else ())]
    found += [Provided(name, "blind") for name in benchmark.provided("blind")]
    for entrant in found:
        if entrant.role in JUDGED and entrant.readily:
            refuse_trained(entrant.name, entrant.open(benchmark).model, benchmark.dataset.name)
    return list(_name_apart(found))


def _name_apart(found: Iterable[Entrant]) -> Iterator[Entrant]:
    """Each name once; a built-in that is asked for again is the baseline that is there already."""
    seen: dict[str, Entrant] = {}
    for entrant in found:
        other = seen.get(entrant.name)
        if other is None:
            seen[entrant.name] = entrant
            yield entrant
        elif not (entrant.portable and entrant.spec == entrant.name):
            both = f"got two models called {entrant.name!r} ({other.role}, {entrant.role})"
            raise Misuse(f"{both}; give yours another name: NAME=SPEC, or in Python {{'NAME': model}}")


def _facts(job: Job, tally: Tally, described: Described) -> RunOf:
    """What run.json says of who took part, what it cost and what failed."""
    models = [_model_facts(job, entrant, tally, described) for entrant in job.entrants.values()]
    return {
        "seed": job.seed,
        "repeats": job.repeats,
        "models": models,
        "failed": tally.failed,
        "failures": tally.failures,
        "stimuli": digest(tally.stimuli),
    }


def _describe(job: Job, entrant: Entrant) -> Description:
    """What a model says of itself; nothing where it cannot be made, and then its rows say why."""
    try:
        return describe(entrant.open(job.benchmark).model if entrant.readily else None)
    except Exception:  # noqa: BLE001  (a blind model may have to read a dataset of which a file is damaged)
        return describe(None)


def _model_facts(job: Job, entrant: Entrant, tally: Tally, described: Described) -> ModelFacts:
    """What is known of an entrant; a file of the user's is not imported for that in this process."""
    if entrant.name not in described:
        described[entrant.name] = _describe(job, entrant)
    said = described[entrant.name]
    return {
        "name": entrant.name,
        "role": entrant.role,
        "spec": entrant.spec,
        "cite": said["cite"],
        "facts": said["facts"],
        "settings": said["settings"],
        "parameters": said["parameters"],
        "seconds": round(tally.seconds.get(entrant.name, 0.0), 3),
        "remarks": list(remarks_of(entrant)),
    }
