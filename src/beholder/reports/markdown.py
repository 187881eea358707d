"""The report as GitHub Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from beholder.reports import _blind, _facts, _notes, _skill, _view
from beholder.reports._standing import standing_text

if TYPE_CHECKING:
    from beholder.core.verdict import Verdict
    from beholder.evaluation.sections import Section


def markdown(sections: Sequence[Section]) -> str:
    """Section after section: verdict, standings, numbers with intervals, failures, notes, how it was made."""
    pieces = [piece for section in sections for piece in _section(section)]
    keys = ", ".join(_facts.cited(sections))
    return "\n\n".join([*pieces, "## How to cite", *([plain(keys)] if keys else []), f"`{_facts.CITE}`"]) + "\n"


def _section(section: Section) -> list[str]:
    """The paragraphs of one section."""
    about = section.facts["about"]
    return [
        f"# {plain(section.benchmark)} (version {section.version})",
        f"**{plain(_notes.trust(section))}**",
        *(f"**{plain(caveat)}**" for caveat in _notes.caveats(section)),
        *([plain(about)] if about else []),
        *filter(None, [plain(_notes.official_headline(section))]),
        *(piece for shown in _facts.verdicts(section) for piece in _verdict(*shown)),
        *_common(section),
        *(piece for table in _view.tables(section) for piece in _table(table)),
        *_small(_view.table(section).legend if len(section.scores) else ""),
        *_blinded(section),
        *_skilled(section),
        *_listed("Failures", (f.sentence for f in _facts.failures(section))),
        *_listed("Caveats", _notes.notes(section)),
        *_listed("Deviations", _facts.departures(section)),
        *_listed("Datasets", _facts.datasets(section)),
        *_listed("Measured with", _facts.used(section)),
        *_listed("Run", (f"{name}: {value}" for name, value in _facts.made(section).items())),
        *(f"![{plain(picture.name)}]({_facts.address(picture.path)})" for picture in _facts.pictures(section)),
    ]


def _verdict(verdict: Verdict, left_out: Mapping[str, str]) -> list[str]:
    """One judge's standing, and whom it left out."""
    found = standing_text(verdict)
    out = (f"{model}: {why}" for model, why in left_out.items())
    pieces = [f"## Standing by {plain(verdict.method)}", grid(found.header, found.rows)]
    return [*pieces, *_small(found.footnote), *_listed("Not judged", out, 3)]


def _small(text: str) -> list[str]:
    return [f"<sub>{plain(text)}</sub>"] if text else []


def _common(section: Section) -> list[str]:
    """The same judges over the units that every model answered."""
    if not section.common_verdicts:
        return []
    pieces = ["## Over the units that every model answered"]
    for verdict in section.common_verdicts:
        pieces += [f"*{plain(_notes.headline(section, verdict))}*", *_verdict(verdict, verdict.left_out)[1:]]
    return pieces


def _table(table: _view.Table) -> list[str]:
    """The judged numbers of a dataset, then the others."""
    where = f" on {plain(table.dataset)}" if table.dataset else ""
    found = []
    for name, shown in ((f"Scores{where}", table.judged), (f"Further measures{where}", table.unjudged)):
        if shown.cells:
            found += [f"## {name}", _numbers(shown)]
    return found


def _numbers(table: _view.Table) -> str:
    """Rows × cells, people and blind models after those that are judged."""
    header = ["model", *(" · ".join(cell.heading) for cell in table.cells), "held/expected"]
    texts = table.texts()
    rows = [[row.label + _best(row, table), *texts[row.key], row.counts] for row in table.rows]
    return grid(header, [*rows, ["reference status", *table.statuses(), ""]])


def _best(row: _view.Row, table: _view.Table) -> str:
    """That a model is best, or one of those among which the best are."""
    several = sum(one.best for one in table.rows) > 1
    return (" (best set)" if several else " (best)") if row.best else ""


def _blinded(section: Section) -> list[str]:
    """Who beats the blind models, and who does not, if there are such."""
    found = _blind.blind(section)
    if not found:
        return []
    header = ["model", *(" · ".join(name) for name in found.heads)]
    return [f"## {_blind.TITLE}", grid(header, [*found.rows, found.foot]), *_small(found.legend)]


def _skilled(section: Section) -> list[str]:
    """Where models stand between the best blind model and people, if both are there."""
    found = _skill.skill(section)
    if not found:
        return []
    header = ["model", *(" · ".join(name) for name in found.heads)]
    texts = found.table.texts()
    rows = [[row.label, *texts[row.key]] for row in found.table.rows]
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
