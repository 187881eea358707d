"""What the paper compares its measures with: rules of VBench, EvalCrafter and image quality, as measures.

They read frames of at most 320 px on the longer side, at the clip's own rate, whatever size the original used. Networks
for flow (RAFT) and interpolation (AMT) are replaced by DIS; each docstring says where.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from beholder.core.measure import NotApplicable, Result, State, measure
from beholder.video.readouts.rivals import SAMPLED, RivalEvidence, rival_evidence
from beholder.video.types import Floats

UNTIMED = "the clip's frame rate is not known: 8 frames per second are assumed"
DYNAMIC = 6.0 / 256  # px of the fastest pixels per px of the shorter side, between sampled frames (VBench)


def _state(found: RivalEvidence) -> tuple[State, str]:
    """Whether seconds can be trusted."""
    return ("low", UNTIMED) if found.clock == "assumed" else ("ok", "")


def _mean(of_pairs: Floats) -> float:
    if not len(of_pairs):
        raise NotApplicable("the clip has fewer than two frames: there is nothing to compare")
    return float(of_pairs.mean())


@measure(better="higher", bounds=(-1, 1), cite="Wang2004,Ling2025", reads=rival_evidence)
def ssim(found: RivalEvidence, scene: Any) -> float:
    """Mean structural similarity of successive luma frames.

    SSIM = (2 μ_a μ_b + C1)(2 σ_ab + C2) / ((μ_a² + μ_b² + C1)(σ_a² + σ_b² + C2)), 11 × 11 Gaussian of σ 1.5, C1 =
    6.5025, C2 = 58.5225; 1 for equal frames. Fewer than two frames are not applicable.

    Deviation: VMBench does not say how its row "SSIM" was made; this is the simplest reading, at 320 px.

    >>> from types import SimpleNamespace
    >>> ssim(SimpleNamespace(ssim=np.array([1.0, 0.5])), None)
    0.75
    """
    return _mean(found.ssim)


@measure(
    better="higher", bounds=(0, np.inf), cite="Liu2024EvalCrafter,Kroeger2016", reads=rival_evidence,
    unit="diagonals/s", parts={"px_per_frame": "higher"},
)  # fmt: skip
def mean_flow(found: RivalEvidence, scene: Any) -> Result:
    """Mean length of optical flow over pixels and pairs of frames, camera included: Σ_t |f_t| / Σ_t Δt.

    In frame diagonals per second; `px_per_frame` is EvalCrafter's flow score, in px at the clip's own size, per frame.
    More is better, as in the paper's row "RAFT". Fewer than two frames are not applicable.

    Deviation: DIS at 320 px instead of RAFT.

    >>> from types import SimpleNamespace
    >>> clip = SimpleNamespace(flow=np.array([5.0, 5.0]), seconds=np.array([0.5, 0.5]), clock="file",
    ...     shape=(600, 800), analysed=(60, 80))
    >>> mean_flow(clip, None).value, mean_flow(clip, None).parts["px_per_frame"]
    (0.1, 50.0)
    """
    diagonal = float(np.hypot(*found.analysed))
    own = _mean(found.flow) * float(np.hypot(*found.shape)) / diagonal
    speed = float(found.flow.sum() / found.seconds.sum()) / diagonal
    return Result(speed, {"px_per_frame": own}, *_state(found))


@measure(better="higher", bounds=(0, 1), cite="Huang2024", reads=rival_evidence)
def flicker(found: RivalEvidence, scene: Any) -> float:
    """VBench's temporal flickering: (255 − d)/255, d the mean |difference| of successive frames over all channels.

    1 for a clip without motion. Fewer than two frames are not applicable.

    Deviation: frames of 320 px. VBench applies it to static clips only; here it applies to all.

    >>> from types import SimpleNamespace
    >>> flicker(SimpleNamespace(difference=np.array([0.0, 51.0])), None)
    0.9
    """
    return (255 - _mean(found.difference)) / 255


@measure(better="lower", bounds=(0, 3), cite="Liu2024EvalCrafter,Lai2018,Kroeger2016", reads=rival_evidence)
def warping_error(found: RivalEvidence, scene: Any) -> float:
    """EvalCrafter's warping error: Σ noc (I₂(x + f) − I₁)² / Σ noc, mean over pairs; levels 0 … 1, channels summed.

    noc is 0 where f and the backward flow b disagree, |f + b|² > 0.01 (|f|² + |b|²) + 0.5, and at edges of motion,
    |∂f|² > 0.01 |f|² + 0.002. A pair that is occluded everywhere counts as 0. Fewer than two frames are not applicable.

    Deviation: DIS at 320 px instead of RAFT at half size; EvalCrafter divides the frames by 255 twice before RAFT sees
    them, which is not done here.

    >>> from types import SimpleNamespace
    >>> warping_error(SimpleNamespace(warping=np.array([0.01, 0.03])), None)
    0.02
    """
    return _mean(found.warping)


@measure(
    better="lower", bounds=(0, 1), cite="Huang2024,Kroeger2016", reads=rival_evidence,
    parts={"motion_smoothness": "higher"},
)  # fmt: skip
def interpolation_error(found: RivalEvidence, scene: Any) -> Result:
    """How far odd frames are from the interpolation of their even neighbours: d/255, d the mean |difference| in levels.

    `motion_smoothness` is VBench's score of it, (255 − d)/255. Fewer than three frames are not applicable.

    Deviation: the middle frame is interpolated with DIS flow (fast preset) at 320 px instead of AMT-S: ½ I₀(x − F/2) +
    ½ I₁(x + F/2), F = (forward − backward flow)/2. It is not rounded to whole levels.

    >>> from types import SimpleNamespace
    >>> interpolation_error(SimpleNamespace(interpolation=np.array([0.0, 51.0])), None).value
    0.1
    """
    if not len(found.interpolation):
        raise NotApplicable("the clip has fewer than three frames: no frame lies between two others")
    error = float(found.interpolation.mean()) / 255
    return Result(error, {"motion_smoothness": 1 - error})


@measure(
    better="higher", bounds=(0, 1), cite="Huang2024,Kroeger2016", reads=rival_evidence,
    parts={"share": "higher", "mean": "higher"},
)  # fmt: skip
def dynamic_degree(found: RivalEvidence, scene: Any) -> Result:
    """VBench's dynamic degree: 1 if in at least round(n/4) pairs the fastest 5 % of the pixels move far enough, else 0.

    Every max(1, round(fps/8))-th frame is sampled; n is their number. Far enough: r > 6 min(h, w)/256 px, times 8/fps
    below 8 frames/s, r being the mean flow of those pixels. Parts: the `share` of pairs that move far enough, and the
    `mean` of r divided by the threshold. Fewer than two sampled frames are not applicable.

    Deviation: DIS at 320 px instead of RAFT; where round(n/4) = 0 (fewer than three frames), one pair is still needed.

    >>> from types import SimpleNamespace
    >>> clip = SimpleNamespace(fastest=np.array([7.0, 5.0, 5.0]), sampled=4, analysed=(256, 320), rate=8.0,
    ...     clock="file")
    >>> dynamic_degree(clip, None).value, round(dynamic_degree(clip, None).parts["share"], 3)
    (1.0, 0.333)
    """
    if not len(found.fastest):
        raise NotApplicable("the clip is too short: only one frame is sampled")
    far = DYNAMIC * min(found.analysed) * max(1.0, SAMPLED / found.rate)
    moves = found.fastest > far
    parts = {"share": float(moves.mean()), "mean": float(found.fastest.mean() / far)}
    return Result(float(moves.sum() >= max(1, round(found.sampled / 4))), parts, *_state(found))
