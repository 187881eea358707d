"""Models against blind ones as a table: one sign for each model and measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from beholder.core.measure import label
from beholder.core.scores import CELL

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

TITLE = "Against the best blind model"
SIGNS = {"better": "+", "hardly": "~", "equal": "=", "worse": "−"}
LEGEND = "+ beats it; ~ is ahead, but the 95 % interval of the difference holds 0; = equals it; − loses"


class Blind(NamedTuple):
    """Which models beat the best blind model on which measures."""

    heads: tuple[tuple[str, str], ...]  # measure and criterion of each column
    rows: tuple[tuple[str, ...], ...]  # model, and a sign for each column
    foot: tuple[str, ...]  # the blind model of each column


def blind(section: Section) -> Blind | None:
    """The table of a section; nothing where there is no blind model, or every model beats them all."""
    table = section.blind
    if table.empty or (table["outcome"] == "better").all():
        return None
    cells = list(table[CELL].drop_duplicates().itertuples(index=False, name=None))
    found = {(row.model, row.measure, row.settings, row.criterion): row for row in table.itertuples()}
    models = dict.fromkeys(_in_order(section, [str(model) for model in table["model"].unique()]))
    rows = (
        (model, *(SIGNS[str(found[model, *cell].outcome)] if (model, *cell) in found else "" for cell in cells))
        for model in models
    )
    best = {tuple(key[1:]): str(row.blind) for key, row in found.items()}
    heads = tuple((label(measure, settings), criterion) for measure, settings, criterion in cells)
    return Blind(heads, tuple(rows), ("blind model", *(best[cell] for cell in cells)))


def _in_order(section: Section, models: list[str]) -> list[str]:
    """As in the standing, the others after."""
    standing = [str(name) for name in section.verdicts[0].standing.index] if section.verdicts else []
    return [*(name for name in standing if name in models), *(name for name in models if name not in standing)]
