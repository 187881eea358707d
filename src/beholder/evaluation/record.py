"""A run read back: scores.csv and run.json are the product; reports read them and never run a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core import scores as table
from beholder.core.benchmark import Benchmark, Used
from beholder.core.cite import bibtex, key_of
from beholder.core.measure import Measure, card
from beholder.core.scores import labels, refuse_missing
from beholder.errors import Misuse
from beholder.registry.browse import Text
from beholder.registry.load import judge_of_run, judge_spec
from beholder.store import run_json
from beholder.store.digest import file_digest
from beholder.store.run_json import BenchmarkFacts, MeasureFacts, RunFacts, UsedFacts

if TYPE_CHECKING:
    import pandas as pd

SCORES = "scores.csv"
ENTRIES = "benchmarks"  # in the `attrs` of a table that run() gave: what run.json says of its benchmarks


class Run(NamedTuple):
    """A run read back."""

    folder: Path
    scores: pd.DataFrame
    facts: RunFacts
    edited: bool = False  # scores.csv is not what the run wrote; not known of runs that kept no digest of it


def save(folder: str | Path, scores: pd.DataFrame, *benchmarks: Benchmark, **more: Any) -> Path:
    """Write scores.csv and run.json, which `report`, `compare`, `plot` and the command read; returns the folder.

    A table that `run` gave knows its benchmarks. For another one, each benchmark of the table must be given.

    >>> import tempfile
    >>> import beholder as bh
    >>> folder = bh.save(tempfile.mkdtemp(), bh.run(bh.load("stereo/dense", limit=1), jobs=0))
    >>> sorted(file.name for file in folder.iterdir())
    ['run.json', 'scores.csv']
    """
    refuse_missing(list(scores.columns), "the table")
    folder = Path(folder)
    entries = [describe_benchmark(b, scores) for b in benchmarks] or list(scores.attrs.get(ENTRIES, ()))
    known = {entry["name"] for entry in entries}
    missing = [name for name in dict.fromkeys(scores["benchmark"]) if name not in known]
    if missing:
        raise Misuse(f"got scores of {missing[0]} but not that benchmark; expected save(folder, scores, benchmark)")
    folder.mkdir(parents=True, exist_ok=True)
    write_run(folder, scores, entries, **more)
    return folder


def official(scores: pd.DataFrame, facts: BenchmarkFacts) -> pd.DataFrame:
    """The rows of a benchmark that are judged."""
    return scores[labels(scores).isin(facts["official"]) & ~scores["criterion"].isin(facts["unjudged"])]


def bounded(scores: pd.DataFrame, facts: BenchmarkFacts) -> pd.DataFrame:
    """The rows of a benchmark, knowing from where to where its measures go."""
    return table.with_bounds(
        scores, {card["label"]: [float(end) for end in card["bounds"]] for card in facts["measures"]}
    )


def write_run(folder: Path, scores: pd.DataFrame, entries: Sequence[BenchmarkFacts], **more: Any) -> None:
    """Write scores.csv, and run.json with a digest of it; `more` are the optional fields of `RunFacts`."""
    table.write(scores, folder / SCORES)
    run_json.write(folder, entries, scores=file_digest(folder / SCORES), **more)


def describe_benchmark(benchmark: Benchmark, scores: pd.DataFrame) -> BenchmarkFacts:
    """A benchmark's entry in run.json: what was measured, on what, by whom, and what it cost."""
    dataset = benchmark.dataset
    entry: BenchmarkFacts = {
        "name": benchmark.name,
        "version": benchmark.version,
        "about": benchmark.about,
        "official": list(benchmark.official),
        "unjudged": [criterion.name for criterion in benchmark.unjudged.criteria],
        "right": {name: list(where) for name, where in benchmark.lineup.right.items()},
        "judges": [judge_spec(j) for j in benchmark.judges],
        "datasets": [
            {
                "name": dataset.name,
                "fingerprint": dataset.fingerprint,
                "samples": len(dataset),
                "of": len(dataset.all_ids),
                "ids": list(dataset.ids) if len(dataset) < len(dataset.all_ids) else None,
                "licence": dataset.licence,
                "cite": dataset.cite,
                "about": dataset.about,
                "status": dataset.status,
                "people": dataset.people,
                "remarks": list(dataset.remarks),
            }
        ],
        "measures": [_measure_facts(m, official=m in benchmark.measures) for m in benchmark.all_measures],
    }
    if benchmark.uses:
        entry["uses"] = [_used_facts(used) for used in benchmark.uses]
    mine = scores[scores["benchmark"] == benchmark.name]
    if benchmark.hooks.caveats and (found := benchmark.hooks.caveats(mine)):
        entry["caveats"] = dict(found)
    return {**entry, **scores.attrs.get("run", {})}


def _used_facts(used: Used) -> UsedFacts:
    return {
        "name": used.name,
        "about": used.about,
        "licence": used.licence,
        "source": used.source,
        "digest": used.digest,
        "cite": used.cite,
    }


def _measure_facts(of: Measure, *, official: bool) -> MeasureFacts:
    its, function = card(of), of
    while hasattr(function, "func"):
        function = function.func
    text = (function.__doc__ or "").split(">>>")[0]
    lines = [line.strip() for line in text.strip().splitlines()]
    return {
        "name": its.name,
        "settings": its.variant,
        "label": its.label,
        "better": its.better,
        "bounds": [str(bound) for bound in its.bounds],
        "unit": its.unit,
        "per": its.per,
        "person": its.person,
        "cite": its.cite,
        "official": official,
        "text": "\n".join(lines).strip(),
        "deviations": [" ".join(own.split()) for part in text.split("\n\n") for own in part.split("Deviation:")[1:]],
    }


def read(folder: str | Path, scores: pd.DataFrame | None = None) -> Run:
    """A run from its folder; its table is not read again where it is given, for it may be large."""
    facts = run_json.read(Path(folder))
    file = Path(folder) / SCORES
    rows = table.read(file) if scores is None else scores
    return Run(Path(folder), rows, facts, edited=facts.get("scores", "") not in ("", file_digest(file)))


def cite(*folders: str | Path) -> str:
    """BibTeX of everything that these runs used, by their folders.

    >>> import tempfile
    >>> import beholder as bh
    >>> folder = bh.save(tempfile.mkdtemp(), bh.run(bh.load("stereo/dense", limit=1), jobs=0))
    >>> "Scharstein" in bh.cite(folder)
    True
    """
    return Text(bibtex(key for folder in folders for key in list_keys(read(folder).facts)))


def list_keys(facts: RunFacts) -> list[str]:
    """The citation keys of a run: Beholder, datasets, measures, models, judges, the bootstrap of its intervals."""
    keys = ["Beholder2026", "Efron1979"]
    for entry in facts["benchmarks"]:
        keys += [thing["cite"] for thing in (*entry["datasets"], *entry["measures"], *entry.get("models", []))]
        keys += [used["cite"] for used in entry.get("uses", [])]
        keys += [key_of(judge_of_run(spec)) for spec in entry["judges"]]
    return keys
