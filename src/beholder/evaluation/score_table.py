"""The table that `run` gives: a pandas table that knows which benchmarks its scores are of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beholder.core.benchmark import Benchmark
from beholder.core.notebook import html_of
from beholder.core.scores import plain, refuse_missing
from beholder.errors import Misuse
from beholder.evaluation.record import ENTRIES, Run, describe_benchmark
from beholder.store import run_json
from beholder.store.run_json import BenchmarkFacts


class Entries(tuple[BenchmarkFacts, ...]):
    """What run.json says of some benchmarks; never copied, though pandas copies `attrs` with every derived table."""

    __slots__ = ()

    def __deepcopy__(self, memo: Any) -> Entries:
        return self


class Scores(pd.DataFrame):
    """Scores, one row for one number: a pandas table in every respect, which a notebook shows as a table of means.

    Whatever is derived from it, by selecting, copying or joining, is a plain pandas table.
    """

    @property
    def _constructor(self) -> Callable[..., pd.DataFrame]:
        return pd.DataFrame

    def _repr_html_(self) -> str:
        return html_of("scores", self)


def score_table(tables: Sequence[pd.DataFrame], benchmarks: Sequence[Benchmark]) -> Scores:
    """The tables of some benchmarks as one, which knows them."""
    entries = Entries(describe_benchmark(bench, own) for bench, own in zip(benchmarks, tables, strict=True))
    made = Scores(plain(tables[0]) if len(tables) == 1 else pd.concat(map(plain, tables), ignore_index=True))
    known = [own.attrs for own in tables]
    made.attrs = dict(known[0]) if len(known) == 1 else _joined(known)
    made.attrs[ENTRIES] = entries
    return made


def _joined(known: Sequence[dict[Any, Any]]) -> dict[Any, Any]:
    """What a table of several benchmarks knows of measures and models; each benchmark's own facts are in its entry."""
    bounds = {name: ends for attrs in known for name, ends in attrs.get("bounds", {}).items()}
    models = [model for attrs in known for model in attrs.get("run", {}).get("models", [])]
    return {"bounds": bounds, "run": {"models": models}}


def run_of(scores: pd.DataFrame, *benchmarks: Benchmark) -> Run:
    """A score table as a run that was read back: from the benchmarks that it knows, or that are given."""
    if not isinstance(scores, pd.DataFrame):
        raise Misuse(f"got a {type(scores).__name__}; expected the scores that run() gave, or the folder of a run")
    refuse_missing(list(scores.columns), "the table")
    entries = [describe_benchmark(bench, scores) for bench in benchmarks] or list(scores.attrs.get(ENTRIES, ()))
    if not entries:
        raise Misuse(
            "this table no longer knows its benchmarks (pandas drops that when tables are joined); "
            "pass what run() gave, or save(folder, scores, benchmark) it and pass the folder"
        )
    return Run(Path(), pd.DataFrame(scores), run_json.facts(entries))
