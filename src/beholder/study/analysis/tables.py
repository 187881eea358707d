"""The tables of an analysis, as texts: each says over what it averages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from beholder.errors import printable
from beholder.study.analysis.agreement import KAPPA, Agreement
from beholder.study.analysis.items import LEVEL
from beholder.study.analysis.table2 import KAPPAS, SOURCE, Share, named
from beholder.study.analysis.trials import Contrast, Estimate
from beholder.study.design.file import Study

if TYPE_CHECKING:
    from beholder.study.analysis.analyse import Analysis, Findings
    from beholder.study.analysis.detection import Detected

PRESET = "zanca2020"
SHOWN = 5  # items at either end
THEIRS = "Zanca et al. (2020)"
DIFFERS = "This differs from the source in:"
AGAIN_DIFFERS = "For differences from the source, see the list above the table of answers."
INFERRED = (
    "Zanca et al. (2020): Table 2, mean (sd over participants), 35 participants, about half of them experts. They "
    "do not give the number of clips; 240 is inferred: 60 films and 60 pictures, each with people's gaze and with "
    "the model's."
)
OWN = (
    " It is lower where participants differ in bias. Each participant's own d′ is biased towards 0, because it "
    "rests on few trials."
)
AGAIN = "Repeated items: the share of second answers that equal the first; scores use the first."


class Table(NamedTuple):
    """A table of texts with a title and what is said below it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    above: tuple[str, ...] = ()  # right above it: a sentence, and the list that it begins


def tables(analysis: Analysis) -> Iterator[Table]:
    """Every table, by the study's rules; where these exclude somebody, each number with everybody beside it.

    The cues stand first, as they bear on all that follows. There is none where the rules exclude everybody.
    """
    if analysis.kept is None:
        return
    found = analysis.kept
    every = analysis.everybody if analysis.excluded else None
    yield from [_cues(analysis)] if analysis.cues else []
    if found.shares:
        yield _shares(analysis.study, found, every)
    if found.detected:
        yield _detection(analysis.study, found.detected, every)
    if found.parts:
        yield _parts(found, every)
    if found.contrasts:
        yield _contrasts(found, every)
    if found.controls or found.retest:
        yield _controls(analysis.study, found)
    if found.stretches:
        yield _stretches(found)
    if found.times:
        yield _times(found)
    if found.agreement:
        yield _agreement(analysis.study, found, every)
    if found.spread and not math.isnan(found.spread.items.value):
        yield _spread(found, every)
    yield from _systems(found)
    if found.graded:
        yield _grades(found)
    if found.items:
        yield _items(analysis, found)


def follows_source(study: Study) -> bool:
    """Whether a study is made of the preset of Zanca et al. (2020), and still asks what they asked."""
    asked = (study.trial, study.signal, study.noises) == ("yes_no", "human", ("synthetic",))
    return asked and study.follows == PRESET


def _beside(head: Sequence[str], every: Findings | None) -> tuple[str, ...]:
    return (*head, *(["with everybody"] if every else []))


def number(value: float, digits: int = 2) -> str:
    """A number; a dash where it is unknown."""
    return "–" if math.isnan(value) else minus(f"{value:z.{digits}f}")


def minus(text: str) -> str:
    """A number's text with a true minus sign."""
    return text.replace("-", "−")


def p_value(p: float) -> str:
    """A p-value; a dash where nothing was tested."""
    return "–" if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


def percent(of: Estimate) -> str:
    """A share in per cent."""
    if math.isnan(of.value):
        return "undefined"
    ends = "" if math.isnan(of.lo) else f" [{100 * of.lo:.1f}, {100 * of.hi:.1f}]"
    return f"{100 * of.value:.1f} %{ends}"


def _mean_sd(row: Share) -> str:
    """As the source prints it: 0.53 (0.10)."""
    return f"{number(row.mean.value)} ({number(row.sd)})"


def _ends(of: Estimate) -> str:
    return "–" if math.isnan(of.lo) else f"{number(of.lo, 3)} to {number(of.hi, 3)}"


def _shares(study: Study, found: Findings, every: Findings | None) -> Table:
    other = {row.what: row for row in every.shares} if every else {}
    source = follows_source(study)
    rows = tuple(
        (
            row.what,
            _mean_sd(row),
            _ends(row.mean),
            *([str(SOURCE.get(row.what, "–"))] if source else []),
            f"{row.people}",
            f"{row.answers}",
            *([_mean_sd(other[row.what])] if row.what in other else []),
        )
        for row in found.shares
    )
    head = ("share of answers", "mean (sd)", "95 % interval", *([THEIRS] if source else []), "participants", "answers")
    note = "Mean and sd over participants: each participant's share counts once."
    return Table(
        "Answers",
        _beside(head, every),
        rows,
        f"{note} {INFERRED}" if source else note,
        (DIFFERS, *study.deviations) if source else (),
    )


def _detection(study: Study, detected: Detected, every: Findings | None) -> Table:
    other = every.detected if every else None
    test = detected.equivalence
    pooled = [("pooled d′", f"{detected.dprime:.2f}", *([f"{other.dprime:.2f}"] if other else []))]
    own = [("mean of participants' own d′", f"{detected.own:.2f}", *([f"{other.own:.2f}"] if other else []))]
    reach = "" if math.isnan(test.p) else f", 90 % interval {number(test.lo)} to {number(test.hi)}"
    rows = [
        *pooled,
        *(own if not math.isnan(detected.own.value) else []),
        ("criterion", f"{detected.criterion:.2f}", *([f"{other.criterion:.2f}"] if other else [])),
        (
            f"equivalence: pooled |d′| < {test.bound:.2f}",
            f"{_shown(detected)}{reach}",
            *([_shown(other)] if other else []),
        ),
    ]
    signal = "first" if study.trial == "two_alternative" else study.signal
    more = "" if math.isnan(detected.own.value) else OWN
    note = (
        f"Pooled d′: from all answers of all participants together, by the log-linear rule.{more} A criterion above 0 "
        f'means that participants answer "{signal}" less than half of the time.'
    )
    return Table("Signal detection", _beside(("", "value"), every), tuple(rows), note)


def _shown(detected: Detected) -> str:
    test = detected.equivalence
    if detected.silent and not math.isnan(detected.dprime.lo):
        return "not tested: the answers are uninformative"
    if math.isnan(test.p):
        return "not tested: too few participants"
    return f"{'shown' if test.equivalent else 'not shown'} (p = {p_value(test.p)})".replace("= <", "<")


def _parts(found: Findings, every: Findings | None) -> Table:
    other = {(part.stimulus, part.kind): f"d′ {part.detected.dprime:.2f}" for part in every.parts} if every else {}
    rows = tuple(
        (part.stimulus or "all", "all" if part.kind is None else named(part.kind), percent(part.accuracy.mean),
         f"{part.detected.dprime:.2f}", number(part.detected.hits), number(part.detected.alarms),
         f"{part.detected.people}", f"{part.detected.answers}",
         *([other[part.stimulus, part.kind]] if (part.stimulus, part.kind) in other else []))
        for part in found.parts
    )  # fmt: skip
    head = ("stimulus", "kind", "right", "pooled d′", "hits", "false alarms", "participants", "answers")
    note = (
        "Right: mean over participants. Hits and false alarms: pooled, by the log-linear rule. No brackets: fewer than "
        "3 participants or items."
    )
    return Table("By kind of stimulus and of participant", _beside(head, every), rows, note)


def _contrasts(found: Findings, every: Findings | None) -> Table:
    other = {(one.what, one.of): _apart(one) for one in every.contrasts} if every else {}
    rows = tuple(
        (one.what, one.of, _apart(one), p_value(one.p), f"{one.participants}", f"{one.answers}",
         *([other[one.what, one.of]] if (one.what, one.of) in other else []))
        for one in found.contrasts
    )  # fmt: skip
    head = ("difference", "of", "value", "p", "participants", "answers")
    note = (
        "Pooled answers. Two-sided t tests that treat participants and items as samples; not corrected for "
        "multiple testing."
    )
    return Table("Differences", _beside(head, every), rows, note)


def _apart(one: Contrast) -> str:
    """A difference: of shares in points, of d′ as it is."""
    return points(one.difference) if one.of != "pooled d′" else f"{one.difference:+.2f}"


def points(of: Estimate) -> str:
    """A difference of shares, in points."""
    value, *ends = (100 * end for end in of)
    brackets = "" if math.isnan(ends[0]) else f" [{number(ends[0], 1)}, {number(ends[1], 1)}]"
    return f"{minus(f'{value:+z.1f}')} points{brackets}"


def _controls(study: Study, found: Findings) -> Table:
    rows = [
        (one.called.what, percent(one.called.mean), _less(one.apart.difference, one.apart.p) if one.apart else "–",
         f"{one.called.people}", f"{one.items}", f"{one.called.answers}")
        for one in found.controls
    ]  # fmt: skip
    if found.retest:
        one = found.retest
        rows.append(
            (one.alike.what, percent(one.alike.mean), f"by chance {100 * one.by_chance:.1f} %", f"{one.alike.people}",
             "–", f"{one.pairs}")
        )  # fmt: skip
    head = ("what", "mean over participants", "compared", "participants", "items", "answers")
    said = [
        (
            "Classes without a right answer are not scored. The difference is their pooled share minus that of "
            f"{study.signal}."
        )
    ]
    said = [*(said if found.controls else []), *([AGAIN] if found.retest else [])]
    return Table("Controls and repeated items", head, tuple(rows), " ".join(said))


def _less(difference: Estimate, p: float) -> str:
    return f"{points(difference)}, p = {p_value(p)}".replace("= <", "<")


def _stretches(found: Findings) -> Table:
    rows = tuple((one.trials, percent(one.accuracy), f"{one.answers}") for one in found.stretches)
    note = "Pooled answers. The test of the second half against the first is among the differences."
    return Table("Over the session", ("trial", "right", "answers"), rows, note)


def _times(found: Findings) -> Table:
    rows = tuple(
        (one.kind, "right" if one.right else "wrong", f"{one.median:.2f} s",
         f"{one.quarter:.2f} to {one.three_quarters:.2f} s", f"{one.answers}")
        for one in found.times
    )  # fmt: skip
    note = "Time from the end of the clip, or from when answers could be given, to the answer; over all answers."
    return Table("Response times", ("class", "answer", "median", "middle half", "answers"), rows, note)


def _agreement(study: Study, found: Findings, every: Findings | None) -> Table:
    other = {row.what: row for row in every.agreement} if every else {}
    source = follows_source(study)
    rows = tuple(
        (row.what, *(_agreed(row)), f"{row.people}", f"{row.items}",
         *([f"κ {KAPPAS[row.what]:.2f}" if row.what in KAPPAS else "–"] if source else []),
         *([_agreed(other[row.what])[0]] if row.what in other else []))
        for row in found.agreement
    )  # fmt: skip
    head = ("of", "Fleiss' κ", "α", "AC1", "Randolph's κ", "raw", "participants", "items with 2 or more answers")
    return Table(
        "Agreement",
        _beside((*head, *([THEIRS] if source else [])), every),
        rows,
        f"{KAPPA}.",
        (AGAIN_DIFFERS,) if source else (),
    )


def _agreed(row: Agreement) -> tuple[str, ...]:
    if row.reason:
        return (f"undefined: {row.reason}", "", "", "", "")
    return (f"{row.kappa:.2f}", *(number(value) for value in (row.alpha, row.ac1, row.randolph, row.raw)))


def _spread(found: Findings, every: Findings | None) -> Table:
    words = {
        "items": "items (sd)",
        "bias": "participants' bias (sd)",
        "skill": "participants' skill (sd)",
        "dprime": "d′ of an average participant and average items",
    }
    rows = tuple(
        (title, f"{getattr(found.spread, name):.2f}",
         *([f"{getattr(every.spread, name):.2f}"] if every and every.spread else []))
        for name, title in words.items()
    )  # fmt: skip
    note = (
        "Crossed probit model, by the method of moments; 1 is the noise of one answer. Where items differ and "
        "accuracy is at chance, participants agree on what looks human, but they are wrong."
    )
    return Table("How much participants and items differ", _beside(("", "estimate"), every), rows, note)


def _systems(found: Findings) -> Iterator[Table]:
    for ranking in found.rankings:
        rows = tuple(
            (one.system, f"{one.strength:.2f}", f"{100 * one.wins:.0f} %", f"{one.comparisons}")
            for one in ranking.systems
        )
        title = f"Systems on {ranking.dimension} (Bradley–Terry; a win: {ranking.how})"
        yield Table(title, ("system", "strength", "won", "comparisons"), rows, ranking.remark)


def _grades(found: Findings) -> Table:
    rows = tuple(
        (one.dimension, "; ".join(f"{kind} {mean:.2f}" for kind, mean in one.means.items()),
         f"{one.area:.2f}", f"{one.dprime:.2f}", f"{one.alpha:.2f}", f"{one.answers}")
        for one in found.graded
    )  # fmt: skip
    head = ("dimension", "mean rating", "area under the ROC", "d_a", "α (ordinal)", "answers")
    return Table("Ratings", head, rows, "Over all answers (pooled). The interval of α draws items.")


def _items(analysis: Analysis, found: Findings) -> Table:
    """The items at both ends, and how many fool people."""
    ends = [*found.items[:SHOWN], *found.items[SHOWN:][-SHOWN:]]
    rows = tuple(
        (printable(row.item), row.kind, f"{row.held} of {row.of}", f"{row.share:.2f} [{row.lo:.2f}, {row.hi:.2f}]",
         p_value(row.q), row.told)
        for row in ends
    )  # fmt: skip
    what = "right" if analysis.study.trial == "two_alternative" else f"labelled {analysis.study.signal}"
    title = f"Items most and least often {what}, of {len(found.items)}"
    return Table(title, ("item", "class", what, "share", "q", ""), rows, _fooling(found))


def _fooling(found: Findings) -> str:
    """How many items fool people, how many would by chance, and how many cannot be told."""
    tested = [row for row in found.items if row.enough]
    few = len(found.items) - len(tested)
    fooling = sum(row.fools for row in found.items)
    plain = sum(row.p < LEVEL for row in tested)
    said = []
    if tested:
        found_ = (
            f"Most people are wrong about {fooling} of {len(tested)} items"
            if fooling
            else (f"No item is shown to mislead most people ({len(tested)} tested)")
        )
        said.append(
            f"{found_}. One-sided exact binomial tests; q < {LEVEL} (Benjamini–Hochberg): at most {100 * LEVEL:g} % "
            f"of the items found are expected to be chance findings. Without this correction {plain} would be found, "
            f"and chance alone gives up to {LEVEL * len(tested):.1f}."
        )
    if few:
        said.append(f"Too few answers to tell: {few} of {len(found.items)} items (fewer than 5 answers each).")
    return " ".join([*said, "Brackets of shares: Wilson's intervals."])


def _cues(analysis: Analysis) -> Table:
    rows = tuple(
        (cue.name, f"{number(cue.auc)} [{number(cue.lo)}, {number(cue.hi)}]", f"{cue.n}",
         "strong" if cue.strong else "", "on purpose" if cue.name in analysis.study.analysis.cues else "")
        for cue in analysis.cues
    )  # fmt: skip
    note = (
        "How well one simple property of the stimulus separates the classes: the share of pairs (one "
        f"{analysis.study.signal}, one {analysis.noise}) that it puts in the right order. 0.5 is chance."
    )
    return Table("Giveaway cues", ("cue", "AUC", "items", "", ""), rows, note)
