"""Models between the best blind model and people: skill."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.scores import CELL, JUDGED
from beholder.core.verdict import Note
from beholder.stats import bootstrap
from beholder.verdicts.against_blind import Right, exempt
from beholder.verdicts.gains import Gains, by_cell
from beholder.verdicts.layout import cell_name

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
COLUMNS = ["model", *CELL, "blind", "ceiling", "skill", "lo", "hi", "units"]


class Skill(NamedTuple):
    """How far models have come from the best blind model towards people."""

    table: pd.DataFrame  # one row per model, measure and criterion; its columns are COLUMNS
    notes: tuple[Note, ...]


def skill(scores: pd.DataFrame, right: Right | None = None, *, draws: int = 1000, seed: int = 0) -> Skill:
    """Skill = (score − blind) / (ceiling − blind) per measure and criterion: 0 is the best blind model, 1 is people.

    The best blind model is the one with the best mean over units, and stays the same in every draw; so does the
    ceiling, if there are several. Scores are means over the units on which model, blind model and ceiling all have a
    value; the interval is a bootstrap over these units, paired. Where the interval of ceiling − best blind touches 0
    the skill is NaN and a note says so; of a measure taken once, over the whole dataset, the runner's two intervals
    must not overlap. A blind model that is `right` by construction is no yardstick. Without a blind model or a ceiling
    there is no skill.
    """
    import pandas as pd

    rows: list[tuple[object, ...]] = []
    notes = []
    for cell, gains in by_cell(scores):
        units, roles, names = gains.units, gains.roles, gains.names
        blind, ceiling = (
            gains.best((roles == "blind") & ~exempt(gains, cell, right or {})),
            gains.best(roles == "ceiling"),
        )
        if blind is None or ceiling is None:
            continue
        ahead = _is_ahead(gains, ceiling, blind)
        if not ahead:
            text = "people are not significantly better than the blind models on {about}"
            notes.append(Note("ceiling", text, about=(cell_name(*cell),)))
        models = np.flatnonzero(np.isin(roles, JUDGED))
        numbers = _skills(units[:, [*models, blind, ceiling]], draws, seed)
        numbers[:, :3] = numbers[:, :3] if ahead else np.nan
        for model, found in zip(names[models], numbers.tolist(), strict=True):
            rows.append((model, *cell, names[blind], names[ceiling], *found[:3], int(found[3])))
    return Skill(pd.DataFrame(rows, columns=COLUMNS), tuple(notes))


def _is_ahead(gains: Gains, ceiling: int, blind: int) -> bool:
    """Whether people are better than the blind model for certain: the interval of the difference lies above 0.

    Where there is no interval, as on one unit or two, the mean decides.
    """
    lead = gains.lead(ceiling, blind)
    return bool((lead.mean if np.isnan(lead.lo) else lead.lo) > 0)


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
