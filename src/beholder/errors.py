"""What is raised when the caller, not a model, is at fault: the command prints it and exits with code 2."""

from collections.abc import Iterable


class Misuse(ValueError):
    """Wrong input: the sentence says what was got, what was expected and what to do."""


class NotFound(Misuse, LookupError):
    """No such name; the sentence holds the nearest one."""


class NeedsDataset(Misuse):
    """This benchmark has no built-in dataset: one must be named."""


class DiskFull(Misuse, OSError):
    """There is no space left for what has to be written."""


def listed(names: Iterable[str], *, most: int = 12, by: str = ", ") -> str:
    """Names in a row, cut where there are too many to be read.

    >>> listed("abcde", most=3)
    'a, b, c and 2 more'
    """
    every = list(names)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return by.join(every[:most]) + more
