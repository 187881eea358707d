"""From the features of a candidate to the odds that it is a fault.

Both are logistic regressions, ridge 0.005, with the sign of every weight fixed beforehand; each clip is damped by
1/√(its number of candidates), so that no restless clip rules. Data: the corruption suite (seeds 1001 to 1003) at
severity 5 over the twelve clean clips and twelve generated scenes: vanish, emerge, teleport, small, half transparent,
painted out and fade for faults; exit, shrink, occlusion, severity 0, the clean clips at their own and at a third of
their rate, and wobble, jitter, noise, blur, flicker, compression, stretched and fast limbs, pan, zoom, roll, repeats
for what is none. Features were dropped one by one while leaving one clip out found as many faults; those of before and
after share a weight, so that time may run backwards.

Leaving one clip out, the share of faults found at these thresholds: vanish 0.87, emerge 0.91, teleport 0.89, small
0.78, half transparent 0.83, painted out 0.45, fade 0.73. False events: 6 in 576 clips, 3 of them in one generated scene
with jitter. (The weights of an earlier prototype, learnt on other faults, and its four gates: 0.79, 0.74, 0.80, 0.48,
0.42, 0.11, 0.)
"""

from __future__ import annotations

import numpy as np

from beholder.video.readouts.local_candidates import Candidate

LEAST = 0.6  # z from which a cut counts,
FADED = 1.5  # and a fade: higher, for it costs few of them, and fewer false ones were there to learn from
SPREAD = 1.0  # above that: it counts in full


def cut_odds(found: Candidate) -> float:
    """z: the log odds that a thing vanished, emerged or jumped between two frames.

    Large, compact regions away from the border, of much contrast, whose flow is torn, and where little moved before
    and after, speak for it; so does an old content that was there earlier, and a new one that is there later. That
    either is found close by in the other frame speaks against it. 11 644 candidates, 1194 of them faults.

    Before the candidate was `sought`, the most that it can reach.
    """
    ln = np.log
    return float(
        -5.81
        + 3.65 * min(ln(found.radius / 0.03), 0.6)
        - 1.38 * ln(found.ragged)
        + 0.51 * ln((found.margin + 0.005) / 0.03)
        - 0.59 * ln((found.before + 0.03) / 0.13)
        - 0.59 * ln((found.after + 0.03) / 0.13)
        + 0.86 * ln((found.contrast + 3) / 20)
        + 1.95 * found.torn
        - 0.87 * ln((found.motion + 0.002) / 0.008)
        + 1.80 * found.inliers
        - 0.43 * ln((found.unrest + 0.02) / 0.05)
        - 16.1 * max(0.0, found.stays - 0.85)
        - 3.13 * min(found.goes, found.comes)
        + 5.68 * found.history
    )


def fade_odds(found: Candidate) -> float:
    """z: the log odds that a thing dissolved, or formed, within some frames.

    Large and visible regions speak for it, above all where the frames in between are a mixture. 659 candidates, 198
    of them fades.

    Before its mixture is known, the most that it can reach.
    """
    ln = np.log
    return float(
        -0.25
        + 5.99 * min(ln(found.radius / 0.03), 0.9)
        + 2.45 * ln(found.misfit / 30)
        - 11.2 * max(0.0, found.stays - 0.7)
        - 2.53 * ln((found.unmixed + 0.02) / 0.1)
    )


def strength(z: float, least: float = LEAST) -> float:
    """How much an event counts: 0 … 1.

    >>> strength(0.5), round(strength(1.1), 6), strength(3.0)
    (0.0, 0.5, 1.0)
    """
    return float(np.clip((z - least) / SPREAD, 0, 1))
