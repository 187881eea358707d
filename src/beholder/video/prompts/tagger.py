"""Rules that tell a prompt's pattern of motion, its interaction and the kind of its subject, of anybody's prompts.

VMBench's file has no such tags. Ours are made of word lists, so they are marked as ours, and are no ground truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from beholder.video.prompts.checks import words
from beholder.video.prompts.english import VERBS, gerund, lemma, singular, third_person
from beholder.video.prompts.entry import Entry
from beholder.video.prompts.lexicon import words_of
from beholder.video.prompts.vocabulary import built_in, known_subject

LIVING = ("person", "animal", "crowd")
COUNT = re.compile(
    r"\b(?:four|five|six|seven|eight|nine|ten|twelve|twenty|dozens?|hundreds|thousands|many|several|various)\b"
)
FLEET = re.compile(r"\b(?:dozens?|twenty|hundreds|(?:line|pack|fleet|formation|swarm|column) of)\b")
GROUPS = re.compile(
    r"\b(?:group|crowd|flock|herd|school|shoal|swarm|pack|pod|colony|team|troupe|choir|orchestra|band|line|column|stream|"
    r"family|families|fleet|formation|litter|caravan|troop|crew|parade|squad|pride|mob|run|squadron|cloud) of\b|"
    r"\b(?:family|crowd|choir|orchestra|audience|spectators|onlookers|people)\b"
)


def _forms(verbs: str) -> frozenset[str]:
    return frozenset(form for verb in verbs.split() for form in (verb, gerund(verb), third_person(verb)))


FLUID = _forms("pour spill splash drip trickle flow gush ooze swirl slosh squirt spray leak drizzle fizz foam bubble")
ENERGY = _forms(
    "burn ignite explode melt boil flicker flare spark weld hammer shatter detonate smash punch kick strike light glow "
    "blaze electrify bat bowl hit drill fry grill roast"
) | {
    "fire",
    "flame",
    "flames",
    "fireworks",
    "sparks",
    "burning",
    "lightning",
    "explosion",
    "torches",
    "trampoline",
    "anvil",
}
DOUBTFUL = _forms("light hit strike bat bowl drill fry kick glow")  # nouns, too, or words of a circumstance
HOT = words_of("hot")
WIND = words_of("wind")

INTERACTION = {  # in this order; the first that is found counts
    "hand-over": re.compile(
        r"\b(?:hands|handing|pass(?:es|ing)?|giv(?:e|es|ing)|throw(?:s|ing)?|toss(?:es|ing)?|hand (?=an? |the )|"
        r"bring(?:s|ing)? an?|feed(?:s|ing)?|serv(?:e|es|ing)|offer(?:s|ing)?)\b"
        r"(?: [\w-]+){0,5}? to (?:an?|the|another|each|her|his|their|one of)\b|"
        r"\bhand(?:s|ing)? over\b|\bfrom hand to hand\b|"
        r"\b(?:sets|set|setting) its load down on\b|"
        r"\blight(?:s|ing)? (?:an?|another) (?:[\w-]+ )?(?:candle|torch|lantern)\b"
    ),
    "collision": re.compile(
        r"\b(?:collid\w*|crash(?:es|ing)? into|bump(?:s|ing)?(?: \w+)? (?:into|with|against)|"
        r"bump(?:s|ing)? and jostl\w+|"
        r"slam(?:s|ming)? into|run(?:s|ning)? straight into|butt(?:s|ing)? heads|tackl\w+|"
        r"knock(?:s|ing)? (?:\w+ ){1,4}(?:over|off|aside)|touch(?:es|ing)? wheels|nudg(?:e|es|ing) an?\w*|"
        r"tumbl(?:e|es|ing) over (?:an?|another|each)|merg(?:e|es|ing) with|pil(?:e|es|ing) onto each|"
        r"strik(?:e|es|ing) an?\w*|"
        r"catch(?:es|ing)? (?:\w+ ){1,4}and roll\w*)\b"
    ),
    "mutual occlusion": re.compile(
        r"\b(?:hide-and-seek|each hiding|in and out (?:from )?behind|behind (?:an?|another) [\w -]+ and com\w+ out|"
        r"circl(?:e|es|ing) (?:around )?(?:an?|another|each other|one another)|wrestl(?:e|es|ing)(?: \w+)? with|"
        r"side by side with|"
        r"in front of (?:an?|another) [\w -]+ and behind|wash(?:es|ing)? over an?|in front of another|"
        r"(?:slid\w*|burst\w*) in front of|hid(?:e|es|ing) (?:an?|another) [\w -]+ and reveal\w*|"
        r"in a tight pair|around (?:an?|another) [\w -]+ in shrinking|mill(?:s|ing)? about|chas(?:e|es|ing) the same)\b"
    ),
    "crossing": re.compile(
        r"\b(?:past (?:an?|another) [\w -]+? in|overtak\w+|cross(?:es|ing)? the (?:path|wake|stream|street) (?:of|in)|"
        r"cuts? across|cutting across|across the path of|"
        r"pass(?:es|ing)? (?:each other|one another|another|an? [\w -]+ on)|"
        r"through the crossing|criss-?cross\w*|"
        r"weav(?:e|es|ing) (?:through|between) (?:the )?(?:\w+ )?"
        r"(?:crowd|traffic|other|people|players|defenders|runners)|"
        r"from all sides|"
        r"in and out of the kitchen)\b"
    ),
}


def tag(entry: Entry) -> Entry:
    """The entry with pattern, interaction and kind by our rules; what it was tagged before is not read.

    >>> tag(Entry("A flock of starlings wheels over the marsh.", "a flock of starlings", "starling")).pattern
    'collective'
    """
    text = entry.prompt.lower()
    kind = _kind(entry)
    many = _many(entry, text, kind)
    return entry.tagged(_pattern(entry, text, kind, many), interaction(text), "crowd" if many else kind)


def tags(entries: Iterable[Entry]) -> list[Entry]:
    """All entries with tags by our rules."""
    return [tag(entry) for entry in entries]


def interaction(text: str) -> str:
    """The interaction that a text tells of, or nothing.

    >>> interaction("A boy hands the ball to another boy."), interaction("A boy runs.")
    ('hand-over', '')
    """
    low = text.lower()
    return next((name for name, signs in INTERACTION.items() if signs.search(low)), "")


def _many(entry: Entry, text: str, kind: str) -> bool:
    """Whether there are four or more that live, or a great many vehicles."""
    said = entry.subject.lower() or text.split(",", maxsplit=1)[0]
    if kind == "vehicle":
        return bool(FLEET.search(said))
    return kind in LIVING and bool(COUNT.search(said) or GROUPS.search(said))


@lru_cache(maxsize=4096)
def _noun_kind(noun: str) -> str:
    found = known_subject(noun)
    if found:
        return found.kind
    last = singular(noun.lower().split()[-1]) if noun.split() else ""
    return OTHER.get(last, "")


# Nouns that our own subjects lack and others' prompts hold.
OTHER = {noun: kind for kind in ("person", "animal", "object", "vehicle") for noun in words_of(f"other {kind}")}


def _kind(entry: Entry) -> str:
    """The kind of the noun that the file names, else of the first noun that is known."""
    for said in (entry.subject_noun, *re.split(r" and ", entry.subject)):
        kind = _noun_kind(said) if said else ""
        if kind:
            return kind
    if entry.subject_noun:
        return "object"
    for phrase in _phrases(words(entry.prompt)):
        kind = _noun_kind(phrase)
        if kind:
            return kind
    return "object"


def _phrases(found: Sequence[str]) -> Iterable[str]:
    """Two words, then one, at every place of a text; verbs are no nouns here."""
    for at, word in enumerate(found):
        if at + 1 < len(found):
            yield f"{word} {found[at + 1]}" if f"{word} {found[at + 1]}" in _pairs() else word
        if lemma(word) not in VERBS:
            yield word


@lru_cache(maxsize=1)
def _pairs() -> frozenset[str]:
    ours = built_in().subjects
    return frozenset(name for one in ours for name in (one.noun, one.plural) if " " in name)


def _pattern(entry: Entry, text: str, kind: str, many: bool) -> str:
    """First what the subject is, then how many they are, then what is done."""
    if kind in ("weather", "fluid", "energy"):
        return kind
    if many:
        return "collective"
    doing = set(words(entry.action)) if entry.action else set(words(text))
    if doing & FLUID and (kind not in LIVING or entry.action):
        return "fluid"
    if doing & (ENERGY if kind in LIVING or entry.action else ENERGY - DOUBTFUL) or set(words(text)) & HOT:
        return "energy"
    if kind in LIVING:
        return "biological"
    return "weather" if kind == "object" and set(words(text)) & WIND else "mechanical"
