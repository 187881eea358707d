"""A smooth curve through simulated powers, so that the number that is needed does not hang on the sizes simulated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Test = Literal["two sides", "one side", "equivalence"]
LEVEL = {"two sides": 0.975, "one side": 0.95, "equivalence": 0.95}


def needed(power: Mapping[int, float], *, runs: int, items: int, test: Test, enough: float) -> float:
    """Participants at whom the curve through these powers reaches `enough`, rounded up.

    It is the smallest size simulated where that is enough, and infinite where the largest is not: nothing is said of
    sizes beyond them. The squared standard error is a + b/n + c/n² of the effect's square, none of them negative: what
    items leave, what people leave, and, in a test of agreement (one side), what pairs of answers leave. The curve is
    the likeliest one.

    >>> needed({10: 0.1, 20: 0.2}, runs=400, items=100, test="two sides", enough=0.8)
    inf
    """
    sizes, found = np.array(list(power), float), np.array(list(power.values()), float)
    if len(sizes) < 2:
        return float(sizes[0]) if found[0] >= enough else math.inf
    parts = _fitted(sizes, found, runs, items, test)
    fine = np.geomspace(sizes.min(), sizes.max(), 2000)
    reached = np.flatnonzero(_curve(parts, fine, sizes.min(), items, test) >= enough)
    if not len(reached):
        return math.inf
    return float(sizes.min()) if not reached[0] else min(_up(fine[reached[0]]), float(sizes.max()))


def _up(size: float) -> float:
    """Rounded up to a whole number, and from 100 on to tens: more is not known.

    >>> _up(65.2), _up(262.0)
    (66.0, 270.0)
    """
    step = 1 if size <= 100 else 10
    return float(math.ceil(round(size / step, 6)) * step)


def _curve(parts: Floats, sizes: Floats, least: float, items: int, test: Test) -> Floats:
    """The power at each size; `parts` are a, b and c for sizes in units of `least`."""
    from scipy.special import ndtr, stdtrit

    share = least / sizes
    effect = 1 / np.sqrt(np.maximum(parts[0] + parts[1] * share + parts[2] * share**2, 1e-6))
    bar = stdtrit(np.minimum(sizes, items) - 1, LEVEL[test]) if test != "one side" else 1.6448536269514722
    if test == "equivalence":
        return np.asarray(np.maximum(2 * ndtr(effect - bar) - 1, 0))
    return np.asarray(ndtr(effect - bar) + (ndtr(-effect - bar) if test == "two sides" else 0))


def _fitted(sizes: Floats, found: Floats, runs: int, items: int, test: Test) -> Floats:
    """The likeliest a, b and c."""
    from scipy.optimize import minimize

    hits = found * runs

    def unlikely(parts: Floats) -> float:
        p = np.clip(_curve(parts, sizes, sizes.min(), items, test), 1e-4, 1 - 1e-4)
        return -float((hits * np.log(p) + (runs - hits) * np.log(1 - p)).sum())

    several = (0.0, 1.0) if test == "one side" else (0.0,)  # no pairs of answers in the other tests
    starts = [np.array([a, b, c]) for a in (0.02, 0.3) for b in (0.1, 1.0) for c in several]
    bounds = [(0.0, 400.0), (0.0, 400.0), (0.0, 400.0 * (len(several) - 1))]
    tried = [minimize(unlikely, start, method="L-BFGS-B", bounds=bounds) for start in starts]
    return np.asarray(min(tried, key=lambda one: float(one.fun)).x)
