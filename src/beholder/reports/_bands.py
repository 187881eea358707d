"""Tables for a terminal: columns as wide as their numbers need, and only as many side by side as fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.table import Table

UNBROKEN = re.compile(r"\S+ \[[^\]]*\]|\S+")  # what must stay on one line: a number with its interval, or a word
LONGEST = 26  # letters of a word before it may be broken
FRAME = 3  # columns that a border and its two blanks take


class Line(NamedTuple):
    """One row of a table as text."""

    texts: Sequence[str]
    style: str = ""
    last: bool = False  # of its group: a rule follows


def tables(header: Sequence[str], lines: Sequence[Line], width: int) -> Iterator[Table]:
    """The same rows in one table or several, each with the first column and as many others as fit."""
    columns = [[name, *(line.texts[at] for line in lines)] for at, name in enumerate(header)]
    needs, wants = [_need(texts) for texts in columns], [_want(texts) for texts in columns]
    for band in bands(needs, width):
        given = widths([needs[at] for at in band], [wants[at] for at in band], width)
        yield _table(header, lines, dict(zip(band, given, strict=True)))


def bands(needs: Sequence[int], width: int) -> list[list[int]]:
    """Which columns stand side by side: the first one always, and of the others, in their order, as many as fit.

    >>> bands([5, 10, 10, 10], width=40), bands([5, 50, 3], width=40)
    ([[0, 1, 2], [0, 3]], [[0, 1], [0, 2]])
    """
    found: list[list[int]] = []
    left = -1
    for at, need in enumerate(needs[1:], start=1):
        left -= need + FRAME
        if left < 0:
            found.append([0])
            left = width - 1 - (needs[0] + FRAME) - (need + FRAME)
        found[-1].append(at)
    return found or [[0]]


def widths(needs: Sequence[int], wants: Sequence[int], width: int) -> list[int]:
    """What each column of a band is given: what it needs, then what it wants, from left to right, while there is room.

    The first column gives way where the others need more room than there is.

    >>> widths([5, 10], [9, 30], width=30), widths([20, 10], [20, 10], width=30)
    ([9, 14], [13, 10])
    """
    left = width - 1 - sum(need + FRAME for need in needs)
    found = [max(1, needs[0] + min(left, 0)), *needs[1:]]
    for at, want in enumerate(wants):
        more = max(0, min(want - found[at], left))
        found[at] += more
        left -= more
    return found


def _need(texts: Sequence[str]) -> int:
    """The least width of a column: nothing that must stay on one line is broken."""
    pieces = [piece for text in texts for piece in UNBROKEN.findall(text)]
    return max((len(piece) if " " in piece else min(len(piece), LONGEST) for piece in pieces), default=1)


def _want(texts: Sequence[str]) -> int:
    """The width at which no line of a column is broken."""
    return max(len(line) for text in texts for line in text.split("\n"))


def _table(header: Sequence[str], lines: Sequence[Line], columns: Mapping[int, int]) -> Table:
    """Some columns with their widths; the first left, the others right."""
    from rich.table import Table
    from rich.text import Text

    made = Table()
    for at, width in columns.items():
        made.add_column(Text(header[at]), justify="right" if at else "left", overflow="fold", width=width)
    for line in lines:
        made.add_row(*(Text(line.texts[at]) for at in columns), style=line.style, end_section=line.last)
    return made
