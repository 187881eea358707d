"""Two models of a run, compared on each benchmark in which both took part."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from beholder.errors import Misuse, listed
from beholder.evaluation.figures import WHOLE
from beholder.evaluation.record import ENTRIES, Run, bounded, official
from beholder.evaluation.sections import open_run
from beholder.registry.find import nearest
from beholder.store.paths import slug
from beholder.store.run_json import BenchmarkFacts
from beholder.store.runs import list_runs
from beholder.verdicts import compare as paired
from beholder.verdicts.compare import Comparison
from beholder.verdicts.notes import note_edited, note_status
from beholder.verdicts.trust import PEOPLE

if TYPE_CHECKING:
    import pandas as pd


class Compared(NamedTuple):
    """Two models on one benchmark of a run: what a report shows."""

    benchmark: str
    version: int
    found: Comparison
    measured_in: Mapping[tuple[str, str], str] = {}  # by measure and settings: %, px …
    pictures: Mapping[tuple[str, str], str] = {}  # by dataset and sample, as file names: where its picture lies

    def picture(self, dataset: str, unit: str) -> str:
        """Where the picture of a sample lies; nothing where there is none."""
        return self.pictures.get((slug(dataset), slug(unit)), "")


def compare(of: pd.DataFrame | Run | str | Path, a: str, b: str, *, benchmark: str = "") -> Comparison:
    """Compare two models, measure by measure, over the units that both hold: `says`, `table`, `units`.

    `of` is a run or its folder, of which the official measures are compared, or a score table, of which all are. Where
    both took part in several benchmarks, `benchmark` names one. The numbers are those of `verdicts.compare`.

    >>> import beholder as bh
    >>> scores = bh.run(bh.load("stereo/dense", limit=2), jobs=0)
    >>> found = bh.compare(scores, "sgbm", "random")
    >>> print(found.says)
    sgbm is ahead of random on 3 of 3 measures, but 2 units are too few to test 3 measures (7 needed).
    >>> bool((found.table["difference"] > 0).all())
    True
    """
    if isinstance(of, str | Path | Run) or ENTRIES in getattr(of, "attrs", {}):
        found = comparisons(open_run(of), a, b, benchmark=benchmark)
        if len(found) > 1:
            names = listed([one.benchmark for one in found])
            raise Misuse(f"{a} and {b} both took part in {names}; name one of them with benchmark=")
        return found[0].found
    return paired.compare(of[of["benchmark"] == benchmark] if benchmark else of, a, b)


def comparisons(run: Run, a: str, b: str, *, benchmark: str = "", near: Path | None = None) -> list[Compared]:
    """Two models of a run on each benchmark in which both took part, or on one of them.

    `near` is the folder in which the report will lie. Misuse, with the nearest name, where there is no such model or
    benchmark.
    """
    entries: dict[str, list[BenchmarkFacts]] = {}
    for facts in run.facts["benchmarks"]:
        entries.setdefault(facts["name"], []).append(facts)
    if benchmark and benchmark not in entries:
        raise Misuse(f"{run.folder} holds no benchmark {benchmark!r}{nearest(benchmark, entries)}")
    names = [benchmark] if benchmark else list(entries)
    _refuse_unknown(run, names, a, b)
    return [_compared(run, entries[name], a, b, near) for name in names if _take_part(run, name, a, b)]


def _refuse_unknown(run: Run, names: Sequence[str], a: str, b: str) -> None:
    """Refuse models that are not there, that are one, or that never took part in the same benchmark."""
    rows = run.scores[run.scores["benchmark"].isin(list(names))]
    paired.refuse_names(rows, a, b, where=names[0] if len(names) == 1 else str(run.folder))
    if not any(_take_part(run, name, a, b) for name in names):
        raise Misuse(f"{a} and {b} took part in no benchmark of {run.folder} together; expected two that did")


def _take_part(run: Run, name: str, a: str, b: str) -> bool:
    models = set(run.scores.loc[run.scores["benchmark"] == name, "model"])
    return a in models and b in models


def _compared(run: Run, entries: Sequence[BenchmarkFacts], a: str, b: str, near: Path | None) -> Compared:
    """The official measures of one benchmark, and what must be read with them."""
    first = entries[0]
    rows = run.scores[run.scores["benchmark"] == first["name"]]
    judged = official(bounded(rows, first), first)
    found = paired.compare(judged, a, b)
    notes = (*_caveats(run, entries, judged[judged["model"].isin([a, b])]), *found.notes)
    known = {(measure["name"], measure["settings"]): measure["unit"] for measure in first["measures"]}
    return Compared(first["name"], first["version"], found._replace(notes=notes), known, _pictures(run, entries, near))


def _caveats(run: Run, entries: Sequence[BenchmarkFacts], rows: pd.DataFrame) -> list[str]:
    """That scores were changed, rest on doubtful references, or on simulated observers."""
    notes = [*note_edited([run.folder.resolve().name] * run.edited), *note_status(rows)]
    kinds = {dataset.get("people", "") for facts in entries for dataset in facts["datasets"]}
    return [
        *(f"{note}." for note in notes),
        *([f"{PEOPLE['simulated'].capitalize()}."] if "simulated" in kinds else []),
    ]


def _pictures(run: Run, entries: Sequence[BenchmarkFacts], near: Path | None) -> dict[tuple[str, str], str]:
    """The pictures of samples, by dataset and sample as file names: figures/benchmark/dataset/sample.webp."""
    files = [PurePosixPath(figure) for facts in entries for figure in facts.get("figures", [])]
    return {
        (file.parent.name, file.stem): _seen_from(near, run.folder / file)
        for file in files
        if file.parent.name != WHOLE
    }


def _seen_from(near: Path | None, file: Path) -> str:
    return Path(os.path.relpath(file, near)).as_posix() if near else file.as_posix()


def newest_run(root: Path) -> Path:
    """The newest run below a folder that has scores."""
    for run in list_runs(root):
        if run.scored:
            return run.folder
    raise Misuse(f"there is no run with scores below {root}/; run a benchmark first, or name a run with --run DIR")
