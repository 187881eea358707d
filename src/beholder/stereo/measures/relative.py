"""Errors in relation to depth: the same error in disparity weighs more where a surface is far away."""

from __future__ import annotations

from typing import Literal

import numpy as np

from beholder.core.measure import NotApplicable, measure
from beholder.errors import Misuse
from beholder.stereo.estimates import Estimates, Floats, Invalid, Sides, estimated, judged
from beholder.stereo.measures.disparity import within
from beholder.stereo.types import Map

Normalisation = Literal["sum", "all", "bad"]


@measure(better="lower", bounds=(0, np.inf), cite="CabezasBMPRE2012")
def mre(found: Estimates, true: Map, *, invalid: Invalid = "exclude") -> float:
    """Mean relative error.

    MRE = 1/N Σ |d_C − d_T| / d_T over the pixels that have an estimate. Pixels with a true disparity of 0 are left out,
    since no error is relative to 0. With `invalid` = "error" holes are refused; no pixel left: not applicable.

    >>> mre(np.array([5.0, 12, np.nan]), np.array([4.0, 8, 8]))
    0.375
    """
    estimate, truth = _related(estimated(found, true, invalid))
    return float(np.mean(np.abs(estimate - truth) / truth))


@measure(better="lower", bounds=(0, np.inf), cite="CabezasBMPRE2012")
def bmpre(
    found: Estimates, true: Map, *, delta: float = 1.0, normalise: Normalisation = "sum", invalid: Invalid = "exclude"
) -> float:
    """Bad matched pixels relative error: the relative errors of those pixels that are wrong by more than δ.

    BMPRE = Σ_{e > δ} e/d_T, e = |d_C − d_T|. Implementations differ in the norm: `normalise` = "sum" keeps the sum,
    "all" divides by the number N of pixels, "bad" by the number of bad ones. No bad pixel: 0. Zeros, holes and empties
    as in `mre`.

    Deviation: written from memory of the paper, whose normalisation could not be checked; hence the argument.

    >>> bmpre(np.array([4.5, 12, 8]), np.array([4.0, 8, 4]))  # 0, 4/8, 4/4
    1.5
    >>> bmpre(np.array([4.5, 12, 8]), np.array([4.0, 8, 4]), normalise="all")
    0.5
    """
    sides = _related(estimated(found, true, invalid))
    bad = ~within(sides, delta)
    counts: dict[str, int] = {"sum": 1, "all": bad.size, "bad": max(1, int(np.count_nonzero(bad)))}
    if normalise not in counts:
        raise Misuse(f"got normalise={normalise!r}; expected {', '.join(map(repr, counts))}")
    return float(np.sum((np.abs(sides.estimate - sides.truth) / sides.truth)[bad]) / counts[normalise])


@measure(better="lower", bounds=(0, np.inf), cite="CabezasSZE2011")
def sze(found: Estimates, true: Map, *, fb: float = 1.0, mu: float = 1.0, invalid: Invalid = "error") -> float:
    """Sigma-Z-error: the sum of the errors in depth.

    SZE = Σ |f·B/(d_T + μ) − f·B/(d_C + μ)|, in the unit of the baseline B if `fb` is the focal length in px times B;
    use 1 if they are unknown: it is only a common factor. μ keeps the depth of a disparity of 0 finite. A pixel without
    an estimate counts as a disparity of 0 with `invalid` "error" and is left out with "exclude". Nothing left to sum:
    not applicable. As a sum it grows with the number of pixels: compare models on the same pixels only.

    Deviation: written from memory of the paper; the default μ = 1 is that of a public implementation.

    >>> sze(np.array([3.0, 0, np.nan]), np.array([1.0, 0, 1]))  # |1/2 − 1/4| + 0 + |1/2 − 1/1|
    0.75
    """
    if not (fb > 0 and mu > 0):
        raise Misuse(f"got fb={fb}, mu={mu}; expected both above 0")
    estimate, truth = judged(found, true, invalid)
    if not estimate.size:
        raise NotApplicable("no pixel here has an estimate")
    return float(np.sum(np.abs(_depth(truth, fb, mu) - _depth(np.nan_to_num(estimate, nan=0.0), fb, mu))))


def _depth(disparity: Floats, fb: float, mu: float) -> Floats:
    return fb / (disparity + mu)


def _related(sides: Sides) -> Sides:
    """The pixels whose true disparity is above 0."""
    above = sides.truth > 0
    if not above.any():
        raise NotApplicable("no pixel here has a true disparity above 0")
    return Sides(sides.estimate[above], sides.truth[above])
