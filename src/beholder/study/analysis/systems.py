"""Which system's items people prefer, or take for human: Bradley–Terry over all that were shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from beholder.stats import bootstrap, bradley_terry
from beholder.stats.two_way import FEWEST
from beholder.study.analysis.trials import NOTHING, Estimate, Floats, Trials, estimate, pairs

if TYPE_CHECKING:
    import pandas as pd

    from beholder.study.analysis.answers import Export

DRAWS = 1000


class Standing(NamedTuple):
    """One system."""

    system: str
    strength: Estimate  # log odds, mean 0 over systems; its interval draws people
    wins: float  # share of comparisons won, ties one half
    comparisons: int


class Ranking(NamedTuple):
    """Systems on one dimension, the strongest first."""

    dimension: str
    how: str  # what a win is
    systems: tuple[Standing, ...]
    remark: str = ""


def names_of(export: Export, rows: pd.DataFrame) -> list[str]:
    """Who made what is in each row; things of the signal class are all of one maker, whoever they were."""
    signal = export.study.signal
    every = zip(rows["class"], rows["system"], strict=True)
    return [str(kind if kind == signal or not system else system) for kind, system in every]


def labelled(export: Export, trials: Trials) -> tuple[Ranking, ...]:
    """A yes/no study: within a participant, what is called signal wins over what is not."""
    names = names_of(export, trials.frame)
    how = f"a participant calls it {export.study.signal} but not the other"
    return _ranked(export.study.questions[0].dimension, how, trials.frame["session"].tolist(), names, trials.said)


def rated(dimension: str, export: Export, rows: pd.DataFrame, values: Floats) -> tuple[Ranking, ...]:
    """A rating: within a participant, the higher one wins."""
    how = f"a participant rates it higher on {dimension}"
    return _ranked(dimension, how, rows["session"].tolist(), names_of(export, rows), values)


def preferred(export: Export) -> tuple[Ranking, ...]:
    """Choices between two: the one that is chosen wins."""
    found: list[Ranking] = []
    rows = pairs(export)
    for dimension in dict.fromkeys(rows["dimension"]):
        own = rows[rows["dimension"] == dimension]
        sides = {}
        for place in ("first", "second"):
            named = own.rename(columns={"class": "both", "system": "systems"})
            named = named.rename(columns={f"{place}_class": "class", f"{place}_system": "system"})
            sides[place] = names_of(export, named)
        systems = sorted({*sides["first"], *sides["second"]})
        people = sorted(set(own["session"]))
        won = np.zeros((len(people), len(systems), len(systems)))
        for who, one, other, ahead in zip(own["session"], sides["first"], sides["second"], own["ahead"], strict=True):
            winner, loser = (one, other) if ahead else (other, one)
            if winner != loser:
                won[people.index(who), systems.index(winner), systems.index(loser)] += 1
        found += _standings(str(dimension), "a participant chooses it", systems, won)
    return tuple(found)


def _ranked(
    dimension: str, how: str, people: Sequence[str], systems: Sequence[str], values: Floats
) -> tuple[Ranking, ...]:
    """Wins of each participant: of each two systems, the share of pairs of their items that each wins."""
    who, person = np.unique(np.asarray(people, str), return_inverse=True)
    names, system = np.unique(np.asarray(systems, str), return_inverse=True)
    won = np.zeros((len(who), len(names), len(names)))
    for at in range(len(who)):
        own = [values[(person == at) & (system == one)] for one in range(len(names))]
        for a, mine in enumerate(own):
            for b, theirs in enumerate(own):
                if a != b and len(mine) and len(theirs):
                    apart = mine[:, None] - theirs[None, :]
                    won[at, a, b] = float(np.mean((apart > 0) + (apart == 0) / 2))
    return _standings(dimension, how, list(names), won)


def _standings(dimension: str, how: str, systems: Sequence[str], won: Floats) -> tuple[Ranking, ...]:
    """Strengths with intervals over people; nothing where there are fewer than two systems, or no comparison."""
    total = won.sum(axis=0)
    if len(systems) < 2 or not total.any():
        return ()
    games = total + total.T
    shares = total.sum(axis=1) / np.maximum(games.sum(axis=1), 1e-300)
    remark = ""
    strengths: list[Estimate] = [NOTHING] * len(systems)
    if (apart := bradley_terry.unlinked(total)) is not None:
        lone = ", ".join(str(name) for name, mine in zip(systems, apart, strict=True) if mine)
        remark = f"no strengths: no other system ever wins against {lone}"
    else:
        one = bradley_terry.strengths(total)
        often = np.concatenate(list(bootstrap.counts(len(won), draws=DRAWS, rng=np.random.default_rng(0))))
        drawn = bradley_terry.strengths(np.einsum("dp,pab->dab", often, won))
        strengths = [estimate(float(one[at]), drawn[:, at]) for at in range(len(systems))]
        if len(won) < FEWEST:
            strengths, remark = (
                [Estimate(own.value) for own in strengths],
                "too few participants for an interval",
            )
    rows = [
        Standing(str(name), strengths[at], float(shares[at]), round(float(games[at].sum())))
        for at, name in enumerate(systems)
    ]
    return (Ranking(dimension, how, tuple(sorted(rows, key=lambda row: -row.wins)), remark),)
