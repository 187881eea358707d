"""The words by which prompts are sorted: patterns, kinds of subjects, interactions; and how tags are matched."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

# The six patterns of Ling et al. (2025). No file says which prompt is of which; these meanings are ours.
PATTERNS: Mapping[str, str] = {
    "fluid": "fluid dynamics: liquids, smoke, steam, bubbles and waves flow",
    "biological": "biological motion: living bodies move by themselves",
    "mechanical": "mechanical motion: vehicles, machines and rigid things move, turn, roll or fall",
    "weather": "weather phenomena: rain, snow, fog, clouds, wind, and what they blow about",
    "collective": "collective behaviour: many move as one",
    "energy": "energy transfer: burning, melting, bursting, blows, springs, light",
}
INTERACTIONS: Mapping[str, str] = {
    "collision": "two touch or strike each other",
    "hand-over": "something passes from one to the other",
    "crossing": "the paths of two cross, or one overtakes the other",
    "mutual occlusion": "each hides the other in turn",
}
KINDS = ("person", "animal", "vehicle", "machine", "object", "fluid", "weather", "energy", "crowd")
ANY = "interaction"  # a prompt with any of the interactions
UNKNOWN = "unknown"  # what the rules cannot read
RULES, WRITER = "rules", "writer"  # who says the pattern: our rules that read, or our writer, who knows its action


def matches(expression: str, tags: Collection[str]) -> bool:
    """Whether tags fulfil an expression: a comma is or, + is and, ! is not; an empty one is fulfilled by all.

    >>> matches("water+!sea,snow", {"water", "pool"}), matches("water+!sea,snow", {"water", "sea"}), matches("", ())
    (True, False, True)
    """
    there = tags if isinstance(tags, frozenset) else frozenset(tags)
    return any(need <= there and there.isdisjoint(never) for need, never in _terms(expression))


@cache
def _terms(expression: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    found = []
    for term in expression.split(","):
        words = [word.strip() for word in term.split("+") if word.strip()]
        never = frozenset(word[1:] for word in words if word.startswith("!"))
        found.append((frozenset(word for word in words if not word.startswith("!")), never))
    return tuple(found)
