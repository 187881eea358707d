"""Mean score: the plain mean of natural values, for measures that share a direction and a scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.scores import bounds_of
from beholder.core.verdict import Note, Verdict
from beholder.errors import Misuse, listed
from beholder.stats import small_samples
from beholder.verdicts.best import judge_by_number, over_strata
from beholder.verdicts.components import Components, components
from beholder.verdicts.intervals import mean_interval, runner_intervals
from beholder.verdicts.layout import Layout, by_unit, layout, measure_labels
from beholder.verdicts.trust import trusted
from beholder.verdicts.wording import nobody

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
CITE = "Hall1992, ZouDonner2008, RomanoWolf2005"  # of the intervals and the set; the mean needs no source


@trusted
@source(CITE)
def mean_score(scores: pd.DataFrame) -> Verdict:
    """Order models by their mean: over units within each cell (measure × criterion), then over the cells.

    score(a) = 1/|C| Σ_c 1/|U_c| Σ_{u ∈ U_c} v(a, c, u) in natural values, with Hall's t interval over units. A cell
    that was measured once over the whole dataset keeps its own interval, which enters that of the mean as an
    independent part: the squares of the distances from value to bound add up, below and above (Zou & Donner 2008). All
    measures must have the same direction (higher or lower is better); otherwise use `mean_rank`. Equal scores share the
    first place. Components that do not apply to every model are dropped; models with failures are left out by name.

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
    each, once = _by_unit(units, lay), _intervals_once(scores, found, lay)
    total, sign = np.nanmean(units, axis=0).mean(axis=0), found.sign[0]
    own, whole = _bounds(units, each, once, lay)
    ends = _within(own, scores, found, lay), np.clip(whole, *bounds_of(scores, measure_labels(found)))
    standing = _standing(found, lay, units, ends)
    tested = np.empty((0, len(total))) if lay.once.any() else over_strata(each, lay.strata)
    verdict = judge_by_number("mean score", found, standing, total * sign, tested * sign)
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
            f"got measures where higher is better ({higher}) and where lower is ({lower}): their mean is meaningless; "
            "expected one direction: judge by mean_rank instead"
        )


def _by_unit(units: Floats, lay: Layout) -> Floats:
    """What each unit says of the mean score, units × models: within a stratum their mean is the part of its cells."""
    held = (~np.isnan(units[:, :, 0])).sum(axis=0)  # of each cell
    sizes = np.bincount(lay.strata)[lay.strata]
    share = sizes[:, None] / held / units.shape[1]
    return np.asarray(np.nansum(units * share[:, :, None], axis=1))


def _intervals_once(scores: pd.DataFrame, found: Components, lay: Layout) -> Floats:
    """The runner's interval of cells that were measured once, 2 × cells × models; NaN elsewhere."""
    given = runner_intervals(scores, found)
    bounds = np.full((2, len(lay.names), len(found.values)), np.nan)
    for at in map(int, np.flatnonzero(lay.once[lay.cells])):
        bounds[:, lay.cells[at]] = given[:, :, at]
    return bounds


def _bounds(units: Floats, each: Floats, given: Floats, lay: Layout) -> tuple[Floats, Floats]:
    """Intervals of the cells, 2 × cells × models, and of the whole, 2 × models.

    Strata are independent of each other, and so is each cell that was measured once: the squares of the distances from
    value to bound add up. A part without an interval counts as certain; NaN where no part has one.
    """
    _, cells, models = units.shape
    shares = np.repeat([small_samples.binary(units[:, at]).all() for at in range(cells)], models)
    own = mean_interval(units.reshape(len(units), -1), given.reshape(2, -1), shares=shares).reshape(2, cells, models)
    if cells == 1:
        return own, own[:, 0]
    drawn = [each[lay.strata == one] for one in np.flatnonzero(np.bincount(lay.strata) > 1)]
    once = np.flatnonzero(lay.once)
    reach = [small_samples.mean_interval(some) - some.mean(axis=0) for some in drawn]
    reach += [(own[:, at] - np.nanmean(units[:, at], axis=0)) / cells for at in once]
    known = np.stack(reach)
    whole = np.sqrt((np.nan_to_num(known) ** 2).sum(axis=0)) * np.array([[-1.0], [1.0]])
    total = np.nanmean(units, axis=0).mean(axis=0)
    return own, np.where(np.isfinite(known).any(axis=0), total + whole, np.nan)


def _within(own: Floats, scores: pd.DataFrame, found: Components, lay: Layout) -> Floats:
    """Intervals of the cells that end where their measures do."""
    of_cell = dict(zip(lay.cells.tolist(), measure_labels(found), strict=True))
    ends = np.array([bounds_of(scores, [of_cell[at]]) for at in range(len(lay.names))])
    return np.asarray(np.clip(own, ends[:, :1], ends[:, 1:]))


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
    text = f"the interval of the mean score ignores the uncertainty of what was measured once: {listed(once)}"
    return (Note("once", text, about=once),)
