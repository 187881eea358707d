"""What lies beside the picture of a sample, in one record: which sample it is, its films, its views."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from beholder.evaluation.films import FilmFacts
from beholder.evaluation.views import ViewsFacts
from beholder.io.atomic import write_whole
from beholder.store.paths import inside
from beholder.store.run_json import list_faults


class Drawn(TypedDict, total=False):
    """The record of one sample."""

    id: str
    films: list[FilmFacts]
    views: ViewsFacts
    fault: str  # why there are no views


def facts_file(sheet: Path) -> Path:
    """Where the record of a sample lies; the sample is known by its picture."""
    return sheet.with_suffix(".json")


def write_drawn(record: Drawn, sheet: Path) -> None:
    """Write the record of a sample beside its picture."""
    write_whole(facts_file(sheet), json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")


def read_drawn(file: Path) -> Drawn | None:
    """What `write_drawn` has said; None where the file is gone or damaged, which costs films and views only."""
    try:
        record: Drawn = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if any(True for _ in list_faults(record, Drawn)) or not all(inside(file.parent, name) for name in _files(record)):
        return None  # a page may hold what the record names
    return record


def _files(record: Drawn) -> Iterator[str]:
    for film in record.get("films", []):
        yield from (film["file"], film["poster"])
    views = record.get("views")
    for own in [views["shared"], *(model["views"] for model in views["models"])] if views else ():
        for view in own:
            yield from (view["file"], view["poster"])
