"""What is known of people and monkeys, as records with their provenance; a user's file overrides ours.

`references.toml` says for each number or fact where it comes from and how far it can be trusted. A TOML file of the
same layout that a user names replaces the records with the same id, whole: that is how the numbers
of a paper that could not be read come in without touching code. An id that we do not have, or another unit, is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from beholder.core.sample import STATUSES, worst
from beholder.errors import Misuse, NotFound
from beholder.io.reading import parse_toml
from beholder.registry.find import nearest

LEAST = 1e-6  # of a score: less is nothing to a reader, and a table of 1e-141 hides what matters
SPREADS = ("", "sd", "sem", "range", "ordinal")
HUMAN_EXPECTATION = 1 / math.sqrt(3)
"""What a person expects of the score exp(−z²) of Tlapale et al. (2012): its mean over z ~ N(0, 1).

In ∫ e^(−z²) e^(−z²/2) dz / √(2π) the integrand is a Gaussian of variance 1/3, so that the mean is 1/√3 ≈ 0.577 (with
the usual exponent −z²/2 it would be 1/√2). A score of 1 means equal to the mean person, not as good as a person.
"""


@dataclass(frozen=True)
class Record:
    """One number or fact, and where it is from. NaN: the fact has no such number."""

    id: str
    stimulus: str
    quantity: str
    source: str
    status: str
    value: float = math.nan
    spread: float = math.nan
    low: float = math.nan  # of a range
    high: float = math.nan
    levels: tuple[float, ...] = ()  # several values of one setting, or of several conditions
    spread_kind: str = ""  # sd, sem, range or ordinal
    spread_status: str = ""  # where it differs from that of the value
    n: int = 0  # observers; 0: not known
    species: str = ""
    unit: str = ""
    window: tuple[float, ...] = ()  # s
    conditions: str = ""
    note: str = ""

    @property
    def worst(self) -> str:
        """The worse of the statuses of value and spread.

        >>> Record("a", "bar", "peak", "seed", "seed", 30, spread=10, spread_status="placeholder").worst
        'placeholder'
        """
        return worst([self.status, self.spread_status])


def records(file: str = "") -> Mapping[str, Record]:
    """All records by id: ours, overridden by those of `file` where one is given.

    A user's file is read once per process: a run sees one state of it.
    """
    return {**_built_in(), **(_of_user(file) if file else {})}


def record(id: str, file: str = "") -> Record:
    """One record.

    >>> record("diamond.bias").value, record("diamond.bias").status
    (44.0, 'seed')
    """
    known = records(file)
    if id not in known:
        raise NotFound(f"no reference is called {id!r}{nearest(id, known)}")
    return known[id]


def normal(id: str, file: str = "") -> Record:
    """A record that has a mean and a standard deviation, as a Gaussian score needs."""
    found = record(id, file)
    if not is_normal(found):
        raise Misuse(_unlike(found))
    return found


def gaussian(x: float, of: Record) -> float:
    """The score exp(−(x − μ)²/σ²) of Tlapale et al. (2012), of a number against a record.

    NaN scores 0: what is not there earns nothing. Below a millionth it is 0, too.

    >>> of = Record("a", "bar", "error", "seed", "seed", 0.0, spread=10.0, spread_kind="sd")
    >>> round(gaussian(10, of), 4), gaussian(0, of), gaussian(float("nan"), of)
    (0.3679, 1.0, 0.0)
    """
    score = 0.0 if math.isnan(x) else math.exp(-(((x - of.value) / of.spread) ** 2))
    return score if score >= LEAST else 0.0


def name_placeholders(used: Mapping[str, Record]) -> str:
    """A sentence on the records that are stand-ins, for the row of a score that used them; empty where none is.

    >>> name_placeholders({"diamond.alpha": record("diamond.alpha"), "diamond.bias": record("diamond.bias")})
    'rests on placeholders: diamond.alpha'
    """
    doubtful = sorted(id for id, one in used.items() if one.worst == "placeholder")
    return f"rests on placeholders: {', '.join(doubtful)}" if doubtful else ""


@cache
def _built_in() -> Mapping[str, Record]:
    text = resources.files("beholder.motion").joinpath("references.toml").read_text("utf-8")
    return _read(text, "references.toml")


@cache
def _of_user(file: str) -> Mapping[str, Record]:
    path = Path(file).expanduser()
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise Misuse(f"got the reference file {path}, which {what}; expected a TOML file of records")
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise Misuse(f"got the reference file {path}, which is not text; expected a TOML file of records") from None
    return {id: _comparable(one, path.name) for id, one in _read(text, path.name).items()}


def _comparable(one: Record, name: str) -> Record:
    """A user's record, if it stands for one of ours and counts in the same unit."""
    ours = _built_in()
    if one.id not in ours:
        raise NotFound(f"{name}: no reference is called {one.id!r}{nearest(one.id, ours)}")
    unit = ours[one.id].unit
    if one.unit not in ("", unit):
        raise Misuse(f"{name}: {one.id} is in {one.unit!r}; expected {unit!r}, in which its scores count")
    if is_normal(ours[one.id]) and not is_normal(one):
        raise Misuse(f"{name}: {_unlike(one)}")
    return one


def is_normal(one: Record) -> bool:
    """Whether a record has a mean and a standard deviation, as a Gaussian score needs."""
    return one.spread_kind == "sd" and math.isfinite(one.value) and math.isfinite(one.spread) and one.spread > 0


def _unlike(one: Record) -> str:
    return (
        f"got {one.id} with value = {one.value}, spread = {one.spread} and spread_kind = {one.spread_kind!r}; "
        "expected a value, a spread above 0 and spread_kind = 'sd' for a Gaussian score"
    )


def _read(text: str, name: str) -> dict[str, Record]:
    try:
        tables = parse_toml(text)
    except ValueError as fault:
        raise Misuse(f"{name} is not valid TOML: {fault}") from None
    return {id: _record(id, table, name) for id, table in tables.items()}


def _record(id: str, table: Any, name: str) -> Record:
    if not isinstance(table, dict) or any(isinstance(value, dict) for value in table.values()):
        raise Misuse(f'{name}: {id} is not a record; expected a table with a quoted name: ["diamond.alpha"]')
    known = [field.name for field in fields(Record)][1:]
    strange = next((key for key in table if key not in known), None)
    if strange:
        raise Misuse(f"{name}: {id} has the field {strange!r}{nearest(strange, known)}")
    missing = [key for key in ("stimulus", "quantity", "source", "status") if not table.get(key)]
    if missing:
        raise Misuse(
            f"{name}: {id} has no {missing[0]}; every record must say where it comes from and how far it can be trusted"
        )
    return _checked(Record(id, **_typed(table, f"{name}: {id}")), name)


def _typed(table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The fields with the types of a record: TOML tells 0 from 0.0, and we do not."""
    typed = dict(table)
    for key in ("value", "spread", "low", "high"):
        if key in table:
            if isinstance(table[key], bool) or not isinstance(table[key], (int, float)):
                raise Misuse(f"{where} has {key} = {table[key]!r}; expected a number")
            typed[key] = float(table[key])
    if "n" in table and (isinstance(table["n"], bool) or not isinstance(table["n"], int)):
        raise Misuse(f"{where} has n = {table['n']!r}; expected a number of observers")
    words = set(table) - {"value", "spread", "low", "high", "n", "window", "levels"}
    strange = next((key for key in sorted(words) if not isinstance(table[key], str)), None)
    if strange:
        raise Misuse(f"{where} has {strange} = {table[strange]!r}; expected text")
    window = _numbers(table.get("window", ()), f"{where} has window", "seconds from and to, such as [0.135, 0.175]")
    return typed | {"window": window, "levels": _numbers(table.get("levels", ()), f"{where} has levels", "numbers")}


def _numbers(given: Any, what: str, expected: str) -> tuple[float, ...]:
    numbers = isinstance(given, list | tuple) and all(type(one) in (int, float) for one in given)
    if not numbers:
        raise Misuse(f"{what} = {given!r}; expected {expected}")
    return tuple(map(float, given))


def _checked(made: Record, name: str) -> Record:
    for status in (made.status, made.spread_status):
        if status not in STATUSES:
            raise Misuse(f"{name}: {made.id} has status {status!r}; expected one of {', '.join(STATUSES[1:])}")
    if made.spread_kind not in SPREADS:
        raise Misuse(
            f"{name}: {made.id} has spread_kind {made.spread_kind!r}; expected one of {', '.join(SPREADS[1:])}"
        )
    return made
