"""Models beside people and blind models: skill, and notes on models that hardly beat a blind one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import SETTLED
from beholder.core.scores import CELL, JUDGED, whole
from beholder.core.verdict import Note
from beholder.stats import bootstrap
from beholder.verdicts.components import grid
from beholder.verdicts.intervals import mean_interval
from beholder.verdicts.layout import cell_name

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Names = NDArray[np.object_]
COLUMNS = ["model", *CELL, "blind", "ceiling", "skill", "lo", "hi", "units"]


class Skill(NamedTuple):
    """How far models have come from the best blind model towards people."""

    table: pd.DataFrame  # one row per model, measure and criterion; its columns are COLUMNS
    notes: tuple[Note, ...]


class Gains(NamedTuple):
    """The values of one measure × criterion, signed so that more is better."""

    units: Floats  # units × columns, one column per model in its role
    roles: Names  # of each column
    names: Names
    own: Floats  # the runner's intervals, 2 × columns; NaN where it gave none


def skill(scores: pd.DataFrame, draws: int = 1000, seed: int = 0) -> Skill:
    """Skill = (score − blind) / (ceiling − blind) per measure and criterion: 0 is the best blind model, 1 is people.

    The best blind model is the one with the best mean over units, and stays the same in every draw; so does the
    ceiling, if there are several. Scores are means over the units on which model, blind model and ceiling all have a
    value; the interval is a bootstrap over these units, paired. Where the interval of ceiling − best blind touches 0
    the skill is NaN and a note says so; of a measure taken once, over the whole dataset, the runner's two intervals
    must not overlap. Without a blind model or a ceiling there is no skill.
    """
    import pandas as pd

    rows: list[tuple[object, ...]] = []
    notes = []
    for cell, values in _by_cell(scores):
        gains = _gains(values)
        units, roles, names = gains.units, gains.roles, gains.names
        blind, ceiling = _best(units, roles == "blind"), _best(units, roles == "ceiling")
        if blind is None or ceiling is None:
            continue
        ahead = _is_ahead(gains, ceiling, blind)
        if not ahead:
            text = "people do not beat the blind models on {about} here"
            notes.append(Note("ceiling", text, about=(cell_name(*cell),)))
        models = np.flatnonzero(np.isin(roles, JUDGED))
        numbers = _skills(units[:, [*models, blind, ceiling]], draws, seed)
        numbers[:, :3] = numbers[:, :3] if ahead else np.nan
        for model, found in zip(names[models], numbers.tolist(), strict=True):
            rows.append((model, *cell, names[blind], names[ceiling], *found[:3], int(found[3])))
    return Skill(pd.DataFrame(rows, columns=COLUMNS), tuple(notes))


def _by_cell(scores: pd.DataFrame) -> Iterator[tuple[tuple[str, str, str], pd.DataFrame]]:
    """The rows of each measure × criterion that have a value and are no parts."""
    rows = whole(scores)
    held = rows[rows["state"].isin(SETTLED) & rows["value"].notna()]
    for (measure, settings, criterion), values in held.groupby(CELL, sort=False):
        yield (str(measure), str(settings), str(criterion)), values


def _gains(values: pd.DataFrame) -> Gains:
    sign = 1.0 if values["better"].iloc[0] == "higher" else -1.0
    units = grid(values, ["dataset", "unit"], ["role", "model"])
    roles, names = (np.array(units.columns.get_level_values(level), dtype=object) for level in ("role", "model"))
    own = values.groupby(["role", "model"])[["lo", "hi"]].mean().reindex(units.columns).to_numpy(dtype=float).T * sign
    return Gains(units.to_numpy(dtype=float) * sign, roles, names, np.stack([own.min(axis=0), own.max(axis=0)]))


def _best(units: Floats, among: NDArray[np.bool_]) -> int | None:
    """The column with the largest mean among some."""
    columns = np.flatnonzero(among)
    return int(columns[np.nanmean(units[:, columns], axis=0).argmax()]) if len(columns) else None


def _complete(units: Floats) -> Floats:
    """The units on which every column has a value."""
    return units[~np.isnan(units).any(axis=1)]


def _is_ahead(gains: Gains, ceiling: int, blind: int) -> bool:
    """Whether people are better than the blind model for certain: the interval of the difference lies above 0.

    On one unit the two intervals of the runner must not overlap; unknown ones are taken not to. Two units have none.
    """
    gain = np.diff(_complete(gains.units[:, [blind, ceiling]]), axis=1)
    if not len(gain):
        return False
    own = gains.own[:, [ceiling]] - gains.own[::-1, [blind]]  # of the difference: from lo − hi to hi − lo
    lo, _ = mean_interval(gain, np.where(np.isnan(own), gain[0], own))
    return bool((gain.mean() if np.isnan(lo[0]) else lo[0]) > 0)


def _skills(units: Floats, draws: int, seed: int) -> Floats:
    """Models × (skill, lo, hi, number of units) from units × (models, blind model, ceiling).

    Models that hold the same units are drawn at once; below three units there is no interval.
    """
    filled = ~np.isnan(units)
    held = filled[:, :-2] & filled[:, -2:].all(axis=1, keepdims=True)
    found = np.full((held.shape[1], 4), np.nan)
    patterns, which = np.unique(held, axis=1, return_inverse=True)
    for at, pattern in enumerate(patterns.T):
        mine = which.ravel() == at
        own = units[pattern][:, np.append(mine, [True, True])]
        found[mine] = _skill(own, draws if len(own) >= bootstrap.LEAST else 0, seed)
    return found


def _skill(own: Floats, draws: int, seed: int) -> Floats:
    """The same for models that hold all of these units."""
    if not len(own):
        return np.array([np.nan, np.nan, np.nan, 0.0])
    value = _ratio(own.mean(axis=0, keepdims=True))[0]
    drawn = _ratio(bootstrap.means(own, draws=draws, rng=np.random.default_rng(seed)))
    lo, hi = bootstrap.interval(drawn, units=len(own))
    return np.stack([value, lo, hi, np.full(len(value), float(len(own)))], axis=1)


def _ratio(means: Floats) -> Floats:
    """(model − blind) / (ceiling − blind), rows × models; NaN where the ceiling is not above the blind model."""
    models, blind, ceiling = means[:, :-2], means[:, -2:-1], means[:, -1:]
    return np.asarray((models - blind) / np.where(ceiling > blind, ceiling - blind, np.nan))


def compare_with_blind(scores: pd.DataFrame) -> tuple[Note, ...]:
    """Notes on models that are no better than the best blind model, or better by less than their interval tells.

    Both are compared over the units that both have. A model whose interval is unknown is only compared by its mean.
    """
    notes: list[Note] = []
    for cell, values in _by_cell(scores):
        units, roles, names, own = _gains(values)
        blind = _best(units, roles == "blind")
        if blind is None:
            continue
        for at in map(int, np.flatnonzero(np.isin(roles, JUDGED))):
            pair = _complete(units[:, [at, blind]])
            if not len(pair):
                continue
            span = mean_interval(pair[:, :1], own[:, [at]])[:, 0]
            if text := _against(pair.mean(axis=0), span, str(names[at]), str(names[blind])):
                notes.append(Note("blind", text, about=(cell_name(*cell),)))
    return tuple(notes)


def _against(means: Floats, span: Floats, model: str, blind: str) -> str:
    """How a model compares with a blind one, in words; nothing where it is better for certain."""
    own, other = means
    if own < other:
        return f"{model} is worse than the blind model {blind} on {{about}}"
    if own == other:
        return f"{model} is no better than the blind model {blind} on {{about}}"
    if span[0] <= other <= span[1]:
        return f"{model} is better than the blind model {blind} on {{about}}, but {blind} lies within its interval"
    return ""
