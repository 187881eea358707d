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
    better = np.stack([(losses < own).sum(axis=0) for own in losses])
    if ties == "min":
        return 1.0 + better
    equal = np.stack([(losses == own).sum(axis=0) for own in losses])
    return 1.0 + better + (equal - 1) / 2
