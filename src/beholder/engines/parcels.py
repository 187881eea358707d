"""Jobs as bytes: what can be built again from its spec travels as its spec, and everything else as its pickle.

What lives in a notebook or a script, and lambdas and closures wherever they stand, travel by value (cloudpickle). Only
what this very process has packed is unpacked by its workers.
"""

from __future__ import annotations

import io
import pickle
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from beholder.core.benchmark import Benchmark
from beholder.core.failures import describe_fault
from beholder.core.job import Job
from beholder.core.sample import Dataset, Sample
from beholder.engines.protocol import Parcel, Unseen
from beholder.errors import NotFound
from beholder.io.pickles import Bounded, pickled
from beholder.io.scratch import Scratch
from beholder.registry.load import benchmark, rebuild_dataset
from beholder.registry.trained_on import refuse_trained_in_files
from beholder.store.cache import Cache
from beholder.store.opened import watch_files

ALWAYS_HERE = ("blind", "oracle")  # roles that may look at all samples: they do not travel where samples are shipped
LARGEST = 1 << 29  # bytes of one model: each worker would hold as much once more


def _dump(thing: Any, buffer: io.BytesIO, *, ship: bool = False) -> None:
    """Pickle a thing, benchmarks and datasets as their specs wherever they stand; `ship`: datasets without samples."""
    import cloudpickle

    class Packer(cloudpickle.Pickler):  # type: ignore[misc]  # it has no types
        def reducer_override(self, thing: Any) -> Any:
            if isinstance(thing, Benchmark) and thing.spec:
                if not ship:
                    return benchmark, thing.spec
                name, _, *how, _ = thing.spec
                return _rebuild_on, ((name, thing.dataset, *how, None), thing.dataset)
            if isinstance(thing, Dataset) and ship and not isinstance(thing.load, Shipped):
                return _keep_values, (replace(thing, load=Shipped()),)
            if isinstance(thing, Dataset) and thing.spec:
                return rebuild_dataset, (thing.spec, thing.ids)
            return super().reducer_override(thing)

    Packer(buffer, protocol=5).dump(thing)


def _keep_values(thing: Any) -> Any:
    return thing


def _rebuild_on(spec: tuple[Any, ...], final: Dataset[Any, Any]) -> Benchmark:
    """A benchmark whose samples come as it has made them already: it must not change them again."""
    return benchmark(*spec).on(final)


@dataclass(frozen=True)
class Shipped:
    """Loads the samples that have come with a task."""

    def __call__(self, id: str) -> Sample[Any, Any]:
        """A sample of this task."""
        found = _arrived.get(id, f"the sample {id} did not come with this task: models look at their own sample only")
        if isinstance(found, str):
            raise NotFound(found)
        return found


_arrived: dict[str, Sample[Any, Any] | str] = {}  # in a worker: the samples of its task, or why there is none


def pack_sample(of: Dataset[Any, Any], id: str) -> bytes:
    """A sample as bytes; or the fault that there was instead, for the row to say."""
    try:
        with watch_files():
            return pickled((id, of.load(id)))
    except Exception as fault:  # noqa: BLE001  (a failure is a row)
        return pickle.dumps((id, describe_fault(fault)))


def receive(parcels: Iterable[Parcel]) -> None:
    """In a worker: unpack the samples that have come with a task."""
    _arrived.clear()
    for parcel in parcels:
        id, found = pickle.loads(parcel.read())
        _arrived[id] = found


def _packed(thing: Any, *, ship: bool = False) -> tuple[bytes | None, str]:
    """A thing as bytes; or nothing, and why it cannot be."""
    buffer = Bounded(LARGEST)
    try:
        _dump(thing, buffer, ship=ship)
    except Exception as fault:  # noqa: BLE001  (pickling runs anybody's code)
        return None, describe_fault(fault)
    return buffer.getvalue(), ""


def pack(thing: Any) -> bytes | None:
    """A thing as bytes that another process can read; None where it cannot be."""
    return _packed(thing)[0]


class Packed(NamedTuple):
    """A job as bytes, with those of its entrants that can travel."""

    data: bytes | None  # None where the benchmark cannot travel
    travelling: tuple[str, ...] = ()
    staying: Mapping[str, str] = {}  # who cannot travel, and why
    why: str = ""  # the benchmark cannot


def pack_job(job: Job, names: Iterable[str], *, far: bool = False, ship: bool = False) -> Packed:
    """A job with those of its entrants that can travel; nothing where the benchmark cannot.

    What goes `far` is checked there: the dataset must be the same. `ship` leaves the samples out: they follow.
    """
    bench, why = _packed(job.benchmark, ship=ship)
    if bench is None:
        return Packed(None, why=why)
    tried = {name: _packed(job.entrants[name], ship=ship) for name in names}
    entrants = {name: data for name, (data, _) in tried.items() if data is not None}
    same = job.benchmark.dataset.fingerprint if far else ""
    data = pickle.dumps((bench, entrants, job.seed, job.repeats, job.keep, job.memory, job.since, same), protocol=5)
    return Packed(data, tuple(entrants), {name: why for name, (data, why) in tried.items() if data is None})


@lru_cache(maxsize=2)
def unpack_job(parcel: Parcel) -> Job:
    """The job in a worker, built once; entrants are unpacked when they are asked for."""
    bench, entrants, seed, repeats, keep, memory, Cache.since, same = pickle.loads(parcel.read())
    made = _unpack_there(bench, same) if same else pickle.loads(bench)
    if same and keep.folder:
        keep = keep._replace(folder=Path(_own_folder().name), post=True)
    return Job(made, _Unpacked(entrants), seed, repeats, keep, refuse_trained_in_files, memory)


@cache
def _own_folder() -> Scratch:
    """Where a worker on another machine lays an answer down until it is sent."""
    return Scratch()


def _unpack_there(bench: bytes, same: str) -> Benchmark:
    """A benchmark on another machine: its dataset must be the one that is meant."""
    try:
        made: Benchmark = pickle.loads(bench)
    except Exception as fault:
        raise Unseen(f"{platform.node()}: {describe_fault(fault)}") from fault
    if made.dataset.fingerprint != same:
        raise Unseen(f"{platform.node()}: other files stand there under this name")
    return made


@lru_cache(maxsize=1)
def unpack(data: bytes) -> Any:
    """What `pack` has packed, built once for all tasks that share it."""
    return pickle.loads(data)


class _Unpacked(dict[str, Any]):
    """Entrants by name, each unpacked at first use, so that one that cannot be costs itself only."""

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        if isinstance(value, bytes):
            value = self[name] = pickle.loads(value)
        return value
