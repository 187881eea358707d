"""What a run would do, and what that takes: what is left, how long, how much memory and disk. Runs nothing."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from beholder.core.job import Job
from beholder.engines.dispatch import open_engine
from beholder.engines.progress import Silent, clock
from beholder.evaluation.execute import Options, folder_for, legs_of
from beholder.evaluation.plan import Evaluation, Plan
from beholder.evaluation.room import Room, known_room
from beholder.evaluation.time_left import Meter
from beholder.io.sizes import say_size
from beholder.registry.load import memory_of
from beholder.store.cache import Cache
from beholder.store.ledger import refuse_sealed_elsewhere
from beholder.store.run_folder import LEDGER, Config, begun, list_changed, refuse_changed, refuse_other
from beholder.store.runs import WHOLE, Finished, read_finished, size_of

UNKNOWN = "not measured yet"


class _Left(NamedTuple):
    """How much of a benchmark is done, and how much is left of each entrant."""

    done: int
    known: int  # found in the cache, where earlier runs have left it
    of: Mapping[str, int]


def forecast(what: Plan, how: Options) -> str:
    """What would be done and what is done already, what it takes by measured costs, and where it would go."""
    folder, how = folder_for(what, how), replace(how, jobs=_slots(how))
    state = _state(what, how, folder)
    finished = {} if how.fresh else read_finished(folder, f"{WHOLE} and not failed" if how.retry else WHOLE)
    left = [_left(one, what, how, finished) for one in what.evaluations]
    by_key = {one.benchmark.key: own.of for one, own in zip(what.evaluations, left, strict=True)}
    meter = Meter(Silent())
    meter.expect(legs_of(what, how, lambda bench, name: by_key[bench.key][name]), how.jobs)
    lines = {
        "trials": _trials(left),
        "time": _time(meter, how),
        "memory": _memory(what, how),
        "disk": _disk(what, how, folder),
        "folder": f"{folder}, {state}",
    }
    who = [_who(one) for one in what.evaluations]
    return "\n".join([*who, *(f"{name:<8}{text}" for name, text in lines.items())])


def _state(what: Plan, how: Options, folder: Path) -> str:
    """What becomes of the folder; one that the run would refuse is refused."""
    if not folder.is_dir():
        return "new"
    refuse_other(folder, Config(what.digest, what.parts), fresh=how.fresh)
    if not begun(folder):
        return "new"
    if how.fresh:
        return "emptied first"
    refuse_changed(folder, list_changed(folder))
    refuse_sealed_elsewhere(folder / LEDGER)
    return "resumed"


def _slots(how: Options) -> int:
    """How many trials go on at once; a cluster is asked, and refused where it does not answer."""
    name, _, address = how.engine.partition(":")
    if not address:
        return 1 if name == "serial" else max(how.jobs, 1)
    with open_engine(how.engine, how.jobs, how.timeout, how.memory) as engine:
        return engine.slots


def _who(one: Evaluation) -> str:
    """One benchmark: how many samples, and who takes part."""
    roles = Counter(entrant.role for entrant in one.entrants.values())
    who = ", ".join(f"{count} {role}" for role, count in roles.items())
    who += "".join(f"; against {earlier.name}" for earlier in one.earlier)
    dataset = one.benchmark.dataset
    return f"{one.benchmark.name} on {dataset.name}: {len(dataset)} samples × {len(one.entrants)} ({who})"


def _left(one: Evaluation, what: Plan, how: Options, finished: Mapping[tuple[str, str], Finished]) -> _Left:
    """What of a benchmark is in the run's ledger, what in the cache, and what is left."""
    bench, ids = one.benchmark, one.benchmark.dataset.ids
    job = Job(bench, one.entrants, what.request.seed, what.request.repeats)
    job.memory = "" if how.fresh else memory_of(bench)
    store, left, done = Cache(), {}, 0
    for name in one.entrants:
        own = finished[bench.key, name].ids if (bench.key, name) in finished else frozenset()
        open_ = [id for id in ids if id not in own]
        done += len(ids) - len(open_)
        left[name] = sum(not _shared(job, name, id, store) for id in open_)
    return _Left(done, one.trials - done - sum(left.values()), left)


def _shared(job: Job, name: str, id: str, store: Cache) -> bool:
    key = job.memory_key(name, id)
    return bool(key) and key in store


def _trials(left: Iterable[_Left]) -> str:
    every = list(left)
    done, known = sum(one.done for one in every), sum(one.known for one in every)
    rest = sum(count for one in every for count in one.of.values())
    before = f"{done:,} done before, " * bool(done) + f"{known:,} known from earlier runs, " * bool(known)
    return f"{done + known + rest:,}: {before}{rest:,} to do" if before else f"{rest:,} to do"


def _time(meter: Meter, how: Options) -> str:
    guess, where = meter.whole(), _workers(how)
    if guess is None:
        return f"{UNKNOWN}; {where}"
    doubt = "" if guess.sure else "; not all of it was measured yet"
    return f"{'about' if guess.sure else 'perhaps'} {clock(guess.seconds)} with {where}{doubt}"


def _workers(how: Options) -> str:
    return f"{how.jobs} worker{'s' * (how.jobs != 1)}"


def _rooms(what: Plan) -> list[Room]:
    return [known_room(Job(one.benchmark, one.entrants)) for one in what.evaluations]


def _memory(what: Plan, how: Options) -> str:
    """The most of any benchmark: they run one after another."""
    rooms = _rooms(what)
    worker, here = max(one.worker for one in rooms), max(one.coordinator for one in rooms)
    if not worker:
        return UNKNOWN
    worker = min(worker, how.memory or worker)
    parts = f"{_workers(how)} of up to {say_size(worker)}, and {say_size(here)} for the coordinator"
    missing = sum(not one.worker for one in rooms)
    return f"about {say_size(how.jobs * worker + here)}: {parts}{_missing(missing, len(rooms))}"


def _missing(count: int, of: int) -> str:
    return f"; {count} of {of} benchmarks {UNKNOWN}" * bool(count)


def _disk(what: Plan, how: Options, folder: Path) -> str:
    """What the folder will take beyond what it holds, and what is free."""
    free = shutil.disk_usage(next(place for place in (folder, *folder.absolute().parents) if place.is_dir())).free
    pairs = [(one, room) for one, room in zip(what.evaluations, _rooms(what), strict=True) if room.trial]
    if not pairs:
        return f"{UNKNOWN}; {say_size(free)} free"
    whole = sum(
        one.trials * room.trial + min(how.samples, len(one.benchmark.dataset)) * room.sample for one, room in pairs
    )
    more = max(whole - (0 if how.fresh else size_of(folder)), 0)
    short = "; that is NOT ENOUGH" if more > free else ""
    missing = _missing(len(what.evaluations) - len(pairs), len(what.evaluations))
    return f"{f'about {say_size(more)}' if more else 'no more'}, {say_size(free)} free{short}{missing}"
