"""What the user has asked for, found, checked and counted before anything runs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

from beholder.core.benchmark import Benchmark
from beholder.core.cite import facts_of
from beholder.core.entrant import Entrant, remarks_of
from beholder.core.sample import STATUSES
from beholder.engines.progress import SETTING_UP, Silent, Watch
from beholder.errors import Misuse, NeedsDataset, NotFound, Unsuited
from beholder.evaluation.run import enlist
from beholder.registry.find import domains, nearest
from beholder.registry.load import benchmark, benchmarks, confine, maker
from beholder.registry.models import models
from beholder.store.digest import digest, file_digest, package, state_of
from beholder.verdicts.notes import remark_of_dataset, remark_of_model

MOST = 10_000  # files in a folder that a model is said to depend on


@dataclass(frozen=True)
class Request:
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
    depends: tuple[str, ...] = ()  # files and folders that models depend on and that nobody sees them open


class Evaluation(NamedTuple):
    """One benchmark on one dataset, with everyone who takes part."""

    benchmark: Benchmark
    entrants: Mapping[str, Entrant]

    @property
    def trials(self) -> int:
        """How many times an entrant is put to a sample."""
        return len(self.benchmark.dataset) * len(self.entrants)

    @property
    def remarks(self) -> list[str]:
        """What dataset and models say of files that are missing, or are not used."""
        dataset = self.benchmark.dataset
        said = [(entrant.name, remark) for entrant in self.entrants.values() for remark in remarks_of(entrant)]
        return [
            *(remark_of_dataset(dataset.name, remark) for remark in dataset.remarks),
            *(remark_of_model(*each) for each in said),
        ]


class Plan(NamedTuple):
    """All that will be done."""

    request: Request
    evaluations: tuple[Evaluation, ...]
    skipped: tuple[str, ...]
    parts: Mapping[str, str]  # all that tells this run from another one: what it is called, and its present state

    @property
    def digest(self) -> str:
        """What tells this run from another one, in a word."""
        return digest(self.parts)[:10]

    @property
    def remarks(self) -> list[str]:
        """What is to be said when the run starts, each sentence once."""
        return list(dict.fromkeys(remark for one in self.evaluations for remark in one.remarks))


def plan(request: Request, watch: Watch | None = None) -> Plan:
    """Everything found, checked and counted before anything runs; `Misuse` where that cannot be."""
    watch = watch or Silent()
    _check(request)
    chosen = targets(request.target)
    taken = _settings(chosen, request)
    found: list[Evaluation] = []
    skipped: list[str] = []
    watch.begin("benchmarks", len(chosen), 0, "", phase=SETTING_UP)
    for name in chosen:
        for dataset in request.datasets or (None,):
            try:
                found.append(_evaluation(name, dataset, replace(request, settings=taken[name])))
            except (NeedsDataset, Unsuited) as fault:
                if len(chosen) == 1:
                    raise
                skipped.append(f"{name} is skipped: {fault}")
        watch.step(failed=False)
    _refuse_same_names(found)
    if not found:
        raise Misuse(f"nothing to run: {'; '.join(skipped) or 'there is no benchmark'}")
    return Plan(request, tuple(found), tuple(skipped), _parts(request, found))


def _parts(request: Request, found: Sequence[Evaluation]) -> dict[str, str]:
    """All that tells a run from another one, by what a user would call it."""
    parts = {
        "Beholder, or a library that it computes with": package(),
        "--set": str(sorted(request.settings.items())),
        "--measure": ", ".join(request.measures),
        "--seed": str(request.seed),
        "--repeats": str(request.repeats),
        "--status": request.status,
    }
    for bench, entrants in found:
        dataset = bench.dataset
        parts[f"{bench.name} on {dataset.name}"] = f"version {bench.version}, {dataset.fingerprint}"
        parts |= {f"{used.name} of {bench.name}": used.digest for used in bench.uses}
        parts[f"the samples of {bench.name} on {dataset.name}"] = digest(dataset.ids)
        for entrant in entrants.values():
            parts[f"{entrant.role} {entrant.name} of {bench.name}"] = entrant.stamp
            parts |= entrant.files
    for text in _texts(request):
        parts |= _files(text)
    for text in request.depends:
        parts |= _depended_on(text)
    return parts


def _depended_on(text: str) -> dict[str, str]:
    """Digests of a file, or of all files in a folder, that the user says a model depends on."""
    path = Path(text).expanduser()
    if not text or not path.exists():
        raise NotFound(f"got --depends {text!r}, which is not there; expected a file or a folder")
    try:
        inside = itertools.islice((file for file in path.rglob("*") if file.is_file()), MOST + 1)
        files = sorted(inside) if path.is_dir() else [path]
        if len(files) > MOST or not all(file.is_file() for file in files):
            what = f"a folder of more than {MOST:,} files" if path.is_dir() else "which is no regular file"
            raise Misuse(f"got --depends {text}, {what}; expected those that a model's answers depend on")
        return {str(file.absolute()): file_digest(file) for file in files}
    except OSError as fault:
        raise Misuse(f"got --depends {text}, which cannot be read: {fault.strerror}: {fault.filename}") from None


def _refuse_same_names(found: Sequence[Evaluation]) -> None:
    """Two datasets of one name could not be told apart in a table."""
    seen: set[tuple[str, str]] = set()
    for one in found:
        key = (one.benchmark.name, one.benchmark.dataset.name)
        if key in seen:
            raise Misuse(
                f"got two datasets called {key[1]!r} for {key[0]}; their rows would look alike: run them apart"
            )
        seen.add(key)


def _check(request: Request) -> None:
    if request.models and "/" not in request.target and request.target not in domains():
        raise Misuse("got --model without a domain, and a model fits one domain only; expected: run DOMAIN --model …")
    if request.limit is not None and request.limit < 1:
        raise Misuse(f"got --limit {request.limit}; expected 1 or more")
    if request.every is not None and request.every < 1:
        raise Misuse(f"got --every {request.every}; expected 1 or more")
    if request.repeats < 1:
        raise Misuse(f"got --repeats {request.repeats}; expected 1 or more")
    if request.seed < 0:
        raise Misuse(f"got --seed {request.seed}; expected 0 or more")
    if request.status not in STATUSES:
        raise Misuse(f"got --status {request.status!r}{nearest(request.status, STATUSES[1:])}")


def targets(target: str) -> list[str]:
    """The benchmarks that a word means: all, those of a domain, or one."""
    everything = benchmarks()
    if not target:
        return everything
    found = [name for name in everything if name == target or name.startswith(f"{target}/")]
    if not found:
        raise NotFound(f"no benchmark or domain called {target!r}{nearest(target, [*everything, *domains()])}")
    return found


def _settings(chosen: Sequence[str], request: Request) -> dict[str, dict[str, Any]]:
    """The settings of each benchmark: of several, each takes those that it has, and every one must fit somewhere."""
    if len(chosen) == 1:
        return {chosen[0]: dict(request.settings)}
    has = {name: set(signature(maker(name)).parameters) for name in chosen}
    every = sorted(set().union(*has.values()) - {"dataset"})
    for key in request.settings:
        if key not in every:
            raise Misuse(f"none of these {len(chosen)} benchmarks has a setting {key!r}{nearest(key, every)}")
    return {name: {key: value for key, value in request.settings.items() if key in own} for name, own in has.items()}


def _evaluation(name: str, dataset: str | None, request: Request) -> Evaluation:
    rest = request.measures, tuple(request.settings.items()), None
    full = benchmark(name, dataset, *rest)
    if dataset is None and (gathered := _gathered(full, request.models)):
        full = benchmark(name, gathered, *rest)
    ids = _chosen(full, request)
    own = confine(full, ids) if ids != full.dataset.ids else full
    if dataset is not None:
        _refuse_dataset(own)
    under_test: dict[str, Any] = {}
    for text in request.models:
        for label, model in models(text, own).items():
            if label in under_test:
                raise Misuse(f"got two models called {label!r}; name one of them NAME=SPEC")
            under_test[label] = model
    return Evaluation(own, {entrant.name: entrant for entrant in enlist(own, under_test)})


def _gathered(bench: Benchmark, texts: Sequence[str]) -> str:
    """The dataset that folders of answers make up by themselves, where all models are such and the benchmark lets them.

    Nothing where they do not: then its own dataset is taken.
    """
    folders = [re.sub(r"^(\w[\w .+-]*=)?dir:", "", text) for text in texts]
    if bench.hooks.gather is None or not texts or any(a == b for a, b in zip(folders, texts, strict=True)):
        return ""
    return bench.hooks.gather([Path(folder).expanduser().absolute() for folder in folders])


def _refuse_dataset(bench: Benchmark) -> None:
    """Refuse a dataset that holds other things than the benchmark is about; one that cannot load fails in its rows."""
    try:
        first = bench.dataset[0] if bench.hooks.holds and len(bench.dataset) else None
    except Exception:  # noqa: BLE001  (loading runs anybody's code)
        return
    if first is None or bench.hooks.holds is None:
        return
    for thing, wanted in zip((first.stimulus, first.reference), bench.hooks.holds, strict=True):
        if not isinstance(thing, wanted):
            raise NeedsDataset(
                f"got the dataset {bench.dataset.name}, holding {type(thing).__name__}; {bench.name} needs one that "
                f"holds {wanted.__name__}; `beholder show {bench.name}` says more"
            )


def check_family(what: Plan, family: str) -> None:
    """Refuse a family that no model can be of, before anything runs; what users' models say of themselves is open."""
    known: set[str] = set()
    for evaluation in what.evaluations:
        for entrant in evaluation.entrants.values():
            if entrant.role == "model":
                return
            if entrant.role == "baseline":
                known.add(facts_of(entrant.open(evaluation.benchmark).model).get("family", ""))
    if family not in known:
        raise NotFound(f"no model here is of the family {family!r}{nearest(family, known - {''})}")


def _chosen(bench: Benchmark, request: Request) -> tuple[str, ...]:
    """The samples that --only, --every and --limit leave."""
    ids: Sequence[str] = request.only or bench.dataset.ids
    known = set(bench.dataset.ids)
    for id in request.only:
        if id not in known:
            raise NotFound(f"dataset {bench.dataset.name} has no sample {id!r}{nearest(id, known)}")
    return tuple(ids[:: request.every or 1][: request.limit])


def _texts(request: Request) -> list[str]:
    return [*request.datasets, *request.models, *request.measures, *map(str, request.settings.values())]


def _files(spec: str) -> dict[str, str]:
    """The user's file that a spec names, or the folder in its settings, as in wta_lif(of='dir:maps'), and their state.

    So a changed file is another run.
    """
    if inner := re.search(r"\(.*?dir:([^'\",)]+)", spec):
        place = Path(inner[1]).expanduser()
        return {str(file.absolute()): state_of(file) for file in sorted(place.glob("*"))} if place.is_dir() else {}
    match = re.search(r"([^=:]+\.py):", spec)
    path = Path(match[1] if match else spec).expanduser()
    return {str(path.absolute()): file_digest(path)} if path.is_file() else {}
