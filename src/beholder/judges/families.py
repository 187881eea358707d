"""Pareto dominance over families of measures: one number a family, so that few things are traded, not many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.benchmark import Verdict
from beholder.core.cite import source
from beholder.core.measure import SETTLED
from beholder.core.scores import Components, components, is_part
from beholder.errors import Misuse
from beholder.judges._layers import Sorted, order_of, says
from beholder.stats import bootstrap
from beholder.stats.fronts import Contest, affordable, front
from beholder.stats.ranks import ranks, steady
from beholder.verdicts.wording import Layout, ending, layout, listed, nobody, over, small

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Families = Mapping[str, Sequence[str]]

CITE = "Cabezas2011"
METHOD = "Pareto dominance over families"


@source(CITE)
def families(scores: pd.DataFrame, *, families: Families | None = None, draws: int = 1000, seed: int = 0) -> Verdict:
    """Layer models by dominance over families of measures, each family being one number: the mean rank in it.

    r_f(a) = mean over the measures × criteria of family f of the mean over units of rank(a), ranks counted on each
    component among the models at hand, ties at their mean place. a ≺ b iff r_f(a) ≤ r_f(b) for all f and < for some;
    A* is whom nobody dominates. Ranks, because measures of a family have unlike units and some are unbounded: a rank
    needs no scale, and one wild picture moves it by one place at most. Measures weigh alike within a family however
    many units they are taken over, and families are never added up. As with any rank, a model's number depends on who
    else is there.

    `families` maps a name to measures: names as on their cards, or without brackets for all settings of one; those that
    are in none are not judged, and a family of which the table has nothing is noted. Not given, every measure is a
    family of its own. Models without any value in a family that others have, or on most of the units, are left out
    by name, as are those with failures; other components that do not apply to every model are compared for none.

    `in_best` is the share of bootstrap samples of units in which a model is in A*; what was measured once, over the
    whole dataset, stays the same in each. NaN where there is one unit.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", "u", 0, of, "all", "lower", v, 0, 0, 1, "ok", "", "")
    ...         for m, values in {"a": (1, 4, 1), "b": (2, 3, 2), "c": (3, 5, 3)}.items()
    ...         for of, v in zip(("near", "order", "far"), values)]
    >>> found = families(table(rows), families={"where": ("near", "far"), "when": ("order",)})
    >>> found.standing[["layer", "where", "when"]].to_dict("list")
    {'layer': [1, 1, 2], 'where': [1.0, 2.0, 3.0], 'when': [2.0, 1.0, 3.0]}
    """
    grouped = _grouped(scores, families)
    judged = scores[
        scores["measure"].map(is_part) | scores["measure"].isin([m for own in grouped.values() for m in own])
    ]
    lacking = _lacking(judged, grouped)
    found = components(judged[~judged["model"].isin(list(lacking))])
    found = found._replace(left_out={**lacking, **found.left_out})
    if verdict := nobody(METHOD, found):
        return verdict._replace(cite=CITE)
    lay = layout(found)
    kinds = _kinds(found, lay, grouped)
    each = _by_unit(ranks(found.losses, "average"), lay)
    contest = Contest(_numbers(np.nanmean(each, axis=0)[None], kinds)[0])
    order = order_of([str(name) for name in found.values.index], contest)
    inside, cut = _inside(each, lay, kinds, draws, seed)
    said = says(order, "", _where(kinds, found)) + ending(found)
    notes = (*found.note, *_dropped(grouped, kinds), *_unjudged(scores, grouped), *_once(lay), *cut, *small(lay))
    return Verdict(
        METHOD, tuple(order.best), _standing(order, contest.losses, kinds, inside), said, CITE, found.left_out, notes
    )


def _grouped(scores: pd.DataFrame, given: Families | None) -> dict[str, list[str]]:
    """The measures of each family that are in the table."""
    if "measure" not in scores:
        return {}  # `components` says what is missing
    measures = [str(name) for name in scores["measure"].unique() if not is_part(name)]
    if given is None:
        return {name: [name] for name in measures}
    wanted = {family: [own] if isinstance(own, str) else list(own) for family, own in given.items()}
    found = {family: [m for m in measures if m in own or m.partition("(")[0] in own] for family, own in wanted.items()}
    twice = [m for m in measures if sum(m in own for own in found.values()) > 1]
    if twice:
        raise Misuse(f"got the measure {twice[0]!r} in two families; put it into one")
    if measures and not any(found.values()):
        named = ", ".join(m for own in wanted.values() for m in own)
        raise Misuse(f"got families of {named}; none of these is in the table: {', '.join(measures)}")
    return found


def _lacking(scores: pd.DataFrame, grouped: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Models that answered, and lack a whole family that another model has, or most units; and why."""
    models = scores[(scores["role"] == "model") & ~scores["measure"].map(is_part)]
    held = models[models["state"].isin(SETTLED)]
    idle = models[(models["state"] == "na") & models["model"].isin(held["model"])]
    return {**_rare(held, idle), **_partless(held, idle, grouped)}


def _partless(held: pd.DataFrame, idle: pd.DataFrame, grouped: Mapping[str, Sequence[str]]) -> dict[str, str]:
    found = {}
    for family, measures in grouped.items():
        having = held[held["measure"].isin(measures)]["model"].unique()
        others = idle[idle["measure"].isin(measures) & ~idle["model"].isin(having)] if len(having) else idle[:0]
        for model, own in others.groupby("model", sort=False):
            found[str(model)] = f"nothing of the family {family}: {own['reason'].iloc[0]}"
    return found


def _rare(held: pd.DataFrame, idle: pd.DataFrame) -> dict[str, str]:
    unit = ["dataset", "unit"]
    every = held[unit].drop_duplicates()
    have = held[["model", *unit]].drop_duplicates().groupby("model").size()
    lack = idle[["model", *unit]].drop_duplicates().merge(every).groupby("model").size()
    rare = [str(model) for model in lack.index if 2 * have[model] < len(every)]
    return {
        model: f"has values on {have[model]} of {len(every)} units only, and would cost others the rest"
        for model in rare
    }


def _kinds(found: Components, lay: Layout, grouped: Mapping[str, Sequence[str]]) -> dict[str, list[int]]:
    """The cells (measure × criterion) of each family that has any."""
    measures = found.values.columns.get_level_values("measure")
    cells = {family: sorted(set(lay.cells[measures.isin(list(own))])) for family, own in grouped.items()}
    return {family: own for family, own in cells.items() if own}


def _by_unit(each: Floats, lay: Layout) -> Floats:
    """Ranks as units × cells × models; NaN where a unit lacks a cell."""
    found = np.full((len(lay.strata), len(lay.names), len(each)), np.nan)
    found[lay.units, lay.cells] = each.T
    return found


def _numbers(cells: Floats, kinds: Mapping[str, Sequence[int]]) -> Floats:
    """Draws × models × families from draws × cells × models."""
    return np.stack([steady(cells[:, own].mean(axis=1)) for own in kinds.values()], axis=-1)


def _inside(
    each: Floats, lay: Layout, kinds: Mapping[str, Sequence[int]], draws: int, seed: int
) -> tuple[Floats, tuple[str, ...]]:
    """In what share of bootstrap samples of units a model is in A*, and a note where draws were saved."""
    units, cells, models = each.shape
    every = np.ones(len(kinds), dtype=bool)
    some = affordable(Contest(np.empty((models, len(kinds)))), units, draws) if lay.drawable else 0
    rng = np.random.default_rng(seed)
    means = bootstrap.means(each.reshape(units, -1), draws=some, rng=rng, strata=lay.strata)
    drawn = _numbers(means.reshape(len(means), cells, models), kinds)
    fronts = [front(Contest(own), every) for own in drawn if not np.isnan(own).any()]
    note = f"with so many models, shares of draws rest on {some} draws instead of {draws}"
    share = np.mean(fronts, axis=0) if fronts else np.full(models, np.nan)
    return share, ((note,) if 0 < some < draws else ())


def _standing(order: Sorted, numbers: Floats, kinds: Mapping[str, Sequence[int]], inside: Floats) -> pd.DataFrame:
    """Layer, mean rank in each family, share of draws in the best set, and by whom a model is dominated."""
    import pandas as pd

    by = [
        ", ".join(order.names[at] for at in own[np.argsort(order.layer[own], kind="stable")])
        for own in order.dominators
    ]
    columns = {"layer": order.layer, **dict(zip(kinds, numbers.T, strict=True)), "in_best": inside, "dominated_by": by}
    return pd.DataFrame(columns, index=pd.Index(order.names, name="model")).sort_values("layer", kind="stable")


def _where(kinds: Mapping[str, Sequence[int]], found: Components) -> str:
    """What the verdict is relative to: families, units and datasets."""
    named = f"the mean ranks in {listed(kinds)}" if len(kinds) > 1 else f"the mean rank in {listed(kinds)}"
    return f"{named} {over(found)}"


def _dropped(grouped: Mapping[str, Sequence[str]], kinds: Mapping[str, Sequence[int]]) -> tuple[str, ...]:
    """What the families are, and which of them no component was left of."""
    named = "; ".join(f"{family}: {', '.join(own)}" for family, own in grouped.items() if own and list(own) != [family])
    absent = [family for family, own in grouped.items() if not own]
    lost = [family for family, own in grouped.items() if own and family not in kinds]
    return (
        *((f"families: {named}",) if named else ()),
        *((f"of these families no measure is in the table: {listed(absent)}",) if absent else ()),
        *((f"nothing of these families applies to every model: {listed(lost)}",) if lost else ()),
    )


def _unjudged(scores: pd.DataFrame, grouped: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Measures that are in no family."""
    named = {m for own in grouped.values() for m in own}
    others = [str(m) for m in scores["measure"].unique() if not is_part(m) and m not in named]
    return (f"in no family, and so not judged: {listed(others)}",) if others else ()


def _once(lay: Layout) -> tuple[str, ...]:
    """A note on cells that draws of units leave as they are."""
    several = np.bincount(lay.strata)[lay.strata] > 1
    drawn = set(lay.cells[several[lay.units]])
    lost = [name for cell, name in enumerate(lay.names) if cell not in drawn]
    return (
        (f"measured once, over the whole dataset, and the same in every draw: {listed(lost)}",)
        if drawn and lost
        else ()
    )
