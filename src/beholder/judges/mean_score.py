"""Mean score: the plain mean of natural values, for measures that share a direction and a scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.verdict import Note, Verdict
from beholder.errors import Misuse, listed
from beholder.stats import bootstrap
from beholder.verdicts.best import judge_by_number
from beholder.verdicts.components import Components, components
from beholder.verdicts.intervals import runner_intervals
from beholder.verdicts.layout import Layout, by_unit, layout, measure_labels
from beholder.verdicts.wording import nobody

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
CITE = "Efron1979,ZouDonner2008"  # of the interval; the mean needs no source


@source(CITE)
def mean_score(scores: pd.DataFrame, *, draws: int = 1000, seed: int = 0) -> Verdict:
    """Order models by their mean: over units within each cell (measure × criterion), then over the cells.

    score(a) = 1/|C| Σ_c 1/|U_c| Σ_{u ∈ U_c} v(a, c, u) in natural values, with a percentile bootstrap over units that
    is paired over models and cells. A cell that was measured once, over the whole dataset, keeps the interval that the
    runner gave it, and joins that of the mean as an independent part: the squares of the distances from value to bound
    add up, below and above (Zou & Donner 2008). All measures must be better in the same direction, else `mean_rank` is
    the judge to take. Equal scores share the first place. Components that do not apply to every model are compared for
    none; models with failures are left out by name.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "hit", "", "", "all", "higher", v, 0, 0, 1, "ok", "", "")
    ...         for m, u, v in (("a", "1", 0.2), ("a", "2", 0.4), ("b", "1", 0.5), ("b", "2", 0.7))]
    >>> mean_score(table(rows)).standing["score"].round(3).to_dict()
    {'b': 0.6, 'a': 0.3}
    """
    found = components(scores)
    if verdict := nobody("mean score", found):
        return verdict._replace(cite=CITE)
    _refuse_directions(found)
    lay = layout(found)
    units = by_unit(found.values.to_numpy(dtype=float), lay)
    drawn = _resample(units, lay, draws, seed)
    total = np.nanmean(units, axis=0).mean(axis=0)
    once = _intervals_once(scores, found, lay)
    standing = _standing(found, lay, units, _bounds(drawn, once, np.nanmean(units, axis=0), lay))
    verdict = judge_by_number("mean score", found, standing, total * found.sign[0], drawn.mean(axis=1) * found.sign[0])
    return verdict._replace(cite=CITE, notes=verdict.notes + _unknown(lay, once) + _overlapping(verdict, lay))


def _overlapping(verdict: Verdict, lay: Layout) -> tuple[Note, ...]:
    """Whose interval meets that of the best: all that can be said of what was measured once, as no draw pairs it."""
    best = verdict.standing.loc[verdict.best[0]]
    others = verdict.standing.drop(index=list(verdict.best))
    met = others[(others["lo"] <= best["hi"]) & (others["hi"] >= best["lo"])]
    if not lay.once.any() or met.empty:
        return ()
    names = listed([str(name) for name in met.index])
    return (Note("ties", f"the interval of {verdict.best[0]} overlaps with that of {names}"),)


def _refuse_directions(found: Components) -> None:
    if len(set(found.sign)) > 1:
        measures = np.array(measure_labels(found), dtype=object)
        higher, lower = (listed(dict.fromkeys(measures[found.sign == sign])) for sign in (-1, 1))
        raise Misuse(
            f"got measures that are better higher ({higher}) and better lower ({lower}), whose mean says nothing; "
            "expected one direction; judge by mean_rank"
        )


def _resample(units: Floats, lay: Layout, draws: int, seed: int) -> Floats:
    """Bootstrap distribution of the cells' means, draws × cells × models; no draws where nothing can be drawn."""
    some = draws if lay.drawable else 0
    rng = np.random.default_rng(seed)
    means = bootstrap.means(units.reshape(len(units), -1), draws=some, rng=rng, strata=lay.strata)
    return means.reshape(some, *units.shape[1:])


def _intervals_once(scores: pd.DataFrame, found: Components, lay: Layout) -> Floats:
    """The runner's interval of cells that were measured once, 2 × cells × models; NaN elsewhere."""
    given = runner_intervals(scores, found)
    bounds = np.full((2, len(lay.names), len(found.values)), np.nan)
    for at in map(int, np.flatnonzero(lay.once[lay.cells])):
        bounds[:, lay.cells[at]] = given[:, :, at]
    return bounds


def _bounds(drawn: Floats, given: Floats, means: Floats, lay: Layout) -> tuple[Floats, Floats]:
    """Intervals of the cells, 2 × cells × models, and of the whole, 2 × models.

    The draws are the same for all cells and drawn in strata, so that the mean over cells has its interval too.
    """
    draws, cells, models = drawn.shape
    own = np.stack(bootstrap.interval(drawn.reshape(draws, cells * models))).reshape(2, cells, models)
    own = np.where(lay.once[:, None], given, own)
    if cells == 1:
        return own, own[:, 0]
    if lay.once.any():
        return own, _join(drawn, own, means, lay.once)
    return own, np.stack(bootstrap.interval(drawn.mean(axis=1)))


def _join(drawn: Floats, own: Floats, means: Floats, once: NDArray[np.bool_]) -> Floats:
    """The interval of the mean over cells some of which were measured once, 2 × models.

    Those that were drawn are one part, by their joint draws; each that was measured once is another. A part without
    an interval counts as certain; NaN where no part has one.
    """
    together = np.stack(bootstrap.interval(drawn[:, ~once].sum(axis=1))) - means[~once].sum(axis=0)
    reach = np.stack([together, *(own[:, at] - means[at] for at in np.flatnonzero(once))]) / len(once)
    whole = np.sqrt((np.nan_to_num(reach) ** 2).sum(axis=0)) * np.array([[-1.0], [1.0]])
    return np.where(np.isfinite(reach).any(axis=0), means.mean(axis=0) + whole, np.nan)


def _standing(found: Components, lay: Layout, units: Floats, bounds: tuple[Floats, Floats]) -> pd.DataFrame:
    """Score and interval, and where there are several cells, the same of each."""
    import pandas as pd

    cells = np.nanmean(units, axis=0)
    own, whole = bounds
    columns = {"score": cells.mean(axis=0), "lo": whole[0], "hi": whole[1]}
    for at, name in enumerate(lay.names if len(lay.names) > 1 else ()):
        columns |= {name: cells[at], f"{name} lo": own[0, at], f"{name} hi": own[1, at]}
    return pd.DataFrame(columns, index=found.values.index)


def _unknown(lay: Layout, given: Floats) -> tuple[Note, ...]:
    """What the interval of the whole leaves out: what was measured once, and has no interval of its own."""
    without = lay.once & np.isnan(given).any(axis=(0, 2))
    once = tuple(name for name, missing in zip(lay.names, without, strict=True) if missing)
    if not once or len(lay.names) == 1:
        return ()
    text = f"the interval of the mean score leaves out the spread of what was measured once: {listed(once)}"
    return (Note("once", text, about=once),)
