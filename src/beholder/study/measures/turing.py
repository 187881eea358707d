"""Whether people, or models that answer as they do, tell one class from the other: human from synthetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Result, measure
from beholder.stats import signal_detection

Floats = NDArray[np.float64]


class Said(NamedTuple):
    """How often an item was called signal (human, say): once by one person, several times by several."""

    held: float
    of: float = 1


class Truth(NamedTuple):
    """What an item is, and what everybody said of it."""

    signal: bool
    said: Mapping[str, float] = {}  # person → 1: called signal
    facts: Mapping[str, Mapping[str, str]] = {}  # person → what is known of them
    status: str = "verified"


def _is_noise(truth: Truth) -> str:
    return "" if truth.signal else "this item is not a signal"


def _is_signal(truth: Truth) -> str:
    return "this item is a signal" if truth.signal else ""


def _share(observed: Said) -> float:
    if not observed.of:
        raise NotApplicable("nobody answered this item")
    return float(observed.held / observed.of)


@measure(better="higher", bounds=(0.0, 1.0), cite="Zanca2020")
def accuracy(observed: Said, reference: Truth) -> float:
    """The share of right answers to an item: held / of for a signal, 1 − held / of for any other.

    held of `of` answers call the item signal. 0.5 is guessing. Over many items the mean is shown: each item counts
    once, however many answers it has (`beholder study analyse` gives the mean over participants). Not applicable to an
    item without an answer.

    >>> accuracy(Said(3, 4), Truth(signal=True)), accuracy(Said(3, 4), Truth(signal=False))
    (0.75, 0.25)
    """
    share = _share(observed)
    return share if reference.signal else 1 - share


@measure(better="higher", bounds=(0.0, 1.0), cite="GreenSwets1966", excludes=_is_noise)
def hits(observed: Said, reference: Truth) -> float:
    """The share of answers that call a signal signal, held / of: human clips labelled human.

    Not applicable to an item without an answer, nor to an item that is not a signal.

    >>> hits(Said(3, 4), Truth(signal=True))
    0.75
    """
    if not reference.signal:
        raise NotApplicable("this item is not a signal")
    return _share(observed)


@measure(better="lower", bounds=(0.0, 1.0), cite="GreenSwets1966", excludes=_is_signal)
def false_alarms(observed: Said, reference: Truth) -> float:
    """The share of answers that call a non-signal signal, held / of: synthetic clips labelled human.

    For a generator it is how often its clips pass as human; for an observer, how often they are fooled. Not applicable
    to an item without an answer, nor to a signal.

    >>> false_alarms(Said(1, 4), Truth(signal=False))
    0.25
    """
    if reference.signal:
        raise NotApplicable("this item is a signal")
    return _share(observed)


def _detections(observed: Sequence[Said], references: Sequence[Truth], often: Floats) -> signal_detection.Detection:
    held, of = (np.array([said[at] for said in observed], float) for at in (0, 1))
    signal = np.array([truth.signal for truth in references], bool)
    counts = [often[:, mine] @ x[mine] for mine in (signal, ~signal) for x in (held, of)]
    return signal_detection.detection(*counts)


def _draws(observed: Sequence[Said], references: Sequence[Truth], often: Floats) -> Floats:
    return _detections(observed, references, often).dprime


@measure(
    better="higher",
    bounds=(-float("inf"), float("inf")),
    cite="GreenSwets1966,Hautus1995",
    per="dataset",
    resample="sample",
    at_once=_draws,
)
def dprime(observed: Sequence[Said], reference: Sequence[Truth]) -> Result:
    """Pooled d′ = z(H) − z(F), over all answers: how well the classes are told apart, whatever the answer bias.

    0 is guessing. H = (h + ½) / (n_s + 1) and F = (f + ½) / (n_n + 1), where h of n_s answers to signals and f of n_n
    answers to others say signal: the log-linear rule, which keeps d′ finite. Parts: the criterion −(z(H) + z(F))/2, H,
    F, and the share of all answers that say signal. Undefined (NaN) without answers to both classes. The interval
    resamples items; that of `beholder study analyse` resamples people too.

    >>> truths = [Truth(signal=True), Truth(signal=False)]
    >>> round(dprime([Said(53, 100), Said(46, 100)], truths).value, 3)
    0.174
    """
    if not reference:
        raise NotApplicable("there are no items")
    found = _detections(observed, reference, np.ones((1, len(reference))))
    value = float(found.dprime[0])
    if np.isnan(value):
        return Result(value, reason="there are no answers to items of both kinds")
    held, of = (sum(said[at] for said in observed) for at in (0, 1))
    parts = {
        "criterion": round(float(found.criterion[0]), 12) + 0.0,  # 0, not the rest of a rounding
        "hit_rate": float(found.hits[0]),
        "false_alarm_rate": float(found.alarms[0]),
        "labelled_signal": float(held / of),
    }
    return Result(value, parts)
