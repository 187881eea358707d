"""Pareto dominance: which models nobody beats on everything, and in what layers the others follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.spine.benchmark import Verdict
from beholder.spine.cite import source
from beholder.spine.judging import Layout, ending, layout, listed, nobody, scope
from beholder.spine.scores import components
from beholder.stats import bootstrap

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
# (a, b) → for each component, whether a may dominate b as far as it goes, and whether it is a strict gain.
# a dominates b iff the first holds everywhere and the second somewhere.
Relation = Callable[[Floats, Floats], tuple[Bools, Bools]]

CITE = "Cabezas2011"
MANY = 2000  # models from which moocore sorts: below, the matrix of dominance costs less than 0.2 s
FEW = 100  # models up to which all fronts of draws are found at once; above, moocore finds them faster one by one
ROOM = 20_000_000  # entries of a table of pairs by unit, or by draw: 80 MB
CROWD = 0.5  # share of undominated models above which dominance hardly separates them


def ordinary(a: Floats, b: Floats) -> tuple[Bools, Bools]:
    """a ≺ b iff a_i ≤ b_i for all i and a_i < b_i for some i, where less is better."""
    return a <= b, a < b


@source(CITE)
def pareto(scores: pd.DataFrame, *, draws: int = 1000, seed: int = 0) -> Verdict:
    """Layer models by dominance over all components (unit × measure × criterion); the first layer is the best set A*.

    a ≺ b iff v_i(a) ≤ v_i(b) for all i and v_i(a) < v_i(b) for some i, with signs such that less is better.
    A* = {a ∈ A | no b ∈ A: b ≺ a}; removing it and repeating gives the further layers. Equal vectors share a layer.
    `in_best` is the share of bootstrap samples of units in which a model is undominated: a sample in which a unit is
    missing leaves its components out, and one that holds it twice changes nothing. It is NaN where there is one unit.
    Components that do not apply to every model are compared for none; models with failures are left out by name.

    >>> from beholder.spine.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "bed", u, 0, "bad", "all", "lower", v, 0, 0, 1, "ok", "", "")
    ...         for m, values in {"a": (1, 4), "b": (2, 3), "c": (2, 5)}.items() for u, v in enumerate(values)]
    >>> pareto(table(rows)).standing[["layer", "dominated_by"]].to_dict("list")
    {'layer': [1, 1, 2], 'dominated_by': ['', '', 'a, b']}
    """
    found = components(scores)
    if verdict := nobody("Pareto dominance", found):
        return verdict._replace(cite=CITE)
    names = [str(name) for name in found.values.index]
    layer, dominators = _sorted(found.losses)
    lay = layout(found)
    inside = membership(found.losses, lay, draws=draws if lay.drawable else 0, rng=np.random.default_rng(seed))
    standing = _standing(names, layer, dominators, inside)
    best = tuple(standing.index[standing["layer"] == 1])
    says = _says(best, _excluded(names, layer, dominators), scope(found)) + ending(found)
    notes = (*found.note, _share(len(best), *found.values.shape))
    return Verdict("Pareto dominance", best, standing, says, CITE, found.left_out, notes)


def dominance(losses: Floats, relation: Relation = ordinary) -> Bools:
    """Who dominates whom: [a, b] is True iff a ≺ b.

    >>> dominance(np.array([[1.0, 2.0], [1.0, 3.0], [0.0, 4.0]])).astype(int)
    array([[0, 1, 0],
           [0, 0, 0],
           [0, 0, 0]])
    """
    rows = (relation(own, losses) for own in losses)
    return np.stack([may.all(axis=1) & gain.any(axis=1) for may, gain in rows])


def layers(dominates: Bools) -> Ints:
    """The layer of each model, from 1, by repeated removal of those whom no remaining one dominates.

    A relation with a cycle is refused: there nobody is undominated.

    >>> layers(np.array([[False, True, True], [False, False, True], [False, False, False]]))
    array([1, 2, 3])
    """
    layer = np.zeros(len(dominates), dtype=np.int64)
    left = np.ones(len(dominates), dtype=bool)
    while left.any():
        layer[left] += 1
        beaten = left & dominates[left].any(axis=0)
        if (beaten == left).all():
            raise ValueError(f"got a relation in which {left.sum()} models dominate one another; expected no cycle")
        left = beaten
    return layer


def membership(
    losses: Floats, lay: Layout, *, draws: int, rng: np.random.Generator, relation: Relation = ordinary
) -> Floats:
    """In what share of bootstrap samples of units each model is undominated; NaN without draws."""
    if not draws:
        return np.full(len(losses), np.nan)
    drawn = bootstrap.counts(len(lay.strata), draws=draws, rng=rng, strata=lay.strata)
    at_once = len(losses) <= FEW or relation is not ordinary
    if at_once and len(lay.strata) * len(losses) ** 2 <= ROOM:
        barred, gains = _pairs(losses, lay, relation)
        fronts = (_fronts(block > 0, barred, gains) for block in drawn)
    else:
        fronts = (_front(losses[:, row[lay.units] > 0], relation) for block in drawn for row in block)
    return np.asarray(sum(front.reshape(-1, len(losses)).sum(axis=0) for front in fronts) / draws)


def _pairs(losses: Floats, lay: Layout, relation: Relation) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Units × pairs (a, b): whether a unit bars a from dominating b, and whether it holds a strict gain."""
    units, models = len(lay.strata), len(losses)
    order = np.argsort(lay.units, kind="stable")
    starts = np.searchsorted(lay.units[order], np.arange(units))
    barred, gains = np.empty((2, units, models, models), dtype=np.float32)
    for a, own in enumerate(losses):
        may, gain = relation(own[order], losses[:, order])
        barred[:, a] = np.logical_or.reduceat(~may, starts, axis=1).T
        gains[:, a] = np.logical_or.reduceat(gain, starts, axis=1).T
    return barred.reshape(units, -1), gains.reshape(units, -1)


def _fronts(present: Bools, barred: NDArray[np.float32], gains: NDArray[np.float32]) -> Bools:
    """Draws × models: who is undominated when only the present units count."""
    models = round(barred.shape[1] ** 0.5)
    parts = np.array_split(present.astype(np.float32), 1 + present.shape[0] * barred.shape[1] // ROOM)
    found = [(some @ barred == 0) & (some @ gains > 0) for some in parts]
    return np.concatenate([~dominates.reshape(-1, models, models).any(axis=1) for dominates in found])


def _front(losses: Floats, relation: Relation) -> Bools:
    """Who is undominated; equal vectors all are."""
    if relation is not ordinary:
        return np.asarray(~dominance(losses, relation).any(axis=0))
    from moocore import is_nondominated

    return np.asarray(is_nondominated(np.ascontiguousarray(losses), keep_weakly=True))


def _sorted(losses: Floats) -> tuple[Ints, list[Ints]]:
    """Layers and dominators; of many models, only one dominator of the first layer each."""
    if len(losses) <= MANY:
        dominates = dominance(losses)
        return layers(dominates), [np.flatnonzero(column) for column in dominates.T]
    from moocore import pareto_rank

    layer = np.asarray(pareto_rank(losses), dtype=np.int64) + 1
    return layer, _witnesses(losses, layer)


def _witnesses(losses: Floats, layer: Ints) -> list[Ints]:
    """For each model after the first layer, one member of that layer that dominates it."""
    witness = np.full(len(losses), -1)
    for member in np.flatnonzero(layer == 1):
        open_ = np.flatnonzero((witness < 0) & (layer > 1))
        may, gain = ordinary(losses[member], losses[open_])
        witness[open_[may.all(axis=1) & gain.any(axis=1)]] = member
    return [np.array([who] if who >= 0 else [], dtype=np.int64) for who in witness]


def _standing(names: list[str], layer: Ints, dominators: list[Ints], inside: Floats) -> pd.DataFrame:
    """Layer, probability of being in the best set, and by whom a model is dominated: those of the first layer first."""
    import pandas as pd

    by = [", ".join(names[at] for at in own[np.argsort(layer[own], kind="stable")]) for own in dominators]
    columns = {"layer": layer, "in_best": inside, "dominated_by": by}
    return pd.DataFrame(columns, index=pd.Index(names, name="model")).sort_values("layer", kind="stable")


def _excluded(names: list[str], layer: Ints, dominators: list[Ints]) -> dict[str, str]:
    """Of each model outside the best set, by which members of that set it is dominated; there always is one."""
    members = {who: dominators[who][layer[dominators[who]] == 1] for who in np.argsort(layer, kind="stable")}
    return {names[who]: listed([names[at] for at in own], most=3) for who, own in members.items() if layer[who] > 1}


def _says(best: tuple[str, ...], others: dict[str, str], where: str) -> str:
    """What follows from the definition, and no more: a member of A* need not dominate every other model."""
    n, k = len(best) + len(others), len(best)
    if n == 1:
        return f"{best[0]} is the only model judged on {where}, so there is nothing to compare"
    if k == n:
        return f"none of these {n} models is dominated on {where}: {listed(best)}"
    if k == 1:
        return f"{best[0]} dominates each other one of these {n} models on {where}: {listed(others)}"
    pairs = listed([f"{name} by {by}" for name, by in others.items()], by="; ")
    return (
        f"none of these {k} of {n} models is dominated on {where}: {listed(best)}; "
        f"each other one is dominated by at least one of them ({pairs})"
    )


def _share(k: int, n: int, d: int) -> str:
    """The share of undominated models and the number of criteria, and a warning where it is too large to tell much."""
    share = f"{k} of {n} models undominated on {d} criteria (components)"
    if n <= 2 or k / n <= CROWD:
        return share
    return f"{share}: with so many criteria for so few models dominance separates little; read it beside mean_rank"
