"""The set of best models: who is not worse than another by a paired test, with one error rate for the whole set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Signs = NDArray[np.int8]

LEAST = 6  # units: with five, all of them agreeing has p = 2/2⁵ = 0.06
FLIPS = 12  # units up to which all changes of signs are tried
DRAWS = 1999  # changes of signs above that
WORK = 200_000_000  # pairs × changes of signs that one set may cost: some seconds
BLOCK = 4_000_000  # numbers held at once
MANY = 500  # models above which not all pairs are compared


class BestSet(NamedTuple):
    """Who may be best, and how certain it is that the others are not."""

    within: Bools  # of each model, whether it is in the set
    p: Floats  # of each model: p-value, corrected for all pairs, of its clearest defeat; 1 where it has none


def best_set(losses: Floats, *, alpha: float = 0.05, seed: int = 0) -> BestSet:
    """The models of units × models that no other beats: with probability 1 − alpha it holds every truly best model.

    Each two models are compared by t = d̄/(s/√n) of their paired differences. Under the hypothesis that they are
    equal, d is as likely as −d; the signs of whole units are changed, for all models at once, and the largest |t| over
    all pairs gives the distribution that each |t| is held against, step by step without the pairs that are settled
    (Romano & Wolf 2005). All 2ⁿ changes are tried up to twelve units, 1,999 random ones above. Below six units nobody
    can be told from anybody: all are in the set. Of more than 500 models each is held against the first only, by a
    t test that is corrected for all pairs.

    >>> rng = np.random.default_rng(0)
    >>> losses = rng.normal(size=(12, 1)) + 0.1 * rng.normal(size=(12, 3)) + [0.0, 0.0, 1.0]
    >>> best_set(losses).within
    array([ True,  True, False])
    """
    n, models = losses.shape
    p = np.ones(models)
    if n < LEAST or models < 2:
        return BestSet(np.ones(models, dtype=bool), p)
    finite = bounded(losses)
    if models > MANY:
        return _against_the_first(finite, alpha)
    one, other = np.triu_indices(models, 1)
    signs = changes_of_sign(n, min(DRAWS, max(199, WORK // len(one))), np.random.default_rng(seed))
    squares = _mean_squares(finite)[one, other]
    observed = _studentised(finite.mean(axis=0), squares, one, other, n)
    corrected = _step_down(finite, signs, squares, np.abs(observed), alpha)
    worse = np.where(observed > 0, one, other)
    np.minimum.at(p, worse[observed != 0], corrected[observed != 0])
    return BestSet(p > alpha, p)


def _against_the_first(losses: Floats, alpha: float) -> BestSet:
    """The set by paired t tests against the model with the least mean, Bonferroni-corrected for all pairs there are."""
    from scipy.special import stdtr

    n, models = losses.shape
    difference = losses - losses[:, [int(losses.mean(axis=0).argmin())]]
    mean, spread = difference.mean(axis=0), difference.std(axis=0, ddof=1) / np.sqrt(n)
    t = np.divide(mean, spread, out=np.where(mean > 0, np.inf, 0.0), where=spread > 0)
    p = np.minimum(1.0, models * (models - 1) * stdtr(n - 1, -t))
    return BestSet(p > alpha, p)


def changes_of_sign(n: int, draws: int, rng: np.random.Generator) -> Signs:
    """Changes of the signs of n units, the first of which changes none; one of each two opposite ones, as |t| is equal.

    >>> changes_of_sign(3, 10, np.random.default_rng(0)).astype(int).tolist()
    [[1, 1, 1], [-1, 1, 1], [1, -1, 1], [-1, -1, 1]]
    """
    if n <= FLIPS:
        return np.array(1 - 2 * ((np.arange(2 ** (n - 1))[:, None] >> np.arange(n)) & 1), np.int8)
    signs = np.empty((draws + 1, n), np.int8)
    for row in signs:
        row[:] = rng.choice([-1.0, 1.0], size=n)
    signs[0] = 1
    return signs


def bounded(losses: Floats) -> Floats:
    """Losses with infinite ones made large: worse than any finite one, and equal to one another."""
    finite = np.where(np.isfinite(losses), losses, 0.0)
    reach = 2 * np.abs(finite).max(initial=0.0) + 1
    return np.where(np.isposinf(losses), reach, np.where(np.isneginf(losses), -reach, finite))


def _mean_squares(losses: Floats) -> Floats:
    """Mean squared difference of each two models; differences that are nothing but rounding are nothing."""
    centred = losses - losses.mean(axis=1, keepdims=True)
    own = (centred**2).mean(axis=0)
    found = own[:, None] + own[None] - 2 * centred.T @ centred / len(losses)
    return np.asarray(np.where(found > 1e-12 * np.maximum(own[:, None], own[None]), found, 0.0))


def _studentised(means: Floats, squares: Floats, one: NDArray[np.intp], other: NDArray[np.intp], n: int) -> Floats:
    """t of each pair, from the models' means (changes of signs × models, or models) and mean squared differences."""
    difference = means[..., one] - means[..., other]
    variance = np.maximum(squares - difference**2, 1e-9 * squares) / (n - 1)
    return np.asarray(np.where(squares > 0, difference / np.sqrt(np.where(squares > 0, variance, 1.0)), 0.0))


def _step_down(losses: Floats, signs: Signs, squares: Floats, observed: Floats, alpha: float) -> Floats:
    """p-values of all pairs, corrected: of each against the largest |t| of those that no step before has settled."""
    corrected, live, floor = np.ones(len(observed)), np.ones(len(observed), dtype=bool), 0.0
    while live.any():
        largest = _largest(losses, signs, squares, live)
        p = 1 - np.searchsorted(np.sort(largest), observed * (1 - 1e-9), side="left") / len(largest)
        floor = max(floor, float(p[live].min()))
        settled = live & (p <= alpha)
        if not settled.any():
            corrected[live] = np.maximum(p[live], floor)
            break
        corrected[settled] = np.maximum(p[settled], floor)
        live &= ~settled
    return corrected


def _largest(losses: Floats, signs: Signs, squares: Floats, live: Bools) -> Floats:
    """The largest |t| over some pairs under each change of signs."""
    one, other = (index[live] for index in np.triu_indices(losses.shape[1], 1))
    some = squares[live]
    found = [
        np.abs(_studentised(means, some, one, other, len(losses))).max(axis=1)
        for means in _flipped(losses, signs, len(one))
    ]
    return np.concatenate(found)


def _flipped(losses: Floats, signs: Signs, pairs: int) -> Iterator[Floats]:
    """The models' means under changes of signs, in blocks; the mean over models is taken off, as no pair needs it."""
    centred = losses - losses.mean(axis=1, keepdims=True)
    for block in np.array_split(signs, 1 + len(signs) * max(pairs, len(losses)) // BLOCK):
        yield block.astype(float) @ centred / len(losses)
