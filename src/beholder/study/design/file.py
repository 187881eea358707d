"""The study file: TOML that says what is asked, what is shown, and to whom."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from beholder.errors import Misuse, listed
from beholder.io.names import special
from beholder.io.reading import parse_toml
from beholder.study.design.faults import sentence
from beholder.study.design.meant import no_day, unlikely, unmeant

Whole = Annotated[int, Field(strict=True)]  # `true` is no number
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Label = Annotated[str, Field(min_length=1, max_length=500)]
Trial = Literal["yes_no", "two_alternative", "rating"]
Use = Literal["trial", "practice", "check"]
Show = Literal["track", "clip", "picture"]
Platform = Literal["open", "invite", "prolific", "mturk"]
FIRST, SECOND = "first", "second"  # the answers of a two-alternative trial: which of the two that were shown


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(_Part):
    """One of the answers that can be given."""

    value: Annotated[str, Field(min_length=1, max_length=64)]
    label: Label
    key: Annotated[str, Field(max_length=1)] = ""  # on the keyboard; by default 1, 2, 3 …


class Question(_Part):
    """What is asked after a clip, on one dimension."""

    dimension: Name = "human"
    text: Label
    answers: Annotated[tuple[Answer, ...], Field(min_length=2, max_length=11)]

    @model_validator(mode="after")
    def _apart(self) -> Question:
        values = [answer.value for answer in self.answers]
        if len(set(values)) < len(values):
            raise ValueError(f"got the answers {', '.join(values)}; expected each once")
        return self


class Consent(_Part):
    """What people agree to. Its hash is kept with every session."""

    version: Label
    text: Text
    contact: Label

    @property
    def hash(self) -> str:
        """SHA-256 of version and text."""
        return hashlib.sha256(f"{self.version}\n{self.text}".encode()).hexdigest()


class Trials(_Part):
    """How many things a participant is shown, and how."""

    count: Annotated[Whole, Field(ge=1, le=1000)] = 20  # without practice, checks and repeats
    per_class: Mapping[str, Annotated[Whole, Field(ge=0)]] = Field(default_factory=dict)  # by default, even shares
    practice: Annotated[Whole, Field(ge=0, le=20)] = 2
    checks: Annotated[Whole, Field(ge=0, le=20)] = 1  # clips that say which answer to give
    repeats: Annotated[Whole, Field(ge=0, le=20)] = 1  # clips that are shown a second time
    longest_run: Annotated[Whole, Field(ge=1)] = 4  # of one class in a row
    answer_after_end: bool = True  # only when the clip has been seen to its end
    replay: bool = True


class Practice(_Part):
    """What happens in practice."""

    feedback: bool = True  # whether people are told which answer was right; a study of a paper may not have done so


class Asked(_Part):
    """One question of the form that participants fill in before the trials."""

    name: Name
    label: Label
    choices: tuple[Answer, ...] = ()  # one of these; else a number from `low` to `high`
    low: Whole = 1
    high: Whole = 5
    required: bool = True


class Group(_Part):
    """Participants of a kind, by an answer to the form; at most `quota` of them are let in, if it is given."""

    name: Name
    field: Name
    at_least: Number | None = None
    at_most: Number | None = None
    quota: Annotated[Whole, Field(ge=0)] = 0  # 0: any number; a file leaves it out then

    def holds(self, form: Mapping[str, Any]) -> bool:
        """Whether a filled-in form belongs to this group."""
        try:
            value = float(form[self.field])
        except (KeyError, TypeError, ValueError):
            return False
        low = self.at_least is None or value >= self.at_least
        return low and (self.at_most is None or value <= self.at_most)


class Codes(_Part):
    """What a participant takes back to the recruiter."""

    complete: Annotated[str, Field(max_length=64)] = "COMPLETE"
    failed_checks: Annotated[str, Field(max_length=64)] = ""  # not stated: the code of those who complete
    screened_out: Annotated[str, Field(max_length=64)] = ""
    return_to: Annotated[str, Field(max_length=500)] = ""  # an address with {code} in it


class Exclude(_Part):
    """A rule, stated before anything is collected, by which a session does not count in the analysis."""

    rule: Literal["checks", "frames", "consistency", "fast", "incomplete", "one_answer"]
    most: Number | None = None  # checks: failed ones; fast: the share of answers sooner than `seconds`
    least: Number | None = None  # frames: the share that was shown; consistency: of repeats answered alike
    seconds: Number = 0.3


class Planned(_Part):
    """What the analysis asks, stated before anything is collected."""

    signal: str = ""  # the class that is looked for; by default human, else the first that has a right answer
    bound: Annotated[Number, Field(gt=0, lt=0.5)] = 0.05
    # People cannot tell the classes apart if the share of right answers is shown to be within this much of guessing.
    cues: tuple[str, ...] = ()  # trivial cues, such as 'path length', by which classes may differ on purpose


class Shown(_Part):
    """One item: something that is shown and judged."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    kind: Annotated[str, Field(min_length=1, max_length=64, alias="class")]  # human, synthetic …: what it truly is
    group: str = ""  # what it is of, such as a picture; nobody sees two of one group, but in a two-alternative trial
    system: str = ""  # who made it: a model, a person
    use: Use = "trial"
    expected: str = ""  # check: the answer that it asks for
    show: Show = "track"
    media: str = ""  # picture or film, relative to the study file
    track: str = ""  # gaze: JSON, relative to the study file
    stimulus: str = ""  # kind of stimulus, such as picture or film: results are given by it
    note: str = ""  # such as 'human fixations, synthetic saccades'

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Study(_Part):
    """A study, as its file has it."""

    name: Name
    title: Label
    trial: Trial = "yes_no"
    questions: Annotated[tuple[Question, ...], Field(min_length=1, max_length=10)]
    right: Mapping[str, str] = Field(default_factory=dict)  # class → the answer that is right for it
    instructions: Text
    consent: Consent
    debrief: Annotated[str, Field(max_length=20_000)] = ""
    trials: Trials = Trials()
    practice: Practice = Practice()
    form: tuple[Asked, ...] = ()
    groups: tuple[Group, ...] = ()
    platform: Platform = "open"
    participants: Annotated[Whole, Field(ge=0)] = 0  # that are let in; 0: any number; a file leaves it out then
    codes: Codes = Codes()
    lease_minutes: Annotated[Number, Field(gt=0, le=7 * 24 * 60)] = 60  # after which an unfinished trial goes to others
    resume_hours: Annotated[Number, Field(gt=0, le=366 * 24)] = 24
    retain_until: date | None = None
    follows: Annotated[str, Field(max_length=64)] = ""  # the preset of which it is made, such as zanca2020
    deviations: tuple[Label, ...] = ()  # where this differs from the study that it follows, a sentence each
    exclude: tuple[Exclude, ...] = (Exclude(rule="incomplete"),)  # a list without it switches it off
    analysis: Planned = Planned()
    comment: bool = False  # whether a free comment is asked for at the end
    show_score: bool = True  # at the end
    seed: Whole = 0
    items: Annotated[tuple[Shown, ...], Field(min_length=1)]

    @field_validator("items")
    @classmethod
    def _once(cls, items: tuple[Shown, ...]) -> tuple[Shown, ...]:
        seen: set[str] = set()
        for item in items:
            if item.id in seen:
                raise ValueError(f"got the item {item.id!r} twice; expected each once")
            seen.add(item.id)
        return items

    @model_validator(mode="after")
    def _fits(self) -> Study:
        for fault in _misfits(self):
            raise ValueError(fault)
        return self

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of the items that are judged."""
        return tuple(dict.fromkeys(item.kind for item in self.items if item.use == "trial"))

    @property
    def signal(self) -> str:
        """The class that is looked for; nothing where no answer is right."""
        known = [name for name in self.classes if name in self.right or self.trial != "yes_no"]
        if self.analysis.signal or "human" in known:
            return self.analysis.signal or "human"
        return next((name for name in self.classes if name in self.right), "")

    @property
    def noises(self) -> tuple[str, ...]:
        """The classes that the signal is told from. Where some answers are right, controls are not among them."""
        if not self.signal:
            return ()
        others = [name for name in self.classes if name != self.signal]
        if self.trial == "yes_no":
            mine = self.right.get(self.signal)
            others = [name for name in others if self.right.get(name, mine) != mine]
        return tuple(others)

    @property
    def per_class(self) -> dict[str, int]:
        """How many of each class a participant is shown."""
        if self.trials.per_class:
            return dict(self.trials.per_class)
        share, rest = divmod(self.trials.count, len(self.classes))
        return {name: share + (at < rest) for at, name in enumerate(self.classes)}

    def group_of(self, form: Mapping[str, Any]) -> str:
        """The first group that a filled-in form belongs to, or nothing."""
        return next((group.name for group in self.groups if group.holds(form)), "")

    @property
    def digest(self) -> str:
        """What tells this study from another version of it."""
        return hashlib.sha256(self.model_dump_json(by_alias=True).encode()).hexdigest()[:16]


def _misfits(study: Study) -> Sequence[str]:
    """What does not fit together, in sentences."""
    found = []
    judged = [item for item in study.items if item.use == "trial"]
    if not judged:
        return ["got no items to judge; expected at least one with use = trial"]
    many = sum(study.trials.per_class.values())
    if study.trials.per_class and many != study.trials.count:
        found.append(f"trials: per_class adds up to {many}; expected {study.trials.count}, the value of count")
    strange = sorted(set(study.trials.per_class) - set(study.classes))
    if strange:
        found.append(f"trials: got per_class of {listed(strange)}; the items' classes are {listed(study.classes)}")
    if study.analysis.signal and study.analysis.signal not in study.classes:
        found.append(f"analysis: got signal = {study.analysis.signal!r}; the classes are {listed(study.classes)}")
    fields = {asked.name for asked in study.form}
    found += [f"group {g.name}: the form has no {g.field!r}" for g in study.groups if g.field not in fields]
    values = {answer.value for answer in study.questions[0].answers}
    found += [
        f"right: got {value!r} for {name}; the answers are {listed(sorted(values))}"
        for name, value in study.right.items()
        if study.trial == "yes_no" and value not in values
    ]
    for use, many in (("practice", study.trials.practice), ("check", study.trials.checks)):
        there = sum(item.use == use for item in study.items)
        if many > there:
            found.append(f"got {there} {use} items; expected {many} or more, as set in trials")
    if not found and study.trial != "two_alternative":
        found += [
            f"class {name}: got items of {len({i.group or i.id for i in judged if i.kind == name})} groups; expected "
            f"{many} or more, because nobody sees two items of the same group"
            for name, many in study.per_class.items()
            if len({i.group or i.id for i in judged if i.kind == name}) < many
        ]
    if study.codes.return_to and "{code}" not in study.codes.return_to:
        found.append(f"codes: got return_to = {study.codes.return_to!r}; expected an address with {{code}} in it")
    return found


def read(path: Path) -> Study:
    """A study from its file; `items` may be the name of a CSV file beside it, one item a row."""
    _refuse_special(path)
    text = ""
    try:
        text = path.read_text("utf-8")
        raw = parse_toml(text)
    except FileNotFoundError:
        raise Misuse(f"got {path}, which is not a file; expected a study file: beholder study new makes one") from None
    except (ValueError, OSError) as fault:
        line = re.search(r"at line (\d+)", str(fault))
        day = no_day(text, int(line[1])) if line else ""
        raise Misuse(f"{path}: {day}" if day else f"{path} cannot be read as TOML: {fault}") from fault
    if isinstance(raw.get("items"), str):
        raw["items"] = _rows(path.parent / raw["items"])
    for said in unmeant(raw):
        raise Misuse(f"{path}: {said}")
    try:
        study = Study.model_validate(raw)
    except ValidationError as fault:
        raise Misuse(f"{path}: {sentence(fault, Study)}") from fault
    for said in unlikely(study):
        raise Misuse(f"{path}: {said}")
    return study


def _refuse_special(path: Path) -> None:
    if kind := special(path):
        raise Misuse(f"{path}: got {kind}; expected a file; copy what it gives into one")


def _rows(path: Path) -> list[dict[str, str]]:
    _refuse_special(path)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [{key: value for key, value in row.items() if value} for row in csv.DictReader(file)]
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise Misuse(f"the items of the study cannot be read from {path}: {fault}") from fault
