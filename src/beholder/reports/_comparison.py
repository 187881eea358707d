"""What every view shows of two models side by side: written once, drawn by each view in its own way."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core.measure import label
from beholder.reports._numbers import NOTHING, decimals, interval, number
from beholder.reports._view import ARROWS

if TYPE_CHECKING:
    import pandas as pd

    from beholder.evaluation.comparisons import Compared
    from beholder.verdicts.compare import Line

SURE = ("better", "worse")  # outcomes that are significant
MOST = "Where they differ most"


class Row(NamedTuple):
    """Two models on one measure × criterion, as text."""

    texts: tuple[str, ...]
    sure: bool  # whether the difference is significant


class Table(NamedTuple):
    """Measures × what is said of two models on each; `dataset` is empty for all."""

    dataset: str
    header: tuple[str, ...]
    rows: tuple[Row, ...]


class Extreme(NamedTuple):
    """A unit on which one model is far ahead, as text."""

    measure: str
    ahead: str
    unit: str
    a: str
    b: str
    difference: str
    picture: str  # where it lies; nothing where there is none


def title(one: Compared) -> str:
    """The heading of one benchmark."""
    return f"{one.found.a} and {one.found.b} on {one.benchmark} (version {one.version})"


def tables(one: Compared) -> list[Table]:
    """The table over all datasets; where there are several, one for each after it."""
    overall = one.found.overall
    others = one.found.table.drop(index=overall.index)
    alone = [(str(name), own) for name, own in others.groupby("dataset", sort=False)]
    return [_table(one, name, rows) for name, rows in [("", overall), *alone] if len(rows)]


def _table(one: Compared, dataset: str, rows: pd.DataFrame) -> Table:
    a, b = one.found.a, one.found.b
    header = ("measure", a, b, f"difference, + favours {a}", "units", f"won by {a}", "p (Holm)")
    return Table(dataset, header, tuple(row_of(line, _name(one, line)) for line in _lines(rows)))


def _name(one: Compared, line: Line) -> str:
    return _heading(one, line.measure, line.settings, line.criterion, line.better)


def _lines(rows: pd.DataFrame) -> Iterator[Line]:
    from beholder.verdicts.compare import Line

    return (Line(*line) for line in rows.itertuples(index=False, name=None))


def row_of(line: Line, name: str) -> Row:
    """A line as text, under the name of its measure."""
    once = math.isnan(line.won)
    digits = digits_of(line.a, line.b, line.difference)
    texts = (
        name,
        number(line.a, digits) + (f" {interval(line.a_lo, line.a_hi, digits)}" if once else ""),
        number(line.b, digits) + (f" {interval(line.b_lo, line.b_hi, digits)}" if once else ""),
        signed(line.difference, digits) + ("" if once else f" {interval(line.lo, line.hi, digits)}"),
        str(line.units),
        _share(line),
        _p(line.p_holm),
    )
    return Row(texts, line.outcome in SURE)


def digits_of(a: float, b: float, difference: float) -> int:
    """Digits after the point: three figures of the values, and two more at the most where the difference needs them.

    >>> digits_of(1.57, 3.55, 1.98), digits_of(0.7123, 0.7118, 0.0005), digits_of(0.5, 0.5, 0.0)
    (2, 5, 3)
    """
    digits = decimals([a, b])
    return max(digits, min(decimals([difference]) - 1, digits + 2)) if difference else digits


def _heading(one: Compared, measure: str, settings: str, criterion: str, better: str) -> str:
    """A measure with what it is measured in, where better values lie, and its criterion where it is not always all."""
    shown = "" if set(one.found.table["criterion"]) == {"all"} else criterion
    return heading(label(measure, settings), shown, better, one.measured_in.get((measure, settings), ""))


def heading(name: str, criterion: str, better: str, scale: str) -> str:
    """A measure with what it is measured in, where better values lie, and its criterion.

    >>> heading("bad_pixels", "disc", "lower", "%")
    'bad_pixels [%] ↓ disc'
    """
    return " ".join(filter(None, (name, f"[{scale}]" * bool(scale), ARROWS[better], criterion)))


def signed(value: float, digits: int) -> str:
    """A difference with its sign.

    >>> signed(0.25, 2), signed(-0.25, 2), signed(0.0, 2)
    ('+0.25', '-0.25', '0.00')
    """
    return f"{'+' * (value > 0)}{number(value, digits)}"


def _share(line: Line) -> str:
    """The share of units won, in per cent, with its interval."""
    if math.isnan(line.won):
        return NOTHING
    return f"{100 * line.won:.0f} % {interval(100 * line.won_lo, 100 * line.won_hi, 0)}"


def _p(value: float) -> str:
    """A p-value; what was measured once has none."""
    if math.isnan(value):
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def extremes(one: Compared) -> list[Extreme]:
    """The units where the two differ most, by measure, first those on which the first model is ahead."""
    found = one.found.units.merge(one.found.overall[["measure", "settings", "criterion", "better"]], how="left")
    several = one.found.units["dataset"].nunique() > 1
    cells = (cell for _, cell in found.groupby(["measure", "settings", "criterion"], sort=False))
    return [_extreme(one, row, several) for cell in cells for row in cell.to_dict("records")]


def _extreme(one: Compared, row: Mapping[Hashable, Any], several: bool) -> Extreme:
    a, b, gap = (float(row[name]) for name in ("a", "b", "difference"))
    digits = digits_of(a, b, gap)
    words = (str(row[name]) for name in ("measure", "settings", "criterion", "better"))
    dataset, unit = str(row["dataset"]), str(row["unit"])
    name = f"{dataset}: {unit}" if several else unit
    numbers = (number(a, digits), number(b, digits), signed(gap, digits))
    return Extreme(_heading(one, *words), str(row["ahead"]), name, *numbers, one.picture(dataset, unit))


def by_measure(every: Sequence[Extreme]) -> dict[str, list[Extreme]]:
    """The extremes of each measure."""
    found: dict[str, list[Extreme]] = {}
    for one in every:
        found.setdefault(one.measure, []).append(one)
    return found


def legend(one: Compared) -> str:
    """What the columns are."""
    a, overall = one.found.a, one.found.overall
    tests, once = int(overall["p_holm"].notna().sum()), overall["won"].isna()
    over = f"{tests} measures, each criterion of a measure counting as one" if tests > 1 else "one measure"
    found = ["Means are over the units that both hold."]
    if not once.all():
        found.append(f"The difference is paired, and signed so that more is better for {a}.")
        found.append("Its 95 % interval (Hall's t) holds for each measure alone; only p is corrected for their number.")
        found.append(f"Won: share of units on which {a} is ahead, ties counting half, with Wilson's interval.")
    if tests:
        found.append(f"p: sign-flip test of the mean difference, corrected by Holm for {over}.")
    if once.any():
        found.append("What was taken once over all samples has the two models' own intervals, and no paired test.")
    return " ".join(found)
