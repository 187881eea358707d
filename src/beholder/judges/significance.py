"""Significance clusters: models that a paired test over units cannot tell from the leader share a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.verdict import Note, Verdict
from beholder.errors import Misuse, listed
from beholder.judges._blocks import Blocks, By, blocks
from beholder.stats.best_set import bounded
from beholder.stats.paired import holm, permutation, sign, wilcoxon
from beholder.stats.ranks import ranks
from beholder.stats.small_samples import mean_interval
from beholder.verdicts.components import Components, components
from beholder.verdicts.layout import layout
from beholder.verdicts.trust import trusted
from beholder.verdicts.wording import nobody, note_small, only_model, scope

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Test = Literal["wilcoxon", "sign", "permutation"]
Against = Literal["leader", "members"]

CITE = "Neilson2008, Wilcoxon1945, Holm1979"
METHOD = "significance clusters"
PAIRS = 20_000  # pairs above which Wilcoxon's test is not counted out but normal: 200 models
NAMES = {"wilcoxon": "Wilcoxon's signed-rank test", "sign": "sign test", "permutation": "permutation test"}


@trusted
@source(CITE)
def significance(
    scores: pd.DataFrame,
    *,
    test: Test = "wilcoxon",
    by: By | None = None,
    against: Against = "leader",
    alpha: float = 0.05,
    seed: int = 0,
) -> Verdict:
    """Order models by their mean over units, and cluster those that a paired test cannot tell apart.

    The best opens the first cluster; each next model joins if its test against the cluster's leader (or, with `against`
    = "members", against every member) is not significant, and otherwise opens a new one: greedy clusters, as in Neilson
    and Yang 2008. Blocks are units: components of a unit are averaged first, `by` mean, or mean rank where there are
    several measures. `test` is paired and two-sided: wilcoxon, sign or permutation (of the mean). All pairs of models
    are one family, corrected by Holm's method; `alpha` = 0.05 holds for all of them together. `p` is the corrected
    p-value of the test by which a model was placed. Units with equal values count for neither model; models that are
    equal everywhere have p = 1, and so have pairs where the test contradicts the means (one outlying unit can decide a
    mean). Not significant does not mean equal: with few units nothing is significant, and a note says so. A model that
    is not significantly worse than the leader is tied with it, whatever its cluster. Wilcoxon's test and the sign test
    are not about means: of two models with equal means, they favour one that is usually a little better and rarely much
    worse.

    Deviation: which test Neilson and Yang used could not be checked; this is their clustering with a choice of tests.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "bad", "", "", "all", "lower", v + u, 0, 0, 1, "ok", "", "")
    ...         for m, v in {"a": 0, "b": 3}.items() for u in range(6)]
    >>> significance(table(rows)).standing[["cluster", "p"]].round(5).to_dict("list")
    {'cluster': [1, 2], 'p': [nan, 0.03125]}
    """
    if test not in NAMES or against not in ("leader", "members"):
        raise Misuse(f"got test={test!r}, against={against!r}; expected {', '.join(NAMES)}; 'leader' or 'members'")
    found = components(scores)
    if verdict := nobody(METHOD, found):
        return verdict._replace(cite=CITE)
    lay = layout(found)
    units = blocks(found, lay, by)
    p = corrected(units.losses, test, np.random.default_rng(seed))
    p = np.where(contradicted(units.losses, test), 1.0, p)
    order = np.argsort(units.losses.mean(axis=1), kind="stable")
    cluster, placed = clusters(p, order, alpha, against)
    standing = _standing(found, units, (cluster, placed), order, _ends(units))
    how = f"{NAMES[test]} over {units.losses.shape[1]} units, Holm over {_counted(_pairs(len(p)))}, α = {alpha:g}"
    notes = (*found.notes, *units.notes, *_limits(units, test, alpha), *note_small(lay))
    best, tied = _leading(found, units.losses.mean(axis=1)[order], order, p[order[0]] >= alpha)
    finding = _finding(standing, best, tied, how, scope(found))
    return Verdict(METHOD, best, standing, finding, CITE, found.left_out, notes, tied)


def _leading(
    found: Components, means: Floats, order: Ints, equal: NDArray[np.bool_]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who has the least mean loss, and whom the test does not tell from the first; means are in order."""
    names = [str(found.values.index[at]) for at in order]
    first = np.isclose(means, means[0], rtol=1e-12, atol=0.0)
    tied = [name for name, at, lead in zip(names, order, first, strict=True) if equal[at] and not lead]
    return tuple(name for name, lead in zip(names, first, strict=True) if lead), tuple(tied)


def corrected(losses: Floats, test: Test, rng: np.random.Generator) -> Floats:
    """Models × models: p-values of the paired tests, corrected by Holm over all pairs; 1 on the diagonal."""
    one, other = np.triu_indices(len(losses), 1)
    many, p = len(one) > PAIRS, np.ones((len(losses), len(losses)))
    for a in range(len(losses) - 1):
        with np.errstate(invalid="ignore"):
            rest = np.nan_to_num(losses[a + 1 :] - losses[a], nan=0.0, posinf=np.inf, neginf=-np.inf)  # ∞ − ∞: no gain
        p[a, a + 1 :] = _tested(rest, test, rng, many)
    p[one, other] = p[other, one] = holm(p[one, other])
    return p


def contradicted(losses: Floats, test: Test) -> NDArray[np.bool_]:
    """Models × models: whether the mean difference points the other way than the ranks, or signs, that are tested.

    >>> mostly_better, seldom_far_worse = [1.0, 1, 1, 1, 1], [0.5, 0.6, 0.7, 0.8, 9]
    >>> contradicted(np.array([mostly_better, seldom_far_worse]), "wilcoxon")[0, 1]
    np.True_
    """
    found = np.zeros((len(losses), len(losses)), dtype=bool)
    for a in range(len(losses) if test != "permutation" else 0):
        gap = bounded(losses) - bounded(losses[a])
        weight = ranks(np.abs(gap).T, "average").T if test == "wilcoxon" else np.ones_like(gap)
        told = (np.sign(gap) * weight).sum(axis=1)
        found[a] = np.sign(told) * np.sign(gap.mean(axis=1)) < 0
    return found


def _tested(differences: Floats, test: Test, rng: np.random.Generator, many: bool) -> Floats:
    if test == "wilcoxon":
        return wilcoxon(differences, exact=not many)
    return sign(differences) if test == "sign" else permutation(differences, rng=rng)


def clusters(p: Floats, order: Ints, alpha: float, against: Against = "leader") -> tuple[Ints, Floats]:
    """The cluster of each model, from 1, and the p-value by which it was placed; NaN for the first.

    >>> p = np.array([[1, 0.5, 0.01], [0.5, 1, 0.2], [0.01, 0.2, 1]])
    >>> clusters(p, np.array([0, 1, 2]), 0.05)
    (array([1, 1, 2]), array([ nan, 0.5 , 0.01]))
    """
    cluster, placed = np.zeros(len(p), dtype=np.int64), np.full(len(p), np.nan)
    members: list[int] = []
    for model in order.tolist():
        rivals = members[:1] if against == "leader" else members
        placed[model] = p[model, rivals].min() if rivals else np.nan
        if not rivals or placed[model] < alpha:
            members = []
        members.append(model)
        cluster[model] = cluster.max() + (len(members) == 1)
    return cluster, placed


def _ends(units: Blocks) -> Floats:
    """Ends of the interval of the mean over units, in natural values, 2 × models; no rank is beyond the models."""
    if units.by == "mean_rank":
        return np.clip(mean_interval(units.losses.T, shares=False), 1, len(units.losses))
    return np.sort(mean_interval(units.losses.T) * units.sign, axis=0)


def _standing(found: Components, units: Blocks, placed: tuple[Ints, Floats], order: Ints, ends: Floats) -> pd.DataFrame:
    """Cluster, mean over units with its interval, and the p-value by which a model was placed."""
    import pandas as pd

    columns = {"cluster": placed[0], units.by: units.values, "lo": ends[0], "hi": ends[1], "p": placed[1]}
    return pd.DataFrame(columns, index=found.values.index).iloc[order]


def _pairs(models: int) -> int:
    return models * (models - 1) // 2


def _counted(pairs: int) -> str:
    return f"{pairs} pair{'s' * (pairs != 1)}"


def _limits(units: Blocks, test: Test, alpha: float) -> tuple[Note, ...]:
    """Notes where no difference, however large, could be significant, and where p-values are not exact."""
    models, n = units.losses.shape
    least = 2.0 ** (1 - n) * _pairs(models)  # all units agree, as one of 2ⁿ ways, or all the other way
    notes = []
    if models > 1 and least >= alpha:
        where = f"on {n} units with {_counted(_pairs(models))}"
        text = f"no difference can be significant {where}: p is at least {min(least, 1):.2g}"
        notes.append(Note("method", text, numbers={"p": min(least, 1), "units": n}))
    if test == "wilcoxon" and _pairs(models) > PAIRS:
        notes.append(Note("method", "with this many pairs, p-values come from the normal approximation"))
    return tuple(notes)


def _finding(standing: pd.DataFrame, best: Sequence[str], tied: Sequence[str], how: str, where: str) -> str:
    """Who leads, and who is not significantly worse; not significant is not said to be equal."""
    if len(standing) == 1:
        return only_model(best[0], where)
    by = str(standing.columns[1]).replace("_", " ")
    many = int(standing["cluster"].max())
    tail = f"{many} cluster{'s' * (many != 1)} of {len(standing)} models ({how})"
    if len(best) == len(standing):
        return f"no winner: all {len(best)} models have the same {by} on {where}; {tail}"
    lead, are = ("leads", "is") if len(best) == 1 else ("lead", "are")
    if not tied:
        return f"{listed(best)} {lead} by {by} on {where}, and every other model is significantly worse; {tail}"
    return f"{listed(best)} {lead} by {by} on {where}, but {are} not significantly better than {listed(tied)}; {tail}"
