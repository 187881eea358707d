"""What a set of prompts covers: patterns, kinds, interactions, lengths, words."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from beholder.video.prompts.checks import words
from beholder.video.prompts.entry import Entry
from beholder.video.prompts.tags import INTERACTIONS, KINDS, PATTERNS, UNKNOWN


@dataclass(frozen=True)
class Coverage:
    """Counts of one set."""

    prompts: int
    patterns: Mapping[str, int]
    kinds: Mapping[str, int]
    interactions: Mapping[str, int]
    cells: Mapping[tuple[str, str], int]  # pattern × kind
    lengths: Sequence[int]  # words of each prompt
    distinct: Mapping[str, int]  # subjects, places and actions

    def share(self, pattern: str) -> float:
        """The share of a pattern."""
        return self.patterns.get(pattern, 0) / self.prompts if self.prompts else 0.0


def coverage(entries: Sequence[Entry]) -> Coverage:
    """The counts of tagged entries."""
    patterns, kinds = Counter(one.pattern for one in entries), Counter(one.kind for one in entries)
    acts = Counter(one.interaction for one in entries)
    return Coverage(
        len(entries),
        {name: patterns[name] for name in (*PATTERNS, UNKNOWN)},
        {name: kinds[name] for name in (*KINDS, UNKNOWN)},
        {name: acts[name] for name in INTERACTIONS},
        Counter((one.pattern, one.kind) for one in entries),
        [len(words(one.prompt)) for one in entries],
        {
            "subjects": len({one.subject for one in entries if one.subject}),
            "nouns": len({one.subject_noun for one in entries if one.subject_noun}),
            "places": len({one.place for one in entries if one.place}),
            "actions": len({one.action for one in entries if one.action}),
            "words": len({word for one in entries for word in words(one.prompt)}),
        },
    )


def table(sets: Mapping[str, Coverage]) -> str:
    """The counts of sets beside one another, as text."""
    names = list(sets)
    wide = max(14, *(len(name) for name in names)) + 2
    rows = [f"{'':20}" + "".join(f"{name:>{wide}}" for name in names)]

    def add(title: str, cells: Sequence[str]) -> None:
        rows.append(f"{title:20}" + "".join(f"{cell:>{wide}}" for cell in cells))

    add("prompts", [f"{sets[name].prompts:,}" for name in names])
    for head, sorts in (
        ("patterns", (*PATTERNS, UNKNOWN)),
        ("kinds", (*KINDS, UNKNOWN)),
        ("interactions", tuple(INTERACTIONS)),
    ):
        rows.append(head)
        for sort in sorts:
            add(f"  {sort}", [_part(getattr(sets[name], head)[sort], sets[name].prompts) for name in names])
    rows.append("words in a prompt")
    add("  mean", [f"{statistics.fmean(sets[name].lengths):.1f}" if sets[name].lengths else "" for name in names])
    add(
        "  from … to",
        [f"{min(sets[name].lengths)} … {max(sets[name].lengths)}" for name in names if sets[name].lengths],
    )
    rows.append("different")
    for sort in ("subjects", "nouns", "places", "actions", "words"):
        add(f"  {sort}", [f"{sets[name].distinct[sort]:,}" for name in names])
    return "\n".join(rows)


def _part(count: int, total: int) -> str:
    return f"{count:,} {count / total:6.1%}" if count else f"0 {'':>6}"
