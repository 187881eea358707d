"""Two models side by side, as GitHub Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from beholder.reports import _comparison as _view
from beholder.reports._facts import address
from beholder.reports.markdown import grid, plain

if TYPE_CHECKING:
    from beholder.evaluation.comparisons import Compared

HEADER = ("measure", "ahead", "unit")


def markdown(compared: Sequence[Compared]) -> str:
    """The answer first, then the numbers, the units where the two differ most with their pictures, and caveats."""
    return "\n\n".join(piece for one in compared for piece in _benchmark(one)) + "\n"


def _benchmark(one: Compared) -> list[str]:
    """The paragraphs of one benchmark."""
    pieces = [f"# {plain(_view.title(one))}", f"**{plain(one.found.says)}**"]
    if one.found.notes:
        pieces.append("\n".join(f"- {plain(note)}" for note in one.found.notes))
    for table in _view.tables(one):
        pieces += [f"## On {plain(table.dataset)}"] * bool(table.dataset)
        pieces.append(grid(table.header, [row.texts for row in table.rows]))
    return [*pieces, *([f"<sub>{plain(_view.legend(one))}</sub>"] if len(one.found.table) else []), *_most(one)]


def _most(one: Compared) -> list[str]:
    """The units where the two differ most, and their pictures."""
    every = _view.extremes(one)
    if not every:
        return []
    header = (*HEADER, one.found.a, one.found.b, "difference")
    pictures = {x.picture: x.unit for x in every if x.picture}
    return [
        f"## {_view.MOST}",
        grid(header, [(x.measure, x.ahead, x.unit, x.a, x.b, x.difference) for x in every]),
        *(f"![{plain(unit)}]({address(path)})" for path, unit in pictures.items()),
    ]
