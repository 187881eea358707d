"""Rank intervals: between which places a model would come if the units were drawn anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.verdict import Verdict
from beholder.errors import Misuse
from beholder.judges._blocks import By, blocks
from beholder.stats import bootstrap
from beholder.stats.ranks import ranks, steady
from beholder.verdicts.best import leaders
from beholder.verdicts.components import components
from beholder.verdicts.layout import layout
from beholder.verdicts.trust import trusted
from beholder.verdicts.wording import best_of, nobody, note_small, scope

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

CITE = "Efron1979, RomanoWolf2005"
METHOD = "rank intervals"


@trusted
@source(CITE)
def rank_intervals(
    scores: pd.DataFrame, *, by: By | None = None, level: float = 0.95, draws: int = 1000, seed: int = 0
) -> Verdict:
    """Rank models by their mean over units, with an interval of the rank from a bootstrap over units.

    rank(a) = 1 + #{b strictly better by the mean over units}; `lo` and `hi` are the ranks between which `level` of the
    resamples put it (each end is a rank that occurred). `first` is the share of resamples in which it comes first,
    alone or with others. Components of a unit are averaged first, `by` mean, or mean rank where there are several
    measures. The best are those ranked first; `tied` are those not significantly worse (`stats.best_set`), since the
    interval of a rank reaches 1 too rarely to tell. Models with failures are left out by name.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "bad", "", "", "all", "lower", v, 0, 0, 1, "ok", "", "")
    ...         for m, values in {"a": (1, 2, 3), "b": (3, 3, 1), "c": (9, 9, 9)}.items() for u, v in enumerate(values)]
    >>> rank_intervals(table(rows)).standing[["rank", "lo", "hi"]].astype(int).to_dict("list")
    {'rank': [1, 2, 3], 'lo': [1, 1, 3], 'hi': [2, 2, 3]}
    """
    if not 0 < level < 1:
        raise Misuse(f"got level={level}; expected a share between 0 and 1, such as 0.95")
    found = components(scores)
    if verdict := nobody(METHOD, found):
        return verdict._replace(cite=CITE)
    lay = layout(found)
    units = blocks(found, lay, by)
    some = draws if units.losses.shape[1] > 1 else 0
    drawn = ranks_by_row(bootstrap.means(units.losses.T, draws=some, rng=np.random.default_rng(seed)))
    rank = ranks_by_row(units.losses.mean(axis=1)[None])[0]
    lo, hi = _ends(drawn, level)
    first = (drawn == 1).mean(axis=0) if some else np.full(len(rank), np.nan)
    columns = {"rank": rank, "lo": lo, "hi": hi, "first": first, units.by: units.values}
    standing = _framed(columns, found.values.index, units.losses.mean(axis=1))
    lead = leaders(units.losses.mean(axis=1), units.losses.T, found.values.index)
    finding = best_of("place", lead, _place(standing, level), scope(found))
    notes = (*found.notes, *units.notes, *note_small(lay))
    return Verdict(METHOD, lead.best, standing, finding, CITE, found.left_out, notes, lead.tied, lead.untested)


def ranks_by_row(means: Floats) -> Floats:
    """The rank of each column within each row, the least first; equal but for rounding shares the smaller rank.

    >>> ranks_by_row(np.array([[0.3, 0.1 + 0.2, 0.2]]))
    array([[2., 2., 1.]])
    """
    return ranks(steady(means).T).T if len(means) else means


def _ends(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    """Both ends of the central interval; places are whole, so each end is one that was drawn."""
    if not len(drawn):
        return (np.full(drawn.shape[1], np.nan),) * 2
    tail = (1 - level) / 2
    lo = np.quantile(drawn, tail, axis=0, method="inverted_cdf")
    return lo, np.quantile(drawn, 1 - tail, axis=0, method="inverted_cdf")


def _framed(columns: dict[str, Floats], names: pd.Index, losses: Floats) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(columns, index=names).iloc[np.argsort(losses, kind="stable")]


def _place(standing: pd.DataFrame, level: float) -> str:
    """The place of the first, and between which places it may come."""
    lo, hi = standing.iloc[0][["lo", "hi"]]
    return "1" if np.isnan(lo) else f"1 ({lo:.0f} to {hi:.0f} in {100 * level:g} % of resamples of the units)"
