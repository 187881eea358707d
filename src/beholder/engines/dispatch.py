"""Puts every entrant to every sample that is left: in supervised workers where that can be, else in this process."""

from __future__ import annotations

import contextlib
import os
import pickle
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from beholder.core.benchmark import Benchmark
from beholder.core.entrant import Job, said_of
from beholder.core.failures import says
from beholder.core.trial import Outcome, lost, trial
from beholder.engines.local import Died, Local, Serial
from beholder.engines.progress import Watch
from beholder.errors import Misuse
from beholder.registry.plug import Plug
from beholder.store.ledger import Ledger
from beholder.store.paths import answer_path

BLOCK = 0.1  # seconds of work that are sent to a worker at once
LARGEST = 64  # samples that are sent at once at the most
DEATHS = 3  # of its workers, after which a sample is given up: the first ones may have been killed from outside
PATIENCE = 6  # deaths of a model's workers after which none of its samples is tried again


def part(benchmark: Benchmark) -> str:
    """What a ledger calls a benchmark on a dataset."""
    return f"{benchmark.name}@{benchmark.dataset.name}#{benchmark.dataset.fingerprint}"


def remaining(job: Job, book: Ledger) -> dict[str, list[str]]:
    """For each entrant the samples that are not finished, in the dataset's order."""
    todo = {}
    for name in job.entrants:
        finished = book.finished(part(job.benchmark), name) - unkept(job, book, name)
        todo[name] = [id for id in job.benchmark.dataset.ids if id not in finished]
    return todo


def unkept(job: Job, book: Ledger, name: str) -> set[str]:
    """Samples whose answer is wanted as a file that is not there: finished without failure, but asked once more."""
    folder, files = job.keep.folder, job.benchmark.files
    if folder is None or files is None:
        return set()
    wanted = job.benchmark.dataset.ids if job.keep.ids is None else job.keep.ids
    missing = [id for id in wanted if not answer_path(folder, name, id, files.suffixes[0]).is_file()]
    return {id for id in missing if (seen := book.outcome(part(job.benchmark), name, id)) and not seen.failure}


def here(job: Job, todo: Mapping[str, Sequence[str]], book: Ledger, watch: Watch) -> None:
    """Do what is left in this process."""
    _work_through(Serial(), job, job, todo, _Notes(job, book, watch))


class _Notes(NamedTuple):
    """Where outcomes go."""

    job: Job
    book: Ledger
    watch: Watch

    def add(self, name: str, id: str, outcome: Outcome) -> None:
        """Write an outcome into the ledger and move the bar."""
        self.book.add(part(self.job.benchmark), name, id, outcome)
        self.watch.step(bool(outcome.failure))


def in_workers(
    job: Job, todo: dict[str, list[str]], book: Ledger, watch: Watch, *, jobs: int, timeout: float | None
) -> None:
    """Do what can be done in workers; `todo` loses what was done."""
    with tempfile.TemporaryDirectory(prefix="beholder-") as place, _pool(jobs, timeout) as pool:
        path = Path(place, "job")
        names = _sent(job, [name for name, ids in todo.items() if ids], path, watch)
        names = _ready(pool, path, job, names, watch)
        mine = {name: todo.pop(name) for name in names}
        _work_through(pool, path, job, mine, _Notes(job, book, watch))


@contextlib.contextmanager
def _pool(jobs: int, timeout: float | None) -> Iterator[Local]:
    pool = Local(jobs, timeout=timeout, prepare=prepare)
    try:
        yield pool
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def _sent(job: Job, names: Sequence[str], path: Path, watch: Watch) -> list[str]:
    """Write the job down for the workers; the entrants that could be written."""
    bench = _pickled(job.benchmark)
    if bench is None:
        watch.say(f"{job.benchmark.name} cannot be built in another process, so its models run in this one.")
        return []
    sent = {name: data for name in names if (data := _pickled(job.entrants[name]))}
    for name in names:
        if name not in sent:
            watch.say(f"{name} cannot be sent to a worker process, so it runs in this one, without a time-out.")
    path.write_bytes(pickle.dumps((bench, sent, job.seed, job.repeats, job.keep), protocol=5))
    return list(sent)


def _pickled(thing: Any) -> bytes | None:
    """A thing as bytes that another process can read: not when it lives in a script or a notebook."""
    try:
        data = pickle.dumps(thing, protocol=5)
    except Exception:  # noqa: BLE001  (pickling runs anybody's code)
        return None
    return None if b"__main__" in data else data


@lru_cache(maxsize=2)
def _job(path: Path) -> Job:
    """The job in a worker; entrants are opened when they are asked for."""
    bench, sent, seed, repeats, keep = pickle.loads(path.read_bytes())
    return Job(pickle.loads(bench), _Unpickled(sent), seed, repeats, keep)


class _Unpickled(dict[str, Any]):
    """Entrants by name, each unpickled at first use, so that one that cannot be costs itself only."""

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        if isinstance(value, bytes):
            value = self[name] = pickle.loads(value)
        return value


def prepare(where: Path, name: str, *_: Any) -> None:
    """In a worker, before every task: open the model. What goes wrong will show in the task itself."""
    with contextlib.suppress(Exception, SystemExit):
        _job(where).opened(name)


def ready(path: Path, name: str) -> tuple[str, dict[str, Any]]:
    """In a worker: open an entrant's model; a sentence where that cannot be done, and what it says of itself."""
    try:
        return "", said_of(_job(path).opened(name))
    except (Exception, SystemExit) as fault:  # noqa: BLE001  (importing runs anybody's code)
        return says(fault), {}


def work(where: Path | Job, name: str, ids: Sequence[str]) -> list[Outcome]:
    """Put one entrant to some samples; a worker finds the job in a file."""
    job = where if isinstance(where, Job) else _job(where)
    home = Path.cwd()
    outcomes = []
    for id in ids:
        outcomes.append(trial(job, name, id))
        os.chdir(home)  # a model may have gone elsewhere, and paths of others are relative
    return outcomes


def _ready(pool: Local, path: Path, job: Job, names: Sequence[str], watch: Watch) -> list[str]:
    """The entrants whose models open in a worker. A spec that does not is misuse; a function then runs here."""
    asked = {name: pool.submit(ready, path, name) for name in names}
    fine = []
    for name, future in asked.items():
        fault, job.known[name] = _opened(pool, path, name, future)
        model = job.entrants[name].model
        if not fault:
            fine.append(name)
        elif isinstance(model, Plug):
            raise Misuse(f"model {name!r} ({model.spec}) cannot be opened: {fault}")
        else:
            watch.say(f"{name} cannot be opened in a worker process ({fault}), so it runs in this one.")
    return fine


def _opened(pool: Local, path: Path, name: str, future: Future[Any]) -> tuple[str, dict[str, str]]:
    """What `ready` says; a worker that dies meanwhile may have been killed from outside, so it is asked again."""
    fault = ""
    for _ in range(DEATHS):
        try:
            found: tuple[str, dict[str, str]] = future.result()
            return found
        except Died as died:
            fault = str(died)
            future = pool.submit(ready, path, name)
        except Exception as fault_:  # noqa: BLE001  (whatever befell the worker)
            return str(fault_), {}
    return fault, {}


def _work_through(
    pool: Local | Serial,
    where: Path | Job,
    job: Job,
    todo: Mapping[str, Sequence[str]],
    notes: _Notes,
) -> None:
    """Keep the workers busy until all is done. A block that was lost with its worker is tried again one by one."""
    pace = _Pace()
    blocks = _blocks(job.benchmark.dataset.ids, todo, pace)
    again: deque[tuple[str, tuple[str, ...]]] = deque()
    pending: dict[Future[list[Outcome]], tuple[str, tuple[str, ...], float]] = {}
    deaths: dict[tuple[str, str], int] = {}
    while True:
        while len(pending) < 2 * pool.slots:
            block = again.popleft() if again else next(blocks, None)
            if block is None:
                break
            pending[pool.submit(work, where, *block)] = (*block, time.monotonic())
        if not pending:
            return
        for future in wait(pending, timeout=0.5, return_when=FIRST_COMPLETED).done:
            name, ids, since = pending.pop(future)
            try:
                for id, outcome in zip(ids, future.result(), strict=True):
                    notes.add(name, id, outcome)
                pace.took((time.monotonic() - since) / len(ids))
            except Exception as fault:  # noqa: BLE001  (whatever befell a worker costs its rows only)
                pace.slow()
                retried = _retried(name, ids, fault, deaths)
                again += retried
                if not retried:
                    notes.add(name, ids[0], lost(job, "failed", str(fault)))
        notes.book.tick()


def _retried(name: str, ids: tuple[str, ...], fault: Exception, deaths: dict[tuple[str, str], int]) -> list[Any]:
    """What of a lost block is tried again: of several samples each alone; of one, what may not have been its fault.

    A worker may have been killed from outside, so deaths are forgiven, unless this model's workers keep dying.
    """
    if len(ids) > 1:
        return [(name, (id,)) for id in ids]
    deaths[name, ids[0]] = deaths.get((name, ids[0]), 0) + 1
    often = sum(count for (who, _), count in deaths.items() if who == name) > PATIENCE
    return [(name, ids)] if isinstance(fault, Died) and deaths[name, ids[0]] < DEATHS and not often else []


class _Pace:
    """How many samples are sent at once: one at first, more when they prove quick."""

    def __init__(self) -> None:
        self.size = 1

    def took(self, seconds: float) -> None:
        """A sample took so long, waiting included."""
        self.size = max(1, min(LARGEST, self.size * 2, int(BLOCK / max(seconds, 1e-9))))

    def slow(self) -> None:
        """Something went wrong: one at a time again."""
        self.size = 1


def _blocks(
    ids: Sequence[str], todo: Mapping[str, Sequence[str]], pace: _Pace
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(entrant, samples) in the order of the dataset, so that a worker loads a sample once for several entrants."""
    left = {name: set(own) for name, own in todo.items()}
    at = 0
    while at < len(ids):
        block = ids[at : at + pace.size]
        at += len(block)
        for name, own in left.items():
            mine = tuple(id for id in block if id in own)
            if mine:
                yield name, mine
