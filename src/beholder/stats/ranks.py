"""Ranks of models on each component."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ties = Literal["min", "average"]


def ranks(losses: Floats, ties: Ties = "min") -> Floats:
    """Rank of each row within each column, the least loss first.

    With `ties` = "min" a rank is 1 + #{strictly better}; with "average" equal losses share the mean of their places,
    1 + #{strictly better} + (#{equal} − 1) / 2. NaN have no rank and must not come in.

    >>> ranks(np.array([[0.1], [0.3], [0.1]])).ravel()
    array([1., 3., 1.])
    >>> ranks(np.array([[0.1], [0.3], [0.1]]), "average").ravel()
    array([1.5, 3. , 1.5])
    """
    before = _less(losses, "left")
    return 1 + before if ties == "min" else (1 + before + _less(losses, "right")) / 2


def _less(losses: Floats, side: Literal["left", "right"]) -> Floats:
    """How many in its column are less than each one, or, to the right, not greater; by the shorter way."""
    if len(losses) <= losses.shape[1]:
        compare = np.less if side == "left" else np.less_equal
        return np.stack([compare(losses, own).sum(axis=0) for own in losses]).astype(float)
    columns = zip(losses.T, np.sort(losses, axis=0).T, strict=True)
    return np.stack([np.searchsorted(among, own, side) for own, among in columns], axis=1).astype(float)


def steady(values: Floats) -> Floats:
    """Values without the last three or four digits, so that means which are equal but for rounding error tie.

    >>> bool(0.1 + 0.2 == 0.3), steady(np.array([0.1 + 0.2, 0.3, np.inf])).tolist()
    (False, [0.3, 0.3, inf])
    """
    size = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    digits = 12 - int(np.ceil(np.log10(size))) if size > 0 else 0
    return np.round(values, digits)


def kendall(a: Floats, b: Floats) -> float:
    """Kendall's τ-b of two orders of the same things; NaN where one of them ties them all.

    τ_b = (P − Q) / √((P + Q + T_a)(P + Q + T_b)): pairs in the same order, in the opposite order, tied in one only.

    >>> kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])).__round__(3)
    0.333
    """
    one, other = (np.sign(own[:, None] - own) for own in (a, b))
    untied = np.sqrt(float((one != 0).sum()) * float((other != 0).sum()))
    return float((one * other).sum() / untied) if untied else float("nan")
