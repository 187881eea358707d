"""What is said of datasets by name: the list, one card, and what a loader understands of a folder."""

from __future__ import annotations

import inspect
import textwrap

from beholder.core.cite import key_of
from beholder.datasets.record import Record, records
from beholder.registry.find import find
from beholder.registry.wrapping import room
from beholder.store.paths import fetched

LICENCE, CITE = 30, 24  # columns of a wide list
SIZE = 22  # columns of the list that people × items may take
ABOUT = {  # the domains' own words, in the order of the list
    "attention": "Where people look",
    "motion": "What motion people see, and true flow",
    "stereo": "True disparities",
    "study": "What people answered and rated",
    "video": "Generated clips",
}
TO_FETCH = "MB: can be fetched; by hand: you fetch it; at hand: it is here; *: from memory"
NEXT = "beholder data get NAME fetches one, beholder data show NAME says more"


def listing() -> str:
    """All datasets by name, one line each, under what they are of."""
    every = {one: (one.name, _size(one), _state(one), one.licence, cited(one)) for one in records()}
    head = ("name", "people × items", "to fetch", "licence", "cite")
    widths = [max(len(row[at]) for row in (head, *every.values())) for at in range(3)]
    left = room() - sum(width + 2 for width in widths)
    lines = [_line(head, widths, left)]
    for domain, about in ABOUT.items():
        lines += ["", f"{about} ({domain})"]
        lines += [_line(row, widths, left) for one, row in every.items() if _domain(one) == domain]
    return "\n".join([*lines, "", TO_FETCH, NEXT])


def _line(row: tuple[str, ...], widths: list[int], left: int) -> str:
    """A row of the list: the licence is cut where it must be, and whom to cite stands where there is room for it."""
    cells = [*map(str.ljust, row[:3], widths)]
    if left < LICENCE + CITE:
        return "  ".join([*cells, textwrap.shorten(row[3], left, placeholder=" …")])
    cut = textwrap.shorten(row[3], left - CITE - 2, placeholder=" …")
    return "  ".join([*cells, cut.ljust(left - CITE - 2), textwrap.shorten(row[4], CITE, placeholder=" …")]).rstrip()


def _domain(record: Record) -> str:
    """What a dataset is of, by its loader; the sets that no benchmark reads are of eye movements."""
    return record.loader.partition(".")[0] or "attention"


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


def way(record: Record) -> str:
    """How to get a dataset: the command that fetches it, or what to do by hand, and then with which commands."""
    if record.folders:
        return f"Fetch it: beholder data get {record.name}"
    loader = record.loader.partition("/")[2]
    then = f" Then: beholder check PATH --as {loader}, and {usage(record)}" if loader else ""
    return f"{record.steps}{then}"


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
