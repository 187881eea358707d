"""What is left of a combination of measures when one of them is left out, and what each adds in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Result, measure
from beholder.stats import resampled_correlation
from beholder.study.combinations import Combination
from beholder.study.pairs import pairs_of
from beholder.study.ratings import Judged

Floats = NDArray[np.float64]


By = Literal["preference", "spearman"]


def _drawn(
    observed: Sequence[Combination], opinions: Sequence[Judged], counts: Floats, *, by: By = "preference"
) -> Floats:
    return agreement([one.value for one in observed], opinions, by, counts)


@measure(better="higher", bounds=(-1, 1), cite="Ling2025", per="dataset", resample="cluster", at_once=_drawn)
def ablation(observed: Sequence[Combination], opinions: Sequence[Judged], *, by: By = "preference") -> Result:
    """How well a combination agrees with people; parts: without each measure, and adding one measure at a time.

    `by` is preference accuracy = (right + ½ ties) / pairs, or Spearman's ρ. A measure helps where the combination is
    worse without it, and harms where the combination is better without it. `up_to` adds the measures in the order of
    the table. Not applicable to a single measure.

    >>> people = [Judged({"a": 5.0}, "x", "p"), Judged({"a": 3.0}, "y", "p")]
    >>> said = [Combination(2.0, {"m": 1.0}, {"m": 2.0}), Combination(1.0, {"m": 1.0}, {"m": 0.0})]
    >>> found = ablation(said, people)
    >>> found.value, dict(found.parts)
    (1.0, {'without m': 0.5, 'up_to m': 1.0})
    """
    if not observed or not all(isinstance(one, Combination) for one in observed):
        raise NotApplicable("this is a single measure; only a combination has measures to leave out")
    parts = {f"without {name}": [one.without[name] for one in observed] for name in observed[0].without}
    parts |= {f"up_to {name}": [one.up_to[name] for one in observed] for name in observed[0].up_to}
    whole = float(agreement([one.value for one in observed], opinions, by)[0])
    return Result(whole, {name: float(agreement(values, opinions, by)[0]) for name, values in parts.items()})


def agreement(said: Sequence[float], opinions: Sequence[Judged], by: By, counts: Floats | None = None) -> Floats:
    """How far numbers agree with people, for each draw; NaN where that is undefined."""
    if by == "preference":
        return pairs_of(said, opinions).accuracy(counts)
    people = np.array([opinion.mean for opinion in opinions])
    held = np.flatnonzero(np.isfinite(people))
    given = None if counts is None else counts[:, held]
    return resampled_correlation.spearman(np.asarray(said, float)[held], people[held], given)
