"""Pareto dominance over families of measures: one number per family, so that few things are traded, not many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.measure import SETTLED, label
from beholder.core.scores import JUDGED, labels, refuse_missing, whole
from beholder.core.verdict import Note, Verdict
from beholder.errors import Misuse, listed
from beholder.judges._layers import Sorted, dominance_finding, dominators, order_by
from beholder.judges._mean_contest import MeanContest, draw_shares
from beholder.stats.mean_dominance import Means
from beholder.stats.ranks import ranks, steady
from beholder.verdicts.components import Components, components
from beholder.verdicts.layout import Layout, by_unit, layout, measure_labels
from beholder.verdicts.trust import trusted
from beholder.verdicts.wording import extent, nobody, note_fewer_draws, note_once, note_small

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Families = Mapping[str, Sequence[str]]
Cells = Mapping[str, Sequence[int]]  # of each family, the numbers of its measures × criteria

CITE = "Cabezas2011"
METHOD = "Pareto dominance over families"
HOW = "its mean ranks are nowhere worse, and somewhere significantly better"


@trusted
@source(CITE)
def families(scores: pd.DataFrame, *, families: Families | None = None, draws: int = 1000, seed: int = 0) -> Verdict:
    """Sort models into layers by dominance over families of measures; each family is one number, the mean rank in it.

    r_f(a) = mean over the measures × criteria of family f of the mean over units of rank(a), ranks taken on each
    component among the models judged; ties share the mean rank. a ≺ b iff r_f(a) ≤ r_f(b) for all f, and for some f
    significantly less: by a paired t test over units, 95 % for all pairs and families together, as in `pareto`. Below
    three units the plain difference decides, and the verdict says that it was not tested. A* is the set of models that
    no other dominates. Ranks are used because the measures of a family have different units and some are unbounded: a
    rank needs no scale, and one outlying sample moves it by one place at most. Measures have equal weight within a
    family however many units they are taken over, and families are never added up. As with any rank, a model's number
    depends on the other models.

    `families` maps a name to measures: names as on their cards, or without settings for all variants of one. Measures
    in no family are not judged; a family without a measure in the table gets a note. By default every measure is its
    own family. Models without any value in a family that others have, or on most of the units, are left out by name, as
    are those with failures; other components that do not apply to every model are dropped.

    `in_best` is the share of bootstrap samples of units in which a model is in A*, with differences as uncertain as
    over all units; what was measured once over the whole dataset stays the same in each. NaN if there is only one unit.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", "u", 0, of, "", "", "all", "lower", v, 0, 0, 1, "ok", "", "")
    ...         for m, values in {"a": (1, 4, 1), "b": (2, 3, 2), "c": (3, 5, 3)}.items()
    ...         for of, v in zip(("near", "order", "far"), values)]
    >>> found = families(table(rows), families={"where": ("near", "far"), "when": ("order",)})
    >>> found.standing[["layer", "where", "when"]].to_dict("list")
    {'layer': [1, 1, 2], 'where': [1.0, 2.0, 3.0], 'when': [2.0, 1.0, 3.0]}
    """
    refuse_missing(list(scores.columns), "the table")
    rows = whole(scores)
    rows = rows.assign(label=labels(rows))
    grouped = _group(rows, families)
    judged = rows[rows["label"].isin([name for own in grouped.values() for name in own])]
    lacking = _lacking(judged, grouped)
    found = components(judged[~judged["model"].isin(list(lacking))])
    found = found._replace(left_out={**lacking, **found.left_out})
    if verdict := nobody(METHOD, found):
        return verdict._replace(cite=CITE)
    lay = layout(found)
    cells = _cells(found, lay, grouped)
    each = by_unit(ranks(found.losses, "average"), lay)
    contest = MeanContest(_means(each, lay, cells))
    order = order_by([str(name) for name in found.values.index], contest.dominance)
    (inside, _), some = draw_shares(contest, lay, draws, seed)
    fewer = note_fewer_draws(some, draws) if some else ()
    notes = (*found.notes, *_note_families(grouped, cells), *_note_unjudged(rows, grouped))
    notes += (*_note_once(lay), *fewer, *note_small(lay))
    standing = _standing(order, contest.means.settled, cells, inside)
    finding = dominance_finding(order, "", _where(cells, found))
    verdict = Verdict(METHOD, tuple(order.best), standing, finding, CITE, found.left_out, notes)
    return verdict._replace(untested=contest.untested, how=HOW)


def _group(rows: pd.DataFrame, given: Families | None) -> dict[str, list[str]]:
    """The measures of each family that are in the table, by name and settings."""
    pairs = rows[["measure", "settings"]].drop_duplicates().itertuples(index=False, name=None)
    names = {label(name, settings): name for name, settings in pairs}
    if given is None:
        return {measure: [measure] for measure in names}
    wanted = {family: [own] if isinstance(own, str) else list(own) for family, own in given.items()}
    found = {family: [m for m, name in names.items() if m in own or name in own] for family, own in wanted.items()}
    twice = [m for m in names if sum(m in own for own in found.values()) > 1]
    if twice:
        raise Misuse(f"got the measure {twice[0]!r} in two families; put it into one")
    if names and not any(found.values()):
        named = ", ".join(m for own in wanted.values() for m in own)
        raise Misuse(f"got families of {named}; none of these is in the table: {', '.join(names)}")
    return found


def _lacking(rows: pd.DataFrame, grouped: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Models that answered, and lack a whole family that another model has, or most units; and why."""
    models = rows[rows["role"].isin(JUDGED)]
    held = models[models["state"].isin(SETTLED)]
    idle = models[(models["state"] == "na") & models["model"].isin(held["model"])]
    return {**_without_units(held, idle), **_without_family(held, idle, grouped)}


def _without_family(held: pd.DataFrame, idle: pd.DataFrame, grouped: Mapping[str, Sequence[str]]) -> dict[str, str]:
    found = {}
    for family, measures in grouped.items():
        having = held[held["label"].isin(measures)]["model"].unique()
        others = idle[idle["label"].isin(measures) & ~idle["model"].isin(having)] if len(having) else idle[:0]
        for model, own in others.groupby("model", sort=False):
            found[str(model)] = f"no value in the family {family}: {own['reason'].iloc[0]}"
    return found


def _without_units(held: pd.DataFrame, idle: pd.DataFrame) -> dict[str, str]:
    unit = ["dataset", "unit"]
    every = held[unit].drop_duplicates()
    have = held[["model", *unit]].drop_duplicates().groupby("model").size()
    lack = idle[["model", *unit]].drop_duplicates().merge(every).groupby("model").size()
    rare = [str(model) for model in lack.index if 2 * have[model] < len(every)]
    return {
        model: f"has values on only {have[model]} of {len(every)} units, and would cost all models the others"
        for model in rare
    }


def _cells(found: Components, lay: Layout, grouped: Mapping[str, Sequence[str]]) -> Cells:
    """The cells (measure × criterion) of each family that has any."""
    measures = list(zip(measure_labels(found), lay.cells.tolist(), strict=True))
    cells = {family: sorted({cell for name, cell in measures if name in own}) for family, own in grouped.items()}
    return {family: own for family, own in cells.items() if own}


def _means(each: Floats, lay: Layout, cells: Cells) -> Means:
    """What each unit says of the mean rank in each family: models × units with r_f as their mean.

    Units with more components weigh more, as r_f is a mean of cells: n Σ_c rank / (units of c) / |f|. What was measured
    once is the same on every unit.
    """
    units = np.flatnonzero(lay.resampled) if lay.drawable else np.arange(len(each))
    known = ~np.isnan(each[:, :, 0])
    held, often = known.sum(axis=0), known[units].sum(axis=0) > 0  # cells without such a unit were measured once
    share = np.where(often, len(units) / np.maximum(held, 1), 0.0)
    parts = np.nan_to_num(each[units]) * share[:, None] + np.where(often[:, None], 0.0, np.nanmean(each, axis=0))
    families = [np.ascontiguousarray(steady(parts[:, own].mean(axis=1)).T) for own in cells.values()]
    nothing = np.full((2, each.shape[2], len(families)), np.nan)
    return Means(families, [units] * len(families), nothing)


def _standing(order: Sorted, numbers: Floats, cells: Cells, inside: Floats) -> pd.DataFrame:
    """Layer, mean rank in each family, share of draws in the best set, and by whom a model is dominated."""
    import pandas as pd

    columns = {"layer": order.layer, **dict(zip(cells, numbers.T, strict=True)), "in_best": inside}
    columns["dominated_by"] = dominators(order)
    return pd.DataFrame(columns, index=pd.Index(order.names, name="model")).sort_values("layer", kind="stable")


def _where(cells: Cells, found: Components) -> str:
    """What the verdict is relative to: families, units and datasets."""
    return f"the mean rank{'s' * (len(cells) > 1)} in {listed(cells)} {extent(found)}"


def _note_families(grouped: Mapping[str, Sequence[str]], cells: Cells) -> tuple[Note, ...]:
    """What the families are, and which of them no component was left of."""
    named = "; ".join(f"{family}: {', '.join(own)}" for family, own in grouped.items() if own and list(own) != [family])
    absent = [family for family, own in grouped.items() if not own]
    lost = [family for family, own in grouped.items() if own and family not in cells]
    found = [Note("method", f"families: {named}")] if named else []
    if absent:
        found.append(Note("components", f"no measure of these families is in the table: {listed(absent)}"))
    if lost:
        found.append(Note("components", f"no measure of these families applies to every model: {listed(lost)}"))
    return tuple(found)


def _note_unjudged(rows: pd.DataFrame, grouped: Mapping[str, Sequence[str]]) -> tuple[Note, ...]:
    """Measures that are in no family."""
    named = {name for own in grouped.values() for name in own}
    others = tuple(str(name) for name in rows["label"].unique() if name not in named)
    return (Note("components", f"not judged, because in no family: {listed(others)}", about=others),) if others else ()


def _note_once(lay: Layout) -> tuple[Note, ...]:
    """A note on cells that draws of units leave as they are."""
    return note_once("the same in every draw", lay.without(lay.resampled)) if lay.drawable else ()
