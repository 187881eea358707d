"""Is the motion smooth? Drops of quality (MSS), repeated frames (judder), a camera that shakes (jerk)."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.video.evidence import Event, Evidence
from beholder.video.measures._doubt import stated
from beholder.video.measures._drops import TICK, Drops, quality_drops
from beholder.video.measures._holds import STILL, holds, usual_change
from beholder.video.measures._shake import Shake, shake
from beholder.video.measures._skips import skips
from beholder.video.readouts.analysis import analyse
from beholder.video.thresholds import OURS, Thresholds
from beholder.video.types import Floats

HALF = 0.008  # diagonals off the path that make half a jerk: 3 px of 320 × 180
CLEAR = 0.5  # strength from which an event is shown


@measure(
    better="higher", bounds=(0, 1), cite="Ling2025", reads=analyse,
    parts={"drops": "lower", "tau": "neither", "tau_least": "neither", "tau_most": "neither", "cuts": "neither",
        "scene_factor": "neither"},
)  # fmt: skip
def motion_smoothness(
    found: Evidence, scene: Any, *, drop: float | None = None, noise: float | None = None, table: Thresholds = OURS
) -> Result:
    """MSS: the share of time in which the quality of the frames does not suddenly drop.

    MSS = 1 − (1/T) Σ_t I(ΔQ_t > τ_s(t)), ΔQ_t = Q(f_{t−1}) − Q(f_t), so that only drops count, not gains. Q is the log
    of fine over coarse contrast (blur and strong compression lower it, contrast and brightness do not change it).
    τ_s(t) = max((`drop` + 0.15 min(1, v_t/0.5)) · s, min(`noise` · σ, 1.5)): v_t is the speed of subject and camera at
    t, s the factor of the scene's type (see `thresholds.Thresholds`, which `table` replaces), σ the robust deviation of
    the clip's own changes over 1/8 s; in most clips the term with σ decides. Parts: the number of `drops`; `tau`, the
    mean of τ_s(t), with its minimum and maximum; s as `scene_factor`; drops at shot `cuts`, which are excused. Fewer
    than three frames: not applicable.

    Deviation: in seconds. T is the clip's length in units of 1/8 s, the paper's frame; ΔQ_t is against the best of the
    last 1/8 s; one drop costs 1/8 s. At 8 frames/s this is the formula above; at other rates a step costs the same.

    Deviation: I rises from 0 at τ_s to 1 at 2 τ_s, so that a frame just above the threshold counts less than a ruined
    one. Deviation: Q is classical, not Q-Align. A second quality, the share of the frame with any fine detail, has its
    own thresholds, and the larger drop counts; it falls with a sudden loss of contrast, too. The table is ours: the
    paper gives none. With `backend=deep` and the opt-in network q_align, Q is ten times Q-Align's score of the three
    frames around t, and there is no second quality.

    >>> from beholder.video.uneventful import uneventful, with_quality
    >>> clip = uneventful(frames=8, rate=8.0)  # one second
    >>> motion_smoothness(with_quality(clip, [2, 2, 2, 1, 1, 1, 2, 2]), None).value  # one drop in eight; a rise is none
    0.875
    """
    if len(found.facts.times) < 3:
        raise NotApplicable("fewer than three frames: changes of quality cannot be compared")
    changed = dataclasses.replace(
        table, drop=table.drop if drop is None else drop, noise=table.noise if noise is None else noise
    )
    seen = quality_drops(found, scene, changed)
    lost = float(seen.counted.sum()) * TICK / found.facts.seconds
    return stated(max(0.0, 1 - lost), _tau(seen), found)


def _tau(seen: Drops) -> dict[str, float]:
    """What was counted, and against which threshold."""
    return {
        "drops": float(np.sum(seen.counted > 0)),
        "tau": float(seen.threshold.mean()),
        "tau_least": float(seen.threshold.min()),
        "tau_most": float(seen.threshold.max()),
        "scene_factor": seen.factor,
        "cuts": float(np.sum(seen.at_cut > 0)),
    }


@measure(
    better="higher", bounds=(0, 1), cite="Ling2025", reads=analyse,
    parts={"hiccups": "lower", "longest": "lower", "skips": "lower", "cadence": "neither"},
)  # fmt: skip
def judder(found: Evidence, scene: Any) -> Result:
    """The share of time in which the clip neither freezes nor jumps ahead. Our own measure.

    judder = 1 − (1/T) (Σ_i (h_i − c)⁺ + Σ_j s_j): h_i is how long image i stays on screen; c, the cadence, is the time
    that all but 5 % of the images reach; s_j is the motion, in seconds, missing where frames were left out. A frame is
    the same image as the one before if it differs by less than 0.12 of the 80th percentile of differences around it
    (1.5 s before or after, whichever is less). Motion may come to rest: an image may stay if it comes and goes at less
    than half of the usual difference. Frames are missing where everything moves on as before and after, but by 1.7
    steps or more at once. A clip in which every frame is doubled has a cadence of two frames and no judder: it is
    slower, not stuttering. Parts: the number of `hiccups` (images held), the `longest` hold and the `cadence` in
    seconds, the number of `skips`. Where frames hardly differ, nothing moves that could stutter: not applicable.

    >>> from beholder.video.uneventful import uneventful, with_change
    >>> clip = uneventful(frames=10, rate=10.0)  # one second
    >>> round(judder(with_change(clip, [0, 4, 4, 0, 0, 5, 4, 4, 4, 4]), None).value, 6)  # one picture stays for 0.3 s
    0.8
    """
    if len(found.facts.times) < 4:
        raise NotApplicable("fewer than four frames: no cadence")
    if usual_change(found) < STILL:
        raise NotApplicable("frames hardly differ: a repeated frame looks the same as one at rest")
    seen = holds(found)
    ahead = skips(found)
    parts = {"hiccups": float(np.sum(seen.excess > 0)), "longest": float(seen.lengths.max()), "cadence": seen.cadence}
    parts |= {"skips": float(len(ahead.times))}
    lost = float(seen.excess.sum() + ahead.lost.sum()) / found.facts.seconds
    return stated(max(0.0, 1 - lost), parts, found)


@measure(
    better="higher", bounds=(0, 1), cite="Ling2025", reads=analyse,
    parts={"off": "lower", "jerks": "lower", "camera": "neither"},
)  # fmt: skip
def jerk(found: Evidence, scene: Any, *, half: float = HALF) -> Result:
    """How free the camera is of shake from frame to frame. Our own measure.

    jerk = 1 − mean_t c_t e_t²/(e_t² + `half`²): e_t is how far the image at t lies from a smooth path (a cubic) through
    five frames, in diagonals, from the homographies of the background (pan, zoom, roll): its fourth difference/√70. A
    hand-held camera and a fast pan move smoothly over five frames, whatever their speed; jitter does not. c_t is 0
    where less than 35 % of the frame jumps along (a subject moves, not the camera), and 1 from 75 % on. Parts: the
    median of e (`off`), the number of frames with half a jerk or more (`jerks`), the mean of c (`camera`). Repeated
    frames, shot cuts and jumps too wide for the flow are left out; with fewer than five frames left: not applicable.

    >>> from beholder.video.uneventful import uneventful, with_pan
    >>> even, shaky = [[0.1 * t, 0] for t in range(5)], [[0.1 * t + 0.01 * (t == 2), 0] for t in range(5)]
    >>> clip = uneventful(frames=5)  # e is 0 on the even path; on the other 0.01 · 6/√70 = 0.00717
    >>> round(jerk(with_pan(clip, even), None).value, 6), round(jerk(with_pan(clip, shaky), None).value, 3)
    (1.0, 0.554)
    """
    seen = shake(found)
    if not len(seen.times):
        raise NotApplicable(
            "no five successive different frames have known motion, so there is no path to deviate from"
        )
    jumps = jumped(seen, half)
    parts = {
        "off": float(np.median(seen.off)),
        "jerks": float(np.sum(jumps >= CLEAR)),
        "camera": float(seen.camera.mean()),
    }
    return stated(1 - float(np.mean(jumps)), parts, found)


def jumped(seen: Shake, half: float = HALF) -> Floats:
    """How much of a jerk of the camera there is at each frame, 0 … 1."""
    return seen.camera * seen.off**2 / (seen.off**2 + half**2)


def events_of(found: Evidence, scene: Any = None) -> tuple[Event, ...]:
    """All that is not smooth, in time: drops of quality, held pictures, jerks."""
    return tuple(sorted((*drops(found, scene), *hiccups(found), *jerks(found)), key=lambda event: event.start))


def drops(found: Evidence, scene: Any = None) -> tuple[Event, ...]:
    """Drops of quality; those at shot cuts are excused."""
    seen, times = quality_drops(found, scene), found.facts.times
    counted = [(at, seen.counted[at], "") for at in np.flatnonzero(seen.counted)]
    excused = [(at, seen.at_cut[at], "shot cut") for at in np.flatnonzero(seen.at_cut)]
    return tuple(
        Event("quality_drop", float(times[at]), float(times[at]) + TICK, None, float(strength), why)
        for at, strength, why in sorted(counted + excused)
    )


def hiccups(found: Evidence) -> tuple[Event, ...]:
    """Pictures that stay too long, from the moment they should have gone, and jumps ahead."""
    if len(found.facts.times) < 4 or usual_change(found) < STILL:
        return ()
    seen = holds(found)
    late = np.flatnonzero(seen.excess > 0)
    held = [
        Event("judder", float(seen.starts[at] + seen.cadence), float(seen.starts[at] + seen.lengths[at])) for at in late
    ]
    ahead = skips(found)
    jumps = [Event("judder", float(at), float(at + lost)) for at, lost in zip(ahead.times, ahead.lost, strict=True)]
    return tuple(sorted(held + jumps, key=lambda event: event.start))


def jerks(found: Evidence) -> tuple[Event, ...]:
    """Frames off the path of the camera by more than half a jerk."""
    seen = shake(found)
    size, step = jumped(seen), found.camera.steps
    return tuple(
        Event("jerk", float(at), float(at + np.median(step)), None, float(strength))
        for at, strength in zip(seen.times, size, strict=True)
        if strength >= CLEAR
    )
