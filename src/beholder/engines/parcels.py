"""Jobs as bytes: what can be built again from its spec travels as its spec, and everything else as its pickle.

What lives in a notebook or a script, and lambdas and closures wherever they stand, travel by value (cloudpickle). Only
what this very process has packed is unpacked by its workers.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from beholder.core.benchmark import Benchmark
from beholder.core.failures import describe_fault
from beholder.core.job import Job
from beholder.core.sample import Dataset
from beholder.engines.protocol import Parcel
from beholder.io.pickles import Bounded
from beholder.registry.load import benchmark, rebuild_dataset
from beholder.registry.trained_on import refuse_trained_in_files
from beholder.store.cache import Cache

LARGEST = 1 << 29  # bytes of one model: each worker would hold as much once more


def _dump(thing: Any, buffer: io.BytesIO) -> None:
    """Pickle a thing, benchmarks and datasets as their specs wherever they stand."""
    import cloudpickle

    class Packer(cloudpickle.Pickler):  # type: ignore[misc]  # it has no types
        def reducer_override(self, thing: Any) -> Any:
            if isinstance(thing, Benchmark) and thing.spec:
                return benchmark, thing.spec
            if isinstance(thing, Dataset) and thing.spec:
                return rebuild_dataset, (thing.spec, thing.ids)
            return super().reducer_override(thing)

    Packer(buffer, protocol=5).dump(thing)


def _packed(thing: Any) -> tuple[bytes | None, str]:
    """A thing as bytes; or nothing, and why it cannot be."""
    buffer = Bounded(LARGEST)
    try:
        _dump(thing, buffer)
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


def pack_job(job: Job, names: Iterable[str]) -> Packed:
    """A job with those of its entrants that can travel; nothing where the benchmark cannot."""
    bench, why = _packed(job.benchmark)
    if bench is None:
        return Packed(None, why=why)
    tried = {name: _packed(job.entrants[name]) for name in names}
    entrants = {name: data for name, (data, _) in tried.items() if data is not None}
    data = pickle.dumps((bench, entrants, job.seed, job.repeats, job.keep, job.since), protocol=5)
    return Packed(data, tuple(entrants), {name: why for name, (data, why) in tried.items() if data is None})


@lru_cache(maxsize=2)
def unpack_job(parcel: Parcel) -> Job:
    """The job in a worker, built once; entrants are unpacked when they are asked for."""
    bench, entrants, seed, repeats, keep, Cache.since = pickle.loads(parcel.read())
    return Job(pickle.loads(bench), _Unpacked(entrants), seed, repeats, keep, refuse_trained_in_files)


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
