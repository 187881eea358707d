"""Signal detection: how well a difference is seen (d′), apart from which answer is preferred (criterion)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Detection(NamedTuple):
    """What hits and false alarms tell; each may be an array."""

    dprime: Floats  # z(H) − z(F): 0 is chance
    criterion: Floats  # −(z(H) + z(F)) / 2: 0 prefers neither answer, above 0 says "signal" seldom
    hits: Floats  # H
    alarms: Floats  # F


def corrected(held: ArrayLike, of: ArrayLike) -> Floats:
    """A rate by the log-linear rule, (held + ½) / (of + 1), which is never 0 or 1 (Hautus 1995); NaN of no trial.

    >>> corrected([0, 5, 10], 10)
    array([0.04545455, 0.5       , 0.95454545])
    """
    many = np.asarray(of, float)
    return np.asarray(np.where(many > 0, (np.asarray(held, float) + 0.5) / (many + 1), np.nan))


def detection(hits: ArrayLike, signals: ArrayLike, alarms: ArrayLike, noises: ArrayLike) -> Detection:
    """d′ and the criterion of a yes/no task from counts, by the log-linear rule (Green & Swets 1966; Hautus 1995).

    `hits` of `signals` trials with the signal, and `alarms` of `noises` trials without it, were called "signal".

    >>> found = detection(53, 100, 46, 100)
    >>> round(float(found.dprime), 3), round(float(found.criterion), 3)
    (0.174, 0.012)
    """
    return from_rates(corrected(hits, signals), corrected(alarms, noises))


def from_rates(hits: ArrayLike, alarms: ArrayLike) -> Detection:
    """d′ and the criterion from rates as they stand: of a printed table, say. Infinite where a rate is 0 or 1.

    >>> round(float(from_rates(0.53, 0.46).dprime), 3)
    0.176
    """
    from scipy.special import ndtri

    h, f = np.asarray(hits, float), np.asarray(alarms, float)
    zh, zf = ndtri(h), ndtri(f)
    return Detection(np.asarray(zh - zf), np.asarray(-(zh + zf) / 2), h, f)


def accuracy(dprime: ArrayLike) -> Floats:
    """The share of right yes/no answers without bias, as many signals as noises: Φ(d′/2).

    >>> float(accuracy(0.0)), round(float(accuracy(1.0)), 4)
    (0.5, 0.6915)
    """
    from scipy.special import ndtr

    return np.asarray(ndtr(np.asarray(dprime, float) / 2))


def dprime_of_accuracy(share: ArrayLike) -> Floats:
    """The d′ at which that share of yes/no answers is right without bias: 2 z(share).

    >>> round(float(dprime_of_accuracy(0.55)), 4)
    0.2513
    """
    from scipy.special import ndtri

    return np.asarray(2 * ndtri(np.asarray(share, float)))


def two_alternative(dprime: ArrayLike) -> Floats:
    """The share of right choices between two that are shown together, PC = Φ(d′/√2) (Green & Swets 1966).

    >>> round(float(two_alternative(1.0)), 4)
    0.7602
    """
    from scipy.special import ndtr

    return np.asarray(ndtr(np.asarray(dprime, float) / np.sqrt(2)))


def dprime_of_choices(share: ArrayLike) -> Floats:
    """The d′ at which that share of choices between two is right: √2 z(PC).

    >>> round(float(dprime_of_choices(two_alternative(1.0))), 6)
    1.0
    """
    from scipy.special import ndtri

    return np.asarray(np.sqrt(2) * ndtri(np.asarray(share, float)))


def rating_area(signals: ArrayLike, noises: ArrayLike) -> Floats:
    """The area under the ROC of ratings from how often each grade was given, … × grades; NaN without either.

    A = P(signal above noise) + ½ P(equal): what `stats.roc.auc` gives for the ratings one by one.

    >>> float(rating_area([0, 1, 1], [1, 1, 0]))  # grades 1, 2, 3
    0.875
    """
    s, n = np.asarray(signals, float), np.asarray(noises, float)
    below = np.cumsum(n, axis=-1) - n / 2
    many = s.sum(axis=-1) * n.sum(axis=-1)
    return np.asarray(np.where(many > 0, (s * below).sum(axis=-1), np.nan) / np.where(many > 0, many, 1.0))


def rating_dprime(signals: ArrayLike, noises: ArrayLike) -> Floats:
    """d_a of ratings = √2 z(A), from how often each grade was given (Simpson & Fitter 1973), … × grades.

    The area A is kept from 0 and 1 by half a pair of answers, as the log-linear rule does with rates.

    >>> round(float(rating_dprime([1, 2, 3], [3, 2, 1])), 3)
    0.808
    """
    s, n = np.asarray(signals, float), np.asarray(noises, float)
    pairs = s.sum(axis=-1) * n.sum(axis=-1)
    area = rating_area(s, n)
    return dprime_of_choices((area * pairs + 0.5) / (pairs + 1))
