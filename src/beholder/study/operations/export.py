"""What was answered, as a folder that anybody can read: tidy tables, what their columns mean, the study as served."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

from beholder.core.scores import escape
from beholder.errors import Misuse
from beholder.study.design.file import Study
from beholder.study.operations.private import FILE, make_folder, unwritable, write_private
from beholder.study.operations.tidy import Row, Rows, Tidy, tidy
from beholder.study.operations.wording import count_of

TABLES = ("answers", "sessions", "items")
FAILED = "failed_checks"  # outcome: all was answered, and checks otherwise than they asked
FORMAT = 1  # of the folder; rises when a column changes its meaning


def only(tables: Mapping[str, Rows], *, simulated: bool = False) -> tuple[Mapping[str, Rows], str]:
    """Either real or simulated sessions with what is theirs, never both; and a sentence on those that were left out."""
    ids = {one["id"] for one in tables["sessions"] if bool(one["simulated"]) == simulated}
    left = len(tables["sessions"]) - len(ids)
    kept = {name: [row for row in rows if row.get("session", row.get("id")) in ids] for name, rows in tables.items()}
    of, how = (
        ("real", "leave out --simulated to export them")
        if simulated
        else ("simulated", ("--simulated exports only them"))
    )
    said = f"{count_of(left, f'{of} session')} {'is' if left == 1 else 'are'} left out ({how})"
    return kept, said if left else ""


def files(study: Study, tables: Mapping[str, Rows], exposure: Iterable[Any] = (), text: str = "",
          media: Path | None = None) -> dict[str, bytes]:  # fmt: skip
    """The files of an export by name; `text` is the study file and `media` its folder, where they are at hand."""
    made = tidy(study, tables, exposure)
    found = {f"{name}.csv": csv_text(rows, columns).encode() for name, rows, columns in _each(made)}
    found["study.json"] = study.model_dump_json(by_alias=True, indent=1).encode()
    if text:
        found["study.toml"] = text.encode()
    found["dictionary.json"] = _json(_dictionary(made))
    found["about.json"] = _json(_about(study, made, media))
    return found


def export(
    store: Any, name: str, folder: Path, *, simulated: bool = False, parquet: bool = False, text: str = "",
    media: Path | None = None,
) -> list[str]:  # fmt: skip
    """Write the answers to a study, as its store has them, into a folder; what is in it and what not, in sentences."""
    study = store.study(name)
    tables, left = only(store.tables(name), simulated=simulated)
    content = files(study, tables, store.exposure(name, simulated=simulated), text, media)
    write(folder, content, parquet=parquet)
    return [sentence(json.loads(content["about.json"])["sessions"]), *filter(None, [left])]


def counted(sessions: Iterable[Row]) -> dict[str, Any]:
    """How many sessions are complete, partial or simulated, and how many each rule excludes."""
    rows = list(sessions)
    rules = Counter(rule for row in rows for rule in row["excluded"].split(";") if rule)
    return {
        "all": len(rows),
        "complete": sum(row["state"] == "complete" and row["outcome"] != FAILED for row in rows),
        FAILED: sum(row["outcome"] == FAILED for row in rows),
        "partial": sum(row["state"] == "partial" for row in rows),
        "empty": sum(row["state"] == "empty" for row in rows),
        "simulated": sum(row["simulated"] for row in rows),
        "excluded": sum(bool(row["excluded"]) for row in rows),
        "excluded_by": dict(sorted(rules.items())),
    }


def sentence(many: Mapping[str, Any]) -> str:
    """The same, for a terminal.

    >>> sentence({"all": 1, "complete": 1, "partial": 0, "empty": 0, "simulated": 0, "excluded": 0, "excluded_by": {}})
    '1 session: 1 complete; no rule excludes any'
    >>> sentence({"all": 5, "complete": 1, "failed_checks": 1, "partial": 2, "empty": 1, "simulated": 5, "excluded": 3,
    ...           "excluded_by": {"checks": 3}})
    '5 simulated sessions: 1 complete, 1 with failed checks, 2 partial, 1 without answers; rules exclude 3 (checks 3)'
    """
    words = {"complete": "complete", FAILED: "with failed checks", "partial": "partial", "empty": "without answers"}
    parts = ", ".join(f"{many[name]} {word}" for name, word in words.items() if many.get(name))
    rules = ", ".join(f"{name} {count}" for name, count in many["excluded_by"].items())
    out = f"rules exclude {many['excluded']} ({rules})" if many["excluded"] else "no rule excludes any"
    of = "simulated " if many["simulated"] else ""
    return f"{count_of(many['all'], f'{of}session')}{f': {parts}; {out}' if many['all'] else ''}"


def _each(made: Tidy) -> list[tuple[str, list[Row], Mapping[str, Any]]]:
    return [(name, getattr(made, name), made.columns[name]) for name in TABLES]


def csv_text(rows: Sequence[Mapping[str, Any]], columns: Iterable[str]) -> str:
    """Rows as CSV; no text in it is executed by a spreadsheet, and None is an empty cell."""
    text = io.StringIO()
    names = list(columns)
    out = csv.writer(text, lineterminator="\n")
    out.writerow([escape(name) for name in names])
    out.writerows([_cell(row.get(name)) for name in names] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    return "" if value is None else escape(value) if isinstance(value, str) else value


def _json(content: Any) -> bytes:
    return json.dumps(content, indent=1, ensure_ascii=False).encode()


def _dictionary(made: Tidy) -> dict[str, Any]:
    return {
        f"{name}.csv": {
            column: {"type": kind, "unit": unit, "meaning": meaning}
            for column, (kind, unit, meaning) in columns.items()
        }
        for name, _, columns in _each(made)
    }


def _about(study: Study, made: Tidy, media: Path | None) -> dict[str, Any]:
    from beholder import __version__
    from beholder.study.operations.giveaways import cues_of

    cues = {} if media is None else {"cues": [cue._asdict() for cue in cues_of(study, media)]}
    return {
        "format": FORMAT,
        "study": study.name,
        "digest": study.digest,
        "beholder": __version__,
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "rows": {name: len(rows) for name, rows, _ in _each(made)},
        "simulated": any(row["simulated"] for row in made.sessions),
        "sessions": counted(made.sessions),
        "rules": [rule.model_dump(exclude_none=True) for rule in study.exclude],
        "deviations": list(study.deviations),  # from the study that a preset repeats
        **_unlike(media),
        **cues,  # how well trivial cues alone tell the classes apart
        "texts": "an apostrophe is put before a text that a spreadsheet would execute",
    }


def _unlike(media: Path | None) -> dict[str, Any]:
    """How a study that follows no preset differs from the one of its paper: facts, as its folder states them."""
    from beholder.study.design.exhibition import UNLIKE

    try:
        said = json.loads((media / "about.json").read_bytes()) if media else {}
    except (OSError, ValueError):  # a study that was made by hand has none
        return {}
    return {UNLIKE: said[UNLIKE]} if isinstance(said, dict) and UNLIKE in said else {}


def archive(content: Mapping[str, bytes], folder: str = "") -> bytes:
    """The files of an export as one zip."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in content.items():
            file.writestr(f"{folder}/{name}" if folder else name, data)
    return whole.getvalue()


def write(folder: Path, content: Mapping[str, bytes], *, parquet: bool = False) -> None:
    """Write the files of an export into a folder of its own; one that holds another study's export is refused."""
    _refuse_folder(folder, json.loads(content["about.json"]))
    made = make_folder(folder)
    draft = folder / f".draft-{token_hex(4)}"
    try:
        make_folder(draft)
        for name, data in content.items():
            write_private(draft / name, data)
        for name in TABLES if parquet else ():
            _parquet(draft / f"{name}.csv", json.loads(content["dictionary.json"])[f"{name}.csv"])
        for name in TABLES:  # of an earlier export: it would tell something else than the table beside it
            (folder / f"{name}.parquet").unlink(missing_ok=True)
        for file in draft.iterdir():  # all is written: from here on nothing needs space
            file.replace(folder / file.name)
    except OSError as fault:
        if isinstance(fault, Misuse):
            raise
        raise unwritable(folder, fault) from fault
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        if made and not any(folder.iterdir()):
            folder.rmdir()


def _refuse_folder(folder: Path, new: Mapping[str, Any]) -> None:
    """Refuse a folder that holds anything but an earlier export of the same: of the study, and of people or not."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    try:
        old = json.loads((folder / "about.json").read_bytes())
        study, simulated = old["study"], old.get("simulated", False)
        (folder / "answers.csv").stat()
    except (OSError, ValueError, KeyError, TypeError):
        raise Misuse(
            f"got {folder}, which holds something else; expected a new folder, or that of an earlier export"
        ) from None
    if study != new["study"]:
        raise Misuse(f"got {folder}, which holds the export of {study!r}; expected another folder for {new['study']!r}")
    if simulated != new["simulated"]:
        of = "simulated sessions" if simulated else "people"
        raise Misuse(
            f"got {folder}, which holds an export of {of}; expected another folder, because the two are kept apart"
        )


TYPES = {"integer": "BIGINT", "number": "DOUBLE", "time": "TIMESTAMPTZ", "text": "VARCHAR"}


def _parquet(table: Path, columns: Mapping[str, Mapping[str, str]]) -> None:
    """The same table beside it as Parquet, with types; texts stand in it as they are, without apostrophes."""
    try:
        import duckdb
    except ImportError:
        raise Misuse(
            "got --parquet, but nothing installed can write it; install beholder[parquet], or use the CSV"
        ) from None
    casts = ", ".join(
        f"CAST(regexp_replace({_name(name)}, '^''', '') AS VARCHAR) AS {_name(name)}"
        if said["type"] == "text"
        else f"CAST(NULLIF({_name(name)}, '') AS {TYPES[said['type']]}) AS {_name(name)}"
        for name, said in columns.items()
    )
    target = table.with_suffix(".parquet")
    try:
        with duckdb.connect() as database:
            database.execute(
                f"COPY (SELECT {casts} FROM read_csv({_text(table)}, all_varchar=true, header=true, delim=',', "
                f"quote='\"', escape='\"', nullstr='\x01')) TO {_text(target)} (FORMAT parquet)"
            )
    except duckdb.IOException as fault:
        raise Misuse(f"{target.name} cannot be written: {fault}; free some space, or leave out --parquet") from fault
    target.chmod(FILE)


def _name(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
