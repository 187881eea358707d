"""The mean curves of a dataset: how many fixations the most salient parts of pictures hold, and shuffled ROC."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from beholder.attention.maps.rates import AT, Rates, thin_map
from beholder.attention.types import Floats
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse


def hits_of_draws(found: Sequence[Rates], lookers: Sequence[Any], often: Floats, *, kept: float = 0.2) -> Floats:
    """The value of every draw of pictures, `often` saying how often each stands in it (draws × pictures)."""
    values = np.array([_at(one.hits, kept) for one in found])
    known = ~np.isnan(values)
    count = often @ known
    return np.where(count > 0, often @ np.where(known, values, 0.0) / np.maximum(count, 1), np.nan)


@measure(
    better="higher",
    bounds=(0, 1),
    cite="Torralba2006, LeMeur2013",
    reads=thin_map,
    per="dataset",
    resample="sample",
    at_once=hits_of_draws,
)
def mean_hits(found: Sequence[Rates], lookers: Sequence[Any], *, kept: float = 0.2) -> Result:
    """The mean hit-rate curve over all pictures, read at `kept` of the picture; the parts are the curve.

    1/N Σ_i hits_i(q): for each picture i, the share of fixations inside its most salient part of area q (see
    `hit_rate`), linear between q = 0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9 and 1. Chance is q. The parts `hits_02`
    … `hits_90` are that curve. The parts `roc_02` … `roc_90` are the mean hit rate at thresholds where 2 … 90 % of the
    fixations on other pictures are false alarms (see `sauc`), which removes the centre bias. Maps are subsampled to 200
    px. Every picture has the same weight; pictures with NaN are left out. Not applicable where no picture was fixated.

    >>> one = Rates(np.array([0.1, 0.2, 0.3, 0.5, 0.6, 0.8, 0.9, 1.0]), np.full(8, np.nan))
    >>> mean_hits([one, one._replace(hits=one.hits - 0.1)], [None, None]).value  # (0.5 + 0.4)/2
    0.45
    """
    if not 0 <= kept <= 1:
        raise Misuse(f"got kept={kept}; expected a share of the picture, 0 … 1")
    held = [one for one in found if not np.isnan(one.hits).any()]
    if not held:
        raise NotApplicable("nobody fixated any picture, so there is no curve")
    parts = {**_parts("hits", held), **_parts("roc", [one for one in held if not np.isnan(one.roc).any()])}
    return Result(float(np.mean([_at(one.hits, kept) for one in held])), parts)


def _parts(name: str, held: Sequence[Rates]) -> dict[str, float]:
    """The mean of a curve over some pictures, point by point; nothing of none."""
    means = np.array([getattr(one, name) for one in held]).mean(axis=0).tolist() if held else []
    return {part(name, at): mean for at, mean in zip(AT, means, strict=False)}


def part(name: str, at: float) -> str:
    """What a point of a curve is called.

    >>> part("roc", 0.05)
    'roc_05'
    """
    return f"{name}_{100 * at:02.0f}"


def _at(hits: Floats, kept: float) -> float:
    return float(np.interp(kept, (0.0, *AT, 1.0), (0.0, *hits, 1.0)))
