"""Our lists of words, by their names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "words" / "lists.txt"


@cache
def _lists() -> dict[str, frozenset[str]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in FILE.read_text("utf-8").splitlines():
        if line.endswith(":") and not line.startswith("#"):
            name = line.removesuffix(":")
        elif not line.startswith("#"):
            found.setdefault(name, []).extend(line.split())
    return {name: frozenset(words) for name, words in found.items()}


def words_of(name: str) -> frozenset[str]:
    """The words of a list.

    >>> "gallop" in words_of("verbs")
    True
    """
    return _lists()[name]
