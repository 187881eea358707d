"""What the page of one benchmark shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from beholder.core.cite import bibtex
from beholder.reports import _blind, _facts, _notes, _samples, _skill, _view
from beholder.reports._all_rows import rows
from beholder.reports._drawings import drawing
from beholder.reports._numbers import NOTHING, interval, number
from beholder.reports._pages.board import boards
from beholder.reports._pages.links import Link
from beholder.reports._pages.names import shorter, split_measure
from beholder.reports._pages.pairs import pairs
from beholder.reports._pages.places import Subject
from beholder.reports._standing import StandingText, standing_text
from beholder.store.paths import distinct_slug
from beholder.verdicts.components import on_common_units
from beholder.verdicts.trust import basis_of

if TYPE_CHECKING:
    import pandas as pd

    from beholder.core.verdict import Verdict
    from beholder.evaluation.sections import Section

NO_VERDICT = "There is no verdict: nothing was judged."
SEEN = 6  # notes; more wait in a drawer
OWN_FACTS = 3  # of the reader's models that have a key fact


class Fact(NamedTuple):
    """One of the few numbers below the headline."""

    big: str
    small: str
    own: bool = False


def benchmark(of: Subject, at: int, link: Link, *, pictures: bool = True) -> dict[str, Any]:
    """What the template shows of one section; with `pictures`, pairs of models are shown with theirs."""
    section, tables, id = of.section, of.tables, f"b{at + 1}"
    judged = of.judged
    common = [(verdict, verdict.left_out) for verdict in section.common_verdicts]
    shared = on_common_units(judged) if common else judged
    return {
        "id": id,
        "file": distinct_slug(section.benchmark.replace("/", "_")),
        "name": section.benchmark,
        "version": section.version,
        "about": section.facts["about"],
        "answer": section.trust.answer if section.verdicts else NO_VERDICT,
        "lead": lead(section),
        "rest": rest(section),
        "finding": _notes.official_headline(section),
        "key_facts": key_facts(of),
        "people": of.people,
        "verdicts": _verdicts(section, _facts.verdicts(section), judged, f"{id}-judge"),
        "common": _verdicts(section, common, shared, f"{id}-common"),
        "boards": boards(tables[0].judged),
        "legend": tables[0].legend,
        "bold": any(row.best for row in tables[0].judged.rows),
        "statuses": list(dict.fromkeys(tables[0].judged.statuses())),
        "marks": tables[0].judged.marks(),
        "by_dataset": [(table.dataset, boards(table.judged)) for table in tables[1:] if table.judged.cells],
        "unjudged": [further(table.unjudged) for table in tables[:1] if table.unjudged.cells],
        "blind": _against_blind(section),
        "skill": _skilled(section),
        "caveats": _notes.caveats(section),
        "failures": _facts.failures(section),
        "notes": _folded(_notes.notes(section)),
        "made": _facts.made(section),
        "facts": section.facts,
        "pictures": [picture for picture in _facts.pictures(section) if picture.whole],
        "samples": _samples.samples(section, link),
        "rows": rows(section.scores),
        "pairs": pairs(of, link if pictures else None),
        "bibtex": bibtex(_facts.cited([section])),
        "own": of.own,
    }


def lead(section: Section) -> str:
    """What the trust line says second: whether it beats the blind models, and how far it has come to people."""
    line = section.trust
    return " ".join(filter(None, (line.blind, line.tuned, line.people))) if section.verdicts else ""


def rest(section: Section) -> str:
    """And third: what it rests on, how many runs were merged, and whether the judges agree."""
    if not section.verdicts:
        return ""
    return " ".join(filter(None, (section.trust.basis, *_merged(section), section.trust.judges)))


def _merged(section: Section) -> list[str]:
    """How many runs these scores are of, if several, and on which units they are compared."""
    if (runs := section.facts.get("runs", 1)) < 2:
        return []
    shared = [str(note) for note in section.notes if note.kind == "shared"]
    return [f"{runs} runs are merged here{'.' if shared else ', over the same units.'}", *shared]


def key_facts(of: Subject) -> list[Fact]:
    """The few numbers below the headline: the reader's models, people, how much was seen, who agrees."""
    section, every, kinds = of.section, of.places, of.people
    mine = [Fact(every[n].text, ": ".join(filter(None, (n, every[n].short))), own=True) for n in of.own]
    found = [*mine[:OWN_FACTS], Fact(kinds[0].badge, kinds[0].says)]
    whose = f"{len(mine)} of them yours" if mine else "all of them baselines"
    found.append(Fact(f"{len(every)} model{'s' * (len(every) != 1)}", whose))
    units = basis_of(of.judged, section.known).units if every else 0
    datasets = ", ".join(map(str, section.scores["dataset"].unique()))
    found += [Fact(f"{units} unit{'s' * (units != 1)}", f"of the dataset {datasets}")] if units else []
    if share := _way(section):
        found.append(share)
    if len(section.verdicts) > 1 and section.trust.judges:
        agree = "judges agree" if section.trust.agreed else "judges differ"
        found.append(Fact(agree, f"{len(section.verdicts)} judges, see below"))
    return found


def _way(section: Section) -> Fact | None:
    """How far the leader has come from the best blind model to people; nothing where people are simulated."""
    best = section.verdicts[0].best if section.verdicts else ()
    if not best or "simulated" in section.known.people:
        return None
    share = section.skill.loc[section.skill["model"] == best[0], "skill"].dropna()
    way = f"of the way from blind to people: {best[0]}"
    return None if share.empty else Fact(f"{100 * float(share.median()):.0f} %", way)


def further(table: _view.Table) -> dict[str, Any]:
    """Measures that are not judged, and parts of measures: there may be hundreds, so models stand side by side."""
    lines = []
    for at, cell in enumerate(table.cells):
        digits = table.digits(at)
        lines.append((" ".join(cell.heading), [_number(row, row.lines[at], digits) for row in table.rows]))
    return {"rows": table.rows, "lines": lines}


def _number(row: _view.Row, line: _view.Line | None, digits: Mapping[tuple[str, str], int]) -> tuple[str, str]:
    """A number, and its interval."""
    if line is None or not line.held:
        return NOTHING, ""
    most = digits[row.model, row.role]
    return number(line.value, most), interval(line.lo, line.hi, most)


def _folded(notes: list[str]) -> tuple[list[str], list[str]]:
    """The notes that are always seen, and those in a drawer; one or two are not worth a drawer."""
    return (notes, []) if len(notes) <= SEEN + 2 else (notes[:SEEN], notes[SEEN:])


def _verdicts(
    section: Section, verdicts: Sequence[tuple[Verdict, Mapping[str, str]]], scores: pd.DataFrame, id: str
) -> list[dict[str, Any]]:
    """What the template shows of verdicts on some scores; the ids in their drawings begin with `id` and a number."""
    return [
        {
            "method": verdict.method,
            "best": _facts.leading(section, verdict),
            "says": _notes.headline(section, verdict),
            "left_out": left_out,
            "standing": _standing(verdict),
            "drawing": drawing(scores, verdict, f"{id}-{at}"),
        }
        for at, (verdict, left_out) in enumerate(verdicts, 1)
    ]


def _standing(verdict: Verdict) -> StandingText:
    text = standing_text(verdict)
    return text._replace(header=tuple(shorter(text.header)))


def _against_blind(section: Section) -> _blind.Blind | None:
    """The table of signs, its headings narrow: settings stand below a measure that is alone with its name."""
    found = _blind.blind(section)
    if not found:
        return None
    split = [(split_measure(name, [other for other, _ in found.heads]), criterion) for name, criterion in found.heads]
    return found._replace(heads=tuple((name, f"{own} {criterion}".strip()) for (name, own), criterion in split))


def _skilled(section: Section) -> dict[str, Any] | None:
    """The table of skill, with plots whose axis always shows both of its ends."""
    found = _skill.skill(section)
    if not found:
        return None
    known = [any(line.held for _, line in found.table.column(at)) for at in range(len(found.heads))]
    if not any(known):
        return {"title": _skill.TITLE, "found": None, "legend": _skill.why_none(section)}
    return {
        "title": _skill.TITLE,
        "legend": _skill.LEGEND,
        "found": found,
        "boards": boards(found.with_ends.select(known), stretch=math.inf),
    }
