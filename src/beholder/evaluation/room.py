"""How much memory and disk a benchmark takes: measured by each run, and remembered in the cache for a dry run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from beholder.core.job import Job
from beholder.engines.protocol import Engine
from beholder.evaluation.figures import answers_folder, figures_folder
from beholder.evaluation.plan import Evaluation
from beholder.evaluation.time_left import remember, remembered
from beholder.io import memory
from beholder.store.runs import read_finished, size_of

if TYPE_CHECKING:
    import pandas as pd

FILE = "room.json"  # in the cache folder, beside costs.json
TABLES = ("scores.csv", "run.json", "report.html", "report")  # what grows with the rows


class Room(NamedTuple):
    """Bytes that were measured; 0: not yet."""

    worker: float = 0.0  # of memory, of a worker with what it has started, at the most
    coordinator: float = 0.0  # of memory, at the most
    trial: float = 0.0  # on disk: ledger, scores and pages
    sample: float = 0.0  # on disk, of each sample that is drawn: pictures and answers


def known_room(job: Job) -> Room:
    """What is remembered of a benchmark on a dataset; of memory with the same models of the user's, if they ran."""
    return _known(job.title, _company(job))


def _known(*titles: str) -> Room:
    """What is remembered under some titles; what a later one says holds."""
    known = remembered(file=FILE)
    own = {name: size for title in titles for name, size in known.get(title, {}).get("bytes", {}).items()}
    return Room(**{name: size for name, size in own.items() if name in Room._fields})


def _company(job: Job) -> str:
    """A benchmark on a dataset with those models that are not ours: they may take any amount of memory."""
    return " + ".join([job.title, *sorted(one.spec or one.name for one in job.entrants.values() if not one.built_in)])


def measure_memory(job: Job, engine: Engine) -> None:
    """Remember what workers and this process have held at the most, where the engine can tell."""
    ask = getattr(engine, "peak", None)
    worker = ask() if ask else 0
    if worker:
        before = _known(_company(job))
        found = {"worker": max(worker, before.worker), "coordinator": max(memory.peak(), before.coordinator)}
        remember({_company(job): {"bytes": found}}, file=FILE)


def measure_disk(folder: Path, evaluations: Iterable[Evaluation], scores: pd.DataFrame) -> None:
    """Remember what a finished run takes on disk, by trial and by drawn sample."""
    tables, finished = sum(size_of(folder / name) for name in TABLES), read_finished(folder)
    for one in evaluations:
        bench = one.benchmark
        mine = (scores["benchmark"] == bench.name) & (scores["dataset"] == bench.dataset.name)
        rows = float(mine.mean()) * tables
        ledger = sum(own.bytes for (key, _), own in finished.items() if key == bench.key)
        found = {"trial": (rows + ledger) / max(one.trials, 1)}
        pictures = size_of(figures_folder(folder, bench)) + size_of(answers_folder(folder, bench))
        if drawn := len(list(figures_folder(folder, bench).glob("*.webp"))):
            found["sample"] = pictures / drawn
        remember({Job(bench, one.entrants).title: {"bytes": found}}, file=FILE)
