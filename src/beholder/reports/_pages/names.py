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
