"""OIS: whether what moves keeps its shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.video.evidence import Deformation, Evidence
from beholder.video.measures._doubt import stated
from beholder.video.readouts.analysis import analyse
from beholder.video.readouts.deformation import FLAG
from beholder.video.readouts.keypoints import STEP, Intact, Limits, intact

USUAL = 0.01  # share of the frame that may swing at a moment: 36 clean clips stay below 0.0075
OSCILLATING = 0.05  # a mean share of the frame that swings beyond the usual and brings the score to 1/e
BENDING = 20.0  # the same for the mean bending, px at 320 × 180 and 13.5 frames/s: it weighs little, for it is natural
UNSEEN = 0.10  # share of the frame with trustworthy flow: below, nothing is said,
HARDLY = 0.30  # and below this the number is doubtful; of 49 clean clips one is below
LIVELY = 0.1  # restless share from which cloth, fur, crowds or water make the number doubtful


@measure(
    better="higher", bounds=(0, 1), cite="Ling2025", reads=analyse,
    parts={
        "wobble": "higher", "limbs": "higher", "bones": "higher", "joints": "higher", "constancy": "higher",
        "oscillation": "lower", "flagged": "lower", "restlessness": "lower", "bending": "lower",
    },
)  # fmt: skip
def object_integrity(
    found: Evidence, scene: Any, *, stretch: float = 0.37, turn: float = 30.0, spread: float = 0.05
) -> Result:
    """How well bodies keep their proportions and everything else keeps its shape: OIS = `limbs` · `wobble`.

    `limbs` is the paper's formula, over the F frames and the K bones and joints of all skeletons that came with the
    clip: (1/(F·K)) Σ_f Σ_k I(D_f^(k) ≤ τ^(k)), D being the change of a bone's log length, in units of the body, or of a
    joint's angle from one frame to the next. τ is a rate: `stretch` (log ratio) and `turn` (degrees) per 1/8 s, or the
    keypoints' own jitter if that is more. Bones and joints that are not visible are left out. Parts: `bones`, `joints`
    and `constancy` are the same mean over one kind, and `tau_…` are the thresholds, per second or as used. Without a
    skeleton limbs cannot be judged: these parts are not applicable, and OIS is `wobble`.

    `wobble` = exp(−(⟨max(0, O_t − 0.01)⟩/0.05 + ⟨B_t⟩/20)) needs no skeleton. O_t (`oscillation`) is the share of the
    frame that swings back and forth, for more than one swing, without a rigid motion that explains it; B_t (`bending`)
    is all motion that rigid motion does not explain, in px per frame: it occurs in natural motion too, so it only
    breaks ties. Moments with O_t > 0.02 are `flagged`; only these are events. K (`restlessness`), the share of the
    frame whose bending changes speed, is high in cloth, fur, crowds and water: above 0.1 the state is low. Limbs with a
    known skeleton are left out of O. Not applicable with fewer than 12 analysed frames, below 7 of them a second, in
    less than a second, or where less than a tenth of the frame has trustworthy flow; below three tenths, the state is
    low.

    Deviation: a bone is also compared with its usual length over the clip (τ = `spread`, or four times the typical
    spread of this body's bones if that is more; twice as far where it looks shorter, as it does when it turns away),
    losing credit from τ to 3 τ, because a threshold of 45 % per step misses a limb that pulses slowly; and with the
    same bone on the other side and with human proportions (no more than twice as long).
    Deviation: an angle's step counts only as far as the neighbouring steps do not continue it: quick limbs are normal.
    Deviation: the paper has `limbs` only. Deviation: with `backend=deep`, keypoints are from ViTPose instead of
    RTMPose, in boxes from Grounding DINO ("person") instead of RTMDet: detected once per second, and around the last
    keypoints in between.

    >>> from dataclasses import replace
    >>> from beholder.video.uneventful import uneventful
    >>> at = np.arange(2.0)
    >>> shape = Deformation(at, np.array([0.06, 0.06]), 0 * at, 0 * at, 1.0, ())
    >>> round(object_integrity(replace(uneventful(), deformation=shape), None).value, 4)  # exp(−0.05/0.05)
    0.3679
    """
    limits = Limits(stretch, turn, spread)
    bodies = [intact(poses, found.facts, limits) for poses in found.poses]
    shape = found.deformation
    why = _unseen(found)
    limbs, wobble = _mean(bodies, "every"), math.nan if why else wobble_score(shape)
    held = [one for one in (limbs, wobble) if not math.isnan(one)]
    if not held:
        raise NotApplicable(why)
    lively = not why and float(shape.restless.mean()) > LIVELY
    doubt = "much of the frame keeps bending, as cloth, fur, crowds and water do" if lively else ""
    if not why and shape.reliable < HARDLY:
        doubt = f"only {shape.reliable:.0%} of the frame has trustworthy flow"
    parts = {"wobble": wobble, "limbs": limbs, **_of_limbs(bodies, limits)}
    return stated(math.prod(held), parts | ({} if why else _of_shape(shape)), found, doubt)


def wobble_score(shape: Deformation) -> float:
    """exp(−(⟨max(0, O_t − 0.01)⟩/0.05 + ⟨B_t⟩/20)).

    >>> at = np.arange(2.0)
    >>> round(wobble_score(Deformation(at, np.array([0.06, 0.0]), 0 * at, 0 * at, 1.0, ())), 4)  # exp(−½)
    0.6065
    """
    oscillating = np.maximum(0, shape.oscillation - USUAL).mean() / OSCILLATING
    return float(np.exp(-oscillating - shape.bending.mean() / BENDING))


def _unseen(found: Evidence) -> str:
    """Why nothing can be said of wobble, or nothing."""
    shape = found.deformation
    if not len(shape.times):
        frames, rate = len(found.camera.times) + 1, found.facts.rate
        return f"{frames} analysed frames at {rate:.3g} a second do not show wobble, and there is no skeleton"
    if shape.reliable < UNSEEN:
        return f"only {shape.reliable:.0%} of the frame has trustworthy flow, and there is no skeleton"
    return ""


def _of_shape(shape: Deformation) -> dict[str, float]:
    return {
        "oscillation": float(shape.oscillation.mean()),
        "flagged": float((shape.oscillation > FLAG).mean()),
        "restlessness": float(shape.restless.mean()),
        "bending": float(shape.bending.mean()),
        "reliable": shape.reliable,
    }


def _of_limbs(bodies: list[Intact], limits: Limits) -> dict[str, float]:
    parts = {name: _mean(bodies, name) for name in ("bones", "joints", "constancy")}
    if not bodies:
        return parts
    tau = max(one.spread for one in bodies)
    return parts | {"tau_stretch": limits.stretch / STEP, "tau_turn": limits.turn / STEP, "tau_spread": tau}


def _mean(bodies: list[Intact], name: str) -> float:
    """Over all that was seen of all bodies; NaN where nothing was."""
    every = np.concatenate([np.ravel(getattr(one, name)) for one in bodies]) if bodies else np.empty(0)
    held = every[~np.isnan(every)]
    return float(held.mean()) if len(held) else math.nan
