"""What reports read: the runs of each benchmark joined where they can be compared, judged, with notes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired

from beholder.core.scores import JUDGED, join_tables, plain
from beholder.core.tuning import tuned_here
from beholder.core.verdict import Judge, Known, Note, Verdict
from beholder.engines.progress import JUDGING, REPORT, Watch
from beholder.errors import Misuse
from beholder.evaluation.drawn import Drawn, read_drawn
from beholder.evaluation.record import Run, bounded, official, read
from beholder.registry.browse import Text
from beholder.registry.find import find, nearest
from beholder.registry.load import judge, judge_of_run
from beholder.store.paths import inside
from beholder.store.run_json import BenchmarkFacts, ModelFacts
from beholder.verdicts.against_blind import against_blind, note_blind
from beholder.verdicts.components import on_common_units
from beholder.verdicts.coverage import note_coverage
from beholder.verdicts.notes import note_conventions, note_edited, note_limits, note_remarks, note_status, note_tuned
from beholder.verdicts.skill import skill
from beholder.verdicts.trust import Trust, basis_of, trust

if TYPE_CHECKING:
    import pandas as pd


class SectionFacts(BenchmarkFacts):
    """The entry of a benchmark in run.json, and what run.json says of the run."""

    versions: NotRequired[dict[str, str]]
    started: NotRequired[str | None]
    beholder: NotRequired[str]
    runs: NotRequired[int]  # that were merged


class Section(NamedTuple):
    """What a report shows of one benchmark."""

    benchmark: str
    version: int
    scores: pd.DataFrame  # all its rows, of all datasets and roles
    verdicts: tuple[Verdict, ...]  # the official judge's first
    common_verdicts: tuple[Verdict, ...]  # the same judges over the units that every model answered; often empty
    notes: tuple[Note, ...]  # that must be read with the numbers
    trust: Trust  # who is best, and how far that can be relied on: the line that stands first
    blind: pd.DataFrame  # models against the best blind model, as `verdicts.against_blind` gives it; often empty
    skill: pd.DataFrame  # models between the best blind model and people, as `verdicts.skill` gives it; often empty
    facts: SectionFacts
    figures: tuple[str, ...]  # files, relative to the folder of the report
    drawn: Mapping[str, Drawn] = {}  # films and views, by the folder and name of the sample's figure without its suffix
    known: Known = Known()  # what the runs know of these scores


class Entry(NamedTuple):
    """One benchmark in one run."""

    run: Run
    facts: BenchmarkFacts


def sections(
    runs: Sequence[Run],
    by: Sequence[str] = (),
    near: Path | None = None,
    *,
    family: str = "",
    watch: Watch | None = None,
) -> list[Section]:
    """What reports show of some runs, one section per benchmark; `near` is the folder in which the report will lie.

    With `family`, only models that say they are of it (local, global …) are judged.
    """
    found: dict[str, list[Entry]] = {}
    for run in runs:
        for facts in run.facts["benchmarks"]:
            found.setdefault(facts["name"], []).append(Entry(run, facts))
    return list(_watched((_section(entries, by, near, family) for entries in found.values()), len(found), watch))


def _watched(made: Iterator[Section], total: int, watch: Watch | None) -> Iterator[Section]:
    """The sections one by one, and somebody is told of each."""
    if watch:
        watch.begin(REPORT, total, 0, "benchmarks", phase=JUDGING)
    for section in made:
        if watch:
            watch.step(failed=False)
        yield section


def _section(entries: Sequence[Entry], by: Sequence[str], near: Path | None, family: str) -> Section:
    first = entries[0].facts
    joined, notes = join(entries)
    scores, on_family = _of_family(bounded(joined, first), entries, family)
    judged = official(scores, first)
    judges = [judge(spec) for spec in by] or [judge_of_run(spec) for spec in first["judges"]]
    verdicts = tuple(give(judged) for give in judges)
    known = _known(entries)
    blind, skilled = against_blind(judged, known.right), skill(judged, known.right)
    notes += note_edited(run.folder.resolve().name for run, _ in entries if run.edited)
    notes += note_conventions(facts for _, facts in entries)
    notes += note_remarks(facts for _, facts in entries)
    notes += [*on_family, *note_tuned(known), *note_limits(_models(entries)), *note_blind(blind), *skilled.notes]
    notes += [*note_coverage(judged), *_by_dataset(judged, judges[0]), *note_status(scores)]
    return Section(
        first["name"],
        first["version"],
        scores,
        verdicts,
        _common_verdicts(judged, judges, verdicts),
        tuple(notes),
        trust(verdicts, blind, skilled.table, basis_of(judged, known)),
        blind,
        skilled.table,
        _facts(entries),
        _figures(entries, near),
        _drawn(entries, near),
        known,
    )


def _known(entries: Sequence[Entry]) -> Known:
    """What the runs know of the scores: blind models that are right by construction, people, models tuned on such."""
    datasets = {dataset["name"]: dataset for _, facts in entries for dataset in facts["datasets"]}
    people = dict.fromkeys(dataset.get("people", "") for dataset in datasets.values())
    kinds = tuple(kind for kind in people if kind)
    return Known(entries[0].facts.get("right", {}), kinds, tuned_here(_models(entries), datasets))


def _models(entries: Sequence[Entry]) -> list[ModelFacts]:
    return [model for _, facts in entries for model in facts.get("models", [])]


def _common_verdicts(judged: pd.DataFrame, judges: Sequence[Judge], verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The same judges over the units that every model answered; nothing where nobody more can be compared on these."""
    if not any(verdict.left_out for verdict in verdicts):
        return ()
    rows = on_common_units(judged)
    found = tuple(give(rows) for give in judges) if len(rows) else ()
    more = (set(now.standing.index) - set(then.standing.index) for now, then in zip(found, verdicts, strict=False))
    return found if any(more) else ()


def _facts(entries: Sequence[Entry]) -> SectionFacts:
    """The facts of the first run, with the datasets, models, failures and what was measured with of all."""
    run, first = entries[0]
    joined: BenchmarkFacts = {**first}
    if all("failures" in facts for _, facts in entries):
        failures = {(f["model"], f["sample"], f["reason"]): f for _, facts in entries for f in facts["failures"]}
        joined["failures"], joined["failed"] = list(failures.values()), len({key[:2] for key in failures})
    else:
        joined.pop("failures", None)  # the scores tell who failed
    if "models" in first:
        names = [model["name"] for model in _models(entries)]
        joined["models"] = [model for at, model in enumerate(_models(entries)) if model["name"] not in names[:at]]
    datasets = {dataset["name"]: dataset for _, facts in entries for dataset in facts["datasets"]}
    uses = {(used["name"], used["digest"]): used for _, facts in entries for used in facts.get("uses", [])}
    return {
        **joined,
        "runs": len(entries),
        "datasets": list(datasets.values()),
        "uses": list(uses.values()),
        "versions": run.facts["versions"],
        "beholder": run.facts["beholder"],
        "started": run.facts.get("started"),
    }


def _figures(entries: Sequence[Entry], near: Path | None) -> tuple[str, ...]:
    """The figures of all runs, as seen from the report's folder."""
    files = [inside(run.folder, figure) for run, facts in entries for figure in facts.get("figures", [])]
    return tuple(_seen_from(near, file) for file in files if file)


def _drawn(entries: Sequence[Entry], near: Path | None) -> dict[str, Drawn]:
    """The films and views of all runs, by the figures that they stand beside."""
    files = [inside(run.folder, file) for run, facts in entries for file in facts.get("films", [])]
    return {_seen_from(near, file.with_suffix("")): found for file in files if file and (found := read_drawn(file))}


def _seen_from(near: Path | None, file: Path) -> str:
    return Path(os.path.relpath(file, near)).as_posix() if near else str(file)


def _of_family(scores: pd.DataFrame, entries: Sequence[Entry], family: str) -> tuple[pd.DataFrame, list[Note]]:
    """The rows without models of other families, and a note on how many went."""
    if not family:
        return scores, []
    known = {model["name"]: model["facts"].get("family", "") for model in _models(entries)}
    if family not in known.values():
        families = sorted({name for name in known.values() if name})
        raise Misuse(f"no model here is of the family {family!r}{nearest(family, families)}")
    others = scores["role"].isin(JUDGED) & (scores["model"].map(known) != family)
    gone = scores.loc[others, "model"].nunique()
    text = f"Only models of the family {family} are judged; {gone} others are left out."
    return scores[~others], [Note("family", text, about=(family,), numbers={"others": gone})]


def _by_dataset(judged: pd.DataFrame, first: Judge) -> list[Note]:
    """With several datasets, what the judge says of each alone: the verdict above is over all of them pooled."""
    datasets = [str(dataset) for dataset in judged["dataset"].unique()]
    if len(datasets) < 2:
        return []
    alone = {dataset: first(judged[judged["dataset"] == dataset]) for dataset in datasets}
    return [Note("dataset", f"On {dataset} alone: {verdict.says}", (dataset,)) for dataset, verdict in alone.items()]


def join(entries: Sequence[Entry]) -> tuple[pd.DataFrame, list[Note]]:
    """The rows of one benchmark from several runs, when they can be compared; refused with a sentence when not."""
    name = entries[0].facts["name"]
    _refuse_other_versions(name, entries)
    _refuse_other_measures(name, entries)
    _refuse_other_datasets(name, entries)
    tables = [
        rows if (own := rows["benchmark"] == name).all() else rows[own] for rows in (run.scores for run, _ in entries)
    ]
    tables, notes = _on_shared_units(tables)
    pooled = _pooled_unlike(entries)
    if pooled:
        tables = [
            rows[[key not in pooled for key in zip(rows["measure"], rows["settings"], strict=True)]] for rows in tables
        ]
        text = "The runs took different samples, so measures over many samples are left out: {about}."
        notes.append(Note("pooled", text, about=tuple(pooled.values())))
    if not sum(map(len, tables)):
        raise Misuse(f"{name}: nothing to report: there is no score, or none that the runs share")
    if len(tables) == 1:  # as it is: it may be large
        return tables[0].reset_index(drop=True), notes
    return join_tables(_name_apart(tables, [run.folder for run, _ in entries])), notes


def _refuse_other_versions(name: str, entries: Sequence[Entry]) -> None:
    folders = {facts["version"]: run.folder for run, facts in entries}
    if len(folders) > 1:
        (old, a), (new, b) = sorted(folders.items())[:2]
        raise Misuse(
            f"{name}: {a} has version {old} and {b} has version {new}; their scores differ: run one of them again"
        )


def _refuse_other_measures(name: str, entries: Sequence[Entry]) -> None:
    first = entries[0]
    for run, facts in entries[1:]:
        if facts["official"] != first.facts["official"]:
            mine, theirs = (", ".join(own["official"]) for own in (first.facts, facts))
            raise Misuse(
                f"{name}: {first.run.folder} is judged by {mine} and {run.folder} by {theirs}; report them separately"
            )


def _refuse_other_datasets(name: str, entries: Sequence[Entry]) -> None:
    seen: dict[str, tuple[str, Path]] = {}
    for run, facts in entries:
        for dataset in facts["datasets"]:
            mark, where = seen.setdefault(dataset["name"], (dataset["fingerprint"], run.folder))
            if mark != dataset["fingerprint"]:
                raise Misuse(
                    f"{name}: {where} and {run.folder} used different states of the dataset {dataset['name']} "
                    f"({mark}, {dataset['fingerprint']}); their scores cannot be compared"
                )


def _pooled_unlike(entries: Sequence[Entry]) -> dict[tuple[str, str], str]:
    """Measures over many samples, where runs took other samples of a dataset: equal units would hide unlike pools."""
    seen: dict[str, Any] = {}
    alike = all(
        seen.setdefault(dataset["name"], dataset["ids"]) == dataset["ids"]
        for _, facts in entries
        for dataset in facts["datasets"]
    )
    pooled = [m for _, facts in entries for m in facts["measures"] if m["per"] != "sample"]
    return {} if alike else {(m["name"], m["settings"]): m["label"] for m in pooled}


def _on_shared_units(tables: Sequence[pd.DataFrame]) -> tuple[list[pd.DataFrame], list[Note]]:
    """Runs over different samples of a dataset are compared on the units that they share."""
    notes, kept = [], list(tables)
    for dataset in dict.fromkeys(str(name) for rows in tables for name in rows["dataset"].unique()):
        having = [i for i, rows in enumerate(tables) if (rows["dataset"] == dataset).any()]
        units = [set(kept[i].loc[kept[i]["dataset"] == dataset, "unit"].unique()) for i in having]
        shared, most = set.intersection(*units), max(map(len, units))
        if any(own != shared for own in units):
            text = f"On {dataset} the runs share {len(shared)} of up to {most} units, and are compared on those."
            notes.append(Note("shared", text, (dataset,), {"shared": len(shared), "units": most}))
            for i in having:
                kept[i] = kept[i][(kept[i]["dataset"] != dataset) | kept[i]["unit"].isin(shared)]
    return kept, notes


def _name_apart(tables: Sequence[pd.DataFrame], folders: Sequence[Path]) -> list[pd.DataFrame]:
    """The same model with the same rows stands once; with other rows it is named after its run."""
    seen: dict[tuple[str, str], pd.DataFrame] = {}
    found = []
    for rows, folder in zip(tables, folders, strict=True):
        for (model, dataset), own in rows.groupby(["model", "dataset"], sort=False):
            other = seen.setdefault((str(model), str(dataset)), own)
            if other is own:
                found.append(own)
            elif not plain(other.reset_index(drop=True)).equals(plain(own.reset_index(drop=True))):
                found.append(own.assign(model=f"{model} ({folder.name})"))
    return found


def report(
    runs: Run | pd.DataFrame | str | Path | Sequence[Run | str | Path],
    *,
    by: Sequence[str] = (),
    view: str = "markdown",
    family: str = "",
) -> str:
    """A report as text: markdown, terminal, brief, html, csv or json.

    `runs` is the table that `run` gave, the folder of a run, or several folders, whose scores are joined where they can
    be compared. `by` names other judges than the benchmark's own.

    >>> import beholder as bh
    >>> scores = bh.run(bh.load("stereo/dense", limit=1), jobs=0)
    >>> print(bh.report(scores).splitlines()[0])
    # stereo/dense (version 1)
    """
    several = [runs] if isinstance(runs, Run | str | Path) or hasattr(runs, "columns") else list(runs)
    opened = [open_run(one) for one in several]
    found = sections(opened, [by] if isinstance(by, str) else by, opened[0].folder, family=family)
    text: str = find("reports", view)(found)
    return text if view == "html" else Text(text)


def open_run(of: Any) -> Run:
    """A run, from itself, its folder or the table that `run` gave."""
    if isinstance(of, Run):
        return of
    if isinstance(of, str | Path):
        return read(of)
    from beholder.evaluation.score_table import run_of

    return run_of(of)
