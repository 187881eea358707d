"""The score rows of all chapters as comma-separated text."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from beholder.core.scores import dump, table

if TYPE_CHECKING:
    from beholder.evaluation.sections import Chapter


def csv(chapters: Sequence[Chapter]) -> str:
    """Every score row under the frozen columns, chapter after chapter; one chapter's text is its `scores.csv`."""
    import pandas as pd

    text = StringIO()
    dump(pd.concat([table([]), *(chapter.scores for chapter in chapters)]), text)
    return text.getvalue()
