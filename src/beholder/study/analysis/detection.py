"""How well people tell the classes apart, apart from which answer they prefer; and how they and the items differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.stats import crossed_effects, equivalence, signal_detection, two_way
from beholder.stats.equivalence import Equivalence
from beholder.study.analysis.trials import NOTHING, Estimate, Floats, Trials, estimate, ratio

NEARLY = 0.95  # of a class, the share of equal answers from which on they are nearly all
FAR = 2.0  # a criterion beyond this: the answer hardly depends on what is shown
ENOUGH = 5  # answers of a participant from which on it can be told that they are all the same
SIGNAL, NOISE, SAME, STILL = "signal", "noise", "same", "still"  # why answers tell nothing: see `Detected.silent`


class Detected(NamedTuple):
    """How well the classes are told apart, and whether it is shown to be too little to matter."""

    dprime: Estimate  # pooled: over all answers of all participants
    criterion: Estimate  # above 0: people say signal seldom; of choices: they say first seldom
    hits: float
    alarms: float
    equivalence: Equivalence  # of d′ against the bound that the study states
    people: int
    answers: int
    silent: str = ""  # why answers tell nothing: all say signal, or noise, everybody says one thing, nothing differs
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
    told = estimate(dprime, drawn[:, 0])
    least, most = sorted((float(hits), float(alarms)))
    mute = _one_sided(criterion, nearly=SIGNAL if least >= NEARLY else NOISE if most <= 1 - NEARLY else "")
    silent = _silent(told, limit, mute if most - least < 0.01 or told.lo <= 0 <= told.hi else "", trials, trials.said)
    return Detected(
        told,
        estimate(criterion, drawn[:, 1]),
        float(hits),
        float(alarms),
        _tested(told.value, drawn[:, 0], limit, silent),
        len(trials.people),
        len(trials.person),
        silent,
        trials.estimate(of_each),
    )


def _one_sided(criterion: float, *, nearly: str = "") -> str:
    """Which answer nearly everything gets, if any."""
    return nearly or (SIGNAL if criterion < -FAR else NOISE if criterion > FAR else "")


def _silent(dprime: Estimate, limit: float, one_sided: str, trials: Trials, said: Floats) -> str:
    """Why answers tell nothing of whether people can tell, whatever d′ is; nothing where they do."""
    if one_sided:
        return one_sided
    many = np.bincount(trials.person, minlength=len(trials.people))
    held = np.bincount(trials.person, said, minlength=len(trials.people))
    known = many >= ENOUGH
    if known.any() and np.mean((held == 0)[known] | (held == many)[known]) >= NEARLY and abs(dprime.value) < limit:
        return SAME
    return STILL if abs(dprime.value) < limit and dprime.hi - dprime.lo < equivalence.LEAST else ""


def _tested(dprime: float, drawn: Floats, limit: float, silent: str) -> Equivalence:
    """The test of equivalence; none of answers that tell nothing."""
    if silent:
        return equivalence.tost(dprime, np.nan, limit)
    return equivalence.tost_of_draws(dprime, drawn, limit)


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
    share, first = float(trials.said.mean()), float(ahead.mean())
    told = estimate(dprime, drawn[:, 0])
    mute = _one_sided(criterion, nearly=SIGNAL if first >= NEARLY else NOISE if first <= 1 - NEARLY else "")
    silent = _silent(told, limit, mute if told.lo <= 0 <= told.hi else "", trials, ahead)
    return Detected(
        told,
        estimate(criterion, drawn[:, 1]),
        share,
        1 - share,
        _tested(told.value, drawn[:, 0], limit, silent),
        len(trials.people),
        len(trials.person),
        silent,
    )


def spread(trials: Trials) -> Spread:
    """How much people and items differ, by the method of moments (`stats.crossed_effects`)."""
    given = trials.person, trials.item, trials.said, trials.signal
    if trials.signal.all() or not trials.signal.any():
        return Spread(NOTHING, NOTHING, NOTHING, NOTHING)
    values, drawn = trials.spread(lambda of: np.stack(crossed_effects.effects(*given, of), axis=1))
    drawn[:, :3] = np.maximum(drawn[:, :3], 0.0)  # standard deviations
    return Spread(*(estimate(value, draws) for value, draws in zip(values, drawn.T, strict=True)))
