"""Which samples a tracker calls good: words, flags, or Tobii's codes, of one eye or of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beholder.attention.columns import EYES, numbers
from beholder.attention.recordings.options import Options
from beholder.attention.types import Floats
from beholder.errors import Misuse
from beholder.io.columns import plain

if TYPE_CHECKING:
    import pandas as pd

GOOD, BAD = ("valid", "true", "yes"), ("invalid", "false", "no")
CODES = (0, 1, 2, 3, 4)  # Tobii Studio, from memory: 0 is surely this eye, 4 is lost
MOSTLY = 0.5  # share of samples with a place that validity may call lost before it is doubted


@dataclass(frozen=True, eq=False)
class Validity:
    """Whether each row of a table is good; how that was read, and what is doubtful about it."""

    good: NDArray[np.bool_] | None = None  # None where no column says it
    told: str = ""
    doubts: tuple[str, ...] = ()


def read_validity(rows: pd.DataFrame, columns: Mapping[str, str], where: Any, options: Options) -> Validity:
    """A sample counts where either eye is good: the gaze point is then that of the good eye, or the mean of both."""
    used = [columns[word] for word in ("valid", *EYES) if word in columns]
    if not used:
        return Validity(doubts=_unused(rows.columns, columns, options))
    each = [_good(rows, column, where) for column in used]
    good = np.any([flags for flags, _ in each], axis=0)
    either = "; a sample counts where either is good" if len(used) > 1 else ""
    ways = " and ".join(dict.fromkeys(way for _, way in each))
    told = f"{' and '.join(name.strip() for name in used)}: {ways}{either}"
    unsure = _inverted(rows, columns, good, told)
    return Validity(good, told, (*unsure, *_unused(rows.columns, columns, options)))


def _good(rows: pd.DataFrame, column: str, where: Any) -> tuple[NDArray[np.bool_], str]:
    """Which rows a column calls good, and how it says so."""
    cells = rows[column]
    if cells.dtype.kind not in "fiub":
        words = cells.astype(str).str.strip().str.casefold().where(cells.notna(), "")
        if words.isin(("", *GOOD, *BAD)).all() and words.ne("").any():
            first = words[words.isin((*GOOD, *BAD))].iloc[0]
            good = next(yes for yes, no in zip(GOOD, BAD, strict=True) if first in (yes, no))
            return words.isin(GOOD).to_numpy(np.bool_), f"good where it says {good}"
    values = numbers(rows, column, where, "numbers, or words such as valid and invalid")
    if cells.dtype.kind != "b" and "validity" in plain(column) and "gaze_point" not in plain(column):
        return _by_code(values, column, where), "good at 0, as Tobii counts from 0 (good) to 4 (lost)"
    return np.nan_to_num(values) > 0, "good where it is above 0"


def _by_code(codes: Floats, column: str, where: Any) -> NDArray[np.bool_]:
    known = codes[np.isfinite(codes)]
    other = known[~np.isin(known, CODES)]
    if len(other):
        raise Misuse(
            f"{where}: got {other[0]:g} in the column {column.strip()}; expected Tobii's codes, 0 (good) to 4 (lost), "
            "or the words valid and invalid; write 1 for good and 0 for lost into a column called valid"
        )
    return np.asarray(codes == 0)


def _inverted(rows: pd.DataFrame, columns: Mapping[str, str], good: NDArray[np.bool_], told: str) -> tuple[str, ...]:
    placed = rows[[columns["x"], columns["y"]]].notna().all(axis=1).to_numpy(np.bool_)
    away = float((placed & ~good).sum() / max(1, placed.sum()))
    if away <= MOSTLY:
        return ()
    return (
        f"{100 * away:.0f} % of the samples with a place are lost by {told}: is it read the wrong way round? If so, "
        "write 1 for good and 0 for lost into a column called valid",
    )


def _unused(head: Iterable[Any], columns: Mapping[str, str], options: Options) -> tuple[str, ...]:
    """Columns that look as if they said which samples are good, and are not used."""
    if "valid" in columns or all(eye in columns for eye in EYES):
        return ()
    left = [str(name).strip() for name in head if "valid" in plain(str(name)) and name not in columns.values()]
    if not left:
        return ()
    way = options.column.format("valid").rpartition("=")[0]
    return (f"not used: {', '.join(left)}; if it says which samples are good, give {way}={left[0]!r}",)
