"""What the front page shows: what became of the reader's models, a card for each benchmark, and all models at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.errors import listed
from beholder.reports import _facts, _plot, _view
from beholder.reports._pages.links import Link, thumbnail
from beholder.reports._pages.places import OWN, People, Place, fate, own_models, participants, people, places

if TYPE_CHECKING:
    from beholder.evaluation.sections import Section

STRIP = 5  # models on a card's strip; the reader's own always are
COLUMNS = 22  # models across the matrix of one domain
TOLD = 6  # own models that have a sentence at the top


class Mini(NamedTuple):
    """The strip on a card: some models on the first measure that is judged, between blind and people."""

    panel: _plot.Panel
    marks: tuple[_plot.Mark, ...]
    more: int
    top: str  # what the line at the good end is: people, or the truth
    edge: str  # where the numbers of those that are out of sight are


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
    models: tuple[tuple[str, bool], ...]  # names, and whether they are the reader's own
    rows: tuple[tuple[str, str, People, tuple[Cell | None, ...]], ...]  # benchmark, link, people, cells
    more: int  # models that are not shown


def front(sections: Sequence[Section], hrefs: Sequence[str], *, link: Link, folder: Path | None) -> dict[str, Any]:
    """What the template shows above all benchmarks."""
    every = [places(section) for section in sections]
    return {
        "own": own(sections, every),
        "title": title(sections, every),
        "people": people_sentence(sections),
        "cards": [
            card(section, href, found, link=link, folder=folder)
            for section, href, found in zip(sections, hrefs, every, strict=True)
        ],
        "matrices": matrices(sections, hrefs, every),
        "failures": sum(len(_facts.failures(section)) for section in sections),
        "started": next((str(day)[:16].replace("T", " ") for s in sections if (day := s.facts.get("started"))), ""),
    }


def title(sections: Sequence[Section], every: Sequence[Mapping[str, Place]]) -> str:
    """The first line: how many benchmarks have a best model, and how the reader's own fared."""
    many = len(sections)
    clear = [s for s in sections if len(s.trust.best) == 1]
    undecided = [s for s in sections if len(s.trust.best) > 1]
    mine = {name for section in sections for name in own_models(section)}
    leads = {p.benchmark for found in every for name, p in found.items() if name in mine and p.leading and p.called}
    here = {p.benchmark for found in every for name, p in found.items() if name in mine}
    if mine:
        who = "Your model leads" if len(mine) == 1 else f"Your {len(mine)} models lead"
        return f"{who} on {len(leads) or 'none'} of {len(here)} benchmark{'s' * (len(here) != 1)}."
    nobody = many - len(clear) - len(undecided)
    told = [f"{len(clear)} have a clear winner", f"{len(undecided)} have none", f"on {nobody} nobody is called best"]
    counts = [text for text, count in zip(told, (len(clear), len(undecided), nobody), strict=True) if count]
    return f"{many} benchmarks: {listed(counts)}."


def own(sections: Sequence[Section], every: Sequence[Mapping[str, Place]]) -> list[tuple[str, str]]:
    """The reader's models, each with a sentence; of very many only the first, and how many more there are."""
    names = dict.fromkeys(name for section in sections for name in own_models(section))
    told = [
        (name, fate({s.benchmark: found[name] for s, found in zip(sections, every, strict=True) if name in found}, several=len(sections) > 1))
        for name in names
    ]
    return told


def people_sentence(sections: Sequence[Section]) -> list[tuple[People, int]]:
    """Which kinds of people are behind how many benchmarks."""
    count = Counter(people(section)[0] for section in sections)
    order = ("real", "published", "simulated", "none")
    return sorted(count.items(), key=lambda one: order.index(one[0].kind))


def card(section: Section, href: str, found: Mapping[str, Place], *, link: Link, folder: Path | None) -> Card:
    """One benchmark."""
    mine = tuple((name, found[name].text) for name in own_models(section)[:STRIP])
    says = section.trust.brief or "Nothing was judged."
    return Card(section.benchmark, href, says, people(section)[0], mine, strip(section), picture(section, link, folder))


def picture(section: Section, link: Link, folder: Path | None) -> str:
    """A small picture of the first sample that was drawn, else of the whole; nothing where there is none."""
    drawn = _facts.pictures(section)
    for one in sorted(drawn, key=lambda one: one.whole):
        small = thumbnail(folder / one.path) if folder else ""
        return small or link(one.path)
    return ""


def strip(section: Section) -> Mini | None:
    """The first judged measure, with the best models and the reader's own."""
    table = _view.table(section).judged
    if not table.cells:
        return None
    panel = _plot.panel(table, 0)
    judged = [(row, mark) for row, mark in zip(table.rows, panel.marks, strict=True) if mark and row.judged]
    mine = [mark for row, mark in judged if row.role == OWN][:STRIP]
    others = [mark for row, mark in judged if row.role != OWN][: max(2, STRIP - len(mine))]
    shown = [mark for _, mark in judged if mark in mine or mark in others]
    kinds = {row.role for row in table.rows}
    top = "people" if "ceiling" in kinds else ""
    return Mini(panel, tuple(shown), len(judged) - len(shown), top, "")


def matrices(sections: Sequence[Section], hrefs: Sequence[str], every: Sequence[Mapping[str, Place]]) -> list[Matrix]:
    """A matrix for each domain: the table of contents."""
    domains = dict.fromkeys(section.benchmark.split("/")[0] for section in sections)
    return [
        _matrix(domain, [one for one in zip(sections, hrefs, every, strict=True) if one[0].benchmark.split("/")[0] == domain])
        for domain in domains
    ]


def _matrix(domain: str, those: Sequence[tuple[Section, str, Mapping[str, Place]]]) -> Matrix:
    names = _columns([section for section, _, _ in those], [found for _, _, found in those])
    shown = names[:COLUMNS]
    rows = tuple(
        (section.benchmark, href, people(section)[0], tuple(_cell(section, name, found.get(name)) for name, _ in shown))
        for section, href, found in those
    )
    return Matrix(domain, tuple(shown), rows, len(names) - len(shown))


def _columns(sections: Sequence[Section], every: Sequence[Mapping[str, Place]]) -> list[tuple[str, bool]]:
    """All models of a domain: the reader's own first, then those that are in most benchmarks, by their mean rank."""
    ranks: dict[str, list[float]] = {}
    mine: dict[str, bool] = {}
    for section, found in zip(sections, every, strict=True):
        for name, role in participants(section).items():
            place = found[name]
            mine[name] = mine.get(name, False) or role == OWN
            ranks.setdefault(name, []).append(place.rank / place.of if place.rank else 1.0)
    return sorted(mine.items(), key=lambda one: (not one[1], -len(ranks[one[0]]), sum(ranks[one[0]]) / len(ranks[one[0]])))


def _cell(section: Section, name: str, place: Place | None) -> Cell | None:
    if place is None:
        return None
    tip = ", ".join(filter(None, (place.text, place.against or place.left_out)))
    return Cell(place.rank, place.blind, name in section.trust.best, f"{name} on {section.benchmark}: {tip}")
