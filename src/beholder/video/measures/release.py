"""The five measures by the rules of VMBench's released scripts, on classical perception, defects as switches.

Every switch is True as released; `NAME(switch=false)` mends one. See `beholder.video.release.switches`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from beholder.core.measure import NotApplicable, Result, State, measure
from beholder.video.measures.commonsense import NEEDED
from beholder.video.measures.rivals import UNTIMED
from beholder.video.release import amplitude, coherence, commonsense, integrity, smoothness
from beholder.video.release.evidence import Released, release_evidence
from beholder.video.release.sampling import looked_at
from beholder.video.release.switches import Switches


@measure(better="higher", bounds=(0, 1), cite="Ling2025", reads=release_evidence)
def commonsense_adherence_release(found: Released, scene: Any, *, cas_without_weights: bool = False) -> Result:
    """CAS = Σ_{i=1}^{5} p_i w_i, p the mean over 30 views, w = 0, ¼, ½, ¾, 1.

    Not applicable without class probabilities. The released script never loads its weights (D1), so it gives every clip
    0.49995; `cas_without_weights=true` reproduces that, with low confidence.

    Deviation: D1 is off by default, since a constant says nothing about a clip. With `backend=deep` p is from VMBench's
    checkpoint, converted, or of another VideoMAE with five classes.

    >>> from types import SimpleNamespace
    >>> commonsense_adherence_release(SimpleNamespace(classes=np.array([0, 0, 0, 0, 1.0])), None).value
    1.0
    """
    switches = Switches(cas_without_weights=cas_without_weights)
    if cas_without_weights:
        return Result(
            commonsense.commonsense(None, switches),
            state="low",
            reason="D1: the same for every clip, whatever it shows",
        )
    if found.classes is None:
        raise NotApplicable(NEEDED)
    return Result(commonsense.commonsense(found.classes, switches))


@measure(
    better="higher", bounds=(0, 1), cite="Ling2025", reads=release_evidence,
    parts={"threshold": "neither", "artifacts": "lower"},
)  # fmt: skip
def motion_smoothness_release(
    found: Released, scene: Any, *, per_frame_thresholds: bool = True, absolute_quality_change: bool = True
) -> Result:
    """MSS = 1 − |artifact frames| / T; both frames of each step |Q_{t+1} − Q_t| > τ are artifact frames.

    τ is 0.010, 0.015, 0.025 or 0.030 for a PAS (as released) below 0.1, 0.3, 0.5 or above. Parts: `threshold` τ, and
    the number of `artifacts`. Fewer than two frames: not applicable.

    Deviation: OneAlign (mPLUG-Owl2) is replaced by log sharpness / 10, the mean of three frames; the released
    thresholds are assumed to be on a scale ten times smaller than ours. PAS is perceptible_amplitude_release, with its
    own deviations. With `backend=deep` and the opt-in network q_align, Q is OneAlign's.

    >>> from types import SimpleNamespace
    >>> still = SimpleNamespace(paths=(np.zeros(4), np.zeros(4)), on_objects=(np.zeros((0, 4), bool),) * 2,
    ...     times=np.arange(4) / 8, shape=(48, 64), quality=np.array([0.5, 0.5, 0.48, 0.48]))
    >>> motion_smoothness_release(still, None).value
    0.5
    """
    _check(found)
    switches = Switches(per_frame_thresholds=per_frame_thresholds, absolute_quality_change=absolute_quality_change)
    at = looked_at(found.times, switches)
    moved = _amplitude(found, switches)
    allowed = smoothness.threshold(moved)
    parts = {"threshold": allowed, "artifacts": len(smoothness.artifacts(found.quality[at], allowed, switches))}
    value = smoothness.smoothness(found.quality[at], moved, switches)
    return Result(value, parts, *_state(found, timed=not per_frame_thresholds))


@measure(better="higher", bounds=(0, 1), cite="Ling2025", reads=release_evidence)
def object_integrity_release(
    found: Released,
    scene: Any,
    *,
    failure_is_perfect: bool = True,
    per_frame_thresholds: bool = True,
    first_person_only: bool = True,
) -> Result:
    """OIS = ½ normal limbs / 12 + ½ normal joints / 8.

    A limb is abnormal if its length ever changes by more than 45 % from one seen frame to the next, a joint if its
    angle ever changes by more than 30°. Limbs visible in fewer than ⌊T/2⌋ frames and joints visible in fewer than ⌊T/3⌋
    count as normal (D7). Not applicable without keypoints of a human skeleton.

    Deviation: keypoints come with the clip instead of from RTMPose; without any, the script takes the whole frame for a
    person, and this measure is not applicable. With `backend=deep` they are from ViTPose, in boxes from Grounding DINO.

    >>> from types import SimpleNamespace
    >>> from beholder.video.skeletons import COCO
    >>> from beholder.video.types import Poses
    >>> still = Poses(COCO, np.tile(np.linspace(0.1, 0.9, 34).reshape(17, 2), (6, 1, 1)), np.ones((6, 17)))
    >>> object_integrity_release(SimpleNamespace(poses=(still,), shape=(48, 64), times=np.arange(6) / 8), None).value
    1.0
    """
    switches = Switches(
        failure_is_perfect=failure_is_perfect,
        per_frame_thresholds=per_frame_thresholds,
        first_person_only=first_person_only,
    )
    every = [integrity.human(poses, found.shape, len(found.times)) for poses in found.poses]
    bodies = [body for body in every if body is not None]
    if not bodies:
        raise NotApplicable("no human skeleton comes with the clip")
    value = integrity.integrity(bodies, found.times, switches)
    return Result(value, {}, *_state(found, timed=not per_frame_thresholds))


@measure(
    better="higher", bounds=(0, np.inf), cite="Ling2025", reads=release_evidence, unit="diagonals",
    parts={"subject": "neither", "background": "neither"},
)  # fmt: skip
def perceptible_amplitude_release(
    found: Released,
    scene: Any,
    *,
    sam_boxes_misplaced: bool = True,
    background_is_union_of_complements: bool = True,
    failure_is_perfect: bool = True,
    per_frame_thresholds: bool = True,
) -> Result:
    """PAS = S − B if S > B, else S: how far points of the subject travel, minus how far the background travels.

    S, B = (1/P) Σ_p Σ_t ‖p_t − p_{t−1}‖ / √(W² + H²), over points of a 30 × 30 grid of the first frame. It has no upper
    bound and grows with the clip's length (D8; with D8 off, per six seconds). Where no subject is found it is B (D7;
    with D7 off, not applicable). Parts: `subject` S (NaN without one), `background` B.

    Deviation: GroundingDINO and SAM are replaced by the segments that move from the first frame on, CoTracker by
    Lucas-Kanade at 320 px, where a lost point moves on at its last speed. Where D3 misplaces a box, the segment is
    stretched as the box is; what SAM would find there is unknown. With `backend=deep` Grounding DINO finds the subject
    and SAM 2 its mask, even in misplaced boxes; points are from Lucas-Kanade unless `networks` names cotracker.

    >>> from types import SimpleNamespace
    >>> one_of_four = (np.array([[True, False, False, False]]),) * 2
    >>> clip = SimpleNamespace(paths=(np.array([0.75, 0.25, 0.25, 0.25]),) * 2, on_objects=one_of_four,
    ...     times=np.arange(49) / 8, shape=(48, 64))
    >>> perceptible_amplitude_release(clip, None).value
    0.5
    """
    switches = Switches(
        sam_boxes_misplaced=sam_boxes_misplaced,
        background_is_union_of_complements=background_is_union_of_complements,
        failure_is_perfect=failure_is_perfect,
        per_frame_thresholds=per_frame_thresholds,
    )
    _check(found)
    subject, background = _travelled(found, switches)
    parts = {"background": background} | ({} if np.isnan(subject) else {"subject": subject})
    return Result(_amplitude(found, switches), parts, *_state(found, timed=not per_frame_thresholds))


def _check(found: Released) -> None:
    if len(found.times) < 2:
        raise NotApplicable("the clip has fewer than two frames: nothing can move")


def _state(found: Released, *, timed: bool) -> tuple[State, str]:
    """Whether the number hangs on a rate that nobody has given."""
    return ("low", UNTIMED) if timed and found.clock == "assumed" else ("ok", "")


def _travelled(found: Released, switches: Switches) -> tuple[float, float]:
    """The mean paths of points on the subject, and on the background."""
    paths = found.paths[0 if switches.per_frame_thresholds else 1]
    masks = found.on_objects[0 if switches.sam_boxes_misplaced else 1]
    on, off = amplitude.subject(masks), amplitude.background(masks, switches)
    return amplitude.mean_path(paths[on]), amplitude.mean_path(paths[off])


def _amplitude(found: Released, switches: Switches) -> float:
    subject, background = _travelled(found, switches)
    return amplitude.amplitude(subject, background, float(np.ptp(found.times)), switches)


@measure(
    better="higher", bounds=(0, 1), cite="Ling2025", reads=release_evidence,
    parts={"objects": "neither", "unexcused": "lower", "excused": "neither"},
)  # fmt: skip
def temporal_coherence_release(
    found: Released,
    scene: Any,
    *,
    query_at_keyframe_index: bool = True,
    lost_detection_keeps_ids: bool = True,
    failure_is_perfect: bool = True,
) -> Result:
    """TCS = ½ (N − V)/N + ½ (N − E)/N, N objects, of which V vanish and E emerge without an excuse between keyframes.

    Keyframes are int(fps) − 1 frames apart. Excuses: left through the border, too small to be seen, or followed by the
    tracker all along (an error of the detector). Without an object the score is 1 (D7; with D7 off, not applicable). It
    is never below 0, however often a thing comes and goes. Parts: the numbers of `objects`, and of `unexcused` and
    `excused` changes.

    Deviation: GroundingDINO and SAM 2 are replaced by segments that move, CoTracker by Lucas-Kanade, which does not
    recover a lost point. So a thing that stops moving counts as vanished unless the third excuse applies. With
    `backend=deep` Grounding DINO and SAM 2 are used (SAM 2 gets boxes, not masks), and CoTracker if `networks` names
    it.

    >>> from types import SimpleNamespace
    >>> def gone(switches):
    ...     return lambda change: ""
    >>> clip = SimpleNamespace(keyframes=((1, 2), (1,)), objects=2, excused=gone, clock="file",
    ...     times=np.arange(9) / 8)
    >>> temporal_coherence_release(clip, None).value
    0.75
    """
    switches = Switches(
        query_at_keyframe_index=query_at_keyframe_index,
        lost_detection_keeps_ids=lost_detection_keeps_ids,
        failure_is_perfect=failure_is_perfect,
    )
    _check(found)
    excuses = found.excused(switches)
    value = max(0.0, coherence.coherence(found.keyframes, found.objects, excuses, switches))
    every = [excuses(change) for change in coherence.changes(coherence.carried(found.keyframes, switches))]
    unexcused = sum(not why for why in every)
    parts = {"objects": found.objects, "unexcused": unexcused, "excused": len(every) - unexcused}
    return Result(value, parts, *_state(found, timed=True))


FIVE = (
    commonsense_adherence_release,
    motion_smoothness_release,
    object_integrity_release,
    perceptible_amplitude_release,
    temporal_coherence_release,
)
