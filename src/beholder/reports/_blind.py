"""Models against blind ones as a table: one sign for each model and measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from beholder.core.measure import label
from beholder.core.scores import CELL
from beholder.errors import listed

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

TITLE = "Against the blind models"
SIGNS = {"better": "+", "hardly": "(+)", "equal": "=", "behind": "(−)", "worse": "−"}
LEGEND = (
    "+ beats every blind model; − loses to one; in brackets: not significantly (95 % for all models together); "
    "= equals one. The last row names the blind model that the leader beats least clearly"
)


class Blind(NamedTuple):
    """Which models beat the best blind model on which measures."""

    heads: tuple[tuple[str, str], ...]  # measure and criterion of each column
    rows: tuple[tuple[str, ...], ...]  # model, and a sign for each column
    foot: tuple[str, ...]  # the blind model of each column
    legend: str


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
    best = {cell: next(str(found[m, *cell].blind) for m in models if (m, *cell) in found) for cell in cells}
    heads = tuple((label(measure, settings), criterion) for measure, settings, criterion in cells)
    foot = ("blind model", *(best[cell] for cell in cells))
    return Blind(heads, tuple(rows), foot, "; ".join([LEGEND, *_exempt(section)]))


def _exempt(section: Section) -> list[str]:
    """Blind models that are no yardstick somewhere, and where, if they take part."""
    here = set(section.scores.loc[section.scores["role"] == "blind", "model"])
    told = {name: listed(where) for name, where in section.known.right.items() if name in here}
    return [f"{name} is right by construction on {where}, and no yardstick there" for name, where in told.items()]


def _in_order(section: Section, models: list[str]) -> list[str]:
    """As in the standing, the others after."""
    standing = [str(name) for name in section.verdicts[0].standing.index] if section.verdicts else []
    return [*(name for name in standing if name in models), *(name for name in models if name not in standing)]
