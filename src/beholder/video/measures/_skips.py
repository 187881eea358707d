"""Moments at which a clip jumps ahead because frames were left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.video.evidence import Evidence
from beholder.video.measures._holds import repeated
from beholder.video.types import Floats

JUMP = 1.7  # steps at once; a hand that swings makes up to 1.6 of its neighbours' at 10 frames/s
SPIKE = 1.25  # times the difference between frames around it: a jump is one of the picture, not of the flow alone
MOST = 4.0  # steps: more cost as much
NEAR = 3  # frames before and after with which a difference is compared


class Skips(NamedTuple):
    """Jumps ahead: when, and how many seconds of motion are missing."""

    times: Floats
    lost: Floats


def skips(found: Evidence) -> Skips:
    """Pairs of frames that go on as their neighbours do, but by several steps at once.

    Beside a repeated frame a larger step makes up for it, and at a shot cut there is no motion: neither is a skip.
    """
    own, cam = found.motion.pace, found.camera
    if not len(own):
        return Skips(np.empty(0), np.empty(0))
    last = np.searchsorted(found.facts.times, cam.times + 1e-9)
    first = np.searchsorted(found.facts.times, cam.times - cam.steps + 1e-9)
    spike, same = spikes(found.frames.difference), repeated(found)
    jumps = [spike[lo:hi].max(initial=0) > SPIKE for lo, hi in zip(first, last, strict=True)]
    held = [same[max(0, lo - 1) : hi + 1].any() for lo, hi in zip(first, last, strict=True)]
    cut = np.isin(np.round(cam.times, 6), np.round(found.coherence.shot_cuts, 6))
    at = np.flatnonzero((own > JUMP) & np.array(jumps) & ~np.array(held) & ~cut)
    return Skips(cam.times[at], (np.minimum(own[at], MOST) - 1) * cam.steps[at])


def spikes(change: Floats) -> Floats:
    """Each difference against the upper quartile of those around it.

    >>> spikes(np.array([0.0, 4, 4, 4, 4, 8, 4, 4, 4])).tolist()[4:7]
    [1.0, 2.0, 1.0]
    """
    found = np.ones(len(change))
    for at in range(1, len(change)):
        near = np.concatenate([change[max(1, at - NEAR) : at], change[at + 1 : at + 1 + NEAR]])
        if len(near) >= NEAR:
            found[at] = change[at] / max(float(np.quantile(near, 0.75)), 1e-6)
    return found
