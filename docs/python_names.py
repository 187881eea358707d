"""docs/reference/python.md: the public names of `beholder` with their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import beholder
from catalogue import GENERATED, escaped, prose


def page() -> str:
    """The page."""
    names = sorted((name for name in beholder.__all__ if not name.startswith("_")), key=str.lower)
    every = {name: getattr(beholder, name) for name in names}
    groups = {
        "Functions": {name: one for name, one in every.items() if not inspect.isclass(one)},
        "Classes": {name: one for name, one in every.items() if inspect.isclass(one)},
    }
    head = [
        *(GENERATED, "# Python", "", "```python", "import beholder as bh", "```", ""),
        "What `bh.` has. Names are imported when they are first used: `import beholder` loads nothing heavy.",
        *("", "| name | what it is |", "|---|---|"),
        *(
            f"| [`bh.{name}`](#{name.lower()}) | {_first(one)} |"
            for own in groups.values()
            for name, one in own.items()
        ),
    ]
    return "\n".join([*head, *(line for title, own in groups.items() for line in _group(title, own)), ""])


def _first(thing: Any) -> str:
    opening = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    return escaped(re.split(r"(?<=[.?!]) ", opening)[0]).replace("|", "\\|")


def _group(title: str, own: dict[str, Any]) -> Iterator[str]:
    yield from ("", f"## {title}")
    for name, one in own.items():
        yield from ("", f"### bh.{name} {{#{name.lower()}}}", "", *_signature(name, one), *_documented(one))
        if inspect.isclass(one):
            yield from _members(one)


def _signature(name: str, thing: Any) -> list[str]:
    try:
        text = f"bh.{name}{inspect.signature(thing)}"
    except (TypeError, ValueError):
        return []
    text = re.sub(r"<function (\w+) at \w+>", r"\1", text)
    plain = re.sub(r"(: |-> )'([^']+)'", r"\1\2", text)  # annotations are strings there
    return ["```text", _folded(re.sub(r"\b(?:\w+\.)+(?=[A-Z])", "", plain)), "```"]


def _folded(signature: str) -> str:
    """A long signature, one parameter a line."""
    if len(signature) <= 100:
        return signature
    name, _, rest = signature.partition("(")
    inner, _, result = rest.rpartition(")")
    parts = re.split(r", (?=[\w*/]+(?::|,|$|=))", inner)
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){result}"])


def _documented(thing: Any) -> Iterator[str]:
    for part in re.split(r"\n\s*\n", inspect.getdoc(thing) or ""):
        yield from ("", *prose(part))


def _members(cls: type) -> Iterator[str]:
    """Methods and properties of its own, with their first sentence."""
    own = {name: one for name, one in vars(cls).items() if not name.startswith("_") and _told(one)}
    if own:
        yield from ("", "| member | |", "|---|---|")
        yield from (
            f"| `.{name}{'()' if inspect.isroutine(one) else ''}` | {_first(one)} |" for name, one in own.items()
        )


def _told(member: Any) -> bool:
    return (inspect.isroutine(member) or isinstance(member, property) or hasattr(member, "func")) and bool(
        inspect.getdoc(member)
    )
