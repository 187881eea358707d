"""Cards in the width of a terminal: prose is filled anew; code, formulas and tables keep their lines."""

from __future__ import annotations

import re
import shutil
import textwrap

from beholder.errors import printable

NARROWEST = 60
FACT = re.compile(r"[a-z]+(?: [a-z×]+)* {2,}(?=\S)|[a-z_]{9,} (?=\S)")  # `range     0 to 1`: a key and its column
KEPT = re.compile(r"^(>>>|\||\s)|\S {2,}\S", re.MULTILINE)  # code, tables, lists and formulas set in


def room() -> int:
    """Columns of the terminal; never so few that nothing fits."""
    return max(shutil.get_terminal_size().columns, NARROWEST)


def wrapped(card: str, width: int | None = None) -> str:
    """A card whose lines all fit, where they can: facts hang below their column, and what is unseen is spelt out.

    >>> print(wrapped("A sentence that goes on and\\non.\\n\\nrange     0 to 100 per cent", 24))
    A sentence that goes on
    and on.
    <BLANKLINE>
    range     0 to 100 per
              cent
    >>> print(wrapped("a name \\x1b[31m in red"))
    a name \\x1b[31m in red
    """
    wide = room() if width is None else width
    return "\n\n".join(_block(block, wide) for block in printable(card, keep="\n").split("\n\n"))


def _block(block: str, width: int) -> str:
    lines = block.split("\n")
    if max(map(len, lines)) <= width or block.startswith(">>>"):
        return block
    if FACT.match(block) or KEPT.search(block):
        return "\n".join(_hung(line, width) for line in lines)
    return _filled(" ".join(lines), width, "")


def _hung(line: str, width: int) -> str:
    """One line, whose rest stands below its own column."""
    column = FACT.match(line) or re.match(r"\s*(?:[-•] )?", line)
    return _filled(line, width, " " * (column.end() if column else 0))


def _filled(text: str, width: int, hang: str) -> str:
    if len(text) <= width:
        return text
    return textwrap.fill(text, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False)
