"""How far above the map's average the fixated places are: in standard deviations, and in per cent of the pixels."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from beholder.attention.maps.fixated_pixels import (
    Duplicates,
    at_fixations,
    check_choice,
    fixated_pixels,
    rank_among_all,
    with_counts,
)
from beholder.attention.maps.fixation_maps import Where
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.stats.samples import mean
from beholder.vision.blur import spread

Ties = Literal["strict", "midrank"]


@measure(better="higher", bounds=(-np.inf, np.inf), cite="Peters2005, LeMeur2013", reads=surface)
def nss(
    found: Surface, lookers: Lookers, *, kernel: float = 0.0, ddof: int = 0, duplicates: Duplicates = "keep"
) -> Result:
    """Normalised scanpath saliency: the mean of the z-scored map at fixations; chance is 0.

    Z = (SM − μ)/σ over all |I| pixels, NSS = 1/M Σ_f Σ_j K_h(x_f − x_j) Z(x_j). With `kernel` = 0 the inner sum is the
    pixel that holds the fixation; otherwise K is a Gaussian of bandwidth h = `kernel` degrees (cut at 4 h and at the
    border, its weights adding up to 1). σ divides by |I| − `ddof` (MATLAB: 1). With "merge" each fixated pixel counts
    once.

    A constant map scores 0. Not applicable without a fixation; one is enough.

    >>> from beholder.attention.types import scanpath
    >>> nss(Surface(np.array([[0.0, 0.0, 0.0, 4.0]])), Lookers({"a": scanpath(3, 0)}, (1, 4))).value  # (4 − 1)/√3
    1.7320508075688774
    """
    where = fixated_pixels(found, lookers, duplicates)
    if kernel:
        return with_counts(mean(z_scores(found, lookers, where, kernel=kernel, ddof=ddof)), lookers, where)
    ask = partial(z_scores, found, lookers, ddof=ddof)
    z = at_fixations(found, lookers, ask, key=("nss", ddof), duplicates=duplicates)
    return with_counts(mean(z), lookers, where)


def z_scores(found: Surface, lookers: Lookers, where: Where, *, kernel: float = 0.0, ddof: int = 0) -> Floats:
    """Z at each fixated pixel, or in the neighbourhood of each: what `nss` is the mean of; 0 on a constant map."""
    mean, length = found.moments
    values = found.level
    if not length:
        return np.zeros(len(where[0]))
    sigma = length / np.sqrt(values.size - ddof)
    near = values[where] - mean if kernel == 0 else _around(values - mean, where, _bandwidth(kernel, lookers))
    found_z: Floats = near / sigma
    return found_z


def _bandwidth(kernel: float, lookers: Lookers) -> float:
    if not kernel > 0:
        raise Misuse(f"got kernel={kernel}; expected a bandwidth of more than 0 degrees, or 0 for the pixel itself")
    if not np.isfinite(lookers.px_per_deg):
        raise NotApplicable("the kernel's bandwidth is in degrees, and px per degree are unknown here")
    return kernel * lookers.px_per_deg


def _around(values: Floats, where: Where, sigma: float) -> Floats:
    """The mean of the values around each pixel, weighed by a Gaussian that the border cuts."""
    rows, columns = (spread(side, sigma, "constant")[at] for side, at in zip(values.shape, where, strict=True))
    weighed = ((rows @ values) * columns).sum(axis=1)
    return np.asarray(weighed / (rows.sum(axis=1) * columns.sum(axis=1)))


@measure(better="higher", bounds=(0, 100), cite="LeMeur2013", reads=surface, unit="%")
def percentile(found: Surface, lookers: Lookers, *, ties: Ties = "midrank") -> Result:
    """The percentage of the picture that is less salient than the fixated places; chance is 50.

    P = 100 · #{x: SM(x) < SM(x_f)} / |SM|, the mean over fixations. With "midrank" half of the equal pixels count too,
    and P/100 equals `auc` with uniform controls. With "strict", as the source has it, equal pixels do not count: then a
    constant map scores 0, and the best possible score is 100 (N − 1)/N (Le Meur & Baccino: chance 50 and bound 100 hold
    only without ties).

    A constant map scores 50 with "midrank". Not applicable without a fixation.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(2, 0)}, (1, 4))
    >>> percentile(Surface(np.array([[1.0, 2.0, 3.0, 3.0]])), here).value
    75.0
    >>> percentile(Surface(np.array([[1.0, 2.0, 3.0, 3.0]])), here, ties="strict").value
    50.0
    """
    check_choice("ties", ties, Ties)
    where = fixated_pixels(found, lookers)
    among = rank_among_all(found, lookers, where)
    return with_counts(100 * float((among.strict if ties == "strict" else among.midrank).mean()), lookers, where)
