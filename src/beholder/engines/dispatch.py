"""Puts every entrant to every sample that is left: on an engine where that can be, else in this process."""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Any, NamedTuple

from beholder.core.failures import describe_fault
from beholder.core.job import Job
from beholder.core.trial import Outcome, fail_whole, trial
from beholder.engines.from_executor import FromExecutor
from beholder.engines.parcels import pack_job, unpack_job
from beholder.engines.progress import ANSWERING, LOADING, Watch
from beholder.engines.protocol import Died, Engine, Parcel
from beholder.engines.serial import Serial
from beholder.engines.shared import Todo, share
from beholder.errors import Misuse
from beholder.registry.describe import Description, describe
from beholder.registry.find import find
from beholder.store.ledger import Ledger
from beholder.store.opened import list_opened
from beholder.store.paths import answer_path

BLOCK = 0.1  # seconds of work that are sent to a worker at once
LARGEST = 64  # samples that are sent at once at the most
DEATHS = 3  # of its workers, after which a sample is given up: the first ones may have been killed from outside
PATIENCE = 6  # deaths of a model's workers after which none of its samples is tried again


Described = dict[str, Description]  # what models say of themselves, by name


@contextlib.contextmanager
def open_engine(
    engine: str | Engine | Executor, jobs: int, timeout: float | None, memory: int | None = None
) -> Iterator[Engine]:
    """Open an engine by its name and close it afterwards; one that is given stays open. No jobs: this process."""
    if isinstance(engine, Executor):
        yield FromExecutor(engine)
        return
    if not isinstance(engine, str):
        yield engine
        return
    watched = {} if memory is None else {"memory": memory}  # not every engine can watch it
    made: Engine = find("engines", engine if jobs else "serial")(max(jobs, 1), timeout=timeout, **watched)
    try:
        yield made
    except BaseException:
        made.close(now=True)
        raise
    made.close()


def list_unfinished(job: Job, ledger: Ledger) -> Todo:
    """For each entrant the samples that are not finished, in the dataset's order."""
    todo = {}
    for name in job.entrants:
        finished = ledger.finished(job.benchmark.key, name) - _without_file(job, ledger, name)
        todo[name] = [id for id in job.benchmark.dataset.ids if id not in finished]
    return todo


def _without_file(job: Job, ledger: Ledger, name: str) -> set[str]:
    """Finished samples whose answer is wanted as a file that is missing: they are asked again."""
    folder, files = job.keep.folder, job.benchmark.files
    if folder is None or files is None:
        return set()
    wanted = [id for id in job.benchmark.dataset.ids if job.keep.wants(name, id)]
    missing = [id for id in wanted if not answer_path(folder, name, id, files.suffixes[0]).is_file()]
    key = job.benchmark.key
    return {id for id in missing if (seen := ledger.outcome(key, name, id)) and not seen.failure}


class _Desk(NamedTuple):
    """Where outcomes go."""

    job: Job
    ledger: Ledger
    watch: Watch

    def note(self, opened: set[str], written: set[str]) -> None:
        """Write down which files outcomes depend on: not what models wrote themselves, nor what is named in specs."""
        named = {path for entrant in self.job.entrants.values() for path in entrant.files}
        self.ledger.note(opened - named, written)

    def add(self, name: str, id: str, outcome: Outcome) -> None:
        """Write an outcome into the ledger, share it with later runs, and move the bar."""
        sealed = self.ledger.add(self.job.benchmark.key, name, id, outcome)
        if not outcome.failure:
            share(self.job, name, id, sealed)
        self.watch.step(bool(outcome.failure), name, outcome.seconds)


def run_trials(engine: Engine, job: Job, todo: Mapping[str, Sequence[str]], ledger: Ledger, watch: Watch) -> Described:
    """Put each entrant to its samples; what cannot travel to the engine's workers runs in this process.

    Returns what the models said of themselves where they were opened.
    """
    desk, left = _Desk(job, ledger, watch), {name: ids for name, ids in todo.items() if ids}
    described: Described = {}
    parcel, ready = _send(engine, job, left, watch, described) if engine.remote and left else (None, [])
    total, unfinished = len(todo) * len(job.benchmark.dataset), sum(map(len, left.values()))
    watch.begin(job.title, total, total - unfinished, phase=ANSWERING)
    if parcel is not None:
        _work_through(engine, parcel, {name: left.pop(name) for name in ready}, desk)
    _work_through(Serial(), job, left, desk)
    return described


def _send(
    engine: Engine, job: Job, left: Mapping[str, Sequence[str]], watch: Watch, described: Described
) -> tuple[Parcel | None, list[str]]:
    """The job on its way to the workers, and the entrants that could be opened there."""
    watch.begin(job.title, len(left), 0, "models", phase=LOADING)
    packed = pack_job(job, left)
    if packed.data is None:
        stays = f"{job.benchmark.name} cannot be sent to a worker process ({packed.why})"
        watch.say(f"{stays}, so its models run in this one.")
        return None, []
    parcel = engine.share(packed.data)
    for name, why in packed.staying.items():
        watch.say(f"{name} cannot be sent to a worker process ({why}), so it runs in this one, without a time-out.")
    return parcel, _open_all(engine, parcel, job, packed.travelling, watch, described)


def open_entrant(where: Parcel | Job, name: str, *_: Any) -> None:
    """In a worker, before every task: open the entrant. What goes wrong will show in the task itself."""
    with contextlib.suppress(Exception, SystemExit):
        _job(where).respondent(name)


def describe_entrant(where: Parcel | Job, name: str) -> tuple[str, Description]:
    """In a worker: open an entrant; a sentence where that cannot be done, and what its model says of itself."""
    try:
        return "", describe(_job(where).respondent(name).model)
    except (Exception, SystemExit) as fault:  # noqa: BLE001  (importing runs anybody's code)
        return describe_fault(fault), describe(None)


class Done(NamedTuple):
    """What came of some trials, and the files behind it that this process has not told of before."""

    outcomes: list[Outcome]
    opened: set[str]
    written: set[str]


def do_trials(where: Parcel | Job, name: str, ids: Sequence[str]) -> Done:
    """Put one entrant to some samples."""
    job = _job(where)
    home = Path.cwd()
    outcomes = []
    for id in ids:
        outcomes.append(trial(job, name, id))
        os.chdir(home)  # a model may have gone elsewhere, and paths of others are relative
    if job.entrants[name].built_in:  # depends on nothing but our own source
        return Done(outcomes, set(), set())
    return Done(outcomes, *job.news(*list_opened()))


def _job(where: Parcel | Job) -> Job:
    """The job itself in this process; a worker unpacks it."""
    return where if isinstance(where, Job) else unpack_job(where)


def _open_all(
    engine: Engine, parcel: Parcel, job: Job, names: Sequence[str], watch: Watch, described: Described
) -> list[str]:
    """The entrants that open in a worker. A spec that does not is misuse; a function then runs in this process."""
    asked = {name: engine.submit(describe_entrant, parcel, name, prepare=open_entrant) for name in names}
    fine = []
    for name, future in asked.items():
        fault, described[name] = _described(engine, parcel, name, future)
        watch.step(failed=False)
        entrant = job.entrants[name]
        if not fault:
            fine.append(name)
        elif not entrant.portable:
            watch.say(f"{name} cannot be opened in a worker process ({fault}), so it runs in this one.")
        else:
            raise Misuse(f"model {name!r} ({entrant.spec}) cannot be opened: {fault}")
    return fine


def _described(engine: Engine, parcel: Parcel, name: str, future: Future[Any]) -> tuple[str, Description]:
    """What `describe_entrant` says; a worker that dies meanwhile may have been killed from outside: ask again."""
    fault = ""
    for _ in range(DEATHS):
        try:
            found: tuple[str, Description] = future.result()
            return found
        except Died as died:
            fault = str(died)
            future = engine.submit(describe_entrant, parcel, name, prepare=open_entrant)
        except Exception as fault_:  # noqa: BLE001  (whatever befell the worker)
            return str(fault_), describe(None)
    return fault, describe(None)


def _work_through(engine: Engine, where: Parcel | Job, todo: Mapping[str, Sequence[str]], desk: _Desk) -> None:
    """Keep the workers busy until all is done. A block that was lost with its worker is tried again one by one."""
    pace, job = _Pace(), desk.job
    lanes = _Lanes(job.benchmark.dataset.ids, todo, pace)
    again: deque[_Block] = deque()
    pending: dict[Future[Done], tuple[_Block, float]] = {}
    deaths: dict[tuple[str, str], int] = {}
    while True:
        while len(pending) < engine.slots:
            block = again.popleft() if again else lanes.take()
            if block is None:
                break
            task = (where, block.name, block.ids)
            future = engine.submit(do_trials, *task, prepare=open_entrant if engine.remote else None)
            pending[future] = block, time.monotonic()
        if not pending:
            return
        for future in wait(pending, timeout=0.5, return_when=FIRST_COMPLETED).done:
            block, since = pending.pop(future)
            block.lane.busy -= 1
            name, ids = block.name, block.ids
            try:
                done = future.result()
                desk.note(done.opened, done.written)
                for id, outcome in zip(ids, done.outcomes, strict=True):
                    desk.add(name, id, outcome)
                pace.took((time.monotonic() - since) / len(ids))
            except Misuse:  # no model's fault, and the next task would meet it too
                raise
            except Exception as fault:  # noqa: BLE001  (whatever befell a worker costs its rows only)
                pace.slow()
                retried = _retry(block, fault, deaths)
                again += retried
                block.lane.busy += len(retried)
                if not retried:
                    desk.add(name, ids[0], fail_whole(job.benchmark, "failed", str(fault)))
        desk.ledger.tick()


def _retry(block: _Block, fault: Exception, deaths: dict[tuple[str, str], int]) -> list[_Block]:
    """What of a lost block is tried again: of several samples each alone; of one, what may not have been its fault.

    A worker may have been killed from outside, so deaths are forgiven, unless this model's workers keep dying.
    """
    name, ids = block.name, block.ids
    if len(ids) > 1:
        return [block._replace(ids=(id,)) for id in ids]
    deaths[name, ids[0]] = deaths.get((name, ids[0]), 0) + 1
    often = sum(count for (who, _), count in deaths.items() if who == name) > PATIENCE
    return [block] if isinstance(fault, Died) and deaths[name, ids[0]] < DEATHS and not often else []


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


class _Lane:
    """A few samples, and the entrants that are still to be put to them."""

    def __init__(self, left: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        self.left = deque(left)
        self.busy = 0  # how many workers are at these samples


class _Block(NamedTuple):
    """What is sent to a worker at once."""

    name: str
    ids: tuple[str, ...]
    lane: _Lane


class _Lanes:
    """What is left to do, in the order of the dataset.

    Whoever is free goes on with samples that no other worker is at: they are loaded once, and a slow readout that
    several entrants need is computed by the first and found by the next. Only when there are no others left, several
    workers share a lane.
    """

    def __init__(self, ids: Sequence[str], todo: Mapping[str, Sequence[str]], pace: _Pace) -> None:
        self._ids = deque(ids)
        self._todo = {name: set(own) for name, own in todo.items()}
        self._pace = pace
        self._lanes: list[_Lane] = []

    def take(self) -> _Block | None:
        """The next block; None where there is none."""
        self._lanes = [lane for lane in self._lanes if lane.left]
        free = next((lane for lane in self._lanes if not lane.busy), None)
        lane = free or self._open() or min(self._lanes, key=lambda lane: lane.busy, default=None)
        if lane is None:
            return None
        lane.busy += 1
        return _Block(*lane.left.popleft(), lane)

    def _open(self) -> _Lane | None:
        """A lane of samples that nobody has begun with."""
        while self._ids:
            ids = [self._ids.popleft() for _ in range(min(self._pace.size, len(self._ids)))]
            own = ((name, tuple(id for id in ids if id in left)) for name, left in self._todo.items())
            lane = _Lane((name, mine) for name, mine in own if mine)
            if lane.left:
                self._lanes.append(lane)
                return lane
        return None
