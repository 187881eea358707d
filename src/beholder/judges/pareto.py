"""Pareto dominance: which models nobody beats on everything, and in what layers the others follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.verdict import Note, Verdict
from beholder.errors import Misuse, listed
from beholder.judges._component_intervals import intervals
from beholder.judges._layers import Sorted, dominance_finding, dominators, note_circles, order_by, order_of
from beholder.judges._mean_contest import (
    MeanContest,
    by_intervals,
    by_numbers,
    by_significance,
    draw_shares,
    note_untested,
)
from beholder.stats import bootstrap
from beholder.stats.dominance import boxes, margin, on_common, ordinary, strong, tolerant
from beholder.stats.fronts import Contest, affordable, membership
from beholder.verdicts.components import Components, components
from beholder.verdicts.layout import Layout, layout, measure_labels
from beholder.verdicts.trust import trusted
from beholder.verdicts.wording import nobody, note_fewer_draws, note_small, scope

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Relation = Literal["pareto", "strong", "margin", "tolerant", "eps_box", "interval"]
Over = Literal["means", "units"]
Tolerance = float | Mapping[str, float] | None

CITE = "Cabezas2011"
METHOD = "Pareto dominance"
# In what sense a single undominated model is best: that it is nowhere worse holds of what was observed.
MEANS = "its means are nowhere worse, and somewhere significantly better"
UNITS = "it alone is undominated on the observed values; this was not tested"
CROWD = 0.5  # share of undominated models above which dominance hardly separates them
# How each relation but the ordinary one is named in the sentence, and what it means.
HOW = {
    "strong": ("strongly", "a dominates b strongly iff it is better on every component"),
    "margin": (
        "by a margin of {}",
        "a dominates b by a margin iff it is better by at least the margin on every component",
    ),
    "tolerant": (
        "with a tolerance of {}",
        "a dominates b with a tolerance iff it is nowhere worse by more than that, and somewhere better by more",
    ),
    "eps_box": ("in boxes of {}", "values in the same box (of that size, counted from 0) are taken as equal"),
    "interval": (
        "by intervals",
        "a dominates b by intervals iff no interval of a ends after that of b begins, and at least one ends before",
    ),
}


class Asked(NamedTuple):
    """The settings of the judge but what it is over."""

    relation: Relation
    tolerance: Tolerance
    missing: str
    draws: int
    seed: int


@trusted
@source(CITE)
def pareto(
    scores: pd.DataFrame,
    *,
    over: Over | None = None,
    relation: Relation = "pareto",
    tolerance: Tolerance = None,
    missing: Literal["refuse", "common", "worst"] = "refuse",
    decimals: int | None = None,
    draws: int = 1000,
    seed: int = 0,
) -> Verdict:
    """Sort models into layers by dominance over many criteria; the first layer, A*, is the models that no other
    dominates.

    A* = {a ∈ A | no b ∈ A: b ≺ a}; removing it and repeating gives the next layers. Equal models share a layer.

    `over` = "means", the default: components are the means over units of each measure × criterion × dataset. a ≺ b iff
    the mean of a is nowhere worse, and somewhere significantly better: Student's interval of the mean paired difference
    over units, 95 % for all pairs and components together (Bonferroni), lies on its side. Below three units, or where a
    cell was measured once, the intervals of the rows must not overlap; an unknown interval has no width, so that the
    plain difference decides. Means that differ only by rounding are equal. This is our reading of interval dominance.
    It never runs in a circle, but is not transitive: a ≺ b and b ≺ c may leave a and c undecided, since no single
    criterion need separate a from c significantly.

    `over` = "units" is the source's definition: every unit × measure × criterion is a component, and a ≺ b iff v_i(a) ≤
    v_i(b) for all i and v_i(a) < v_i(b) for some i, with signs such that less is better. With many units nearly every
    model is undominated, because each is best somewhere.

    `relation`: "pareto", as above; "strong", v_i(a) < v_i(b) for all i; "margin", v_i(a) ≤ v_i(b) − τ_i for all i;
    "tolerant", v_i(a) ≤ v_i(b) + τ_i for all i and v_i(a) < v_i(b) − τ_i for some i; "eps_box", v_i(a) ≤ v_i(b) for all
    and < for some i between ⌊v_i / τ_i⌋; "interval", hi_i(a) ≤ lo_i(b) for all i, strictly for some. That is interval
    dominance to the letter, and it rarely finds dominance: intervals must not overlap on any criterion, although paired
    units separate models much earlier. Over means, v_i are the means and the intervals are theirs; over units,
    intervals are those of the rows, else over repeats, else those of the means over units. `tolerance` τ is a number,
    or one per measure by name. Margins enlarge A*, tolerances shrink it. Models that dominate one another in a circle
    (possible with tolerances) are kept together, so that A* is never empty.

    `missing`: "refuse" leaves incomplete models out by name, and drops components that do not apply to every model;
    "common" (only over units) compares any two models on the components that both have; "worst" gives failed and
    missing values the worst value of their component. `decimals` rounds values (not intervals) first, to reproduce a
    printed table.

    `in_best` is the share of bootstrap samples of units in which a model is in A*. Over means, a bootstrap sample has
    its own means, and intervals as wide as those of all units. Over units, it leaves out the components of units that
    were not drawn; a unit drawn twice counts once. `in_best_of_halves` is the same over random halves of the units.
    Both are NaN if there is only one unit, or if over units the intervals are those of means.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "bad", "", "", "all", "lower", v, 0, 0, 1, "ok", "", "")
    ...         for m, own in {"a": (1, 4, 3), "b": (3, 1, 5), "c": (2, 5, 4)}.items() for u, v in enumerate(own)]
    >>> pareto(table(rows)).standing[["layer", "dominated_by"]].to_dict("list")
    {'layer': [1, 1, 2], 'dominated_by': ['', '', 'a']}
    >>> pareto(table(rows[:6]), over="units").best
    ('a', 'b')
    """
    over = over or ("units" if missing == "common" else "means")
    _refuse_words(over, relation, tolerance, missing)
    found = components(scores, missing=missing)
    if decimals is not None:
        found = found._replace(values=found.values.round(decimals))
    if verdict := nobody(METHOD, found):
        return verdict._replace(cite=CITE)
    asked = Asked(relation, tolerance, missing, draws, seed)
    return (_over_means if over == "means" else _over_units)(scores, found, asked)


def _over_units(scores: pd.DataFrame, found: Components, asked: Asked) -> Verdict:
    """The verdict on every unit × measure × criterion."""
    relation, tolerance, missing, draws, seed = asked
    lay = layout(found)
    if relation == "interval":
        ends, by_component, notes = intervals(scores, found, lay)
        contest, drawable = Contest(ends.max(axis=0), ordinary, ends.min(axis=0)), by_component and lay.drawable
    else:
        contest = _contest(found.losses, relation, _tolerances(found, tolerance), missing)
        drawable, notes = lay.drawable, ()
    order = order_of([str(name) for name in found.values.index], contest)
    shares, fewer = _shares(contest, lay, draws if drawable else 0, seed)
    finding = dominance_finding(order, _how(relation, tolerance, missing), scope(found))
    notes = (*found.notes, *_meaning(relation), *_gaps(found, missing), *notes, *note_circles(order))
    notes += (*fewer, _share(len(order.best), *contest.losses.shape), *note_small(lay))
    verdict = Verdict(METHOD, tuple(order.best), _standing(order, *shares), finding, CITE, found.left_out, notes)
    return verdict._replace(how=UNITS)


def _over_means(scores: pd.DataFrame, found: Components, asked: Asked) -> Verdict:
    """The verdict on the means of each measure × criterion × dataset."""
    relation, tolerance, missing, draws, seed = asked
    lay = layout(found, by_dataset=True)
    contest, notes = _of_means(scores, found, lay, relation, tolerance)
    order = order_by([str(name) for name in found.values.index], contest.dominance)
    shares, some = draw_shares(contest, lay, draws, seed)
    where = f"the means of {scope(found)}"
    if relation == "pareto":
        where += f" (to dominate: nowhere worse, {_somewhere(contest)})"
    finding = dominance_finding(order, _how(relation, tolerance, missing), where)
    notes = (*found.notes, *_meaning(relation), *_gaps(found, missing), *notes, *note_circles(order))
    notes += (*note_untested(contest, lay), *(note_fewer_draws(some, draws) if some else ()))
    notes += (_share(len(order.best), len(order.names), len(lay.names), "means"), *note_small(lay))
    verdict = Verdict(METHOD, tuple(order.best), _standing(order, *shares), finding, CITE, found.left_out, notes)
    return verdict._replace(untested=contest.untested, how=MEANS if relation == "pareto" else "")


def _of_means(
    scores: pd.DataFrame, found: Components, lay: Layout, relation: Relation, tolerance: Tolerance
) -> tuple[MeanContest, tuple[Note, ...]]:
    """Means under a relation, and notes on it."""
    if relation == "pareto":
        return by_significance(scores, found, lay), ()
    if relation == "interval":
        return by_intervals(scores, found, lay)
    size = _tolerances(found, tolerance)[np.unique(lay.cells, return_index=True)[1]]
    return by_numbers(found, lay, lambda values: _contest(values, relation, size)), ()


def _somewhere(contest: MeanContest) -> str:
    """What it takes to be better somewhere."""
    if any(contest.tested):
        return "somewhere significantly better by a paired t test, corrected for all pairs and means"
    return "somewhere better with intervals apart" if contest.known else "somewhere better; too few units to test it"


def _meaning(relation: Relation) -> tuple[Note, ...]:
    return (Note("method", HOW[relation][1]),) if relation in HOW else ()


def _refuse_words(over: str, relation: str, tolerance: Tolerance, missing: str) -> None:
    known = ("pareto", *HOW)
    if over not in ("means", "units"):
        raise Misuse(f"got over={over!r}; expected 'means' or 'units'")
    if relation not in known:
        raise Misuse(f"got relation={relation!r}; expected one of {', '.join(known)}")
    if missing not in ("refuse", "common", "worst"):
        raise Misuse(f"got missing={missing!r}; expected 'refuse', 'common' or 'worst'")
    needed = relation in ("margin", "tolerant", "eps_box")
    if needed and tolerance is None:
        raise Misuse(
            f"relation={relation!r} needs a tolerance; give tolerance=0.5, or one for each measure by its name"
        )
    if tolerance is not None and not needed:
        raise Misuse(
            f"got a tolerance with relation={relation!r}, which has none; expected margin, tolerant or eps_box"
        )
    if relation == "interval" and missing != "refuse":
        raise Misuse(f"got relation='interval' with missing={missing!r}; intervals need complete models: use 'refuse'")
    if over == "means" and missing == "common":
        raise Misuse(
            "got missing='common' with over='means'; means need complete models: use over='units' or missing='refuse'"
        )


def _tolerances(found: Components, tolerance: Tolerance) -> Floats:
    """τ of each component."""
    measures = measure_labels(found)
    if isinstance(tolerance, Mapping):
        if unknown := [name for name in measures if name not in tolerance]:
            raise Misuse(f"got no tolerance for the measure {unknown[0]!r}; give one for each, 0 where there is none")
        given = np.array([tolerance[name] for name in measures], dtype=float)
    else:
        given = np.full(len(measures), float(tolerance or 0.0))
    if not (given >= 0).all():
        raise Misuse(f"got a tolerance of {given.min():g}; expected 0 or more")
    return given


def _contest(losses: Floats, relation: Relation, tolerance: Floats, missing: str = "") -> Contest:
    """Losses under a relation between numbers."""
    losses = boxes(losses, tolerance) if relation == "eps_box" else losses
    kinds = {"strong": strong, "margin": margin(tolerance), "tolerant": tolerant(tolerance)}
    kind = kinds.get(relation, ordinary)
    return Contest(losses, on_common(kind) if missing == "common" else kind)


def _shares(contest: Contest, lay: Layout, draws: int, seed: int) -> tuple[tuple[Floats, Floats], tuple[Note, ...]]:
    """In what share of bootstrap samples and of random halves a model is in A*, and a note where draws were saved."""
    units, rng = len(lay.strata), np.random.default_rng(seed)
    some = affordable(contest, units, draws)
    kinds = (bootstrap.counts, bootstrap.halves)
    sampled, halved = (
        membership(contest, lay.units, kind(units, draws=some, rng=rng, strata=lay.strata)) for kind in kinds
    )
    return (sampled, halved), note_fewer_draws(some, draws)


def _standing(order: Sorted, sampled: Floats, halved: Floats) -> pd.DataFrame:
    """Layer, shares of draws in the best set, and by whom a model is dominated."""
    import pandas as pd

    shares = {"in_best": sampled, "in_best_of_halves": halved}
    columns = {"layer": order.layer, **shares, "dominated_by": dominators(order)}
    return pd.DataFrame(columns, index=pd.Index(order.names, name="model")).sort_values("layer", kind="stable")


def _how(relation: Relation, tolerance: Tolerance, missing: str) -> str:
    """The relation in the words of the sentence, with a space before."""
    several = tolerance.items() if isinstance(tolerance, Mapping) else ()
    size = ", ".join(f"{value:g} ({name})" for name, value in several) or tolerance
    words = f" {HOW[relation][0].format(size)}" if relation in HOW else ""
    return words + (" on what both have" if missing == "common" else "")


def _gaps(found: Components, missing: str) -> tuple[Note, ...]:
    """A note on models that lack values, and what was made of it."""
    if not found.gaps:
        return ()
    names = listed([f"{name} ({many} of {found.values.shape[1]})" for name, many in found.gaps.items()])
    text = "some models lack values: any two are compared on the values that both have, which is not transitive"
    if missing == "worst":
        text = "missing values count as the worst value of their component"
    return (Note("components", f"{text}: {names}", numbers=found.gaps),)


def _share(k: int, n: int, d: int, of: str = "components") -> Note:
    """The share of undominated models and the number of criteria, and a warning where it is too large to tell much."""
    text = f"{k} of {n} models undominated on {d} {'criterion' if d == 1 else 'criteria'} ({of})"
    if n > 2 and k / n > CROWD:
        text += ": dominance separates few of them, so read it beside mean_rank"
    return Note("method", text, numbers={"undominated": k, "models": n, of: d})
