"""How far a study is, for a terminal: who came, how it ended, how often items were shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

SHOWN = 10  # items at each end


def text(found: Mapping[str, Any], items: Iterable[Mapping[str, Any]] = ()) -> str:
    """What the store says of a study's standing; with `items` (rows of exposure), those at both ends."""
    at = datetime.fromtimestamp(found["at"], UTC).isoformat(timespec="seconds")
    wanted = f" of {found['participants']}" if found["participants"] else ""
    ends = ", ".join(f"{many} {name}" for name, many in found["by_outcome"].items() if many)
    last = found["last_answer"]
    since = f", the last one {found['at'] - last:.0f} s ago" if last else ""
    lines = [
        f"{found['study']} at {at}: {found['complete']}{wanted} complete, {found['answers']} answers{since}",
        f"sessions: {ends or 'nobody has come yet'}",
    ]
    if found["by_kind"]:
        rows = [[name, one["complete"], one["running"], one["quota"] or "-"] for name, one in found["by_kind"].items()]
        lines += ["", *table(("participants", "complete", "running", "quota"), rows)]
    columns = ("items", "answered", "leased", "least", "most")
    lines += [
        "",
        *table(("class", *columns), [[n, *(one[c] for c in columns)] for n, one in found["exposure"].items()]),
    ]
    order = sorted(items, key=lambda one: (one["answered"] + one["leased"], one["item"]))
    for word, some in (("least", order[:SHOWN]), ("most", order[::-1][:SHOWN])) if order else ():
        rows = [[one[name] for name in ("item", "kind", "answered", "leased")] for one in some]
        lines += ["", f"{word} exposed:", *table(("item", "class", "answered", "leased"), rows)]
    return "\n".join(lines)


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Columns side by side: texts to the left, numbers to the right.

    >>> print("\\n".join(table(("class", "items"), [["human", 8], ["synthetic", 12]])))
    class      items
    human          8
    synthetic     12
    """
    cells = [[*head], *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
    numbers = [bool(rows) and isinstance(rows[0][at], int) for at in range(len(head))]
    return [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, numbers, strict=True)
        ).rstrip()
        for row in cells
    ]
