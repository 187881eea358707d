"""The sentences of a section: what the judges say, and what must be read with the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from beholder.core.scores import JUDGED
from beholder.core.verdict import Verdict, merge_notes
from beholder.verdicts.notes import (
    FIRST,
    HEAD,
    LAST,
    note_disagreement,
    note_expectation,
    note_of_judges,
    note_rough,
)

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

LONG = 300  # letters, four lines: sentences on dozens of models would bury those of the other benchmarks


def trust(section: Section) -> str:
    """Who is best, and how far that can be relied on: the line that stands first."""
    return str(section.trust) if section.verdicts else "There is no verdict: nothing was judged."


def official_headline(section: Section) -> str:
    """The official verdict's sentence; nothing where it says no more than the trust line."""
    verdict = section.verdicts[0] if section.verdicts else None
    return headline(section, verdict) if verdict and verdict.best else ""


def headline(section: Section, verdict: Verdict) -> str:
    """A verdict's sentence; whom it left out is named, and the reasons stand with the standing."""
    return sentence(verdict.headline, _names(section))


def short(text: str, most: int = LONG) -> str:
    """A text as it is, or the whole words within its first letters.

    >>> short("a is best."), short("a, b and c are best", most=6)
    ('a is best.', 'a, b …')
    """
    kept = text[: most + 1].rsplit(" ", 1)[0].rstrip(",;:")
    return text if len(text) <= most else f"{kept} …"


def caveats(section: Section) -> list[str]:
    """What stands right below the verdict, for it puts all of it in doubt."""
    return [sentence(str(note)) for note in merge_notes(section.notes) if note.kind in HEAD]


def notes(section: Section) -> list[str]:
    """Every sentence that must be read with the numbers, once; `caveats` stand elsewhere.

    What bears on every number comes first, then how far intervals and judges can be trusted, people and blind models,
    the judges' own remarks, and what is said of single datasets last.
    """
    merged, placed = merge_notes(section.notes), (*HEAD, *FIRST, *LAST)
    found = [note for note in merged if note.kind in FIRST]
    found += [*note_rough(section.scores, section.skill), *note_expectation(section.facts["measures"])]
    found += [*note_disagreement(section.verdicts), *(note for note in merged if note.kind not in placed)]
    found += [*note_of_judges(section.verdicts), *(note for note in merged if note.kind in LAST)]
    names = _names(section)
    return list(dict.fromkeys(sentence(str(note), names) for note in found))


def sentence(text: str, names: Iterable[str] = ()) -> str:
    """A text with a capital and a full stop; a name at its beginning stays as it is, as it may have to be typed.

    >>> sentence("none of these is dominated"), sentence("sgm is best", ["sgm"]), sentence("Really?"), sentence("")
    ('None of these is dominated.', 'sgm is best.', 'Really?', '')
    """
    line = text.strip()
    if not line:
        return ""
    stop = "" if line[-1] in ".!?…" else "."
    named = any(re.match(rf"{re.escape(name)}(?!\w)", line) for name in names if name)
    return (line if named else line[0].upper() + line[1:]) + stop


def _names(section: Section) -> list[str]:
    """Names with which a sentence may begin: those of the models that are judged."""
    scores = section.scores
    return [str(name) for name in scores.loc[scores["role"].isin(JUDGED), "model"].unique()]
