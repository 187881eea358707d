"""Stage a: subjects, places and actions out of captions, by rules of our own; and lists of places."""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from beholder.errors import Misuse, listed
from beholder.io.atomic import write_whole
from beholder.io.bounds import LARGEST, check_file
from beholder.video.prompts.checks import words
from beholder.video.prompts.english import lemma, singular, third_person
from beholder.video.prompts.lexicon import words_of
from beholder.video.prompts.vocabulary import LIKE, built_in, known_action, known_place, known_subject, place_name

COLUMNS = ("prompt", "caption", "text", "sentence", "description", "prompt_en", "name")  # of captions, in this order
DETERMINERS = words_of("determiners")
PREPOSITIONS = words_of("prepositions")
ENDS = words_of("clauses")
NOUNS = words_of("nouns in -ing")
OF_PLACES = words_of("of places")
ADJECTIVE = re.compile(r"(?:y|ful|ing|ed|ive|ous|ic|ern|less|ent|lit)$")
PLACES365 = re.compile(r"/?[a-z]/[a-z_/0-9-]+(?:\s+\d+)?|[a-z]+(?:_[a-z]+)+(?:/[a-z_]+)?(?:\s+\d+)?")
SHOT = re.compile(
    r"^.{0,40}?\b(?:shot|view|video|clip|scene|close-up|closeup|footage|photo|image|picture|animation) of ",
    re.IGNORECASE,
)
CUT = re.compile(r"[,.;:!?()\[\]\"|]|--| - ")


@dataclass(frozen=True)
class Found:
    """What one caption tells; what it does not tell is empty."""

    subject: str = ""
    place: str = ""
    action: str = ""


@dataclass
class Extracted:
    """What many captions tell, counted."""

    captions: int = 0
    subjects: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)

    def counts(self) -> Mapping[str, Counter[str]]:
        """The three counters by name."""
        return {"subjects": self.subjects, "places": self.places, "actions": self.actions}

    def known(self) -> dict[str, list[str]]:
        """Those that `make` can use: their kind, or who can do them, is told by our own words."""
        look = {"subjects": known_subject, "places": known_place, "actions": known_action}
        return {
            sort: [word for word, _ in _ranked(found) if look[sort](word) is not None]
            for sort, found in self.counts().items()
        }

    def text(self) -> str:
        """What was found, in lines."""
        known = self.known()
        rows = [f"{self.captions:,} lines"]
        for sort, found in self.counts().items():
            most = listed((word for word, _ in _ranked(found)[:6]), most=6)
            rows.append(
                f"{len(found):>8,}  {sort}, {len(known[sort]):,} of a kind that is known here; most often {most}"
            )
        return "\n".join(rows)


def extract(files: Sequence[Path]) -> Extracted:
    """Subjects, places and actions of caption files (CSV, TSV, text) and lists of places."""
    found = Extracted()
    for file in files:
        for caption in captions(file):
            found.captions += 1
            if PLACES365.fullmatch(caption.strip()):
                found.places[place_name(caption)] += 1
                continue
            told = parse(caption)
            for counter, word in (
                (found.subjects, told.subject),
                (found.places, told.place),
                (found.actions, told.action),
            ):
                if word:
                    counter[word] += 1
    if not any(found.counts().values()):
        raise Misuse(f"got {listed(map(str, files))} with nothing that our rules find; expected English captions")
    return found


def captions(file: Path) -> Iterator[str]:
    """The captions of a file: a column of a table (prompt, caption, text …), or each line of a text."""
    if not file.is_file():
        raise Misuse(f"got {file}, which is not a file; expected captions: .csv, .tsv or text, one caption per line")
    check_file(file, LARGEST)
    csv.field_size_limit(min(sys.maxsize, 1 << 20))
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            if file.suffix.lower() in (".csv", ".tsv"):
                yield from _column(file, lines)
            else:
                yield from (line.strip() for line in lines if line.strip())
    except (UnicodeDecodeError, csv.Error) as fault:
        raise Misuse(f"{file} cannot be read: {fault}; expected text in UTF-8") from None


def _column(file: Path, lines: Iterable[str]) -> Iterator[str]:
    reader = csv.DictReader(lines, delimiter="\t" if file.suffix.lower() == ".tsv" else ",")
    names = {(name or "").strip().lower(): name for name in reader.fieldnames or ()}
    column = next((names[name] for name in COLUMNS if name in names), None)
    if column is None:
        raise Misuse(f"{file}: got the columns {listed(names)}; expected one of {listed(COLUMNS)}")
    for row in reader:
        text = (row.get(column) or "").strip()
        if text:
            yield text


def parse(caption: str) -> Found:
    """Subject, place and action of one caption, by the order of its words.

    >>> parse("A brown dog is running along the beach at sunset, 4k, cinematic")
    Found(subject='brown dog', place='beach', action='running')
    >>> parse("two chefs chop onions in a busy kitchen")
    Found(subject='two chefs', place='kitchen', action='chopping onions')
    """
    plain = SHOT.sub("", caption)
    first = next((part for part in CUT.split(plain) if len(part.split()) > 1), plain)
    said = words(first)
    at = _verb(said)
    place = _place(said) or _place(words(caption))
    if at is None:
        return Found(_subject(said), place, "")
    return Found(_subject(said[:at]), place, _action(said, at, place))


def _verb(said: Sequence[str]) -> int | None:
    """Where the verb stands: the first word that is one by its ending or in our lists, and is no noun here."""
    verbs = words_of("verbs")
    for at, word in enumerate(said):
        if at == 0 or word in NOUNS or said[at - 1] in DETERMINERS:
            continue
        if word.endswith("ing") and len(word) > 4:
            return at
        bare = lemma(word)
        if bare in verbs and (word == third_person(bare) or (word == bare and said[at - 1] == _many(said[at - 1]))):
            return at
    return None


def _many(word: str) -> str:
    """The word itself where it is a plural, else nothing."""
    return word if singular(word) != word or word in ("people", "children", "men", "women", "fish", "sheep") else ""


def _subject(said: Sequence[str]) -> str:
    """The noun phrase before the verb, without its article: up to the first preposition, but over `of`."""
    kept: list[str] = []
    for word in said:
        if word in ENDS or word in ("is", "are", "was", "were") or (word in PREPOSITIONS and word != "of"):
            break
        kept.append(word)
    while kept and kept[0] in ("a", "an", "the", "some", "this", "that"):
        kept = kept[1:]
    return " ".join(kept[-4:])


def _place(said: Sequence[str]) -> str:
    """The noun behind a preposition that names a place we know."""
    names = _place_words()
    for at, word in enumerate(said):
        if word not in PREPOSITIONS:
            continue
        behind = said[at + 1 : at + 6]
        stop = next((n for n, one in enumerate(behind) if one in PREPOSITIONS or one in ENDS), len(behind))
        for end in range(stop, 0, -1):  # the noun of a compound stands at its end
            for size in (2, 1):
                if size <= end and " ".join(behind[end - size : end]) in names:
                    return " ".join(behind[_first(behind, end - size) : end])
    return ""


def _first(said: Sequence[str], at: int) -> int:
    """Where a compound begins: a hospital corridor, but not a busy corridor."""
    before = said[at - 1] if at else ""
    return at - 1 if before and before not in DETERMINERS and not _adjective(before) else at


def _adjective(word: str) -> bool:
    """Whether a word before a place tells how it is, and not what it is."""
    return word not in _place_words() and (word in OF_PLACES or bool(ADJECTIVE.search(word)))


@cache
def _place_words() -> frozenset[str]:
    return frozenset(place.name for place in built_in().places) | frozenset(LIKE)


def _action(said: Sequence[str], at: int, place: str) -> str:
    """The verb in -ing with what follows, up to the place, a new clause, or four words."""
    from beholder.video.prompts.english import gerund

    rest: list[str] = []
    for word in said[at + 1 : at + 6]:
        if word in ENDS or (place and word in place.split()):
            break
        rest.append(word)
    there = len(rest) < len(said) - at - 1 and said[at + 1 + len(rest)] in place.split()  # the place comes next
    while rest and (rest[-1] in DETERMINERS or rest[-1] in PREPOSITIONS or (there and _adjective(rest[-1]))):
        rest.pop()
    if "in" in rest[1:] or "at" in rest[1:]:  # a place that is not known
        rest = rest[: min(n for n, word in enumerate(rest) if n and word in ("in", "at"))]
    return " ".join([gerund(lemma(said[at])), *rest[:4]])


def _ranked(found: Counter[str]) -> list[tuple[str, int]]:
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


def write(found: Extracted, folder: Path, *, least: int = 1) -> list[Path]:
    """Write subjects.txt, places.txt and actions.txt: each on a line, a tab, and how often; the most first."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for sort, counter in found.counts().items():
        rows = [f"{word}\t{count}" for word, count in _ranked(counter) if count >= least]
        path = folder / f"{sort}.txt"
        write_whole(path, "\n".join([f"# {sort}, and how often each was found", *rows]) + "\n")
        paths.append(path)
    return paths
