"""The trust line: who is best, and how far that can be relied on. One function, one sentence each, the answer first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from beholder.core.measure import label
from beholder.core.verdict import Verdict
from beholder.errors import listed
from beholder.verdicts.wording import cell

if TYPE_CHECKING:
    import pandas as pd

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
    people: tuple[str, ...]  # kinds of them


class Trust(NamedTuple):
    """What is to be known of a verdict before anything else, sentence by sentence; empty where nothing is known."""

    answer: str  # who is best, or why nobody is called so
    blind: str  # whether it beats the blind models
    people: str  # how far it has come from the best blind model to people
    basis: str  # over how many units of what, and what kind of people
    judges: str  # whether the other judges agree

    def __str__(self) -> str:
        return " ".join(filter(None, self))


def trust(verdicts: Sequence[Verdict], blind: pd.DataFrame, skill: pd.DataFrame, basis: Basis) -> Trust:
    """The trust line of the first verdict.

    `blind` is the table of `against_blind`, `skill` that of `skill`. A model that does not beat the best blind model
    on every judged measure is not called best.
    """
    first = verdicts[0]
    if not first.best:
        return Trust(_sentence(first.finding), "", "", _basis(basis), "")
    leader = first.best[0]
    who = "It" if len(first.leading) == 1 else leader
    lost = blind[blind["model"].isin(first.best) & blind["outcome"].isin(LOST)]
    return Trust(
        _answer(first) if lost.empty else _nobody(first, blind, lost),
        _against(blind[blind["model"] == leader], who) if lost.empty else "",
        _on_the_way(skill[skill["model"] == leader], who if lost.empty else leader),
        _basis(basis),
        _agreed(verdicts),
    )


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
    if unbeaten:
        return f"No model beats {_by_blind(unbeaten)}."
    does = "does" if len(verdict.best) == 1 else "do"
    return f"No model is called best: {_lead(verdict)}, but {does} not beat {_by_blind(pairs)}."


def _by_blind(pairs: Sequence[tuple[str, str, str, str]]) -> str:
    """Blind models, and where nobody, or the leader, beats them."""
    cells: dict[str, list[str]] = {}
    for blind, measure, settings, criterion in pairs:
        cells.setdefault(blind, []).append(cell(measure, settings, criterion))
    each = [f"the blind model {blind} on {listed(own, most=4)}" for blind, own in cells.items()]
    return listed(each, by=" or ", most=3)


def _against(blind: pd.DataFrame, leader: str) -> str:
    """How clearly the leader beats the blind models."""
    if blind.empty:
        return ""
    unsure = blind.loc[blind["outcome"] == "hardly", ["measure", "settings"]].itertuples(index=False, name=None)
    cells = list(dict.fromkeys(label(*pair) for pair in unsure))
    but = f", but its lead on {listed(cells, most=NAMED)} may be chance" if cells else ""
    return f"{leader} beats every blind model{but}."


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
    kinds = [PEOPLE[kind] for kind in basis.people if kind in PEOPLE]
    return _sentence("; ".join([f"Judged on {units} of {listed(basis.datasets)}", *kinds]))


def _agreed(verdicts: Sequence[Verdict]) -> str:
    """Whether all judges name the same models as best, or as not significantly worse; if not, whom each names."""
    named = [verdict for verdict in verdicts if verdict.best]
    if len(named) < 2:
        return ""
    if len({frozenset(verdict.leading) for verdict in named}) == 1:
        return "Both judges agree." if len(named) == 2 else f"All {len(named)} judges agree."
    each = "; ".join(f"{verdict.method}: {listed(verdict.leading, most=NAMED)}" for verdict in named)
    return f"The judges name different models ({each})."


def _sentence(text: str) -> str:
    line = text.strip()
    return line[0].upper() + line[1:] + ("" if line[-1] in ".!?…" else ".") if line else ""
