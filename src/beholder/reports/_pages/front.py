"""What the front page shows: what became of the reader's models, a card for each benchmark, and all models at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.errors import listed
from beholder.reports import _facts, _plot
from beholder.reports._pages.links import Link, thumbnail
from beholder.reports._pages.places import OWN, People, Subject, fate
from beholder.verdicts.trust import SIMULATED

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

STRIP = 5  # models on a card's strip; the reader's own always are
LONGEST = 24  # letters above a column
COLUMNS = 26  # models across the matrix of one domain


class Mini(NamedTuple):
    """The strip on a card: some models on the first measure that is judged, between blind and people."""

    panel: _plot.Panel
    marks: tuple[_plot.Mark, ...]
    more: int  # models that are not shown
    of: int  # measures that are judged
    word: str  # what the line at the good end is: people, or simulated ones


class Card(NamedTuple):
    """One benchmark in 25 words and a picture."""

    name: str
    href: str
    says: str
    people: People
    mine: tuple[tuple[str, str], ...]  # the reader's models and their places
    strip: Mini | None
    picture: str


class Cell(NamedTuple):
    """A model's place in the matrix."""

    rank: int
    blind: str
    best: bool
    tip: str


class Matrix(NamedTuple):
    """Benchmarks × models of one domain."""

    domain: str
    models: tuple[tuple[str, str, bool], ...]  # names, as they are shown, and whether they are the reader's own
    rows: tuple[tuple[str, str, People, tuple[Cell | None, ...]], ...]  # benchmark, link, people, cells
    more: int  # models that are not shown


def front(subjects: Sequence[Subject], hrefs: Sequence[str], *, link: Link, folder: Path | None) -> dict[str, Any]:
    """What the template shows above all benchmarks; those with a model of the reader's come first."""
    cards = [card(of, href, link=link, folder=folder) for of, href in zip(subjects, hrefs, strict=True)]
    facts = [of.section.facts for of in subjects]
    return {
        "own": own(subjects),
        "title": title(subjects),
        "people": kinds_of_people(subjects),
        "cards": sorted(cards, key=lambda one: not one.mine),
        "matrices": matrices(subjects, hrefs),
        "failures": sum(len(_facts.failures(of.section)) for of in subjects),
        "started": next((str(day)[:16].replace("T", " ") for one in facts if (day := one.get("started"))), ""),
    }


def title(subjects: Sequence[Subject]) -> str:
    """The first line: how the reader's own models fared; without any, how many benchmarks have a best model."""
    mine = {name for of in subjects for name in of.own}
    if mine:
        return _own_title(subjects, mine)
    clear = sum(len(of.section.trust.best) == 1 for of in subjects)
    undecided = sum(len(of.section.trust.best) > 1 for of in subjects)
    nobody = len(subjects) - clear - undecided
    told = [f"{clear} with a clear winner"] * bool(clear)
    told += [f"{undecided} without"] * bool(undecided)
    told += [f"{nobody} on which nobody can be called best"] * bool(nobody)
    return f"{len(subjects)} benchmarks: {listed(told)}."


def _own_title(subjects: Sequence[Subject], mine: set[str]) -> str:
    every = [of.places[name] for of in subjects for name in of.own]
    here = len({place.benchmark for place in every})
    best = {place.benchmark for place in every if place.called and len(place.leading) == 1}
    tied = {place.benchmark for place in every if place.called and len(place.leading) > 1} - best
    beats = {place.benchmark for place in every if place.blind == "beats"}
    who = "your model is" if len(mine) == 1 else f"your {len(mine)} models are"
    them = "It beats" if len(mine) == 1 else "They beat"
    where = f"On {here} benchmark{'s' * (here != 1)}"
    first = f"{where}, {who} clearly best on {len(best) or 'none'} and tied with the best on {len(tied) or 'none'}."
    return f"{first} {them} every blind model on {len(beats) or 'none'}."


def own(subjects: Sequence[Subject]) -> list[tuple[str, str]]:
    """The reader's models, each with a sentence."""
    names = dict.fromkeys(name for of in subjects for name in of.own)
    several = len(subjects) > 1
    found = {name: {of.section.benchmark: of.places[name] for of in subjects if name in of.places} for name in names}
    return [(name, fate(every, several=several)) for name, every in found.items()]


def kinds_of_people(subjects: Sequence[Subject]) -> list[tuple[People, int]]:
    """Which kinds of people are behind how many benchmarks."""
    count = Counter(of.people[0] for of in subjects)
    order = ("real", "published", "simulated", "none")
    return sorted(count.items(), key=lambda one: order.index(one[0].kind))


def card(of: Subject, href: str, *, link: Link, folder: Path | None) -> Card:
    """One benchmark."""
    mine = tuple((name, of.places[name].text) for name in of.own[:STRIP])
    says = of.section.trust.brief.removesuffix(SIMULATED).strip() or "Nothing was judged."  # the badge says it
    return Card(of.section.benchmark, href, says, of.people[0], mine, strip(of), picture(of.section, link, folder))


def picture(section: Section, link: Link, folder: Path | None) -> str:
    """A small picture of the first sample that was drawn, else of the whole; nothing where there is none."""
    drawn = _facts.pictures(section)
    for one in sorted(drawn, key=lambda one: one.whole):
        small = thumbnail(folder / one.path) if folder else ""
        return small or link(one.path)
    return ""


def strip(of: Subject) -> Mini | None:
    """The first judged measure, with the best models and the reader's own."""
    table = of.tables[0].judged
    if not table.cells:
        return None
    panel = _plot.panel(table, 0)
    judged = [(row, mark) for row, mark in zip(table.rows, panel.marks, strict=True) if mark and row.judged]
    mine = [mark for row, mark in judged if row.role == OWN][:STRIP]
    others = [mark for row, mark in judged if row.role != OWN][: max(2, STRIP - len(mine))]
    shown = tuple(mark for _, mark in judged if mark in mine or mark in others)
    word = "simulated" if of.people[0].kind == "simulated" else "people"
    return Mini(panel, shown, len(judged) - len(shown), len(table.cells), word)


def matrices(subjects: Sequence[Subject], hrefs: Sequence[str]) -> list[Matrix]:
    """A matrix for each domain: the table of contents."""
    domains: dict[str, list[tuple[Subject, str]]] = {}
    for of, href in zip(subjects, hrefs, strict=True):
        domains.setdefault(of.section.benchmark.split("/")[0], []).append((of, href))
    return [_matrix(domain, those) for domain, those in domains.items()]


def _matrix(domain: str, those: Sequence[tuple[Subject, str]]) -> Matrix:
    names = _columns([of for of, _ in those])
    shown = names[:COLUMNS]
    rows = tuple(
        (of.section.benchmark, href, of.people[0], tuple(_cell(of, name) for name, _ in shown)) for of, href in those
    )
    heads = tuple((name, cut(name), mine) for name, mine in shown)
    return Matrix(domain, heads, rows, len(names) - len(shown))


def cut(name: str) -> str:
    """A name short enough to stand above a column; what is cut is its middle, as settings differ at the end.

    >>> cut("sgbm(block=1,p1=8,p2=32)"), cut("sgbm(block=1,p1=16,p2=32)")
    ('sgbm(block=1,p1=8,p2=32)', 'sgbm(block=1…1=16,p2=32)')
    """
    half = LONGEST // 2
    return name if len(name) <= LONGEST else f"{name[:half]}…{name[half + 1 - LONGEST :]}"


def _columns(subjects: Sequence[Subject]) -> list[tuple[str, bool]]:
    """The models of a domain: the reader's own first, then the leaders of each benchmark, then the others.

    Those that are shown stand in the order in which benchmarks first name them, so that blocks can be seen.
    """
    mine = list(dict.fromkeys(name for of in subjects for name in of.own))
    depth = max((len(of.roles) for of in subjects), default=0)
    by_place = [name for at in range(depth) for of in subjects for name in list(of.roles)[at : at + 1]]
    every = list(dict.fromkeys([*mine, *by_place]))
    first = list(dict.fromkeys(name for of in subjects for name in of.roles))
    seen = sorted(every[:COLUMNS], key=lambda name: (name not in mine, first.index(name)))
    return [(name, name in mine) for name in (*seen, *every[COLUMNS:])]


def _cell(of: Subject, name: str) -> Cell | None:
    place = of.places.get(name)
    if place is None:
        return None
    tip = ", ".join(filter(None, (place.text, place.against or place.left_out)))
    return Cell(place.rank, place.blind, name in of.section.trust.best, f"{name} on {place.benchmark}: {tip}")
