"""How unlike two maps or histograms are: correlations, divergences, shared mass. Arrays of equal shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.jit import compiled, is_loaded
from beholder.stats.ranking import FEW, midranks

Floats = NDArray[np.float64]
Guard = Literal["quotient", "added"]

EPS = 2.2204e-16  # MATLAB's eps, as the MIT benchmark writes it
NEAR = 8.0  # standard deviations
PART = 64  # values that are added up side by side
BLOCK = 1 << 15  # values at a time: with what is made of them they stay in a core's own cache, 256 kB each


class Mass(NamedTuple):
    """What makes values shares of their sum: (value − least)/total; without a positive total all are equal."""

    least: float  # a negative minimum, else 0
    total: float


def mass(values: Floats) -> Mass:
    """The sum of values after a negative minimum was raised to 0; a block at a time, so that they are fetched once.

    >>> mass(np.array([1.0, 3.0])), mass(np.array([-1.0, 1.0]))
    (Mass(least=0.0, total=4.0), Mass(least=-1.0, total=2.0))
    """
    each = [(float(np.minimum.reduce(own)), float(np.add.reduce(own))) for (own,) in _blocks(values)]
    least = min(0.0, *(low for low, _ in each))
    return Mass(least, float((values - least).sum()) if least else sum(total for _, total in each))


def shares(values: Floats, of: Mass | None = None) -> Floats:
    """Values as shares of their sum; a negative minimum is raised to 0 first; without any mass all are equal.

    Their `mass` may be given where it is known.

    >>> shares(np.array([1.0, 3.0])), shares(np.array([-1.0, 1.0])), shares(np.zeros(2))
    (array([0.25, 0.75]), array([0., 1.]), array([0.5, 0.5]))
    """
    least, total = of or mass(values)
    if not total > 0:
        return np.full(values.shape, 1.0 / values.size)
    found: Floats = (values - least if least else values) / total
    return found


def log_shares(values: Floats, of: Mass, eps: float) -> Floats:
    """log(p + ε) of `shares`, in nats; a block at a time.

    >>> log_shares(np.array([1.0, 3.0]), Mass(0.0, 4.0), 0.25)[1]
    np.float64(0.0)
    """
    if not of.total > 0:
        return np.asarray(np.log(shares(values, of) + eps))
    found = np.empty(values.shape)
    for own, into in _blocks(values, found):
        p = np.divide(own - of.least if of.least else own, of.total, out=into)
        p += eps
        np.log(p, out=p)
    return found


def stretched(values: Floats) -> Floats:
    """Values brought to 0 … 1 by their minimum and maximum; equal ones become 0.

    >>> stretched(np.array([2.0, 3.0, 6.0])), stretched(np.ones(2))
    (array([0.  , 0.25, 1.  ]), array([0., 0.]))
    """
    least, most = values.min(), values.max()
    if not most > least:
        return np.zeros(values.shape)
    found: Floats = (values - least) / (most - least)
    return found


class Moments(NamedTuple):
    """Mean of some values, and the Euclidean length of their deviations from it: √N times their standard deviation."""

    mean: float
    length: float  # 0 for equal values, whatever rounding says

    def near_zero(self, size: int) -> bool:
        """Whether the mean of so many values is at most eight standard deviations from 0."""
        return abs(self.mean) * math.sqrt(size) <= NEAR * self.length


def moments(values: Floats) -> Moments:
    """Mean and length of deviations; these are made a block at a time.

    >>> moments(np.array([1.0, 3.0])), moments(np.full(3, 0.1)).length
    (Moments(mean=2.0, length=1.4142135623730951), 0.0)
    """
    mean = float(values.mean())
    away = np.empty(min(BLOCK, values.size))
    length = math.sqrt(sum(_square(np.subtract(own, mean, out=away[: own.size])) for (own,) in _blocks(values)))
    flat = length <= 1e-9 * abs(mean) * math.sqrt(values.size) and values.min() == values.max()
    return Moments(mean, 0.0 if flat else length)


def _square(values: Floats) -> float:
    return float(values @ values)


def _dot(a: Floats, b: Floats) -> float:
    return float(a.ravel() @ b.ravel())


def pearson(a: Floats, b: Floats) -> float:
    """Pearson's correlation; NaN where one of them is constant.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])), 4)
    0.982
    """
    return correlation((a, moments(a)), (b, moments(b)))


def correlation(
    a: tuple[Floats, Moments], b: tuple[Floats, Moments], *, product: Callable[[], float] | None = None
) -> float:
    """Pearson's correlation of values that come with their `moments`; NaN where one of them is constant.

    `product` is a quicker way to Σ ab, where there is one.
    """
    (first, own), (second, other) = a, b
    if not own.length or not other.length:
        return float("nan")
    if own.near_zero(first.size) and other.near_zero(first.size):  # Σ ab − N ā b̄ loses two digits at the most
        common = (product() if product else _dot(first, second)) - first.size * own.mean * other.mean
        return float(np.clip(common / own.length / other.length, -1.0, 1.0))
    one, two = np.empty((2, min(BLOCK, first.size)))
    common = 0.0
    for left, right in _blocks(first, second):
        here, there = one[: left.size], two[: left.size]
        common += float(np.subtract(left, own.mean, out=here) @ np.subtract(right, other.mean, out=there))
    return float(np.clip(common / own.length / other.length, -1.0, 1.0))


def spearman(a: Floats, b: Floats) -> float:
    """Spearman's correlation, equal values sharing their mean rank; NaN where one of them is constant.

    >>> round(spearman(np.array([1.0, 2.0, 9.0]), np.array([1.0, 2.0, 3.0])), 6)
    1.0
    """
    return pearson(midranks(a.ravel()), midranks(b.ravel()))


def kl(p: Floats, q: Floats, *, eps: float = EPS, base: float = np.e, guard: Guard = "quotient") -> float:
    """The Kullback–Leibler divergence D(p‖q) = Σ p log(p/q): what it costs to take q for p.

    Zeros are guarded as the MIT benchmark does ("quotient": p and q made shares, Σ p log(ε + p/(q + ε))), or by adding
    ε to both before they are made shares ("added"). With zeros in q the two differ wildly. ε = 0 is the plain
    divergence, infinite where p > 0 = q.

    Deviation: Le Meur & Baccino print Σ p log(r/p), which is never positive; the sign is mended.

    >>> round(kl(np.array([0.5, 0.5]), np.array([0.25, 0.75]), base=2), 4)  # ½ (1 + log₂ ⅔)
    0.2075
    """
    if guard not in ("quotient", "added"):
        raise ValueError(f"got guard={guard!r}; expected 'quotient' or 'added'")
    if not eps >= 0 or not base > 1:
        raise ValueError(f"got eps={eps}, base={base}; expected eps of 0 or more and a base above 1")
    if guard == "added":
        return _added(p, q, eps) / float(np.log(base))
    return guarded(shares(p), shares(q), eps) / float(np.log(base))


def _added(p: Floats, q: Floats, eps: float) -> float:
    """Σ p log(p/q) in nats of values as shares, ε added to both before; a block at a time."""
    if not eps:
        return _plain(shares(p), shares(q))
    scales = [Mass(one.least, one.total + eps * values.size) for one, values in ((mass(p), p), (mass(q), q))]
    return float(
        sum(_divergence(*(_scaled(*one, eps) for one in zip(blocks, scales, strict=True))) for blocks in _blocks(p, q))
    )


def _blocks(*values: Floats) -> Iterator[list[Floats]]:
    """Equally large arrays, some values at a time."""
    flat = [one.ravel() for one in values]
    for at in range(0, flat[0].size, BLOCK):
        yield [one[at : at + BLOCK] for one in flat]


def _scaled(values: Floats, scale: Mass, eps: float) -> Floats:
    found = values - scale.least
    found += eps  # apart: beside a least value of 1 an ε of 1e-20 would be lost
    found /= scale.total
    return found


def _divergence(p: Floats, q: Floats) -> float:
    """Σ p log(p/q) of what is nowhere 0; q is overwritten."""
    np.divide(p, q, out=q)
    np.log(q, out=q)
    return float(p @ q)


def guarded(p: Floats, q: Floats, eps: float) -> float:
    """Σ p log(ε + p/(q + ε)) of shares, in nats."""
    if not eps:
        return _plain(p, q)
    total, kept = 0.0, np.empty(min(BLOCK, p.size))
    for own, other in _blocks(p, q):
        ratio = np.add(other, eps, out=kept[: other.size])
        np.divide(own, ratio, out=ratio)
        ratio += eps
        np.log(ratio, out=ratio)
        total += float(own @ ratio)
    return total


def negative_entropy(values: Floats, of: Mass | None = None) -> float:
    """Σ p log p of `shares` in nats, 0 log 0 = 0; a block at a time.

    >>> negative_entropy(np.array([0.5, 0.5, 0.0])).__round__(4)  # log ½
    -0.6931
    """
    least, whole = of or mass(values)
    if least or not whole > 0:
        return negative_entropy(shares(values, of), Mass(0.0, 1.0))
    total, (p, logs) = 0.0, np.empty((2, min(BLOCK, values.size)))
    for (own,) in _blocks(values):
        share = np.divide(own, whole, out=p[: own.size])
        log = np.maximum(share, np.finfo(float).tiny, out=logs[: own.size])
        total += float(share @ np.log(log, out=log))
    return total


def guarded_of(p: tuple[Floats, float], log_q: Floats) -> float:
    """`guarded` of shares p that come with their `negative_entropy`, and log(q + ε), each made once for many pairs.

    Σ p log p − Σ p log(q + ε) is less than `guarded` by ε (1 + N ε) at the most, as log(1 + x) ≤ x.

    >>> p, q = np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.5, 0.25])
    >>> abs(guarded_of((p, negative_entropy(p)), np.log(q + EPS)) - guarded(p, q, EPS)) < 1e-15
    True
    """
    own, entropy = p
    return entropy - _dot(own, log_q)


def _plain(p: Floats, q: Floats) -> float:
    """Σ p log(p/q) in nats, 0 log 0 = 0."""
    held = p > 0
    if not held.all():
        p, q = p[held], q[held]
    if not q.all():
        return float("inf")
    ratio = p / q
    np.log(ratio, out=ratio)
    return float(p.ravel() @ ratio.ravel())


def kl_rows(p: Floats, q: Floats) -> Floats:
    """D(p‖q) in nats for each row of two tables of masses; 0 log 0 is 0, and q must be above 0 where p is.

    >>> kl_rows(np.array([[1.0, 1.0], [0.0, 2.0]]), np.array([[1.0, 3.0], [1.0, 1.0]])).round(4)  # ½ log 4/3, log 2
    array([0.1438, 0.6931])
    """
    p, q = (side / np.maximum(side.sum(axis=1, keepdims=True), np.finfo(float).tiny) for side in (p, q))
    ratio = np.divide(p, q, out=np.ones_like(p), where=p > 0)
    return np.asarray((p * np.log(ratio)).sum(axis=1))


def jensen_shannon(p: Floats, q: Floats, *, base: float = 2.0) -> float:
    """The Jensen–Shannon divergence ½ D(p‖m) + ½ D(q‖m), m = ½ (p + q), 0 … 1 in bits; zeros need no guard.

    >>> jensen_shannon(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    p, q = shares(p), shares(q)
    middle = (p + q) / 2
    return max(0.0, (_plain(p, middle) + _plain(q, middle)) / 2 / float(np.log(base)))


def cross_entropy(p: Floats, q: Floats, *, eps: float = EPS, base: float = 2.0) -> float:
    """−Σ p log(q + ε): the length of a message about p in the code that is best for q.

    >>> cross_entropy(np.array([0.5, 0.5]), np.array([0.25, 0.75]), base=2).__round__(4)  # ½ (2 + log₂ 4/3)
    1.2075
    """
    return float(-(shares(p).ravel() @ np.log(shares(q) + eps).ravel()) / np.log(base))


def shared_mass(p: Floats, q: Floats) -> float:
    """The histogram intersection Σ min(p, q) of shares: 1 for equal ones, 0 for disjoint ones.

    >>> shared_mass(np.array([0.5, 0.5]), np.array([0.25, 0.75]))
    0.75
    """
    return float(np.minimum(p, q).sum())


def common_mass(a: tuple[Floats, Mass], b: tuple[Floats, Mass], *, held: NDArray[np.intp] | None = None) -> float:
    """`shared_mass` of the shares of two maps that come with their `mass`; shares are made only where a value is < 0.

    Σ min(a, b A/B)/A, in one pass; `held` are the parts of b that hold mass (`parts_held`), where they are known.

    >>> one, other = np.array([2.0, 2.0]), np.array([1.0, 3.0])
    >>> common_mass((one, mass(one)), (other, mass(other)))
    0.75
    """
    (first, (low, total)), (second, (bottom, whole)) = a, b
    if low or bottom or not (total > 0 and whole > 0):
        return shared_mass(shares(first), shares(second))
    if first.size > FEW or is_loaded():
        parts = np.arange(-(-first.size // PART)) if held is None else held
        return float(_least_sum(first.ravel(), second.ravel(), total / whole, parts)) / total
    return float(np.add.reduce(np.minimum(first, second * (total / whole)), axis=None)) / total


def parts_held(values: Floats) -> NDArray[np.intp]:
    """Which parts of 64 values hold any that is not 0.

    >>> parts_held(np.arange(130) == 128.0)
    array([2])
    """
    flat = values.ravel()
    found = np.zeros(-(-flat.size // PART), np.bool_)
    whole = flat.size // PART
    np.any(flat[: whole * PART].reshape(whole, PART), axis=1, out=found[:whole])
    found[whole:] = flat[whole * PART :].any()
    return np.flatnonzero(found)


@compiled
def _least_sum(
    first: Floats, second: Floats, scale: float, parts: NDArray[np.intp]
) -> float:  # pragma: no cover  (compiled)
    """Σ min(a, b · scale) over some parts: as many sums as a part has values, so that the compiler makes vectors."""
    sums, last = np.zeros(64), first.size // 64
    common = 0.0
    for part in parts:
        start = 64 * part
        if part == last:
            for at in range(start, first.size):
                common += min(first[at], second[at] * scale)
        else:
            own, other = first[start : start + 64], second[start : start + 64]
            for at in range(64):
                sums[at] += min(own[at], other[at] * scale)
    for at in range(64):
        common += sums[at]
    return common


def histogram_kl(at: Floats, elsewhere: Floats, *, bins: int = 10, eps: float = 1e-20) -> float:
    """D(h_at‖h_elsewhere) of two histograms of values, in nats, over equal bins from the least to the greatest of both.

    ε is added to the shares of both histograms, which are then made shares again; equal values give 0.

    >>> round(histogram_kl(np.array([1.0, 1.0]), np.array([0.0, 1.0]), bins=2), 4)  # log 2
    0.6931
    """
    least = min(at.min(), elsewhere.min())
    most = max(at.max(), elsewhere.max())
    if not most > least:
        return 0.0
    return histograms_kl(counts(at, (least, most), bins), counts(elsewhere, (least, most), bins), eps=eps)


def counts(values: Floats, span: tuple[float, float], bins: int) -> Floats:
    """How many values fall into each of `bins` equal bins; the last one holds its upper end.

    >>> counts(np.array([0.0, 0.5, 1.0]), (0.0, 1.0), 2)
    array([1., 2.])
    """
    scaled = (values - span[0]) * (bins / (span[1] - span[0]))
    at = np.clip(scaled.astype(np.int64), 0, bins - 1)
    return np.bincount(at, minlength=bins).astype(float)


def histograms_kl(p: Floats, q: Floats, *, eps: float = 1e-20) -> float:
    """The divergence of two histograms of counts, ε added to the shares of each."""
    return _plain(shares(shares(p) + eps), shares(shares(q) + eps))
