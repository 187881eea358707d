"""Whether a model says the same of a scene whatever pair of its views it is shown (Leclerc, Luong & Fua 2000)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Result, measure
from beholder.stereo.scenes.pairs import Share, scaled
from beholder.stereo.types import Map


@measure(
    better="lower",
    bounds=(0, 100),
    cite="Leclerc2000",
    per="scene",
    resample="sample",
    draws=100,
    unit="%",
    parts=dict.fromkeys(("median", "q90", "q99"), "lower"),
)
def inconsistency(found: Sequence[Map], shares: Sequence[Share], *, delta: float = 1.0) -> Result:
    """Percentage of pixels on which the maps for two pairs of a scene contradict each other.

    For pairs i, j with disparities d of the same left pixel and factors f of a common baseline, δ_ij = |d_i/f_i −
    d_j/f_j| / (f_i⁻² + f_j⁻²)^½, which has the spread of a single matching error, in px, if both maps err equally; the
    value is 100/N · #{δ_ij > δ} over all pixels with an estimate in both, and all i < j. Parts: its distribution
    (`median`, `q90`, `q99`, in px) and the share of pixels that could be compared (`compared`). A pair that occurs
    twice counts once. Fewer than two pairs, or no pixel (NaN) with two estimates: not applicable.

    Consistent does not mean correct: a model that answers 0 everywhere never contradicts itself.

    Deviation: Leclerc et al. compare points in space, using the covariance of calibrated cameras; this is for rectified
    views, where disparity divided by baseline is equivalent.

    >>> one, half = np.array([4.0, 8.0]), np.array([2.0, 6.0])  # half of 4, but 2 more than half of 8: 4/√5 = 1.79
    >>> inconsistency([one, half], [Share(1.0), Share(0.5)]).value
    50.0
    """
    maps = [scaled(d, share) for d, share in zip(found, shares, strict=True)]
    own = {share.factor: at for at, share in enumerate(shares)}
    if len(own) < 2:
        raise NotApplicable("this scene has only one pair")
    apart = [_apart(maps[own[f]], maps[own[g]], f, g) for f, g in combinations(sorted(own), 2)]
    values = np.concatenate(apart)
    held = values[~np.isnan(values)]
    if not held.size:
        raise NotApplicable("no pixel has an estimate in two pairs")
    median, q90, q99 = (float(q) for q in np.quantile(held, (0.5, 0.9, 0.99)))
    parts = {"median": median, "q90": q90, "q99": q99, "compared": held.size / values.size}
    return Result(float(100 * np.mean(held > delta * (1 + 1e-6))), parts)  # float32 maps: 3 · 0.5 is not quite 1.5


def _apart(one: Map, other: Map, f: float, g: float) -> NDArray[np.float64]:
    """Differences in px of matching error."""
    return np.ravel(np.abs(one - other) / np.hypot(1 / f, 1 / g)).astype(np.float64)
