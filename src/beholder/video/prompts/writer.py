"""The rule-based writer: an idea becomes one or two plain English sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from beholder.video.prompts.combine import Idea
from beholder.video.prompts.english import gerund, sentence, third_person, with_article
from beholder.video.prompts.vocabulary import GROUP, Subject

COUNTED = {1: "", 2: "two", 3: "three"}
MANY = ("a dozen", "dozens of", "twenty")
SWARMS = {"flock", "school", "swarm", "cloud", "column", "colony", "herd", "shoal"}  # of which there may be hundreds
PRONOUNS = {  # subject, object, possessive, reflexive
    "he": ("he", "him", "his", "himself"),
    "she": ("she", "her", "her", "herself"),
    "it": ("it", "it", "its", "itself"),
    "they": ("they", "them", "their", "themselves"),
}
DAY = (
    "at dawn", "at sunset", "on a clear morning", "in the late afternoon", "under a grey sky", "in the evening light",
    "on a mild afternoon", "early in the morning", "at midday",
)  # fmt: skip
NIGHT = ("at night", "after dark", "late in the evening")
WEATHER = ("at dawn", "toward evening", "in the early morning", "in the middle of the day", "late in the afternoon")
EARLY = ("at dawn", "in the early morning")
INDOORS = ("in the morning light", "under bright lights", "late in the evening", "early in the morning")
AT_HOME = (*INDOORS, "in the light of a single lamp", "on a quiet afternoon")
UNDER_WATER = ("in clear blue water", "in shafts of sunlight", "in dim green light", "in still water")
# What is seen in the dark, and what by day; a sentence has not both.
NIGHTLY = {"firework", "firefly", "sparkler", "neon", "bat", "owl", "torch", "ember"}
DAILY = {"butterfly", "bee", "dragonfly", "hummingbird", "balloon_craft", "kite", "bubble"}
BRIGHT = re.compile(r"\b(?:sun\w*|shadows?|rainbow|blue air|morning|midday|afternoon|bright|daylight|dawn)\b")
DARK = re.compile(r"\b(?:night|dark|dusk|stars|moths|evening|candlelit|neon-lit|lamp)\b")
LATER = (
    "Then {they} {then}",
    "A moment later, {they} {then}",
    "After a while, {they} {then}",
    "Finally, {they} {then}",
)
IN_WATER = {"fish", "whale", "swimmer"}  # on a pond, but in it
SUDDEN = {"knock", "strike", "hit", "burst", "merge", "collide", "crash"}  # done at once: nothing is knocking another
MARKED = re.compile(r"\^(\w+)")
OVER = re.compile(
    r"^(?:in|on|at|along|beside|by|between|across|among|below|in front of)"
    r"(?: the (?:edge|end|foot|floor|slope|rows|field) of)? "
)
SLOTS = re.compile(r"\{(its|it|itself|they|s|b|the b|then)\}")


@dataclass(frozen=True)
class Person:
    """How the subject of one prompt is named: its phrase, whether its verb is in the plural, and its pronouns."""

    phrase: str
    plural: bool
    pronouns: tuple[str, str, str, str]
    ending: str  # s where a noun that goes with it is in the plural
    later_plural: bool  # whether the verb after its pronoun is in the plural
    other: str = ""
    the_other: str = ""
    _slots: dict[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        own, him, his, himself = self.pronouns
        slots = {"they": own, "it": him, "its": his, "itself": himself, "s": self.ending}
        object.__setattr__(self, "_slots", slots | {"b": self.other, "the b": self.the_other})

    def fill(self, text: str, **more: str) -> str:
        """A text with the words for this subject in its slots."""
        return SLOTS.sub(lambda found: more.get(found[1]) or self._slots[found[1]], text)


def name(idea: Idea, rng: Random) -> Person:
    """The phrase of an idea's subject, with an adjective now and then, and its pronouns."""
    subject = idea.subject
    adjective = rng.choice(subject.adjectives) if subject.adjectives and rng.random() < 0.45 else ""
    other, the_other = _second(idea, rng)
    if idea.number == GROUP:
        hows = ("dozens of", "hundreds of") if subject.group in SWARMS else MANY
        groups = [with_article(f"{subject.group} of {subject.plural}")] if subject.group else []
        many = rng.choice([*groups, *groups, *(f"{how} {subject.plural}" for how in hows)])
        return Person(many, many not in groups, PRONOUNS["they"], "s", True, other, the_other)
    if idea.number > 1:
        words = [COUNTED[idea.number], adjective, subject.plural]
        return Person(" ".join(filter(None, words)), True, PRONOUNS["they"], "s", True, other, the_other)
    noun = f"{adjective} {subject.noun}".strip()
    own = PRONOUNS[rng.choice(subject.pronoun.split("/"))]
    return Person(with_article(noun) if subject.plural else noun, False, own, "", False, other, the_other)


def _second(idea: Idea, rng: Random) -> tuple[str, str]:
    """The other of an interaction, when it is first named and later."""
    if idea.other is None:
        return "", ""
    if idea.other.noun == idea.subject.noun:
        return f"another {idea.other.noun}", "the other"
    adjective = rng.choice(idea.other.adjectives) if idea.other.adjectives and rng.random() < 0.3 else ""
    return with_article(f"{adjective} {idea.other.noun}".strip()), f"the {idea.other.noun}"


def inflect(text: str, form: Callable[[str], str]) -> str:
    """An action with its verbs, the first word and those after ^, in a form.

    >>> inflect("stop and ^look", third_person), inflect("stop and ^look", gerund)
    ('stops and looks', 'stopping and looking')
    """
    return MARKED.sub(lambda verb: form(verb[1]), f"^{text}")


def finite(text: str, *, plural: bool) -> str:
    """An action as one or many do it."""
    return inflect(text, (lambda verb: verb) if plural else third_person)


@dataclass(frozen=True)
class Written:
    """A prompt, and the words for its subject and action as VMBench's file has them."""

    text: str
    subject: str
    action: str


def write(idea: Idea, rng: Random) -> Written:
    """A prompt of one or two sentences.

    What is drawn: tense (simple, progressive, begins to), what stands first (place, time, a circumstance or the
    subject), a detail, what else goes on, and what happens next.
    """
    who = name(idea, rng)
    phrase = _where(idea, rng)
    verb, simple = _verb(idea, who, rng)
    detail = rng.choice(idea.action.details) if idea.action.details and rng.random() < 0.92 else ""
    when = _when(idea, phrase + " " + detail, rng) if rng.random() < 0.42 else ""
    then = rng.choice(idea.action.then) if idea.action.then and rng.random() < 0.5 else ""
    life = rng.choice(idea.place.life) if idea.place.life and not then and rng.random() < 0.4 else ""
    same = phrase.split(maxsplit=1)[0] in verb.split()[-4:]  # along the fence along a river: the place goes first
    ahead = detail if detail and not idea.other and not same and rng.random() < 0.22 else ""
    lead, tail = (phrase, (when,)) if same else _order(phrase, when, ahead, rng)
    joined = then if then and simple and not life and rng.random() < 0.35 else ""
    parts = [" ".join(filter(None, [who.phrase, verb, *tail])), "" if ahead else detail, life]
    if joined:
        parts.append(f"and then {finite(joined, plural=who.plural)}")
    first = who.fill(
        ", ".join(filter(None, [lead, *parts])).replace(", while", " while" if not detail or ahead else ", while")
    )
    text = sentence(first)
    if then and not joined:
        text += " " + sentence(who.fill(rng.choice(LATER), then=who.fill(finite(then, plural=who.later_plural))))
    return Written(text, subject_phrase(who), who.fill(inflect(idea.action.text, gerund)))


def _where(idea: Idea, rng: Random) -> str:
    """The place as a phrase; clouds are over it, and so is what soars."""
    many = idea.number == GROUP
    phrase = rng.choice([one for one in idea.place.phrases if not (many and "empty" in one)] or idea.place.phrases)
    high = "overhead" in idea.subject.classes or idea.action.verb in ("soar", "wheel")
    if idea.subject.classes & IN_WATER:
        return re.sub(r"^on ", "in ", phrase)
    return OVER.sub("over ", phrase) if high else phrase


def _verb(idea: Idea, who: Person, rng: Random) -> tuple[str, bool]:
    """The action in its tense, and whether that is the simple present."""
    draw = rng.random()
    if draw < 0.22 and idea.action.verb not in SUDDEN:
        return ("are " if who.plural else "is ") + inflect(idea.action.text, gerund), False
    if draw < 0.29 and not idea.action.interaction and "^" not in idea.action.text:
        return ("begin to " if who.plural else "begins to ") + idea.action.text, False
    return finite(idea.action.text, plural=who.plural), True


def _order(phrase: str, when: str, ahead: str, rng: Random) -> tuple[str, Sequence[str]]:
    """What stands before the subject, and what after the verb."""
    if ahead:
        begins = ahead.split(maxsplit=1)[0]
        return (ahead if begins.endswith("ing") and begins != "{its}" else f"with {ahead}"), (phrase, when)
    draw = rng.random()
    if draw < 0.4:
        return phrase, (when,)
    if when and draw < 0.65:
        return when, (phrase,)
    return "", (phrase, when)


def _when(idea: Idea, rest: str, rng: Random) -> str:
    """A time or a light that fits the place and what else is said."""
    tags = idea.place.tags
    if idea.pattern == "weather":
        return rng.choice(EARLY if "early" in idea.subject.classes else WEATHER)
    if "underwater" in tags:
        return rng.choice(UNDER_WATER)
    if "indoor" in tags:
        choices: Sequence[str] = AT_HOME if tags & {"home", "bench", "workshop"} else INDOORS
    else:
        choices = (
            NIGHT if idea.subject.classes & NIGHTLY else DAY if idea.subject.classes & DAILY else (*DAY, *NIGHT[:1])
        )
    fitting = [one for one in choices if not _clash(one, rest)]
    return rng.choice(fitting) if fitting else ""


def _clash(when: str, rest: str) -> bool:
    """Whether one is of the day and the other of the night."""
    return bool((DARK.search(when) and BRIGHT.search(rest)) or (BRIGHT.search(when) and DARK.search(rest)))


def subject_phrase(who: Person) -> str:
    """The subject as VMBench's file has it; both of an interaction."""
    return f"{who.phrase} and {who.other}" if who.other else who.phrase


def kind_of(subject: Subject, number: int) -> str:
    """The kind of a subject: many people, animals or vehicles are a crowd."""
    return "crowd" if number == GROUP and subject.kind in ("person", "animal", "vehicle") else subject.kind
