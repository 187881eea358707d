"""Datasets, measures, judges and benchmarks from their specs: here and in every worker the same."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from beholder.core.benchmark import Benchmark, Used
from beholder.core.entrant import names_file
from beholder.core.measure import Measure, card, fix
from beholder.core.sample import Dataset
from beholder.core.verdict import Judge, Verdict
from beholder.errors import Misuse, NotFound
from beholder.io.columns import named
from beholder.io.remote import at_url, fetch
from beholder.registry.find import domains, find, names, nearest, offered
from beholder.registry.remembered import remembered, told
from beholder.registry.spec import check_settings, configure, parse, resolve, split_path
from beholder.store.digest import digest, package
from beholder.store.paths import cache_folder, fetched

RECORDS = "datasets.records"  # of datasets that can be had by name


def dataset(place: str, spec: str) -> Dataset[Any, Any]:
    """The dataset behind `name`, `name:path`, `name(key=value)`, `file.py:function` or `package.module:function`.

    A path may be a URL, such as s3://lab/mit1003. A path alone is a dataset where a dataset.toml beside it says its
    kind. What stands there are defaults of settings.
    """
    spec = spelt(place, spec)
    head, colon, path = split_path(spec)
    name, settings = parse(head)
    if name in names(place) or name in offered(place):
        make = find(place, name)
        args = [_place(path)] if colon else []
    else:
        if colon and ".py:" not in spec and not _can_be_function(head, path):
            hint = nearest(name, [*names(place), *offered(place)])
            raise NotFound(f"no dataset called {name!r} in {place}{hint} (for your own function give FILE.py:FUNCTION)")
        name, settings = parse(spec)
        if ":" not in name:
            hint = nearest(name, [*names(place), *offered(place)])
            raise NotFound(f"no dataset called {name!r} in {place}, and no file or folder of that name{hint}")
        make, args = resolve(place, name), []
    _check(make, settings, f"dataset {name}")
    takes, needs = _path(make, settings)
    if args and not takes:
        raise Misuse(f"dataset {name}: it takes no path")
    if needs and not args:
        args = [_fetched(name)]
    note = remembered(args[0], name) if args else None
    if note and note.fits(name):
        _check(make, note.settings, f"{note.place}: dataset {name}")
        settings, args = _with_defaults(note.beside(settings), settings), [note.data(args[0])]
    made = _make(make, f"dataset {spec}", *args, **settings)
    if not isinstance(made, Dataset):
        raise Misuse(f"{spec} gave a {type(made).__name__}; expected a function that returns a Dataset")
    if note and note.fits(name):
        made = replace(made, remarks=(*made.remarks, note.remark))
    object.__setattr__(made, "spec", f"{place}|{spec}")  # how another process builds it
    return made


def spelt(place: str, spec: str) -> str:
    """A dataset's spec with its name: of a path alone, the kind that its dataset.toml says."""
    name = parse(split_path(spec)[0])[0]
    path = Path(spec).expanduser()
    if name in names(place) or name in offered(place) or not path.exists():
        return spec
    note = remembered(path)
    if note is None:
        raise Misuse(
            f"got the path {spec} and no dataset.toml there; expected NAME:{spec}; `beholder check {spec}` helps"
        )
    if note.kind not in (*names(place), *offered(place)):
        raise Misuse(
            f"{note.place}: got the kind {note.kind!r}, which is not in {place}{nearest(note.kind, names(place))}"
        )
    return f"{note.kind}:{spec}"


def dataset_settings(made: Dataset[Any, Any]) -> dict[str, Any]:
    """The settings with which a dataset was made: of its spec, over those that its folder remembers."""
    head, colon, path = split_path(made.spec.partition("|")[2])
    name, settings = parse(head)
    note = remembered(_place(path), name) if colon else None
    return _with_defaults(note.beside(settings), settings) if note and note.fits(name) else settings


def with_columns(spec: str, columns: str) -> str:
    """A dataset's spec that also says which columns mean what.

    >>> with_columns("fixations(time=s):a.csv", "stimulus=stim")
    "fixations(time='s',columns='stimulus=stim'):a.csv"
    """
    note = remembered(Path(spec).expanduser())
    head, colon, path = (note.kind, ":", spec) if note else split_path(spec)
    name, settings = parse(head)
    if "columns" in settings:
        raise Misuse(f"got --columns, and columns in {head}; expected them in one place")
    said = ",".join(f"{key}={value!r}" for key, value in {**settings, "columns": columns}.items())
    return f"{name}({said}){colon}{path}"


def all_with_columns(specs: Sequence[str], columns: str) -> tuple[str, ...]:
    """Datasets' specs, each of which also says which columns mean what, where that is said at all."""
    if columns and not specs:
        raise Misuse(
            "got --columns without --dataset; expected the table whose columns these are: --dataset fixations:FILE"
        )
    return tuple(with_columns(spec, columns) if columns else spec for spec in specs)


def _with_defaults(defaults: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings over their defaults; of columns each meaning by itself."""
    both = {**defaults, **settings}
    if "columns" in both:
        both["columns"] = told({**named(defaults.get("columns", "")), **named(settings.get("columns", ""))})
    return both


def _check(make: Callable[..., Any], settings: Mapping[str, Any], what: str) -> None:
    """Refuse settings that a dataset does not have."""
    if "columns" in settings and "columns" not in inspect.signature(make).parameters:
        raise Misuse(f"{what} reads no table whose columns could be named; leave --columns out")
    check_settings(make, settings, what)


def _place(given: str) -> Path:
    """The path of a dataset; of one at a URL, that of its copy here."""
    return fetch(given, cache_folder() / "remote") if at_url(given) else Path(given).expanduser()


def _fetched(name: str) -> Path:
    """Where a dataset lies that was fetched by name; where it was not, a sentence says how to get it."""
    if place := fetched(name):
        return place
    way = ""
    if name in on_record():
        by_itself = find(RECORDS, name).folders
        way = f"; `beholder data {f'get {name}` fetches it' if by_itself else f'show {name}` says how to get it'}"
    raise Misuse(f"dataset {name}: it needs a path: --dataset {name}:PATH{way}")


def on_record() -> list[str]:
    """The datasets that can be had by name: those that we know, and those that installed packages offer."""
    return sorted({*names(RECORDS), *offered(RECORDS)})


def _can_be_function(module: str, function: str) -> bool:
    """Whether `module:function` can be meant, and no dataset with its path; packages are not looked into."""
    top, dot, _ = module.partition(".")
    if not top.isidentifier() or not parse(function)[0].isidentifier():
        return False
    return bool(dot) or importlib.util.find_spec(top) is not None or Path(f"{top}.py").is_file()


def _path(make: Callable[..., Any], settings: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether a dataset's function takes a path, and whether it must have one: its first parameter says so."""
    first = next(iter(inspect.signature(make).parameters.values()), None)
    if first is None or first.kind is first.KEYWORD_ONLY or first.name in settings:
        return False, False
    needed = first.default is first.empty
    return needed or "Path" in str(first.annotation), needed


def _make(make: Callable[..., Any], what: str, *args: Any, **settings: Any) -> Any:
    """What a function of ours or the user's makes; that it refuses its arguments is misuse."""
    try:
        return make(*args, **settings)
    except Misuse:
        raise
    except (ValueError, TypeError, OSError, LookupError) as fault:
        kind = "" if type(fault) is ValueError else f"{type(fault).__name__}: "  # whose text is a sentence already
        raise Misuse(f"{what} cannot be made: {kind}{fault}") from fault


def measure_from(place: str, spec: str) -> Measure:
    """The measure behind `family.name`, `file.py:function` …, with its settings fixed."""
    name, settings = parse(spec)
    found: Measure = resolve(place, name)
    card(found)
    return fix(found, **settings) if settings else found


def judge(spec: str) -> Judge:
    """The judge behind a name, `file.py:function` …, with its settings fixed: a function from scores to a verdict.

    >>> import beholder as bh
    >>> pareto = bh.judge("pareto(draws=99)")
    >>> bh.judge("paretto")
    Traceback (most recent call last):
    beholder.errors.NotFound: nothing called 'paretto' in judges; did you mean 'pareto'?
    """
    name, settings = parse(spec)
    return configure(resolve("judges", name), settings, f"judge {name}")


def judge_of_run(spec: str) -> Judge:
    """The judge that a run's record names. A run may come by mail, so that its record alone never has code imported.

    It can name ours, those that installed packages offer, and functions of modules that this process has already
    imported and that are no library's; whatever else is to judge must be asked for.
    """
    name = parse(spec)[0]
    where, colon, function = name.rpartition(":")
    if colon and not (_is_ours(where, function) or _is_at_hand(where, function)):
        raise Misuse(
            f"the run names the judge {name}, which is not Beholder's own, and a run is not trusted to import code; "
            f"if you do, ask for it: --by {name}"
        )
    return judge(spec)


def _is_ours(module: str, function: str) -> bool:
    """Whether this is one of our own functions that give a verdict."""
    if not re.fullmatch(r"beholder\.(judges|\w+\.benchmarks)\.\w+", module):
        return False
    found = getattr(importlib.import_module(module), function, None) if importlib.util.find_spec(module) else None
    return inspect.isfunction(found) and inspect.signature(found).return_annotation in ("Verdict", Verdict)


def _is_at_hand(module: str, function: str) -> bool:
    """Whether a module that is imported already, and is neither Python's nor an installed one, defines a function."""
    there = sys.modules.get(module)
    found = getattr(there, function, None)
    if not inspect.isfunction(found) or found.__module__ != module:
        return False
    file = Path(getattr(there, "__file__", None) or "").resolve()
    installed = [Path(sysconfig.get_path(kind)).resolve() for kind in ("stdlib", "purelib", "platlib")]
    return not any(file.is_relative_to(place) for place in (*installed, Path(__file__).parents[1]))


def judge_spec(of: Judge) -> str:
    """How a judge is named, so that `judge` finds it again."""
    inner = getattr(of, "func", of)
    module, name = inner.__module__, inner.__name__
    settings = ",".join(f"{k}={v!r}" for k, v in getattr(of, "keywords", {}).items())
    where = name if module == f"beholder.judges.{name}" else f"{module}:{name}"
    return f"{where}({settings})" if settings else where


def benchmarks() -> list[str]:
    """The names of all benchmarks, `domain/name`, ours and those that installed packages offer."""
    return [f"{d}/{n}" for d in domains() for n in (*names(f"{d}.benchmarks"), *sorted(offered(f"{d}.benchmarks")))]


def load(
    name: str,
    *,
    dataset: str | Dataset[Any, Any] | None = None,
    measures: Sequence[str] = (),
    ids: Sequence[str] | None = None,
    limit: int | None = None,
    **settings: Any,
) -> Benchmark:
    """A benchmark by its name `domain/name`, on its own dataset or another one.

    `dataset` is a `Dataset` or a spec, such as "mit1003:PATH"; `measures` are taken as well, and not judged; `ids`
    names the samples, `limit` takes the first ones. Whatever else is given is a setting of the benchmark: `show(name)`.

    >>> import beholder as bh
    >>> bh.load("stereo/dense").official
    ('bad_pixels',)
    >>> bh.load("stereo/dense", limit=2).dataset.ids
    ('random_dots/rds0', 'random_dots/rds1')
    """
    made = benchmark(name, dataset, tuple(measures), tuple(settings.items()), None if ids is None else tuple(ids))
    if limit is None:
        return made
    if limit < 1:
        raise Misuse(f"got limit={limit}; expected 1 or more samples")
    return confine(made, made.dataset.ids[:limit])


def maker(name: str) -> Callable[..., Benchmark]:
    """The function that makes a benchmark."""
    domain, _, own = name.partition("/")
    found: Callable[..., Benchmark] = find(f"{domain}.benchmarks", own)
    return found


def benchmark(
    name: str,
    on: str | Dataset[Any, Any] | None,
    measures: tuple[str, ...],
    settings: tuple[tuple[str, Any], ...],
    ids: tuple[str, ...] | None,
) -> Benchmark:
    """A benchmark from its spec: here and in every worker the same."""
    if name not in benchmarks():
        raise NotFound(f"no benchmark called {name!r}{nearest(name, benchmarks())}")
    make, domain = maker(name), name.partition("/")[0]
    if "dataset" in dict(settings):
        raise Misuse(f"benchmark {name}: its dataset is not a setting; give it with --dataset, or dataset=…")
    check_settings(make, dict(settings), f"benchmark {name}")
    on = spelt(f"{domain}.datasets", on) if isinstance(on, str) else on
    chosen = dataset(f"{domain}.datasets", on) if isinstance(on, str) else on
    made: Benchmark = _make(make, name, **({} if chosen is None else {"dataset": chosen}), **dict(settings))
    if measures:
        further = [measure_from(f"{domain}.measures", m) for m in measures]
        made = made.with_measures(*further)
        made = replace(made, uses=(*made.uses, *_used_by(further)))
    if ids is not None:
        made = made.on(made.dataset.only(ids))
    if chosen is None or chosen.spec:
        object.__setattr__(made, "spec", (name, on, measures, settings, ids))
    return made


def _used_by(measures: Sequence[Measure]) -> Iterator[Used]:
    """What measures measure with that is somebody's, such as weights; refused in a sentence where it is missing."""
    for reads in dict.fromkeys(card(one).reads for one in measures):
        yield from getattr(reads, "uses", tuple)()


def memory_of(made: Benchmark) -> str:
    """What scores of our own models on a benchmark are remembered by; nothing where it is not all ours."""
    if not made.spec:
        return ""
    name, on, measures, settings, _ = made.spec
    texts = [on or "", *measures, *(str(value) for _, value in settings)]
    if any(not isinstance(text, str) or "/" in text or names_file(text) for text in texts if text):
        return ""  # a path, or somebody's module
    if on and split_path(on)[1]:
        return ""
    if on and _path(find(f"{made.domain}.datasets", parse(on)[0]), {})[1]:  # files of the user's, fetched by name
        return ""
    makers = [maker(name), *([find(f"{made.domain}.datasets", parse(on)[0])] if on else [])]
    ours = all(make.__module__.startswith("beholder.") for make in makers)
    return digest(package(), name, on, measures, settings, made.key, made.uses) if ours else ""


def confine(made: Benchmark, ids: Sequence[str]) -> Benchmark:
    """The same benchmark on some of its samples; like that which it came from, another process can build it."""
    found = made.on(made.dataset.only(ids))
    if made.spec:
        object.__setattr__(found, "spec", (*made.spec[:-1], tuple(ids)))
    return found


def rebuild_dataset(spec: str, ids: tuple[str, ...]) -> Dataset[Any, Any]:
    """A dataset in another process, from its spec."""
    return dataset(*spec.split("|", 1)).only(ids)
