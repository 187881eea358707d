"""Many benchmarks on one screen: the trust line of each in 25 words, or one row each where that is too long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from beholder.reports import _facts, _yours
from beholder.reports._lines import GAP, Printed, columns, squeezed, wrapped
from beholder.verdicts.against_blind import LOST

if TYPE_CHECKING:
    from rich.console import Console

    from beholder.evaluation.sections import Section

LEADS = 20  # columns for who leads
MINE = 11  # and for the name of the user's model
HEADS = ("benchmark", "leads", "blind?", "people", "models")
LEGEND = (
    "leads: best, or not told apart from the best; in brackets: ahead, but not called best, for a blind model reaches "
    "as much or there are too few units to test. blind?: do they beat models that do not look. people: how far from "
    "the best blind model to people"
)


def overview(console: Console, sections: Sequence[Section], most: int) -> list[Printed]:
    """Each benchmark in a sentence, or in a row where sentences would take too many lines."""
    said = list(_sentences(console, sections))
    return said if len(said) <= most else _table(console, sections, most)


def _sentences(console: Console, sections: Sequence[Section]) -> Iterator[Printed]:
    """The brief trust line of each benchmark, below the name of its domain."""
    domain = ""
    wide = max(len(section.benchmark.partition("/")[2]) for section in sections)
    for section in sections:
        own, _, name = section.benchmark.partition("/")
        if own != domain:
            yield Printed(own, "bold")
        domain = own
        text = " ".join([section.trust.brief or "Nothing was judged.", *_yours_in_short(section), *_lost(section)])
        lines = wrapped(console, text, indent=" " * (wide + 4))
        yield Printed(f"  {name:<{wide}}{GAP}{lines[0].text.strip()}")
        yield from lines[1:]


def _yours_in_short(section: Section) -> list[str]:
    own = _yours.own_models(section)[:2]
    return [f"Yours: {', '.join(f'{name} {_yours.place(section, name)}' for name in own)}."] if own else []


def _lost(section: Section) -> list[str]:
    failed = len({one.model for one in _facts.failures(section)})
    return [f"{failed} model{'s' * (failed > 1)} failed."] if failed else []


def _table(console: Console, sections: Sequence[Section], most: int) -> list[Printed]:
    """One row per benchmark; those with the user's models and with failures first where not all fit."""
    room = most - 6  # headings, how to read them, and how many are not shown
    urgent = sorted(sections, key=lambda section: not (_yours.own_models(section) or _lost(section)))[:room]
    shown = [section for section in sections if section in urgent] if len(sections) > room else list(sections)
    mine = any(_yours.own_models(section) for section in shown)
    rows = [[*HEADS[:-1], "yours" if mine else HEADS[-1]], *(_row(section, mine) for section in shown)]
    head, *lines = columns(rows, right=[] if mine else [4])
    styles = ["bold cyan" if _yours.own_models(section) else "" for section in shown]
    more = len(sections) - len(shown)
    return [
        Printed(head[: console.width], "bold"),
        *(Printed(line[: console.width], style) for line, style in zip(lines, styles, strict=True)),
        *[Printed(f"… and {more} more benchmarks", "dim")] * bool(more),
        *wrapped(console, LEGEND, "dim", most=4),
    ]


def _row(section: Section, mine: bool) -> list[str]:
    """The words of a benchmark; in the last column the user's best model, or how many were judged."""
    own, models = _yours.own_models(section), len(section.verdicts[0].standing) if section.verdicts else 0
    last = str(models)
    if mine:
        last = f"{squeezed(own[0], MINE)} {_yours.place(section, own[0])}" if own else ""
    return [section.benchmark, _leads(section), _blind(section), _people(section), last]


def _leads(section: Section) -> str:
    """Who is best or not told apart from the best; in brackets who is ahead and not called best."""
    best = section.trust.best or (section.verdicts[0].best if section.verdicts else ())
    if not best:
        return "—"
    if len(best) > 1 and len(best) == len(section.verdicts[0].standing):
        text = "no clear winner"
    else:
        more = f" +{len(best) - 1}" * (len(best) > 1)
        text = squeezed(best[0], LEADS - 2 - len(more)) + more
    return text if section.trust.best else f"({text})"


def _blind(section: Section) -> str:
    """Whether the models that lead beat the blind ones."""
    if not section.verdicts or section.blind.empty:
        return "—"
    outcomes = set(section.blind.loc[section.blind["model"].isin(section.verdicts[0].leading), "outcome"])
    if not outcomes:
        return "—"
    return "no" if outcomes & set(LOST) else "beaten" if outcomes == {"better"} else "unclear"


def _people(section: Section) -> str:
    """How far the leader has come from the best blind model to people, or that these are simulated."""
    if "simulated" in section.known.people:
        return "simulated"
    if not section.verdicts or not section.verdicts[0].best or section.skill.empty:
        return "—"
    share = section.skill.loc[section.skill["model"] == section.verdicts[0].best[0], "skill"].dropna()
    return f"{max(0.0, 100 * float(np.median(share))):.0f} %" if len(share) else "—"
