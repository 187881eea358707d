"""Two models side by side, as one JSON document for programs."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import TYPE_CHECKING, Any

from beholder.reports.json import plain

if TYPE_CHECKING:
    from beholder.evaluation.comparisons import Compared


def json(compared: Sequence[Compared]) -> str:
    """One object, `comparisons`: what each benchmark says, its table, and the units where the two differ most.

    NaN is null. Infinite numbers, which JSON does not know, are the texts "inf" and "-inf".
    """
    found = {"comparisons": [_benchmark(one) for one in compared]}
    return dumps(found, allow_nan=False, ensure_ascii=False, indent=1) + "\n"


def _benchmark(one: Compared) -> dict[str, Any]:
    units = [
        {**row, "picture": one.picture(str(row["dataset"]), str(row["unit"])) or None}
        for row in one.found.units.to_dict("records")
    ]
    whole = {
        "benchmark": one.benchmark,
        "version": one.version,
        "a": one.found.a,
        "b": one.found.b,
        "says": one.found.says,
        "notes": one.found.notes,
        "table": one.found.table.to_dict("records"),
        "units": units,
    }
    return {key: plain(value) for key, value in whole.items()}
