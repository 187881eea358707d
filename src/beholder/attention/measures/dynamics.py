"""How people move their eyes, and how a model does: distributions pooled over all pictures, and how unlike they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from beholder.attention.gaze.distributions import (
    By,
    People,
    Unit,
    amplitudes_of,
    compare,
    compare_joint,
    directions_of,
    divergences_of_draws,
    durations_of,
    joint_divergences_of_draws,
    turnings_of,
)
from beholder.attention.gaze.saccades import Moves, model_moves
from beholder.core.measure import Result, measure
from beholder.errors import Misuse

# What the cards of all divergences share: distributions are pooled over pictures, and pictures are resampled.
POOLED: Any = {
    "better": "lower",
    "bounds": (0, np.inf),
    "reads": model_moves,
    "per": "dataset",
    "resample": "sample",
    "parts": dict.fromkeys(("kl", "kl_model_people", "js", "wasserstein", "ks", "raw"), "lower"),
}


@measure(
    cite="Zanca2020, Kullback1951, Lin1991", at_once=partial(divergences_of_draws, of=amplitudes_of, bins=40), **POOLED
)
def amplitude_divergence(
    found: Sequence[Moves],
    lookers: Sequence[People],
    *,
    by: By = "kl",
    unit: Unit = "auto",
    bins: int = 40,
    alpha: float = 1.0,
    excess: bool = True,
) -> Result:
    """How much the saccade amplitudes of model and people differ in distribution, over all pictures; 0 if equal.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) in nats over histograms with `alpha` added to every count (add-one), so that
    amplitudes that a model never makes cost much, but not infinitely much. `by` chooses another distance, and each is
    also a part: `kl_model_people` is the other direction, `js` the Jensen–Shannon divergence (bits, no alpha),
    `wasserstein` the distance without bins, in `unit`, and `ks` the Kolmogorov–Smirnov statistic. With `unit` "auto"
    the unit is degrees, with `bins` bins from 0 to 40 and one beyond, where px per degree are known for all pictures;
    otherwise it is the picture's diagonal. The result names bins, unit and alpha.

    Few saccades are far from people's by chance alone, and alpha flattens their histogram further. The part `by_chance`
    is the mean distance of as many draws (`n`) from people's own distribution, with the same `by`, bins and alpha
    (amplitudes of MIT1003: 0.85 for 5 saccades, 0.20 for 95, 0.08 for 266, 0.04 for 500). The score is what exceeds it,
    and never below 0: max(0, raw − by_chance). With `excess` false it is the part `raw`, which is what papers print.
    Below 50 saccades, of the model or of people, right and wrong cannot be told apart, and confidence is low. Alpha
    still flatters a wrong model with few saccades: a model that stares scores 1.4 with 50, and 4.0 with 1,000.

    Undefined where the model or people make no saccade.

    >>> from beholder.attention.gaze.saccades import moves
    >>> from beholder.attention.types import Lookers, scanpath
    >>> person = [Lookers({"a": scanpath([0, 3, 3], [0, 4, 4])}, (6, 8))]  # 5 and 0 px: half of the diagonal, and none
    >>> still = [moves([scanpath([1, 1, 1], [1, 1, 1])])]
    >>> found = amplitude_divergence(still, person, bins=2)
    >>> round(found.parts["raw"], 4)  # ½ log(½/¾) + ½ log(½/¼)
    0.1438
    >>> round(found.parts["by_chance"], 4)  # both alike, 0.1438: 22 of 50
    0.0633
    >>> round(found.value, 4), found.state  # 0.1438 × 28/50
    (0.0806, 'low')
    """
    return compare(amplitudes_of(found, lookers, unit=unit), by=by, bins=bins, alpha=alpha, excess=excess)


@measure(cite="Zanca2020, Kullback1951", at_once=partial(divergences_of_draws, of=directions_of, bins=36), **POOLED)
def direction_divergence(
    found: Sequence[Moves],
    lookers: Sequence[People],
    *,
    by: By = "kl",
    bins: int = 36,
    alpha: float = 1.0,
    excess: bool = True,
) -> Result:
    """How much the saccade directions differ in distribution (0 right, 90 up), as in `amplitude_divergence`.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) over `bins` equal sectors of the circle, `alpha` added to every count.
    `wasserstein` is the distance on the circle, in degrees, and `ks` is Kuiper's statistic, because a circle has no
    beginning. Saccades of length 0 have no direction; undefined where there are no others. The score is the excess over
    chance; confidence is low below 50 saccades.

    >>> from beholder.attention.gaze.saccades import moves
    >>> from beholder.attention.types import Lookers, scanpath
    >>> right, up = scanpath([0, 1], [5, 5]), scanpath([0, 0], [5, 4])
    >>> direction_divergence([moves([up])], [Lookers({"a": right}, (6, 8))], by="wasserstein").value
    90.0
    """
    return compare(directions_of(found, lookers), by=by, bins=bins, alpha=alpha, excess=excess)


@measure(cite="Zanca2020, Kullback1951", at_once=partial(divergences_of_draws, of=turnings_of, bins=36), **POOLED)
def turning_divergence(
    found: Sequence[Moves],
    lookers: Sequence[People],
    *,
    by: By = "kl",
    bins: int = 36,
    alpha: float = 1.0,
    excess: bool = True,
) -> Result:
    """How much the angles between successive saccades differ in distribution, as in `direction_divergence`.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) over `bins` equal sectors from −180 to 180 degrees (0: straight on, ±180:
    back), `alpha` added to every count. Undefined without two successive saccades longer than 0. The score is the
    excess over chance; confidence is low below 50 angles.

    >>> from beholder.attention.gaze.saccades import moves
    >>> from beholder.attention.types import Lookers, scanpath
    >>> on, back = scanpath([0, 1, 2], [0, 0, 0]), scanpath([0, 1, 0], [0, 0, 0])
    >>> turning_divergence([moves([back])], [Lookers({"a": on}, (1, 3))], by="wasserstein").value
    180.0
    """
    return compare(turnings_of(found, lookers), by=by, bins=bins, alpha=alpha, excess=excess)


@measure(cite="Zanca2020, Kullback1951", at_once=partial(divergences_of_draws, of=durations_of, bins=40), **POOLED)
def duration_divergence(
    found: Sequence[Moves],
    lookers: Sequence[People],
    *,
    by: By = "kl",
    bins: int = 40,
    alpha: float = 1.0,
    excess: bool = True,
) -> Result:
    """How much the fixation durations differ in distribution, as in `amplitude_divergence`.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) over `bins` equal bins from 0 to 1000 ms and one beyond, `alpha` added to
    every count. Durations that are unknown, 0 or negative are left out; undefined where there are no others. The score
    is the excess over chance; confidence is low below 50 durations.

    >>> from beholder.attention.gaze.saccades import moves
    >>> from beholder.attention.types import Lookers, scanpath
    >>> person = [Lookers({"a": scanpath([0, 1], [0, 0], duration_ms=[100, 300])}, (1, 2))]
    >>> found = duration_divergence([moves([scanpath([0], [0], duration_ms=[700])])], person, by="wasserstein")
    >>> found.parts["raw"], found.value  # (600 + 400)/2; one draw of 100 or 300 is 100 off by chance
    (500.0, 400.0)
    """
    return compare(durations_of(found, lookers), by=by, bins=bins, alpha=alpha, excess=excess)


@measure(cite="Zanca2020, LeMeur2013", at_once=joint_divergences_of_draws, **POOLED)
def joint_divergence(
    found: Sequence[Moves],
    lookers: Sequence[People],
    *,
    by: Literal["kl", "kl_model_people", "js"] = "kl",
    bins: int = 10,
    alpha: float = 1.0,
    excess: bool = True,
) -> Result:
    """How much saccade amplitude and the next fixation's duration differ in their joint distribution.

    KL(people‖model) = Σ_kl h_kl log(h_kl/m_kl) over `bins` × `bins` cells, amplitudes up to the diagonal of the picture
    and durations up to 1000 ms (the last column holds longer ones), `alpha` added to every count. It shows short
    fixations between long saccades (ambient) and long fixations between short saccades (focal), which the two separate
    distributions cannot show. Undefined where a model has no durations or no saccades. The score is the excess over
    chance, which is large because there are many cells; confidence is low below 100 saccades.

    >>> from beholder.attention.gaze.saccades import moves
    >>> from beholder.attention.types import Lookers, scanpath
    >>> path = scanpath([0, 3], [0, 4], duration_ms=[100, 300])
    >>> joint_divergence([moves([path])], [Lookers({"a": path}, (6, 8))]).value
    0.0
    """
    if by not in ("kl", "kl_model_people", "js"):
        raise Misuse(f"got by={by!r}; expected 'kl', 'kl_model_people' or 'js'")
    return compare_joint(found, lookers, by=by, bins=bins, alpha=alpha, excess=excess)
