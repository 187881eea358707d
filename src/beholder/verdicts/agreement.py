"""How far the verdicts of several judges agree, and where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.verdict import Verdict
from beholder.errors import Misuse, listed
from beholder.stats.ranks import kendall

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


class Agreement(NamedTuple):
    """How far verdicts on the same models agree."""

    tau: pd.DataFrame  # judge × judge: Kendall's τ-b of their orders
    jaccard: pd.DataFrame  # judge × judge: models that both call best, of those that either does
    positions: pd.DataFrame  # model × judge: where each puts it, equal ones tied; NaN where it was not judged
    disagreements: pd.DataFrame  # one row per pair of models that two judges put in opposite order
    says: str

    @property
    def complete(self) -> bool:
        """Whether all judges name the same best models, and no two models stand in opposite order."""
        return bool((self.jaccard == 1).all(axis=None)) and self.disagreements.empty


def agreement(verdicts: Sequence[Verdict]) -> Agreement:
    """How far verdicts agree, and where they do not.

    The position of a model is 1 + the number of models before it in the standing whose first column (layer, cluster,
    mean rank …) differs from its own; equal ones are tied. τ-b is computed over the models that both judged, and is NaN
    if one judge ties them all. The Jaccard index of two best sets is |A ∩ B| / |A ∪ B|, or 1 if both are empty. Two
    judges disagree on a pair if one puts a before b and the other b before a; a tie is not a disagreement.

    >>> import pandas as pd
    >>> def by(method, best, **layers):
    ...     frame = pd.DataFrame({"layer": sorted(layers.values())}, index=sorted(layers, key=layers.get))
    ...     return Verdict(method, best, frame, "")
    >>> found = agreement([by("layers", ("a", "b"), a=1, b=1, c=2), by("mean", ("a",), a=1, c=2, b=3)])
    >>> float(found.tau.loc["layers", "mean"].round(3)), float(found.jaccard.loc["layers", "mean"])
    (0.0, 0.5)
    >>> found.disagreements.to_dict("list")
    {'before': ['b'], 'after': ['c'], 'say so': ['layers'], 'say the opposite': ['mean']}
    """
    import pandas as pd

    if len(verdicts) < 2:
        raise Misuse(f"got {len(verdicts)} verdict{'s' * (not verdicts)}; expected two or more to compare")
    names = _names(verdicts)
    models = list(dict.fromkeys(str(model) for verdict in verdicts for model in verdict.standing.index))
    at = np.stack([positions(verdict, models) for verdict in verdicts])
    tau = _square(names, [[_tau(a, b) for b in at] for a in at])
    best = [frozenset(verdict.leading) for verdict in verdicts]
    overlap = _square(names, [[len(a & b) / len(a | b) if a | b else 1.0 for b in best] for a in best])
    opposed = _opposed(names, models, at)
    by_judge = pd.DataFrame(at.T, index=pd.Index(models, name="model"), columns=names)
    return Agreement(tau, overlap, by_judge, opposed, _finding(names, verdicts, tau, opposed))


def _names(verdicts: Sequence[Verdict]) -> list[str]:
    """What judges are called here; the same method twice is numbered."""
    methods = [verdict.method for verdict in verdicts]
    return [
        method if methods.count(method) == 1 else f"{method} ({methods[: at + 1].count(method)})"
        for at, method in enumerate(methods)
    ]


def positions(verdict: Verdict, models: Sequence[str]) -> Floats:
    """The position of each model in a verdict, equal ones tied; NaN where it was not judged."""
    standing = verdict.standing
    if not len(standing):
        return np.full(len(models), np.nan)
    column = standing.iloc[:, 0].to_numpy(dtype=float)
    after = np.arange(1, len(column))
    begins = np.append(0, np.where(np.isclose(column[1:], column[:-1], rtol=1e-12, atol=0.0), 0, after))
    found = dict(zip(map(str, standing.index), np.maximum.accumulate(begins) + 1.0, strict=True))
    return np.array([found.get(model, np.nan) for model in models])


def _tau(a: Floats, b: Floats) -> float:
    both = ~np.isnan(a) & ~np.isnan(b)
    return kendall(a[both], b[both])


def _square(names: Sequence[str], values: Sequence[Sequence[float]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(values, index=list(names), columns=list(names))


def _opposed(names: Sequence[str], models: Sequence[str], at: Floats) -> pd.DataFrame:
    """The pairs of models that two judges put in opposite order, in the order of the first of them."""
    import pandas as pd

    gap = np.nan_to_num(np.sign(at[:, None, :] - at[:, :, None]))  # judges × a × b: 1 where a stands before b
    a, b = np.nonzero(np.triu((gap > 0).any(axis=0) & (gap < 0).any(axis=0), 1))
    kinds, which = np.unique(gap[:, a, b].T, axis=0, return_inverse=True)
    first = np.array([own[own != 0][0] for own in kinds])
    sides = [[listed([n for n, one in zip(names, own, strict=True) if one == side * lead]) for side in (1, -1)]
             for own, lead in zip(kinds, first, strict=True)]  # fmt: skip
    rows = [
        (models[x], models[y], *sides[kind]) if first[kind] > 0 else (models[y], models[x], *sides[kind])
        for x, y, kind in zip(a.tolist(), b.tolist(), which.ravel().tolist(), strict=True)
    ]
    return pd.DataFrame(rows, columns=["before", "after", "say so", "say the opposite"])


def _finding(names: Sequence[str], verdicts: Sequence[Verdict], tau: pd.DataFrame, opposed: pd.DataFrame) -> str:
    """Whether judges name the same best models, which pairs they put in opposite order, and who agrees least."""
    best = {name: listed(verdict.leading) or "nobody" for name, verdict in zip(names, verdicts, strict=True)}
    if len({frozenset(verdict.leading) for verdict in verdicts}) == 1:
        who = "both" if len(names) == 2 else f"all {len(names)}"
        finding = f"{who} judges name the same leading models: {best[names[0]]}"
    else:
        by_all = frozenset.intersection(*(frozenset(verdict.leading) for verdict in verdicts))
        shared = listed([model for model in verdicts[0].leading if model in by_all])
        each = "; ".join(f"{name}: {whom}" for name, whom in best.items())
        common = f"all of them name {shared}" if shared else "they share none"
        finding = f"the judges differ on the leading models ({each}); {common}"
    return f"{finding}; {_order(opposed)}{_least(names, tau)}"


def _order(opposed: pd.DataFrame) -> str:
    if opposed.empty:
        return "no two models stand in opposite order"
    before, after, so, other = opposed.iloc[0]
    many = "1 pair of models stands" if len(opposed) == 1 else f"{len(opposed)} pairs of models stand"
    return f"{many} in opposite order, such as {before} before {after} by {so}, and after it by {other}"


def _least(names: Sequence[str], tau: pd.DataFrame) -> str:
    pairs = [(float(tau.loc[a, b]), a, b) for a, b in combinations(names, 2)]  # type: ignore[arg-type]
    known = [pair for pair in pairs if not np.isnan(pair[0])]
    if not known:
        return ""
    least, a, b = min(known)
    return f"; {'the lowest ' * (len(known) > 1)}Kendall's τ-b is {least:.2f}" + (
        f" ({a}, {b})" if len(known) > 1 else ""
    )
