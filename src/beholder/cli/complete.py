"""What the shell completes: names of benchmarks, datasets, models, measures, judges. Reads file names only."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import typer


def benchmarks(incomplete: str) -> list[str]:
    """Domains, and their benchmarks once a domain is typed."""
    from beholder.registry.find import domains, names

    every = [f"{domain}/{name}" for domain in domains() for name in names(f"{domain}.benchmarks")]
    return _matching(incomplete, every if "/" in incomplete else [*domains(), *every])


def datasets(ctx: typer.Context, incomplete: str) -> list[str]:
    """Datasets of the domain that was typed, or of all."""
    return _matching(incomplete, _of_domains(ctx, "datasets"))


def models(ctx: typer.Context, incomplete: str) -> list[str]:
    """Models of the domain that was typed, or of all; what stands before `=` stays."""
    name, equals, begun = incomplete.rpartition("=")
    return [f"{name}{equals}{found}" for found in _matching(begun, _of_domains(ctx, "models"))]


def measures(ctx: typer.Context, incomplete: str) -> list[str]:
    """Measures of the domain that was typed, or of all, with their families."""
    return _matching(incomplete, _of_domains(ctx, "measures"))


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
    found = json.loads(records[-1].read_text("utf-8"))
    return _matching(incomplete, {model["name"] for one in found["benchmarks"] for model in one.get("models", [])})


def _of_domains(ctx: typer.Context, kind: str) -> list[str]:
    from beholder.registry.find import domains

    own = str(ctx.params.get("target") or "").partition("/")[0]
    chosen = [own] if own in domains() else domains()
    return [name for domain in chosen for name in _inside(f"{domain}.{kind}")]


def _inside(place: str) -> list[str]:
    from beholder.registry.listing import inside

    return inside(place)


def _matching(incomplete: str, known: Iterable[str]) -> list[str]:
    return sorted({name for name in known if name.startswith(incomplete)})
