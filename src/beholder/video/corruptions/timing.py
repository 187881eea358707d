"""Frames at the wrong time: repeated, left out, swapped, run backwards."""

from __future__ import annotations

import numpy as np

from beholder.video.corruptions.plans import MOST, Take, moments, retimed
from beholder.video.types import Clip

REPEATED = 0.12  # probability per severity
RUN = (0.1, 0.2)  # s of the runs that change places


def repeats(take: Take, severity: int) -> Clip:
    """Frames repeat the one before with a probability of 12 % per severity; those of a lower one are among them."""
    count = len(take.pixels)
    stays = take.rng().random(count) < REPEATED * severity
    stays[0] = False
    order = np.maximum.accumulate(np.where(stays, 0, np.arange(count)))
    return retimed(take.clip, take.rate, order)


def drops(take: Take, severity: int) -> Clip:
    """At one more moment per severity two to four frames are left out.

    All severities are as long: as many frames as remain when all five moments have lost theirs, at most a third.
    """
    rng = take.rng()
    count = len(take.pixels)
    lost = np.minimum(rng.integers(2, 5, MOST), max(1, count // (3 * MOST)))
    kept = max(count - int(lost.sum()), 2)
    when = np.round(moments(rng, kept)).astype(int)
    shift = sum((np.arange(kept) >= at) * n for at, n in zip(when[:severity], lost[:severity], strict=True))
    return retimed(take.clip, take.rate, np.minimum(np.arange(kept) + shift, count - 1))


def shuffle(take: Take, severity: int) -> Clip:
    """One pair of neighbouring short runs of frames per severity changes places."""
    rng = take.rng()
    order = np.arange(len(take.pixels))
    starts = moments(rng, take.seconds, 0.05, 0.8)
    lengths = rng.uniform(*RUN, MOST)
    most = max(1, int(0.75 * len(order) / MOST / 2.2))  # pairs of runs do not reach into one another
    for start, length in zip(starts[:severity], lengths[:severity], strict=True):
        run = min(max(1, round(length * take.rate)), most)
        at = min(round(start * take.rate), max(0, len(order) - 2 * run))
        order[at : at + 2 * run] = np.roll(order[at : at + 2 * run], run)
    return retimed(take.clip, take.rate, order)


def reverse(take: Take, severity: int) -> Clip:
    """The clip runs back from a moment that comes earlier by 10 % of it per severity; nothing jumps."""
    count = len(take.pixels)
    turn = (count - 1) * (1 - 0.1 * severity)
    at = np.arange(count)
    return retimed(take.clip, take.rate, np.abs(np.where(at > turn, np.rint(2 * turn - at), at)).astype(np.intp))
