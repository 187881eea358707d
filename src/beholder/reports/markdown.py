"""The report as GitHub Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from beholder.reports import _facts, _notes, _skill, _view
from beholder.reports._standing import standing

if TYPE_CHECKING:
    from beholder.core.benchmark import Verdict
    from beholder.evaluation.sections import Chapter


def markdown(chapters: Sequence[Chapter]) -> str:
    """Chapter after chapter: verdict, standings, numbers with intervals, failures, notes, how it was made."""
    pieces = [piece for chapter in chapters for piece in _chapter(chapter)]
    keys = ", ".join(_facts.cited(chapters))
    return "\n\n".join([*pieces, "## How to cite", *([plain(keys)] if keys else []), f"`{_facts.CITE}`"]) + "\n"


def _chapter(chapter: Chapter) -> list[str]:
    """The paragraphs of one chapter."""
    about = chapter.facts.get("about")
    return [
        f"# {plain(chapter.benchmark)} (version {chapter.version})",
        *([plain(about)] if about else []),
        f"**{plain(_notes.says(chapter))}**",
        *(piece for verdict in _facts.verdicts(chapter) for piece in _verdict(verdict)),
        *_common(chapter),
        *(piece for table in _view.tables(chapter) for piece in _table(table)),
        *_small(_view.LEGEND if len(chapter.scores) else ""),
        *_skilled(chapter),
        *_listed("Failures", (f.sentence for f in _facts.failures(chapter))),
        *_listed("Notes", _notes.notes(chapter)),
        *_listed("Deviations", _facts.departures(chapter)),
        *_listed("Datasets", _facts.datasets(chapter)),
        *_listed("Run", (f"{name}: {value}" for name, value in _facts.made(chapter).items())),
        *(f"![{plain(picture.name)}]({_facts.address(picture.path)})" for picture in _facts.pictures(chapter)),
    ]


def _verdict(verdict: Verdict) -> list[str]:
    """One judge's standing, and whom it left out."""
    found = standing(verdict)
    out = (f"{model}: {why}" for model, why in verdict.left_out.items())
    pieces = [f"## Standing by {plain(verdict.method)}", grid(found.header, found.rows)]
    return [*pieces, *_small(found.footnote), *_listed("Not judged", out, 3)]


def _small(text: str) -> list[str]:
    return [f"<sub>{plain(text)}</sub>"] if text else []


def _common(chapter: Chapter) -> list[str]:
    """The same judges over the units that every model answered."""
    if not chapter.common:
        return []
    pieces = [piece for v in chapter.common for piece in (f"*{plain(_notes.said(chapter, v))}*", *_verdict(v)[1:])]
    return ["## Over the units that every model answered", *pieces]


def _table(table: _view.Table) -> list[str]:
    """The judged numbers of a dataset, then the others."""
    where = f" on {plain(table.dataset)}" if table.dataset else ""
    found = []
    for name, part in ((f"Scores{where}", table.official), (f"Further measures{where}", table.beside)):
        if part.cells:
            found += [f"## {name}", _numbers(part)]
    return found


def _numbers(table: _view.Table) -> str:
    """Rows × cells, people and nulls after the models."""
    header = ["model", *(" · ".join(cell.heading) for cell in table.cells), "held/expected"]
    rows = [[row.label + (" (best)" if row.best else ""), *table.texts(row), row.counts] for row in table.rows]
    return grid(header, [*rows, ["reference status", *table.statuses(), ""]])


def _skilled(chapter: Chapter) -> list[str]:
    """Where models stand between the best null and people, if both are there."""
    found = _skill.skill(chapter)
    if not found:
        return []
    header = ["model", *(" · ".join(name) for name in found.heads)]
    rows = [[row.label, *found.table.texts(row)] for row in found.table.rows]
    return [f"## {_skill.TITLE}", grid(header, [*rows, *found.feet]), *_small(_skill.LEGEND)]


def _listed(title: str, sentences: Iterable[str], level: int = 2) -> list[str]:
    """A heading with a list, if there is anything to list."""
    lines = [f"- {plain(sentence)}" for sentence in sentences]
    return [f"{'#' * level} {title}", "\n".join(lines)] if lines else []


def grid(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A GitHub table; the first column left, the others right.

    >>> print(grid(["model", "rank"], [["a|b", "1"]]))
    | model | rank |
    | :-- | --: |
    | a\\|b | 1 |
    """
    rule = [":--", *["--:"] * (len(header) - 1)]
    lines = [[plain(text) for text in header], rule, *([plain(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def plain(text: str) -> str:
    r"""Text that Markdown shows as it is: on one line, with what it would read as marks escaped.

    >>> print(plain("<b>my_model</b>\n| *2* [0, 1] [x](y)"))
    &lt;b&gt;my_model&lt;/b&gt; \| \*2\* [0, 1] [x\](y)
    """
    line = " ".join(str(text).split())
    marks = r"[\\`*|~]|^#|(?<!\w)_|_(?!\w)|\](?=[(\[:])"  # an underscore within a word is none
    escaped = re.sub(marks, lambda found: f"\\{found.group()}", line)
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
