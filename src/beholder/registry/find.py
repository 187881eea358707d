"""The path is the registry: `beholder/stereo/models/block.py` holds `block`. Listing imports nothing."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from beholder.errors import NotFound
from beholder.store.paths import ROOT


def domains() -> list[str]:
    """The folders that hold benchmarks."""
    return sorted(folder.parent.name for folder in ROOT.glob("*/benchmarks") if folder.is_dir())


def names(place: str) -> list[str]:
    """What lies in a place such as `judges` or `stereo.models`; for measures `family.name`."""
    folder = ROOT.joinpath(*place.split("."))
    files = sorted(f for f in folder.glob("*.py") if not f.name.startswith("_"))
    if place.endswith("measures"):
        return [f"{file.stem}.{name}" for file in files for name in carded(file)]
    if place == "engines":  # what they share stands beside them
        return [file.stem for file in files if file.stem in {function.name for function in _functions(file)}]
    return [file.stem for file in files]


def carded(file: Path) -> list[str]:
    """The functions of a file that are decorated with @measure, read without importing it."""
    return [f.name for f in _functions(file) if any(_called(d) == "measure" for d in f.decorator_list)]


def _functions(file: Path) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]


def _called(decorator: ast.expr) -> str:
    of = decorator.func if isinstance(decorator, ast.Call) else decorator
    return of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""


def offered(place: str) -> dict[str, Any]:
    """What installed packages offer for a place, by the entry-point group `beholder.<place>`."""
    return {point.name: point for point in entry_points(group=f"beholder.{place}")}


def find(place: str, name: str) -> Any:
    """The object called `name` in a place; an import error inside a found file is raised as it is."""
    known = names(place)
    if place.endswith("measures"):
        name = _full(name, known)
        family, _, function = name.partition(".")
    else:
        family = function = name
    if name in known:
        return getattr(import_module(f"beholder.{place}.{family}"), function)
    others = offered(place)
    if name in others:
        return others[name].load()
    raise NotFound(f"nothing called {name!r} in {place}{nearest(name, [*known, *others])}")


def _full(name: str, known: Iterable[str]) -> str:
    """A measure's name with its family, which may be left out where one family only has it."""
    found = [full for full in known if full.partition(".")[2] == name]
    if len(found) > 1:
        raise NotFound(f"{name!r} is several measures; expected one of {', '.join(found)}")
    return found[0] if found else name


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a sentence: the word that was probably meant, or all the words there are.

    >>> nearest("blok", ["block", "sgbm"])
    "; did you mean 'block'?"
    """
    words = sorted(known)
    short = {word.rpartition(".")[2].rpartition("/")[2]: word for word in words} | {word: word for word in words}
    near = difflib.get_close_matches(name, short, 1) or difflib.get_close_matches(name.lower(), short, 1)
    if near:
        return f"; did you mean {short[near[0]]!r}?"
    return f"; there are {', '.join(words)}" if words else "; there is nothing there"
