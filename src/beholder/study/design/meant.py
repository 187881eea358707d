"""What a study file may say, and cannot mean: it is refused when the file is read, not in what was served before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from beholder.errors import listed, printable
from beholder.study.design.faults import where

if TYPE_CHECKING:
    from beholder.study.design.file import Asked, Exclude, Group, Study

CODE = re.compile(r"[A-Za-z0-9_-]*")
UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # control characters, but lines and tabs
DATE = re.compile(r"(?<![\w-])\d{4}-\d{1,2}-\d{1,2}(?![\w-])")
SHARES = {"frames": "least", "consistency": "least", "fast": "most"}  # rules whose number is a share


def unmeant(raw: Mapping[str, Any]) -> Iterator[str]:
    """What cannot be meant in a file as it was written, in sentences."""
    people = raw.get("participants")
    if type(people) is int and people < 1:
        yield f"participants: got {people}; expected 1 or more; remove the line to let any number take part"
    groups = raw.get("groups")
    for group in groups if isinstance(groups, list) else []:
        if isinstance(group, dict) and group.get("quota") == 0:
            yield (
                f"group {group.get('name')}: got quota = 0; expected 1 or more; remove quota to let any number take "
                "part"
            )
    codes = raw.get("codes")
    if isinstance(codes, dict) and codes.get("failed_checks") == "":
        same = codes.get("complete", "COMPLETE")
        yield (
            "codes.failed_checks: got ''; expected a separate code for people who fail checks; to pay them like "
            f"everybody else, repeat the code: failed_checks = {same!r}"
        )
    for place, text in _texts(raw, ()):
        if UNSEEN.search(text):
            yield f"{where(place)}: got {printable(text)[:60]!r} with a control character; expected visible characters"


def _texts(part: Any, place: tuple[int | str, ...]) -> Iterator[tuple[tuple[int | str, ...], str]]:
    """All texts, and where they stand."""
    if isinstance(part, str):
        yield place, part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _texts(value, (*place, key))
    elif isinstance(part, list):
        for at, value in enumerate(part):
            yield from _texts(value, (*place, at))


def unlikely(study: Study) -> Iterator[str]:
    """What cannot be meant in a study that is otherwise whole, in sentences."""
    for asked in study.form:
        if not asked.choices and asked.low >= asked.high:
            yield f"form {asked.name}: got low = {asked.low}, high = {asked.high}; expected a low below high"
    yield from _answers(study)
    yield from _groups(study)
    for rule in study.exclude:
        yield from _rule(rule)
    for name in ("complete", "failed_checks", "screened_out"):
        code = getattr(study.codes, name)
        if not CODE.fullmatch(code):
            yield f"codes.{name}: got {code!r}; expected letters from a to z, digits, - and _"
    parts = urlsplit(study.codes.return_to)
    if study.codes.return_to and (parts.scheme not in ("http", "https") or not parts.netloc):
        yield f"codes.return_to: got {study.codes.return_to!r}; expected an address that begins with https://"


def _answers(study: Study) -> Iterator[str]:
    """Checks that nobody can pass, and a class that is looked for and is not the right one."""
    for item in study.items:
        if item.use == "check" and not item.expected:
            yield f"item {item.id}: got a check without `expected`; expected the answer that it asks for"
    if study.trial == "two_alternative" and study.right and study.signal not in study.right:
        yield (
            f"right: got {listed(study.right)}; expected an answer for the class {study.signal}; or correct "
            "analysis.signal"
        )


def _groups(study: Study) -> Iterator[str]:
    names = [group.name for group in study.groups]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        yield f"groups: got {listed(twice)} twice; expected each name once"
    form = {asked.name: asked for asked in study.form}
    known = [group for group in study.groups if group.field in form]
    for group in known:
        yield from _bounds(group, form[group.field])
    for one, other in combinations(known, 2):
        if one.field == other.field and _overlap(one, other, form[one.field]):
            yield (
                f"groups {one.name} and {other.name} overlap: an answer to {one.field} can belong to both; choose "
                "at_least and at_most so that they do not overlap"
            )


def _bounds(group: Group, asked: Asked) -> Iterator[str]:
    if asked.choices:
        if not any(group.holds({asked.name: choice.value}) for choice in asked.choices):
            yield f"group {group.name}: no choice of {asked.name} belongs to it; expected one whose value is a number"
        return
    for name in ("at_least", "at_most"):
        bound = getattr(group, name)
        if bound is not None and not asked.low <= bound <= asked.high:
            yield (
                f"group {group.name}: got {name} = {bound:g}; expected {asked.low} to {asked.high}, the range of "
                f"{asked.name}"
            )
    if group.at_least is not None and group.at_most is not None and group.at_least > group.at_most:
        yield f"group {group.name}: got at_least above at_most: nobody belongs to it"


def _overlap(one: Group, other: Group, asked: Asked) -> bool:
    """Whether an answer belongs to both. Of numbers, the first of one group is then in the other."""
    if asked.choices:
        values: list[Any] = [choice.value for choice in asked.choices]
    else:
        values = [asked.low, *(-(-bound // 1) for bound in (one.at_least, other.at_least) if bound is not None)]
    return any(one.holds({asked.name: value}) and other.holds({asked.name: value}) for value in values)


def _rule(rule: Exclude) -> Iterator[str]:
    name = SHARES.get(rule.rule)
    share = getattr(rule, name) if name else None
    if share is not None and not 0 <= share <= 1:
        yield f"exclude {rule.rule}: got {name} = {share:g}; expected a share, from 0 to 1"
    if rule.rule == "checks" and rule.most is not None and rule.most < 0:
        yield f"exclude checks: got most = {rule.most:g}; expected 0 or more"
    if rule.seconds < 0:
        yield f"exclude {rule.rule}: got seconds = {rule.seconds:g}; expected 0 or more"


def no_day(text: str, line: int) -> str:
    """The sentence on a line of TOML whose date is none; nothing where there is no date in it."""
    from datetime import date

    for found in DATE.findall(text.splitlines()[line - 1] if line else ""):
        try:
            date.fromisoformat(found)
        except ValueError:
            return f"line {line}: got {found}, which is not a calendar date; expected a date, such as 2030-12-31"
    return ""
