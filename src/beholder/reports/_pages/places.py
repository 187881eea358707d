"""Where a model stands on a benchmark, in numbers and in a sentence; what is said first of the reader's own models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from beholder.core.measure import label
from beholder.core.scores import JUDGED, numbered
from beholder.errors import listed
from beholder.reports._view import Table, tables
from beholder.verdicts.against_blind import LOST

if TYPE_CHECKING:
    import pandas as pd

    from beholder.evaluation.sections import Section

OWN = "model"  # the role of what the reader brought; ours are baselines
NAMED = 3  # benchmarks that a sentence names; it counts the others


class Place(NamedTuple):
    """One model on one benchmark."""

    benchmark: str
    rank: int  # by the official judge, 1 being best; 0 where it was not judged
    joint: bool  # whether others have the same rank
    of: int
    leading: tuple[str, ...]  # the models that lead, if it is one of them
    blind: str  # beats, unsure or loses; nothing where there is no blind model
    lost_to: str  # the blind model that it is not ahead of, and on how many measures
    left_out: str
    called: bool  # whether a leader is called best here

    @property
    def text(self) -> str:
        """The rank in words, as `joint 2nd of 14`."""
        if not self.rank:
            return "not judged"
        if self.of == 1:
            return "the only model"
        return f"{'joint ' * self.joint}{ordinal(self.rank)} of {self.of}"

    @property
    def against(self) -> str:
        """What comes of it against blind models, in words."""
        words = {"beats": "beats every blind model", "unsure": "not clearly ahead of the blind models", "": ""}
        return words.get(self.blind, f"not ahead of {self.lost_to}")

    @property
    def short(self) -> str:
        """The same in a few words."""
        words = {"beats": "beats blind", "unsure": "ahead of blind, not significantly", "loses": "does not beat blind"}
        return words.get(self.blind, "")


def ordinal(rank: int) -> str:
    """A rank in words.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '102nd']
    """
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


class People(NamedTuple):
    """What stands for people on a benchmark."""

    kind: str  # real, published, simulated, none
    badge: str
    says: str


KINDS = {
    "recorded": People("real", "real people", "people were recorded"),
    "published": People("published", "published people", "people's numbers were taken from publications"),
    "remembered": People("published", "people from memory", "people's numbers are from memory"),
    "simulated": People("simulated", "simulated people", "nobody looked: people are simulated"),
}
NOBODY = People("none", "ground truth", "no people: models are held against the truth")


class Subject(NamedTuple):
    """A section with what several parts of its page, and the front page, need of it."""

    section: Section
    roles: Mapping[str, str]  # of judged models, in the order of the official standing, those left out last
    places: Mapping[str, Place]
    tables: Sequence[Table]  # over all datasets; where there are several, one for each after it
    judged: pd.DataFrame  # the rows that have a part in the verdict

    @property
    def own(self) -> list[str]:
        """The reader's own models."""
        return [name for name, role in self.roles.items() if role == OWN]

    @property
    def people(self) -> list[People]:
        """The kinds of people behind the datasets; one that says so where there are none."""
        return [KINDS[kind] for kind in self.section.known.people if kind in KINDS] or [NOBODY]


def subject(section: Section) -> Subject:
    """A section, prepared for its pages."""
    rows = section.scores.loc[section.scores["role"].isin(JUDGED), ["model", "role"]].drop_duplicates("model")
    roles = dict(zip(rows["model"].astype(str), rows["role"].astype(str), strict=True))
    standing = [str(name) for name in section.verdicts[0].standing.index] if section.verdicts else []
    ordered = {name: roles[name] for name in dict.fromkeys([*standing, *roles]) if name in roles}
    shown = tables(section)
    cells = {(cell.name, cell.criterion) for cell in shown[0].judged.cells}
    kinds, which = numbered(section.scores, ["measure", "settings", "part", "criterion"])
    wanted = np.array([(label(*name), criterion) in cells for *name, criterion in kinds], dtype=bool)
    judged = section.scores[wanted[which]]
    return Subject(section, ordered, places(section, ordered), shown, judged)


def places(section: Section, names: Iterable[str]) -> dict[str, Place]:
    """Every judged model's place."""
    verdict = section.verdicts[0] if section.verdicts else None
    standing = [str(name) for name in verdict.standing.index] if verdict else []
    levels = [str(value) for value in verdict.standing.iloc[:, 0]] if verdict and verdict.standing.size else standing
    called = bool(section.trust.best)
    found = {}
    for name in names:
        at = standing.index(name) if name in standing else -1
        rank = levels.index(levels[at]) + 1 if at >= 0 else 0
        leads = verdict.leading if verdict and name in verdict.leading else ()
        blind, lost = _against_blind(section, name)
        why = "" if not verdict else verdict.left_out.get(name, "")
        joint = bool(rank) and levels.count(levels[at]) > 1
        found[name] = Place(section.benchmark, rank, joint, len(standing), tuple(leads), blind, lost, why, called)
    return found


def _against_blind(section: Section, model: str) -> tuple[str, str]:
    """What comes of a model against the blind ones over all measures: the worst outcome, and where it loses."""
    own = section.blind[section.blind["model"] == model]
    lost = own[own["outcome"].isin(LOST)]
    if own.empty:
        return "", ""
    if lost.empty:
        return ("beats" if (own["outcome"] == "better").all() else "unsure"), ""
    where = "" if len(own) == 1 else f" on {len(lost)} of {len(own)} measures"
    return "loses", f"the blind model {lost['blind'].mode().iloc[0]}{where}"


def fate(every: Mapping[str, Place], several: bool) -> str:
    """What happened to a model, in one sentence without its name; `every` is by benchmark."""
    if len(every) == 1:
        (place,) = every.values()
        return _alone(place, several)
    found = list(every.values())
    judged = [place for place in found if place.rank]
    best = [p.benchmark for p in judged if p.called and len(p.leading) == 1]
    tied = [p.benchmark for p in judged if p.called and len(p.leading) > 1]
    beats = [p.benchmark for p in judged if p.blind == "beats"]
    loses = [p.benchmark for p in judged if p.blind == "loses"]
    told = [f"is clearly best on {len(best) or 'none'} of {len(found)} benchmarks{_names(best)}"]
    told += [f"is tied with the best on {len(tied)}{_names(tied)}"] if tied else []
    told += [f"beats every blind model on {len(beats)}"] if any(p.blind for p in judged) else []
    told += [f"is not ahead of a blind one on {len(loses)}{_names(loses)}"] if loses else []
    told += [f"was not judged on {len(found) - len(judged)}"] if len(judged) < len(found) else []
    return f"{listed(told)}."


def _alone(place: Place, several: bool) -> str:
    where = f" on {place.benchmark}" if several else ""
    against = f", and {place.against}" if place.blind == "beats" else f"; {place.against}" if place.against else ""
    if not place.rank:
        return f"was not judged{where}: {place.left_out or 'nothing could be measured'}."
    if place.of == 1:
        return f"is the only model judged{where}{against}."
    if place.leading and place.called:
        many = len(place.leading)
        best = f"is best of {place.of}{where}"
        tied = f"is one of {many} leaders of {place.of}{where}, with no clear winner"
        return f"{best if many == 1 else tied}{against}."
    return f"is {place.text}{where}{against}."


def _names(benchmarks: Sequence[str]) -> str:
    return f" ({listed(benchmarks, most=NAMED)})" if benchmarks else ""
