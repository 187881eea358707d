"""Scanpaths as saccade vectors: how they are simplified and aligned (Jarodzka, Holmqvist & Nyström 2010)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.types import Floats, Scanpath
from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.stats.sequences import warping_path

Ints = NDArray[np.int64]
DIMENSIONS = ("shape", "direction", "length", "position", "duration")


class Vectors(NamedTuple):
    """The saccades of a scanpath, and the fixations that they start from."""

    steps: Floats  # (n, 2): x and y, px
    starts: Floats  # (n, 2)
    duration_ms: Floats  # (n,), of the fixation before
    weights: Floats  # (n,), of the fixation before

    def __len__(self) -> int:
        return len(self.steps)


class Simplification(NamedTuple):
    """When neighbouring saccades are merged: TDir in degrees, TDur in ms, TAmp as a share of the diagonal.

    The defaults are those usual in the field (45°, 300 ms, 10 % of the diagonal).
    """

    direction: float = 45.0
    duration_ms: float = 300.0
    amplitude: float = 0.1


def saccade_vectors(path: Scanpath, *, weights: str = "") -> Vectors:
    """The saccade vectors of a scanpath. `weights` names what a fixation weighs: "duration_ms" or a signal of the path.

    Two fixations between which one was left out (it lay outside the picture) are no saccade, and no vector.

    >>> from beholder.attention.types import scanpath
    >>> saccade_vectors(scanpath([0, 3, 3], [0, 4, 0])).steps.tolist()
    [[3.0, 4.0], [0.0, -4.0]]
    """
    points, made = path.points, path.joined
    columns = points[1:] - points[:-1], points[:-1], path.duration_ms[:-1], _weights(path, weights)[:-1]
    return Vectors(*(column[made] for column in columns))


def _weights(path: Scanpath, name: str) -> Floats:
    if not name:
        return np.ones(len(path))
    if name != "duration_ms" and name not in path.signals:
        known = ", ".join(["duration_ms", *path.signals])
        raise Misuse(f"got the fixation weights {name!r}; expected one of {known}")
    found = path.duration_ms if name == "duration_ms" else path.signals[name]
    if not (found >= 0).all():
        raise Misuse(f"got {name} below 0 or NaN as fixation weights; expected 0 or more for every fixation")
    return found


def simplified_vectors(path: Scanpath, rule: Simplification, *, diagonal: float, weights: str = "") -> Vectors:
    """The vectors of a scanpath, neighbours merged where they point alike or are short, until nothing changes.

    Two passes in turn: saccades that differ by less than TDir, the fixation between shorter than TDur; then saccades
    shorter than TAmp, the fixation before or after shorter than TDur, joined with the next one. The rules are those of
    the original program: where the last saccade is short, the sum of the last two takes the place of the vector before.
    Unknown durations are not short. A vector that starts where the signal `pursuit` is not 0 is never merged, nor one
    beside a place where a fixation was left out.

    Deviation: a path of one saccade is left as it is (the original fails there), and the cosine is kept in [−1, 1].

    >>> from beholder.attention.types import scanpath
    >>> line = scanpath([0, 10, 20], [0, 0, 1], duration_ms=[100, 100, 100])
    >>> simplified_vectors(line, Simplification(amplitude=0), diagonal=100).steps.tolist()
    [[20.0, 1.0]]
    """
    its = saccade_vectors(path, weights=weights)
    apart = path.signals.get("pursuit", np.zeros(len(path)))[:-1] != 0
    made = path.joined
    apart[1:] |= ~made[:-1]
    apart[:-1] |= ~made[1:]
    if not len(its):
        return its
    table = np.empty((len(its), 7))  # `np.column_stack` takes five times as long
    table[:, :2], table[:, 2:4], table[:, 4], table[:, 5] = its
    table[:, 6] = apart[made]
    last = float(path.duration_ms[-1])
    merged = _merged(table, last, rule.direction, rule.duration_ms, rule.amplitude * diagonal)
    return Vectors(merged[:, :2], merged[:, 2:4], merged[:, 4], merged[:, 5])


@compiled
def _merged(given: Any, last: Any, turn: Any, brief: Any, short: Any) -> Any:
    """Columns: step (2), start (2), duration, weight, pursuit. It ends as the original does, by counting durations."""
    rows = given.copy()
    count, extra = len(rows) + 1, 0
    while True:
        for kind in range(2):
            n, j, i = len(rows), 0, 0
            kept = np.empty_like(rows)
            extra = 0
            while i < n:
                free = rows[i, 6] == 0.0
                if i < n - 1:
                    after = rows[i + 1, 4]
                    alike = rows[i, 6] == 0.0 and rows[i + 1, 6] == 0.0
                    if kind == 0:
                        lengths = np.hypot(rows[i, 0], rows[i, 1]) * np.hypot(rows[i + 1, 0], rows[i + 1, 1])
                        cosine = (rows[i, 0] * rows[i + 1, 0] + rows[i, 1] * rows[i + 1, 1]) / lengths
                        angle = np.degrees(np.arccos(min(1.0, max(-1.0, cosine)))) if lengths > 0 else np.inf
                        alike = alike and angle < turn and after < brief
                    else:
                        near = np.hypot(rows[i, 0], rows[i, 1]) < short
                        alike = alike and near and (after < brief or rows[i, 4] < brief)
                    kept[j] = rows[i]
                    if alike:
                        kept[j, 0] += rows[i + 1, 0]
                        kept[j, 1] += rows[i + 1, 1]
                        i += 1
                    i, j = i + 1, j + 1
                else:
                    near = kind == 1 and free and n > 1 and j > 0 and np.hypot(rows[i, 0], rows[i, 1]) < short
                    if near and rows[i - 1, 6] == 0.0 and (last < brief or rows[i, 4] < brief):
                        kept[j - 1, 0] = rows[i - 1, 0] + rows[i, 0]
                        kept[j - 1, 1] = rows[i - 1, 1] + rows[i, 1]
                        extra = 1
                    else:
                        kept[j] = rows[i]
                        j += 1
                    i += 1
            rows = kept[:j].copy()
        now = len(rows) + 1 + extra
        if now == count:
            return rows
        count = now


Cost = Callable[[Vectors, Vectors], Floats]


def vector_differences(a: Vectors, b: Vectors, i: Ints, j: Ints) -> Floats:
    """How vectors differ, pair by pair: 5 rows, |u − v| px, angle (rad), ||u| − |v|| px, place px, duration (share).

    The shorter duration over the longer tells the last; two durations of 0 are equal. NaN where durations are unknown.
    """
    u, v = a.steps[i], b.steps[j]
    apart, places = u - v, a.starts[i] - b.starts[j]
    turn = np.abs(np.arctan2(u[..., 1], u[..., 0]) - np.arctan2(v[..., 1], v[..., 0]))
    one, other = a.duration_ms[i], b.duration_ms[j]
    longer = np.maximum(one, other)
    share = np.abs(one - other) / np.where(longer == 0, 1.0, longer)
    found = np.empty((len(DIMENSIONS), *turn.shape))
    found[0] = np.hypot(apart[..., 0], apart[..., 1])
    found[1] = np.minimum(turn, 2 * np.pi - turn)
    found[2] = np.abs(np.hypot(u[..., 0], u[..., 1]) - np.hypot(v[..., 0], v[..., 1]))
    found[3] = np.hypot(places[..., 0], places[..., 1])
    found[4] = share
    return found


def alignment(a: Vectors, b: Vectors, *, by: str | Cost = "shape") -> tuple[Ints, Ints]:
    """Which vectors belong together: the way from the first pair to the last with the least sum of differences.

    `by` is the dimension that is compared, "shape" (|u − v|) in the original, or a function of the two scanpaths'
    vectors that gives the costs, n × m (Lemaire et al. 2011 mix distance, angle and amplitude). Figure 2 of Le Meur &
    Baccino has five vectors and five by its caption, five and four by its text: its alignment needs five and five.

    >>> from beholder.attention.types import scanpath
    >>> a, b = saccade_vectors(scanpath([0, 5, 10, 0], [0, 0, 0, 0])), saccade_vectors(scanpath([0, 10, 0], [0, 0, 0]))
    >>> alignment(a, b)
    (array([0, 1, 2]), array([0, 0, 1]))
    """
    if callable(by):
        costs = np.asarray(by(a, b), float)
        if costs.shape != (len(a), len(b)) or np.isnan(costs).any():
            raise Misuse(f"got alignment costs of shape {costs.shape}; expected {(len(a), len(b))} without NaN")
        return warping_path(costs)
    if by == "shape":
        steps = a.steps[:, None] - b.steps[None]
        return warping_path(np.hypot(steps[..., 0], steps[..., 1]))
    if by not in DIMENSIONS:
        raise Misuse(f"got align={by!r}; expected one of {', '.join(map(repr, DIMENSIONS))}, or a function")
    i, j = np.indices((len(a), len(b)))
    return warping_path(np.nan_to_num(vector_differences(a, b, i, j)[DIMENSIONS.index(by)]))
