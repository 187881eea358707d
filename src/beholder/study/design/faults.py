"""What is wrong with a study file, in sentences: where, what was got, what was expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from beholder.registry.find import nearest

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

LONGEST = 60  # signs of what was got that are repeated
NAMES = "at most 64 lower-case letters, digits, - and _, beginning with a letter or a digit"

# What pydantic calls the kind of a fault, and what was expected then.
EXPECTED: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "greater_than_equal": lambda has: f"{has['ge']:g} or more",
    "greater_than": lambda has: f"more than {has['gt']:g}",
    "less_than_equal": lambda has: f"{has['le']:g} or less",
    "less_than": lambda has: f"less than {has['lt']:g}",
    "literal_error": lambda has: str(has["expected"]).replace("'", ""),
    "string_pattern_mismatch": lambda has: NAMES,
    "string_too_short": lambda has: "a non-empty text",
    "string_too_long": lambda has: f"a text of at most {has['max_length']} characters",
    "too_short": lambda has: f"{has['min_length']} or more entries",
    "too_long": lambda has: f"at most {has['max_length']} entries",
    "finite_number": lambda has: "a finite number, neither inf nor nan",
    "json_invalid": lambda has: f"JSON ({has['error']})",
}
KINDS = {  # by the beginning of the kind of fault
    "int": "a whole number, without quotation marks",
    "float": "a number, without quotation marks",
    "bool": "true or false, without quotation marks",
    "string": "a text, in quotation marks",
    "date": "a date, such as 2030-12-31, without quotation marks",
    "tuple": "a list: [ … ]",
    "list": "a list: [ … ]",
    "mapping": "a table: [name] and lines below it",
    "dict": "a table: [name] and lines below it",
    "model": "a table: [name] and lines below it",
}


def sentence(fault: ValidationError, root: type[BaseModel] | None = None) -> str:
    """The first thing that is wrong, and how many more there are. `root` is what was read: its fields are suggested."""
    first, *rest = fault.errors()
    more = f" (and {len(rest)} more)" if rest else ""
    return f"{_told(first, root)}{more}"


def _told(one: Any, root: type[BaseModel] | None) -> str:
    kind, has = one["type"], one.get("ctx") or {}
    place = where(one["loc"])
    if kind == "value_error":
        said = one["msg"].removeprefix("Value error, ")
        return f"{place}: {said}" if place else said
    if kind == "missing":
        return f"{place}: missing; it is required"
    if kind == "extra_forbidden":
        own = f" in {where(one['loc'][:-1])}" if len(one["loc"]) > 1 else ""
        return f"got {one['loc'][-1]!r}{own}, which a study file does not have{_near(one['loc'], root)}"
    said = f"got {_got(one['input'])}; expected {_expected(kind, has, one['msg'])}"
    return f"{place}: {said}" if place else said


def _expected(kind: str, has: Mapping[str, Any], message: str) -> str:
    if kind in EXPECTED:
        return EXPECTED[kind](has)
    return KINDS.get(kind.partition("_")[0], message[:1].lower() + message[1:])


def where(place: tuple[int | str, ...]) -> str:
    """A place as people count: items.3.class is class of item 4.

    >>> where(("items", 3, "class")), where(("trials", "count")), where(("questions", 0, "answers", 1, "label"))
    ('class of item 4', 'trials.count', 'label of answer 2 of question 1')
    """
    said: list[str] = []
    words: list[str] = []
    for part in place:
        if isinstance(part, int):
            said.insert(0, f"{words.pop().removesuffix('s')} {part + 1}" if words else f"entry {part + 1}")
            said[0] = ".".join([*words, said[0]])
            words = []
        else:
            words.append(part)
    return " of ".join([".".join(words), *said] if words else said)


def _got(given: Any) -> str:
    """What was given, as a file has it, cut short."""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, bytes):
        return "a file"
    if isinstance(given, dict):
        return "a table"
    if isinstance(given, (list, tuple)):
        return f"a list of {len(given)}"
    text = f"'{given}'" if isinstance(given, str) else str(given)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(str(given))} characters)"


def _near(place: tuple[int | str, ...], root: type[BaseModel] | None) -> str:
    """Names that are alike, of the table that the name stands in."""
    here: Any = root
    for part in place[:-1]:
        if isinstance(part, str) and here is not None:
            field = here.model_fields.get(part)
            here = field and next((one for one in _parts(field.annotation) if hasattr(one, "model_fields")), None)
    if here is None:
        return ""
    return nearest(str(place[-1]), [field.alias or name for name, field in here.model_fields.items()])


def _parts(annotation: Any) -> list[Any]:
    """A type and all that it is made of."""
    inner = [one for arg in getattr(annotation, "__args__", ()) for one in _parts(arg)]
    return [annotation, *inner]
