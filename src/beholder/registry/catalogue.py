"""What there is, and the card of anything. Listing reads file names; only what is shown is imported."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from beholder.core.benchmark import Benchmark
from beholder.core.cite import key_of, library
from beholder.core.measure import Card, card
from beholder.errors import NeedsDataset, NotFound
from beholder.registry.find import domains, find, names, nearest, offered
from beholder.registry.load import dataset, judge_spec, load
from beholder.registry.spec import check_settings, parse

KINDS = ("benchmarks", "datasets", "models", "measures")  # of a domain
EXHIBITS = "exhibits"  # what a domain offers to show in a study; not every domain has some
GENERAL = ("judges", "reports", "engines")
APPLIED = {
    "models": 1,
    "measures": 2,
    "judges": 1,
    "reports": 1,
    "engines": 1,
}  # parameters that are no settings
NO_SETTINGS = ("rng", "many", "dataset", "watch")  # given by the runner, or by an option of their own


def places(within: str = "") -> Iterator[str]:
    """Every place where something can lie; within a domain, or among judges, reports or engines, where one is named."""
    known = [*domains(), *GENERAL]
    if within and within not in known:
        raise NotFound(f"got {within!r}; expected a domain, judges, reports or engines{nearest(within, known)}")
    for own in [within] if within else known:
        yield from [own] if own in GENERAL else (f"{own}.{kind}" for kind in (*KINDS, EXHIBITS))


def inside(place: str) -> list[str]:
    """Ours, and what installed packages offer."""
    return [*names(place), *sorted(offered(place))]


def listing(within: str = "") -> str:
    """What there is, one line per place; in one domain, or `judges`, `reports` or `engines` alone."""
    found = [(place.replace(".", " "), inside(place)) for place in places(within)]
    width = max(len(place) for place, own in found if own)
    return "\n".join(f"{place:<{width}}  {', '.join(own)}" for place, own in found if own)


def shown(spec: str) -> str:
    """The card of a benchmark, dataset, model, measure, judge, report or engine; of several, if they share the name.

    With settings, as in `classical(full=true)`, it is the card of that very thing: of a dataset, what is in it then.
    """
    name, settings = parse(spec)
    domain, slash, own = name.partition("/")
    if slash and domain in domains() and own in inside(f"{domain}.benchmarks"):
        return _benchmark(name, settings)
    found = [(place, full) for place in places() for full in inside(place) if name in (full, full.rpartition(".")[2])]
    if not found:
        every = [full for place in places() for full in inside(place)]
        raise NotFound(f"nothing is called {name!r}{nearest(name, set(every))}")
    return "\n\n".join(shown_in(place, full, settings) for place, full in found)


def shown_in(place: str, name: str, settings: Mapping[str, Any] | None = None) -> str:
    """The card of what is called `name` in a place."""
    if place.endswith("benchmarks"):
        return _benchmark(f"{place.partition('.')[0]}/{name}", settings or {})
    return _thing(place, name, settings or {})


def _thing(place: str, name: str, settings: Mapping[str, Any]) -> str:
    thing = find(place, name)
    kind = place.rpartition(".")[2]
    check_settings(thing, settings, f"{kind[:-1]} {name}", given=APPLIED.get(kind, 0))
    lines = [f"{name}  ({place.replace('.', ' ')[:-1]})", "", inspect.getdoc(thing) or "(no description)", ""]
    its = getattr(thing, "card", None)
    if isinstance(its, Card):
        arrow = "higher is better" if its.better == "higher" else "lower is better"
        lines.append(f"range     {its.bounds[0]:g} to {its.bounds[1]:g} {its.unit}, {arrow}")
        by = f", resampled by {its.resampling.by}" if its.resampling else ""
        lines.append(f"taken     per {its.per}{by}")
    lines += [f"{key:<9} {value}" for key, value in getattr(thing, "facts", {}).items()]
    inside_it = _samples(place, name, settings) if kind == "datasets" and settings else []
    return "\n".join([*lines, *inside_it, *_settings(thing, settings), *_source(key_of(thing))])


def _samples(place: str, name: str, settings: Mapping[str, Any]) -> list[str]:
    """What a dataset holds with these settings."""
    text = ",".join(f"{key}={value!r}" for key, value in settings.items())
    made = dataset(place, f"{name}({text})")
    ends = " … ".join(dict.fromkeys([*made.ids[:1], *made.ids[-1:]]))
    return [f"samples   {len(made)}: {ends} (fingerprint {made.fingerprint})"]


def _settings(thing: Any, chosen: Mapping[str, Any] | None = None) -> list[str]:
    """The settings that NAME(key=value) can change, with their defaults or what was chosen."""
    parameters = inspect.signature(thing).parameters.values() if callable(thing) else ()
    known = [p for p in parameters if p.default is not p.empty and p.name not in NO_SETTINGS]
    values = {p.name: p.default for p in known} | dict(chosen or {})
    return [f"settings  {', '.join(f'{key}={value!r}' for key, value in values.items())}"] if values else []


def _source(key: str) -> list[str]:
    """Citation keys with their titles."""
    keys = [k.strip() for k in key.split(",") if k.strip()]
    return [f"source    {k}: {_title(k)}" for k in keys]


def _title(key: str) -> str:
    entry = library().get(key, "")
    lines = [line.split("=", 1)[1].strip(" {},") for line in entry.splitlines() if line.strip().startswith("title")]
    return lines[0].replace("{", "").replace("}", "") if lines else "no entry in references.bib"


def _benchmark(name: str, settings: Mapping[str, Any]) -> str:
    domain, _, own = name.partition("/")
    make = find(f"{domain}.benchmarks", own)
    head = [f"{name}  (benchmark)", "", inspect.getdoc(make) or "", ""]
    try:
        return "\n".join([*head, *_parts(load(name, **settings)), *_settings(make, settings)])
    except NeedsDataset as fault:
        return "\n".join([*head, f"dataset   none built in: {fault}", *_settings(make, settings)])


def _parts(bench: Benchmark) -> Iterator[str]:
    beside, unjudged = [card(m).label for m in bench.unjudged.measures], [c.name for c in bench.unjudged.criteria]
    rows = {
        "version": str(bench.version),
        "dataset": f"{bench.dataset.name}, {len(bench.dataset)} samples ({bench.dataset.licence or 'licence unknown'})",
        "measures": ", ".join(bench.official) + (f"; beside them {', '.join(beside)}" if beside else ""),
        "criteria": ", ".join(c.name for c in bench.criteria)
        + (f"; not judged: {', '.join(unjudged)}" if unjudged else ""),
        "judges": ", ".join(map(judge_spec, bench.judges)),
        "baselines": ", ".join(bench.provided("baseline")),
        "blind": ", ".join(bench.provided("blind")) or "none",
        "ceiling": "people" if bench.lineup.people else "none",
        "answers": ", ".join(bench.files.suffixes) if bench.files else "Python values only",
    }
    for key, value in rows.items():
        yield f"{key:<9} {value}"
    for key in dict.fromkeys(card(m).cite for m in bench.measures):
        yield from _source(key)
