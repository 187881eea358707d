"""What the user has asked for, found, checked and counted before anything runs."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, get_args

from beholder.core.benchmark import Benchmark
from beholder.core.cite import facts_of
from beholder.core.entrant import Entrant, remarks_of
from beholder.core.sample import STATUSES
from beholder.core.scores import JUDGED
from beholder.engines.progress import SETTING_UP, Silent, Watch
from beholder.errors import Misuse, NeedsDataset, NotFound, Unsuited, listed
from beholder.evaluation.against import Earlier, find_earlier, parts_of, read_runs
from beholder.evaluation.choice import refuse_scopes, refuse_unknown, scoped
from beholder.evaluation.record import SCORES, Run
from beholder.evaluation.run import enlist
from beholder.registry.find import domains, nearest
from beholder.registry.load import benchmark, benchmarks, confine, maker
from beholder.registry.models import models
from beholder.store.digest import digest, file_digest, state_of
from beholder.verdicts.notes import remark_of_dataset, remark_of_model

MOST = 10_000  # files in a folder that a model is said to depend on


@dataclass(frozen=True)
class Request:
    """What the user has asked for."""

    target: str = ""  # nothing, DOMAIN or DOMAIN/NAME
    datasets: tuple[str, ...] = ()
    models: tuple[str, ...] = ()  # [DOMAIN/][NAME=]SPEC
    measures: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    limit: int | None = None
    every: int | None = None
    only: tuple[str, ...] = ()
    seed: int = 0
    repeats: int = 10
    status: str = ""  # the worst reference status whose rows are kept
    against: tuple[Path, ...] = ()  # folders of earlier runs
    baselines: str = "all"  # all, fast, none, or names separated by commas
    depends: tuple[str, ...] = ()  # files and folders that models depend on and that nobody sees them open


class Evaluation(NamedTuple):
    """One benchmark on one dataset, with everyone who takes part."""

    benchmark: Benchmark
    entrants: Mapping[str, Entrant]
    earlier: tuple[Earlier, ...] = ()  # whose models stand beside these

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
    models = [scoped(text) for text in request.models]
    refuse_scopes(models, request.target, chosen)
    ready: list[tuple[Benchmark, Request]] = []
    found: list[Evaluation] = []
    skips = _Skips(alone=len(chosen) == 1)
    watch.begin("benchmarks", len(chosen), 0, "", phase=SETTING_UP)
    for name in chosen:
        own = replace(request, settings=taken[name], models=tuple(one.text for one in models if one.fits(name)))
        for dataset in request.datasets or (None,):
            with skips.over(name):
                ready.append((_benchmark(name, dataset, own), own))
        watch.step(failed=False)
    refuse_unknown(request.baselines, (bench for bench, _ in ready))
    runs = read_runs(request.against)
    for bench, own in ready:
        with skips.over(bench.name):
            found.append(_evaluation(bench, own, runs))
    _refuse_same_names(found)
    _refuse_idle(runs, found)
    if not found:
        raise Misuse(f"nothing to run: {'; '.join(skips.sentences) or 'there is no benchmark'}")
    return Plan(request, tuple(found), skips.sentences, _parts(request, found))


class _Skips:
    """Of several benchmarks, those that cannot be run are skipped with a sentence; one alone is refused."""

    def __init__(self, *, alone: bool) -> None:
        self._alone = alone
        self._names: dict[str, list[str]] = {}  # by the reason

    @contextlib.contextmanager
    def over(self, name: str) -> Iterator[None]:
        """Skip this benchmark if it turns out that it cannot be run."""
        try:
            yield
        except (NeedsDataset, Unsuited) as fault:
            if self._alone:
                raise
            self._names.setdefault(str(fault), []).append(name)

    @property
    def sentences(self) -> tuple[str, ...]:
        """One for each reason."""
        return tuple(
            f"{listed(dict.fromkeys(names))} {'are' if names[1:] else 'is'} skipped: {why}"
            for why, names in self._names.items()
        )


def _parts(request: Request, found: Sequence[Evaluation]) -> dict[str, str]:
    """All that tells a run from another one, by what a user would call it."""
    parts = {
        "--set": str(sorted(request.settings.items())),
        "--measure": ", ".join(request.measures),
        "--seed": str(request.seed),
        "--repeats": str(request.repeats),
        "--status": request.status,
    }
    for bench, entrants, earlier in found:
        dataset = bench.dataset
        parts |= parts_of(bench)
        parts |= {f"the run {one.name}": file_digest(one.run.folder / SCORES) for one in earlier}
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
                f"got two datasets called {key[1]!r} for {key[0]}; their rows would look the same: run them separately"
            )
        seen.add(key)


def _check(request: Request) -> None:
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


def _benchmark(name: str, dataset: str | None, request: Request) -> Benchmark:
    """A benchmark on the samples that are asked for."""
    rest = request.measures, tuple(request.settings.items()), None
    full = benchmark(name, dataset, *rest)
    if dataset is None and (gathered := _gathered(full, request.models)):
        full = benchmark(name, gathered, *rest)
    ids = _chosen(full, request)
    own = confine(full, ids) if ids != full.dataset.ids else full
    if dataset is not None:
        _refuse_dataset(own)
    return own


def _evaluation(own: Benchmark, request: Request, runs: Sequence[Run]) -> Evaluation:
    """A benchmark with everyone who takes part; there must be somebody to be judged."""
    under_test: dict[str, Any] = {}
    for text in request.models:
        for label, model in models(text, own).items():
            if label in under_test:
                raise Misuse(f"got two models called {label!r}; name one of them NAME=SPEC")
            under_test[label] = model
    entrants = {entrant.name: entrant for entrant in enlist(own, under_test, request.baselines)}
    earlier = tuple(find_earlier(runs, own))
    judged = any(entrant.role in JUDGED for entrant in entrants.values())
    if request.baselines != "all" and not judged and not earlier:
        raise Unsuited(f"Nothing to judge: add --model NAME, or leave out --baselines {request.baselines}")
    return Evaluation(own, entrants, earlier)


def _refuse_idle(runs: Sequence[Run], found: Sequence[Evaluation]) -> None:
    """Refuse an earlier run that has nothing to be compared with."""
    used = {id(one.run) for evaluation in found for one in evaluation.earlier}
    for run in runs:
        if id(run) not in used:
            had = listed(f"{one['name']} on {one['datasets'][0]['name']}" for one in run.facts["benchmarks"])
            raise Misuse(f"got --against {run.folder}, which holds {had}; expected a run of what is run here")


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
            kinds = " or ".join(kind.__name__ for kind in get_args(wanted) or (wanted,))
            raise NeedsDataset(
                f"got the dataset {bench.dataset.name}, holding {type(thing).__name__}; {bench.name} needs one that "
                f"holds {kinds}; `beholder show {bench.name}` says more"
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
