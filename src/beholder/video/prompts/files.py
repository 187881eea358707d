"""Prompt files: VMBench's prompts.json and prompts.txt, VBench's full_info.json, and plain text."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Any

from beholder.errors import Misuse, listed
from beholder.io.atomic import write_whole
from beholder.io.bounds import FLOOR, PARSED, check_text
from beholder.video.prompts.entry import FIELDS, Entry, from_record
from beholder.video.prompts.vocabulary import lines

JSON, TEXT, VBENCH = "prompts.json", "prompts.txt", "full_info.json"
OF_A_SET = (JSON, TEXT, VBENCH, "about.json", "coverage.txt", "coverage.png", "candidates.jsonl")
# What VBench can score of a prompt that asks for motion and of nothing else (from memory).
DIMENSIONS = ("dynamic_degree", "motion_smoothness", "subject_consistency")
STYLES = ("vmbench", "vbench")


def check_folder(folder: Path, *, fresh: bool = False) -> None:
    """Refuse what is no folder, or holds a set, before any work is done."""
    if folder.exists() and not folder.is_dir():
        raise Misuse(f"got --out {folder}, which is a file; expected a folder, which is made if it is not there")
    there = [name for name in OF_A_SET if (folder / name).exists()]
    if there and not fresh:
        raise Misuse(
            f"got --out {folder}, which holds a set already ({listed(there)}); expected another folder, or --fresh to "
            "put the new set in its place"
        )


@contextmanager
def whole_set(folder: Path, *, fresh: bool = False) -> Iterator[Path]:
    """A folder to write a set to, beside its final place; at the end the set takes this place, and an older one goes.

    If anything fails, no file of the new set is left, and those of the older one stay. Other files are not touched.
    """
    check_folder(folder, fresh=fresh)
    target = folder.absolute()
    draft = target.with_name(f".{target.name}.{token_hex(4)}")
    draft.mkdir(parents=True)
    try:
        yield draft
        target.mkdir(exist_ok=True)
        written = {path.name for path in draft.iterdir()}
        for name in OF_A_SET:
            if name not in written:
                (target / name).unlink(missing_ok=True)
        for name in sorted(written):
            (draft / name).replace(target / name)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def numbered(entries: Sequence[Entry]) -> list[Entry]:
    """Entries with the indices 0001, 0002 …, as VMBench names its clips."""
    digits = max(4, len(str(len(entries))))
    return [replace(entry, index=f"{at:0{digits}}") for at, entry in enumerate(entries, 1)]


def read(path: Path) -> list[Entry]:
    """The prompts of a file (JSON of VMBench or VBench, or text, one prompt a line) or of a folder with one."""
    file = prompt_file(path)
    if file.suffix.lower() != ".json":
        found = [Entry(line) for line in _texts(file)]
        if not found:
            raise Misuse(f"{file}: got no prompt; expected one on each line, or a column of them")
        return numbered(found)
    records = _json(file)
    vbench = all(isinstance(one, dict) and "prompt_en" in one for one in records)
    found = [_from_vbench(one, at) if vbench else _from_vmbench(file, one, at) for at, one in enumerate(records, 1)]
    seen: set[str] = set()
    for at, entry in enumerate(found, 1):
        if entry.index in seen:
            raise Misuse(f"{file}, entry {at}: got the index {entry.index} twice; expected each once")
        seen.add(entry.index)
    return found


def _texts(file: Path) -> Sequence[str]:
    """The lines of a text, or the captions of a table."""
    if file.suffix.lower() in (".csv", ".tsv"):
        from beholder.video.prompts.extract import captions

        return list(captions(file))
    return lines(file)


def prompt_file(path: Path) -> Path:
    """The file of prompts that a path names, or that lies in its folder."""
    if path.is_file():
        return path
    places = [folder / name for folder in (path, path / "prompts") for name in (JSON, VBENCH, TEXT)]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise Misuse(f"got {path} without prompts; expected a file of prompts, or a folder with {JSON} or {VBENCH}")
    return found


def _json(file: Path) -> list[Any]:
    try:
        check_text(file, PARSED * FLOOR)
        found = json.loads(file.read_text("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise Misuse(f"{file}: got no JSON that can be read ({fault}); expected a list of prompts") from None
    if not isinstance(found, list) or not found:
        raise Misuse(f"{file}: got a {type(found).__name__} without prompts; expected a list of records")
    return found


def _from_vmbench(file: Path, record: Any, at: int) -> Entry:
    if not isinstance(record, Mapping) or not isinstance(record.get("prompt"), str) or not record["prompt"].strip():
        raise Misuse(f"{file}, entry {at}: got {str(record)[:60]!r}; expected a record with prompt (or prompt_en)")
    return from_record({"index": f"{at:04}", **record})


def _from_vbench(record: Mapping[str, Any], at: int) -> Entry:
    """VBench's own fields stay as they are."""
    rest = {key: value for key, value in record.items() if key != "prompt_en"}
    ours = {key: rest.pop(key) for key in (*FIELDS, "pattern", "interaction", "kind", "pattern_by") if key in rest}
    return replace(from_record({"index": f"{at:04}", **ours, "prompt": str(record["prompt_en"])}), more=rest)


def vmbench_text(entries: Sequence[Entry]) -> str:
    """The prompts as VMBench's prompts.json; equal entries are equal bytes."""
    plain = [_without(entry, ("dimension", "auxiliary_info")).record() for entry in entries]
    return json.dumps(plain, indent=4, ensure_ascii=False) + "\n"


def vbench_text(entries: Sequence[Entry]) -> str:
    """The prompts as VBench's full_info.json; our fields stand behind VBench's."""
    records = []
    for entry in entries:
        own = {key: value for key, value in entry.record().items() if key != "prompt" and value != ""}
        dimension = own.pop("dimension", list(DIMENSIONS))
        records.append({"prompt_en": entry.prompt, "dimension": dimension, **own})
    return json.dumps(records, indent=4, ensure_ascii=False) + "\n"


def _without(entry: Entry, keys: Sequence[str]) -> Entry:
    return replace(entry, more={key: value for key, value in entry.more.items() if key not in keys})


def write(entries: Sequence[Entry], folder: Path, *, styles: Sequence[str] = ("vmbench",)) -> list[Path]:
    """Write prompts.json and prompts.txt (vmbench), full_info.json (vbench), or both; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {}
    if "vmbench" in styles:
        texts = {JSON: vmbench_text(entries), TEXT: "".join(f"{_line(entry.prompt)}\n" for entry in entries)}
    if "vbench" in styles:
        texts[VBENCH] = vbench_text(entries)
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]


def _line(text: str) -> str:
    return " ".join(text.split())
