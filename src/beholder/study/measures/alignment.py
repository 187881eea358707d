"""How far a measure's numbers agree with people's ratings of the same items: rank correlations and preferences.

All are pooled over items. Scopes: `pooled` takes all items together; `within` is the mean over systems of what each
one's items give; `between` compares the systems' mean numbers with their mean ratings. A measure can rank systems well
and tell nothing about items of one system, or the reverse, so none of them stands for the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Result, measure
from beholder.stats import rank_correlation
from beholder.stats.rank_correlation import Correlation
from beholder.study.answers import number
from beholder.study.ratings import Judged

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Scope = Literal["pooled", "within", "between"]

FEWEST = 3  # items or systems of which a correlation is taken: of two it is 1 or −1 whatever they are


def _pearson_draws(
    observed: Sequence[float], opinions: Sequence[Judged], counts: Floats, *, scope: Scope = "pooled"
) -> Floats:
    return _drawn(rank_correlation.pearson, observed, opinions, counts, scope)


def _spearman_draws(
    observed: Sequence[float], opinions: Sequence[Judged], counts: Floats, *, scope: Scope = "pooled"
) -> Floats:
    return _drawn(rank_correlation.spearman, observed, opinions, counts, scope)


def _kendall_draws(
    observed: Sequence[float], opinions: Sequence[Judged], counts: Floats, *, scope: Scope = "pooled"
) -> Floats:
    return _drawn(rank_correlation.kendall, observed, opinions, counts, scope)


@measure(
    better="higher",
    bounds=(-1, 1),
    cite="Spearman1904",
    per="dataset",
    reads=number,
    resample="cluster",
    at_once=_spearman_draws,
)
def spearman(observed: Sequence[float], opinions: Sequence[Judged], *, scope: Scope = "pooled") -> Result:
    """Spearman's ρ between what the measure says and the mean rating: does it put items in the order people do?

    Ties share the mean of their ranks. The sign is kept: a measure of badness has ρ < 0. `within`: a part per system.
    """
    return _correlation(rank_correlation.spearman, observed, opinions, scope)


@measure(
    better="higher",
    bounds=(-1, 1),
    cite="Kendall1945",
    per="dataset",
    reads=number,
    resample="cluster",
    at_once=_kendall_draws,
)
def kendall(observed: Sequence[float], opinions: Sequence[Judged], *, scope: Scope = "pooled") -> Result:
    """Kendall's τ-b between what the measure says and the mean rating: pairs in the same order less those in the other.

    τ-b leaves out pairs that are tied, on each side for itself.
    """
    return _correlation(rank_correlation.kendall, observed, opinions, scope)


@measure(
    better="higher",
    bounds=(-1, 1),
    cite="Pearson1895",
    per="dataset",
    reads=number,
    resample="cluster",
    at_once=_pearson_draws,
)
def pearson(observed: Sequence[float], opinions: Sequence[Judged], *, scope: Scope = "pooled") -> Result:
    """Pearson's r between what the measure says and the mean rating: is one a straight line of the other?"""
    return _correlation(rank_correlation.pearson, observed, opinions, scope)


def _correlation(of: Correlation, observed: Sequence[float], opinions: Sequence[Judged], scope: Scope) -> Result:
    said, people, systems = _columns(observed, opinions)
    if len(said) < FEWEST:
        raise NotApplicable(f"{len(said)} items; a correlation takes {FEWEST} or more")
    if np.ptp(said) == 0:
        raise NotApplicable("the measure says the same of every item")
    if np.ptp(people) == 0:
        raise NotApplicable("people say the same of every item")
    if scope == "pooled":
        return Result(float(of(said, people, None)[0]))
    if scope == "between":
        return _between(of, said, people, systems)
    own = {name: float(of(said[here], people[here], None)[0]) for name, here in _systems(systems)}
    held = [value for value in own.values() if not np.isnan(value)]
    if not held:
        raise NotApplicable(f"no system has {FEWEST} items on which measure and people vary")
    return Result(float(np.mean(held)), {name: value for name, value in own.items() if name})


def _between(of: Correlation, said: Floats, people: Floats, systems: Ints | NDArray[np.str_]) -> Result:
    names = list(_systems(systems, fewest=1))
    if len(names) < FEWEST:
        raise NotApplicable(f"{len(names)} systems; a correlation between them takes {FEWEST} or more")
    means = np.array([[column[here].mean() for _, here in names] for column in (said, people)])
    state = "low" if len(names) < 2 * FEWEST else "ok"
    reason = f"{len(names)} systems only" if state == "low" else ""
    return Result(float(of(means[0], means[1], None)[0]), state=state, reason=reason)  # type: ignore[arg-type]


def _drawn(
    of: Correlation, observed: Sequence[float], opinions: Sequence[Judged], counts: Floats, scope: Scope
) -> Floats:
    """A correlation for each draw of items, by how often each stands in it."""
    said, people, systems = _columns(observed, opinions)
    if scope == "pooled":
        return of(said, people, counts)
    if scope == "within":
        own = [of(said[here], people[here], counts[:, here]) for _, here in _systems(systems)]
        return _nanmean(np.array(own)) if own else np.full(len(counts), np.nan)
    places = [here for _, here in _systems(systems, fewest=1)]
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = [
            [counts[:, here] @ column[here] / counts[:, here].sum(axis=1) for here in places]
            for column in (said, people)
        ]
    found = rank_correlation.in_rows(of, np.array(sums[0]).T, np.array(sums[1]).T)
    enough = sum(counts[:, here].any(axis=1) for here in places) >= FEWEST
    return np.asarray(np.where(enough, found, np.nan))


def _nanmean(values: Floats) -> Floats:
    held = ~np.isnan(values)
    return np.asarray(np.where(held.any(axis=0), np.nansum(values, axis=0) / np.maximum(held.sum(axis=0), 1), np.nan))


def _columns(observed: Sequence[float], opinions: Sequence[Judged]) -> tuple[Floats, Floats, NDArray[np.str_]]:
    """What the measure says, the mean ratings, and the systems."""
    people = np.array([opinion.mean for opinion in opinions])
    return np.asarray(observed, float), people, np.array([opinion.system for opinion in opinions])


def _systems(systems: NDArray[np.str_], fewest: int = FEWEST) -> Iterator[tuple[str, Ints]]:
    """The systems with enough items, in the table's order, and where their items stand."""
    for name in dict.fromkeys(systems.tolist()):
        here = np.flatnonzero(systems == name)
        if len(here) >= fewest:
            yield str(name), here


# Preferences


class Pairs:
    """Pairs of items that people tell apart: of one group, and of different systems where there are several."""

    def __init__(self, observed: Sequence[float], opinions: Sequence[Judged]) -> None:
        said, people, systems = _columns(observed, opinions)
        _, group = np.unique([opinion.group for opinion in opinions], return_inverse=True)
        several = len(set(systems.tolist())) > 1
        first, second = _within_groups(group)
        if several:
            apart = systems[first] != systems[second]
            first, second = first[apart], second[apart]
        prefer = np.sign(
            np.round(people[first] - people[second], 9)
        )  # means of the same ratings may differ by rounding
        self.tied_people = int((prefer == 0).sum())
        told = prefer != 0
        self.first, self.second, prefer = first[told], second[told], prefer[told]
        says = np.sign(said[self.first] - said[self.second])
        self.tied_measure = int((says == 0).sum())
        self.right = np.where(says == 0, 0.5, says == prefer)
        self.grouped = len(np.unique(group)) > 1

    def accuracy(self, counts: Floats | None = None) -> Floats:
        """The share of pairs in which the measure prefers what people do, for each draw; a tie of it is half right.

        Groups are drawn whole, so that a pair is there as often as its items; of one group items are drawn, and a pair
        is there for each copy of the one with each of the other.
        """
        if counts is None:
            return np.array([self.right.mean()]) if len(self.right) else np.array([np.nan])
        often = counts[:, self.first] if self.grouped else counts[:, self.first] * counts[:, self.second]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(often @ self.right / often.sum(axis=1))


def _within_groups(group: Ints) -> tuple[Ints, Ints]:
    """The two items of every pair within a group."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    pairs = [np.triu_indices(len(some), 1) for some in np.split(order, starts[1:])]
    members = np.split(order, starts[1:])
    firsts = [some[one] for some, (one, _) in zip(members, pairs, strict=True)]
    seconds = [some[other] for some, (_, other) in zip(members, pairs, strict=True)]
    return np.concatenate(firsts).astype(np.int64), np.concatenate(seconds).astype(np.int64)


def _preference_draws(observed: Sequence[float], opinions: Sequence[Judged], counts: Floats) -> Floats:
    return Pairs(observed, opinions).accuracy(counts)


@measure(
    better="higher",
    bounds=(0, 1),
    cite="Ling2025",
    reads=number,
    per="dataset",
    resample="cluster",
    at_once=_preference_draws,
)
def preference_accuracy(observed: Sequence[float], opinions: Sequence[Judged]) -> Result:
    """The share of pairs in which the measure prefers the item that people rate higher.

    Pairs are of one group (the same prompt or picture) and of different systems, where there are several. Pairs that
    people rate alike are left out; a tie of the measure is half right, so that guessing gives ½. Parts: how many pairs,
    and how many ties of each side.

    Deviation: the paper does not say how it treats ties or which pairs it takes; these are our rules.
    """
    pairs = Pairs(observed, opinions)
    if not len(pairs.right):
        raise NotApplicable("there are no two items of one group that people rate differently")
    parts = {"pairs": len(pairs.right), "ties_of_people": pairs.tied_people, "ties_of_measure": pairs.tied_measure}
    return Result(float(pairs.accuracy()[0]), {name: float(count) for name, count in parts.items()})


@measure(better="higher", bounds=(0, 1), cite="Ling2025", reads=number, per="group")
def preference_by_group(observed: Sequence[float], opinions: Sequence[Judged]) -> float:
    """Preference accuracy within each group (prompt or picture): many small numbers, which tell measures apart.

    Groups are what judges compare measures over; `preference_accuracy` weighs a group by its pairs.
    """
    pairs = Pairs(observed, opinions)
    if not len(pairs.right):
        raise NotApplicable("people rate no two items of this group differently")
    return float(pairs.accuracy()[0])


@measure(better="higher", bounds=(-1, 1), cite="Spearman1904", reads=number, per="dataset")
def rater_spearman(observed: Sequence[float], opinions: Sequence[Judged]) -> Result:
    """The mean over raters of Spearman's ρ with each rater alone; parts: each rater, and each group of raters.

    It lies below ρ with the mean rating, as one person's ratings are noisy. A group (`expertise=high`) is taken by the
    mean of its raters.
    """
    said = np.asarray(observed, float)
    raters = dict.fromkeys(who for opinion in opinions for who in opinion.values)
    own = {who: _with_some(said, opinions, {who}) for who in raters}
    held = {who: value for who, value in own.items() if not np.isnan(value)}
    if not held:
        raise NotApplicable(f"no rater rated {FEWEST} items on which measure and rater vary")
    known = {who: facts for opinion in opinions for who, facts in opinion.facts.items()}
    groups: dict[str, set[str]] = {}
    for who, facts in known.items():
        for name, value in facts.items():
            groups.setdefault(f"{name}={value}", set()).add(who)
    shown = held if len(held) <= MOST_RATERS else {}
    parts = {**shown, **{name: _with_some(said, opinions, some) for name, some in groups.items()}}
    return Result(float(np.mean(list(held.values()))), {k: v for k, v in parts.items() if not np.isnan(v)})


MOST_RATERS = 50  # who have parts of their own: of a crowd the mean is enough


def _with_some(said: Floats, opinions: Sequence[Judged], some: set[str]) -> float:
    """Spearman's ρ with the mean rating of some raters."""
    rated = [
        (at, own) for at, one in enumerate(opinions) if (own := [v for who, v in one.values.items() if who in some])
    ]
    if len(rated) < FEWEST:
        return float("nan")
    here = np.array([at for at, _ in rated])
    return float(rank_correlation.spearman(said[here], np.array([np.mean(own) for _, own in rated]))[0])
