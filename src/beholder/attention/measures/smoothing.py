"""What smoothing alone does for a model: its score at the blur that serves it best, the same on all pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from beholder.attention.maps.blurs import BLURS, Smoothed, blurred_maps
from beholder.attention.maps.fixated_pixels import check_choice
from beholder.attention.types import Floats
from beholder.core.measure import NotApplicable, Result, measure

By = Literal["auc", "sauc", "nss"]


def bests_of_draws(found: Sequence[Smoothed], lookers: Sequence[Any], often: Floats, *, by: By = "nss") -> Floats:
    """The value of every draw of pictures (`often`: draws × pictures) at the blur that is best on all pictures."""
    table = _table(found, by)
    if not len(table):
        return np.full(len(often), np.nan)
    best = int(table.mean(axis=0).argmax())
    values = np.array([getattr(one, by)[best] for one in found])
    known = ~np.isnan(values)
    count = often @ known
    return np.where(count > 0, often @ np.where(known, values, 0.0) / np.maximum(count, 1), np.nan)


@measure(
    better="higher",
    bounds=(-np.inf, np.inf),
    cite="Judd2012",
    reads=blurred_maps,
    per="dataset",
    resample="sample",
    at_once=bests_of_draws,
)
def at_best_blur(found: Sequence[Smoothed], lookers: Sequence[Any], *, by: By = "nss") -> Result:
    """A model's mean NSS, AUC or shuffled AUC at its best common blur: 0, 0.25, 0.5, 1, 1.5 or 2 degrees.

    max_σ 1/N Σ_i s_i(M_i ∗ G_σ), where s is the score `by` and M_i the map of picture i: one σ for all pictures,
    reflected at the border. Measures reward smooth maps whatever they know, and models differ in how smooth their maps
    are. Here each model has the blur that serves it best, as in the MIT benchmark of Judd et al. (2012). The part
    `blur` is that σ in degrees; `at_000` … `at_200` are the means at each blur. σ is chosen on the pictures that it is
    scored on, for every model alike. Blurred maps have 200 px, and all fixations of a picture have the same weight.
    Pictures with NaN are left out; not applicable where no picture was fixated.

    >>> one = Smoothed(*np.array([[0.6, 0.7, 0.8, 0.7, 0.6, 0.5]] * 3))
    >>> best = at_best_blur([one, one], [None, None], by="auc")
    >>> best.value, best.parts["blur"], best.parts["at_000"]
    (0.8, 0.5, 0.6)
    """
    check_choice("by", by, By)
    table = _table(found, by)
    if not len(table):
        raise NotApplicable("no picture has fixations, and fixations on other pictures, to score blurs by")
    means = table.mean(axis=0)
    best = int(means.argmax())
    curve = {f"at_{100 * degrees:03.0f}": float(mean) for degrees, mean in zip(BLURS, means, strict=True)}
    return Result(float(means[best]), {"blur": BLURS[best], **curve})


def _table(found: Sequence[Smoothed], by: By) -> Floats:
    """Pictures × blurs, without pictures that have no score."""
    table = np.array([getattr(one, by) for one in found]).reshape(-1, len(BLURS))
    return np.asarray(table[~np.isnan(table).any(axis=1)])
