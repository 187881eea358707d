"""VMBench's prompts: 1,050 sentences that ask for motion, by subject, place and action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beholder.core.cite import source
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.io.bounds import FLOOR, PARSED, check_text
from beholder.io.reading import parse_json
from beholder.store.digest import digest
from beholder.video.scene import Scene
from beholder.video.types import Prompt

FILE = "prompts.json"
TAGS = ("place", "action", "pattern", "interaction", "kind", "pattern_by")


@source("Ling2025")
def vmbench(path: Path) -> Dataset[Prompt, Scene]:
    """The prompts of VMBench, from its prompts.json or a folder that holds it; ids are its indices, 0001 … 1050.

    A prompt has the sentence and the noun of its subject; place and action are tags. VMBench's file does not give a
    prompt's pattern of motion; if `beholder video prompts` has tagged the file, pattern, interaction and kind are tags
    as well. A generator's clips are the files 0001.mp4, 0002.mp4 …, as VMBench expects.
    """
    records = _records(_file(Path(path)))
    return Dataset(
        "vmbench",
        tuple(records),
        _Load(records),
        cite="Ling2025",
        licence="Apache-2.0",
        content=digest(records),
        status="verified",
        about=f"{len(records):,} prompts that ask for motion; of each scene only the subject is known.",
    )


def _file(path: Path) -> Path:
    places = [path, path / FILE, path / "prompts" / FILE]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        raise Misuse(f"got {path} without {FILE}; expected VMBench's folder of prompts")
    return file


def _records(file: Path) -> dict[str, Mapping[str, Any]]:
    """The records by their index."""
    try:
        check_text(file, PARSED * FLOOR)
        found = parse_json(file.read_text("utf-8"))
    except ValueError as fault:
        raise Misuse(f"{file}: got no JSON that can be read ({fault}); expected VMBench's {FILE}") from None
    if not isinstance(found, list) or not found:
        raise Misuse(f"{file}: got a {type(found).__name__}; expected a list of prompts")
    records: dict[str, Mapping[str, Any]] = {}
    for at, record in enumerate(found, 1):
        if not isinstance(record, dict) or not record.get("index") or not isinstance(record.get("prompt"), str):
            raise Misuse(f"{file}, entry {at}: got {str(record)[:60]!r}; expected a record with index and prompt")
        if str(record["index"]) in records:
            raise Misuse(f"{file}, entry {at}: got the index {record['index']} twice; expected each once")
        records[str(record["index"])] = record
    return records


@dataclass(frozen=True)
class _Load:
    records: Mapping[str, Mapping[str, Any]]

    def __call__(self, id: str) -> Sample[Prompt, Scene]:
        said = self.records[id]
        text, noun = str(said["prompt"]).strip(), str(said.get("subject_noun") or said.get("subject") or "")
        tags = {name: str(said[name]) for name in TAGS if said.get(name)}
        return Sample(id, Prompt(text, noun), Scene(text, noun, status="verified"), tags)
