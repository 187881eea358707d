"""The card of anything: only what is shown is imported."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from beholder.core.benchmark import Benchmark
from beholder.core.cite import key_of, library
from beholder.core.measure import Card, card
from beholder.errors import NeedsDataset, NotFound
from beholder.registry.find import domains, find, nearest
from beholder.registry.glossary import glossary
from beholder.registry.listing import GENERAL, KINDS, PRESETS, inside, listing, places, preset_names, words
from beholder.registry.load import dataset, judge_spec, load
from beholder.registry.people import people
from beholder.registry.spec import check_settings, parse

APPLIED = {
    "models": 1,
    "measures": 2,
    "judges": 1,
    "reports": 1,
    "engines": 1,
}  # parameters that are no settings
NO_SETTINGS = ("rng", "many", "dataset", "watch")  # given by the runner, or by an option of their own


def shown(spec: str) -> str:
    """The card of a benchmark, dataset, model, measure, judge, report or engine; of several, if they share the name.

    With settings, as in `classical(full=true)`, it is the card of that very thing: of a dataset, what is in it then.
    """
    name, settings = parse(spec)
    domain, slash, own = name.partition("/")
    if slash and domain in domains() and own in inside(f"{domain}.benchmarks"):
        return _benchmark(name, settings)
    found = [(place, full) for place in places() for full in inside(place) if name in (full, full.rpartition(".")[2])]
    cards = [shown_in(place, full, settings) for place, full in found]
    cards += [_preset(domain, name) for domain, own in preset_names().items() if name.replace("_", "-") in own]
    if not settings:
        cards += _told(name)
    if not cards:
        raise NotFound(f"nothing is called {name!r}{nearest(name, words())}")
    return "\n\n".join(cards)


def _told(name: str) -> list[str]:
    """What a word of the glossary means, and what there is of a domain or a kind."""
    own = glossary()
    one = next((word for word in (name, name.removesuffix("s")) if word in own), "")
    cards = [f"{one}  (a word)\n\n{own[one]}"] if one else []
    if name == "people":
        return [people(), *cards]
    return [*cards, listing(name)] if name in (*domains(), *KINDS, *GENERAL, PRESETS) else cards


def _preset(domain: str, name: str) -> str:
    """How a known benchmark counts: what is judged, what stands beside, and where it is set."""
    module = import_module(f"beholder.{domain}.presets")
    own = module.preset(name)
    lines = [f"{own.name}  (preset of {domain}: --set preset={own.name})", "", own.about, ""]
    lines += [f"judged    {', '.join(card(m).label for m in own.measures)}"]
    lines += [f"beside    {', '.join(card(m).label for m in own.extra)}"] if own.extra else []
    lines += [f"regions   {', '.join(own.regions)}"] if hasattr(own, "regions") else []
    return "\n".join([*lines, "", inspect.getdoc(getattr(module, name.replace("-", "_"), None)) or ""]).rstrip()


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
        lines.append(f"range     {f'{its.bounds[0]:g} to {its.bounds[1]:g} {its.unit}'.rstrip()}, {arrow}")
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
