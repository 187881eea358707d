"""Pareto dominance: which models nobody beats on everything, and in what layers the others follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.verdict import Note, Verdict
from beholder.errors import Misuse, listed
from beholder.judges._component_intervals import intervals
from beholder.judges._layers import Sorted, dominance_finding, dominators, note_circles, order_of
from beholder.stats import bootstrap
from beholder.stats.dominance import boxes, margin, on_common, ordinary, strong, tolerant
from beholder.stats.fronts import Contest, affordable, membership
from beholder.verdicts.components import Components, components
from beholder.verdicts.layout import Layout, layout, measure_labels
from beholder.verdicts.wording import nobody, note_fewer_draws, note_small, scope

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Relation = Literal["pareto", "strong", "margin", "tolerant", "eps_box", "interval"]

CITE = "Cabezas2011"
METHOD = "Pareto dominance"
CROWD = 0.5  # share of undominated models above which dominance hardly separates them
# How each relation but the ordinary one is named in the sentence, and what it means.
HOW = {
    "strong": ("strongly", "a dominates b strongly iff it is better on every component"),
    "margin": ("by a margin of {}", "a dominates b by a margin iff it is better by at least that on every component"),
    "tolerant": (
        "with a tolerance of {}",
        "a dominates b with a tolerance iff it is nowhere worse by more than that, and somewhere better by more",
    ),
    "eps_box": ("in boxes of {}", "values in the same box (of that side, counted from 0) are taken as equal"),
    "interval": (
        "by intervals",
        "a dominates b by intervals iff that of a ends nowhere after that of b begins, and somewhere before",
    ),
}


@source(CITE)
def pareto(
    scores: pd.DataFrame,
    *,
    relation: Relation = "pareto",
    tolerance: float | Mapping[str, float] | None = None,
    missing: Literal["refuse", "common", "worst"] = "refuse",
    decimals: int | None = None,
    draws: int = 1000,
    seed: int = 0,
) -> Verdict:
    """Layer models by dominance over all components (unit × measure × criterion); the first layer is the best set A*.

    a ≺ b iff v_i(a) ≤ v_i(b) for all i and v_i(a) < v_i(b) for some i, with signs such that less is better.
    A* = {a ∈ A | no b ∈ A: b ≺ a}; removing it and repeating gives the further layers. Equal vectors share a layer.

    `relation`: "pareto", as above; "strong", v_i(a) < v_i(b) for all i; "margin", v_i(a) ≤ v_i(b) − τ_i for all i;
    "tolerant", v_i(a) ≤ v_i(b) + τ_i for all i and v_i(a) < v_i(b) − τ_i for some i; "eps_box", as above between
    ⌊v_i / τ_i⌋; "interval", hi_i(a) ≤ lo_i(b) for all i, strictly for some, where intervals are those of the rows, else
    a bootstrap over repeats, else components are the means over units and their intervals a bootstrap over units.
    `tolerance` τ is a number, or one for each measure by its name. Margins enlarge A*, tolerances shrink it.
    Models that are tolerant-dominated in a circle are kept together, so that A* is never empty.

    `missing`: "refuse" leaves incomplete models out by name, and compares components that do not apply to every model
    for none; "common" compares any two models on the components that both have; "worst" gives what failed or lacks the
    worst value of its component. `decimals` rounds values (not intervals) first, to reproduce a printed table.

    `in_best` is the share of bootstrap samples of units in which a model is in A*: a sample in which a unit is missing
    leaves its components out, and one that holds it twice changes nothing. `in_best_of_halves` is the same over random
    halves of the units. Both are NaN where there is one unit, or where intervals are taken over units.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "bad", "", "", "all", "lower", v, 0, 0, 1, "ok", "", "")
    ...         for m, values in {"a": (1, 4), "b": (2, 3), "c": (2, 5)}.items() for u, v in enumerate(values)]
    >>> pareto(table(rows)).standing[["layer", "dominated_by"]].to_dict("list")
    {'layer': [1, 1, 2], 'dominated_by': ['', '', 'a, b']}
    """
    _refuse_words(relation, tolerance, missing)
    found = components(scores, missing=missing)
    if decimals is not None:
        found = found._replace(values=found.values.round(decimals))
    if verdict := nobody(METHOD, found):
        return verdict._replace(cite=CITE)
    lay = layout(found)
    if relation == "interval":
        ends, by_component, notes = intervals(scores, found, lay)
        contest, drawable = Contest(ends.max(axis=0), ordinary, ends.min(axis=0)), by_component and lay.drawable
    else:
        contest = _contest(found, relation, _tolerances(found, tolerance), missing)
        drawable, notes = lay.drawable, ()
    order = order_of([str(name) for name in found.values.index], contest)
    shares, fewer = _shares(contest, lay, draws if drawable else 0, seed)
    finding = dominance_finding(order, _how(relation, tolerance, missing), scope(found))
    meaning = (Note("method", HOW[relation][1]),) if relation in HOW else ()
    notes = (*found.notes, *meaning, *_gaps(found, missing), *notes, *note_circles(order))
    notes += (*fewer, _share(len(order.best), *contest.losses.shape), *note_small(lay))
    return Verdict(METHOD, tuple(order.best), _standing(order, *shares), finding, CITE, found.left_out, notes)


def _refuse_words(relation: str, tolerance: float | Mapping[str, float] | None, missing: str) -> None:
    known = ("pareto", *HOW)
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
        raise Misuse(f"got relation='interval' with missing={missing!r}; intervals need complete models: take 'refuse'")


def _tolerances(found: Components, tolerance: float | Mapping[str, float] | None) -> Floats:
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


def _contest(found: Components, relation: Relation, tolerance: Floats, missing: str) -> Contest:
    """Losses under a relation between numbers."""
    losses = boxes(found.losses, tolerance) if relation == "eps_box" else found.losses
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


def _how(relation: Relation, tolerance: float | Mapping[str, float] | None, missing: str) -> str:
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
    text = "these lack values; any two models are compared on what both have, which is not transitive"
    if missing == "worst":
        text = "what these models lack has the worst value of its component"
    return (Note("components", f"{text}: {names}", numbers=found.gaps),)


def _share(k: int, n: int, d: int) -> Note:
    """The share of undominated models and the number of criteria, and a warning where it is too large to tell much."""
    text = f"{k} of {n} models undominated on {d} criteria (components)"
    if n > 2 and k / n > CROWD:
        text += ": with so many criteria for so few models dominance separates little; read it beside mean_rank"
    return Note("method", text, numbers={"undominated": k, "models": n, "components": d})
