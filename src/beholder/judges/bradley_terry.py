"""Bradley–Terry: strengths from who beats whom, comparison by comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.core.verdict import Note, Verdict
from beholder.errors import Misuse, listed
from beholder.stats import bootstrap
from beholder.stats.bradley_terry import strengths, unlinked, wins
from beholder.stats.small_samples import pseudo_values
from beholder.verdicts.best import judge_by_number
from beholder.verdicts.components import Components, components
from beholder.verdicts.layout import Layout, layout
from beholder.verdicts.trust import trusted
from beholder.verdicts.wording import nobody, note_small

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

CITE = "Bradley1952, Hunter2004"
METHOD = "Bradley–Terry strength"
WORK = 2_000_000_000  # draws × models³ that the interval may cost: some ten seconds
ROOM = 2_000_000  # entries of the tables of wins of draws that are solved at once: 16 MB
LEAST = 20  # draws below which there is no interval


@trusted
@source(CITE)
def bradley_terry(scores: pd.DataFrame, *, prior: float = 0.5, draws: int = 1000, seed: int = 0) -> Verdict:
    """Order models by the strengths that best explain which has the better value on each component, or was preferred.

    P(a beats b) = 1 / (1 + exp(θ_b − θ_a)) with mean θ = 0, fitted by maximum likelihood (Bradley and Terry 1952;
    Hunter 2004 on when it exists). On each component (unit × measure × criterion) any two models that have a value
    there are compared; a tie is half a win for each. The rows may also be people's preferences: a measure whose unit is
    a trial and whose value is 1, 0.5 or 0 (higher is better), with rows for the models shown. Models need not all be
    compared with one another; models with failures are left out by name.

    `prior` wins each way are added to every pair that was compared: with 0.5, strengths stay finite when a model won
    every time. With 0 nothing is added, and the fit is refused if a set of models never lost to the others. Models that
    were never compared, directly or through others, are always refused. `lo` and `hi` are a bootstrap over units, since
    components of one unit are not independent comparisons. `won` is the share of comparisons won, `beats_best` the
    probability of beating the best.

    >>> from beholder.core.scores import Score, table
    >>> rows = [Score("b", 1, m, "model", "dataset", u, 0, "prefers", "", "", "all", "higher", v, 0, 0, 1, "ok", "", "")
    ...         for u in range(4) for m, v in (("a", float(u < 3)), ("b", float(u == 3)))]
    >>> found = bradley_terry(table(rows), prior=0.0).standing  # three wins to one: log 3 apart
    >>> found["strength"].round(3).tolist(), found["beats_best"].round(3).tolist()
    ([0.549, -0.549], [0.5, 0.25])
    """
    if not prior >= 0:
        raise Misuse(f"got prior={prior}; expected the number of wins to add each way to every pair, 0 or more")
    found = components(scores, missing="unasked")
    if verdict := nobody(METHOD, found):
        return verdict._replace(cite=CITE)
    lay, won = layout(found), wins(found.losses)
    extra = np.where(won + won.T > 0, float(prior), 0.0)
    _refuse_unlinked(won, extra, [str(name) for name in found.values.index])
    theta = strengths(won + extra)
    some = _affordable(len(theta), draws) if lay.drawable else 0
    drawn, each = _resample(found, lay, extra, some, seed), _by_unit(found, lay, extra, theta)
    verdict = judge_by_number(METHOD, found, _standing(found, won, theta, drawn, len(lay.strata)), -theta, -each)
    notes = (*verdict.notes, *_notes(prior, drawn, draws if lay.drawable else 0), *note_small(lay))
    return verdict._replace(cite=CITE, notes=notes)


def _refuse_unlinked(won: Floats, extra: Floats, names: list[str]) -> None:
    isolated = unlinked(won + won.T, directed=False)
    if isolated is not None:
        some = listed([name for name, one in zip(names, isolated, strict=True) if one])
        raise Misuse(f"got models that were never compared with the others: {some}; judge them separately")
    ahead = unlinked(won + extra)
    if ahead is not None:
        some = listed([name for name, one in zip(names, ahead, strict=True) if one])
        raise Misuse(f"got models that never lost to the others, so their strength is infinite: {some}; use prior=0.5")


def _affordable(models: int, draws: int) -> int:
    most = min(draws, WORK // models**3)
    return most if most >= LEAST or most == draws else 0


def _resample(found: Components, lay: Layout, extra: Floats, draws: int, seed: int) -> Floats:
    """Bootstrap distribution of θ over units, draws × models."""
    models, losses = len(extra), found.losses
    if not draws:
        return np.empty((0, models))
    units = np.stack([wins(losses[:, lay.units == unit]) for unit in range(len(lay.strata))])
    sums = bootstrap.sums(
        units.reshape(len(units), -1), draws=draws, rng=np.random.default_rng(seed), strata=lay.strata
    )
    blocks = np.array_split(sums, 1 + draws * models**2 // ROOM)
    return np.concatenate([strengths(block.reshape(-1, models, models) + extra) for block in blocks])


def _by_unit(found: Components, lay: Layout, extra: Floats, theta: Floats) -> Floats:
    """What each unit says of θ, units × models: pseudo-values, from fits without it; none if that took long."""
    n = len(lay.strata)
    if not lay.drawable or n * len(theta) ** 3 > WORK:
        return np.empty((0, len(theta)))
    own = np.stack([wins(found.losses[:, lay.units == unit]) for unit in range(n)])
    return pseudo_values(theta, strengths(own.sum(axis=0) - own + extra))


def _standing(found: Components, won: Floats, theta: Floats, drawn: Floats, units: int) -> pd.DataFrame:
    """θ with its interval, the chance to beat the best, and the share of comparisons won."""
    import pandas as pd

    lo, hi = bootstrap.interval(drawn, units=units)
    games = (won + won.T).sum(axis=1)
    share = np.divide(won.sum(axis=1), games, out=np.full(len(won), np.nan), where=games > 0)
    chance = 1 / (1 + np.exp(theta.max() - theta))
    columns = {"strength": theta, "lo": lo, "hi": hi, "beats_best": chance, "won": share}
    return pd.DataFrame(columns, index=found.values.index)


def _notes(prior: float, drawn: Floats, draws: int) -> tuple[Note, ...]:
    """Notes on what was added to the counts, and on draws that are missing."""
    found, lost = [], int(np.isnan(drawn).any(axis=1).sum())
    if prior:
        found.append(Note("method", f"{prior:g} wins each way were added to every pair that was compared"))
    if len(drawn) < draws:
        text = f"with this many models the interval rests on {len(drawn)} draws instead of {draws}"
        found.append(Note("draws", text, numbers={"draws": len(drawn), "wanted": draws}))
    if lost:
        text = f"{lost} of {len(drawn)} draws have an infinite strength, and are left out of the interval"
        found.append(Note("draws", text, numbers={"lost": lost, "draws": len(drawn)}))
    return tuple(found)
