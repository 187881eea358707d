"""As much English grammar as prompts take: endings of verbs and nouns, a and an."""

from __future__ import annotations

import re

from beholder.video.prompts.lexicon import words_of

# Verbs of one syllable that double their last letter: stop, stopping.
DOUBLED = words_of("doubled")
GERUNDS = {"be": "being", "taxi": "taxiing", "dye": "dyeing", "singe": "singeing", "see": "seeing"}
PRESENT = {"be": "is", "have": "has", "do": "does", "go": "goes", "taxi": "taxis"}
PLURALS = {
    "man": "men", "woman": "women", "child": "children", "person": "people", "mouse": "mice", "goose": "geese",
    "wolf": "wolves", "fish": "fish", "sheep": "sheep", "deer": "deer", "foot": "feet", "leaf": "leaves",
    "calf": "calves", "shelf": "shelves", "knife": "knives", "loaf": "loaves", "ox": "oxen",
}  # fmt: skip
SINGULARS = {many: one for one, many in PLURALS.items()}
VOWEL = re.compile(
    r"(?!(?:uni(?:[^nm]|$)|use|usu|uti|ubi|eu|one\b|once|ewe))[aeiou]|(?:hour|honest|heir|honou?r)", re.IGNORECASE
)


def gerund(verb: str) -> str:
    """The -ing form.

    >>> [gerund(verb) for verb in ("run", "lie", "dance", "flee", "play")]
    ['running', 'lying', 'dancing', 'fleeing', 'playing']
    """
    if verb in GERUNDS:
        return GERUNDS[verb]
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{verb}{verb[-1]}ing" if verb in DOUBLED else f"{verb}ing"


def third_person(verb: str) -> str:
    """What he, she or it does.

    >>> [third_person(verb) for verb in ("run", "carry", "push", "play", "go")]
    ['runs', 'carries', 'pushes', 'plays', 'goes']
    """
    return PRESENT.get(verb) or plural(verb, noun=False)


def plural(word: str, *, noun: bool = True) -> str:
    """More than one of a noun; of several words the one before `of`, `on` or `in`, else the last.

    >>> [plural(word) for word in ("fox", "city", "ship's boy", "slice of bread", "wolf")]
    ['foxes', 'cities', "ship's boys", 'slices of bread', 'wolves']
    """
    if noun:
        head, link, rest = _parted(word)
        first, _, last = head.rpartition(" ")
        known = PLURALS.get(last) or _with_s(last)
        return f"{first} {known}{link}{rest}".strip()
    return _with_s(word)


def _parted(word: str) -> tuple[str, str, str]:
    found = re.search(r" (?:of|on|in|with) ", word)
    return (word[: found.start()], found[0], word[found.end() :]) if found else (word, "", "")


def _with_s(word: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh)$", word) or re.search(r"[^aeiou]o$", word):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"


def singular(word: str) -> str:
    """One of a noun in the plural; a noun in the singular stays.

    >>> [singular(word) for word in ("dogs", "boxes", "cities", "children", "bus", "grass", "waves")]
    ['dog', 'box', 'city', 'child', 'bus', 'grass', 'wave']
    """
    if word in SINGULARS:
        return SINGULARS[word]
    if re.search(r"(?:ss|us|is)$", word) or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if re.search(r"(?:ch|sh|x|zz|ss)es$", word):
        return word[:-2]
    return word.removesuffix("s")


def with_article(phrase: str) -> str:
    """A phrase with a or an before it.

    >>> [with_article(word) for word in ("owl", "hour", "unicorn", "one-legged gull", "old man", "umbrella")]
    ['an owl', 'an hour', 'a unicorn', 'a one-legged gull', 'an old man', 'an umbrella']
    """
    return f"{article(phrase)} {phrase}"


def article(word: str) -> str:
    """A or an, as it stands before a word."""
    return "an" if VOWEL.match(word) else "a"


def sentence(text: str) -> str:
    """A text with a capital at the beginning and a full stop at the end."""
    plain = " ".join(text.split())
    return f"{plain[:1].upper()}{plain[1:].rstrip(' .,')}." if plain else ""


def lemma(word: str) -> str:
    """The bare form of a verb, as far as endings tell: running, runs → run.

    >>> [lemma(word) for word in ("running", "carries", "dancing", "pushes", "falling", "gliding", "flies", "jumped")]
    ['run', 'carry', 'dance', 'push', 'fall', 'glide', 'fly', 'jump']
    """
    if word.endswith("ing") and len(word) > 5:
        return _bare(word[:-3])
    if word.endswith("ied") or (word.endswith("ies") and len(word) > 4):
        return f"{word[:-3]}y"
    if word.endswith("ed") and len(word) > 4:
        return _bare(word[:-2])
    if re.search(r"(?:ch|sh|ss|x|zz)es$", word) or word in ("goes", "does"):
        return word[:-2]
    return word[:-1] if re.search(r"[^su]s$", word) and len(word) > 3 else word


SILENT = re.compile(
    r"(?:[aeiou][cgvz]|[rn][cgvs]|[^aeiou]l|[aeiou]s|[^aeo][aiou][tkmpd]|[dr][ai]v|[aeiu]r|[cgsthv]in|ang)$"
)


def _bare(stem: str) -> str:
    """A verb whose ending was cut off: a doubled letter becomes one, and a silent e comes back."""
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[:-1] in DOUBLED:
        return stem[:-1]
    for verb in (stem, f"{stem}e"):
        if verb in VERBS:
            return verb
    return f"{stem}e" if SILENT.search(stem) else stem


# Verbs whose stem alone does not tell whether there is an e at the end.
VERBS = words_of("verbs")
