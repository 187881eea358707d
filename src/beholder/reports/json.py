"""All that the other reports show, as one JSON document for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from json import dumps
from typing import TYPE_CHECKING, Any

import numpy as np

from beholder.reports import _facts, _notes, _skill, _view
from beholder.reports._standing import column_name

if TYPE_CHECKING:
    from beholder.core.verdict import Verdict
    from beholder.evaluation.sections import Section


def json(sections: Sequence[Section]) -> str:
    """One object, `sections`: verdicts, summary, skill, failures, notes, facts and figures of each benchmark.

    NaN is null. Infinite numbers, which JSON does not know, are the texts "inf" and "-inf".
    """
    return dumps({"sections": [_section(c) for c in sections]}, allow_nan=False, ensure_ascii=False, indent=1) + "\n"


def _section(section: Section) -> dict[str, Any]:
    whole = {
        "benchmark": section.benchmark,
        "version": section.version,
        "trust": {**section.trust._asdict(), "says": str(section.trust)},
        "verdicts": [_verdict(v) for v in section.verdicts],
        "common": [_verdict(v) for v in section.common_verdicts],
        "summary": _view.summed(section.scores),
        "blind": section.blind.to_dict("records"),
        "skill": _skill.records_of(section),
        "failures": [f._asdict() for f in _facts.failures(section)],
        "notes": [*_notes.caveats(section), *_notes.notes(section)],
        "facts": section.facts,
        "figures": section.figures,
    }
    return {key: plain(value) for key, value in whole.items()}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    frame = verdict.standing
    columns = ["model", *map(column_name, frame.columns)]
    standing = [dict(zip(columns, row, strict=True)) for row in frame.itertuples(name=None)]
    said = {name: value for name, value in verdict._asdict().items() if name not in ("trusting", "known", "others")}
    return {**said, "says": verdict.says, "standing": standing}


def plain(value: Any) -> Any:
    """A value in the words of JSON; what is none of them becomes its text.

    >>> plain({"a": (1, float("nan"), float("inf")), 2: np.float64(0.5)})
    {'a': [1, None, 'inf'], '2': 0.5}
    """
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes):
        return [plain(one) for one in value]
    return value if value is None or isinstance(value, str | int) else str(value)


def _float(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else str(value)
