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
    """How unlike the distributions of saccade amplitude are, model and people, all pictures together; 0 if equal.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) in nats over histograms with `alpha` added to every count (add-one), so that
    amplitudes which a model never makes cost much and not without end; with `by`, or as parts: `kl_model_people` the
    other way round, `js` the Jensen–Shannon divergence (bits, no alpha), `wasserstein` the distance without bins, in
    `unit`, `ks` the Kolmogorov–Smirnov statistic. `unit` is degrees, `bins` of them from 0 to 40 and one beyond, where
    px per degree are known on all pictures ("auto"), else the diagonal of the picture. Bins, unit and alpha are said.

    Few saccades are far from people's by chance alone, and alpha flattens them more: what as many draws (`n`) from
    people's own distribution have on average, by the same `by`, bins and alpha, is the part `by_chance` (amplitudes of
    MIT1003: 0.85 of 5 saccades, 0.20 of 95, 0.08 of 266, 0.04 of 500). The score is what is beyond it, not below 0:
    max(0, raw − by_chance); with `excess` false it is the part `raw`, which is what papers print. Below 50 saccades,
    of the model or of people, right and wrong cannot be told apart, and confidence is low. Alpha still flatters a
    wrong model of few saccades: a stare has 1.4 with 50, and 4.0 with 1,000.

    Where the model makes no saccade, or people none, it is undefined.

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
    """How unlike the distributions of saccade direction are (0 right, 90 up), as in `amplitude_divergence`.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) over `bins` equal sectors of the circle, `alpha` added to every count;
    `wasserstein` is that of the circle, in degrees, and `ks` is Kuiper's statistic, because a circle has no beginning.
    Saccades that go nowhere have no direction; without any other it is undefined. The score
    is over chance, and low below 50.

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
    """How unlike the distributions of the angle between a saccade and the next are, as in `direction_divergence`.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) over `bins` equal sectors from −180 to 180 degrees (0: straight on, ±180:
    back), `alpha` added to every count. Without two saccades in a row that go somewhere it is undefined. The
    score is over chance, and low below 50.

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
    """How unlike the distributions of fixation duration are, as in `amplitude_divergence`.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) over `bins` equal bins from 0 to 1000 ms and one beyond, `alpha` added to
    every count. Durations that are not known or not above 0 are left away; without any other it is undefined.
    The score is over chance, and low below 50.

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
    """How unlike the joint distributions of saccade amplitude and the duration of the next fixation are.

    KL(people‖model) = Σ_kl h_kl log(h_kl/m_kl) over `bins` × `bins` cells, amplitudes up to the diagonal of the picture
    and durations up to 1000 ms (the last column holds longer ones), `alpha` added to every count. It shows short
    fixations between long saccades (ambient) and long ones between short saccades (focal), which the margins do not.
    Undefined where a model has no durations, or no saccades. The score is over chance, which
    is much, as cells are many, and low below 100 saccades.

    >>> from beholder.attention.gaze.saccades import moves
    >>> from beholder.attention.types import Lookers, scanpath
    >>> path = scanpath([0, 3], [0, 4], duration_ms=[100, 300])
    >>> joint_divergence([moves([path])], [Lookers({"a": path}, (6, 8))]).value
    0.0
    """
    if by not in ("kl", "kl_model_people", "js"):
        raise Misuse(f"got by={by!r}; expected 'kl', 'kl_model_people' or 'js'")
    return compare_joint(found, lookers, by=by, bins=bins, alpha=alpha, excess=excess)
