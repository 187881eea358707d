"""The score rows of all chapters as comma-separated text."""

from __future__ import annotations

from collections.abc import Sequence
from csv import writer
from io import StringIO
from typing import TYPE_CHECKING

from beholder.spine.scores import COLUMNS

if TYPE_CHECKING:
    from beholder.spine.record import Chapter


def csv(chapters: Sequence[Chapter]) -> str:
    """Every score row under the frozen columns, chapter after chapter; numbers as their shortest exact text.

    The text of one chapter is byte for byte the `scores.csv` of its rows.
    """
    text = StringIO()
    out = writer(text, lineterminator="\n")
    out.writerow(COLUMNS)
    for chapter in chapters:
        out.writerows(chapter.scores[list(COLUMNS)].itertuples(index=False, name=None))
    return text.getvalue()
