"""The report as one page that needs nothing else: it opens from disk, without a network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from json import dumps
from typing import TYPE_CHECKING, Any

from beholder.core.cite import bibtex
from beholder.core.scores import common
from beholder.reports import _facts, _notes, _plot, _skill, _view
from beholder.reports._numbers import duration
from beholder.reports._pictures import picture
from beholder.reports._rows import rows
from beholder.reports._standing import standing

if TYPE_CHECKING:
    import pandas as pd

    from beholder.core.benchmark import Verdict
    from beholder.evaluation.sections import Chapter

SEEN = 8  # notes; more would push the numbers off the first screen


def html(chapters: Sequence[Chapter]) -> str:
    """A self-contained page: verdicts, dot plots, standings, all score rows, failures, sources.

    Names, reasons and sentences are escaped wherever they stand; figures are linked relative to the page.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("beholder.reports", "templates")
    page = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page.filters |= {"address": _facts.address, "deviations": _facts.deviations, "duration": duration}
    page.filters |= {"dataset_size": _facts.dataset_size, "bounds": _facts.bounds, "data": data, "short": _notes.short}
    return page.get_template("report.html.j2").render(
        chapters=[_chapter(chapter, at) for at, chapter in enumerate(chapters)],
        bibtex=bibtex(_facts.cited(chapters)),
        cite=_facts.CITE,
        legend=_view.LEGEND,
    )


def _chapter(chapter: Chapter, at: int) -> dict[str, Any]:
    """What the template shows of one chapter."""
    tables, id = _view.tables(chapter), f"chapter-{at + 1}"
    judged = chapter.scores[chapter.scores["measure"].isin([cell.measure for cell in tables[0].official.cells])]
    shared = common(judged) if chapter.common else judged
    return {
        "id": id,
        "name": chapter.benchmark,
        "version": chapter.version,
        "says": _notes.says(chapter),
        "short": _notes.short(_notes.says(chapter)),
        "verdicts": _verdicts(chapter, _facts.verdicts(chapter), judged, f"{id}-judge"),
        "common": _verdicts(chapter, chapter.common, shared, f"{id}-common"),
        "table": _table(tables[0].official),
        "by_dataset": [_table(table.official) for table in tables[1:] if table.official.cells],
        "beside": [_table(table.beside) for table in tables if table.beside.cells],
        "skill": _skilled(chapter),
        "failures": _facts.failures(chapter),
        "notes": _folded(_notes.notes(chapter)),
        "made": _facts.made(chapter),
        "facts": chapter.facts,
        "pictures": _facts.pictures(chapter),
        "rows": rows(chapter.scores),
    }


def _folded(notes: list[str]) -> tuple[list[str], list[str]]:
    """The notes that are always seen, and those in a drawer; one or two are not worth a drawer."""
    return (notes, []) if len(notes) <= SEEN + 2 else (notes[:SEEN], notes[SEEN:])


def _verdicts(chapter: Chapter, verdicts: Sequence[Verdict], scores: pd.DataFrame, id: str) -> list[dict[str, Any]]:
    """What the template shows of verdicts on some scores; the ids in their pictures begin with `id` and a number."""
    return [
        {
            **verdict._asdict(),
            "says": _notes.said(chapter, verdict),
            "standing": standing(verdict),
            "picture": picture(scores, verdict, f"{id}-{at}"),
        }
        for at, verdict in enumerate(verdicts, 1)
    ]


def _table(table: _view.Table) -> dict[str, Any]:
    return {"table": table, "panels": _plot.panels(table)}


def _skilled(chapter: Chapter) -> dict[str, Any] | None:
    """The table of skill, with plots whose axis always shows both of its ends."""
    found = _skill.skill(chapter)
    if not found:
        return None
    known = [any(line.held for _, line in found.table.column(at)) for at in range(len(found.heads))]
    panels = _plot.panels(found.drawn.part(known), stretch=math.inf)
    return {"title": _skill.TITLE, "legend": _skill.LEGEND, "found": found, "panels": panels}


def data(value: Any) -> Any:
    r"""JSON for a script element: no text in it can end the element or open a comment.

    >>> print(data(["</script><!--", float("1")]))
    ["\u003c/script>\u003c!--",1.0]
    """
    from markupsafe import Markup

    text = dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))
