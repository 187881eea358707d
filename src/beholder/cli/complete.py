"""What the shell completes: names of benchmarks, datasets, models, measures, judges. Reads file names only."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def benchmarks(incomplete: str) -> list[str]:
    """Domains, and their benchmarks once a domain is typed."""
    from beholder.registry.find import domains, names

    every = [f"{domain}/{name}" for domain in domains() for name in names(f"{domain}.benchmarks")]
    return _matching(incomplete, every if "/" in incomplete else [*domains(), *every])


def datasets(incomplete: str) -> list[str]:
    """Datasets of the domain that was typed, or of all."""
    return _matching(incomplete, _of_domains("datasets"))


def models(incomplete: str) -> list[str]:
    """Models of the domain that was typed, or of all; what stands before `=` stays."""
    name, equals, begun = incomplete.rpartition("=")
    return [f"{name}{equals}{found}" for found in _matching(begun, _of_domains("models"))]


def measures(incomplete: str) -> list[str]:
    """Measures of the domain that was typed, or of all, with their families."""
    return _matching(incomplete, _of_domains("measures"))


def judges(incomplete: str) -> list[str]:
    """Judges; what stands before a comma stays."""
    before, comma, begun = incomplete.rpartition(",")
    return [f"{before}{comma}{found}" for found in _matching(begun, _inside("judges"))]


def reports(incomplete: str) -> list[str]:
    """Views of a run."""
    return _matching(incomplete, _inside("reports"))


def engines(incomplete: str) -> list[str]:
    """Where trials can run."""
    return _matching(incomplete, _inside("engines"))


def anything(incomplete: str) -> list[str]:
    """Whatever has a card."""
    from beholder.registry.listing import words

    return _matching(incomplete, words())


def kinds(incomplete: str) -> list[str]:
    """Domains and kinds of things."""
    from beholder.registry.listing import list_words

    return _matching(incomplete, list_words())


def in_a_run(incomplete: str) -> list[str]:
    """Whoever took part in the newest run below runs/."""
    records = sorted(Path("runs").glob("*/run.json"), key=lambda file: file.stat().st_mtime)
    if not records:
        return []
    from beholder.errors import Misuse
    from beholder.store import run_json

    try:
        found = run_json.read(records[-1].parent)
    except (Misuse, OSError):
        return []
    return _matching(incomplete, {model["name"] for one in found["benchmarks"] for model in one.get("models", [])})


def _of_domains(kind: str) -> list[str]:
    """What the domain has that stands on the line, as the shell hands it over; what all have where there is none."""
    from beholder.registry.find import domains

    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    named = [word.partition("/")[0] for word in line.split()]
    chosen = [domain for domain in domains() if domain in named] or domains()
    return [name for domain in chosen for name in _inside(f"{domain}.{kind}")]


def _inside(place: str) -> list[str]:
    from beholder.registry.listing import inside

    return inside(place)


def _matching(incomplete: str, known: Iterable[str]) -> list[str]:
    return sorted({name for name in known if name.startswith(incomplete)})
