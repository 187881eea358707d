"""Mean rank: the evaluation model of the Middlebury stereo table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.measure import SETTLED, label
from beholder.core.scores import COMPONENT, JUDGED, whole
from beholder.core.verdict import Note, Verdict
from beholder.errors import Misuse
from beholder.stats.ranks import Ties, ranks
from beholder.stats.small_samples import mean_interval
from beholder.verdicts.best import judge_by_number
from beholder.verdicts.components import Components, components
from beholder.verdicts.layout import Layout, layout
from beholder.verdicts.trust import trusted
from beholder.verdicts.wording import nobody

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
CITE = "Scharstein2002, RomanoWolf2005"


@trusted
@source(CITE)
def mean_rank(
    scores: pd.DataFrame,
    *,
    ties: Ties = "min",
    decimals: int | None = None,
    undefined: Literal["component", "model"] = "component",
    low: Literal["judged", "apart"] = "judged",
) -> Verdict:
    """Order models by the mean of their ranks on every component (unit × measure × criterion).

    rank(a, i) = 1 + #{b: v_i(b) strictly better than v_i(a)}, so equal values share the smaller rank; with `ties` =
    "average" they share the mean of their places. Values are ranked unrounded, as on Middlebury's server; `decimals`
    rounds them first, to reproduce a printed table. The interval is over units of all datasets; the ranks themselves,
    which depend on the models judged, stay fixed. Equal mean ranks share the first place. Components that do not apply
    to every model are dropped; models with failures are left out by name. `undefined` = "model" also leaves out models
    that answered a unit and have no value there although another model has one: one model with constant answers must
    not cost the others a headline measure. `low` = "apart" also leaves out models with a score of low confidence: an
    approximation must not beat what it approximates.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "bad", "", "", "all", "lower", v, 0, 0, 1, "ok", "", "")
    ...         for m, values in {"a": (9, 4), "b": (5, 4), "c": (6, 7)}.items() for u, v in enumerate(values)]
    >>> mean_rank(table(rows)).standing["mean_rank"].to_dict()
    {'b': 1.0, 'a': 2.0, 'c': 2.5}
    """
    if ties not in ("min", "average"):
        raise Misuse(f"got ties={ties!r}; expected 'min' (1 + number strictly better) or 'average'")
    if undefined not in ("component", "model"):
        raise Misuse(f"got undefined={undefined!r}; expected 'component' or 'model': which of the two is left out")
    if low not in ("judged", "apart"):
        raise Misuse(f"got low={low!r}; expected 'judged' or 'apart' for models with scores of low confidence")
    lacking = _undefined(scores) if undefined == "model" else {}
    lacking |= _of_low_confidence(scores) if low == "apart" else {}
    found = components(scores[~scores["model"].isin(list(lacking))])
    found = found._replace(left_out={**lacking, **found.left_out})
    if verdict := nobody("mean rank", found):
        return verdict._replace(cite=CITE)
    losses = found.losses if decimals is None else np.round(found.losses, decimals)
    each, lay = ranks(losses, ties), layout(found)
    units = _by_unit(each, lay)
    verdict = judge_by_number("mean rank", found, _standing(each, units, found, lay), each.mean(axis=1), units)
    return verdict._replace(cite=CITE, notes=verdict.notes + _uneven(lay))


def _undefined(scores: pd.DataFrame) -> dict[str, str]:
    """Models that answered a unit, and yet have no value on a measure that another model has there; and why."""
    models = _judged(scores)
    held = models[models["state"].isin(SETTLED)]
    answered, defined = (held[keys].drop_duplicates() for keys in (["model", "dataset", "unit"], COMPONENT))
    lost = models[models["state"] == "na"].merge(answered).merge(defined)
    firsts = lost.groupby("model")[["measure", "settings", "reason"]].first()
    return {str(model): f"{label(m, settings)}: {why}" for model, m, settings, why in firsts.itertuples(name=None)}


def _of_low_confidence(scores: pd.DataFrame) -> dict[str, str]:
    """Models with a score of low confidence, and why it is."""
    models = _judged(scores)
    reasons = models[models["state"] == "low"].groupby("model")["reason"].first()
    return {str(model): f"of low confidence: {why}" for model, why in reasons.items()}


def _judged(scores: pd.DataFrame) -> pd.DataFrame:
    rows = whole(scores)
    return rows[rows["role"].isin(JUDGED)]


def _by_unit(each: Floats, lay: Layout) -> Floats:
    """What each unit says of the mean ranks, units × models, with these as their mean; none where there is one unit.

    Units with more components weigh more: R + n (Σ ranks − R · components) / N, a ratio's linear part.
    """
    if not lay.drawable:
        return np.empty((0, len(each)))
    total, many = np.zeros((len(lay.strata), len(each))), np.bincount(lay.units, minlength=len(lay.strata))
    np.add.at(total, lay.units, each.T)
    mean = each.mean(axis=1)
    return np.asarray(mean + len(many) * (total - many[:, None] * mean) / many.sum())


def _standing(each: Floats, units: Floats, found: Components, lay: Layout) -> pd.DataFrame:
    """Mean rank and interval, and where there are several cells, the mean rank on each."""
    import pandas as pd

    lo, hi = np.clip(mean_interval(units, shares=False), 1, len(each))
    columns = {"mean_rank": each.mean(axis=1), "lo": lo, "hi": hi}
    for at, name in enumerate(lay.names if len(lay.names) > 1 else ()):
        columns[name] = each[:, lay.cells == at].mean(axis=1)
    return pd.DataFrame(columns, index=found.values.index)


def _uneven(lay: Layout) -> tuple[Note, ...]:
    """A warning where measures of samples outvote measures of the whole dataset."""
    if len(np.unique(lay.strata)) == 1:
        return ()
    votes = ", ".join(f"{name} {many}" for name, many in zip(lay.names, np.bincount(lay.cells), strict=True))
    return (Note("method", f"every component has one vote, so measures with more components count more: {votes}"),)
