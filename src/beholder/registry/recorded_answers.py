"""Answers that are there already, as models: `dir:folder`, `table:file`, `log:file`."""

from __future__ import annotations

import csv
import difflib
import inspect
import io
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from beholder.core.benchmark import Benchmark, Files, Recorded
from beholder.core.sample import Dataset, remark
from beholder.core.scores import unescape
from beholder.errors import Misuse, NotFound, Unsuited
from beholder.io.reading import parse_json
from beholder.registry.remembered import remembered
from beholder.registry.spec import parse, refuse_unknown, split_path

SCANPATHS = "scanpaths"  # the kind that a dataset.toml beside a table of models says


def needed(files: Files | None, spec: str) -> Files:
    """The benchmark's file formats, without which `dir:` and `cmd:` have no meaning."""
    if files is None:
        raise Unsuited(f"got {spec!r}, but this benchmark has no file format for answers; give a Python function")
    return files


def folder(where: Path, of: Benchmark) -> Recorded:
    """A folder with one output file per sample, named by its id."""
    files = needed(of.files, f"dir:{where}")
    if not where.is_dir():
        raise NotFound(f"got dir:{where}, which is not a folder; expected one with a file for each sample")
    found = {id: path for id in of.dataset.ids if (path := _answer_file(where, id, files))}
    if not found and of.dataset.ids:
        inside = ", ".join(sorted(f.name for f in where.iterdir())[:3]) or "nothing"
        wanted = f"{of.dataset.ids[0]}{files.suffixes[0]}"
        raise Misuse(
            f"dir:{where} answers none of the {len(of.dataset)} samples of {of.dataset.name}: it holds {inside}; "
            f"expected files such as {wanted} ({', '.join(files.suffixes)})"
        )
    return Recorded(
        found,
        files.read,
        wanted=f"{where}/{{id}}{files.suffixes[0]} ({', '.join(files.suffixes)})",
        remarks=tuple(_remarks(where, of.dataset, files)),
    )


def _remarks(where: Path, dataset: Dataset[Any, Any], files: Files) -> Iterator[str]:
    """What a folder of outputs holds that is not read: files of no sample, and a sample's further formats."""
    places = {(where / id).parent for id in dataset.all_ids}
    there = {file for place in places if place.is_dir() for file in place.iterdir() if file.is_file()}
    there = {file for file in there if not any(map(file.match, files.beside))}
    own = {id: _all_answers(where, id, files, there) for id in dataset.all_ids}
    surplus = sorted(file.relative_to(where).as_posix() for file in there.difference(*own.values()))
    shown = [name for name in surplus if not name.rpartition("/")[2].startswith(".")]
    for said in remark(shown, "file", f"unused, because no sample of {dataset.name} has that name"):
        lacking = {f"{id}{suffix}": id for id, several in own.items() if not several for suffix in files.suffixes}
        near = difflib.get_close_matches(shown[0], lacking, 1)
        yield f"{said}; is {shown[0]} meant for {lacking[near[0]]}?" if near else said
    several = [found for id in dataset.ids if len(found := own[id]) > 1]
    taken = [f"{first.name} (not {' or '.join(file.name for file in others)})" for first, *others in several]
    yield from remark(taken, "sample", "present in several formats; taken")


def _all_answers(where: Path, id: str, files: Files, there: Collection[Path]) -> list[Path]:
    """Every file that answers a sample, the one that is taken first."""
    found = [file for suffix in files.suffixes if (file := where / f"{id}{suffix}") in there]
    other = files.find(where, id) if files.find and not found else None
    return found if other is None else [other]


def _answer_file(where: Path, id: str, files: Files) -> Path | None:
    candidates = (where / f"{id}{suffix}" for suffix in files.suffixes)
    found = next((path for path in candidates if path.is_file()), None)
    return files.find(where, id) if files.find and found is None else found


def tabled(spec: str, of: Benchmark, label: str = "") -> dict[str, Recorded]:
    """Models whose answers stand in one long table, `table(settings):FILE`: one for each that it names."""
    head, _, rest = split_path(spec)
    file, settings = Path(rest).expanduser(), parse(head)[1]
    read = needed(of.files, spec).table
    if read is None:
        raise Unsuited(f"got {spec!r}, but {of.name} reads no table of answers; give a folder of files, dir:FOLDER")
    if not file.is_file():
        raise NotFound(f"got {spec}, which names no file; expected table:FILE, one row for each fixation")
    note = remembered(file, SCANPATHS)
    settings = {**(note.beside(settings) if note and note.fits(SCANPATHS) else {}), **settings}
    own = {key: value for key, value in settings.items() if key in inspect.signature(read).parameters}
    refuse_unknown(read, parse(head)[1], f"model {spec}", given=2)
    found = read(file, of.dataset, **own)
    if not found:
        raise Misuse(
            f"{file} answers none of the {len(of.dataset)} samples of {of.dataset.name}; expected rows on such as "
            f"{of.dataset.ids[0]!r}"
        )
    names = {model: (f"{label}:{model}" if len(found) > 1 else label) if label else model for model in found}
    wanted = f"rows of this model on {{id}} in {file}"
    return {names[model]: Recorded(answers, wanted=wanted) for model, answers in found.items()}


def participants(log: Path, of: Benchmark, label: str = "") -> dict[str, Recorded]:
    """Crowd answers as models, one per participant: a .csv table or lines of JSON with participant, sample, answer.

    A folder is the export of a study.
    """
    answers: dict[str, dict[str, Any]] = {}
    for number, row in enumerate(_log_rows(log), 1):
        missing = [key for key in ("participant", "sample", "answer") if row.get(key) is None]
        if missing:
            raise Misuse(f"{log}, answer {number}: got no {missing[0]!r}; expected participant, sample and answer")
        who, sample = str(row["participant"]), str(row["sample"])
        if sample in answers.setdefault(who, {}) and answers[who][sample] != row["answer"]:
            raise Misuse(f"{log}, answer {number}: {who} answered {sample} twice, differently; keep one")
        answers[who][sample] = row["answer"]
    if not answers:
        raise Misuse(f"{log} holds no answer; expected at least one line")
    asked = {sample for given in answers.values() for sample in given}
    if asked.isdisjoint(of.dataset.all_ids):
        raise Misuse(
            f"{log} answers none of the samples of {of.dataset.name}: it has {min(asked)!r}; "
            f"expected such as {of.dataset.all_ids[0]!r}"
        )
    prefix = f"{label}:" if label else ""
    return {f"{prefix}{who}": Recorded(given, partial=True) for who, given in answers.items()}


def _log_rows(log: Path) -> list[dict[str, Any]]:
    if log.is_dir():
        return _exported(log)
    if not log.is_file():
        raise NotFound(f"got log:{log}, which is not a file; expected answers as .csv or .jsonl")
    try:
        text = log.read_bytes().decode("utf-8-sig")  # as it is: an answer may hold line breaks
        if log.suffix.lower() == ".csv":
            return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as fault:
        raise Misuse(f"{log} cannot be read: {fault}; expected a table in UTF-8") from None
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            rows += [dict(parse_json(line))] if line.strip() else []
        except (ValueError, TypeError):
            raise Misuse(f"{log}, line {number}: got {line[:60]!r}; expected one JSON object per line") from None
    return rows


def _exported(folder: Path) -> list[dict[str, Any]]:
    """The answers in the export of a study: its trials, on the question that has right answers, else on the first.

    Sessions that the study's own rules exclude are left out, as the dataset `answers:EXPORT` does.
    """
    table = folder / "answers.csv"
    if not table.is_file():
        raise NotFound(f"got log:{folder} without {table.name}; expected the folder of beholder study export")
    sessions = folder / "sessions.csv"
    out = {row.get("session") for row in (_log_rows(sessions) if sessions.is_file() else []) if row.get("excluded")}
    every = [row for row in _log_rows(table) if row.get("use", "trial") == "trial" and row.get("session") not in out]
    asked = [row for row in every if row.get("right")]
    asked = asked or [row for row in every if row.get("dimension") == every[0].get("dimension")]
    names = {"participant": "session", "sample": "item", "answer": "value"}
    return [
        {ours: None if row.get(its) is None else unescape(str(row[its])) for ours, its in names.items()}
        for row in asked
    ]
