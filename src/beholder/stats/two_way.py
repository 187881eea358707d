"""Answers that are crossed by people and items: two-way bootstrap, two-way standard errors, agreement.

Both people and items are samples of all there could be, so both are drawn. Rows are answers: `person` and `item` say
whose answer to what it is, as numbers from 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beholder.stats import bootstrap
from beholder.stats.proportion import Z, wilson

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BOTH: tuple[Literal["people", "items"], ...] = ("people", "items")
SIDES = 400  # draws of one side alone: enough for a variance
FEWEST = 3  # people, and items, of whom an interval is given: two tell next to nothing of how much they differ


@dataclass(frozen=True)
class Draws:
    """How often each person and each item is in each draw: an answer counts as often as the product of both.

    This is the pigeonhole bootstrap (Owen 2007), which `spread` corrects: by itself it counts the noise of single
    answers three times.
    """

    people: Floats  # draws × people
    items: Floats  # draws × items
    person: Ints = field(repr=False)  # of each answer
    item: Ints = field(repr=False)

    def sums(self, values: ArrayLike) -> Floats:
        """The sum of each column of values over the answers of each draw: answers × columns → draws × columns.

        >>> whole = Draws(np.ones((1, 2)), np.ones((1, 2)), np.array([0, 0, 1]), np.array([0, 1, 1]))
        >>> whole.sums([1.0, 2.0, 4.0])
        array([[7.]])
        """
        x = np.asarray(values, float).reshape(len(self.person), -1)
        return np.stack([self._sum(column) for column in x.T], axis=1)

    def _sum(self, column: Floats) -> Floats:
        return np.asarray(((self.people @ self._grid(column)) * self.items).sum(axis=1))

    def alone(self, side: Literal["people", "items"], most: int) -> Draws:
        """Draws of one side only, the other being as it is."""
        people, items = self.people[:most], self.items[:most]
        if side == "people":
            return replace(self, people=people, items=np.ones_like(items))
        return replace(self, people=np.ones_like(people), items=items)

    def by_person(self, values: ArrayLike, *, power: int = 1) -> Floats:
        """The sum of values over each person's answers in each draw of items, draws × people."""
        return np.asarray((self._grid(np.asarray(values, float)) @ (self.items**power).T).T)

    def by_item(self, values: ArrayLike, *, power: int = 1) -> Floats:
        """The sum of values over the answers to each item in each draw of people, draws × items."""
        return np.asarray(self.people**power @ self._grid(np.asarray(values, float)))

    def _grid(self, column: Floats) -> Any:
        """People × items; what stands in one place adds up."""
        from scipy.sparse import csr_array

        shape = self.people.shape[1], self.items.shape[1]
        return csr_array((column, (self.person, self.item)), shape=shape)


def whole(person: Ints, item: Ints) -> Draws:
    """The one draw in which everybody and everything is once: for the values themselves."""
    people, items = (np.ones((1, int(ids.max(initial=-1)) + 1)) for ids in (person, item))
    return Draws(people, items, np.asarray(person), np.asarray(item))


def draw(
    person: Ints,
    item: Ints,
    *,
    people: Ints | None = None,
    items: Ints | None = None,
    draws: int = 2000,
    rng: np.random.Generator,
) -> Draws:
    """People and items drawn with replacement, apart from each other; inside their kinds, where these are given.

    `people` and `items` are the kind of each person and each item (of an item: its class, which the design fixes).
    """
    many = int(np.max(person, initial=-1)) + 1, int(np.max(item, initial=-1)) + 1
    found = [
        np.concatenate(list(bootstrap.counts(n, draws=draws, rng=rng, strata=kinds)))
        for n, kinds in zip(many, (people, items), strict=True)
    ]
    return Draws(found[0], found[1], np.asarray(person), np.asarray(item))


def spread(
    statistic: Callable[[Draws], Floats],
    value: Floats | float,
    drawn: Draws,
    *,
    pairs: bool = False,
    fewest: int | None = None,
) -> Floats:
    """What a statistic would be in other samples of people and items, draws × …: about its value, with its variance.

    `statistic` gives its values in some draws. Of the variance of the pigeonhole draws, V_people + V_items + V_answers,
    too much is noise; draws of one side alone have V_people and V_items, so that the two-way variance
    V_people + V_items − V_answers (Cameron, Gelbach & Miller 2011) is known: 2 (V_people + V_items) less that of the
    draws, but never less than either side's. The draws are brought to it, and, as few people or items tell little of
    their variance, widened as Student's t is wider than the normal. Where there are fewer than three people or items,
    NaN. With `pairs`, the statistic is one of pairs of people, such as κ, of which draws of people alone count the
    noise three times: then the variance is never less than the items'. Where groups of people are compared, `fewest` is
    the size of the smallest.
    """
    both = np.asarray(statistic(drawn), float)
    many = min(drawn.people.shape[1], drawn.items.shape[1]) if fewest is None else fewest
    if many < FEWEST:
        return np.full(both.shape, np.nan)
    alone = [_variance(np.asarray(statistic(drawn.alone(side, SIDES)), float)) for side in BOTH]
    whole_of = _variance(both)
    least = alone[1] if pairs else np.maximum(*alone)
    wanted = np.maximum(2 * (alone[0] + alone[1]) - whole_of, least)
    shrink = np.sqrt(np.where(whole_of > 0, wanted, 1.0) / np.where(whole_of > 0, whole_of, 1.0))
    return np.asarray(value + (both - value) * shrink * widening(many - 1))


def p_value(value: float, drawn: Floats, groups: int) -> float:
    """The two-sided p of a difference from what `spread` gives, by Student's t; NaN where there is no spread.

    `groups` is the number of people or items, whichever is smaller, by which the spread was widened.

    >>> drawn = np.random.default_rng(0).normal(0.0, 1.0, 10_000) * widening(9)
    >>> round(p_value(2.26, drawn, 10), 2)
    0.05
    """
    from scipy.special import stdtr

    known = drawn[np.isfinite(drawn)]
    error = float(known.std()) / widening(groups - 1) if len(known) > 1 and groups > 1 else 0.0
    return 2 * float(stdtr(groups - 1, -abs(value) / error)) if error else float("nan")


def share_interval(value: float, drawn: Floats, groups: int) -> tuple[float, float]:
    """The 95 % interval of a share from what `spread` gives: never beyond 0 and 1; NaN where there is no spread.

    Wilson's interval of as many independent answers as would have the variance of the spread, n = p(1 − p) / V (Kott &
    Liu 2009). Where everybody says the same, which tells no variance, `groups` stands for n: each person counts once.

    >>> drawn = np.random.default_rng(0).normal(0.9, 0.1, 10_000)
    >>> [round(end, 2) for end in share_interval(0.9, drawn, 5)], [round(end, 2) for end in share_interval(1, drawn, 5)]
    ([0.58, 0.98], [0.57, 1.0])
    """
    known = drawn[np.isfinite(drawn)]
    if len(known) < 2 or np.isnan(value):
        return float("nan"), float("nan")
    variance = float(known.var())
    many = value * (1 - value) / variance if variance and 0 < value < 1 else groups
    return wilson(value * many, many)


def _variance(draws: Floats) -> Floats:
    """The variance of draws that are known; 0 where there are none."""
    held = np.isfinite(draws)
    n = np.maximum(held.sum(axis=0), 1)
    mean = np.where(held, draws, 0.0).sum(axis=0) / n
    return np.asarray((np.where(held, draws - mean, 0.0) ** 2).sum(axis=0) / n)


def widening(df: int) -> float:
    """How much wider 95 % of Student's t is than 95 % of the normal."""
    from scipy.special import stdtrit

    return float(stdtrit(df, 0.975)) / Z


def mean_error(values: ArrayLike, person: Ints, item: Ints) -> float:
    """The standard error of a mean over answers, for people and items that are both samples.

    V = V_people + V_items − V_answers (Cameron, Gelbach & Miller 2011), where V_g = G/(G − 1) Σ_g (Σ_k e_k)² / n²
    for the residuals e of G groups. Where that is negative, the larger of the first two. NaN with one person.

    >>> float(mean_error([1.0, 3.0], np.array([0, 1]), np.array([0, 1])))
    1.0
    """
    x = np.asarray(values, float)
    residuals = x - x.mean() if len(x) else x
    return float(np.sqrt(_clustered(residuals, person, item))) / max(len(x), 1)


def _clustered(residuals: Floats, person: Ints, item: Ints) -> float:
    """The sum of squared sums by person, plus those by item, less those of single answers."""
    parts = []
    cells = np.unique(np.stack([person, item]), axis=1, return_inverse=True)[1].ravel()
    for group in (person, item, cells):
        sums = np.bincount(group, residuals)
        many = len(np.unique(group))
        parts.append(many / (many - 1) * float(sums @ sums) if many > 1 else np.nan)
    total = parts[0] + parts[1] - parts[2]
    return total if total > 0 else max(parts[:2])


def fleiss_draws(drawn: Draws, categories: ArrayLike) -> Floats:
    """Fleiss' κ in each draw of people and items; over all of them at once it is `rater_agreement.fleiss`.

    As there, P_i is the share of pairs of different people who agree on item i, P̄ the mean over items with such a
    pair, and p_j the mean over items of the share of category j.

    >>> person, item = np.array([0, 1, 0, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 2])
    >>> fleiss_draws(whole(person, item), [1, 1, 0, 0, 1, 0]).round(6)
    array([0.333333])
    """
    said = np.asarray(categories)
    agreeing, given, own = (np.zeros((len(drawn.items), drawn.items.shape[1])) for _ in range(3))
    shares = []
    for category in np.unique(said):
        often, squares = (drawn.by_item(said == category, power=power) for power in (1, 2))
        agreeing, given, own = agreeing + often**2 - squares, given + often, own + squares
        shares.append(often)
    pairs = given**2 - own  # nobody is paired with themselves, though they are drawn twice
    there, paired = (given > 0) * drawn.items, (pairs > 0) * drawn.items
    items = np.maximum(there.sum(axis=1), 1)  # of a draw without answers nothing is held below
    means = [(there * often / np.where(given > 0, given, 1)).sum(axis=1) / items for often in shares]
    many = paired.sum(axis=1)
    seen = (paired * agreeing / np.where(pairs > 0, pairs, 1)).sum(axis=1) / np.maximum(many, 1)
    chance = (np.array(means) ** 2).sum(axis=0)
    held = (many > 0) & (chance < 1 - 1e-12)
    return np.asarray(np.where(held, seen - chance, np.nan) / np.where(held, 1 - chance, 1.0))
