"""What was answered, as a folder that anybody can read: tidy tables, what their columns mean, the study as served."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from beholder.core.scores import escape
from beholder.errors import Misuse
from beholder.io.atomic import write_whole
from beholder.study.design.file import Study
from beholder.study.operations.tidy import Row, Rows, Tidy, tidy

FORMAT = 1  # of the folder; rises when a column changes its meaning


def only(tables: Mapping[str, Rows], *, simulated: bool = False) -> tuple[Mapping[str, Rows], str]:
    """Either real or simulated sessions with what is theirs, never both; and a sentence on those that were left out."""
    ids = {one["id"] for one in tables["sessions"] if bool(one["simulated"]) == simulated}
    left = len(tables["sessions"]) - len(ids)
    kept = {name: [row for row in rows if row.get("session", row.get("id")) in ids] for name, rows in tables.items()}
    how = "real sessions (without --simulated)" if simulated else "simulated sessions (--simulated takes them alone)"
    return kept, f"{left} {how} are left out" if left else ""


def files(study: Study, tables: Mapping[str, Rows], exposure: Iterable[Any] = (), text: str = "") -> dict[str, bytes]:
    """The files of an export by name; `text` is the study file as it was written, where it is at hand."""
    made = tidy(study, tables, exposure)
    found = {f"{name}.csv": csv_text(rows, columns).encode() for name, rows, columns in _each(made)}
    found["study.json"] = study.model_dump_json(by_alias=True, indent=1).encode()
    if text:
        found["study.toml"] = text.encode()
    found["dictionary.json"] = _json(_dictionary(made))
    found["about.json"] = _json(_about(study, made))
    return found


def export(
    store: Any, name: str, folder: Path, *, simulated: bool = False, parquet: bool = False, text: str = ""
) -> str:
    """Write the answers to a study, as its store has them, into a folder; what was left out, in a sentence."""
    study = store.study(name)
    tables, left = only(store.tables(name), simulated=simulated)
    content = files(study, tables, store.exposure(name, simulated=simulated), text)
    write(folder, content, parquet=parquet)
    return left


def _each(made: Tidy) -> list[tuple[str, list[Row], Mapping[str, Any]]]:
    return [(name, getattr(made, name), made.columns[name]) for name in ("answers", "sessions", "items")]


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


def _about(study: Study, made: Tidy) -> dict[str, Any]:
    from beholder import __version__

    return {
        "format": FORMAT,
        "study": study.name,
        "digest": study.digest,
        "beholder": __version__,
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "rows": {name: len(rows) for name, rows, _ in _each(made)},
        "texts": "a text that a spreadsheet would execute stands after an apostrophe",
    }


def archive(content: Mapping[str, bytes], folder: str = "") -> bytes:
    """The files of an export as one zip."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in content.items():
            file.writestr(f"{folder}/{name}" if folder else name, data)
    return whole.getvalue()


def write(folder: Path, content: Mapping[str, bytes], *, parquet: bool = False) -> None:
    """Write the files of an export into a folder of its own; one that holds another study's export is refused."""
    before = folder / "about.json"
    if folder.exists() and not before.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Misuse(f"got {folder}, which holds something else; expected a new folder, or one of an earlier export")
    if before.exists():
        old, new = (json.loads(one) for one in (before.read_bytes(), content["about.json"]))
        if old.get("study") != new["study"]:
            raise Misuse(
                f"got {folder}, which holds the export of {old.get('study')!r}; expected another folder for "
                f"{new['study']!r}"
            )
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in content.items():
        write_whole(folder / name, data)
    if parquet:
        for name in ("answers", "sessions", "items"):
            _parquet(folder / f"{name}.csv", json.loads(content["dictionary.json"])[f"{name}.csv"])


TYPES = {"integer": "BIGINT", "number": "DOUBLE", "time": "TIMESTAMPTZ", "text": "VARCHAR"}


def _parquet(table: Path, columns: Mapping[str, Mapping[str, str]]) -> None:
    """The same table beside it as Parquet, with types; texts stand in it as they are, without apostrophes."""
    try:
        import duckdb
    except ImportError:
        raise Misuse(
            "got --parquet, and nothing installed writes it; install beholder[parquet], or take the CSV"
        ) from None
    casts = ", ".join(
        f"CAST(regexp_replace({_name(name)}, '^''', '') AS VARCHAR) AS {_name(name)}"
        if said["type"] == "text"
        else f"CAST(NULLIF({_name(name)}, '') AS {TYPES[said['type']]}) AS {_name(name)}"
        for name, said in columns.items()
    )
    target = table.with_suffix(".parquet")
    with duckdb.connect() as database:
        database.execute(
            f"COPY (SELECT {casts} FROM read_csv({_text(table)}, all_varchar=true, header=true, delim=',', quote='\"', "
            f"escape='\"', nullstr='\x01')) TO {_text(target)} (FORMAT parquet)"
        )


def _name(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
