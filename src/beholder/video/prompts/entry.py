"""One prompt as it stands in files: the fields of VMBench, and the tags that our rules add."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from beholder.video.prompts.tags import ANY, RULES

FIELDS = ("prompt", "subject", "subject_noun", "place", "action", "index")  # of VMBench's prompts.json
TAGS = ("pattern", "interaction", "kind")


@dataclass(frozen=True)
class Entry:
    """A prompt with what is known of it; what is not known is empty."""

    prompt: str
    subject: str = ""
    subject_noun: str = ""
    place: str = ""
    action: str = ""
    index: str = ""
    pattern: str = ""
    interaction: str = ""
    kind: str = ""
    by: str = ""  # who says the pattern
    more: Mapping[str, Any] = field(default_factory=dict)  # other fields of its file

    @property
    def cell(self) -> tuple[str, str, str]:
        """Pattern, kind and interaction: what selections are balanced over."""
        return self.pattern, self.kind, self.interaction

    def tagged(self, pattern: str, interaction: str, kind: str) -> Entry:
        """The same with tags by our rules."""
        return replace(self, pattern=pattern, interaction=interaction, kind=kind, by=RULES)

    def record(self) -> dict[str, Any]:
        """The record of VMBench's file; tags stand behind its own fields, and say whose they are."""
        own: dict[str, Any] = {name: getattr(self, name) for name in FIELDS}
        tags = {name: getattr(self, name) for name in TAGS if getattr(self, name)}
        return own | tags | ({"pattern_by": self.by} if self.pattern and self.by else {}) | dict(self.more)


def from_record(record: Mapping[str, Any]) -> Entry:
    """A record of VMBench's file, with or without tags."""
    known = {name: str(record[name]).strip() for name in (*FIELDS, *TAGS) if record.get(name) is not None}
    by = str(record.get("pattern_by") or "")
    taken = {*FIELDS, *TAGS, "pattern_by"}
    return Entry(**known, by=by, more={key: value for key, value in record.items() if key not in taken})


def holds(name: str, cell: tuple[str, str, str]) -> bool:
    """Whether a cell counts for a category: a pattern, a kind, an interaction, or any interaction.

    >>> holds("fluid", ("fluid", "fluid", "")), holds("interaction", ("fluid", "fluid", ""))
    (True, False)
    """
    pattern, kind, interaction = cell
    return bool(interaction) if name == ANY else name in (f"kind:{kind}", pattern, interaction)
