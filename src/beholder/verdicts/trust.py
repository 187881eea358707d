"""The trust line: who is best, and how far that can be relied on. One function, one sentence each, the answer first."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from beholder.core.measure import SETTLED, label
from beholder.core.scores import JUDGED
from beholder.core.verdict import Known, Verdict
from beholder.errors import listed
from beholder.verdicts.against_blind import against_blind
from beholder.verdicts.skill import skill
from beholder.verdicts.wording import cell, sentence

if TYPE_CHECKING:
    import pandas as pd

J = TypeVar("J", bound=Callable[..., Verdict])
NAMED = 4  # models, or measures, that a sentence names; it counts the others
LOST = ("worse", "equal")  # outcomes against a blind model that are no win
PEOPLE = {  # kinds of people behind a dataset, and what is said of them
    "recorded": "people were recorded",
    "published": "people's numbers are published ones",
    "remembered": "people's numbers are from memory",
    "simulated": "simulated observers: this says nothing about people",
}


class Basis(NamedTuple):
    """What a verdict rests on."""

    units: int
    datasets: tuple[str, ...]
    known: Known = Known()


class Trust(NamedTuple):
    """What is to be known of a verdict before anything else, sentence by sentence; empty where nothing is known."""

    answer: str  # who is best, or why nobody is called so
    blind: str  # whether it beats the blind models
    tuned: str  # whether a leading model was tuned on this kind of stimulus
    people: str  # how far it has come from the best blind model to people
    basis: str  # over how many units of what, and what kind of people
    judges: str  # whether the other judges agree
    best: tuple[str, ...] = ()  # who may be called best, or is not significantly worse; nobody where a blind model wins

    def __str__(self) -> str:
        return " ".join(filter(None, self[:-1]))


def trusted(judge: J) -> J:
    """A judge whose verdicts can say how far they are to be trusted: by the table that was judged, when it is asked."""

    @functools.wraps(judge)
    def give(scores: pd.DataFrame, **settings: object) -> Verdict:
        return judge(scores, **settings)._replace(trusting=functools.partial(trust_in, scores))

    return give  # type: ignore[return-value]


def trust_in(scores: pd.DataFrame, verdicts: Sequence[Verdict], known: Known) -> Trust:
    """The trust line of the first verdict on a table."""
    return trust(verdicts, against_blind(scores, known.right), skill(scores).table, basis_of(scores, known))


def basis_of(scores: pd.DataFrame, known: Known) -> Basis:
    """The units that models were judged on, and the datasets."""
    judged = scores[scores["role"].isin(JUDGED) & scores["state"].isin(SETTLED) & (scores["unit"] != "*")]
    units = len(judged[["dataset", "unit"]].drop_duplicates())
    return Basis(units, tuple(map(str, scores["dataset"].unique())), known)


def trust(verdicts: Sequence[Verdict], blind: pd.DataFrame, skill: pd.DataFrame, basis: Basis) -> Trust:
    """The trust line of the first verdict.

    `blind` is the table of `against_blind`, `skill` that of `skill`. A model that does not beat the best blind model
    on every judged measure is not called best.
    """
    first = verdicts[0]
    if not first.best:
        return Trust(sentence(first.finding), "", "", "", _basis(basis), "")
    leader = first.best[0]
    who = "It" if len(first.leading) == 1 else leader
    lost = blind[blind["model"].isin(first.best) & blind["outcome"].isin(LOST)]
    return Trust(
        _answer(first) if lost.empty else _nobody(first, blind, lost),
        _against(blind, first) if lost.empty else "",
        _tuned(first, basis.known),
        _on_the_way(skill[skill["model"] == leader], who if lost.empty else f"The leader, {leader},"),
        _basis(basis),
        _agreed(verdicts),
        first.leading if lost.empty and not first.untested else (),
    )


def _tuned(verdict: Verdict, known: Known) -> str:
    """Which leading models were tuned on stimuli of this kind, so that their lead may be theirs by tuning."""
    mine = [name for name in verdict.leading if name in known.tuned]
    if not mine:
        return ""
    on = listed(dict.fromkeys(name for model in mine for name in known.tuned[model]), most=NAMED)
    return f"{listed(mine, most=NAMED)} {'was' if len(mine) == 1 else 'were'} tuned on such stimuli ({on})."


def _answer(verdict: Verdict) -> str:
    """Who is best, or who leads and is not told apart."""
    models, leading = len(verdict.standing), verdict.leading
    if models == 1:
        return f"{leading[0]} is the only model judged, so there is nothing to compare."
    if verdict.untested:
        return f"{_lead(verdict)} {models} models; {verdict.untested}."
    if len(leading) == 1:
        return f"{leading[0]} is best of {models} models."
    if len(leading) == models:
        return f"No clear winner among {models} models."
    return f"No clear winner among {len(leading)} of {models} models: {listed(leading, most=NAMED)}."


def _lead(verdict: Verdict) -> str:
    return f"{listed(verdict.best, most=NAMED)} lead{'s' * (len(verdict.best) == 1)}"


def _nobody(verdict: Verdict, blind: pd.DataFrame, lost: pd.DataFrame) -> str:
    """That no model is called best, and because of which blind model on which measures."""
    keys = ["blind", "measure", "settings", "criterion"]
    won = blind[~blind["outcome"].isin(LOST)].groupby(keys)["model"].size()
    pairs = [tuple(key) for key in lost[keys].drop_duplicates().itertuples(index=False, name=None)]
    unbeaten = [key for key in pairs if key not in won.index]
    variants = _variants(blind)
    if unbeaten:
        return f"No model beats {_by_blind(unbeaten, variants)}."
    does = "does" if len(verdict.best) == 1 else "do"
    return f"No model is called best: {_lead(verdict)}, but {does} not beat {_by_blind(pairs, variants)}."


def _variants(blind: pd.DataFrame) -> frozenset[str]:
    """Measures that are there with several settings: only of these must a sentence name them."""
    several = blind.groupby("measure")["settings"].nunique()
    return frozenset(map(str, several.index[several > 1]))


def _by_blind(pairs: Sequence[tuple[str, str, str, str]], variants: frozenset[str]) -> str:
    """Blind models, and where nobody, or the leader, beats them."""
    cells: dict[str, list[str]] = {}
    for blind, measure, settings, criterion in pairs:
        cells.setdefault(blind, []).append(cell(measure, settings if measure in variants else "", criterion))
    each = [f"the blind model {blind} on {listed(own, most=4)}" for blind, own in cells.items()]
    return listed(each, by=" or ", most=3)


def _against(blind: pd.DataFrame, verdict: Verdict) -> str:
    """How clearly the leader beats the blind models, and who of those beside it does not."""
    leader, *beside = verdict.leading
    own = blind[blind["model"] == leader]
    if own.empty:
        return ""
    lost = set(blind.loc[blind["outcome"].isin(LOST), "model"])
    behind = [name for name in beside if name in lost]
    unsure = own.loc[own["outcome"] == "hardly", ["measure", "settings"]].itertuples(index=False, name=None)
    variants = _variants(blind)
    cells = list(dict.fromkeys(label(m, settings if m in variants else "") for m, settings in unsure))
    if not cells and not behind:
        return ("It beats", "Both beat", "All of them beat")[min(len(beside), 2)] + " every blind model."
    who = leader if beside else "It"
    but = f", but its lead on {listed(cells, most=NAMED)} may be chance" if cells else ""
    not_ = f"; {listed(behind, most=NAMED)} {'does' if len(behind) == 1 else 'do'} not" if behind else ""
    return f"{who} beats every blind model{but}{not_}."


def _on_the_way(skill: pd.DataFrame, leader: str) -> str:
    """How far the leader has come from the best blind model to people: the median over measures."""
    known = skill["skill"].dropna()
    if skill.empty:
        return ""
    if known.empty:
        return "People do not beat the blind models here."
    over = f" (median of {len(known)} measures)" if len(known) > 1 else ""
    return f"{leader} comes {100 * float(np.median(known)):.0f} % of the way from the best blind model to people{over}."


def _basis(basis: Basis) -> str:
    """Over how many units of what datasets, and what kind of people."""
    units = f"{basis.units} unit{'s' * (basis.units != 1)}" if basis.units else "the whole"
    kinds = [PEOPLE[kind] for kind in basis.known.people if kind in PEOPLE]
    return sentence("; ".join([f"Judged on {units} of {listed(basis.datasets)}", *kinds]))


def _agreed(verdicts: Sequence[Verdict]) -> str:
    """Whether all judges name the same leading models; if not, in whom they differ."""
    named = [verdict for verdict in verdicts if verdict.best]
    if len(named) < 2:
        return ""
    if len({frozenset(verdict.leading) for verdict in named}) == 1:
        return "Both judges agree." if len(named) == 2 else f"All {len(named)} judges agree."
    first, *others = named
    return f"The judges differ: beside {first.method}, {'; '.join(filter(None, (_differs(first, o) for o in others)))}."


def _differs(first: Verdict, other: Verdict) -> str:
    """In which leading models a judge differs from the first; nothing where it does not."""
    more = [name for name in other.leading if name not in first.leading]
    fewer = [name for name in first.leading if name not in other.leading]
    told = [f"also names {listed(more, most=NAMED)}"] * bool(more)
    told += [f"does not name {listed(fewer, most=NAMED)}"] * bool(fewer)
    return f"{other.method} {' and '.join(told)}" if told else ""
