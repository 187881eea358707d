"""Numbers that others have measured and published."""

from __future__ import annotations

import math
from typing import Any

from beholder.core.measure import NotApplicable, measure


@measure(better="lower", bounds=(0, 100), cite="Scharstein2002", unit="%")
def published_bad_pixels(found: float, reference: Any) -> float:
    """Percentage of pixels whose disparity is wrong by more than 1 px, as published.

    B = 100/N · #{|d_C − d_T| > δ}, δ = 1, as `bad_pixels`; nothing is recomputed. An unknown number (NaN): not
    applicable.

    >>> published_bad_pixels(1.07, None)
    1.07
    """
    if math.isnan(found):
        raise NotApplicable("this number is not known")
    return float(found)
