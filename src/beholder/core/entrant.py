"""Who takes part in a run, and all that is needed to put anyone to any sample."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import inspect
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from beholder.core.benchmark import Benchmark, Role
from beholder.core.cite import facts_of, key_of
from beholder.core.sample import Sample
from beholder.registry.plug import Plug
from beholder.registry.spec import OURS, parsed
from beholder.registry.training import refuse_trained, settings_of
from beholder.store.cache import digest


class Own(NamedTuple):
    """A model that the benchmark itself brings."""

    kind: str  # baselines, nulls or oracles
    name: str


class Ceiling(NamedTuple):
    """The other observers, answering for the one left out."""


class Person(NamedTuple):
    """One observer, scored on the others."""

    who: str


class Entrant(NamedTuple):
    """Whoever takes part in a run."""

    name: str
    role: Role
    model: Any  # a callable, Recorded, Plug, Own, Ceiling or Person
    stamp: str = ""  # what tells this state of it from another one

    @property
    def ours(self) -> bool:
        """Whether its answers depend on nothing but our own source, so that they may outlive the run in the cache."""
        named = isinstance(self.model, Plug) and ":" not in parsed(self.model.spec)[0]
        return named or (isinstance(self.model, Own) and self.model.kind == "baselines")


class Keep(NamedTuple):
    """Whose answers are kept as files, and where."""

    folder: Path | None = None
    ids: frozenset[str] | None = frozenset()  # None: all


@dataclass
class Job:
    """All that is needed to put any entrant to any sample of one benchmark."""

    benchmark: Benchmark
    entrants: Mapping[str, Entrant]
    seed: int = 0
    repeats: int = 10
    keep: Keep = field(default_factory=Keep)
    known: dict[str, dict[str, Any]] = field(default_factory=dict)  # what models say of themselves: cite, family …
    _last: tuple[str, Sample[Any, Any], str] | None = field(default=None, repr=False)
    _open: dict[str, Any] = field(default_factory=dict, repr=False)

    def sample(self, id: str) -> tuple[Sample[Any, Any], str]:
        """A sample, read-only, with the digest of its stimulus; the last one is kept for the next model."""
        if self._last is None or self._last[0] != id:
            sample = self.benchmark.dataset.load(id)
            freeze((sample.stimulus, sample.reference))
            self._last = (id, sample, digest(sample.stimulus))
        return self._last[1], self._last[2]

    def opened(self, name: str) -> Any:
        """The model itself, opened once a process."""
        if name not in self._open:
            model = self.entrants[name].model
            if isinstance(model, Plug):
                model = model.open(self.benchmark.files)
            elif isinstance(model, Own):
                model = self.benchmark.own(model.kind)[model.name]
            if self.entrants[name].role == "model":
                refuse_trained(name, model, self.benchmark.dataset.name, files=True)
                if self.benchmark.told and callable(model):
                    model = self.benchmark.told(model)
            self._open[name] = model
        return self._open[name]


def said_of(model: Any) -> dict[str, Any]:
    """What run.json says of a model: its citation and facts, its settings, and a digest that tells these from others.

    Settings are those of its signature, with what a spec or a benchmark has set; what stands in its code is not.

    >>> said_of(lambda movie, *, gain=2.0, rng=None: movie)["settings"]
    {'gain': '2.0'}
    """
    plain = inspect.isroutine(model) or isinstance(model, functools.partial)  # what an object holds may be anything
    settings = {name: value for name, value in settings_of(model).items() if name not in OURS} if plain else {}
    known: dict[str, Any] = {"cite": key_of(model), **facts_of(model)}
    if not settings:
        return known
    known["settings"] = {name: _word(value) for name, value in settings.items()}
    with contextlib.suppress(Exception):  # weights that cannot be pickled have no digest that would stay the same
        pickle.dumps(settings)
        known["parameters"] = digest(settings)
    return known


def _word(value: Any) -> str:
    """A setting as text; another model that it wraps by its name, because an address tells nothing."""
    inner = getattr(value, "func", value)
    try:
        return str(getattr(inner, "__name__", None) or repr(value))
    except Exception:  # noqa: BLE001  (anybody's `repr`)
        return type(value).__name__


def rng_for(seed: int, *names: str) -> np.random.Generator:
    """A generator that depends on nothing but the seed and the names.

    >>> bool(rng_for(1, "set", "a").random() == rng_for(1, "set", "a").random() != rng_for(1, "set", "b").random())
    True
    """
    return np.random.default_rng([seed, *(int.from_bytes(blake2b(n.encode(), digest_size=8).digest()) for n in names)])


def freeze(thing: Any) -> None:
    """Make every array inside read-only: a model must not change what the next one sees."""
    if isinstance(thing, np.ndarray):
        thing.setflags(write=False)
    elif dataclasses.is_dataclass(thing):
        for f in dataclasses.fields(thing):
            freeze(getattr(thing, f.name))
    elif isinstance(thing, Mapping):
        for value in thing.values():
            freeze(value)
    elif isinstance(thing, (list, tuple)):
        for value in thing:
            freeze(value)
