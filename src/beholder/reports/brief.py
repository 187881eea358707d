"""The verdict of each benchmark, the scores that it rests on, and what must not be overlooked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from beholder.reports import _notes, _view
from beholder.reports.terminal import plain, scores

if TYPE_CHECKING:
    from beholder.evaluation.sections import Chapter

WHOLE = "(the html report has the whole sentence)"


def brief(chapters: Sequence[Chapter]) -> str:
    """The verdict's sentence of each benchmark, its judged scores, and how many of all failed."""
    told = [_chapter(chapter) for chapter in chapters]
    return "\n\n".join([*told, _view.LEGEND] if any(not chapter.scores.empty for chapter in chapters) else told)


def _chapter(chapter: Chapter) -> str:
    failed = int((chapter.scores["state"] == "failed").sum())
    lost = [f"{failed} of {len(chapter.scores)} scores failed."] if failed else []
    head = f"{chapter.benchmark} (version {chapter.version})"
    return "\n".join([head, *(f"  {line}" for line in [_said(chapter), *lost]), *_scores(chapter)])


def _scores(chapter: Chapter) -> list[str]:
    """The tables of the judged numbers, with nulls, intervals, counts and the status of the references."""
    console = plain()
    with console.capture() as shown:
        for table in _view.tables(chapter):
            scores(console, table, beside=False)
    return shown.get().rstrip("\n").split("\n") if shown.get() else []


def _said(chapter: Chapter) -> str:
    """The verdict's sentence; a very long one is cut, and says where the whole is."""
    whole = _notes.says(chapter)
    short = _notes.short(whole)
    return whole if short == whole else f"{short} {WHOLE}"
