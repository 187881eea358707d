"""Lines of a terminal that are counted before they are printed: wrapped, cut and set side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console

GAP = "  "  # between columns
CUT = "…"


class Printed(NamedTuple):
    """One line as it will stand on the screen."""

    text: str = ""
    style: str = ""


def wrapped(console: Console, text: str, style: str = "", *, most: int = 99, indent: str = "") -> list[Printed]:
    """A sentence in lines that fit, at the most so many: a longer one is cut, and ends in dots."""
    from rich.text import Text

    width = console.width - len(indent)
    lines = [line.plain.rstrip() for line in Text(text).wrap(console, width)]
    if len(lines) > most:
        lines = [*lines[: most - 1], shortened(" ".join(lines[most - 1 :]), width)]
    return [Printed(f"{indent}{line}", style) for line in lines]


def shortened(text: str, width: int) -> str:
    """The whole words of a text that fit into so many columns, and dots; a long word is cut.

    >>> shortened("a model failed", 20), shortened("a model failed", 10), shortened("disparities", 5)
    ('a model failed', 'a model …', 'disp…')
    """
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width:
        return text
    kept = set_cell_size(text, max(width - 1, 0))
    words = kept[: width - 1].rsplit(" ", 1)[0] if " " in kept.strip() else kept
    return f"{words.rstrip(' ,;:')} {CUT}" if words != kept else f"{kept}{CUT}"


def squeezed(name: str, width: int) -> str:
    """A name in so many columns: its middle gives way, for names often differ at the end.

    >>> squeezed("block(window=5,cost=census)", 15), squeezed("sgbm", 15)
    ('block(w…census)', 'sgbm')
    """
    from rich.cells import cell_len, set_cell_size

    if cell_len(name) <= width:
        return name
    head = set_cell_size(name, (width - 1) // 2).rstrip()
    tail = ""
    for sign in reversed(name):
        if cell_len(head) + 1 + cell_len(sign + tail) > width:
            break
        tail = sign + tail
    return f"{head}{CUT}{tail}"


def columns(rows: Sequence[Sequence[str]], *, right: Iterable[int] = ()) -> list[str]:
    """Rows of texts as lines, each column as wide as its widest text."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    to_right = set(right)

    def padded(text: str, at: int) -> str:
        blank = " " * (widths[at] - cell_len(text))
        return blank + text if at in to_right else text + blank

    return [GAP.join(padded(text, at) for at, text in enumerate(row)).rstrip() for row in rows]


def printed(console: Console, lines: Iterable[Printed]) -> str:
    """The lines as text, coloured only on a terminal."""
    from rich.text import Text

    with console.capture() as shown:
        for line in lines:
            console.print(Text(line.text, style=line.style), no_wrap=True, overflow="ignore", crop=False)
    return shown.get().rstrip("\n")
