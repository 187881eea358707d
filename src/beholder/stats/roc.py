"""Receiver operating characteristics: curves, areas, the equal error rate, and what a threshold gets right.

Deviation: Le Meur & Baccino print FPR = FP/(TP + FN), plot it against the wrong axis, and call a high threshold
over-detection; here FPR = FP/(FP + TN) is the abscissa, and a high threshold keeps few.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.stats.ranking import Place, place

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Area = Literal["exact", "trapezoid", "left", "right"]


class Roc(NamedTuple):
    """A curve from (0, 0) to (1, 1), a vertex a threshold, the highest threshold first."""

    fpr: Floats
    tpr: Floats
    thresholds: Floats  # the first is +inf: nothing is kept; "kept" is a value ≥ the threshold


def auc(positives: Floats, negatives: Floats) -> float:
    """The exact area: the chance that a positive is above a negative, ties counting one half.

    AUC = mean over positives v of (#{n < v} + ½ #{n = v}) / #n, that is U/(n₊ n₋); NaN without either.

    >>> auc(np.array([1.0, 2.0]), np.array([0.0, 1.0]))
    0.875
    """
    if not len(positives) or not len(negatives):
        return float("nan")
    return float(place(positives, np.sort(negatives)).midrank.mean())


def roc(positives: Floats, negatives: Floats, *, at: Floats | None = None) -> Roc:
    """The curve over all values as thresholds, or over those given (`at`).

    >>> curve = roc(np.array([1.0, 2.0]), np.array([0.0, 1.0]))
    >>> curve.fpr, curve.tpr
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]))
    """
    if not len(positives) or not len(negatives):
        raise ValueError(
            f"got {len(positives)} positives and {len(negatives)} negatives; expected at least one of each"
        )
    levels = np.unique(np.concatenate([positives, negatives]) if at is None else at)[::-1]
    rates = [_kept(values, levels) for values in (negatives, positives)]
    if at is not None:
        rates = [np.append(rate, 1.0) for rate in rates]
        levels = np.append(levels, -np.inf)
    fpr, tpr = (np.concatenate([[0.0], rate]) for rate in rates)
    return Roc(fpr, tpr, np.concatenate([[np.inf], levels]))


def _kept(values: Floats, levels: Floats) -> Floats:
    """The share of values that is at or above each level."""
    return 1.0 - np.searchsorted(np.sort(values), levels, "left") / len(values)


def corners(positives: Floats, among: Callable[[Floats], Place]) -> Roc:
    """The curve of `roc` over all thresholds by its corners alone, from how values stand `among` the negatives.

    The rate of hits changes at positives only, so two vertices a positive draw the same line: what is above it, and
    with what is equal. Thresholds are the positives, each twice.

    >>> curve = corners(np.array([1.0, 2.0]), lambda values: place(values, np.array([0.0, 1.0])))
    >>> curve.fpr, curve.tpr
    (array([0. , 0. , 0. , 0. , 0.5, 1. ]), array([0. , 0. , 0.5, 0.5, 1. , 1. ]))
    """
    levels = np.unique(positives)[::-1]
    standing = among(levels)
    if not len(positives) or not standing.size:
        raise ValueError(f"got {len(positives)} positives and {standing.size} negatives; expected one of each or more")
    rates = []
    for own in (standing, place(levels, np.sort(positives))):
        kept = [1.0 - counts / own.size for counts in (own.less + own.equal, own.less)]
        rates.append(np.concatenate([[0.0], np.stack(kept, axis=1).ravel(), [1.0]]))
    return Roc(rates[0], rates[1], np.concatenate([[np.inf], np.repeat(levels, 2), [-np.inf]]))


def area(curve: Roc, by: Area = "trapezoid") -> float:
    """The area under a curve by the trapezoidal rule, or by the left or right Riemann sum.

    With all values as thresholds the trapezoid is exact, "exact" is another name of it; left ≤ exact ≤ right.

    >>> curve = roc(np.array([1.0, 2.0]), np.array([0.0, 1.0]))
    >>> area(curve), area(curve, "left"), area(curve, "right")
    (0.875, 0.75, 1.0)
    """
    if by not in ("exact", "trapezoid", "left", "right"):
        raise ValueError(f"got area={by!r}; expected 'exact', 'trapezoid', 'left' or 'right'")
    steps = np.diff(curve.fpr)
    if by == "left":
        return float(steps @ curve.tpr[:-1])
    if by == "right":
        return float(steps @ curve.tpr[1:])
    return float(steps @ (curve.tpr[:-1] + curve.tpr[1:]) / 2)


def equal_error_rate(curve: Roc) -> float:
    """The rate at which as many positives are missed as negatives are kept: FPR = 1 − TPR, linear between vertices.

    Deviation: Le Meur & Baccino say "FPR and TPR are equal"; the errors are.

    >>> equal_error_rate(roc(np.array([1.0, 2.0]), np.array([0.0, 1.0])))
    0.25
    """
    excess = curve.fpr + curve.tpr - 1.0  # −1 at the first vertex, 1 at the last, never falling
    after = int(np.argmax(excess >= 0))
    before, beyond = excess[after - 1], excess[after]
    along = -before / (beyond - before)
    return float(curve.fpr[after - 1] + along * (curve.fpr[after] - curve.fpr[after - 1]))


def judd_area(positives: Floats, pixels: Floats) -> float:
    """The area as the MIT benchmark's AUC_Judd has it, ties broken in all orders: its mean over random jitters, exact.

    Without ties thresholds t_i are the n positives in falling order; TPR_i = i/n and FPR_i = (#{pixels ≥ t_i} −
    i)/(N − n), from (0, 0) to (1, 1), trapezoid; `pixels` holds all N, sorted, positives too. The slanting steps add
    FPR_n/(2n) to the area U/(n (N − n)) of the staircase. With ties U counts them one half, and of m other pixels that
    tie with the k lowest positives m k/(k + 1) lie above the lowest. NaN without positives, or if all pixels are
    positive.

    >>> judd_area(np.array([3.0]), np.array([1.0, 2.0, 3.0]))
    1.0
    >>> judd_area(np.array([1.0]), np.array([0.0, 1.0, 1.0]))  # 3/4 + (1/4)/2: jitter gives 1 or 3/4
    0.875
    """
    n, total = len(positives), len(pixels)
    if n == 0 or n >= total:
        return float("nan")
    rest = place(positives, pixels).without(place(positives, np.sort(positives)))
    lowest = int(positives.argmin())
    k, m = int((positives == positives[lowest]).sum()), rest.equal[lowest]
    above = rest.size - rest.less[lowest] - m
    return float(rest.midrank.mean() + (above + m * k / (k + 1)) / rest.size / (2 * n))


def stepped_areas(positives: Floats, negatives: Floats, step: float) -> Floats:
    """Areas under curves with thresholds 0, step, 2 step … up to the highest value; a row of negatives each.

    TPR = #{positives ≥ t}/n₊, FPR = #{negatives ≥ t}/n₋, from (0, 0) to (1, 1), trapezoid. Values are 0 … 1.

    >>> stepped_areas(np.array([1.0, 0.55]), np.array([[0.5, 0.0]]), 0.1)
    array([0.875])
    """
    highest = max(positives.max(), negatives.max())
    levels = np.arange(0, highest + step * 1e-9, step)[::-1]
    tpr = _kept(positives, levels)
    found = [_stepped(_kept(row, levels), tpr) for row in negatives]
    return np.array(found)


def _stepped(fpr: Floats, tpr: Floats) -> float:
    ends = [np.concatenate([[0.0], rate, [1.0]]) for rate in (fpr, tpr)]
    return area(Roc(ends[0], ends[1], np.empty(0)))


class Confusion(NamedTuple):
    """How often two yes-or-no maps agree, in numbers of pixels."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def precision(self) -> float:
        """The share of what was kept that is true: TP/(TP + FP); NaN if nothing was kept."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else float("nan")

    @property
    def recall(self) -> float:
        """The share of what is true that was kept: TP/(TP + FN); NaN if nothing is true."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else float("nan")

    def f(self, beta: float = 1.0) -> float:
        """The weighted harmonic mean (1 + β²) TP / ((1 + β²) TP + β² FN + FP); NaN if nothing is true or kept."""
        both = (1 + beta**2) * self.tp
        whole = both + beta**2 * self.fn + self.fp
        return both / whole if whole else float("nan")


def confusion(kept: Mask, true: Mask) -> Confusion:
    """What a threshold gets right.

    >>> confusion(np.array([True, True, False]), np.array([True, False, False]))
    Confusion(tp=1, fp=1, fn=0, tn=1)
    """
    tp, n_kept, n_true = (int(np.count_nonzero(mask)) for mask in (kept & true, kept, true))
    return Confusion(tp, n_kept - tp, n_true - tp, kept.size - n_kept - n_true + tp)


def class_image(kept: Mask, true: Mask) -> NDArray[np.uint8]:
    """A picture of what a threshold gets right: hits red, misses green, false alarms blue, the rest black.

    >>> class_image(np.array([[True, True, False]]), np.array([[True, False, True]])).tolist()
    [[[255, 0, 0], [0, 0, 255], [0, 255, 0]]]
    """
    return np.stack([kept & true, ~kept & true, kept & ~true], axis=-1).astype(np.uint8) * np.uint8(255)
