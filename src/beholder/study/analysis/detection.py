"""How well people tell the classes apart, apart from which answer they prefer; and how they and the items differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.stats import crossed_effects, equivalence, signal_detection, two_way
from beholder.stats.equivalence import Equivalence
from beholder.study.analysis.trials import NOTHING, Estimate, Floats, Trials, estimate, ratio


class Detected(NamedTuple):
    """How well the classes are told apart, and whether it is shown to be too little to matter."""

    dprime: Estimate  # pooled: over all answers of all participants
    criterion: Estimate  # above 0: people say signal seldom; of choices: they say first seldom
    hits: float
    alarms: float
    equivalence: Equivalence  # of d′ against the bound that the study states
    people: int
    answers: int
    own: Estimate = NOTHING  # the mean over participants of each one's d′; of few trials it is drawn towards 0


class Spread(NamedTuple):
    """Standard deviations of a crossed probit model, in units of the noise of one answer."""

    bias: Estimate  # people: how gladly they say signal
    skill: Estimate  # people: how well they tell the classes apart
    items: Estimate
    dprime: Estimate  # of a middling person and middling items: further from 0 than the pooled one


def detect(trials: Trials, bound: float) -> Detected:
    """The pooled d′, the criterion, and the mean of participants' own d′.

    `bound` is in shares of right answers about one half.
    """
    signal = trials.signal.astype(float)
    columns = np.stack([trials.said * signal, signal, trials.said * (1 - signal), 1 - signal], axis=1)

    def taken(of: two_way.Draws) -> Floats:
        return np.stack(signal_detection.detection(*of.sums(columns).T), axis=1)

    def of_each(of: two_way.Draws) -> Floats:
        own = signal_detection.detection(*(of.by_person(column) for column in columns.T)).dprime
        there = of.people * np.isfinite(own)
        return ratio((there * np.nan_to_num(own)).sum(axis=1), there.sum(axis=1))

    (dprime, criterion, hits, alarms), drawn = trials.spread(taken)
    limit = float(signal_detection.dprime_of_accuracy(0.5 + bound))
    return Detected(
        estimate(dprime, drawn[:, 0]),
        estimate(criterion, drawn[:, 1]),
        float(hits),
        float(alarms),
        equivalence.tost_of_draws(float(dprime), drawn[:, 0], limit),
        len(trials.people),
        len(trials.person),
        trials.estimate(of_each),
    )


def detect_choices(trials: Trials, bound: float) -> Detected:
    """d′ of choices between two, √2 z(PC), with the log-linear rule; the criterion is the pull of the first place."""
    ahead = trials.frame["ahead"].to_numpy(float)

    def taken(of: two_way.Draws) -> Floats:
        right, first, many = of.sums(np.stack([trials.said, ahead, np.ones(len(ahead))], axis=1)).T
        shares = [signal_detection.corrected(held, many) for held in (right, first)]
        z = [signal_detection.dprime_of_choices(of_share) for of_share in shares]
        return np.stack([z[0], -z[1] / 2], axis=1)

    (dprime, criterion), drawn = trials.spread(taken)
    limit = float(signal_detection.dprime_of_choices(0.5 + bound))
    share = float(trials.said.mean())
    return Detected(
        estimate(dprime, drawn[:, 0]),
        estimate(criterion, drawn[:, 1]),
        share,
        1 - share,
        equivalence.tost_of_draws(float(dprime), drawn[:, 0], limit),
        len(trials.people),
        len(trials.person),
    )


def spread(trials: Trials) -> Spread:
    """How much people and items differ, by the method of moments (`stats.crossed_effects`)."""
    given = trials.person, trials.item, trials.said, trials.signal
    if trials.signal.all() or not trials.signal.any():
        return Spread(NOTHING, NOTHING, NOTHING, NOTHING)
    values, drawn = trials.spread(lambda of: np.stack(crossed_effects.effects(*given, of), axis=1))
    drawn[:, :3] = np.maximum(drawn[:, :3], 0.0)  # standard deviations
    return Spread(*(estimate(value, draws) for value, draws in zip(values, drawn.T, strict=True)))
