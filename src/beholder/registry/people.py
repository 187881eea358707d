"""`beholder show people`: what kinds of people stand behind the numbers, whose they are, and what a ceiling is."""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from beholder.errors import Misuse
from beholder.registry.find import domains, names
from beholder.registry.glossary import glossary
from beholder.registry.load import dataset
from beholder.registry.wrapping import room
from beholder.store.paths import ROOT

KINDS = {  # of people behind a dataset, best first, and what that means
    "recorded": "real people: their answers or eye movements are in the dataset",
    "published": "real people: their numbers are taken from papers",
    "remembered": "their numbers are from memory, and no source was read",
    "simulated": "no people at all: observers made by a program. Good for a first try; proves nothing about people",
}
SAID = re.compile(r"people\"?[=:][^\n,)]*?\"(recorded|published|remembered|simulated|)\"")
IMPORTED = re.compile(r"^from beholder\.([\w.]+) import ([\w, ()]+)", re.MULTILINE)
DEEPEST = 4  # imports that are followed from a dataset's file to where its people are named


def people() -> str:
    """The page on people: kinds, datasets of each, and what is said of them in tables."""
    lines = ["people  (what models are compared with)", ""]
    every = {f"{domain}.{name}": kind_of(domain, name) for domain in domains() for name in names(f"{domain}.datasets")}
    for kind, meaning in KINDS.items():
        own = [place for place, found in every.items() if found == kind]
        by_domain = [f"  {domain}: {', '.join(_of(domain, own))}" for domain in domains() if _of(domain, own)]
        lines += [f"{kind}: {meaning}", *by_domain, ""] if own else []
    lines += [f"{word}: {glossary()[word]}" for word in ("ceiling", "person", "skill", "status") if word in glossary()]
    lines += ["", "Some datasets need files that are not built in: beholder show NAME says which."]
    return "\n".join(textwrap.fill(line, room(), subsequent_indent="    ") for line in lines)


def _of(domain: str, places: list[str]) -> list[str]:
    return [place.partition(".")[2] for place in places if place.startswith(f"{domain}.")]


def kind_of(domain: str, name: str) -> str:
    """The kind of people behind a dataset; of one that needs a path, as its files say it; nothing without people."""
    try:
        return dataset(f"{domain}.datasets", name).people
    except (Misuse, TypeError):
        return _said(ROOT / domain / "datasets" / f"{name}.py", DEEPEST)


@functools.cache
def _said(file: Path, depth: int) -> str:
    text = file.read_text("utf-8") if file.is_file() else ""
    found = SAID.search(text)
    if found or not depth:
        return found[1] if found else ""
    return next((said for other in _imported(text) if (said := _said(other, depth - 1))), "")


def _imported(text: str) -> Iterator[Path]:
    """Files of domains that a file imports from."""
    for module, what in IMPORTED.findall(text):
        if module.partition(".")[0] in domains():
            place = ROOT.joinpath(*module.split("."))
            yield place.with_suffix(".py")
            yield from (place / f"{name.strip()}.py" for name in what.strip("()").split(","))
