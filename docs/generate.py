"""Writes the generated pages: docs/catalogue.md from the cards, docs/claims.md from what the domains recompute."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from beholder.spine.catalogue import inside, places, shown_in
from beholder.spine.find import domains

HERE = Path(__file__).parent
GENERATED = "<!-- written by ./do docs; do not edit -->"


def catalogue() -> str:
    """Every card of the package."""
    head = [GENERATED, "# Catalogue", "", "The card of everything there is, as `beholder show NAME` prints it."]
    return "\n".join([*head, *_cards()])


def _cards() -> Iterator[str]:
    for place in places():
        found = inside(place)
        if found:
            yield f"\n## {place.replace('.', ': ')}"
        for name in found:
            yield f"\n### {name}\n\n```text\n{shown_in(place, name)}\n```"
    yield ""


def claims() -> str:
    """What the sources claim, and what comes out here."""
    parts = [GENERATED, "# Claims", "", "What the sources say, what was recomputed here, and how far that carries.", ""]
    for domain in domains():
        if find_spec(f"beholder.{domain}.claims"):
            parts += [f"## {domain}", "", import_module(f"beholder.{domain}.claims").claims(), ""]
    return "\n".join(parts)


def main() -> None:
    """Write both."""
    for name, page in {"catalogue.md": catalogue, "claims.md": claims}.items():
        (HERE / name).write_text(page(), "utf-8")
        print(HERE / name, file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
