"""The verdict of each benchmark, the scores that it rests on, and what must not be overlooked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from beholder.reports import _notes, _view
from beholder.reports.terminal import plain, scores

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

ELSEWHERE = "(the html report has the whole sentence)"


def brief(sections: Sequence[Section]) -> str:
    """The verdict's sentence of each benchmark, its judged scores, and how many of all failed."""
    texts = [_section(section) for section in sections]
    return "\n\n".join([*texts, _view.LEGEND] if any(not section.scores.empty for section in sections) else texts)


def _section(section: Section) -> str:
    failed = int((section.scores["state"] == "failed").sum())
    lost = [f"{failed} of {len(section.scores)} scores failed."] if failed else []
    head = f"{section.benchmark} (version {section.version})"
    return "\n".join(
        [head, *(f"  {line}" for line in [_headline(section), *_notes.caveats(section), *lost]), *_scores(section)]
    )


def _scores(section: Section) -> list[str]:
    """The tables of the judged numbers, with blind models, intervals, counts and the status of the references."""
    console = plain()
    with console.capture() as shown:
        for table in _view.tables(section):
            scores(console, table, unjudged=False)
    return shown.get().rstrip("\n").split("\n") if shown.get() else []


def _headline(section: Section) -> str:
    """The trust line; a very long one is cut, and says where the whole is."""
    text = _notes.trust(section)
    short = _notes.short(text)
    return text if short == text else f"{short} {ELSEWHERE}"
