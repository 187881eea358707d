"""The self-check: what is wrong with a prompt, by rules that need no model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from beholder.video.prompts.english import VERBS, article, gerund, lemma, third_person
from beholder.video.prompts.lexicon import words_of
from beholder.video.prompts.vocabulary import built_in

SHORTEST, LONGEST = 12, 59  # words; those of VMBench's prompts
WORD = re.compile(r"[A-Za-zÀ-ÿ]+(?:['’-][A-Za-zÀ-ÿ]+)*")
DOUBLED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
ARTICLE = re.compile(r"\b(an?) ([A-Za-zÀ-ÿ][\w'’-]*)", re.IGNORECASE)
SPACING = re.compile(r"  |\s[,.;:!?]|,[^ \n”\"']|[,.;:!?]{2,}|[{}^|<>]")
NUMBER = re.compile(
    r"\b(?:two|three|four|five|six|dozens of|hundreds of|many|several) (?:[\w'’-]+ ){0,2}?(\w+) (?:is|has|was)\b",
    re.IGNORECASE,
)
ONE = re.compile(r"\b(?:a(?! dozen)|an|one) (?:[\w'’-]+ )?\w+[^s\W] (?:are|have|were)\b")
BESIDE = re.compile(  # against under, onto in: a part that ends like the next one begins
    r"\b(?:against|onto|into|at|with|for|toward|beside|between|among|of) "
    r"(?:in|on|at|under|onto|into|against|along|beside|between|among|above|below|through|across|near|inside)\b"
)
PARTS = re.compile(r"\b(?:his|her|its) (?:heads|tails|necks|noses|beaks|trunks|bodies|mouths|tongues)\b")  # of one
PLAIN = words_of("plain")
BANNED = words_of("banned")


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return [word.lower() for word in WORD.findall(text)]


def fault(text: str, exempt: Iterable[str] | None = None) -> str:
    """The first thing that is wrong with a prompt, or nothing.

    Our own writer puts sentences together from parts, so a word that it says twice is a fault, but for those of
    `exempt`; None is for what others wrote, where it is none.

    >>> fault("A owl glides low over the snowy field and then drops into the long grass.")
    "'A owl'"
    >>> fault("An owl glides low over the snowy field and then drops into the long grass.")
    ''
    """
    found = words(text)
    for name, check in CHECKS.items():
        said = check(text, found)
        if said:
            return said if name == "grammar" else name
    return "a word twice" if exempt is not None and _repeated(found, exempt) else ""


def reason(said: str) -> str:
    """The sort of a fault, as it is counted."""
    return said if said in CHECKS or said in ("a word twice", "") else "grammar"


def _length(_: str, found: list[str]) -> str:
    return "" if SHORTEST <= len(found) <= LONGEST else "length"


def _grammar(text: str, _: list[str]) -> str:
    if not text[:1].isupper() or text[-1:] not in ".!?":
        return "no capital or no full stop"
    for wrong in (DOUBLED, SPACING, NUMBER, ONE, BESIDE, PARTS):
        hit = wrong.search(text)
        if hit:
            return repr(hit[0])
    for hit in ARTICLE.finditer(text):
        if hit[1].lower() != article(hit[2]) and len(hit[2]) > 1:
            return repr(hit[0])
    return ""


def _banned(_: str, found: list[str]) -> str:
    return "banned" if BANNED.intersection(found) else ""


def _still(_: str, found: list[str]) -> str:
    return "" if any(word in MOVING for word in found) else "still"


def _repeated(found: list[str], exempt: Iterable[str]) -> bool:
    """Whether a longer word stands there twice: sentences made of parts tend to say a thing twice."""
    free = {word for phrase in exempt for word in phrase.lower().split()}
    free |= {f"{word}s" for word in free}
    seen: set[str] = set()
    for word in found:
        if len(word) < 4 or word in PLAIN or word in free:
            continue
        stem = _stem(word)
        if stem in seen:
            return True
        seen.add(stem)
    return False


@cache
def _stem(word: str) -> str:
    """What inflected forms have in common: crackling, crackles → crackle."""
    return lemma(word) if word in MOVING else word.removesuffix("s")


def _moving() -> frozenset[str]:
    """Verbs of motion in every form: those of our actions and of the lexicon."""
    verbs = {action.verb for action in built_in().actions} | (VERBS - STILL)
    return frozenset(form for verb in verbs for form in (verb, gerund(verb), third_person(verb)))


STILL = words_of("still")
MOVING = _moving()
CHECKS: Mapping[str, Callable[[str, list[str]], str]] = {
    "length": _length,
    "grammar": _grammar,
    "banned": _banned,
    "still": _still,
}
MEANINGS: Mapping[str, str] = {
    "length": f"shorter than {SHORTEST} words or longer than {LONGEST}",
    "grammar": "a rule of grammar is broken",
    "banned": "holds a banned word",
    "still": "has no verb of motion",
    "a word twice": "says a longer word twice",
    "same meaning": "says what another one says: subject, action and place",
    "near-duplicate": "most of its words stand in another one in this order",
    "judged bad": "refused by the language model",
    "not written": "the language model gave no prompt",
}
