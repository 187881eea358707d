"""MultiMatch: two scanpaths as sequences of saccade vectors, alike in five ways."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from beholder.attention.gaze.vectors import (
    DIMENSIONS,
    Cost,
    Simplification,
    Vectors,
    alignment,
    saccade_vectors,
    simplified_vectors,
    vector_differences,
)
from beholder.attention.paths.pairs import Over, Walk, over_people, read_scanpaths
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse


class Weights(NamedTuple):
    """What the dimensions count in the mean, and what a fixation counts: "duration_ms", or a signal of the path."""

    shape: float = 1.0
    direction: float = 1.0
    length: float = 1.0
    position: float = 1.0
    duration: float = 1.0
    fixations: str = ""


EQUAL = Weights()
Read = Callable[[Scanpath], Vectors]


@measure(
    better="higher",
    bounds=(0, 1),
    cite="Jarodzka2010, Dewhurst2012, LeMeur2013",
    reads=read_scanpaths,
    parts=dict.fromkeys(DIMENSIONS, "higher"),
)
def multimatch(
    found: Walk,
    lookers: Lookers,
    *,
    simplify: Simplification | bool = False,
    align: str | Cost = "shape",
    weights: Weights = EQUAL,
    over: Over = "mean",
) -> Result:
    """MultiMatch: the mean of five similarities between aligned saccades; each is a part.

    The saccades u_i of one scanpath and v_j of the other are aligned by the path through |u_i − v_j| with the least
    sum; med is the median over the aligned pairs. shape = 1 − med|u − v|/(2 D), direction = 1 − med∠(u, v)/π, length =
    1 − med||u| − |v||/D, position = 1 − med|start_u − start_v|/D, duration = 1 − med|d_u − d_v|/max(d_u, d_v), with D
    the diagonal of the picture. `simplify` merges saccades first (see `simplified_vectors`). `align` aligns by another
    dimension or by your own costs. `weights` are those of the dimensions in the mean, and of fixations in the medians.

    Where durations are unknown, that part is NaN and the mean is over the others; the reason says so. Give duration a
    weight of 0 to compare with models that have durations. Pursuits enter as short vectors that are not merged: see
    `pursuit.pursuit_path`. Undefined for scanpaths of fewer than 2 fixations.

    Deviation: two fixations are enough (the original asks for 3); two durations of 0 are equal (there: NaN); of equally
    cheap alignments, the one with diagonal steps is taken (multimatch_gaze leaves it to the order of a heap; fixations
    on a coarse grid differ in 1 pair of 50).

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 2], [0, 0], duration_ms=[100, 100])}, (4, 3))  # D = 5
    >>> of = multimatch(scanpath([0, 0], [0, 2], duration_ms=[50, 100]), person)
    >>> {part: round(value, 4) for part, value in of.parts.items() if part in ("direction", "length", "duration")}
    {'direction': 0.5, 'length': 1.0, 'duration': 0.5}
    """
    diagonal = math.hypot(*lookers.shape)
    rule = Simplification() if simplify is True else simplify or None
    read = partial(_vectors, rule=rule, diagonal=diagonal, weights=weights.fixations)
    compare = partial(_matched, read=read, diagonal=diagonal, align=align, weights=weights)
    return over_people(found, lookers, compare, over=over)


def _vectors(path: Scanpath, *, rule: Simplification | None, diagonal: float, weights: str) -> Vectors:
    if len(path) < 2:
        raise NotApplicable(f"a scanpath of {len(path)} fixation(s) has no saccade")
    if not path.joined.any():
        raise NotApplicable(
            "no two fixations of a scanpath are in a row, because those between were left out: it has no saccade"
        )
    if rule is None:
        return saccade_vectors(path, weights=weights)
    return simplified_vectors(path, rule, diagonal=diagonal, weights=weights)


def _matched(
    simulated: Scanpath, human: Scanpath, *, read: Read, diagonal: float, align: str | Cost, weights: Weights
) -> Result:
    return _averaged(similarities(read(simulated), read(human), diagonal=diagonal, align=align), weights)


def similarities(a: Vectors, b: Vectors, *, diagonal: float, align: str | Cost = "shape") -> Floats:
    """The five similarities of two scanpaths, in the order of `DIMENSIONS`; duration NaN where it is not known.

    >>> from beholder.attention.types import scanpath
    >>> a = saccade_vectors(scanpath([0, 3], [0, 0], duration_ms=[100, 100]))
    >>> similarities(a, a, diagonal=5)
    array([1., 1., 1., 1., 1.])
    """
    i, j = alignment(a, b, by=align)
    found = vector_differences(a, b, i, j)
    scale = np.array([2 * diagonal, np.pi, diagonal, diagonal, 1.0])
    alike = 1 - _medians(found, (a.weights[i] + b.weights[j]) / 2) / scale
    return np.asarray(np.minimum(np.maximum(alike, 0.0), 1.0))


def _medians(rows: Floats, weights: Floats) -> Floats:
    """Weighted medians of rows: the middle of the values at which half of the weight is reached from either end."""
    if (weights == weights[0]).all():
        n, ordered = rows.shape[1], np.sort(rows, axis=1)
        return np.asarray((ordered[:, (n - 1) // 2] + ordered[:, n // 2]) / 2)
    order = np.argsort(rows, axis=1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=1)
    reached = np.cumsum(weights[order], axis=1)
    half = reached[:, -1:] / 2
    below, above = (reached < half).sum(axis=1), (reached <= half).sum(axis=1)
    every = np.arange(len(rows))
    return np.asarray((ordered[every, below] + ordered[every, np.minimum(above, rows.shape[1] - 1)]) / 2)


def _averaged(found: Floats, weights: Weights) -> Result:
    shares = np.array(weights[:5], float)
    if not (shares >= 0).all() or not shares.any():
        raise Misuse(f"got weights {weights[:5]}; expected 0 or more, and at least one above 0")
    known = ~np.isnan(found) & (shares > 0)
    parts = dict(zip(DIMENSIONS, found.tolist(), strict=True))
    if not known.any():
        raise NotApplicable("durations are unknown, and nothing else has a weight")
    value = float(found[known] @ shares[known] / shares[known].sum())
    lost = bool(np.isnan(found[4])) and weights.duration > 0
    return Result(value, parts, reason="durations are unknown: mean of the other dimensions" if lost else "")
