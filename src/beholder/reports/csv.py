"""The score rows of all sections as comma-separated text."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from beholder.core.scores import dump, join_tables, table

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section


def csv(sections: Sequence[Section]) -> str:
    """Every score row under the frozen columns, section after section; one section's text is its `scores.csv`."""
    text = StringIO()
    dump(join_tables([table([]), *(section.scores for section in sections)]), text)
    return text.getvalue()
