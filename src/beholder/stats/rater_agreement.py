"""How far raters agree beyond chance: Fleiss, Krippendorff, Gwet, Randolph, Cohen, the intraclass correlation.

All read an array items × raters, NaN where somebody did not rate. An item that nobody rated does not exist. Everywhere
agreement is NaN, and `why_undefined` says so in words,

- with one rater, or raters who share fewer than two items: nothing can be compared,
- with one item: agreement beyond chance is about telling items apart,
- where every rating is the same: no disagreement was possible, so none was avoided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beholder.stats import bootstrap

Floats = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]
Weights = Literal["nominal", "ordinal", "quadratic"]
Form = Literal["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"]
FORMS: tuple[Form, ...] = ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k")

NOTHING = 1e-12  # of the sums that a difference is of: less is rounding


def fleiss(ratings: ArrayLike) -> float:
    """Fleiss' κ = (P̄ − P̄_e) / (1 − P̄_e) of categories (Fleiss 1971).

    P_i = Σ_j n_ij (n_ij − 1) / (n_i (n_i − 1)) is the share of agreeing pairs of ratings of item i, P̄ its mean over
    the items with two ratings or more, and P̄_e = Σ_j p_j². Fleiss has as many ratings n_i of every item; where their
    number differs, p_j is the mean of n_ij / n_i over all items (Gwet 2014), which with a constant n is Fleiss' own.

    >>> counts = [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    ...           [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]
    >>> round(fleiss([np.repeat(range(5), row) for row in counts]), 3)  # Fleiss' κ in Wikipedia: ten items, 14 raters
    0.21
    """
    return _value(_fleiss, ratings)


def krippendorff(ratings: ArrayLike, *, level: Level = "ordinal") -> float:
    """Krippendorff's α = 1 − D_o / D_e, whatever the design (Krippendorff 2004, 2011).

    D_o = 1/n Σ_u Σ_{i≠j} δ²(v_iu, v_ju) / (m_u − 1) over the n ratings of items with m_u ≥ 2 of them, and D_e the mean
    of δ² over all pairs of these n ratings. δ² is 0 or 1 (nominal); (c − k)² (interval); or the square of the number of
    ratings between c and k, both ends counted half (ordinal), which is the interval δ² of mid-ranks.

    >>> nan = np.nan
    >>> table = np.array([  # Krippendorff (2011), C: four observers, twelve units
    ...     [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
    ...     [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan], [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan]]).T
    >>> [round(krippendorff(table, level=level), 3) for level in ("nominal", "ordinal", "interval")]
    [0.743, 0.815, 0.849]
    """
    return _value(_krippendorff, ratings, level=level)


def gwet(ratings: ArrayLike, *, weights: Weights = "nominal") -> float:
    """Gwet's AC1 (nominal) or AC2 (weighted) = (p_a − p_e) / (1 − p_e) (Gwet 2008, 2014).

    p_a is the mean, over items with r_i ≥ 2 ratings, of the weight w_kl of their pairs of ratings, π_k the mean of
    r_ik / r_i over all items, and p_e = T_w / (q (q − 1)) Σ_k π_k (1 − π_k) with T_w = Σ_kl w_kl. Weights are 1 and 0
    (nominal); 1 − C(|k − l| + 1, 2) / C(q, 2) (ordinal, of the places k, l in the scale); or
    1 − (x_k − x_l)² / (x_q − x_1)² (quadratic, of the values). The scale is the q values that somebody used. Raters
    who answer at random get no 0 where the values are not used equally often.

    >>> round(gwet([[1, 1]] * 118 + [[1, 2]] * 5 + [[2, 1]] * 2), 3)  # p_a 0.944; π 0.972, so p_e = 2 · 0.972 · 0.028
    0.941
    """
    return _value(_gwet, ratings, weights=weights)


def raw(ratings: ArrayLike) -> float:
    """The raw agreement P̄: the share of pairs of ratings of one item that are the same, the mean over items.

    Chance is not taken off: where one answer is given often, raters agree often.

    >>> raw([[1, 1], [1, 0], [0, 0]]).__round__(6)
    0.666667
    """
    return _value(_raw, ratings)


def randolph(ratings: ArrayLike) -> float:
    """Randolph's κ = (P̄ − 1/q) / (1 − 1/q), chance being q categories at random (Randolph 2005).

    It does not sink where one answer is given often, as Fleiss' κ does. q counts the values that somebody used.

    >>> round(randolph([[1, 1], [1, 0], [0, 0]]), 6)
    0.333333
    """
    return _value(_randolph, ratings)


def icc(ratings: ArrayLike, *, form: Form = "1,1") -> float:
    """The intraclass correlation: the share of variance that is the items' (Shrout & Fleiss 1979).

    ICC(1,1) = (BMS − WMS) / (BMS + (k − 1) WMS): each item has raters of its own; ragged designs too, with
    k = (N − Σ m_u² / N) / (n − 1) for N ratings of n items (Donner 1986).
    ICC(2,1) = (BMS − EMS) / (BMS + (k − 1) EMS + k (JMS − EMS) / n): raters are a sample, absolute agreement.
    ICC(3,1) = (BMS − EMS) / (BMS + (k − 1) EMS): these raters alone, consistency.
    The forms 1,k, 2,k and 3,k are those of the mean of k raters. Two-way forms (2 and 3) are taken over the items that
    all raters rated, and NaN where these are fewer than two. Disagreement within items can make all of them negative.

    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> [round(icc(table, form=form), 2) for form in FORMS]  # Shrout & Fleiss (1979), tables 2 and 4
    [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    """
    if form not in FORMS:
        raise ValueError(f"got form={form!r}; expected one of {'; '.join(FORMS)}")
    return _value(_icc, ratings, form=form)


def cohen(one: ArrayLike, other: ArrayLike) -> float:
    """Cohen's κ = (p_o − p_e) / (1 − p_e) of two raters, over the items that both rated (Cohen 1960).

    p_e = Σ_c p_c q_c, with the share of category c in either's ratings. NaN, too, where both always say the same.

    >>> round(cohen([1] * 25 + [0] * 25, [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15), 6)  # p_o 0.7, p_e 0.5
    0.4
    """
    return _value(_cohen, np.stack([np.ravel(one), np.ravel(other)], axis=1).astype(float))


Coefficient = Callable[..., float]  # (ratings, **settings)


class Spread(NamedTuple):
    """A coefficient and its interval."""

    value: float
    lo: float
    hi: float


def spread(
    coefficient: Coefficient,
    ratings: ArrayLike,
    *,
    groups: Sequence[str] | None = None,
    draws: int = 1000,
    rng: np.random.Generator,
    **settings: Any,
) -> Spread:
    """A coefficient of this module with a percentile bootstrap interval over items (Efron 1979).

    With `groups`, one for each item, whole groups are drawn. Without three of them there is no interval; draws in which
    the coefficient is undefined do not count. `cohen` is taken of an array of two columns.

    >>> table = [[1, 1], [2, 2], [1, 1], [2, 1], [2, 2], [1, 2]] * 20
    >>> found = spread(fleiss, table, rng=np.random.default_rng(0))
    >>> round(found.value, 3), found.lo < found.value < found.hi
    (0.333, True)
    """
    of, x = _DRAWN[coefficient], np.asarray(ratings, float)
    rated = np.isfinite(x).any(axis=1)
    labels = np.arange(len(x)) if groups is None else np.asarray(groups)
    clusters, member = np.unique(labels[rated], return_inverse=True)
    value = _value(of, x, **settings)
    if np.isnan(value) or len(clusters) < bootstrap.LEAST:
        return Spread(value, np.nan, np.nan)
    items = _rated(x)
    drawn = [of(items, often[:, member], **settings) for often in bootstrap.counts(len(clusters), draws=draws, rng=rng)]
    lo, hi = bootstrap.interval(np.concatenate(drawn)[:, None], units=len(clusters))
    return Spread(value, float(lo[0]), float(hi[0]))


def shuffled(ratings: ArrayLike, rng: np.random.Generator) -> Floats:
    """The same raters answering at random: the ratings of each one in another order, over the items that they rated.

    >>> shuffled([[1, np.nan], [2, 5], [3, 6]], np.random.default_rng(2))
    array([[ 3., nan],
           [ 1.,  6.],
           [ 2.,  5.]])
    """
    x = np.array(ratings, float)
    for at in range(x.shape[1]):
        rated = np.isfinite(x[:, at])
        x[rated, at] = rng.permutation(x[rated, at])
    return x


def why_undefined(ratings: ArrayLike) -> str:
    """Why raters neither agree nor disagree here, or "" where they do.

    >>> why_undefined([[1, 1], [1, 1]]), why_undefined([[1, np.nan], [np.nan, 2]]), why_undefined([[1, 2], [2, 1]])
    ('every rating is the same', 'no item has two raters', '')
    """
    x = _rated(ratings)
    shared = int((_many(x) >= 2).sum())
    if np.isfinite(x).any(axis=0).sum() < 2:
        return "there is one rater" if len(x) else "there is no rating"
    if shared < 2:
        return "only one item has two raters" if shared else "no item has two raters"
    return "every rating is the same" if np.nanmin(x) == np.nanmax(x) else ""


# What follows has, for each coefficient, its values in several draws: (items × raters, draws × items: how often each
# item counts) → one value for each draw, NaN where it is undefined.


def _value(of: Callable[..., Floats], ratings: ArrayLike, **settings: Any) -> float:
    if why_undefined(ratings):
        return float("nan")
    x = _rated(ratings)
    return float(of(x, np.ones((1, len(x))), **settings)[0])


def _rated(ratings: ArrayLike) -> Floats:
    """The items that somebody rated."""
    x = np.asarray(ratings, float)
    if x.ndim != 2:
        raise ValueError(f"got ratings of shape {x.shape}; expected items × raters")
    finite = np.isfinite(x)
    return np.asarray(np.where(finite, x, np.nan)[finite.any(axis=1)])


def _many(x: Floats) -> Floats:
    """The number of ratings of each item."""
    return np.asarray(np.isfinite(x).sum(axis=1), float)


def _counts(x: Floats) -> tuple[Floats, Any]:
    """The values that somebody used, and how often each item got each: items × values, mostly 0."""
    from scipy.sparse import csr_array

    rows, columns = np.nonzero(np.isfinite(x))
    values, place = np.unique(x[rows, columns], return_inverse=True)
    found = csr_array((np.ones(len(rows)), (rows, place)), shape=(len(x), len(values)))
    found.sum_duplicates()
    return values, found


def _ratio(over: Floats, under: Floats, scale: Floats | float = 1.0) -> Floats:
    """A quotient; NaN where what is below is nothing but rounding of the scale."""
    some = np.abs(under) > NOTHING * np.abs(scale)
    return np.asarray(np.where(some, over, np.nan) / np.where(some, under, 1.0))


def _above_chance(observed: Floats, expected: Floats) -> Floats:
    return _ratio(observed - expected, 1 - expected)


def _shares(counts: Any, many: Floats, often: Floats) -> Floats:
    """The mean over items of the share of each value, draws × values."""
    return np.asarray((often / many) @ counts / often.sum(axis=1, keepdims=True))


def _over_pairs(alike: Floats, many: Floats, often: Floats) -> Floats:
    """The mean of what is known of pairs of ratings, over the items that have some."""
    pairs = many >= 2
    return _ratio(often[:, pairs] @ alike[pairs], often[:, pairs].sum(axis=1))


def _fleiss(x: Floats, often: Floats) -> Floats:
    _, counts = _counts(x)
    many = _many(x)
    alike = 1 - 2 * _unlike_categories(counts, many) / np.maximum(many * (many - 1), 1)
    return _above_chance(_over_pairs(alike, many, often), (_shares(counts, many, often) ** 2).sum(axis=1))


def _raw(x: Floats, often: Floats) -> Floats:
    _, counts = _counts(x)
    many = _many(x)
    return _over_pairs(1 - 2 * _unlike_categories(counts, many) / np.maximum(many * (many - 1), 1), many, often)


def _randolph(x: Floats, often: Floats) -> Floats:
    q = len(_counts(x)[0])
    return _above_chance(_raw(x, often), np.full(len(often), 1 / q))


def _unlike_categories(counts: Any, many: Floats) -> Floats:
    """The pairs of ratings of each item that differ."""
    return np.asarray((many**2 - (counts**2).sum(axis=1)) / 2)


def _unlike_squares(x: Floats) -> Floats:
    """The sum of squared differences over the pairs of ratings of each item."""
    return np.asarray(_many(x) * np.nansum(x**2, axis=1) - np.nansum(x, axis=1) ** 2)


def _unlike_steps(x: Floats) -> Floats:
    """The sum of absolute differences over the pairs of ratings of each item: the i-th of m has weight 2 i − m + 1."""
    places = 2 * np.arange(x.shape[1]) - _many(x)[:, None] + 1
    return np.asarray(np.nansum(np.sort(x, axis=1) * places, axis=1))


def _krippendorff(x: Floats, often: Floats, *, level: Level = "ordinal") -> Floats:
    pairs = _many(x) >= 2
    x, often = x[pairs], often[:, pairs]
    values, counts = _counts(x)
    many, totals = _many(x), np.asarray(often @ counts)  # n_c of each draw
    n = totals.sum(axis=1)
    if level == "ordinal":
        ranks = np.cumsum(totals, axis=1) - totals / 2 - n[:, None] / 2
        within = many[:, None] * (counts @ ranks.T**2) - (counts @ ranks.T) ** 2
        unlike = np.einsum("du,ud->d", often, within / (many - 1)[:, None])
        squares = n * (totals * ranks**2).sum(axis=1)
        return _one_minus((n - 1) * unlike, squares - (totals * ranks).sum(axis=1) ** 2, squares)
    if level == "interval":
        apart = values - values[0]
        squares = n * (totals @ apart**2)
        unlike = often @ (_unlike_squares(x - values[0]) / (many - 1))
        return _one_minus((n - 1) * unlike, squares - (totals @ apart) ** 2, squares)
    if level != "nominal":
        raise ValueError(f"got level={level!r}; expected nominal, ordinal or interval")
    unlike = often @ (_unlike_categories(counts, many) / (many - 1))
    return _one_minus((n - 1) * unlike, (n**2 - (totals**2).sum(axis=1)) / 2, n**2)


def _one_minus(observed: Floats, expected: Floats, scale: Floats) -> Floats:
    return np.asarray(1 - _ratio(observed, expected, scale))


def _gwet(x: Floats, often: Floats, *, weights: Weights = "nominal") -> Floats:
    values, counts = _counts(x)
    many, q = _many(x), len(values)
    if weights == "nominal":
        unlike, total = _unlike_categories(counts, many), float(q)
    elif weights in ("ordinal", "quadratic"):
        scale = values if weights == "quadratic" else np.arange(float(q))
        differ = _differ_by_squares if weights == "quadratic" else _differ_by_steps
        placed = np.where(np.isnan(x), np.nan, scale[np.searchsorted(values, np.where(np.isnan(x), values[0], x))])
        most = differ(scale[None, [0, -1]])[0]
        unlike, total = differ(placed) / most, q**2 - 2 * differ(scale[None])[0] / most
    else:
        raise ValueError(f"got weights={weights!r}; expected nominal, ordinal or quadratic")
    alike = 1 - 2 * unlike / np.maximum(many * (many - 1), 1)
    shares = _shares(counts, many, often)
    expected = total / (q * (q - 1)) * (shares * (1 - shares)).sum(axis=1)
    return _above_chance(_over_pairs(alike, many, often), expected)


def _differ_by_squares(x: Floats) -> Floats:
    return _unlike_squares(x - np.nanmin(x))


def _differ_by_steps(x: Floats) -> Floats:
    """C(d + 1, 2) = (d² + d) / 2 over the pairs of ratings of each item."""
    return (_unlike_squares(x) + _unlike_steps(x)) / 2


def _icc(x: Floats, often: Floats, *, form: Form = "1,1") -> Floats:
    return _one_way(x, often, form) if form.startswith("1") else _two_way(x, often, form)


def _one_way(x: Floats, often: Floats, form: Form) -> Floats:
    x = x - np.nanmin(x)
    many, sums, squares = _many(x), np.nansum(x, axis=1), np.nansum(x**2, axis=1)
    n, ratings, power = often.sum(axis=1), often @ many, often @ squares
    between = often @ (sums**2 / many) - (often @ sums) ** 2 / ratings
    bms = _ratio(between, n - 1)
    wms = _ratio(np.maximum(often @ (squares - sums**2 / many), 0), ratings - n)
    k = _ratio(ratings - often @ many**2 / ratings, n - 1)
    return _ratio(bms - wms, bms + (k - 1) * wms if form == "1,1" else bms, power)


def _two_way(x: Floats, often: Floats, form: Form) -> Floats:
    x = x[:, np.isfinite(x).any(axis=0)]
    complete = np.isfinite(x).all(axis=1)
    x, often, k = x[complete], often[:, complete], x.shape[1]
    if len(x) < 2:
        return np.full(len(often), np.nan)
    x = x - x.min()
    n, power = often.sum(axis=1), often @ (x**2).sum(axis=1)
    mean = _ratio((often @ x.sum(axis=1)) ** 2, n * k)
    items = often @ x.sum(axis=1) ** 2 / k - mean
    raters = _ratio(((often @ x) ** 2).sum(axis=1), n) - mean
    bms, jms = _ratio(items, n - 1), raters / (k - 1)
    ems = _ratio(np.maximum(power - mean - items - raters, 0), (n - 1) * (k - 1))
    below = {
        "2,1": bms + (k - 1) * ems + _ratio(k * (jms - ems), n),
        "3,1": bms + (k - 1) * ems,
        "2,k": bms + _ratio(jms - ems, n),
        "3,k": bms,
    }
    return _ratio(bms - ems, below[form], power)


def _cohen(x: Floats, often: Floats) -> Floats:
    both = _many(x) == 2
    x, often = x[both], often[:, both]
    one, other = ((x[:, [at]] == np.unique(x)).astype(float) for at in (0, 1))
    n = often.sum(axis=1, keepdims=True)
    expected = (_ratio(often @ one, n) * _ratio(often @ other, n)).sum(axis=1)
    return _above_chance(_ratio(often @ (x[:, 0] == x[:, 1]), n[:, 0]), expected)


_DRAWN: dict[Coefficient, Callable[..., Floats]] = {
    fleiss: _fleiss, krippendorff: _krippendorff, gwet: _gwet, icc: _icc, cohen: _cohen, raw: _raw, randolph: _randolph,
}  # fmt: skip
