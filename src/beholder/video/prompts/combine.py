"""Stage b: subjects, places and actions that go together, drawn at random, as ideas that a writer puts into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from beholder.errors import Misuse, listed
from beholder.video.prompts.tags import PATTERNS, matches
from beholder.video.prompts.vocabulary import SAME, Action, Place, Subject, Vocabulary, can_be_so_many


@dataclass(frozen=True)
class Idea:
    """Who does what, where, how many of them, and to whom."""

    action: Action
    subject: Subject
    place: Place
    number: int = 1  # 0: a group
    other: Subject | None = None

    @property
    def pattern(self) -> str:
        """The pattern of motion, by our rules."""
        return self.action.pattern

    @property
    def meaning(self) -> tuple[str, ...]:
        """What two ideas have in common that say the same."""
        return self.action.text, self.subject.noun, self.place.name, self.other.noun if self.other else ""


class Combinations:
    """What goes together in a vocabulary: every subject can do the action, and both can be at the place.

    All of it is found once; drawing from it is cheap.
    """

    def __init__(self, words: Vocabulary) -> None:
        there = {  # expression → names of places; few expressions stand in many entries
            expression: {place.name for place in words.places if matches(expression, place.tags)}
            for expression in {*(one.where for one in words.actions), *(one.where for one in words.subjects)}
        }
        self._open = {  # action and subject → places
            (at, one): [place for place in words.places if place.name in both]
            for at, action in enumerate(words.actions)
            for one, subject in enumerate(words.subjects)
            if matches(action.who, subject.tags) and can_be_so_many(action, subject)
            if (both := there[action.where] & there[subject.where])
        }
        self._there = there
        self._words = words
        self._others = self._second(words)
        self._doers: dict[int, list[int]] = {}
        for at, one in self._open:
            if not words.actions[at].other or any(
                (at, one, place.name) in self._others for place in self._open[at, one]
            ):
                self._doers.setdefault(at, []).append(one)
        self.by_pattern: Mapping[str, Sequence[int]] = {
            name: [at for at in self._doers if words.actions[at].pattern == name] for name in PATTERNS
        }

    def _second(self, words: Vocabulary) -> dict[tuple[int, int, str], list[Subject]]:
        """Who the other of an interaction can be."""
        found: dict[tuple[int, int, str], list[Subject]] = {}
        for (at, one), places in self._open.items():
            action, subject = words.actions[at], words.subjects[one]
            if not action.other:
                continue
            sorts = action.other.split(",")
            rest = ",".join(sort for sort in sorts if sort != SAME)
            others = [other for other in words.subjects if rest and matches(rest, other.tags) and other.plural]
            for place in places:
                near = (other for other in others if place.name in self._there[other.where])
                there = [other for other in near if other.noun != subject.noun]
                if SAME in sorts or matches(rest or "nobody", subject.tags):
                    there = [*there, subject]
                if there:
                    found[at, one, place.name] = there
        return found

    @property
    def size(self) -> int:
        """How many different ideas there are, not counting numbers and others."""
        return sum(len(places) for places in self._open.values())

    def counts(self) -> dict[str, int]:
        """How many ideas there are of each pattern."""
        found = dict.fromkeys(PATTERNS, 0)
        for (at, _), places in self._open.items():
            found[self._words.actions[at].pattern] += len(places)
        return found

    def draw(self, count: int, rng: Random) -> Iterator[Idea]:
        """Ideas at random: as many of each pattern, each action as likely as any other of its pattern."""
        patterns = [name for name in PATTERNS if self.by_pattern[name]]
        if not patterns:
            raise Misuse(
                "got words with which no subject can do any action in any place; add places, subjects or actions"
            )
        for at in range(count):
            yield self._idea(rng.choice(self.by_pattern[patterns[at % len(patterns)]]), rng)

    def _idea(self, at: int, rng: Random) -> Idea:
        action = self._words.actions[at]
        one = rng.choice(self._doers[at])
        subject, places = self._words.subjects[one], self._open[at, one]
        if action.other:
            places = [place for place in places if (at, one, place.name) in self._others]
        place = rng.choice(places)
        number = rng.choices(action.numbers, [3, 1, 1][: len(action.numbers)])[0] if subject.plural else 1
        other = rng.choice(self._others[at, one, place.name]) if action.other else None
        return Idea(action, subject, place, number, other)


def lacking(found: Mapping[str, int]) -> str:
    """The patterns of which nothing can be made, in a sentence, or nothing."""
    none = [name for name, many in found.items() if not many]
    return f"these words make no prompt of the pattern {listed(none)}" if none else ""
