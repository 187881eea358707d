"""Many tests at once: how many of those that are found are found by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def benjamini_hochberg(p: Floats) -> Floats:
    """p-values corrected so that of all below a limit, that share at most is expected to be found by chance.

    The k-th smallest of m times m / k, never above one that follows it (Benjamini & Hochberg 1995).

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).round(3)
    array([0.03, 0.04, 0.04])
    """
    given = np.asarray(p, float)
    many = len(given)
    order = np.argsort(given, kind="stable")[::-1]
    stepped = np.minimum.accumulate(given[order] * many / np.arange(many, 0, -1)) if many else given
    found = np.empty_like(given)
    found[order] = np.minimum(stepped, 1.0)
    return found


def binomial_above(held: ArrayLike, of: ArrayLike) -> Floats:
    """The exact chance of `held` or more successes of `of` tosses of a fair coin: a one-sided test.

    >>> binomial_above(np.array([4.0, 5.0, 8.0]), np.array([4.0, 5.0, 10.0])).round(4)
    array([0.0625, 0.0312, 0.0547])
    """
    from scipy.special import bdtrc

    k = np.asarray(held, float)
    many = np.asarray(of, np.int64)
    return np.asarray(np.where(k > 0, bdtrc(np.maximum(k, 1) - 1, np.maximum(many, 1), 0.5), 1.0))
