"""How much people and items differ when everybody answers yes or no to some items: a crossed probit model.

Person p says yes to item i of class c where μ_c + u_p ± t_p/2 + v_i + ε > 0: u_p is the person's bias, t_p how much
better than others they tell the classes apart, v_i the item's effect, ε standard normal. All are independent normals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beholder.stats.two_way import Draws, whole

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
MOST = 0.98  # a correlation: beyond it, variances explode
HALVINGS = 40  # of an interval of length 2: far below what counts


class Effects(NamedTuple):
    """Standard deviations on the scale on which ε has 1, and d′ on that scale; each one value for each draw."""

    bias: Floats  # sd of u: how differently people like to say yes
    skill: Floats  # sd of t: how differently people tell the classes apart
    items: Floats  # sd of v
    dprime: Floats  # μ_signal − μ_noise: of a middling person on middling items


def effects(person: Ints, item: Ints, said: ArrayLike, signal: ArrayLike, drawn: Draws | None = None) -> Effects:
    """The effects by the method of moments: of pairs of answers, the covariance tells what both share.

    Answers of one person share the variance σ²_u + σ²_t/4 within a class and σ²_u − σ²_t/4 between the classes; two
    answers to one item share σ²_v. The mean product of residuals over such pairs is set equal to the covariance of two
    thresholded normals of correlation ρ, ∫₀^ρ φ₂(h, k; r) dr, with h and k from the classes' shares of yes, and solved
    for ρ; the variances are those that have these correlations beside ε. A variance that comes out below 0 is 0. NaN
    without two classes, or where nobody answered two items, or no item has two answers.
    """
    of = whole(person, item) if drawn is None else drawn
    x, is_signal = np.asarray(said, float), np.asarray(signal, bool)
    counts = of.sums(np.stack([is_signal, ~is_signal, is_signal * x, ~is_signal * x], axis=1))
    many, yes = counts[:, :2], counts[:, 2:]
    held = (many > 0).all(axis=1)
    shares = np.where(many > 0, (yes + 0.5) / (many + 1), 0.5)
    from scipy.special import ndtri

    thresholds = ndtri(shares)
    same, cross, shared = _moments(of, x, is_signal, yes / np.maximum(many, 1))
    kinds = np.stack([thresholds, thresholds], axis=-1)  # pairs of one class: (h, h) and (k, k)
    weights = _pair_weights(of, is_signal)
    alike = _correlation(same, kinds, weights["people"])
    items = _correlation(shared, kinds, weights["items"])
    apart = _correlation(cross, thresholds[:, None, :], np.ones((len(cross), 1)))
    rho_bias = np.clip((alike + apart) / 2, 0, MOST)
    rho_skill = np.clip((alike - apart) / 2, 0, MOST)
    rho_items = np.clip(items, 0, MOST)
    rest = np.clip(1 - rho_bias - rho_skill - rho_items, 1 - MOST, None)
    spread = 1 / rest  # the whole variance where that of ε is 1
    dprime = np.where(held, (thresholds[:, 0] - thresholds[:, 1]) * np.sqrt(spread), np.nan)
    found = (np.sqrt(rho_bias * spread), 2 * np.sqrt(rho_skill * spread), np.sqrt(rho_items * spread))
    bias, skill, by_items = (np.where(held, part, np.nan) for part in found)
    return Effects(bias, skill, by_items, dprime)


def _moments(of: Draws, x: Floats, signal: NDArray[np.bool_], means: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean products of residuals over pairs: of one person within a class, between the classes, and of one item.

    Residuals are taken from each draw's own means; nobody and nothing is paired with itself.
    """
    by_person, by_item = of.by_person, of.by_item
    one, product, item_product = [], np.zeros(len(of.people)), np.zeros(len(of.people))
    pairs, item_pairs = np.zeros(len(of.people)), np.zeros(len(of.people))
    for at, mine in enumerate((signal, ~signal)):
        m = means[:, at, None]
        n, y = mine.astype(float), mine * x
        sums = by_person(y) - m * by_person(n)
        squares = by_person(y, power=2) * (1 - 2 * m) + m**2 * by_person(n, power=2)  # y is 0 or 1
        product = product + ((sums**2 - squares) * of.people).sum(axis=1)
        pairs = pairs + ((by_person(n) ** 2 - by_person(n, power=2)) * of.people).sum(axis=1)
        own = by_item(y) - m * by_item(n)
        own_squares = by_item(y, power=2) * (1 - 2 * m) + m**2 * by_item(n, power=2)
        item_product = item_product + ((own**2 - own_squares) * of.items).sum(axis=1)
        item_pairs = item_pairs + ((by_item(n) ** 2 - by_item(n, power=2)) * of.items).sum(axis=1)
        one.append((sums, by_person(n)))
    cross = (one[0][0] * one[1][0] * of.people).sum(axis=1)
    cross_pairs = (one[0][1] * one[1][1] * of.people).sum(axis=1)
    return _mean(product, pairs), _mean(cross, cross_pairs), _mean(item_product, item_pairs)


def _mean(total: Floats, many: Floats) -> Floats:
    return np.asarray(np.where(many > 0, total, np.nan) / np.where(many > 0, many, 1.0))


def _pair_weights(of: Draws, signal: NDArray[np.bool_]) -> dict[str, Floats]:
    """The share of pairs that is of signals, and of noises: draws × 2, of people's and of items' pairs."""
    found = {}
    for name, count, within in (("people", of.by_person, of.people), ("items", of.by_item, of.items)):
        many = [((count(mine) ** 2 - count(mine, power=2)) * within).sum(axis=1) for mine in (signal, ~signal)]
        both = np.stack(many, axis=1)
        found[name] = both / np.maximum(both.sum(axis=1, keepdims=True), 1.0)
    return found


def covariance(h: ArrayLike, k: ArrayLike, rho: ArrayLike) -> Floats:
    """The covariance of 1[x < h] and 1[y < k] for standard normal x and y of correlation ρ: ∫₀^ρ φ₂(h, k; r) dr.

    >>> round(float(covariance(0.0, 0.0, 0.5)), 6)  # asin(½) / 2π
    0.083333
    """
    h, k, rho = np.broadcast_arrays(np.asarray(h, float), np.asarray(k, float), np.asarray(rho, float))
    r = rho[..., None] * (NODES + 1) / 2
    left = 1 - r**2
    density = np.exp(-(h[..., None] ** 2 - 2 * r * (h * k)[..., None] + k[..., None] ** 2) / (2 * left))
    return np.asarray((density / np.sqrt(left)) @ WEIGHTS * rho / (4 * np.pi))


def _correlation(moments: Floats, kinds: Floats, weights: Floats) -> Floats:
    """The ρ at which pairs of these kinds have that covariance, by halving; it grows with ρ. Draws × kinds × 2."""
    lo, hi = np.full(len(moments), -MOST), np.full(len(moments), MOST)
    for _ in range(HALVINGS):
        middle = (lo + hi) / 2
        found = (covariance(kinds[..., 0], kinds[..., 1], middle[:, None]) * weights).sum(axis=1)
        above = found > moments
        lo, hi = np.where(above, lo, middle), np.where(above, middle, hi)
    return np.where(np.isnan(moments), np.nan, (lo + hi) / 2)
