"""Friedman's test and Nemenyi's critical difference: mean ranks over units, and who is too close to call."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.verdict import Note, Verdict
from beholder.errors import Misuse, listed
from beholder.judges._blocks import By, blocks
from beholder.stats.friedman import critical_difference, friedman, groups
from beholder.stats.ranks import ranks
from beholder.stats.small_samples import mean_interval
from beholder.verdicts.components import Components, components
from beholder.verdicts.layout import layout
from beholder.verdicts.trust import trusted
from beholder.verdicts.wording import nobody, note_small, only_model, scope, too_few

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CITE = "Demsar2006, Friedman1937, Nemenyi1963"
METHOD = "Friedman–Nemenyi"
NOTED = 12  # groups that have notes of their own; the letters of the standing have them all


@trusted
@source(CITE)
def nemenyi(scores: pd.DataFrame, *, alpha: float = 0.05, by: By | None = None) -> Verdict:
    """Rank models on every unit; two models differ if their mean ranks differ by more than the critical difference CD.

    CD = q_α √(k (k + 1) / (6 N)) for k models on N units (Demšar 2006). Components of a unit are averaged first, `by`
    mean, or mean rank where there are several measures: criteria of one unit are not independent blocks. Ties share the
    mean of their ranks. Where Friedman's test finds no difference at all (p ≥ α), all models are in one group. `groups`
    are letters: models that share one do not differ significantly; the best set is the first group. The critical
    difference is `standing.attrs["critical_difference"]`. Both tests are approximate: of two equal models on eight
    units, one is called better in 9 % of tables. Below six units the verdict says that nothing can be tested. Models
    with failures are left out by name.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "bad", "", "", "all", "lower", v + u, 0, 0, 1, "ok", "", "")
    ...         for m, v in {"a": 0, "b": 3, "c": 5}.items() for u in range(6)]
    >>> nemenyi(table(rows)).standing[["mean_rank", "groups"]].to_dict("list")
    {'mean_rank': [1.0, 2.0, 3.0], 'groups': ['A', 'AB', 'B']}
    """
    if not 0 < alpha < 1:
        raise Misuse(f"got alpha={alpha}; expected a number between 0 and 1")
    found = components(scores)
    if verdict := nobody(METHOD, found):
        return verdict._replace(cite=CITE)
    lay = layout(found)
    units = blocks(found, lay, by)
    rank = ranks(units.losses, "average")
    k, n = rank.shape
    chi, p = friedman(rank)
    width = critical_difference(k, n, alpha) if k > 1 else 0.0
    sets = groups(rank.mean(axis=1), width) if p < alpha else [np.argsort(rank.mean(axis=1), kind="stable")]
    standing = _standing(found, rank, sets, mean_interval(rank.T, shares=False))
    standing.attrs["critical_difference"] = width
    best = tuple(str(found.values.index[at]) for at in sets[0])
    finding = _finding(standing, best, (width, p, alpha), scope(found))
    text = f"Friedman's χ² = {chi:.4g}, p = {p:.2g}, over {n} units; critical difference {width:.3f} at α = {alpha:g}"
    test = Note("method", text, numbers={"chi2": chi, "p": p, "units": n, "critical_difference": width, "alpha": alpha})
    notes = (*found.notes, *units.notes, test, *_note_groups(found, sets), *note_small(lay))
    return Verdict(METHOD, best, standing, finding, CITE, found.left_out, notes, untested=too_few(n))


def _note_groups(found: Components, sets: list[Ints]) -> tuple[Note, ...]:
    """A note for every group of two models or more; of very many, for the first ones."""
    several = [[str(found.values.index[at]) for at in some] for some in sets if len(some) > 1]
    texts = [f"no significant difference between {listed(names)}" for names in several[:NOTED]]
    if more := len(several) - len(texts):
        texts.append(f"{more} more groups do not differ significantly")
    return tuple(Note("ties", text) for text in texts)


def _standing(found: Components, rank: Floats, sets: list[Ints], ends: Floats) -> pd.DataFrame:
    """Mean rank with its interval, and the letters of a model's groups."""
    import pandas as pd

    letters = [""] * len(rank)
    for at, some in enumerate(sets):
        for model in some:
            letters[model] += _letter(at)
    columns = {"mean_rank": rank.mean(axis=1), "lo": ends[0], "hi": ends[1], "groups": letters}
    return pd.DataFrame(columns, index=found.values.index).sort_values("mean_rank", kind="stable")


def _letter(at: int) -> str:
    """A, B, … Z, and then numbers in brackets.

    >>> _letter(1), _letter(26)
    ('B', '[27]')
    """
    return ascii_uppercase[at] if at < len(ascii_uppercase) else f"[{at + 1}]"


def _finding(standing: pd.DataFrame, best: tuple[str, ...], test: tuple[float, float, float], where: str) -> str:
    """Who leads by mean rank, and who lies within the critical difference of it."""
    (width, p, alpha), leader = test, best[0]
    if len(standing) == 1:
        return only_model(leader, where)
    if p >= alpha:
        return f"Friedman's test finds no difference between these {len(standing)} models on {where} (p = {p:.2g})"
    first = f"{leader} leads the {len(standing)} models by mean rank, {standing['mean_rank'].iloc[0]:.4g}, on {where}"
    if len(best) == 1:
        return f"{first}; every other model is further away than the critical difference {width:.3g}"
    return f"{first}; within the critical difference {width:.3g} of it: {listed(best[1:])}"
