"""Whether answers follow another convention than image flow, u right and v down: what their scores would be then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beholder.core.scores import JUDGED
from beholder.stats.small_samples import mean_interval

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

VARIANTS = {  # of an answer, and what it would have been
    "v_flipped": "with the sign of v flipped",
    "uv_swapped": "with u and v swapped",
}
LEVEL = 0.99  # of the interval of the gain: two variants of many models are looked at
EXPECTED = "the expected convention is image flow: u to the right, v down"


def variants(velocity: Floats) -> dict[str, Floats]:
    """The same velocities, x to the right and y up, had the answer's v the other sign, or its u and v changed places.

    Image flow has u = x and v = −y, so that swapping u and v gives (−y, −x).

    >>> {name: one.tolist() for name, one in variants(np.array([[3.0, 1.0]])).items()}
    {'v_flipped': [[3.0, -1.0]], 'uv_swapped': [[-1.0, -3.0]]}
    """
    return {"v_flipped": velocity * (1, -1), "uv_swapped": -velocity[..., ::-1]}


def caveats(scores: pd.DataFrame) -> dict[str, str]:
    """What is to be said of models whose final error would be smaller in another convention, beyond chance.

    That is where the 99 % interval of the gain over stimuli lies above 0.
    """
    rows = scores[(scores["measure"] == "final_error") & (scores["settings"].fillna("") == "")]
    rows = rows[rows["role"].isin(JUDGED)].assign(part=rows["part"].fillna(""))
    units = ["dataset", "unit"]
    found = {}
    for model, own in rows.groupby("model", sort=False):
        table = own.pivot_table(index=units, columns="part", values="value", aggfunc="mean")
        gains = {name: (table[""] - table[name]).dropna().to_numpy() for name in VARIANTS if name in table}
        sure = {name: gain.mean() for name, gain in gains.items() if _beyond_chance(gain)}
        if sure:
            best = max(sure, key=sure.__getitem__)
            found[str(model)] = _sentence(
                VARIANTS[best], table[best].mean(), table[""].mean(), "to people's final direction [deg]"
            )
    return found


def caveats_at_probes(scores: pd.DataFrame) -> dict[str, str]:
    """The same of vectors at probes: where their error to the truth would lie below its own 95 % interval on a set."""
    rows = scores[(scores["measure"] == "epe_truth") & scores["role"].isin(JUDGED)].assign(
        part=scores["part"].fillna("")
    )
    found = {}
    for (model, _, _), own in rows.groupby(["model", "dataset", "unit"], sort=False):
        value = own.groupby("part")["value"].mean()
        lo = own.loc[own["part"] == "", "lo"].mean()
        better = {name: value[name] for name in VARIANTS if name in value and value[name] < lo}
        if better and str(model) not in found:
            best = min(better, key=better.__getitem__)
            found[str(model)] = _sentence(VARIANTS[best], better[best], value[""], "to the truth [px/frame]")
    return found


def _beyond_chance(gain: Floats) -> bool:
    """Whether the interval of a mean gain lies above 0."""
    if len(gain) < 3:
        return False
    if np.ptp(gain) == 0:  # no spread, and no interval
        return bool(gain[0] > 0)
    return bool(mean_interval(gain[:, None], level=LEVEL, shares=False)[0, 0] > 0)


def _sentence(variant: str, other: float, own: float, unit: str) -> str:
    return f"{variant}, its mean error {unit} would be {other:.3g} instead of {own:.3g}; {EXPECTED}"
