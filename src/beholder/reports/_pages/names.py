"""Settings taken out of names: sgbm(window=5) and sgbm(window=9) are the model sgbm, with a column for its window."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

CALL = re.compile(r"(?P<name>[\w.:/+-]+)\((?P<settings>[^()]+)\)")
MOST = 3  # settings that get a column each; more stand in one


class Factored(NamedTuple):
    """Columns of settings, and for each name what is left of it and a text for each column."""

    columns: tuple[str, ...]
    names: Mapping[str, tuple[str, tuple[str, ...]]]


def factored(names: Iterable[str]) -> Factored:
    """The names without settings where that leaves something to compare; as they are where only one has any.

    >>> found = factored(["sgbm(window=5)", "sgbm(window=9,p=1)", "mine"])
    >>> found.columns, found.names["sgbm(window=5)"], found.names["mine"]
    (('window', 'p'), ('sgbm', ('5', '')), ('mine', ('', '')))
    >>> factored(["sgbm(window=5)", "mine"]).columns
    ()
    """
    every = list(dict.fromkeys(names))
    parsed = {name: found for name in every if (found := _parsed(name))}
    if len(parsed) < 2:
        return Factored((), {name: (name, ()) for name in every})
    keys = tuple(dict.fromkeys(key for _, settings in parsed.values() for key in settings))
    if len(keys) > MOST:
        one = {name: (base, (", ".join(f"{k}={v}" for k, v in own.items()),)) for name, (base, own) in parsed.items()}
        return Factored(("settings",), {name: one.get(name, (name, ("",))) for name in every})
    split = {name: (base, tuple(own.get(key, "") for key in keys)) for name, (base, own) in parsed.items()}
    return Factored(keys, {name: split.get(name, (name, ("",) * len(keys))) for name in every})


def _parsed(name: str) -> tuple[str, dict[str, str]] | None:
    """A name and its settings; None where it has none, or they cannot be told apart by commas."""
    found = CALL.fullmatch(name)
    pairs = [part.split("=", 1) for part in found["settings"].split(",")] if found else []
    if not found or not all(len(pair) == 2 and pair[0].strip().isidentifier() for pair in pairs):
        return None
    return found["name"], {key.strip(): value.strip() for key, value in pairs}


def split_measure(name: str, others: Iterable[str]) -> tuple[str, str]:
    """A measure's name, and its settings apart where no other measure has that name.

    >>> split_measure("auc(preset=judd)", ["auc(preset=judd)", "nss"])
    ('auc', 'preset=judd')
    >>> split_measure("bad(d=1)", ["bad(d=1)", "bad(d=2)"])
    ('bad(d=1)', '')
    """
    base, _, settings = name.partition("(")
    alike = {other for other in others if other.partition("(")[0] == base}
    return (base, settings.removesuffix(")")) if settings.endswith(")") and len(alike) == 1 else (name, "")


def shorter(heads: Iterable[str]) -> list[str]:
    """Headings without what they all share: a criterion, settings that tell nothing apart.

    >>> shorter(["model", "auc(preset=judd) (all)", "nss(preset=judd) (all)"]), shorter(["bad (all)", "bad (disc)"])
    (['model', 'auc', 'nss'], ['bad (all)', 'bad (disc)'])
    """
    every = list(heads)
    measures = [head for head in every if head.endswith(")") and " (" in head]
    criteria = {head.rpartition(" (")[2] for head in measures}
    if len(criteria) != 1:
        return every
    names = [head.rpartition(" (")[0] for head in measures]
    short = {head: split_measure(name, names)[0] for head, name in zip(measures, names, strict=True)}
    return [short.get(head, head) for head in every]
