"""All score rows for the page, column by column and small: words once each, numbers with six digits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from beholder.core.scores import COLUMNS, labels

if TYPE_CHECKING:
    import pandas as pd

# The section says the first three; settings and part stand with the name of the measure.
SHOWN = [name for name in COLUMNS if name not in ("benchmark", "version", "better", "settings", "part")]
ALWAYS = ("model", "unit", "measure", "value")
NUMERIC = ("repeat", "value", "lo", "hi", "n")
DIGITS = 6  # significant ones; scores.csv is exact
MOST = 1_000_000  # rows of a page, some 35 MB; browsers wait long for more


def rows(scores: pd.DataFrame) -> dict[str, Any]:
    """The columns that differ between rows, and what the others hold everywhere; of too many, only how many."""
    if len(scores) > MOST:
        return {"size": 0, "over": len(scores)}
    shown = scores.assign(measure=labels(scores))
    alike = [name for name in SHOWN if name not in ALWAYS and shown[name].nunique(dropna=False) == 1]
    return {
        "size": len(shown),
        "alike": {name: _word(shown[name].iloc[0]) for name in alike},
        "columns": [_column(name, shown[name]) for name in SHOWN if name not in alike],
    }


def _column(name: str, values: pd.Series[Any]) -> dict[str, Any]:
    import pandas as pd

    if name in NUMERIC:
        return {"name": name, "numbers": [_number(v) for v in values.tolist()]}
    codes, levels = pd.factorize(values)
    return {"name": name, "levels": [str(level) for level in levels], "codes": codes.tolist()}


def _number(value: float) -> float | str | None:
    """A number for JSON: NaN is null, the infinities are texts that JavaScript reads as numbers."""
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value if isinstance(value, int) else float(f"{value:.{DIGITS}g}")


def _word(value: Any) -> str:
    return "" if value != value else str(value)  # noqa: PLR0124  (NaN is the one value that differs from itself)
