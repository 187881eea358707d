"""What is raised when the caller, not a model, is at fault: the command prints it and exits with code 2."""

import re
from collections.abc import Iterable
from typing import ClassVar


class Misuse(ValueError):
    """Wrong input: the sentence says what was got, what was expected and what to do."""


class NotFound(Misuse, LookupError):
    """No such name; the sentence holds the nearest one."""


class NeedsDataset(Misuse):
    """This benchmark has no built-in dataset: one must be named."""


class Unsuited(Misuse):
    """This benchmark cannot take this kind of model: another one of its domain may."""


class DiskFull(Misuse, OSError):
    """There is no space left for what has to be written."""


class Terminated(KeyboardInterrupt):
    """This process was told to end (SIGTERM). No SystemExit: that may be a model's own, and costs only its sample."""

    code = 143
    told: ClassVar[bool] = False  # whoever catches it (a model, a server that shuts down) has not made it undone


def listed(names: Iterable[str], *, most: int = 12, by: str = ", ") -> str:
    """Names in a row, cut where there are too many to be read.

    >>> listed("abcde", most=3)
    'a, b, c and 2 more'
    """
    every = list(names)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return by.join(every[:most]) + more


# Controls, marks that turn the direction of writing, line separators, halves of characters: none is seen as it is.
UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]")


def printable(text: str, *, keep: str = "") -> str:
    r"""Anybody's text as it may be shown in a terminal, a table or a page: what would not be seen is spelt out.

    >>> print(printable("caf\xe9 \x1b[31m\n"), printable("one\ntwo\0", keep="\n"))
    café \x1b[31m\n one
    two\x00
    """
    return UNSEEN.sub(lambda found: found[0] if found[0] in keep else _spelt(found[0]), text)


def _spelt(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
