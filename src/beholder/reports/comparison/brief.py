"""Two models side by side, on one screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from beholder.reports.comparison.terminal import printed

if TYPE_CHECKING:
    from beholder.evaluation.comparisons import Compared


def brief(compared: Sequence[Compared]) -> str:
    """The answer, the differences, and the one unit of each measure where each model is furthest ahead."""
    return printed(compared, brief=True)
