"""What is said of datasets by name: the list, one card, and what a loader understands of a folder."""

from __future__ import annotations

import inspect
import textwrap

from beholder.core.cite import key_of
from beholder.datasets.record import Record, records
from beholder.registry.find import find
from beholder.registry.wrapping import room
from beholder.store.paths import fetched

SIZE = 23  # columns of the list that people × items may take
TO_FETCH = "MB: can be fetched; by hand: you fetch it; at hand: it is here; *: from memory"
NEXT = "beholder data get NAME fetches one, beholder data show NAME says more"


def listing() -> str:
    """All datasets by name, one line each."""
    rows = [(one.name, _size(one), _state(one), one.licence) for one in records()]
    head = ("name", "people × items", "to fetch", "licence")
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(3)]
    left = room() - sum(width + 2 for width in widths)
    licences = (textwrap.shorten(row[3], left, placeholder=" …") for row in (head, *rows))
    lines = [
        "  ".join([*map(str.ljust, row[:3], widths), licence])
        for row, licence in zip((head, *rows), licences, strict=True)
    ]
    return "\n".join([*lines, "", TO_FETCH, NEXT])


def shown(record: Record) -> str:
    """The card of one dataset."""
    facts = {
        "people × items": record.size,
        "licence": record.licence,
        "you may": record.permits,
        "cite": cited(record),
        "at hand": str(fetched(record.name) or "no"),
    }
    if record.folders:
        facts["size"] = f"{record.megabytes:,.1f} MB"
        facts["from"] = "; ".join(
            f"{one.repository} at {one.commit[:10]}{one.folder and f', {one.folder}'} (tree {one.tree[:12]})"
            for one in record.folders
        )
        facts["fetch it"] = f"beholder data get {record.name}"
    else:
        facts["how to get it"] = record.steps
        facts["expected"] = expected(record)
    facts["use it"] = usage(record)
    width = max(map(len, facts))
    lines = [f"{key:<{width}}  {text}" for key, text in facts.items() if text]
    return "\n".join([f"{record.name}: {record.about}", "", *lines])


def usage(record: Record) -> str:
    """The command that uses a dataset."""
    if not record.loader:
        return record.run
    path = "" if record.folders else ":PATH"
    return f"beholder run {record.run} --dataset {record.loader.partition('/')[2]}{path}"


def cited(record: Record) -> str:
    """The citation keys, from the loader where there is one."""
    place, _, name = record.loader.partition("/")
    return record.cite or (key_of(find(place, name)) if name else "")


def expected(record: Record) -> str:
    """The layout that the loader expects: the first sentence of its card."""
    place, _, name = record.loader.partition("/")
    return " ".join((inspect.getdoc(find(place, name)) or "").partition("\n\n")[0].split()) if name else ""


def _size(record: Record) -> str:
    """People × items in a column: what is from memory has a star."""
    size = record.size.removesuffix(" (from memory)")
    return textwrap.shorten(size, SIZE, placeholder=" …") + "*" * (size != record.size)


def _state(record: Record) -> str:
    return "at hand" if fetched(record.name) else f"{record.megabytes:,.1f} MB" if record.folders else "by hand"
