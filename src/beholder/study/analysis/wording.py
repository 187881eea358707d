"""What an analysis says in plain English: the answer, then the tables, then what must be read with them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from beholder.errors import printable
from beholder.study.analysis.agreement import KAPPA, Agreement
from beholder.study.analysis.ratings import Graded
from beholder.study.analysis.systems import Ranking
from beholder.study.analysis.table2 import named
from beholder.study.analysis.trials import Estimate

if TYPE_CHECKING:
    from beholder.study.analysis.analyse import Analysis, Findings
    from beholder.study.analysis.detection import Detected

INTERVALS = "Brackets are 95 % intervals; they draw both people and items (two-way bootstrap)."
SHOWN = 5  # items at either end


class Table(NamedTuple):
    """A table of texts with a title and what is said below it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def answer(analysis: Analysis) -> list[str]:
    """The answer in a few sentences."""
    found = analysis.findings
    said = [_verdict(analysis, found, found.detected)] if found.detected else []
    said += [_prefers(ranking) for ranking in found.rankings]
    said += [_rated(one) for one in found.graded]
    said += _chances(found)
    return [*(said or ["This study asks nothing that is right or wrong, and compares no systems."]), *_who(analysis)]


def _verdict(analysis: Analysis, found: Findings, detected: Detected) -> str:
    study = analysis.study
    them = f"{study.signal} from {analysis.noise}"
    numbers = f"{_percent(found.shares[0].mean)} of answers are right (guessing: 50 %), d′ {detected.dprime:.2f}"
    return f"{_can_tell(detected, them, study.analysis.bound)}: {numbers}."


def _can_tell(detected: Detected, them: str, bound: float) -> str:
    within = f"within {100 * bound:g} points of guessing"
    small = detected.equivalence.equivalent
    if math.isnan(detected.dprime.lo):
        return f"There are too few answers to say whether people can tell {them}"
    if detected.dprime.lo > 0:
        return f"People can tell {them}" + (f", but hardly: {within} ({_p(detected)})" if small else "")
    if detected.dprime.hi < 0:
        return f"People are misled about {them}: more often wrong than right"
    if small:
        return f"People cannot tell {them}: their answers are shown to be {within} ({_p(detected)})"
    return (
        f"These answers do not settle whether people can tell {them}: the interval includes chance, and they are not "
        f"shown to be {within} either"
    )


def _p(detected: Detected) -> str:
    p = detected.equivalence.p
    return f"equivalence test, p {'< 0.001' if p < 0.001 else f'= {p:.3f}'}"


def _percent(of: Estimate) -> str:
    """A share in per cent."""
    if math.isnan(of.value):
        return "undefined"
    ends = "" if math.isnan(of.lo) else f" [{100 * of.lo:.1f}, {100 * of.hi:.1f}]"
    return f"{100 * of.value:.1f} %{ends}"


def _prefers(ranking: Ranking) -> str:
    first, *others = ranking.systems
    apart = [one for one in others if one.strength.hi < first.strength.lo]
    known = not math.isnan(first.strength.lo)
    tied = [one.system for one in others if one not in apart]
    of = f"On {ranking.dimension}, {first.system} is ahead"
    if not known:
        return f"{of} with {100 * first.wins:.0f} % of comparisons won; {ranking.remark}."
    end = "of all" if not tied else f"and not told apart from {', '.join(tied)}"
    return f"{of} {end}: it wins {100 * first.wins:.0f} % of comparisons (a win: {ranking.how})."


def _rated(one: Graded) -> str:
    means = "; ".join(f"{kind} {mean:.2f}" for kind, mean in one.means.items())
    told = "" if math.isnan(one.area.value) else f"; area under the ROC {one.area:.2f}, d_a {one.dprime:.2f}"
    return f"Mean rating on {one.dimension}: {means}{told}."


def _chances(found: Findings) -> list[str]:
    """Whether participants differ more than a coin would."""
    if not found.shares or math.isnan(found.shares[0].sd):
        return []
    row = found.shares[0]
    more = row.sd > 1.25 * row.by_chance
    what = "more than" if more else "no more than"
    return [
        f"Participants differ by an sd of {row.sd:.2f}, {what} chance alone would give ({row.by_chance:.2f})"
        + ("." if more else ": no sign that some are better than others.")
    ]


def _who(analysis: Analysis) -> list[str]:
    """Who counted, and who did not."""
    found, every = analysis.findings, analysis.everybody
    said = [f"{found.participants} participants, {found.answers:,} answers."]
    if analysis.excluded:
        rules = "; ".join(f"{rule}: {len(sessions)}" for rule, sessions in analysis.excluded.items())
        if analysis.kept is None:
            said.append(f"The study's rules exclude everybody ({rules}): what is shown is everybody.")
        else:
            said.append(
                f"The study's rules exclude {every.participants - found.participants} of {every.participants} "
                f"({rules}); with everybody: {_with_everybody(every)}."
            )
    elif analysis.study.exclude:
        said.append("The study's rules exclude nobody.")
    return said


def _with_everybody(every: Findings) -> str:
    if every.detected is None:
        return f"{every.answers:,} answers"
    return f"{_percent(every.shares[0].mean)} right, d′ {every.detected.dprime:.2f}"


def tables(analysis: Analysis) -> Iterator[Table]:
    """Every table, by the study's rules; where these exclude somebody, each number with everybody beside it."""
    found = analysis.findings
    every = analysis.everybody if analysis.kept is not None and analysis.excluded else None
    if found.shares:
        yield _shares(found, every)
    if found.detected:
        yield _detection(found.detected, every)
    if found.agreement:
        yield _agreement(found, every)
    if found.parts:
        yield _parts(found, every)
    if found.spread and not math.isnan(found.spread.items.value):
        yield _spread(found, every)
    for ranking in found.rankings:
        rows = tuple(
            (one.system, f"{one.strength:.2f}", f"{100 * one.wins:.0f} %", f"{one.comparisons}")
            for one in ranking.systems
        )
        title = f"Systems on {ranking.dimension} (Bradley–Terry; a win: {ranking.how})"
        yield Table(title, ("system", "strength", "won", "comparisons"), rows, ranking.remark)
    if found.graded:
        yield _grades(found)
    if found.items:
        yield _items(analysis, found)


def _beside(head: Sequence[str], every: Findings | None) -> tuple[str, ...]:
    return (*head, *(["with everybody"] if every else []))


def _shares(found: Findings, every: Findings | None) -> Table:
    other = {row.what: row for row in every.shares} if every else {}
    rows = tuple(
        (row.what, f"{row.mean:.3f}", f"{row.sd:.3f}", f"{row.people}", f"{row.answers}",
         *([f"{other[row.what].mean:.3f} (sd {other[row.what].sd:.3f})"] if row.what in other else []))
        for row in found.shares
    )  # fmt: skip
    head = ("share of answers", "mean over participants", "sd", "participants", "answers")
    return Table("Answers", _beside(head, every), rows)


def _detection(detected: Detected, every: Findings | None) -> Table:
    other = every.detected if every else None
    test = detected.equivalence
    rows = [
        ("d′", f"{detected.dprime:.2f}", *([f"{other.dprime:.2f}"] if other else [])),
        ("criterion", f"{detected.criterion:.2f}", *([f"{other.criterion:.2f}"] if other else [])),
        (
            f"equivalence: |d′| < {test.bound:.2f}",
            f"{_shown(detected)}, 90 % interval {test.lo:.2f} to {test.hi:.2f}",
            *([_shown(other)] if other else []),
        ),
    ]
    note = "Over all answers, by the log-linear rule. A criterion above 0: the signal is named seldom."
    return Table("Signal detection", _beside(("", "value"), every), tuple(rows), note)


def _shown(detected: Detected) -> str:
    test = detected.equivalence
    return f"{'shown' if test.equivalent else 'not shown'} (p = {test.p:.3f})"


def _agreement(found: Findings, every: Findings | None) -> Table:
    other = {row.what: row for row in every.agreement} if every else {}
    rows = tuple(
        (row.what, *(_agreed(row)), f"{row.people}", f"{row.items}",
         *([_agreed(other[row.what])[0]] if row.what in other else []))
        for row in found.agreement
    )  # fmt: skip
    head = ("of", "Fleiss' κ", "α", "AC1", "Randolph's κ", "raw", "people", "items with 2 answers")
    return Table("Agreement", _beside(head, every), rows, f"{KAPPA}.")


def _agreed(row: Agreement) -> tuple[str, ...]:
    if row.reason:
        return (f"undefined: {row.reason}", "", "", "", "")
    return (f"{row.kappa:.2f}", *(f"{value:.2f}" for value in (row.alpha, row.ac1, row.randolph, row.raw)))


def _parts(found: Findings, every: Findings | None) -> Table:
    other = {(part.stimulus, part.kind): f"d′ {part.detected.dprime:.2f}" for part in every.parts} if every else {}
    rows = tuple(
        (part.stimulus or "all", "all" if part.kind is None else named(part.kind), _percent(part.accuracy.mean),
         f"{part.detected.dprime:.2f}", f"{part.detected.hits:.2f}", f"{part.detected.alarms:.2f}",
         f"{part.detected.people}", f"{part.detected.answers}",
         *([other[part.stimulus, part.kind]] if (part.stimulus, part.kind) in other else []))
        for part in found.parts
    )  # fmt: skip
    head = ("stimulus", "participants", "right", "d′", "hits", "false alarms", "people", "answers")
    return Table("By kind of stimulus and of participant", _beside(head, every), rows)


def _spread(found: Findings, every: Findings | None) -> Table:
    words = {
        "items": "items differ (sd)",
        "bias": "people's bias differs (sd)",
        "skill": "people's skill differs (sd)",
        "dprime": "d′ of a middling person and item",
    }
    rows = tuple(
        (title, f"{getattr(found.spread, name):.2f}",
         *([f"{getattr(every.spread, name):.2f}"] if every and every.spread else []))
        for name, title in words.items()
    )  # fmt: skip
    note = (
        "Crossed probit model of people and items, by the method of moments; 1 is the noise of one answer. Where items "
        "differ and people are right by chance alone, people agree on what looks human, and that does not tell."
    )
    return Table("Effects of people and items", _beside(("", "estimate"), every), rows, note)


def _grades(found: Findings) -> Table:
    rows = tuple(
        (one.dimension, "; ".join(f"{kind} {mean:.2f}" for kind, mean in one.means.items()),
         f"{one.area:.2f}", f"{one.dprime:.2f}", f"{one.alpha:.2f}", f"{one.answers}")
        for one in found.graded
    )  # fmt: skip
    head = ("dimension", "mean rating", "area under the ROC", "d_a", "α (ordinal)", "answers")
    return Table("Ratings", head, rows, "The interval of α draws items.")


def _items(analysis: Analysis, found: Findings) -> Table:
    """The items at both ends."""
    ends = [*found.items[:SHOWN], *found.items[SHOWN:][-SHOWN:]]
    rows = tuple(
        (printable(row.item), row.kind, f"{row.held} of {row.of}", f"{row.share:.2f} [{row.lo:.2f}, {row.hi:.2f}]",
         "fools people" if row.fools else "")
        for row in ends
    )  # fmt: skip
    fooling = sum(row.fools for row in found.items)
    what = "right" if analysis.study.trial == "two_alternative" else f"labelled {analysis.study.signal}"
    title = f"Items: the most and the least often {what}, of {len(found.items)}"
    note = f"Wilson's intervals. Most people are wrong, beyond 95 %, about {fooling} of {len(found.items)} items."
    return Table(title, ("item", "class", what, "share", ""), rows, note)


def notes(analysis: Analysis) -> list[str]:
    """What must be read with the numbers."""
    return [*([INTERVALS] if analysis.findings.detected else []), *(f"{one}." for one in analysis.remarks)]


def text(analysis: Analysis) -> str:
    """The whole for a terminal."""
    pieces = [f"{analysis.study.title}\n", *answer(analysis)]
    for table in tables(analysis):
        pieces += ["", table.title, *_grid(table), *([f"  {table.note}"] if table.note else [])]
    return "\n".join([*pieces, "", *notes(analysis)]) + "\n"


def _grid(table: Table) -> list[str]:
    """Rows of a table in columns of even width."""
    every = [table.head, *table.rows]
    widths = [max(len(row[at]) if at < len(row) else 0 for row in every) for at in range(len(table.head))]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=False)] for row in every]
    lines = [f"  {'  '.join(row)}".rstrip() for row in padded]
    return [lines[0], "  " + "─" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]]
