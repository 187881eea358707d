"""The report as one page that needs nothing else: it opens from disk, without a network."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from json import dumps
from typing import TYPE_CHECKING, Any

from beholder.core.cite import bibtex
from beholder.core.scores import labels
from beholder.reports import _blind, _facts, _notes, _plot, _samples, _skill, _view
from beholder.reports._all_rows import rows
from beholder.reports._drawings import drawing
from beholder.reports._numbers import duration
from beholder.reports._standing import standing_text
from beholder.verdicts.components import on_common_units

if TYPE_CHECKING:
    import pandas as pd

    from beholder.core.verdict import Verdict
    from beholder.evaluation.sections import Section

SEEN = 8  # notes; more would push the numbers off the first screen


def html(sections: Sequence[Section]) -> str:
    """A self-contained page: verdicts, dot plots, standings, all score rows, failures, sources.

    Names, reasons and sentences are escaped wherever they stand; figures are linked relative to the page.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("beholder.reports", "templates")
    page = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page.filters |= {"address": _facts.address, "bounds": _facts.bounds, "dataset_size": _facts.dataset_size}
    page.filters |= {"duration": duration, "data": data, "short": _notes.short}
    shown = [_section(section, at) for at, section in enumerate(sections)]
    return page.get_template("report.html.j2").render(
        sections=shown,
        bibtex=bibtex(_facts.cited(sections)),
        cite=_facts.CITE,
        blind={"title": _blind.TITLE},
    )


def _section(section: Section, at: int) -> dict[str, Any]:
    """What the template shows of one section."""
    tables, id = _view.tables(section), f"section-{at + 1}"
    judged = section.scores[labels(section.scores).isin([cell.name for cell in tables[0].judged.cells])]
    common = [(verdict, verdict.left_out) for verdict in section.common_verdicts]
    shared = on_common_units(judged) if common else judged
    pictures = _facts.pictures(section)
    says = _notes.trust(section)
    return {
        "id": id,
        "name": section.benchmark,
        "version": section.version,
        "says": says,
        "short": _notes.short(says),
        "finding": _notes.official_headline(section),
        "verdicts": _verdicts(section, _facts.verdicts(section), judged, f"{id}-judge"),
        "common": _verdicts(section, common, shared, f"{id}-common"),
        "table": _table(tables[0].judged),
        "legend": tables[0].legend,
        "by_dataset": [_table(table.judged) for table in tables[1:] if table.judged.cells],
        "unjudged": [_table(table.unjudged) for table in tables if table.unjudged.cells],
        "blind": _blind.blind(section),
        "skill": _skilled(section),
        "caveats": _notes.caveats(section),
        "failures": _facts.failures(section),
        "notes": _folded(_notes.notes(section)),
        "made": _facts.made(section),
        "facts": section.facts,
        "pictures": [picture for picture in pictures if picture.whole],
        "samples": _samples.samples(section, _facts.address),
        "rows": rows(section.scores),
    }


def _folded(notes: list[str]) -> tuple[list[str], list[str]]:
    """The notes that are always seen, and those in a drawer; one or two are not worth a drawer."""
    return (notes, []) if len(notes) <= SEEN + 2 else (notes[:SEEN], notes[SEEN:])


def _verdicts(
    section: Section, verdicts: Sequence[tuple[Verdict, Mapping[str, str]]], scores: pd.DataFrame, id: str
) -> list[dict[str, Any]]:
    """What the template shows of verdicts on some scores; the ids in their drawings begin with `id` and a number."""
    return [
        {
            "method": verdict.method,
            "best": _facts.leading(section, verdict),
            "says": _notes.headline(section, verdict),
            "left_out": left_out,
            "standing": standing_text(verdict),
            "drawing": drawing(scores, verdict, f"{id}-{at}"),
        }
        for at, (verdict, left_out) in enumerate(verdicts, 1)
    ]


def _table(table: _view.Table) -> dict[str, Any]:
    return {"table": table, "panels": _plot.panels(table)}


def _skilled(section: Section) -> dict[str, Any] | None:
    """The table of skill, with plots whose axis always shows both of its ends."""
    found = _skill.skill(section)
    if not found:
        return None
    known = [any(line.held for _, line in found.table.column(at)) for at in range(len(found.heads))]
    panels = _plot.panels(found.with_ends.select(known), stretch=math.inf)
    return {"title": _skill.TITLE, "legend": _skill.LEGEND, "found": found, "panels": panels}


def data(value: Any) -> Any:
    r"""JSON for a script element: no text in it can end the element or open a comment.

    >>> print(data(["</script><!--", float("1")]))
    ["\u003c/script>\u003c!--",1.0]
    """
    from markupsafe import Markup

    text = dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))
