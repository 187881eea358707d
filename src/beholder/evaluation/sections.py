"""What reports show of runs: tables joined where they can be compared, judged, with the sentences to be read along."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core.benchmark import Judge, Verdict
from beholder.core.scores import common, is_part
from beholder.errors import Misuse
from beholder.evaluation.record import Run, read
from beholder.registry.find import find, nearest
from beholder.registry.load import judge
from beholder.verdicts.skill import beside_nulls, skill

if TYPE_CHECKING:
    import pandas as pd


class Chapter(NamedTuple):
    """What a report shows of one benchmark."""

    benchmark: str
    version: int
    scores: pd.DataFrame  # all its rows, of all datasets and roles
    verdicts: tuple[Verdict, ...]  # the official judge's first
    common: tuple[Verdict, ...]  # the same judges over the units that every model answered; empty when all are whole
    notes: tuple[str, ...]  # sentences that must be read with the numbers
    skill: pd.DataFrame  # models between the best null and people, as `beside.skill` gives it; often empty
    facts: Mapping[str, Any]  # its entry in run.json
    figures: tuple[str, ...]  # files, relative to the folder of the report


def chapters(
    runs: Sequence[Run], by: Sequence[str] = (), near: Path | None = None, *, family: str = ""
) -> list[Chapter]:
    """What reports show of some runs, a chapter a benchmark; `near` is the folder in which the report will lie.

    With `family`, only models that say they are of it (local, global …) are judged.
    """
    names = dict.fromkeys(entry["name"] for run in runs for entry in run.facts["benchmarks"])
    return [_chapter(name, runs, by, near, family) for name in names]


def _chapter(name: str, runs: Sequence[Run], by: Sequence[str], near: Path | None, family: str) -> Chapter:
    parts = [(run, entry) for run in runs for entry in run.facts["benchmarks"] if entry["name"] == name]
    first = parts[0][1]
    scores, notes = together(name, parts)
    judges = [judge(spec) for spec in (by or first["judges"])]
    scores, more = _of_family(scores, [entry for _, entry in parts], family)
    official = scores[scores["measure"].isin(first["official"]) & ~scores["criterion"].isin(first.get("aside", []))]
    verdicts = tuple(j(official) for j in judges)
    shared: tuple[Verdict, ...] = ()
    if any(v.left_out for v in verdicts):
        whole = common(official)
        shared = tuple(j(whole) for j in judges) if len(whole) else ()
        if not any(
            set(now.standing.index) - set(then.standing.index) for now, then in zip(shared, verdicts, strict=False)
        ):
            shared = ()  # over the common units nobody more can be compared
    skilled = skill(official)
    notes += [*more, *beside_nulls(official), *skilled.notes, *_by_dataset(official, judges[0]), *_doubts(scores)]
    facts = {**first, **{k: parts[0][0].facts.get(k) for k in ("versions", "started", "beholder")}}
    facts["datasets"] = list({dataset["name"]: dataset for _, entry in parts for dataset in entry["datasets"]}.values())
    pictures = [run.folder / figure for run, entry in parts for figure in entry.get("figures", [])]
    figures = tuple(Path(os.path.relpath(p, near)).as_posix() if near else str(p) for p in pictures)
    return Chapter(name, first["version"], scores, verdicts, shared, tuple(notes), skilled.table, facts, figures)


def _of_family(
    scores: pd.DataFrame, entries: Sequence[Mapping[str, Any]], family: str
) -> tuple[pd.DataFrame, list[str]]:
    """The rows without models of other families, and a sentence on how many went."""
    if not family:
        return scores, []
    known = {model["name"]: model.get("family", "") for entry in entries for model in entry.get("models", [])}
    if family not in known.values():
        families = sorted({name for name in known.values() if name})
        raise Misuse(f"no model here is of the family {family!r}{nearest(family, families)}")
    others = (scores["role"] == "model") & (scores["model"].map(known) != family)
    gone = scores.loc[others, "model"].nunique()
    return scores[~others], [f"Only models of the family {family} are judged; {gone} others are left out."]


def _by_dataset(official: pd.DataFrame, first: Judge) -> list[str]:
    """With several datasets, what the judge says of each alone: the verdict above is over all of them pooled."""
    datasets = list(dict.fromkeys(official["dataset"]))
    if len(datasets) < 2:
        return []
    return [f"On {dataset} alone: {first(official[official['dataset'] == dataset]).says}" for dataset in datasets]


def _doubts(scores: pd.DataFrame) -> list[str]:
    """A sentence for each reference status that must not pass unseen."""
    found = []
    for status in ("memory", "placeholder"):
        rows = scores[scores["provenance"] == status]
        if len(rows):
            found.append(f"{len(rows)} of {len(scores)} scores rest on references of status {status!r}")
    return found


def together(name: str, parts: Sequence[tuple[Run, Mapping[str, Any]]]) -> tuple[pd.DataFrame, list[str]]:
    """The rows of one benchmark from several runs, when they can be compared; refused with a sentence when not."""
    import pandas as pd

    versions_seen = {entry["version"]: run.folder for run, entry in parts}
    if len(versions_seen) > 1:
        (old, a), (new, b) = sorted(versions_seen.items())[:2]
        raise Misuse(f"{name}: {a} has version {old} and {b} has version {new}; their scores differ, run one again")
    for run, entry in parts[1:]:
        if entry["official"] != parts[0][1]["official"]:
            mine, theirs = (", ".join(e["official"]) for e in (parts[0][1], entry))
            raise Misuse(
                f"{name}: {parts[0][0].folder} is judged by {mine} and {run.folder} by {theirs}; report them apart"
            )
    _refuse_other_datasets(name, parts)
    tables = [run.scores[run.scores["benchmark"] == name] for run, _ in parts]
    tables, notes = _on_common_ids(tables)
    pooled = _unlike_pools(parts)
    if pooled:
        tables = [rows[~rows["measure"].map(_whole).isin(pooled)] for rows in tables]
        told = ", ".join(pooled)
        notes.append(f"The runs are over unlike samples, so what is measured over many is left out: {told}.")
    if not sum(map(len, tables)):
        raise Misuse(f"{name}: nothing is left to report: no score, or none that the runs share")
    return pd.concat(_distinct(tables, [run.folder for run, _ in parts]), ignore_index=True), notes


def _unlike_pools(parts: Sequence[tuple[Run, Mapping[str, Any]]]) -> list[str]:
    """Measures over many samples, where runs took other samples of a dataset: equal units would hide unlike pools."""
    seen: dict[str, Any] = {}
    alike = all(
        seen.setdefault(dataset["name"], dataset["ids"]) == dataset["ids"]
        for _, entry in parts
        for dataset in entry["datasets"]
    )
    pooled = [m["name"] for _, entry in parts for m in entry["measures"] if m.get("per", "sample") != "sample"]
    return [] if alike else list(dict.fromkeys(pooled))


def _whole(measure: str) -> str:
    """The measure that a part belongs to."""
    return measure.partition(".")[0] if is_part(measure) else measure


def _refuse_other_datasets(name: str, parts: Sequence[tuple[Run, Mapping[str, Any]]]) -> None:
    seen: dict[str, tuple[str, Path]] = {}
    for run, entry in parts:
        for dataset in entry["datasets"]:
            mark, where = seen.setdefault(dataset["name"], (dataset["fingerprint"], run.folder))
            if mark != dataset["fingerprint"]:
                raise Misuse(
                    f"{name}: {where} and {run.folder} used different states of the dataset {dataset['name']} "
                    f"({mark}, {dataset['fingerprint']}); their scores cannot be compared"
                )


def _on_common_ids(tables: Sequence[pd.DataFrame]) -> tuple[list[pd.DataFrame], list[str]]:
    """Runs over different parts of a dataset are compared on the units that they share."""
    notes, kept = [], list(tables)
    for dataset in dict.fromkeys(b for t in tables for b in t["dataset"].unique()):
        having = [i for i, t in enumerate(tables) if (t["dataset"] == dataset).any()]
        units = [set(kept[i].loc[kept[i]["dataset"] == dataset, "unit"]) for i in having]
        shared = set.intersection(*units)
        most = max(len(u) for u in units)
        if any(u != shared for u in units):
            notes.append(f"On {dataset} the runs share {len(shared)} of up to {most} units, and are compared on these.")
            for i in having:
                kept[i] = kept[i][(kept[i]["dataset"] != dataset) | kept[i]["unit"].isin(shared)]
    return kept, notes


def _distinct(tables: Sequence[pd.DataFrame], folders: Sequence[Path]) -> list[pd.DataFrame]:
    """The same model with the same rows stands once; with other rows it is named after its run."""
    seen: dict[tuple[str, str], pd.DataFrame] = {}
    found = []
    for rows, folder in zip(tables, folders, strict=True):
        for (model, dataset), own in rows.groupby(["model", "dataset"], sort=False):
            other = seen.setdefault((str(model), str(dataset)), own)
            if other is own:
                found.append(own)
            elif not other.reset_index(drop=True).equals(own.reset_index(drop=True)):
                found.append(own.assign(model=f"{model} ({folder.name})"))
    return found


def report(
    runs: Run | Sequence[Run] | str | Path, *, by: Sequence[str] = (), view: str = "markdown", family: str = ""
) -> str:
    """A view of one run or several: markdown, terminal, html, csv, json."""
    if isinstance(runs, (str, Path)):
        runs = read(runs)
    several = [runs] if isinstance(runs, Run) else list(runs)
    text: str = find("reports", view)(chapters(several, by, several[0].folder, family=family))
    return text
