"""What an analysis says in plain English: the answer, then the tables, then what must be read with them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from beholder.errors import listed
from beholder.stats.two_way import FEWEST
from beholder.study.analysis.detection import SAME, SIGNAL, STILL
from beholder.study.analysis.ratings import Graded
from beholder.study.analysis.systems import Ranking
from beholder.study.analysis.tables import Table, follows_source, p_value, percent, points, tables
from beholder.study.design.file import FIRST, SECOND, Study

if TYPE_CHECKING:
    from beholder.study.analysis.analyse import Analysis, Findings
    from beholder.study.analysis.detection import Detected

SIMULATED = "SIMULATED: no person gave these answers."
BRACKETS = "Brackets are 95 % intervals. They treat participants and items both as samples (two-way bootstrap)."
TRIED, TRIALS, ITEMS = (5, 10, 20, 35), 20, 120  # participants, trials of each, items: benchmarks/study_coverage.py
COVERAGE = (
    "In simulated studies (5, 10, 20 and 35 participants, 20 trials each, 120 items), intervals of accuracy and d′ "
    "contain the truth in 94 to 99 of 100 studies with 10 or more participants, and in 98 or more with 5, where "
    "they are wider than needed (benchmarks/study_coverage.py)."
)
APART = "How this study differs from its source"
NO_CUES = "This export does not list giveaway cues: beholder study check STUDY shows whether one separates the classes."
NONE = f"There are no intervals: they need {FEWEST} participants and {FEWEST} items."


def many(number: int, noun: str) -> str:
    """A number of things.

    >>> many(1, "participant"), many(1200, "answer")
    ('1 participant', '1,200 answers')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def answer(analysis: Analysis) -> list[str]:
    """The answer in a few sentences."""
    found = analysis.kept
    made = [SIMULATED] if analysis.simulated else []
    if found is None:
        return [*made, nobody(analysis.excluded, analysis.everybody.participants)]
    said = [_verdict(analysis, found, found.detected)] if found.detected else []
    said += [*_giveaway(analysis, found)] if found.detected else []
    said += [_prefers(ranking) for ranking in found.rankings]
    said += [_rated(one) for one in found.graded]
    said += [*_compared(found), *_chances(found), *_controlled(found)]
    said = said or ["This study has no right or wrong answers and compares no systems."]
    return [*made, *said, *_who(analysis, found)]


def nobody(excluded: Mapping[str, Sequence[str]], participants: int) -> str:
    """What is said, and what to do, where the study's own rules leave nobody."""
    rules = "; ".join(f"{rule}: {len(sessions)}" for rule, sessions in excluded.items())
    whom = f"all {participants} participants" if participants > 1 else "the only participant"
    return (
        f"There is no result: the study's rules exclude {whom} ({rules}). Look at the columns excluded, "
        "checks_failed, frames_shown and consistency of sessions.csv for the cause. If a rule is wrong, change "
        "[[exclude]] in the study file, export again, and report the change."
    )


def _verdict(analysis: Analysis, found: Findings, detected: Detected) -> str:
    study = analysis.study
    them = f"{study.signal} from {analysis.noise}"
    numbers = (
        f"{percent(found.shares[0].mean)} of answers are right (mean over participants; guessing: 50 %), pooled d′ "
        f"{detected.dprime:.2f}"
    )
    said = silence(study, detected) or _can_tell(detected, them, study.analysis.bound)
    return f"{said}{'.' if ':' in said else ':'} {numbers}."


def silence(study: Study, detected: Detected) -> str:
    """Why answers say nothing of whether people can tell; nothing where they do."""
    if not detected.silent or math.isnan(detected.dprime.lo):
        return ""
    end = "so they do not show whether people can tell"
    if detected.silent in (SAME, STILL):
        why = (
            "Nearly every participant always gives the same answer" if detected.silent == SAME else "All answers agree"
        )
        return f"{why}, {end}"
    if study.trial == "two_alternative":
        word = FIRST if detected.silent == SIGNAL else SECOND
    else:
        mine = study.right[study.signal]
        word = mine if detected.silent == SIGNAL else listed([a.value for a in study.questions[0].answers
                                                              if a.value != mine], by=" or ")  # fmt: skip
    return f"Nearly all answers are '{word}', {end}"


def _can_tell(detected: Detected, them: str, bound: float) -> str:
    within = f"within {100 * bound:g} points of guessing"
    shown = f"their answers are {within} ({_p(detected)})"
    small = detected.equivalence.equivalent
    if math.isnan(detected.dprime.lo):
        why = f"; {many(detected.people, 'participant')}, expected {FEWEST} or more" if detected.people < FEWEST else ""
        return f"There are too few answers to say whether people can tell {them}{why}"
    if detected.dprime.lo > 0:
        return f"People can tell {them}" + (f", but hardly: {shown}" if small else "")
    if detected.dprime.hi < 0:
        return f"People are misled about {them}" + (f", but hardly: {shown}" if small else ": more wrong than right")
    if small:
        return f"People cannot tell {them}: {shown}"
    return (
        f"These answers do not settle whether people can tell {them}: the interval includes chance, and it is too "
        f"wide to show that answers are {within}"
    )


def _p(detected: Detected) -> str:
    return f"equivalence test, p = {p_value(detected.equivalence.p)}".replace("= <", "<")


def _giveaway(analysis: Analysis, found: Findings) -> Iterator[str]:
    """Whether a simple cue would have been enough."""
    wanted = analysis.study.analysis.cues  # by which the classes differ on purpose
    strong = [cue for cue in analysis.cues if cue.strong and cue.name not in wanted]
    if not strong or found.detected is None:
        return
    first, *others = strong
    also = f"; {many(len(others), 'other cue')} would do the same" if others else ""
    rule = (
        f"a rule that uses only the {first.name} would pick the {analysis.study.signal} item of a pair in "
        f"{100 * first.auc:.0f} % (AUC {first.auc:.2f} [{first.lo:.2f}, {first.hi:.2f}], {first.n} items{also})"
    )
    if found.detected.dprime.lo > 0:
        yield f"But people may have used a giveaway cue, not what the study asks about: {rule}."
    else:
        yield f"A giveaway cue was there, but people did not use it: {rule}."


def _prefers(ranking: Ranking) -> str:
    first, *others = ranking.systems
    apart = [one for one in others if one.strength.hi < first.strength.lo]
    known = not math.isnan(first.strength.lo)
    tied = [one.system for one in others if one not in apart]
    of = f"On {ranking.dimension}, {first.system} is ahead"
    if not known:
        return f"{of} with {100 * first.wins:.0f} % of comparisons won; {ranking.remark}."
    end = "of all" if not tied else f"but not clearly better than {', '.join(tied)}"
    return f"{of} {end}: it wins {100 * first.wins:.0f} % of comparisons (a win: {ranking.how})."


def _rated(one: Graded) -> str:
    means = "; ".join(f"{kind} {mean:.2f}" for kind, mean in one.means.items())
    told = "" if math.isnan(one.area.value) else f"; area under the ROC {one.area:.2f}, d_a {one.dprime:.2f}"
    return f"Mean rating on {one.dimension}: {means}{told}."


def _compared(found: Findings) -> Iterator[str]:
    """Kinds of participants, and halves of the session."""
    for one in found.contrasts:
        if one.of != "accuracy" or math.isnan(one.p):
            continue
        first, second = one.what.split(" − ")
        apart = points(one.difference)
        p = f"p = {p_value(one.p)}".replace("= <", "<")
        if first == "second half":
            what = "changes" if one.p < 0.05 else "does not change significantly"
            yield f"Accuracy {what} from the first half of the session to the second: {apart}, {p}."
        else:
            what = "differ" if one.p < 0.05 else "do not differ significantly"
            yield f"{first.capitalize()} and {second} participants {what} in accuracy: {apart}, {p}."


def _chances(found: Findings) -> list[str]:
    """Whether participants differ more than a coin would."""
    if not found.shares or math.isnan(found.shares[0].sd) or found.shares[0].people < FEWEST:
        return []
    row = found.shares[0]
    more = row.sd > 1.25 * row.by_chance
    what = "more than" if more else "no more than"
    return [
        f"Participants' accuracies have an sd of {row.sd:.2f}, {what} chance alone would give ({row.by_chance:.2f})"
        + ("." if more else ": no sign that some are better than others.")
    ]


def _controlled(found: Findings) -> Iterator[str]:
    """Classes that are not scored, and items that were shown twice."""
    for one in found.controls:
        less = f"; minus that of the true ones {points(one.apart.difference)}" if one.apart else ""
        yield (
            f"Control {one.called.what}: {percent(one.called.mean)} ({many(one.called.people, 'participant')}, "
            f"{many(one.called.answers, 'answer')}{less})."
        )
    if found.retest:
        one_again = found.retest
        yield (
            f"Items shown twice get the same answer in {percent(one_again.alike.mean)} "
            f"({many(one_again.alike.people, 'participant')}, {many(one_again.pairs, 'pair')} of answers; by chance "
            f"{100 * one_again.by_chance:.1f} %)."
        )


def _who(analysis: Analysis, found: Findings) -> list[str]:
    """Who counted, and who did not."""
    every = analysis.everybody
    said = [f"{many(every.participants, 'participant')}: {_complete(found, every)}."]
    if analysis.excluded:
        rules = "; ".join(f"{rule}: {len(sessions)}" for rule, sessions in analysis.excluded.items())
        said.append(
            f"The study's rules exclude {every.participants - found.participants} of {every.participants} "
            f"({rules}), which leaves {many(found.participants, 'participant')} and "
            f"{many(found.answers, 'answer')}; with everybody: {_with_everybody(every)}."
        )
    else:
        nobody = "The study's rules exclude nobody: " if analysis.study.exclude else ""
        said.append(f"{nobody}{many(found.answers, 'answer')} count.")
    return said


def _complete(found: Findings, every: Findings) -> str:
    """How many answered everything, and what became of the others' answers."""
    failed = f", {every.failed} with failed checks" if every.failed else ""
    if not every.partial and not every.failed:
        return "all complete" if every.participants > 1 else "complete"
    if not every.partial:
        return f"{every.participants - every.failed} complete{failed}"
    fate = "their answers count" if found.partial == every.partial else "their answers are left out"
    if 0 < found.partial < every.partial:
        fate = f"the answers of {found.partial} count"
    return f"{every.participants - every.partial - every.failed} complete{failed}, {every.partial} partial ({fate})"


def _with_everybody(every: Findings) -> str:
    if every.detected is None:
        return many(every.answers, "answer")
    return f"{percent(every.shares[0].mean)} right, pooled d′ {every.detected.dprime:.2f}"


def notes(analysis: Analysis) -> list[str]:
    """What must be read with the numbers."""
    found, said = analysis.kept, []
    if found is None:
        pass
    elif found.detected:
        said.append(NONE if math.isnan(found.detected.dprime.lo) else f"{BRACKETS} {_coverage(found)}")
    elif found.graded or found.rankings:
        said.append(NONE if found.participants < FEWEST else BRACKETS)
    if found and found.detected and not analysis.cues:
        said.append(NO_CUES)
    return [*said, *(f"{one[:1].upper()}{one[1:]}." for one in analysis.remarks)]


def _coverage(found: Findings) -> str:
    """For what the intervals were tried, and how this study differs from it."""
    each = found.answers / max(found.participants, 1)
    here = f"{many(found.participants, 'participant')}, {each:.3g} scored trials each, {many(len(found.items), 'item')}"
    same = found.participants in TRIED and each == TRIALS and len(found.items) == ITEMS
    return f"{COVERAGE} This study has {'these numbers' if same else f'other numbers: {here}'}."


def deviations(analysis: Analysis) -> Sequence[str]:
    """Where a study differs from the one that it follows, if this does not stand above the source's values."""
    told = follows_source(analysis.study) and analysis.kept is not None and analysis.kept.shares
    return () if told else analysis.study.deviations


def text(analysis: Analysis) -> str:
    """The whole for a terminal."""
    pieces = [f"{analysis.title}\n", *answer(analysis)]
    for table in tables(analysis):
        above = [f"  {'- ' if at else ''}{line}" for at, line in enumerate(table.above)]
        pieces += ["", table.title, *above, *_grid(table), *([f"  {table.note}"] if table.note else [])]
    if apart := deviations(analysis):
        pieces += ["", APART, *(f"  - {one}" for one in apart)]
    return "\n".join([*pieces, "", *notes(analysis)]) + "\n"


def _grid(table: Table) -> list[str]:
    """Rows of a table in columns of even width."""
    every = [table.head, *table.rows]
    widths = [max(len(row[at]) if at < len(row) else 0 for row in every) for at in range(len(table.head))]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=False)] for row in every]
    lines = [f"  {'  '.join(row)}".rstrip() for row in padded]
    return [lines[0], "  " + "─" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]]
