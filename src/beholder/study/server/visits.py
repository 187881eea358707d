"""Sessions, trials and answers as values; what is refused, and with which words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row

from beholder.errors import listed
from beholder.study.design.drawing import Drawn, right_answer
from beholder.study.design.file import Study

FASTEST = 500  # frames a second: no screen has more
STAGES = ("consent", "form", "device", "instructions", "trials", "comment", "done")
OVER = {  # outcomes after which nothing more is taken, and what is said then
    "refused": "You did not agree to take part; we stored nothing else about you.",
    "screened_out": "We already have enough participants with your background.",
    "withdrawn": "You stopped taking part; your answers were deleted.",
    "expired": "The time to continue is over.",
    "rejected": "This session was closed by the people who run the study.",
}


class Refused(Exception):
    """What cannot be done, in a sentence, and the HTTP status that says so."""

    status = 400

    def __init__(self, sentence: str, after: float = 0.0) -> None:
        super().__init__(sentence)
        self.after = after  # seconds after which it may be tried again


class Unknown(Refused):
    """There is no such thing, or it is not yours."""

    status = 404


class Conflict(Refused):
    """Something else was stored before, or it is not its turn."""

    status = 409


class Gone(Refused):
    """The session is over."""

    status = 410


class Invalid(Refused):
    """An answer that was not among those that can be given."""

    status = 422


class Early(Refused):
    """An answer that comes before what it is about can have been seen."""

    status = 425


class Closed(Refused):
    """Nobody else is let in."""

    status = 403


@dataclass(frozen=True)
class Session:
    """One participant's visit."""

    id: str
    study: str
    platform: str
    stage: str
    outcome: str
    kind: str
    started: float
    seen: float
    simulated: bool = False
    form: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Current:
    """A trial as it is to be shown. What a browser learns of it is made in `trials`."""

    session: str
    position: int
    of: int
    token: str
    drawn: Drawn
    following: Current | None = None  # the one after it, whose media the browser may load before

    def count(self, practice: int) -> dict[str, int]:
        """Its number, and of how many: practice, which comes first, is counted by itself.

        >>> Current("", 2, 16, "", Drawn("trial", "a", "human")).count(practice=2)
        {'number': 1, 'of': 14}
        """
        if self.drawn.use == "practice":
            return {"number": self.position + 1, "of": practice}
        return {"number": self.position + 1 - practice, "of": self.of - practice}


@dataclass(frozen=True)
class Given:
    """An answer, as a browser sends it."""

    token: str
    key: str
    values: Mapping[str, str]
    seconds: float | None = None
    replays: int = 0
    frames: int | None = None
    dropped: int | None = None
    hidden: int = 0


@dataclass(frozen=True)
class Stored:
    """That an answer is on the disk, and what comes next."""

    feedback: str  # practice: right, wrong, or nothing where no answer is right
    next: Current | None


def as_session(row: Row[Any]) -> Session:
    """A row of the table of sessions."""
    kept: dict[str, Any] = {name: getattr(row, name) for name in Session.__dataclass_fields__}
    return Session(**kept | {"simulated": bool(row.simulated)})


def as_current(rows: Sequence[Row[Any]]) -> Current | None:
    """The first of some rows of the table of trials (with how many there are), and behind it the second."""
    following = None
    for row in reversed(rows[:2]):
        following = Current(row.session, row.position, row.many, row.token, as_drawn(row), following)
    return following


def as_drawn(row: Row[Any]) -> Drawn:
    """What was drawn for a trial."""
    return Drawn(use=row.use, item=row.item, kind=row.kind, other=row.other)


def feedback_on(study: Study, trial: Row[Any], values: Mapping[str, str]) -> str:
    """What is said after practice: right, wrong, or nothing where no answer is right; after a trial, nothing."""
    told = trial.use == "practice" and study.practice.feedback
    return _verdict(study, as_drawn(trial), values) if told else ""


def mark_of(study: Study, row: Row[Any]) -> str:
    """Whether the answer to a trial was right, wrong, or neither."""
    return _verdict(study, as_drawn(row), row.given or {})


def _verdict(study: Study, drawn: Drawn, values: Mapping[str, str]) -> str:
    right = right_answer(study, drawn)
    if not right:
        return ""
    return "right" if values.get(study.questions[0].dimension) == right else "wrong"


def check_values(study: Study, values: Mapping[str, str]) -> None:
    """Refuse an answer that was not offered, or one on other dimensions."""
    asked = {question.dimension: [answer.value for answer in question.answers] for question in study.questions}
    if set(values) != set(asked):
        raise Invalid(f"got answers for {listed(sorted(values)) or 'nothing'}; expected them for {listed(asked)}")
    for dimension, value in values.items():
        if value not in asked[dimension]:
            raise Invalid(f"{dimension}: got an answer that is not offered; expected one of {listed(asked[dimension])}")


def check_frames(given: Given, length: float) -> None:
    """Refuse counts of frames that no screen can have shown in this many seconds.

    `frames` were drawn, `dropped` were due and were not: a slow device may drop more than it draws, and its answer is
    kept; the rule `frames` of the study says whether it counts.
    """
    if given.frames is None:
        if given.dropped:
            raise Invalid(f"got {given.dropped} dropped frames but no count of drawn ones; expected both counts")
        return
    most = math.ceil((given.replays + 1) * (length + 1) * FASTEST)
    if given.frames + (given.dropped or 0) > most:
        raise Invalid(f"got {given.frames} frames and {given.dropped or 0} dropped ones; expected at most {most}")
