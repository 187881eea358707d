"""What KITTI counts as an outlier in its benchmark of 2015. That of 2012 is `disparity.bad_pixels` at 1 … 5 px."""

from __future__ import annotations

import numpy as np

from beholder.core.measure import measure
from beholder.stereo.estimates import Estimates, Invalid, judged
from beholder.stereo.measures.disparity import percentage, within
from beholder.stereo.types import Map

PIXELS = 3.0  # the devkit of KITTI 2015: an error of more than 3 px …
SHARE = 0.05  # … and of more than 5 % of the true disparity


@measure(better="lower", bounds=(0, 100), cite="Menze2015", unit="%")
def d1(found: Estimates, true: Map, *, invalid: Invalid = "error") -> float:
    """Percentage of outliers: wrong by more than 3 px and by more than 5 % of the true disparity.

    D1 = 100/N · #{e > 3 ∧ e/d_T > 0.05}, both strictly greater, e = |d_C − d_T|. A pixel without an estimate is an
    outlier with `invalid` "error", is left out of N with "exclude" (KITTI's "est" figures), and is filled from the
    background with "fill-background" (its "all" figures). Nothing estimated: 100. No known pixel: not applicable.

    >>> d1(np.array([10.0, 14, 104, 106]), np.array([10.0, 10, 100, 100]))  # errors 0, 4, 4 of 100, 6 of 100
    50.0
    """
    sides = judged(found, true, invalid)
    return percentage(~within(sides, np.maximum(PIXELS, SHARE * np.abs(sides.truth))))
