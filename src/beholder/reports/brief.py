"""A run on one screen: the answer, where the user's models stand, what puts it in doubt, what failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from beholder.reports import _facts, _notes, _yours
from beholder.reports._lines import Printed, printed, wrapped
from beholder.reports._many import overview
from beholder.reports._top import top
from beholder.reports.terminal import plain

if TYPE_CHECKING:
    from rich.console import Console

    from beholder.evaluation.sections import Section

LINES = 35  # with what the command says before and after it, a run takes 40 at the most
ANSWER = 6  # lines of the trust line
DOUBT = 4  # lines of caveats
FAILURES = 2  # that are told, in two lines each; the others are counted


def brief(sections: Sequence[Section]) -> str:
    """What a reader must know, in 35 lines at the most: `terminal` has the whole."""
    console = plain()
    if not sections:
        return ""
    failed = _failed(console, sections)
    most = LINES - len(failed)
    shown = _one(console, sections[0], most) if len(sections) == 1 else overview(console, sections, most)
    return printed(console, [*shown, *failed])


def _one(console: Console, section: Section, most: int) -> list[Printed]:
    """One benchmark: its trust line, the user's models, caveats, and as much of the table as there is room for."""
    lines = [Printed(f"{section.benchmark} (version {section.version})", "bold underline")]
    lines += wrapped(console, _notes.trust(section), "bold", most=ANSWER)
    for sentence in _yours.told(section):
        lines += wrapped(console, sentence, "cyan", most=2)
    lines += _doubts(console, section)
    return [*lines, *top(section, console.width, most - len(lines))]


def _doubts(console: Console, section: Section) -> list[Printed]:
    """Caveats that change the verdict; where there are many, how many more."""
    told = _notes.caveats(section)
    lines = [line for caveat in told for line in wrapped(console, caveat, "red", most=2)]
    if len(lines) <= DOUBT:
        return lines
    return [*lines[: DOUBT - 1], Printed(f"{len(told)} caveats in all; -v shows each of them.", "red")]


def _failed(console: Console, sections: Sequence[Section]) -> list[Printed]:
    """Who failed where and why: the first ones, the user's models before ours, and how many more."""
    found = [
        (one.model not in own, one)
        for section in sections
        for own in [_yours.own_models(section)]
        for one in _facts.failures(section)
    ]
    found.sort(key=lambda pair: pair[0])
    lines = [line for _, one in found[:FAILURES] for line in wrapped(console, f"failed: {one.sentence}", "red", most=2)]
    more = len(found) - FAILURES
    return [*lines, *[Printed(f"{more} more failures; -v shows each of them.", "red")] * (more > 0)]
