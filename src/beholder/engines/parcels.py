"""Jobs as bytes: what can be built again from its spec travels as its spec, and everything else as its pickle."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from beholder.core.benchmark import Benchmark
from beholder.core.job import Job
from beholder.core.sample import Dataset
from beholder.engines.protocol import Parcel
from beholder.registry.load import benchmark, rebuild_dataset
from beholder.registry.trained_on import refuse_trained_in_files
from beholder.store.cache import Cache


class _Packer(pickle.Pickler):
    """Pickles benchmarks and datasets as their specs, wherever they stand."""

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, Benchmark) and thing.spec:
            return benchmark, thing.spec
        if isinstance(thing, Dataset) and thing.spec:
            return rebuild_dataset, (thing.spec, thing.ids)
        return NotImplemented


def pack(thing: Any) -> bytes | None:
    """A thing as bytes that another process can read; None where it lives in a script or a notebook, or cannot be."""
    buffer = io.BytesIO()
    try:
        _Packer(buffer, protocol=5).dump(thing)
    except Exception:  # noqa: BLE001  (pickling runs anybody's code)
        return None
    data = buffer.getvalue()
    return None if b"__main__" in data else data


def pack_job(job: Job, names: Iterable[str]) -> tuple[bytes | None, list[str]]:
    """A job with those of its entrants that can travel, and their names; nothing where the benchmark cannot."""
    bench = pack(job.benchmark)
    if bench is None:
        return None, []
    entrants = {name: data for name in names if (data := pack(job.entrants[name]))}
    return pickle.dumps((bench, entrants, job.seed, job.repeats, job.keep, job.since), protocol=5), list(entrants)


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
