"""What the user has asked for, found, checked and counted before anything runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

from beholder.core.benchmark import Benchmark, NeedsDataset
from beholder.core.cite import facts_of
from beholder.core.entrant import Own
from beholder.core.sample import STATUSES
from beholder.errors import Misuse, NotFound
from beholder.evaluation.run import entrants
from beholder.registry.find import domains, nearest
from beholder.registry.load import benchmark, benchmarks, maker
from beholder.registry.plug import models
from beholder.store.cache import digest, file_digest, package


@dataclass(frozen=True)
class Order:
    """What the user has asked for."""

    target: str = ""  # nothing, DOMAIN or DOMAIN/NAME
    datasets: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    limit: int | None = None
    every: int | None = None
    only: tuple[str, ...] = ()
    seed: int = 0
    repeats: int = 10
    status: str = ""  # the worst reference status whose rows are kept


class Part(NamedTuple):
    """One benchmark on one dataset, with the models that were asked for."""

    benchmark: Benchmark
    under_test: Mapping[str, Any]


class Plan(NamedTuple):
    """All that will be done."""

    order: Order
    parts: tuple[Part, ...]
    skipped: tuple[str, ...]
    digest: str

    @property
    def trials(self) -> int:
        """How many times a model is put to a sample."""
        return sum(len(p.benchmark.dataset) * len(entrants(p.benchmark, p.under_test)) for p in self.parts)


def plan(order: Order) -> Plan:
    """Everything found, checked and counted before anything runs; `Misuse` where that cannot be."""
    _check(order)
    chosen = targets(order.target)
    taken = _settings(chosen, order)
    parts: list[Part] = []
    skipped: list[str] = []
    for name in chosen:
        for dataset in order.datasets or (None,):
            try:
                parts.append(_part(name, dataset, replace(order, settings=taken[name])))
            except NeedsDataset as fault:
                if len(chosen) == 1:
                    raise
                skipped.append(f"{name} is skipped: {fault}")
    _refuse_same_names(parts)
    if not parts:
        raise Misuse(f"nothing to run: {'; '.join(skipped) or 'there is no benchmark'}")
    facts = [_stamp(part) for part in parts]
    mark = digest(
        package(), facts, sorted(order.settings.items()), order.measures, order.seed, order.repeats, order.status
    )
    return Plan(order, tuple(parts), tuple(skipped), digest(mark, [_files(text) for text in _texts(order)])[:10])


def _refuse_same_names(parts: Sequence[Part]) -> None:
    """Two datasets of one name could not be told apart in a table."""
    seen: set[tuple[str, str]] = set()
    for part in parts:
        key = (part.benchmark.name, part.benchmark.dataset.name)
        if key in seen:
            raise Misuse(
                f"got two datasets called {key[1]!r} for {key[0]}; their rows would look alike: run them apart"
            )
        seen.add(key)


def _check(order: Order) -> None:
    if order.models and "/" not in order.target and order.target not in domains():
        raise Misuse("got --model without a domain, and a model fits one domain only; expected: run DOMAIN --model …")
    if order.limit is not None and order.limit < 1:
        raise Misuse(f"got --limit {order.limit}; expected 1 or more")
    if order.every is not None and order.every < 1:
        raise Misuse(f"got --every {order.every}; expected 1 or more")
    if order.repeats < 1:
        raise Misuse(f"got --repeats {order.repeats}; expected 1 or more")
    if order.seed < 0:
        raise Misuse(f"got --seed {order.seed}; expected 0 or more")
    if order.status not in STATUSES:
        raise Misuse(f"got --status {order.status!r}{nearest(order.status, STATUSES[1:])}")


def targets(target: str) -> list[str]:
    """The benchmarks that a word means: all, those of a domain, or one."""
    everything = benchmarks()
    if not target:
        return everything
    found = [name for name in everything if name == target or name.startswith(f"{target}/")]
    if not found:
        raise NotFound(f"no benchmark or domain called {target!r}{nearest(target, [*everything, *domains()])}")
    return found


def _settings(chosen: Sequence[str], order: Order) -> dict[str, dict[str, Any]]:
    """The settings of each benchmark: of several, each takes those that it has, and every one must fit somewhere."""
    if len(chosen) == 1:
        return {chosen[0]: dict(order.settings)}
    has = {name: set(signature(maker(name)).parameters) for name in chosen}
    every = sorted(set().union(*has.values()) - {"dataset"})
    for key in order.settings:
        if key not in every:
            raise Misuse(f"none of these {len(chosen)} benchmarks has a setting {key!r}{nearest(key, every)}")
    return {name: {key: value for key, value in order.settings.items() if key in own} for name, own in has.items()}


def _part(name: str, dataset: str | None, order: Order) -> Part:
    spec = (name, dataset, order.measures, tuple(order.settings.items()))
    full = benchmark(*spec, None)
    if dataset is not None:
        _refuse_dataset(full)
    ids = _chosen(full, order)
    own = benchmark(*spec, ids) if ids != full.dataset.ids else full
    under_test: dict[str, Any] = {}
    for text in order.models:
        for label, model in models(text, own).items():
            if label in under_test:
                raise Misuse(f"got two models called {label!r}; name one of them NAME=SPEC")
            under_test[label] = model
    entrants(own, under_test)  # refuses names that are taken
    return Part(own, under_test)


def _refuse_dataset(bench: Benchmark) -> None:
    """Refuse a dataset that holds other things than the benchmark is about; one that cannot load fails in its rows."""
    try:
        first = bench.dataset[0] if bench.takes and len(bench.dataset) else None
    except Exception:  # noqa: BLE001  (loading runs anybody's code)
        return
    if first is None or bench.takes is None:
        return
    for thing, wanted in zip((first.stimulus, first.reference), bench.takes, strict=True):
        if not isinstance(thing, wanted):
            raise NeedsDataset(
                f"got the dataset {bench.dataset.name}, holding {type(thing).__name__}; {bench.name} needs one that "
                f"holds {wanted.__name__}; `beholder show {bench.name}` says more"
            )


def check_family(what: Plan, family: str) -> None:
    """Refuse a family that no model can be of, before anything runs; what users' models say of themselves is open."""
    known: set[str] = set()
    for part in what.parts:
        for entrant in entrants(part.benchmark, part.under_test):
            if entrant.role == "model" and not isinstance(entrant.model, Own) and not entrant.ours:
                return
            if entrant.role == "model":
                own = isinstance(entrant.model, Own)
                model = part.benchmark.own("baselines")[entrant.name] if own else entrant.model.open()
                known.add(facts_of(model).get("family", ""))
    if family not in known:
        raise NotFound(f"no model here is of the family {family!r}{nearest(family, known - {''})}")


def _chosen(bench: Benchmark, order: Order) -> tuple[str, ...]:
    """The samples that --only, --every and --limit leave."""
    ids: Sequence[str] = order.only or bench.dataset.ids
    known = set(bench.dataset.ids)
    for id in order.only:
        if id not in known:
            raise NotFound(f"dataset {bench.dataset.name} has no sample {id!r}{nearest(id, known)}")
    return tuple(ids[:: order.every or 1][: order.limit])


def _stamp(part: Part) -> list[Any]:
    bench = part.benchmark
    people = [(e.name, e.role, e.stamp) for e in entrants(bench, part.under_test)]
    return [bench.name, bench.version, bench.dataset.name, bench.dataset.fingerprint, bench.dataset.ids, people]


def _texts(order: Order) -> list[str]:
    return [*order.datasets, *order.models, *order.measures, *map(str, order.settings.values())]


def _files(spec: str) -> str:
    """A digest of the user's file that a spec names, or of the folder in its settings, as in wta_lif(of='dir:maps').

    So a changed file is another run.
    """
    if inner := re.search(r"\(.*?dir:([^'\",)]+)", spec):
        place = Path(inner[1]).expanduser()
        return digest([(f.name, *f.stat()[6:9:2]) for f in sorted(place.glob("*"))] if place.is_dir() else [])
    match = re.search(r"([^=:]+\.py):", spec)
    path = Path(match[1] if match else spec).expanduser()
    return file_digest(path) if path.is_file() else ""
