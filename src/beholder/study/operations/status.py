"""How far a study is, for a terminal: who came, how it ended, how often items were shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from beholder.study.operations.wording import count_of

SHOWN = 10  # items at each end
ENDS = ("complete", "failed checks")  # how those ended who answered everything


def text(found: Mapping[str, Any], items: Iterable[Mapping[str, Any]] = ()) -> str:
    """What the store says of a study's standing; with `items` (rows of exposure), those at both ends.

    All of it is about people; simulated sessions have a line of their own.
    """
    at = datetime.fromtimestamp(found["at"], UTC).isoformat(timespec="seconds")
    wanted = f" of {found['participants']}" if found["participants"] else ""
    last = found["last_answer"]
    since = f", the last one {ago(found['at'] - last)} ago" if last else ""
    made = found["simulated"]
    lines = [
        f"{found['study']} at {at}: {found['complete'] + found['failed_checks']}{wanted} finished, "
        f"{count_of(found['answers'], 'answer')}{since}",
        f"people: {_ends(found['by_outcome']) or 'nobody has come yet'}",
    ]
    if made["sessions"]:
        lines.append(
            f"simulated, not counted in any other number: {_ends(made['by_outcome'])}; "
            f"{count_of(made['answers'], 'answer')}"
        )
    if found["by_kind"]:
        rows = [
            [name, one["complete"], one["failed_checks"], one["running"], one["quota"] or "-"]
            for name, one in found["by_kind"].items()
        ]
        lines += ["", *table(("people", *ENDS, "running", "quota"), rows)]
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


def _ends(outcomes: Mapping[str, int]) -> str:
    return ", ".join(f"{many} {name.replace('_', ' ')}" for name, many in outcomes.items() if many)


def ago(seconds: float) -> str:
    """How long ago, in the unit that tells it best.

    >>> ago(30), ago(600), ago(10_000), ago(1e6)
    ('30 s', '10 min', '3 h', '12 days')
    """
    for unit, name in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.0f} {name}"
    return f"{max(seconds, 0):.0f} s"


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
