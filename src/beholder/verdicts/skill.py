"""Models beside people and nulls: skill, and sentences on models that hardly beat a blind one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import SETTLED
from beholder.core.scores import CELL, grid, is_part
from beholder.stats import bootstrap

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Names = NDArray[np.object_]
COLUMNS = ["model", *CELL, "null", "ceiling", "skill", "lo", "hi", "units"]


class Skill(NamedTuple):
    """How far models have come from the best null towards people."""

    table: pd.DataFrame  # a row a model, measure and criterion; its columns are COLUMNS
    notes: tuple[str, ...]


def skill(scores: pd.DataFrame, draws: int = 1000, seed: int = 0) -> Skill:
    """Skill = (score − best null) / (ceiling − best null): 0 is a blind model, 1 is people, per measure and criterion.

    The best null is the one with the best mean over units, and stays the same in every draw; so does the ceiling, if
    there are several. Scores are means over the units on which model, null and ceiling all have a value; the interval
    is a bootstrap over these units, paired. Where the interval of ceiling − best null touches 0 the skill is NaN and
    a note says so; of a measure taken once, over the whole dataset, the runner's two intervals must not overlap.
    Without null or ceiling there is no skill.
    """
    import pandas as pd

    rows: list[tuple[object, ...]] = []
    notes = []
    held = scores[scores["state"].isin(SETTLED) & scores["value"].notna() & ~scores["measure"].map(is_part)]
    for (measure, criterion), cell in held.groupby(CELL, sort=False):
        units, roles, names = _gains(cell)
        null, ceiling = _best(units, roles == "null"), _best(units, roles == "ceiling")
        if null is None or ceiling is None:
            continue
        ahead = _ahead(units[:, [null, ceiling]], _bounds(cell, names[[null, ceiling]]), draws, seed)
        if not ahead:
            notes.append(f"people do not beat the nulls on {measure} ({criterion}) here")
        models = np.flatnonzero(roles == "model")
        numbers = _skills(units[:, [*models, null, ceiling]], draws, seed)
        numbers[:, :3] = numbers[:, :3] if ahead else np.nan
        for model, own in zip(names[models], numbers.tolist(), strict=True):
            rows.append((model, measure, criterion, names[null], names[ceiling], *own[:3], int(own[3])))
    return Skill(pd.DataFrame(rows, columns=COLUMNS), tuple(notes))


def _gains(cell: pd.DataFrame) -> tuple[Floats, Names, Names]:
    """Units × columns of values, signed so that more is better; role and name of each column."""
    units = grid(cell, ["dataset", "unit"], ["role", "model"])
    roles, names = (np.array(units.columns.get_level_values(level), dtype=object) for level in ("role", "model"))
    return units.to_numpy(dtype=float) * _sign(cell), roles, names


def _sign(cell: pd.DataFrame) -> float:
    return 1.0 if cell["better"].iloc[0] == "higher" else -1.0


def _best(units: Floats, among: NDArray[np.bool_]) -> int | None:
    """The column with the largest mean among some."""
    columns = np.flatnonzero(among)
    return int(columns[np.nanmean(units[:, columns], axis=0).argmax()]) if len(columns) else None


def _complete(units: Floats) -> Floats:
    """The units on which every column has a value."""
    return units[~np.isnan(units).any(axis=1)]


def _bounds(cell: pd.DataFrame, names: Names) -> Floats:
    """The intervals that the runner gave a null and a ceiling, 2 × (lo, hi)."""
    bounds = cell.groupby(["role", "model"])[["lo", "hi"]].mean()
    return bounds.loc[[("null", names[0]), ("ceiling", names[1])]].to_numpy(dtype=float)


def _ahead(pair: Floats, bounds: Floats, draws: int, seed: int) -> bool:
    """Whether people are better than the null for certain: the interval of the difference lies above 0.

    On one unit the two intervals of the runner must not overlap; unknown ones are taken not to.
    """
    gain = np.diff(_complete(pair), axis=1)
    if len(gain) > 1:
        lo, _ = bootstrap.interval(bootstrap.means(gain, draws=draws, rng=np.random.default_rng(seed)))
        return bool(lo[0] > 0)
    (null_lo, null_hi), (lo, hi) = bounds
    return bool(gain.sum() > 0) and not (lo <= null_hi and null_lo <= hi)


def _skills(units: Floats, draws: int, seed: int) -> Floats:
    """Models × (skill, lo, hi, number of units) from units × (models, null, ceiling).

    Models that hold the same units are drawn at once; on one unit there is no interval.
    """
    whole = ~np.isnan(units)
    held = whole[:, :-2] & whole[:, -2:].all(axis=1, keepdims=True)
    found = np.full((held.shape[1], 4), np.nan)
    patterns, which = np.unique(held, axis=1, return_inverse=True)
    for at, pattern in enumerate(patterns.T):
        mine = which.ravel() == at
        own = units[pattern][:, np.append(mine, [True, True])]
        found[mine] = _skill(own, draws if len(own) > 1 else 0, seed)
    return found


def _skill(own: Floats, draws: int, seed: int) -> Floats:
    """The same for models that hold all of these units."""
    if not len(own):
        return np.array([np.nan, np.nan, np.nan, 0.0])
    value = _ratio(own.mean(axis=0, keepdims=True))[0]
    lo, hi = bootstrap.interval(_ratio(bootstrap.means(own, draws=draws, rng=np.random.default_rng(seed))))
    return np.stack([value, lo, hi, np.full(len(value), float(len(own)))], axis=1)


def _ratio(means: Floats) -> Floats:
    """(model − null) / (ceiling − null), rows × models; NaN where the ceiling is not above the null."""
    models, null, ceiling = means[:, :-2], means[:, -2:-1], means[:, -1:]
    return np.asarray((models - null) / np.where(ceiling > null, ceiling - null, np.nan))


def beside_nulls(scores: pd.DataFrame, draws: int = 1000, seed: int = 0) -> tuple[str, ...]:
    """Sentences on models that are no better than the best null, or better by less than their interval tells.

    Model and null are compared over the units that both have. A model whose interval is unknown is only compared by
    its mean.
    """
    held = scores[scores["state"].isin(SETTLED) & scores["value"].notna() & ~scores["measure"].map(is_part)]
    told: list[str] = []
    for (measure, criterion), cell in held.groupby(CELL, sort=False):
        units, roles, names = _gains(cell)
        null = _best(units, roles == "null")
        if null is None:
            continue
        filled = cell[cell["role"] == "model"].groupby("model")[["lo", "hi"]].mean() * _sign(cell)
        for at in map(int, np.flatnonzero(roles == "model")):
            pair = _complete(units[:, [at, null]])
            span = _span(pair[:, :1], filled.loc[names[at]].to_numpy(dtype=float), draws, seed)
            told += _against(pair, span, str(names[at]), f"{names[null]} on {measure} ({criterion})")
    return tuple(told)


def _span(values: Floats, filled: Floats, draws: int, seed: int) -> tuple[float, float]:
    """The interval of a model's mean: over its units, or the runner's where there is one unit only."""
    if len(values) > 1:
        lo, hi = bootstrap.mean_interval(values, draws=draws, seed=seed)
        return float(lo[0]), float(hi[0])
    return float(filled.min()), float(filled.max())


def _against(pair: Floats, span: tuple[float, float], model: str, null: str) -> Iterator[str]:
    """What is to be said of a model beside a null; nothing where it is better for certain, or not comparable."""
    if not len(pair):
        return
    own, blind = pair.mean(axis=0)
    if own < blind:
        yield f"{model} is worse than the null {null}"
    elif own == blind:
        yield f"{model} is no better than the null {null}"
    elif span[0] <= blind <= span[1]:
        yield f"{model} is better than the null {null}, but {null.partition(' on ')[0]} lies within its interval"
