"""Whoever takes part in a run: models, what the benchmark brings, and people. All are asked in the same way.

An entrant is a small record that can be sent to another process, and is opened where it answers. What is opened, a
respondent, turns a sample into questions: one for each answer that it gives, with the references it is scored on.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from beholder.core.benchmark import Answers, Benchmark, Model, People, Recorded
from beholder.core.measure import NotApplicable
from beholder.core.model_code import Process, freeze, name_ours
from beholder.core.randomness import rng_for
from beholder.core.sample import Sample
from beholder.core.scores import Role
from beholder.io.bounds import LARGEST
from beholder.store.cache import cached
from beholder.store.digest import digest, package, state_of


class Question(NamedTuple):
    """One answer to be had, and the references it is scored on."""

    repeat: int
    ask: Callable[[], Any]
    key: str  # for the cache; nothing = not to be cached
    held: Sequence[tuple[str, Any]]  # whom it is scored on: ("", reference), or one pair for each held-out observer


class Asked(NamedTuple):
    """A sample as an entrant meets it."""

    benchmark: Benchmark
    sample: Sample[Any, Any]
    seen: str  # digest of the stimulus
    seed: int = 0
    repeats: int = 10
    alone: dict[str, Any] | None = None  # observer → the reference of that one alone, for every entrant the same

    def only(self, who: str) -> Any:
        """The reference of one observer alone: parted once, so that what measures derive from it serves every model."""
        people, reference = people_of(self.benchmark), self.sample.reference
        if self.alone is None:
            return people.only(reference, who)
        if who not in self.alone:
            self.alone[who] = people.only(reference, who)
        return self.alone[who]


class Respondent(Protocol):
    """An entrant that is open, in the process in which it answers."""

    @property
    def model(self) -> Any:
        """The model, for its facts, citation and settings; None for people."""

    def ask(self, asked: Asked) -> Iterator[Question]:
        """Every answer that it gives to a sample."""


class Entrant(Protocol):
    """Whoever takes part in a run."""

    @property
    def name(self) -> str:
        """What it is called in tables."""

    @property
    def role(self) -> Role:
        """As what it takes part."""

    @property
    def spec(self) -> str:
        """How it was given."""

    @property
    def stamp(self) -> str:
        """What tells its present state from another one; empty where nothing is known."""

    @property
    def files(self) -> Mapping[str, str]:
        """The files that its spec names, by path, with what tells their present state from another one."""

    @property
    def built_in(self) -> bool:
        """Whether it depends on nothing but our own source, benchmark and dataset."""

    @property
    def readily(self) -> bool:
        """Whether this process may open it to read its citation and settings: not if that runs a user's file."""

    @property
    def portable(self) -> bool:
        """Whether it must open in every process; a function of the caller's may exist in this one only."""

    def open(self, benchmark: Benchmark) -> Respondent:
        """Make it ready to answer."""


@dataclass(frozen=True)
class Given:
    """A function, or recorded answers, that the caller has handed over."""

    name: str
    given: Model | Recorded
    built_in: bool = False
    readily: bool = True
    portable: bool = False

    @property
    def role(self) -> Role:
        """A crowd worker who saw some items only is a person."""
        return "person" if isinstance(self.given, Recorded) and self.given.partial else "model"

    @property
    def spec(self) -> str:
        """Its type: it has no name on the command line."""
        return type(self.given).__name__

    @property
    def stamp(self) -> str:
        """The values of recorded answers, unless they are in files; of a function nothing is known."""
        if not isinstance(self.given, Recorded):
            return ""
        return digest({id: str(a) if isinstance(a, Path) else a for id, a in self._answers.items()})

    @property
    def files(self) -> Mapping[str, str]:
        """The files of recorded answers, with their sizes and times."""
        return {str(a.absolute()): state_of(a) for a in self._answers.values() if isinstance(a, Path)}

    @property
    def _answers(self) -> Mapping[str, Any]:
        """Recorded answers that are at hand, and not made when they are asked for."""
        answers = getattr(self.given, "answers", None)
        return answers if isinstance(answers, dict) else {}

    def open(self, benchmark: Benchmark) -> Respondent:
        """As it is."""
        return respondent(self.given)


def remarks_of(entrant: Entrant) -> tuple[str, ...]:
    """What was found beside recorded answers, and is not used."""
    given = entrant.given if isinstance(entrant, Given) else None
    return given.remarks if isinstance(given, Recorded) else ()


@dataclass(frozen=True)
class Provided:
    """A model that the benchmark itself brings."""

    name: str
    role: Role  # baseline, blind or oracle
    files: Mapping[str, str] = field(default_factory=dict)
    built_in: bool = True
    readily: bool = True
    portable: bool = False

    @property
    def spec(self) -> str:
        """As what the benchmark brings it."""
        return f"{self.role} {self.name}"

    @property
    def stamp(self) -> str:
        """Baselines are named in the digest of a run; blind models and oracles follow from benchmark and dataset."""
        return self.spec if self.role == "baseline" else ""

    def open(self, benchmark: Benchmark) -> Respondent:
        """Made when it is first asked for."""
        return respondent(benchmark.provide(self.role, self.name))


@dataclass(frozen=True)
class Ceiling:
    """The other observers, answering for the one left out; or, where people answer alone, the mean person."""

    name: str = "people"
    role: Role = "ceiling"
    spec: str = "Ceiling"
    stamp: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    built_in: bool = True
    readily: bool = True
    portable: bool = False
    model: None = None

    def open(self, benchmark: Benchmark) -> Respondent:
        """People are always ready."""
        return self

    def ask(self, asked: Asked) -> Iterator[Question]:
        """One answer for each observer."""
        people, sample = people_of(asked.benchmark), asked.sample
        if len(people.names(sample.reference)) < 2:
            raise NotApplicable("fewer than two people saw this sample, so none of them can be left out")
        for whom, who in _pooled_as(people, sample.reference, sample.id):
            sides = people.without(sample.reference, who), asked.only(who)
            theirs, held = sides[::-1] if people.alone else sides
            answer = people.further.get(self.name, people.answer)
            yield Question(0, functools.partial(answer, theirs, sample.stimulus), "", [(whom, held)])


@dataclass(frozen=True)
class Person:
    """One observer, or all of one kind together, scored on the others."""

    who: str
    role: Role = "person"
    spec: str = "Person"
    stamp: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    built_in: bool = True
    readily: bool = True
    portable: bool = False
    model: None = None

    @property
    def name(self) -> str:
        """The observer's name, told from those of models."""
        return f"person {self.who}"

    def open(self, benchmark: Benchmark) -> Respondent:
        """People are always ready."""
        return self

    def ask(self, asked: Asked) -> Iterator[Question]:
        """What this observer did."""
        people, sample = people_of(asked.benchmark), asked.sample
        kinds = people.kinds(sample.reference) if people.kinds else ()
        if self.who not in (*people.names(sample.reference), *kinds):
            raise NotApplicable(f"{self.who} did not see this sample")
        own = functools.partial(people.answer, asked.only(self.who), sample.stimulus)
        yield Question(0, own, "", [("", people.without(sample.reference, self.who))])


def people_of(benchmark: Benchmark) -> People:
    """The people of a benchmark; without any: not applicable."""
    if benchmark.lineup.people is None:
        raise NotApplicable("this benchmark has no people")
    return benchmark.lineup.people


def _pooled_as(people: People, reference: Any, id: str) -> Iterator[tuple[str, str]]:
    """Pairs (group, observer). A pooled measure joins the samples of one group: those of one observer.

    Where people answer alone and are mixed, groups are drawn at random on each sample: each mixes people, as a model of
    people does, and none is one person's own manner.
    """
    names = people.names(reference)
    if not (people.alone and people.mixed):
        return zip(names, names, strict=True)
    drawn = rng_for(0, id).permutation(len(names))
    return zip((f"{at}" for at in drawn), names, strict=True)


def respondent(model: Model | Recorded) -> Respondent:
    """A model that is ready to answer."""
    return Recalling(model) if isinstance(model, Recorded) else Answering(model)


@dataclass(frozen=True)
class Recalling:
    """A model that has already answered."""

    model: Recorded

    def ask(self, asked: Asked) -> Iterator[Question]:
        """The one answer that was recorded."""
        files, sample = asked.benchmark.files, asked.sample
        limit, answers = files.limit(sample.stimulus) if files else LARGEST, self.model.answers
        ask = functools.partial(self.model.recall, sample.id, limit)
        if isinstance(answers, Answers) and answers.dataset is asked.benchmark.dataset:
            ask = functools.partial(answers.of, sample)  # which is at hand: it need not be loaded again
        yield Question(0, ask, "", held_out(asked, self.model))


@dataclass(frozen=True)
class Answering:
    """A model that answers when it is asked: once, or if it is stochastic, once for each repeat."""

    model: Model

    def ask(self, asked: Asked) -> Iterator[Question]:
        """Its answers; those of a vectorised model are drawn at once."""
        held, model, stimulus = held_out(asked, self.model), self.model, asked.sample.stimulus
        key, names = answer_key(model, asked.seen), (asked.benchmark.dataset.name, asked.sample.id)
        takes = parameters(model)
        if not key:
            model = _Apart(model)
        if "rng" not in takes:
            yield Question(0, functools.partial(model, stimulus), key, held)
        elif "many" in takes:
            draw = functools.partial(model, stimulus, rng=rng_for(asked.seed, *names), many=asked.repeats)
            if key and not Process.foreign:
                draw = functools.partial(cached, digest(key, asked.seed, *names, "many", asked.repeats), draw)
            several = functools.cache(functools.partial(_draw_several, draw, asked.repeats))
            for repeat in range(asked.repeats):
                yield Question(repeat, functools.partial(_nth, several, repeat), "", held)
        else:
            for repeat in range(asked.repeats):
                rng = rng_for(asked.seed, *names, str(repeat))
                once = digest(key, asked.seed, *names, repeat) if key else ""
                yield Question(repeat, functools.partial(model, stimulus, rng=rng), once, held)


@dataclass(frozen=True)
class _Apart:
    """A model that is not ours gets what it looks at as a copy: torch, for one, writes to arrays that are read-only."""

    model: Model

    def __call__(self, stimulus: Any, **more: Any) -> Any:
        own = copy.deepcopy(stimulus)
        freeze(own)
        return self.model(own, **more)


def held_out(asked: Asked, model: Any) -> list[tuple[str, Any]]:
    """Whom a model is scored on: the reference, or each observer in turn, or those that the model says it left out."""
    people, reference = asked.benchmark.lineup.people, asked.sample.reference
    left_out = getattr(model, "leaves_out", None)
    if people is None or (people.alone and not left_out):
        return [("", reference)]
    names = people.names(reference)
    found = [(who, asked.only(who)) for who in names if who in (left_out or names)]
    if not found:
        raise NotApplicable("none of the people that this model left out saw this sample")
    return found


def answer_key(model: Any, seen: str) -> str:
    """The cache's key of an answer; nothing for models that are not ours, whose source nobody watches."""
    inner = getattr(model, "func", model)
    name = name_ours(inner)  # an object that can be called has none, and its state nobody knows
    settings = getattr(model, "keywords", {})
    ours = name and not getattr(model, "args", ()) and not any(map(names_file, settings.values()))
    return digest("answer", package(), name, settings, seen) if ours else ""


def names_file(value: Any) -> bool:
    """Whether a setting names a file or a folder, as in of='dir:maps': what stands there nobody watches."""
    return isinstance(value, str) and (":" in value or Path(value).expanduser().exists())


def parameters(model: Any) -> Sequence[str]:
    """The names of a model's parameters; none where Python does not know them."""
    try:
        return list(inspect.signature(model).parameters)
    except (ValueError, TypeError):
        return []


def _draw_several(draw: Callable[[], Any], repeats: int) -> Sequence[Any] | BaseException:
    """Several answers, or the fault that there was instead, so that it is asked once."""
    try:
        answers = draw()
        if not hasattr(answers, "__len__") or len(answers) != repeats:
            got = len(answers) if hasattr(answers, "__len__") else type(answers).__name__
            raise ValueError(f"got {got} answers; expected as many as `many` asked for, {repeats}")
    except (Exception, SystemExit) as fault:  # noqa: BLE001  (raised again for every repeat)
        return fault
    found: Sequence[Any] = answers
    return found


def _nth(several: Callable[[], Sequence[Any] | BaseException], repeat: int) -> Any:
    found = several()
    if isinstance(found, BaseException):
        raise found
    return found[repeat]
