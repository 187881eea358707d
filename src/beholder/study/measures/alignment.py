"""How far a measure's numbers agree with people's ratings of the same items: correlations and preferences.

All are pooled over items. Scopes: `pooled` takes all items together; `within` is the mean over systems of what each
one's items give; `between` compares the systems' mean numbers with their mean ratings. A measure can rank systems well
and tell nothing about items of one system, or the reverse, so none of them stands for the others. A correlation of
fewer than 15 items, or between fewer than 15 systems, is of low confidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Result, measure
from beholder.stats import resampled_correlation
from beholder.stats.bootstrap import mean_of_known
from beholder.stats.resampled_correlation import Correlation
from beholder.stats.small_counts import POINTS, too_few
from beholder.study.answers import number
from beholder.study.pairs import pairs_of
from beholder.study.ratings import Judged, kinds_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Texts = NDArray[np.str_]
Scope = Literal["pooled", "within", "between"]

FEWEST = 3  # items or systems of which a correlation is taken: of two it is 1 or −1 whatever they are
MOST_RATERS = 50  # who have parts of their own: of a crowd the mean is enough


def _drawn(
    observed: Sequence[float], opinions: Sequence[Judged], counts: Floats, *, of: Correlation, scope: Scope = "pooled"
) -> Floats:
    """A correlation for each draw of items, by how often each stands in it."""
    said, people, systems, held = _columns(observed, opinions)
    counts = counts[:, held]
    if scope == "pooled":
        return of(said, people, counts)
    if scope == "within":
        own = [of(said[here], people[here], counts[:, here]) for _, here in _systems(systems, FEWEST)]
        return mean_of_known(np.array(own)) if own else np.full(len(counts), np.nan)
    places = [here for _, here in _systems(systems, 1)]
    often = [counts[:, here].sum(axis=1) for here in places]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [
            np.array([counts[:, here] @ column[here] / many for here, many in zip(places, often, strict=True)]).T
            for column in (said, people)
        ]
    enough = np.sum([many > 0 for many in often], axis=0) >= FEWEST
    return np.asarray(np.where(enough, resampled_correlation.in_rows(of, *means), np.nan))


@measure(
    better="higher",
    bounds=(-1, 1),
    cite="Spearman1904",
    reads=number,
    per="dataset",
    resample="cluster",
    at_once=partial(_drawn, of=resampled_correlation.spearman),
)
def spearman(observed: Sequence[float], opinions: Sequence[Judged], *, scope: Scope = "pooled") -> Result:
    """Spearman's ρ between the measure and the mean rating: does it put items in the same order as people?

    ρ = r(rank of number, rank of mean rating); ties share the mean of their ranks. The sign is kept: a measure of
    badness has ρ < 0. Not applicable below three items, or where either side is constant. `within` has a part for each
    system.

    >>> people = [Judged({"a": 1.0, "b": 2.0}), Judged({"a": 3.0}), Judged({"b": 5.0}), Judged({"a": 4.0})]
    >>> round(spearman([0.1, 0.2, 0.3, 0.9], people).value, 6)  # ranks 1 2 3 4 and 1 2 4 3
    0.8
    """
    return _correlation(resampled_correlation.spearman, observed, opinions, scope)


@measure(
    better="higher",
    bounds=(-1, 1),
    cite="Kendall1945",
    reads=number,
    per="dataset",
    resample="cluster",
    at_once=partial(_drawn, of=resampled_correlation.kendall),
)
def kendall(observed: Sequence[float], opinions: Sequence[Judged], *, scope: Scope = "pooled") -> Result:
    """Kendall's τ-b between the measure and the mean rating: pairs in the same order minus pairs in the opposite order.

    τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂)): of all n₀ pairs, n₁ are tied by the measure and n₂ by people. Not applicable
    below three items, or where either side is constant.

    >>> people = [Judged({"a": 1.0}), Judged({"a": 2.0}), Judged({"a": 2.0})]
    >>> round(kendall([1, 2, 3], people).value, 6)  # C = 2, D = 0, n₀ = 3, n₁ = 0, n₂ = 1
    0.816497
    """
    return _correlation(resampled_correlation.kendall, observed, opinions, scope)


@measure(
    better="higher",
    bounds=(-1, 1),
    cite="Pearson1895",
    reads=number,
    per="dataset",
    resample="cluster",
    at_once=partial(_drawn, of=resampled_correlation.pearson),
)
def pearson(observed: Sequence[float], opinions: Sequence[Judged], *, scope: Scope = "pooled") -> Result:
    """Pearson's r between the measure and the mean rating: how close is their relation to a straight line?

    r = Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² Σ (y − ȳ)²). Not applicable below three items, or where either side is
    constant.

    >>> people = [Judged({"a": 1.0}), Judged({"a": 3.0}), Judged({"a": 2.0})]
    >>> round(pearson([1, 2, 3], people).value, 6)
    0.5
    """
    return _correlation(resampled_correlation.pearson, observed, opinions, scope)


def _correlation(of: Correlation, observed: Sequence[float], opinions: Sequence[Judged], scope: Scope) -> Result:
    said, people, systems, _ = _columns(observed, opinions)
    if len(said) < FEWEST:
        raise NotApplicable(f"{len(said)} items; a correlation needs {FEWEST} or more")
    if np.ptp(said) == 0:
        raise NotApplicable("the measure gives every item the same value")
    if np.ptp(people) == 0:
        raise NotApplicable("people rate all items alike")
    if scope == "pooled":
        return _doubted(float(of(said, people, None)[0]), len(said), "items")
    return (_between if scope == "between" else _within)(of, said, people, systems)


def _within(of: Correlation, said: Floats, people: Floats, systems: Texts) -> Result:
    places = dict(_systems(systems, FEWEST))
    own = {name: float(of(said[here], people[here], None)[0]) for name, here in places.items()}
    held = {name: value for name, value in own.items() if not np.isnan(value)}
    if not held:
        raise NotApplicable(f"no system has {FEWEST} items on which measure and people vary")
    items = sum(len(places[name]) for name in held)
    parts = {name: value for name, value in held.items() if name}
    return _doubted(float(np.mean(list(held.values()))), items, "items", parts)


def _between(of: Correlation, said: Floats, people: Floats, systems: Texts) -> Result:
    places = [here for _, here in _systems(systems, 1)]
    if len(places) < FEWEST:
        raise NotApplicable(f"{len(places)} systems; a correlation between them needs {FEWEST} or more")
    means = np.array([[column[here].mean() for here in places] for column in (said, people)])
    return _doubted(float(of(means[0], means[1], None)[0]), len(places), "systems")


def _doubted(value: float, count: int, what: str, parts: Mapping[str, float] | None = None) -> Result:
    """A correlation, of low confidence where it rests on few points."""
    few = too_few(count, POINTS, what, of="a correlation")
    return Result(value, parts or {}, state="low" if few else "ok", reason=few)


def _columns(observed: Sequence[float], opinions: Sequence[Judged]) -> tuple[Floats, Floats, Texts, Ints]:
    """What the measure says, mean ratings and systems, of the items of which both say something; which these are."""
    said, people = np.asarray(observed, float), np.array([one.mean for one in opinions], float)
    held = np.flatnonzero(np.isfinite(said) & np.isfinite(people))
    return said[held], people[held], np.array([one.system for one in opinions])[held], held


def _systems(systems: Texts, fewest: int) -> Iterator[tuple[str, Ints]]:
    """The systems with enough items, in the table's order, and where their items stand."""
    for name in dict.fromkeys(systems.tolist()):
        here = np.flatnonzero(systems == name)
        if len(here) >= fewest:
            yield str(name), here


# Preferences


def _preferred(observed: Sequence[float], opinions: Sequence[Judged], counts: Floats) -> Floats:
    return pairs_of(observed, opinions).accuracy(counts)


@measure(
    better="higher",
    bounds=(0, 1),
    cite="Ling2025",
    reads=number,
    per="dataset",
    resample="cluster",
    at_once=_preferred,
)
def preference_accuracy(observed: Sequence[float], opinions: Sequence[Judged]) -> Result:
    """The share of pairs in which the measure prefers the item that people rate higher.

    (right + ½ ties of the measure) / pairs, so that guessing gives ½. Both items of a pair are from one group (the same
    prompt or picture), and from different systems where there are several; pairs that people rate alike are left out.
    Parts: how many pairs there are, and ties on either side. Not applicable without a pair.

    Deviation: the paper does not say which pairs it takes nor how it counts ties; these are our rules.

    >>> people = [Judged({"a": 5.0}, "x", "p"), Judged({"a": 3.0}, "y", "p"), Judged({"a": 3.0}, "z", "p")]
    >>> found = preference_accuracy([0.9, 0.9, 0.1], people)  # x before y: a tie; x before z: right; y and z: alike
    >>> found.value, dict(found.parts)
    (0.75, {'pairs': 2.0, 'ties_of_people': 1.0, 'ties_of_measure': 1.0})
    """
    found = pairs_of(observed, opinions)
    if not len(found.right):
        raise NotApplicable("no group has two items that people rate differently")
    parts = {"pairs": len(found.right), "ties_of_people": found.tied_people, "ties_of_measure": found.tied_measure}
    return Result(float(found.accuracy()[0]), {name: float(count) for name, count in parts.items()})


@measure(
    better="higher",
    bounds=(0, 1),
    cite="Ling2025",
    reads=number,
    per="group",
    resample="sample",
    draws=200,
    at_once=_preferred,
)
def preference_by_group(observed: Sequence[float], opinions: Sequence[Judged]) -> float:
    """Preference accuracy within one group (prompt or picture): (right + ½ ties of the measure) / pairs.

    Judges compare measures over groups; `preference_accuracy` instead weights a group by its pairs. Not applicable to a
    group whose items people rate alike.

    >>> preference_by_group([2, 1], [Judged({"a": 5.0}, "x", "p"), Judged({"a": 3.0}, "y", "p")])
    1.0
    """
    found = pairs_of(observed, opinions)
    if not len(found.right):
        raise NotApplicable("people rate all items of this group alike")
    return float(found.accuracy()[0])


# Rater by rater


def _by_rater(observed: Sequence[float], opinions: Sequence[Judged], counts: Floats) -> Floats:
    """The mean over raters for each draw."""
    own = [_with_some(observed, opinions, {who}, counts) for who in _raters(opinions)]
    return mean_of_known(np.array(own)) if own else np.full(len(counts), np.nan)


@measure(
    better="higher",
    bounds=(-1, 1),
    cite="Spearman1904",
    reads=number,
    per="dataset",
    resample="cluster",
    draws=200,
    at_once=_by_rater,
)
def rater_spearman(observed: Sequence[float], opinions: Sequence[Judged]) -> Result:
    """The mean over raters of Spearman's ρ with each one alone; parts: each rater, and each kind of rater.

    Σ ρ(measure, rater) / raters. It is below ρ with the mean rating, because one person's ratings are noisy. A kind of
    rater (`expertise=high`) is scored on the mean of its raters. Not applicable where no rater rated three items on
    which both vary.

    >>> people = [Judged({"a": 1.0, "b": 2.0}), Judged({"a": 2.0, "b": 1.0}), Judged({"a": 3.0, "b": 3.0})]
    >>> found = rater_spearman([1, 2, 3], people)
    >>> round(found.value, 6), {who: round(rho, 6) for who, rho in found.parts.items()}
    (0.75, {'a': 1.0, 'b': 0.5})
    """
    own = {who: float(_with_some(observed, opinions, {who})[0]) for who in _raters(opinions)}
    held = {who: value for who, value in own.items() if not np.isnan(value)}
    if not held:
        raise NotApplicable(f"no rater rated {FEWEST} items on which measure and rater vary")
    kinds: dict[str, set[str]] = {}
    for who, facts in {who: facts for one in opinions for who, facts in one.facts.items()}.items():
        for kind in kinds_of(facts):
            kinds.setdefault(kind, set()).add(who)
    parts = held if len(held) <= MOST_RATERS else {}
    some = {name: float(_with_some(observed, opinions, whom)[0]) for name, whom in kinds.items()}
    return Result(float(np.mean(list(held.values()))), {k: v for k, v in {**parts, **some}.items() if not np.isnan(v)})


def _raters(opinions: Sequence[Judged]) -> list[str]:
    return list(dict.fromkeys(who for one in opinions for who in one.values))


def _with_some(
    observed: Sequence[float], opinions: Sequence[Judged], some: set[str], counts: Floats | None = None
) -> Floats:
    """Spearman's ρ with the mean rating of some raters, for each draw."""
    theirs = [Judged({who: v for who, v in one.values.items() if who in some}) for one in opinions]
    said, ratings, _, here = _columns(observed, theirs)
    if len(here) < FEWEST:
        return np.full(1 if counts is None else len(counts), np.nan)
    return resampled_correlation.spearman(said, ratings, None if counts is None else counts[:, here])
