"""BibTeX of whatever a run has used: keys stand on cards, entries in `references.bib`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def source(cite: str, **facts: str) -> Callable[[F], F]:
    """Say of a model or a judge where it comes from, and what else is known of it (family="local" …)."""

    def give(of: F) -> F:
        of.cite = cite  # type: ignore[attr-defined]
        of.facts = facts  # type: ignore[attr-defined]
        return of

    return give


def key_of(thing: Any) -> str:
    """The citation key of a model, a judge, a dataset or a measure, or nothing."""
    thing = getattr(thing, "func", thing)  # a partial stands for what it calls
    found = getattr(getattr(thing, "card", None), "cite", None) or getattr(thing, "cite", "")
    return str(found) if isinstance(found, str) else ""


def facts_of(thing: Any) -> dict[str, str]:
    """What else is known of a model or a judge."""
    return dict(getattr(getattr(thing, "func", thing), "facts", None) or {})


@cache
def library() -> dict[str, str]:
    """Every entry of references.bib by its key."""
    text = resources.files("beholder").joinpath("references.bib").read_text("utf-8")
    entries = re.findall(r"^@\w+\{([^,\s]+),.*?^\}", text, re.MULTILINE | re.DOTALL)
    bodies = [m.group() for m in re.finditer(r"^@\w+\{[^,\s]+,.*?^\}", text, re.MULTILINE | re.DOTALL)]
    return dict(zip(entries, bodies, strict=True))


def bibtex(keys: Iterable[str]) -> str:
    """The entries of these keys (which may hold several, comma-separated); a key without entry is said, not dropped."""
    wanted = sorted({key.strip() for several in keys for key in several.split(",") if key.strip()})
    known = library()
    return "\n\n".join(known.get(key, f"% {key}: no entry in references.bib; please cite it by hand") for key in wanted)
