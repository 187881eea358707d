"""From words to a set of prompts: combine, write, check, drop what repeats, choose."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol

from beholder.engines.progress import Silent, Watch
from beholder.errors import Misuse
from beholder.io.atomic import write_whole
from beholder.video.prompts.checks import MEANINGS, fault, reason
from beholder.video.prompts.choose import choose
from beholder.video.prompts.combine import Combinations, Idea, lacking
from beholder.video.prompts.coverage import coverage, table
from beholder.video.prompts.duplicates import near_duplicates
from beholder.video.prompts.entry import Entry
from beholder.video.prompts.files import numbered, whole_set
from beholder.video.prompts.files import write as write_files
from beholder.video.prompts.tags import WRITER
from beholder.video.prompts.vocabulary import Vocabulary, built_in
from beholder.video.prompts.writer import Written, kind_of
from beholder.video.prompts.writer import write as write_by_rules

BLOCK, ASKED = 1000, 40  # candidates between two steps of the progress bar: of our rules, of a language model
CANDIDATES, KEPT = 50_000, 1_050  # of the paper


class Writer(Protocol):
    """Who puts ideas into words; None where it could not."""

    def write(self, ideas: Sequence[Idea], rng: Random) -> Sequence[Written | None]:
        """A prompt for each idea."""


class Judge(Protocol):
    """Who looks at prompts once more."""

    def judge(self, prompts: Sequence[str]) -> Sequence[bool]:
        """Whether each of them is good."""


class Rules:
    """The writer that needs no model."""

    def write(self, ideas: Sequence[Idea], rng: Random) -> Sequence[Written | None]:
        """A prompt for each idea."""
        return [write_by_rules(idea, rng) for idea in ideas]


@dataclass(frozen=True)
class Made:
    """A set of prompts, and how it came about."""

    entries: Sequence[Entry]
    passed: Sequence[Entry]  # all that could have been chosen
    candidates: int
    dropped: Mapping[str, int]  # by reason
    settings: Mapping[str, Any] = field(default_factory=dict)

    def about(self) -> dict[str, Any]:
        """What about.json says; nothing in it differs between two runs with the same seed."""
        return {
            "candidates": self.candidates,
            "dropped": {name: {"count": self.dropped[name], "because": MEANINGS[name]} for name in self.dropped},
            "passed": len(self.passed),
            "kept": len(self.entries),
            "pattern_by": WRITER,
            **self.settings,
        }

    def text(self) -> str:
        """The funnel, in lines."""
        rows = [f"{self.candidates:>8,}  candidates"]
        if "different" in self.settings:
            rows.append(f"{'':10}{self.settings['different']:,} different ideas: subject, action, place and other")
        rows += [f"{-count:>8,}  {MEANINGS[name]}" for name, count in self.dropped.items()]
        rows += [f"{len(self.passed):>8,}  passed the checks", f"{len(self.entries):>8,}  kept"]
        return "\n".join(rows)


def make(
    candidates: int = CANDIDATES,
    keep: int = KEPT,
    *,
    least: Mapping[str, int] | None = None,
    seed: int = 0,
    words: Vocabulary | None = None,
    writer: Writer | None = None,
    judge: Judge | None = None,
    watch: Watch | None = None,
) -> Made:
    """So many candidates, checked, and the balanced choice of `keep` of them; the same seed gives the same set.

    `least` are minimums by category (`choose.minimums`). Without `writer` our rules write; `judge` looks at what the
    rules let pass.
    """
    watch = watch or Silent()
    if candidates < 1:
        raise Misuse(f"got {candidates} candidates; expected 1 or more")
    combinations = Combinations(words or built_in())
    missing = lacking(combinations.counts())
    if missing:
        watch.say(missing)
    rng = Random(seed)
    found: list[Entry] = []
    meanings: set[tuple[str, ...]] = set()
    drawn_once: set[tuple[str, ...]] = set()
    dropped: Counter[str] = Counter()
    drawn = combinations.draw(candidates, rng)
    block = BLOCK if writer is None else ASKED
    watch.begin("prompts: candidates", -(-candidates // block), 0, f"blocks of {block:,}")
    for start in range(0, candidates, block):
        ideas = [next(drawn) for _ in range(min(block, candidates - start))]
        for idea, written in zip(ideas, (writer or Rules()).write(ideas, rng), strict=True):
            drawn_once.add(idea.meaning)
            why = _wrong(idea, written, meanings, ours=writer is None)
            if why or written is None:
                dropped[why] += 1
            else:
                meanings.add(idea.meaning)
                found.append(_entry(idea, written))
        watch.step(failed=False)
    passed = _apart(found, dropped, seed)
    if judge is not None:
        passed = _judged(passed, judge, dropped)
    entries = numbered(choose(passed, keep, least or {}, Random(seed)))
    order = [name for name in MEANINGS if dropped[name]]
    settings = {"seed": seed, "minimum": dict(least or {}), "ideas": combinations.size, "different": len(drawn_once)}
    return Made(entries, passed, candidates, {name: dropped[name] for name in order}, settings)


def _wrong(idea: Idea, written: Written | None, meanings: set[tuple[str, ...]], *, ours: bool) -> str:
    """Why a candidate is dropped, or nothing."""
    if written is None:
        return "not written"
    if idea.meaning in meanings:
        return "same meaning"
    twice = (idea.subject.noun, idea.other.noun) if idea.other else ()  # another dog; the dog
    return reason(fault(written.text, twice if ours else None))


def _entry(idea: Idea, written: Written) -> Entry:
    return Entry(
        written.text, written.subject, idea.subject.noun, idea.place.name, written.action, "",
        idea.pattern, idea.action.interaction, kind_of(idea.subject, idea.number), WRITER,
    )  # fmt: skip


def _apart(found: Sequence[Entry], dropped: Counter[str], seed: int) -> list[Entry]:
    doubled = near_duplicates([entry.prompt for entry in found], seed=seed)
    dropped["near-duplicate"] += int(doubled.sum())
    return [entry for entry, twice in zip(found, doubled.tolist(), strict=True) if not twice]


def _judged(passed: Sequence[Entry], judge: Judge, dropped: Counter[str]) -> list[Entry]:
    good = judge.judge([entry.prompt for entry in passed])
    dropped["judged bad"] += len(passed) - sum(good)
    return [entry for entry, fine in zip(passed, good, strict=True) if fine]


def write(
    made: Made, folder: Path, *, styles: Sequence[str], candidates: bool = False, draw: bool = True, fresh: bool = False
) -> None:
    """Write the set: prompt files, about.json, coverage.txt and coverage.png; all that passed, if `candidates`.

    It is written whole or not at all; a folder that holds a set is refused unless `fresh`.
    """
    with whole_set(folder, fresh=fresh) as draft:
        _write(made, draft, styles, candidates, draw)


def _write(made: Made, folder: Path, styles: Sequence[str], candidates: bool, draw: bool) -> None:
    write_files(made.entries, folder, styles=styles)
    counted = coverage(made.entries)
    write_whole(folder / "about.json", json.dumps(made.about(), indent=1, ensure_ascii=False) + "\n")
    write_whole(folder / "coverage.txt", f"{made.text()}\n\n{table({'this set': counted})}\n")
    if candidates:
        rows = (json.dumps(entry.record(), ensure_ascii=False) for entry in made.passed)
        write_whole(folder / "candidates.jsonl", "".join(f"{row}\n" for row in rows))
    if draw:
        from beholder.video.prompts.figure import save

        save({"this set": made.entries}, folder / "coverage.png")
