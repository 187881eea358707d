"""A run on disk: scores.csv and run.json are the product; reports read them and never run a model."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import beholder
from beholder.core import scores as table
from beholder.core.benchmark import Benchmark, Judge
from beholder.core.cite import bibtex, key_of
from beholder.core.measure import Measure, card
from beholder.errors import Misuse
from beholder.registry.load import judge
from beholder.store.cache import versions

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1  # of run.json


class Run(NamedTuple):
    """A run read back."""

    folder: Path
    scores: pd.DataFrame
    facts: Mapping[str, Any]  # run.json


def save(folder: str | Path, scores: pd.DataFrame, *benchmarks: Benchmark, **more: Any) -> Path:
    """Write scores.csv and run.json; every benchmark of the table must be given, for its cards."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    known = {b.name for b in benchmarks}
    missing = [name for name in dict.fromkeys(scores["benchmark"]) if name not in known]
    if missing:
        raise Misuse(f"got scores of {missing[0]} but not that benchmark; expected save(folder, scores, benchmark)")
    entries = [described(b, scores.attrs.get("run", {})) for b in benchmarks]
    write_facts(folder, run_facts(entries, **more))
    table.write(scores, folder / "scores.csv")
    return folder


def run_facts(benchmarks: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """The contents of run.json."""
    return {
        "format": FORMAT,
        "beholder": beholder.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
        "versions": versions(),
        **more,
        "benchmarks": list(benchmarks),
    }


def write_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write run.json whole or not at all."""
    temporary = folder / ".run.json.tmp"
    temporary.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", "utf-8")
    temporary.replace(folder / "run.json")


def described(benchmark: Benchmark, run: Mapping[str, Any]) -> dict[str, Any]:
    """A benchmark's entry in run.json: what was measured, on what, by whom, and what it cost."""
    dataset = benchmark.dataset
    return {
        "name": benchmark.name,
        "version": benchmark.version,
        "about": benchmark.about,
        "official": list(benchmark.official),
        "aside": [criterion.name for criterion in benchmark.aside],
        "judges": [judge_spec(j) for j in benchmark.judges],
        "datasets": [
            {
                "name": dataset.name,
                "fingerprint": dataset.fingerprint,
                "samples": len(dataset),
                "of": len(dataset.every),
                "ids": list(dataset.ids) if len(dataset) < len(dataset.every) else None,
                "licence": dataset.licence,
                "cite": dataset.cite,
                "about": dataset.about,
                "status": dataset.status,
            }
        ],
        "measures": [_card(m, official=m in benchmark.measures) for m in (*benchmark.measures, *benchmark.extra)],
        **run,
    }


def _card(of: Measure, *, official: bool) -> dict[str, Any]:
    its = card(of)
    text = (getattr(of, "func", of).__doc__ or "").split(">>>")[0]
    lines = [line.strip() for line in text.strip().splitlines()]
    return {
        "name": its.name,
        "better": its.better,
        "bounds": [str(bound) for bound in its.bounds],
        "unit": its.unit,
        "per": its.per,
        "person": its.person,
        "cite": its.cite,
        "official": official,
        "text": "\n".join(lines).strip(),
        "deviations": [line.partition(":")[2].strip() for line in lines if line.startswith("Deviation:")],
    }


def judge_spec(of: Judge) -> str:
    """How a judge is named, so that it can be found again."""
    inner = getattr(of, "func", of)
    module, name = inner.__module__, inner.__name__
    settings = ",".join(f"{k}={v!r}" for k, v in getattr(of, "keywords", {}).items())
    where = name if module == f"beholder.judges.{name}" else f"{module}:{name}"
    return f"{where}({settings})" if settings else where


def read(folder: str | Path) -> Run:
    """A run from its folder."""
    folder = Path(folder)
    file = folder / "run.json"
    if not file.is_file():
        raise Misuse(f"got {folder}, which holds no run.json; expected the folder of a finished run")
    try:
        facts = json.loads(file.read_text("utf-8"))
    except ValueError as fault:
        raise Misuse(f"{file} is not valid JSON ({fault}); run it again with --fresh") from None
    version = facts.get("format") if isinstance(facts, dict) else None
    if version != FORMAT:
        raise Misuse(f"{file} has format {version}; this version reads format {FORMAT}")
    return Run(folder, table.read(folder / "scores.csv"), facts)


def cite(*folders: str | Path) -> str:
    """BibTeX of everything that these runs used."""
    return bibtex(key for folder in folders for key in cited(read(folder).facts))


def cited(facts: Mapping[str, Any]) -> list[str]:
    """The citation keys of a run: datasets, measures, models, judges and the bootstrap of its intervals."""
    keys = ["Efron1979"]
    for entry in facts["benchmarks"]:
        for kind in ("datasets", "measures", "models"):
            keys += [thing.get("cite", "") for thing in entry.get(kind, [])]
        keys += [key_of(judge(spec)) for spec in entry["judges"]]
    return keys
