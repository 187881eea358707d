"""How sure a Gaussian score is, given how few people or monkeys stand behind its mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beholder.motion.courses.series import Floats
from beholder.motion.references import LEAST, Record, record
from beholder.stats import bootstrap


def draw_means(of: Sequence[Record], fewest: float, *, draws: int, rng: np.random.Generator) -> Floats:
    """The means that as many other observers would have had: draws × records, each N(μ, σ²/n).

    n is that of the record, and `fewest` where it does not say how many there were.

    >>> of = Record("a", "bar", "peak", "me", "seed", 30.0, spread=10.0, n=4)
    >>> drawn = draw_means([of], 2, draws=10_000, rng=np.random.default_rng(0))
    >>> drawn.shape, round(float(drawn.std()), 1)
    ((10000, 1), 5.0)
    """
    mean, sd = (np.array([getattr(one, key) for one in of]) for key in ("value", "spread"))
    observers = np.array([one.n or fewest for one in of])
    return np.asarray(mean + sd / np.sqrt(observers) * rng.standard_normal((draws, len(of))))


def record_of_observers(of: Sequence[Record], id: str, reference: str) -> list[Record]:
    """The record of how many observers there may have been, where one of these does not say it; else nothing."""
    return [] if all(one.n for one in of) else [record(id, reference)]


def interval_around(value: float, scores: Floats) -> tuple[float, float]:
    """The 95 % interval of drawn scores, wide enough to hold the score itself.

    It may be the highest that can be drawn: that of a model which is right at the mean of people. What is next to
    nothing is 0, as in the score.
    """
    lo, hi = (float(end[0]) for end in bootstrap.interval(scores[:, None]))
    low, high = (end if end >= LEAST else 0.0 for end in (lo, hi))
    return min(low, value), max(high, value)
