"""Rules that tell a prompt's pattern of motion, its interaction and the kind of its subject, of anybody's prompts.

VMBench's file has no such tags. Ours are made of word lists, so they are marked as ours, and are no ground truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from beholder.video.prompts.checks import MOVING, words
from beholder.video.prompts.english import VERBS, gerund, lemma, singular, third_person
from beholder.video.prompts.entry import Entry
from beholder.video.prompts.lexicon import words_of
from beholder.video.prompts.tags import UNKNOWN
from beholder.video.prompts.vocabulary import built_in, known_subject

LIVING = ("person", "animal", "crowd")
MATTER = ("weather", "fluid", "energy")
PREPOSITIONS = words_of("prepositions")
SOMEBODY = {"he", "she", "they", "someone", "somebody", "hand", "hands", "fingers", "owner", "one"}
BEING = {"is", "are", "gets", "get"}
CLAUSES = words_of("clauses")
PLANTS = {"plant", "plants", "tree", "trees", "flower", "flowers", "topiary"}
SEEING = {"camera", "cameras", "lens", "smartphone", "phone"}  # what zooms without moving
ZOOM = re.compile(r"zoom|pan|scan|capture|record")
LATER = re.compile(r"\b(?:then|begins? to|starts? to) (?:\w+ly )?(\w+)")  # sits there, then suddenly glides
BEFORE_NOUNS = words_of("determiners") | PREPOSITIONS
# A phrase before the subject: In the park, … · Quickly scanning the room, …
LEADING = re.compile(
    rf"^(?:(?:{'|'.join(sorted(PREPOSITIONS))}|amid|amidst|beneath|during|as|while|with|within|among|\w+ly|\w+ing)\b"
    r"[^,]*|then|suddenly), "
)
BY_SOMEBODY = re.compile(
    r"\b(?:held|carried|thrown|tossed|juggled|played|pushed|ridden|worn)\b"
    r"(?: [\w'-]+){0,4} by ((?:[\w'-]+ ){1,3}[\w'-]+)"
)
ASIDE = re.compile(r"\b(?:as|while|where)\b|\. ")
COUNT = re.compile(
    r"(?<!-)\b(?:four|five|six|seven|eight|nine|ten|twelve|twenty|dozens?|hundreds|thousands|many|several|various)\b"
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
FINITE = frozenset(form for verb in (VERBS | words_of("verbs of things")) for form in (verb, third_person(verb)))
MOTION = (MOVING | _forms(" ".join(words_of("verbs of things")))) - _forms(" ".join(words_of("no motion")))
MOVED = words_of("moved")
PARTS = re.compile(
    r"\b(?:its|their) (?:[\w'-]+ )?(?:pages|wheels|legs|arms|blades) (?:\w+ly )?(?:sway|mov|flutter|spin|turn)\w*"
)
DOUBTFUL = _forms("light hit strike bat bowl drill fry kick glow")  # nouns, too, or words of a circumstance
HOT = words_of("hot")
WIND = words_of("wind")

INTERACTION = {  # in this order; the first that is found counts
    "hand-over": re.compile(
        r"(?:(?<!his )(?<!her )(?<!their )(?<!its )(?<!in )(?<!by )(?<!two )"
        r"hand(?:s|ing|ed)?(?= (?:an?|the|out|one|it|them|two|three|her|his|their)\b)|"
        r"\b(?:pass(?:es|ing|ed)?|giv(?:e|es|ing)|given|throw(?:s|ing|n)?|toss(?:es|ing|ed)?|bring(?:s|ing)? an?|"
        r"feed(?:s|ing)?|serv(?:e|es|ing)|offer(?:s|ing)?|kick(?:s|ing|ed)?|roll(?:s|ing|ed)?))\b"
        r"(?: [\w-]+){0,6}? (?:to (?:(?:an?|the|another|her|his|their)(?! (?:ground|floor|air|side|sides|edge|left|"
        r"right|beat|rhythm|music|end|wall|top|goal|crowd|shore|next)\b)|each|one of|one another)|back and forth|"
        r"between (?:them|each|two|students|players|friends|the two)|around among)\b|"
        r"\b(?:pass(?:es|ing|ed)?|toss(?:es|ing|ed)?|throw(?:s|ing)?) (?:back and forth|between)\b|"
        r"\bhand(?:s|ing)? over\b|\bfrom hand to hand\b|"
        r"\b(?:sets|set|setting) its load down on\b|"
        r"\b(?:match|candle|torch)\b[^.]{0,60}\blight(?:s|ing)? (?:an?|another) (?:[\w-]+ )?(?:candle|torch|lantern)\b"
    ),
    "collision": re.compile(
        r"\b(?:collid\w*|crash(?:es|ing)? into|bump(?:s|ing)?(?: \w+)? (?:into|with|against)|"
        r"bump(?:s|ing)? and jostl\w+|"
        r"slam(?:s|ming)? into|run(?:s|ning)? straight into|butt(?:s|ing)? heads|tackl\w+|"
        r"knock(?:s|ing)? (?:\w+ ){1,4}(?:over|off|aside)|touch(?:es|ing)? wheels|nudg(?:e|es|ing) an?\w*|"
        r"tumbl(?:e|es|ing) over (?:an?|another|each)|merg(?:e|es|ing) with|pil(?:e|es|ing) onto each|"
        r"(?:hit(?:s|ting)?|strik(?:e|es|ing))(?! (?:the|an?) (?:road|streets?|pose|chord|balance|stage|trail|notes?|"
        r"keys|right))(?= (?:an?|the|another|each|one|his|her|its|their|against)\w*)|"
        r"(?<!for the )punch(?:es|ing)?(?! bag)|uppercuts?|high-fiv\w+|(?<!and )clink(?:s|ing)?|"
        r"(?<!voices )(?<!light )bounc(?:e|es|ing) off|fist[- ]bump\w*|"
        r"smash(?:es|ing)? into|"
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
    moves = None if kind in LIVING or kind in MATTER else mover(entry.prompt)
    if moves:
        kind, said = moves.kind or kind, moves.phrase
    else:
        said = entry.subject.lower() or text.split(",", maxsplit=1)[0]
    many = _many(said, kind)
    pattern = _pattern(entry, text, kind, many)
    if moves and kind not in LIVING and pattern == "mechanical" and not moves.does:
        pattern = UNKNOWN
    return entry.tagged(pattern, interaction(text), "crowd" if many else kind)


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


@dataclass(frozen=True)
class Mover:
    """Who moves in a sentence: its words, its kind where that is known, and whether it moves at all."""

    phrase: str
    kind: str
    does: bool


def mover(text: str) -> Mover:
    """Who moves in a text whose file names a thing: the things may be held, or stand still while somebody moves.

    >>> mover("A young boy runs through the arcade, holding three apples.").kind
    'person'
    >>> mover("The blue vase is placed on the table.").does, mover("The vase slides along the table.").does
    (False, True)
    """
    first = LEADING.sub("", text.lower().split(". ")[0])
    said = words(first)
    at = _main_verb(said)
    own = Mover(" ".join(said[:at]), _who(said[:at]), True)
    if own.kind in LIVING:
        return own
    held = _held(first)
    if held:
        return held
    plant = not PLANTS.isdisjoint(said[:at])  # it stands; what stirs it is for other rules
    if not plant and (_moves(said, at) or _later(first)):
        return own
    return (None if plant else _aside(text)) or replace(own, does=False)


def _held(first: str) -> Mover | None:
    """Who holds, carries or throws the things of a clause, where that is said."""
    done = BY_SOMEBODY.search(first)
    said = done[1].split() if done else []
    for end in range(1, len(said) + 1):
        kind = _who(said[:end])
        if kind in LIVING:
            return Mover(" ".join(said[:end]), kind, True)
    return None


def _later(first: str) -> bool:
    """Whether a thing moves in the end, or its parts do."""
    later = LATER.search(first)
    return bool((later and later[1] in MOTION) or PARTS.search(first))


def _aside(text: str) -> Mover | None:
    """Who does something while a thing stands still."""
    for clause in ASIDE.split(text.lower())[1:]:
        said = words(clause)
        end = _main_verb(said)
        kind = _who(said[:end]) if {"they", "it", "one"}.isdisjoint(said[:end]) else ""
        if end < len(said) and kind in LIVING and said[end] in FINITE:
            return Mover(" ".join(said[:end]), kind, True)
    return None


def _main_verb(said: Sequence[str]) -> int:
    """Where the verb of a clause stands: a finite form, or is and are; at the end if there is none."""
    for at, word in enumerate(said):
        if at and (word in BEING or (word in FINITE and word not in SOMEBODY and said[at - 1] not in BEFORE_NOUNS)):
            return at
    return len(said)


def _who(said: Sequence[str]) -> str:
    """The kind of a clause's subject: of its noun before any preposition."""
    head: list[str] = []
    for word in said:
        if head and (word in PREPOSITIONS or word in CLAUSES):
            break
        head += [] if word.endswith("ly") and word not in ("family", "fly") else [word]
    if not head:
        return ""
    return "person" if head[-1] in SOMEBODY else _noun_kind(" ".join(head[-3:]))


def _moves(said: Sequence[str], at: int) -> bool:
    """Whether a thing moves or is moved, by the verb of its clause."""
    if at >= len(said):
        return False
    if said[at] not in BEING:
        return said[at] in MOTION and not (ZOOM.match(said[at]) and not SEEING.isdisjoint(said[:at]))
    behind = [word for word in said[at + 1 : at + 5] if not word.endswith("ly")]
    if behind[:1] in (["seen"], ["being"], ["shown"], ["captured"]):
        behind = behind[1:]
    return bool(behind) and (behind[0] in MOVED or (behind[0].endswith("ing") and behind[0] in MOTION))


def _many(said: str, kind: str) -> bool:
    """Whether there are four or more that live, or a great many vehicles."""
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
        return UNKNOWN
    for phrase in _phrases(words(entry.prompt)):
        kind = _noun_kind(phrase)
        if kind:
            return kind
    return UNKNOWN


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
    if kind in MATTER:
        return kind
    if many:
        return "collective"
    doing = set(words(entry.action)) if entry.action else set(words(text))
    if doing & FLUID and (kind not in LIVING or entry.action):
        return "fluid"
    if doing & (ENERGY if kind in LIVING or entry.action else ENERGY - DOUBTFUL) or set(words(text)) & HOT:
        return "energy"
    if kind == "object" and set(words(text)) & WIND:
        return "weather"
    return "biological" if kind in LIVING else UNKNOWN if kind == UNKNOWN else "mechanical"
