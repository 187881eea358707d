"""What there is, by domain and kind, each with its first sentence. Reads files and imports nothing of them."""

from __future__ import annotations

import ast
import functools
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from beholder.errors import NotFound
from beholder.registry.find import domains, names, nearest, offered
from beholder.registry.glossary import glossary
from beholder.registry.wrapping import room
from beholder.store.paths import ROOT

KINDS = ("benchmarks", "datasets", "models", "measures")  # of a domain
EXHIBITS = "exhibits"  # what a domain offers to show in a study; not every domain has some
GENERAL = ("judges", "reports", "engines")
PRESETS = "presets"  # how known benchmarks count: DOMAIN/presets.py
WORDS = "words"  # of the glossary


def places(within: str = "") -> Iterator[str]:
    """Every place where something can lie; within a domain, or among judges, reports or engines, where one is named."""
    known = [*domains(), *GENERAL]
    if within and within not in known:
        raise NotFound(f"got {within!r}; expected a domain, judges, reports or engines{nearest(within, known)}")
    for own in [within] if within else known:
        yield from [own] if own in GENERAL else (f"{own}.{kind}" for kind in (*KINDS, EXHIBITS))


def inside(place: str) -> list[str]:
    """Ours, and what installed packages offer."""
    return [*names(place), *sorted(offered(place))]


def list_words() -> list[str]:
    """What `beholder list` takes: domains and kinds, in any order."""
    return [*domains(), *KINDS, EXHIBITS, *GENERAL, PRESETS, WORDS]


def words() -> list[str]:
    """Everything that `beholder show` knows by its file's name: benchmarks with their domain, and all else."""
    found = {name for place in places() for name in inside(place) if not place.endswith("benchmarks")}
    found |= {f"{domain}/{name}" for domain in domains() for name in inside(f"{domain}.benchmarks")}
    found |= {preset for own in preset_names().values() for preset in own}
    return sorted(found | set(glossary()) | {"people", *domains(), *GENERAL, *KINDS, PRESETS})


def listing(*asked: str) -> str:
    """What there is: all in short, or what a domain, a kind or both hold, each with its first sentence.

    Words come in any order, one or many of a kind: `stereo models`, `model stereo`, `judges`.
    """
    chosen = [_word(word) for text in asked for word in text.replace("/", " ").split()]
    if not chosen:
        return _short()
    if chosen == [WORDS]:
        return "\n".join(_described(glossary()))
    kinds = [word for word in chosen if word in (*KINDS, EXHIBITS, PRESETS)]
    owners = [word for word in chosen if word in (*domains(), *GENERAL)]
    if (kinds and any(word in GENERAL for word in owners)) or WORDS in chosen:
        raise NotFound(f"got {' '.join(asked)!r}; expected a domain, a kind, or both, such as stereo models")
    parts = [part for owner in owners or domains() for kind in _kinds_of(owner, kinds) if (part := _part(owner, kind))]
    return "\n\n".join(parts) or f"There is nothing of this kind: {' '.join(asked)}."


def _kinds_of(owner: str, kinds: Sequence[str]) -> Sequence[str]:
    return ("",) if owner in GENERAL else kinds or (*KINDS, EXHIBITS, PRESETS)


def _word(text: str) -> str:
    """A word that `list` takes, in the plural; refused with the nearest one."""
    word, known = text.strip(",").lower(), list_words()
    found = next((own for own in known if word in (own, own.removesuffix("s"), own.removesuffix("es"))), "")
    if found:
        return found
    raise NotFound(f"got {text!r}; expected a domain or a kind{nearest(word, known)}")


def _part(owner: str, kind: str) -> str:
    """Everything of one kind in one domain, below a heading that says how many."""
    if kind == PRESETS:
        found = {name: described(f"{owner}.{PRESETS}", name) for name in preset_names().get(owner, ())}
    else:
        place = f"{owner}.{kind}" if kind else owner
        found = {name: described(place, name) for name in inside(place)}
    head = f"{owner} {kind}".strip()
    return "\n".join([f"{head} ({len(found)})", *_described(found)]) if found else ""


def _described(found: dict[str, str]) -> Iterator[str]:
    wide, most = max(map(len, found)), room() - 1
    for name, text in found.items():
        short = textwrap.shorten(text, max(most - 4 - wide, 20), placeholder=" …") if text else ""
        yield f"  {name:<{wide}}  {short}".rstrip()


def _short() -> str:
    """All of it on one screen: benchmarks with a sentence each, the rest counted, and how to see it."""
    parts = []
    for domain in domains():
        counts = {kind: len(inside(f"{domain}.{kind}")) for kind in (*KINDS[1:], EXHIBITS)}
        rest = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        parts.append(f"{domain} benchmarks, with {rest}")
        parts += _described({name: described(f"{domain}.benchmarks", name) for name in inside(f"{domain}.benchmarks")})
    general = [f"{place}: {', '.join(inside(place))}" for place in GENERAL]
    parts += [textwrap.fill(line, room(), subsequent_indent="  ") for line in general]
    return "\n".join([*parts, "More: beholder list stereo | list models | list measures attention | show NAME"])


def preset_names() -> dict[str, list[str]]:
    """How known benchmarks count, by domain: the keys of PRESETS in DOMAIN/presets.py."""
    return {domain: _keys(file) for domain in domains() if (file := ROOT / domain / "presets.py").is_file()}


@functools.cache
def _keys(file: Path) -> list[str]:
    for node in _parsed(file).body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "PRESETS" and node.value:
            words = [own.value for own in ast.walk(node.value) if isinstance(own, ast.Constant)]
            functions = [own.id for own in ast.walk(node.value) if isinstance(own, ast.Name)]
            return [str(word) for word in words] or [name for name in functions if name in _first_sentences(file)]
    return []


def described(place: str, name: str) -> str:
    """What the file of a thing says of it, or its function where a file holds several; nothing of other packages'."""
    folder, (family, _, function) = ROOT.joinpath(*place.split(".")), name.rpartition(".")
    file = folder.with_suffix(".py") if place.endswith(PRESETS) else folder / f"{family or name}.py"
    if not file.is_file():
        return ""
    if place.endswith((PRESETS, "measures")):
        return _first_sentences(file).get(function.replace("-", "_"), "")
    said = _first(ast.get_docstring(_parsed(file)) or "")
    return said.removeprefix(f"{place.partition('.')[0]}/{name}: ")


@functools.cache
def _first_sentences(file: Path) -> dict[str, str]:
    functions = (node for node in _parsed(file).body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return {node.name: _first(ast.get_docstring(node) or "") for node in functions}


@functools.cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def _first(text: str) -> str:
    """The first paragraph of a docstring in one line, without its full stop.

    >>> _first('''Share of bad pixels, in
    ... per cent.
    ...
    ... B = 100/N''')
    'Share of bad pixels, in per cent'
    """
    return " ".join(text.split("\n\n", maxsplit=1)[0].split()).removesuffix(".")
