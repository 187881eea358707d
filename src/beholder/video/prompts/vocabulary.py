"""Subjects, places and actions that prompts are made of: ours, tables like them, and plain lists of words."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from beholder.errors import Misuse, listed
from beholder.io.bounds import FLOOR, check_file
from beholder.video.prompts.english import lemma, plural, singular
from beholder.video.prompts.lexicon import words_of
from beholder.video.prompts.tags import INTERACTIONS, KINDS, PATTERNS, matches

HERE = Path(__file__).parent / "words"
FILES = ("subjects.txt", "places.txt", "actions.txt")
GROUP = 0  # how many: a flock, a crowd
SAME = "="  # the other of an interaction is one more of the same
STANDING = words_of("standing")
NO_GROUND = {"bench", "traffic", "water", "underwater", "sky", "lab", "white"}  # nobody stands there
# Endings of nouns that are mostly people. -er and -or are left out of short words: river, door.
PERSON = re.compile(r"(?:.{3}(?:er|or)|ist|ian|man|woman|person|men|women|people)$")


@dataclass(frozen=True)
class Subject:
    """Who or what moves."""

    noun: str
    kind: str
    plural: str = ""  # nothing: it is not counted (water)
    classes: frozenset[str] = frozenset()
    where: str = ""  # an expression over the tags of places
    adjectives: tuple[str, ...] = ()
    group: str = ""  # what many of them are called: a flock
    pronoun: str = "it"  # he, she, it, or he/she

    @cached_property
    def tags(self) -> frozenset[str]:
        """What the `who` of actions asks for: its classes, its kind and its noun."""
        return self.classes | {self.kind, self.noun.replace(" ", "-")}


@dataclass(frozen=True)
class Place:
    """Where it moves."""

    name: str
    phrases: tuple[str, ...]
    tags: frozenset[str]
    life: tuple[str, ...] = ()  # what else may go on there


@dataclass(frozen=True)
class Action:
    """What it does. The first word is a verb, and so is every word after ^."""

    text: str
    pattern: str
    who: str
    where: str = ""
    details: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    numbers: tuple[int, ...] = (1,)
    interaction: str = ""
    other: str = ""  # who the other is

    @property
    def verb(self) -> str:
        """The first verb."""
        return self.text.split()[0]


@dataclass(frozen=True)
class Vocabulary:
    """All that can be combined."""

    subjects: tuple[Subject, ...]
    places: tuple[Place, ...]
    actions: tuple[Action, ...]

    def joined(self, other: Vocabulary) -> Vocabulary:
        """Both together; what both have is taken from the other."""
        return Vocabulary(
            tuple({one.noun: one for one in (*self.subjects, *other.subjects)}.values()),
            tuple({one.name: one for one in (*self.places, *other.places)}.values()),
            tuple({(one.text, one.who): one for one in (*self.actions, *other.actions)}.values()),
        )


@cache
def built_in() -> Vocabulary:
    """Our own words."""
    found = [HERE / name for name in FILES]
    return Vocabulary(tuple(_subjects(found[0])), tuple(_places(found[1])), tuple(_actions(found[2])))


def read_folder(folder: Path) -> tuple[Vocabulary, dict[str, list[str]]]:
    """The words in subjects.txt, places.txt and actions.txt of a folder (any of them), and those of no kind we know.

    A file is a table like ours, or a list with a word or phrase on each line; what follows a tab is not read.
    """
    there = [folder / name for name in FILES]
    if not any(file.is_file() for file in there):
        raise Misuse(f"got {folder} without {listed(FILES)}; expected one of them or more")
    unknown: dict[str, list[str]] = {}
    subjects, places, actions = (
        read_words(file, name.removesuffix(".txt"), unknown) if file.is_file() else ()
        for file, name in zip(there, FILES, strict=True)
    )
    return Vocabulary(tuple(subjects), tuple(places), tuple(actions)), unknown  # type: ignore[arg-type]


def read_words(file: Path, sort: str, unknown: dict[str, list[str]]) -> Sequence[Subject | Place | Action]:
    """A table like ours, or words that are looked up in ours; those that are not found are added to `unknown`."""
    if is_table(file):
        return tuple(_subjects(file) if sort == "subjects" else _places(file) if sort == "places" else _actions(file))
    known: Callable[[str], Subject | Place | Action | None]
    known = known_subject if sort == "subjects" else known_place if sort == "places" else known_action
    found: dict[str, Subject | Place | Action] = {}
    for word in lines(file):
        entry = known(word.partition("\t")[0].strip())
        if entry is None:
            unknown.setdefault(sort, []).append(word.partition("\t")[0].strip())
        else:
            found.setdefault(repr(entry), entry)
    return tuple(found.values())


def lines(file: Path) -> list[str]:
    """The lines of a text that are neither empty nor comments."""
    try:
        check_file(file, FLOOR)
        text = file.read_text("utf-8-sig")
    except FileNotFoundError:
        raise Misuse(f"got {file}, which is not a file; expected a text with a word or phrase on each line") from None
    except (ValueError, OSError) as fault:
        raise Misuse(f"{file} cannot be read as text: {fault}; expected UTF-8, a word or phrase on each line") from None
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def is_table(file: Path) -> bool:
    """Whether a file is a table like ours: its first line has columns, with | between them."""
    return "|" in next(iter(lines(file)), "")


def _rows(file: Path, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a table, and where each stands."""
    reader = csv.reader(lines(file), delimiter="|", quoting=csv.QUOTE_NONE)
    head = [cell.strip() for cell in next(reader)]
    if head != list(columns):
        raise Misuse(f"{file}: got the columns {' | '.join(head)}; expected {' | '.join(columns)}")
    for at, row in enumerate(reader, 1):
        cells = [cell.strip() for cell in row]
        if len(cells) != len(head) or not cells[0]:
            raise Misuse(f"{file}, row {at}: got {' | '.join(cells)[:60]!r}; expected {len(head)} cells with | between")
        yield f"{file}, row {at}", dict(zip(head, cells, strict=True))


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(";") if part.strip())


def _one_of(where: str, word: str, known: Iterable[str]) -> str:
    if word not in known:
        raise Misuse(f"{where}: got {word!r}; expected one of {listed(known)}")
    return word


def _subjects(file: Path) -> Iterator[Subject]:
    columns = ("noun", "plural", "kind", "classes", "where", "adjectives", "group", "number", "of")
    for where, row in _rows(file, columns):
        many = "" if row["number"] == "mass" else row["plural"] or plural(row["noun"])
        yield Subject(
            row["noun"], _one_of(where, row["kind"], KINDS), many, frozenset(row["classes"].split()), row["where"],
            _parts(row["adjectives"]), row["group"], row["of"] or "it",
        )  # fmt: skip


def _places(file: Path) -> Iterator[Place]:
    for _, row in _rows(file, ("place", "phrases", "tags", "life")):
        tags = frozenset(row["tags"].split())
        yield Place(row["place"], _parts(row["phrases"]), _with_ground(row["place"], tags), _parts(row["life"]))


def _with_ground(name: str, tags: frozenset[str]) -> frozenset[str]:
    """A place's tags, its name among them, and `ground` where people and animals can stand."""
    ground = {"ground"} if tags & STANDING and not tags & NO_GROUND else set()
    return tags | ground | {name.replace(" ", "-")}


def _actions(file: Path) -> Iterator[Action]:
    columns = ("action", "pattern", "who", "where", "details", "then", "number", "interaction", "other")
    for where, row in _rows(file, columns):
        interaction = row["interaction"] and _one_of(where, row["interaction"], INTERACTIONS)
        if ("{b}" in row["action"]) != bool(row["other"]):
            raise Misuse(f"{where}: got {row['action']!r}; expected {{b}} in the action where there is an other")
        yield Action(
            row["action"], _one_of(where, row["pattern"], PATTERNS), row["who"], row["where"], _parts(row["details"]),
            _parts(row["then"]), _numbers(where, row["number"]), interaction, row["other"],
        )  # fmt: skip


def _numbers(where: str, cell: str) -> tuple[int, ...]:
    if cell == "group":
        return (GROUP,)
    found = re.fullmatch(r"([1-9])(?:-([1-9]))?", cell or "1")
    if not found:
        raise Misuse(f"{where}: got the number {cell!r}; expected 1, 1-2, 1-3 or group")
    return tuple(range(int(found[1]), int(found[2] or found[1]) + 1))


# --- Words without a table: what they are, as far as our own words tell.


def known_subject(phrase: str) -> Subject | None:
    """The subject that a noun or a phrase names (two brown dogs → dog), or None.

    >>> known_subject("two brown dogs").kind, known_subject("a harpist").kind, known_subject("the idea")
    ('animal', 'person', None)
    """
    words = re.sub(r"[^a-z' -]", " ", phrase.lower()).split()
    for start in range(len(words)):  # the longest noun that we know counts
        for form in dict.fromkeys((" ".join(words[start:]), " ".join([*words[start:-1], singular(words[-1])]))):
            if form in _nouns():
                return _nouns()[form]
    last = singular(words[-1]) if words else ""
    if last in words_of("other person") or (PERSON.search(last) and last not in THINGS):
        return Subject(last, "person", plural(last), frozenset({"person", "adult"}), "ground", (), "group", "he/she")
    return None


THINGS = words_of("things")
PREPOSITIONS = words_of("prepositions")
PARTICLES = words_of("particles")
ADVERBS = words_of("adverbs")
NOT_ALONE = words_of("never alone")
SMALL = words_of("clauses") | words_of("plain")
COMMON = ("biological", "mechanical", *(name for name in PATTERNS if name not in ("biological", "mechanical")))


@cache
def _nouns() -> Mapping[str, Subject]:
    ours = built_in().subjects
    return {one.plural: one for one in ours if one.plural} | {one.noun: one for one in ours} | {
        "kid": _by_noun("boy"), "person": _by_noun("woman"), "people": _by_noun("man"), "guy": _by_noun("man"),
        "lady": _by_noun("woman"), "bus": _by_noun("city bus"), "train": _by_noun("express train"),
        "plane": _by_noun("propeller plane"), "airplane": _by_noun("airliner"), "boat": _by_noun("motorboat"),
        "sailboat": _by_noun("sailing boat"), "bike": _by_noun("bicycle"), "ball": _by_noun("rubber ball"),
        "turtle": _by_noun("sea turtle"), "whale": _by_noun("humpback whale"), "fish": _by_noun("tropical fish"),
        "bird": _by_noun("sparrow"), "cloud": _by_noun("white cloud"), "fire": _by_noun("campfire"),
        "river": _by_noun("river current"), "wind": _by_noun("strong wind"), "storm": _by_noun("thunderstorm"),
        "fireworks": _by_noun("firework rocket"), "bunny": _by_noun("rabbit"), "kitty": _by_noun("kitten"),
        "chef": _by_noun("cook"), "van": _by_noun("delivery van"), "lorry": _by_noun("truck"),
        "motorbike": _by_noun("motorcycle"), "tree": _by_noun("oak tree"), "robot": _by_noun("wind-up robot"),
    }  # fmt: skip


def _by_noun(noun: str) -> Subject:
    return next(one for one in built_in().subjects if one.noun == noun)


def known_place(name: str) -> Place | None:
    """The place that a name tells, as in Places365 (/s/soccer_field, pub/indoor), or None.

    >>> known_place("/b/beach 48").name, known_place("ice_skating_rink/indoor").name, known_place("attic")
    ('beach', 'ice rink', None)
    """
    plain = place_name(name)
    ours = {one.name: one for one in built_in().places}
    if plain in ours:
        return ours[plain]
    words = plain.split()
    if words[-1:] in (["indoor"], ["outdoor"]) and " ".join(words[:-1]) in ours:
        found = ours[" ".join(words[:-1])]
        other = "outdoor" if words[-1] == "indoor" else "indoor"
        return None if other in found.tags else found
    for mark, same in LIKE.items():
        if set(mark.split()) <= set(words) or mark == plain:
            return ours[same]
    return next(
        (one for one in ours.values() if words and one.name.split()[-1] == words[-1] and " " not in one.name), None
    )


def place_name(name: str) -> str:
    """A place's name without the marks of a list: /p/pub/indoor 271 → pub indoor."""
    plain = re.sub(r"^/?[a-z]/(?=[a-z])", "", name.strip().lower())
    return re.sub(r"[\s_/]+", " ", re.sub(r"\s+\d+$", "", plain)).strip()


# Words of other lists of places → ours.
LIKE: Mapping[str, str] = {
    "ice rink": "ice rink", "skating": "ice rink", "soccer": "football pitch", "football": "football pitch",
    "baseball": "football pitch", "ocean": "sea", "coast": "rocky shore", "seashore": "beach", "shore": "beach",
    "pool": "swimming pool", "raceway": "race track", "racecourse": "race track", "plaza": "town square",
    "promenade": "pier", "boardwalk": "pier", "pub": "café", "bar": "café", "cafe": "café", "diner": "restaurant",
    "flea market": "market square", "market": "market square", "mall": "supermarket", "store": "supermarket",
    "shop": "supermarket", "woods": "forest", "rainforest": "jungle", "bamboo": "forest", "park": "park",
    "sand": "desert", "mountain": "mountain slope", "hill": "mountain slope", "valley": "meadow", "snow": "snowy field",
    "snowfield": "snowy field", "glacier": "polar coast", "iceberg": "polar coast", "runway": "airfield",
    "hangar": "airfield", "amusement": "fairground", "carnival": "fairground", "home": "living room",
    "house": "living room", "room": "living room", "studio": "dance studio", "stage": "theatre stage",
    "theater": "theatre stage", "theatre": "theatre stage", "amphitheater": "theatre stage", "arena": "stadium",
    "gym": "gymnasium", "corridor": "hallway", "staircase": "hallway", "lobby": "hallway", "subway": "train station",
    "station": "train station", "railroad": "railway", "track": "railway", "road": "country road", "avenue": "street",
    "city": "street", "downtown": "street", "sidewalk": "street", "crosswalk": "crossroads", "farm": "farmyard",
    "field": "meadow", "grassland": "meadow", "lawn": "backyard", "yard": "backyard", "patio": "backyard",
    "porch": "backyard", "balcony": "rooftop", "roof": "rooftop", "dock": "harbour", "harbor": "harbour",
    "marina": "harbour", "creek": "stream", "brook": "stream", "swamp": "marsh", "wetland": "marsh",
    "dune": "desert", "dunes": "desert", "factory": "factory hall", "construction": "construction site",
    "underwater": "coral reef", "aquarium": "coral reef", "space": "sky", "clouds": "sky", "lab": "laboratory",
}  # fmt: skip


def known_action(phrase: str) -> Action | None:
    """The action that a phrase names: one of ours with its verb and a word more, or a verb that can stand alone.

    A verb alone, or with adverbs, is done by those who do our actions with this verb and without an object. What ends
    in a preposition, or has an object that none of ours has, is not known: who can do it is not told by its verb.

    >>> known_action("galloping wildly").text, known_action("blowing out candles").text
    ('gallop wildly', 'blow out the candles on a cake')
    >>> known_action("carrying"), known_action("carrying cheese"), known_action("moving past")
    (None, None, None)
    """
    words = re.sub(r"[^a-z' -]", " ", phrase.lower()).split()
    if not words or words[-1] in PREPOSITIONS | PARTICLES or "and" in words:
        return None
    verb = lemma(words[0])
    like = [one for one in built_in().actions if one.verb == verb and not one.interaction and GROUP not in one.numbers]
    if verb in NOT_ALONE and len(words) == 1:
        return None
    if all(word.endswith("ly") for word in words[1:]):
        return _alone(" ".join([verb, *words[1:]]), [one for one in like if _without_object(one)])
    said = _content(words[1:])
    best = max(like, key=lambda one: len(said & _content(one.text.split()[1:])), default=None)
    return best if best is not None and said & _content(best.text.split()[1:]) else None


def _alone(text: str, like: Sequence[Action]) -> Action | None:
    """A verb without an object, done by whoever does our actions like it; of several patterns the most frequent."""
    if not like:
        return None
    patterns = [one.pattern for one in like]
    pattern = max(COMMON, key=lambda name: (patterns.count(name), -COMMON.index(name)))
    own = [one for one in like if one.pattern == pattern]
    return Action(text, pattern, _either(one.who for one in own), _either(one.where for one in own), numbers=(1, 2))


def _without_object(action: Action) -> bool:
    """Whether nothing but a preposition or an adverb follows the verb of an action."""
    behind = action.text.split()[1:2]
    return not behind or behind[0] in PREPOSITIONS | PARTICLES or behind[0].endswith("ly") or behind[0] in ADVERBS


def _content(words: Iterable[str]) -> set[str]:
    """The nouns of a phrase, as far as they are told from small words."""
    plain = (singular(word.strip("{}^,").lower()) for word in words)
    return {word for word in plain if len(word) > 2} - PREPOSITIONS - PARTICLES - words_of("determiners") - SMALL


def _either(expressions: Iterable[str]) -> str:
    """An expression that is fulfilled where one of several is."""
    every = list(dict.fromkeys(expressions))
    return "" if "" in every else ",".join(every)


def allowed(action: Action, subject: Subject, place: Place) -> bool:
    """Whether a subject can do this there."""
    return (
        matches(action.who, subject.tags)
        and matches(action.where, place.tags)
        and matches(subject.where, place.tags)
        and can_be_so_many(action, subject)
    )


def can_be_so_many(action: Action, subject: Subject) -> bool:
    """Whether an action takes one of something that cannot be counted, such as water."""
    return subject.plural != "" or 1 in action.numbers
