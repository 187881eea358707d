"""What there is, and the card of anything. Listing reads file names; only what is shown is imported."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from beholder.spine.benchmark import Benchmark, NeedsBed
from beholder.spine.cite import key_of, library
from beholder.spine.find import domains, find, names, nearest, offered
from beholder.spine.load import load
from beholder.spine.measure import Card
from beholder.spine.misuse import NotFound

KINDS = ("benchmarks", "beds", "models", "measures")  # of a domain
GENERAL = ("judges", "reports")


def places(within: str = "") -> Iterator[str]:
    """Every place where something can lie; within a domain, or among the judges or reports, where one is named."""
    known = [*domains(), *GENERAL]
    if within and within not in known:
        raise NotFound(f"got {within!r}; expected a domain, judges or reports{nearest(within, known)}")
    for own in [within] if within else known:
        yield from [own] if own in GENERAL else (f"{own}.{kind}" for kind in KINDS)


def inside(place: str) -> list[str]:
    """Ours, and what installed packages offer."""
    return [*names(place), *sorted(offered(place))]


def listing(within: str = "") -> str:
    """What there is, a line a place; in one domain, or `judges` or `reports` alone."""
    found = [(place.replace(".", " "), inside(place)) for place in places(within)]
    width = max(len(place) for place, own in found if own)
    return "\n".join(f"{place:<{width}}  {', '.join(own)}" for place, own in found if own)


def shown(name: str) -> str:
    """The card of a benchmark, bed, model, measure, judge or report; of several, if they share the name."""
    domain, slash, own = name.partition("/")
    if slash and domain in domains() and own in inside(f"{domain}.benchmarks"):
        return _benchmark(name)
    found = [(place, full) for place in places() for full in inside(place) if name in (full, full.rpartition(".")[2])]
    if not found:
        every = [full for place in places() for full in inside(place)]
        raise NotFound(f"nothing is called {name!r}{nearest(name, set(every))}")
    return "\n\n".join(shown_in(place, full) for place, full in found)


def shown_in(place: str, name: str) -> str:
    """The card of what is called `name` in a place."""
    return _benchmark(f"{place.partition('.')[0]}/{name}") if place.endswith("benchmarks") else _thing(place, name)


def _thing(place: str, name: str) -> str:
    thing = find(place, name)
    lines = [f"{name}  ({place.replace('.', ' ')[:-1]})", "", inspect.getdoc(thing) or "(no description)", ""]
    its = getattr(thing, "card", None)
    if isinstance(its, Card):
        arrow = "higher is better" if its.better == "higher" else "lower is better"
        lines.append(f"range     {its.bounds[0]:g} to {its.bounds[1]:g} {its.unit}, {arrow}")
        lines.append(f"taken     per {its.per}" + (f", resampled by {its.resample}" if its.resample else ""))
    lines += [f"{key:<9} {value}" for key, value in getattr(thing, "facts", {}).items()]
    return "\n".join([*lines, *_settings(thing), *_source(key_of(thing))])


def _settings(thing: Any) -> list[str]:
    """The settings that NAME(key=value) can change, with their defaults."""
    parameters = inspect.signature(thing).parameters.values() if callable(thing) else ()
    known = [p for p in parameters if p.default is not p.empty and p.name not in ("rng", "many", "bed")]
    return [f"settings  {', '.join(f'{p.name}={p.default!r}' for p in known)}"] if known else []


def _source(key: str) -> list[str]:
    """Citation keys with their titles."""
    keys = [k.strip() for k in key.split(",") if k.strip()]
    return [f"source    {k}: {_title(k)}" for k in keys]


def _title(key: str) -> str:
    entry = library().get(key, "")
    lines = [line.split("=", 1)[1].strip(" {},") for line in entry.splitlines() if line.strip().startswith("title")]
    return lines[0].replace("{", "").replace("}", "") if lines else "no entry in references.bib"


def _benchmark(name: str) -> str:
    domain, _, own = name.partition("/")
    make = find(f"{domain}.benchmarks", own)
    head = [f"{name}  (benchmark)", "", inspect.getdoc(make) or "", ""]
    try:
        return "\n".join([*head, *_parts(load(name)), *_settings(make)])
    except NeedsBed as fault:
        return "\n".join([*head, f"bed       none built in: {fault}", *_settings(make)])


def _parts(bench: Benchmark) -> Iterator[str]:
    from beholder.spine.measure import card
    from beholder.spine.record import judge_spec

    official = [card(m).name for m in bench.measures]
    beside = [card(m).name for m in bench.extra]
    rows = {
        "version": str(bench.version),
        "bed": f"{bench.bed.name}, {len(bench.bed)} samples ({bench.bed.licence or 'licence unknown'})",
        "measures": ", ".join(official) + (f"; beside them {', '.join(beside)}" if beside else ""),
        "criteria": ", ".join(c.name for c in bench.criteria)
        + (f"; not judged: {', '.join(c.name for c in bench.aside)}" if bench.aside else ""),
        "judges": ", ".join(map(judge_spec, bench.judges)),
        "baselines": ", ".join(bench.baselines),
        "nulls": ", ".join(bench.own("nulls")) or "none",
        "ceiling": "people" if bench.people else "none",
        "answers": ", ".join(bench.files.suffixes) if bench.files else "Python values only",
    }
    for key, value in rows.items():
        yield f"{key:<9} {value}"
    for key in dict.fromkeys(card(m).cite for m in bench.measures):
        yield from _source(key)
