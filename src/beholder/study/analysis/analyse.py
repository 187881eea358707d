"""From an export folder to all that it says: once by the study's own rules, once with everybody."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from beholder.errors import listed
from beholder.study.analysis import ratings, systems, trials
from beholder.study.analysis.agreement import Agreement, agreements
from beholder.study.analysis.answers import Export, read
from beholder.study.analysis.contrasts import Stretch, halves_apart, kinds_apart, stretches
from beholder.study.analysis.controls import Control, Retest, controls, retest
from beholder.study.analysis.detection import Detected, Spread, detect, detect_choices, spread
from beholder.study.analysis.items import ItemShare, item_shares
from beholder.study.analysis.people import Person, people
from beholder.study.analysis.ratings import Graded
from beholder.study.analysis.systems import Ranking
from beholder.study.analysis.table2 import Share, share, shares
from beholder.study.analysis.times import Time, times
from beholder.study.analysis.trials import Contrast, Trials
from beholder.study.design.cues import Cue
from beholder.study.design.file import Study


class Part(NamedTuple):
    """The same questions of some of the answers: a kind of stimulus, a kind of participant, or both."""

    stimulus: str  # nothing: all
    kind: str | None  # of participants; None: all
    accuracy: Share
    detected: Detected


@dataclass(frozen=True)
class Findings:
    """What some participants' answers say."""

    participants: int
    answers: int
    shares: tuple[Share, ...] = ()  # the source's table
    detected: Detected | None = None
    agreement: tuple[Agreement, ...] = ()
    spread: Spread | None = None
    parts: tuple[Part, ...] = ()
    items: tuple[ItemShare, ...] = ()
    people: tuple[Person, ...] = ()
    graded: tuple[Graded, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    contrasts: tuple[Contrast, ...] = ()  # kinds of participants; halves of the session
    stretches: tuple[Stretch, ...] = ()
    times: tuple[Time, ...] = ()
    controls: tuple[Control, ...] = ()
    retest: Retest | None = None
    partial: int = 0  # of the participants, those who did not answer everything
    failed: int = 0  # those who did, and failed checks


@dataclass(frozen=True)
class Analysis:
    """What a study says."""

    study: Study
    kept: Findings | None  # by the rules of the study file: the answer; None where they leave nobody
    everybody: Findings
    excluded: dict[str, tuple[str, ...]]  # rule → the sessions that break it
    remarks: tuple[str, ...] = ()
    cues: tuple[Cue, ...] = ()  # that tell the classes apart without a look at what is judged
    simulated: int = 0  # sessions behind which there is no person

    @property
    def title(self) -> str:
        """The study's title, which says so where answers are simulated."""
        return f"SIMULATED ANSWERS: {self.study.title}" if self.simulated else self.study.title

    @property
    def findings(self) -> Findings:
        """What the first sentence is about: by the rules, if they leave somebody."""
        return self.kept or self.everybody

    @property
    def noise(self) -> str:
        """The classes that are not signal, in words."""
        return noise_of(self.study)

    def text(self) -> str:
        """What a terminal shows: the answer first, then the tables."""
        from beholder.study.analysis.wording import text

        return text(self)

    def write(self, folder: Path) -> list[Path]:
        """A page (markdown and HTML), its figures, and tidy tables; returns the files."""
        from beholder.study.analysis.page import write

        return write(self, folder)


def analyse(folder: Path) -> Analysis:
    """All that the export in a folder says."""
    export = read(folder)
    excluded = broken_rules(export)
    everybody = findings(export)
    kept: Findings | None = everybody
    if excluded:
        by_rules = export.kept()
        kept = None if by_rules.answers.empty else findings(by_rules)
    return Analysis(export.study, kept, everybody, excluded, export.remarks, export.cues, export.simulated)


def broken_rules(export: Export) -> dict[str, tuple[str, ...]]:
    """Rule → the sessions that break it."""
    excluded: dict[str, list[str]] = {}
    for session, rules in zip(export.sessions["session"], export.sessions["excluded"], strict=True):
        for rule in filter(None, str(rules).split(";")):
            excluded.setdefault(rule, []).append(str(session))
    return {rule: tuple(sessions) for rule, sessions in excluded.items()}


def findings(export: Export) -> Findings:
    """What the answers of these participants say."""
    study = export.study
    asked = trials.yes_no(export)
    chosen = trials.choices(export)
    grades = ratings.graded(export)
    found = Findings(export.answers["session"].nunique(), len(export.answers))
    rankings = [one for name, own in grades.items() for one in systems.rated(name, export, *own)]
    graded = tuple(ratings.grade(name, export, *own) for name, own in grades.items())
    if study.trial == "two_alternative":
        rankings += systems.preferred(export)
    if asked is not None and len(asked.person):
        found = _told(export, asked, choice=False)
        rankings = [*_several(systems.labelled(export, asked)), *rankings]
    elif chosen is not None and len(chosen.person):
        found = _told(export, chosen, choice=True)
    return replace(
        found,
        participants=export.answers["session"].nunique(),
        graded=graded,
        rankings=tuple(rankings),
        controls=controls(export),
        retest=retest(export),
        partial=export.partial,
        failed=export.failed,
    )


def _several(rankings: tuple[Ranking, ...]) -> tuple[Ranking, ...]:
    """Rankings of three systems or more: of two, d′ says all."""
    return tuple(one for one in rankings if len(one.systems) > 2)


def _told(export: Export, found: Trials, *, choice: bool) -> Findings:
    study, bound = export.study, export.study.analysis.bound
    names = {"signal": study.signal, "noise": noise_of(study)}
    kinds = export.kinds
    rows = shares(found, kinds=kinds, **names)
    return Findings(
        len(found.people),
        len(found.person),
        rows if not choice else tuple(row for row in rows if row.what.startswith("accuracy")),
        (detect_choices if choice else detect)(found, bound),
        agreements(found, kinds=kinds, **names),
        None if choice else spread(found),
        tuple(_parts(found, export, choice=choice)),
        item_shares(found),
        () if choice else people(found),
        contrasts=(*kinds_apart(found, kinds, choice=choice), *halves_apart(found, choice=choice)),
        stretches=stretches(found),
        times=times(found, choice=choice),
    )


def _parts(found: Trials, export: Export, *, choice: bool) -> list[Part]:
    """By kind of stimulus, by kind of participant, and by both."""
    chosen = [(stimulus, kind) for kind in (None, *export.kinds) for stimulus in ("", *export.stimuli)][1:]
    parts = []
    for stimulus, kind in chosen:
        mask = found.signal | True
        if stimulus:
            mask = mask & (found.frame["stimulus"] == stimulus).to_numpy(bool)
        if kind is not None:
            mask = mask & (found.frame["person"] == kind).to_numpy(bool)
        if mask.any():
            own = found.of(mask)
            told = share("accuracy", own, own.right, np.ones(len(own.person), bool))
            parts.append(
                Part(stimulus, kind, told, (detect_choices if choice else detect)(own, export.study.analysis.bound))
            )
    return parts


def noise_of(study: Study) -> str:
    """The classes that are not signal, in words; controls have no right answer and are not scored."""
    return listed(study.noises, by=" or ") or "other"
