"""Puts every entrant to every sample that is left: on an engine where that can be, else in this process."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any, NamedTuple

from beholder.core.job import Job
from beholder.core.resources import suffices, tell_resources
from beholder.core.trial import Outcome, fail_whole
from beholder.engines.batches import Batch, Lanes
from beholder.engines.from_executor import FromExecutor
from beholder.engines.parcels import ALWAYS_HERE, pack_job, pack_sample
from beholder.engines.progress import ANSWERING, LOADING, Watch
from beholder.engines.protocol import LOST, Died, Engine, Parcel, Unseen
from beholder.engines.serial import Serial
from beholder.engines.shared import Todo, share, write_answer
from beholder.engines.tasks import Done, describe_entrant, do_trials, list_news, look, open_entrant, open_entrants
from beholder.errors import Misuse, Terminated
from beholder.registry.describe import Description, describe
from beholder.registry.find import find
from beholder.store.ledger import Ledger

DEATHS = 3  # of its workers, after which a sample is given up: the first ones may have been killed from outside
PATIENCE = 6  # deaths of a model's workers after which none of its samples is tried again


Described = dict[str, Description]  # what models say of themselves, by name


def find_engine(spec: str, memory: int | None = None) -> Callable[..., Engine]:
    """The function that makes the engine behind NAME or NAME:ADDRESS, in which a worker may hold so many bytes.

    >>> find_engine("local:tcp://127.0.0.1:8786")
    Traceback (most recent call last):
    beholder.errors.Misuse: got --engine local:tcp://127.0.0.1:8786; expected local, which takes no address
    >>> find_engine("serial", memory=4_000_000_000)
    Traceback (most recent call last):
    beholder.errors.Misuse: got a memory limit and --engine serial, which has no worker to end; expected local
    """
    name, _, address = spec.partition(":")
    make: Callable[..., Engine] = find("engines", name)
    takes = inspect.signature(make).parameters
    if address and "address" not in takes:
        raise Misuse(f"got --engine {spec}; expected {name}, which takes no address")
    if memory is not None and "memory" not in takes:
        raise Misuse(f"got a memory limit and --engine {name}, which has no worker to end; expected local")
    given = {"address": address or None, "memory": memory}
    return functools.partial(make, **{name: value for name, value in given.items() if value is not None})


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
    made = find_engine(engine if jobs else "serial", memory)(max(jobs, 1), timeout=timeout)
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
    wanted = {id: job.answer_file(name, id) for id in job.benchmark.dataset.ids}
    missing = [id for id, file in wanted.items() if file and not file.is_file()]
    key = job.benchmark.key
    return {id for id in missing if (seen := ledger.outcome(key, name, id)) and not seen.failure}


class _Desk(NamedTuple):
    """Where outcomes go."""

    job: Job
    ledger: Ledger
    watch: Watch
    named: frozenset[str]  # the files that specs name

    def note(self, opened: set[str], written: set[str]) -> None:
        """Write down which files outcomes depend on: not what models wrote themselves, nor what is named in specs."""
        self.ledger.note(opened - self.named, written)

    def add(self, name: str, id: str, outcome: Outcome, answer: bytes | None = None, *, sharing: bool = False) -> None:
        """Write an outcome into the ledger, share it with later runs if it may be, and move the bar."""
        if answer is not None:
            write_answer(self.job, name, id, answer)
        sealed = self.ledger.add(self.job.benchmark.key, name, id, outcome)
        if sharing and not outcome.failure:
            share(self.job, name, id, sealed)
        self.watch.step(bool(outcome.failure), name, outcome.seconds)


class _Way(NamedTuple):
    """How a job gets to an engine's workers."""

    where: Parcel | Job
    names: Sequence[str]  # who can be opened there
    ship: bool = False  # samples travel with their tasks
    needs: Mapping[str, Mapping[str, float]] = {}  # of entrants that need more than others
    lost: Mapping[str, str] = {}  # who cannot be opened without losing the worker, and how that went


def run_trials(engine: Engine, job: Job, todo: Mapping[str, Sequence[str]], ledger: Ledger, watch: Watch) -> Described:
    """Put each entrant to its samples; what cannot travel to the engine's workers runs in this process.

    Returns what the models said of themselves where they were opened.
    """
    named = frozenset(path for entrant in job.entrants.values() for path in entrant.files)
    desk, left = _Desk(job, ledger, watch, named), {name: ids for name, ids in todo.items() if ids}
    described: Described = {}
    unseen = ""
    while True:
        try:
            way = _send(engine, job, left, watch, described, unseen) if engine.remote and left else None
            _run_here_and_there(engine, way, left, desk)
            return described
        except Unseen as fault:  # by a worker that has come since, or whose folder has gone
            if unseen:
                raise
            unseen = str(fault)
            left = {name: ids for name, ids in list_unfinished(job, ledger).items() if ids and name in todo}


def _run_here_and_there(engine: Engine, way: _Way | None, left: Mapping[str, Sequence[str]], desk: _Desk) -> None:
    """Put those who got to the engine's workers to their samples there, and the others in this process."""
    job, ledger = desk.job, desk.ledger
    total, unfinished = len(job.entrants) * len(job.benchmark.dataset), sum(map(len, left.values()))
    failed = sum(ledger.failed(job.benchmark.key, name) for name in job.entrants)
    desk.watch.begin(job.title, total, total - unfinished, phase=ANSWERING, failed=failed)
    there = set() if way is None else {*way.names, *way.lost}
    if way is not None:
        able = {name: ids for name, ids in left.items() if name in there and _can_run(engine, way, desk, name, ids)}
        _in_turn(engine, way, able, desk)
    _in_turn(Serial(), _Way(job, ()), {name: ids for name, ids in left.items() if name not in there}, desk)


def _in_turn(engine: Engine, way: _Way, todo: Mapping[str, Sequence[str]], desk: _Desk) -> None:
    """Entrants of ours first, then others, whose code may change what it can reach: each in processes of their own."""
    ours = {name: ids for name, ids in todo.items() if desk.job.entrants[name].built_in}
    theirs = {name: ids for name, ids in todo.items() if name not in ours}
    if ours and any(not desk.job.entrants[name].built_in for name in way.names):
        engine.renew()  # they were opened there
    _work_through(engine, way, ours, desk)
    _work_through(engine, way, theirs, desk)
    if theirs:
        engine.renew()


def _can_run(engine: Engine, way: _Way, desk: _Desk, name: str, ids: Sequence[str]) -> bool:
    """Whether an entrant can be opened, and some worker has what it needs; where not, its rows say so."""
    needs = way.needs.get(name, {})
    if name in way.lost:
        why, then = f"it cannot be opened: {way.lost[name]}", "--resume tries again"
    elif not engine.places or any(suffices(place, needs) for place in engine.places):
        return True
    else:
        why, then = f"it needs {tell_resources(needs)}, and no worker has that", "Once one has, --resume runs it"
    desk.watch.say(f"{name} cannot run: {why}. {then}.")
    for id in ids:
        desk.add(name, id, fail_whole(desk.job.benchmark, "failed", why))
    return False


def _send(
    engine: Engine, job: Job, left: Mapping[str, Sequence[str]], watch: Watch, described: Described, unseen: str
) -> _Way | None:
    """The job on its way to the workers, and the entrants that could be opened there.

    `unseen`: why a worker cannot read the dataset, where that is known from a first try.
    """
    watch.begin(job.title, len(left), 0, "models", phase=LOADING)
    packed = pack_job(job, left, far=engine.far)
    parcel = None if packed.data is None else engine.share(packed.data)
    why = "" if parcel is None or not engine.far else unseen or _unseen(engine, parcel)
    if ship := bool(why):
        watch.say(
            f"{job.benchmark.dataset.name} cannot be read where the workers are ({why}), so its samples travel with "
            "their tasks; blind models and oracles, which may look at all samples, run in this process."
        )
        left = {name: ids for name, ids in left.items() if job.entrants[name].role not in ALWAYS_HERE}
        packed = pack_job(job, left, far=True, ship=True)
        parcel = None if packed.data is None else engine.share(packed.data)
    if parcel is None:
        stays = f"{job.benchmark.name} cannot be sent to a worker process ({packed.why})"
        watch.say(f"{stays}, so its models run in this one.")
        return None
    for name, why in packed.staying.items() if not unseen else ():
        watch.say(f"{name} cannot be sent to a worker process ({why}), so it runs in this one, without a time-out.")
    names, lost = _open_all(engine, parcel, job, packed.travelling, watch, described)
    needs = {name: its for name in names if (its := described[name]["resources"])}
    return _Way(parcel, names, ship, needs, lost)


def _unseen(engine: Any, parcel: Parcel) -> str:
    """Why some machine cannot read the dataset; nothing where all can."""
    for future in engine.everywhere(look, parcel):
        try:
            future.result()
        except Unseen as fault:
            return str(fault)
        except LOST as fault:
            raise Misuse(
                f"a worker was lost while it looked at the dataset ({fault}); give the same command again, with a "
                "larger --timeout or --memory where it needs that"
            ) from fault
    return ""


def _open_all(
    engine: Engine, parcel: Parcel, job: Job, names: Sequence[str], watch: Watch, described: Described
) -> tuple[list[str], dict[str, str]]:
    """The entrants that open in a worker, and those that take it along, which must not be tried in this process.

    A spec that does not open is misuse; a function then runs in this process.
    """
    asked = {name: engine.submit(describe_entrant, parcel, name, prepare=open_entrant) for name in names}
    fine: list[str] = []
    lost: dict[str, str] = {}
    for name, future in asked.items():
        fault, described[name] = _described(engine, parcel, name, future)
        watch.step(failed=False)
        entrant = job.entrants[name]
        if not fault:
            fine.append(name)
        elif entrant.portable:
            where = " on a worker, which needs its files under the same path as here" if engine.far else ""
            raise Misuse(f"model {name!r} ({entrant.spec}) cannot be opened{where}: {fault}")
        elif isinstance(fault, LOST) and not entrant.built_in:
            lost[name] = str(fault)
        else:
            watch.say(f"{name} cannot be opened in a worker process ({fault}), so it runs in this one.")
    return fine, lost


def _described(engine: Engine, parcel: Parcel, name: str, future: Future[Any]) -> tuple[str | Exception, Description]:
    """What `describe_entrant` says; a worker that dies meanwhile may have been killed from outside: ask again."""
    deaths: list[Died] = []
    while True:
        try:
            found: tuple[str, Description] = future.result()
            return found
        except Misuse:  # the engine is lost
            raise
        except Died as fault:
            deaths.append(fault)
            if len(deaths) == DEATHS:
                return fault, describe(None)
        except Exception as fault:  # noqa: BLE001  (whatever befell the worker)
            return next(iter(deaths), fault), describe(None)  # a pool that a death has broken takes no more tasks
        future = engine.submit(describe_entrant, parcel, name, prepare=open_entrant)


def _work_through(engine: Engine, way: _Way, todo: Mapping[str, Sequence[str]], desk: _Desk) -> None:
    """Keep the workers busy until all is done. A batch that was lost with its worker is tried again one by one."""
    lanes = Lanes(desk.job.benchmark.dataset.ids, todo, alone=way.needs, slots=engine.slots)
    again: deque[Batch] = deque()
    pending: dict[Future[Done], Batch] = {}
    deaths: dict[tuple[str, str], int] = {}
    alone = False
    while True:
        while len(pending) < engine.slots + (engine.ahead if lanes.quick else 0):
            may = functools.partial(_may, engine, way, [batch.work[0][0] for batch in pending.values()])
            batch = again.popleft() if again and may(again[0].work[0][0]) else lanes.take(may)
            if batch is None:
                break
            pending[_submit(engine, way, desk, batch)] = batch
        if not pending:
            return
        if Terminated.told:  # and a model has caught it
            raise Terminated
        alone = _tell_alone(engine, desk.watch, told=alone)
        for future in wait(pending, timeout=0.5, return_when=FIRST_COMPLETED).done:
            batch = pending.pop(future)
            batch.lane.busy -= 1
            try:
                done = future.result()
            except Misuse:  # no model's fault, and the next task would meet it too
                raise
            except Exception as fault:  # noqa: BLE001  (whatever befell a worker costs its rows only)
                lanes.slow()
                retried = _retry(batch, fault, deaths)
                again += retried
                batch.lane.busy += len(retried)
                if not retried:
                    desk.add(*batch.pairs[0], fail_whole(desk.job.benchmark, "failed", str(fault)))
                continue
            desk.note(done.opened, done.written)
            for pair, outcome in done.outcomes.items():
                desk.add(*pair, outcome, done.answers.get(pair), sharing=done.clean)
                lanes.took(pair[0], done.seconds[pair])
        if engine.remote:
            desk.ledger.tick()
        else:  # until the next task is done, nobody would commit
            desk.ledger.commit()


def _tell_alone(engine: Engine, watch: Watch, *, told: bool) -> bool:
    """Whether all workers of a cluster have gone; that is said once."""
    alone = engine.far and not engine.places
    if alone and not told:
        watch.say("The cluster has no workers any more: waiting for new ones. Ctrl-C stops; the same command goes on.")
    return alone


def _may(engine: Engine, way: _Way, running: Sequence[str], name: str) -> bool:
    """Whether an entrant may run beside others: if what they need together is there. Whoever is alone may."""
    if name not in way.needs or not running or not engine.places:
        return True
    wanted = [way.needs.get(one, {}) for one in (*running, name)]
    together = {key: sum(one.get(key, 0.0) for one in wanted) for key in way.needs[name]}
    return suffices({key: sum(place.get(key, 0.0) for place in engine.places) for key in together}, together)


def _submit(engine: Engine, way: _Way, desk: _Desk, batch: Batch) -> Future[Done]:
    """Send a batch, with its samples where workers cannot load them."""
    shipped: list[Parcel] = []
    if way.ship:
        for id in dict.fromkeys(id for _, id in batch.pairs):
            if id not in batch.lane.shipped:
                batch.lane.shipped[id] = engine.share(pack_sample(desk.job.benchmark.dataset, id))
            shipped.append(batch.lane.shipped[id])
        if not desk.job.memory:  # here the dataset's files were opened, and not where the models are
            desk.note(*list_news(desk.job))
    prepare = open_entrants if engine.remote else None
    return engine.submit(
        do_trials, way.where, batch.work, *shipped, prepare=prepare, needs=way.needs.get(batch.work[0][0])
    )


def _retry(batch: Batch, fault: Exception, deaths: dict[tuple[str, str], int]) -> list[Batch]:
    """What of a lost batch is tried again: of several trials each alone; of one, what may not have been its fault.

    A worker may have been killed from outside, so deaths are forgiven, unless this model's workers keep dying.
    """
    if len(batch.pairs) > 1:
        return batch.split()
    name, id = batch.pairs[0]
    deaths[name, id] = deaths.get((name, id), 0) + (fault.deaths if isinstance(fault, Died) else 1)
    often = sum(count for (who, _), count in deaths.items() if who == name) > PATIENCE
    return [batch] if isinstance(fault, Died) and deaths[name, id] < DEATHS and not often else []
