"""A few lines for each benchmark: the verdict, and what must not be overlooked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from beholder.reports import _notes

if TYPE_CHECKING:
    from beholder.spine.chapter import Chapter

WHOLE = "(the html report has the whole sentence)"


def brief(chapters: Sequence[Chapter]) -> str:
    """The verdict's sentence of each benchmark, and how many of its scores failed."""
    return "\n\n".join(_chapter(chapter) for chapter in chapters)


def _chapter(chapter: Chapter) -> str:
    failed = int((chapter.scores["state"] == "failed").sum())
    lost = [f"{failed} of {len(chapter.scores)} scores failed."] if failed else []
    head = f"{chapter.benchmark} (version {chapter.version})"
    return "\n".join([head, *(f"  {line}" for line in [_said(chapter), *lost])])


def _said(chapter: Chapter) -> str:
    """The verdict's sentence; a very long one is cut, and says where the whole is."""
    whole = _notes.says(chapter)
    short = _notes.short(whole)
    return whole if short == whole else f"{short} {WHOLE}"
