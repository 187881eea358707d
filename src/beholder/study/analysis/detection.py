"""How well people tell the classes apart, apart from which answer they prefer; and how they and the items differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.stats import crossed_effects, equivalence, signal_detection, two_way
from beholder.stats.equivalence import Equivalence
from beholder.study.analysis.trials import NOTHING, Estimate, Floats, Trials, estimate


class Detected(NamedTuple):
    """d′ over all answers, and whether it is shown to be too small to matter."""

    dprime: Estimate
    criterion: Estimate  # above 0: people say signal seldom; of choices: they say first seldom
    hits: float
    alarms: float
    equivalence: Equivalence  # of d′ against the bound that the study states
    people: int
    answers: int


class Spread(NamedTuple):
    """Standard deviations of a crossed probit model, in units of the noise of one answer."""

    bias: Estimate  # people: how gladly they say signal
    skill: Estimate  # people: how well they tell the classes apart
    items: Estimate
    dprime: Estimate  # of a middling person and middling items: further from 0 than that over all answers


def detect(trials: Trials, bound: float) -> Detected:
    """d′ and the criterion over all answers; `bound` is in shares of right answers about one half."""
    one, drawn = (_detection(trials, of) for of in (two_way.whole(trials.person, trials.item), trials.drawn))
    dprime = float(one.dprime[0])
    return Detected(
        estimate(dprime, drawn.dprime),
        estimate(float(one.criterion[0]), drawn.criterion),
        float(one.hits[0]),
        float(one.alarms[0]),
        equivalence.tost_of_draws(dprime, drawn.dprime, float(signal_detection.dprime_of_accuracy(0.5 + bound))),
        len(trials.people),
        len(trials.person),
    )


def _detection(trials: Trials, of: two_way.Draws) -> signal_detection.Detection:
    signal = trials.signal.astype(float)
    counts = of.sums(np.stack([trials.said * signal, signal, trials.said * (1 - signal), 1 - signal], axis=1))
    return signal_detection.detection(*counts.T)


def detect_choices(trials: Trials, bound: float) -> Detected:
    """d′ of choices between two, √2 z(PC), with the log-linear rule; the criterion is the pull of the first place."""
    ahead = trials.frame["ahead"].to_numpy(float)

    def taken(of: two_way.Draws) -> tuple[Floats, Floats]:
        right, first, many = of.sums(np.stack([trials.said, ahead, np.ones(len(ahead))], axis=1)).T
        shares = [signal_detection.corrected(held, many) for held in (right, first)]
        return signal_detection.dprime_of_choices(shares[0]), -signal_detection.dprime_of_choices(shares[1]) / 2

    one, drawn = taken(two_way.whole(trials.person, trials.item)), taken(trials.drawn)
    dprime = float(one[0][0])
    limit = float(signal_detection.dprime_of_choices(0.5 + bound))
    share = float(trials.said.mean())
    return Detected(
        estimate(dprime, drawn[0]),
        estimate(float(one[1][0]), drawn[1]),
        share,
        1 - share,
        equivalence.tost_of_draws(dprime, drawn[0], limit),
        len(trials.people),
        len(trials.person),
    )


def spread(trials: Trials) -> Spread:
    """How much people and items differ, by the method of moments (`stats.crossed_effects`)."""
    given = trials.person, trials.item, trials.said, trials.signal
    if trials.signal.all() or not trials.signal.any():
        return Spread(NOTHING, NOTHING, NOTHING, NOTHING)
    one, drawn = crossed_effects.effects(*given), crossed_effects.effects(*given, trials.drawn)
    return Spread(*(estimate(float(own[0]), several) for own, several in zip(one, drawn, strict=True)))
