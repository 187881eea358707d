"""What others measure video with by networks. They run only when they are asked for: --measure deep_rivals.NAME.

Each reads one network, whose weights lie in a folder of its own below BEHOLDER_WEIGHTS: dino, clip, raft, dover,
videoscore, videophy, fid, fvd, judge. The licence of what is loaded is printed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from beholder.core.measure import Better, NotApplicable, Result, State, measure
from beholder.stats.frechet import Cloud, Distance, cloud, distance
from beholder.video.measures.rivals import DYNAMIC, UNTIMED
from beholder.video.readouts.rivals import SAMPLED, RivalEvidence
from beholder.video.rivals.asked import DIMENSIONS, Numbers, videophy_chances, videoscore_numbers
from beholder.video.rivals.clouds import Features, fid_features, fvd_features, halved, real_cloud
from beholder.video.rivals.consistency import FrameFeatures, clip_features, dino_features
from beholder.video.rivals.dover import dover_technical_raw
from beholder.video.rivals.judge import grade
from beholder.video.rivals.raft_flow import raft_evidence
from beholder.video.types import Floats

OUR_WORDS = "asked in our own words: put the authors' wording into prompt.txt beside the weights"
TECHNICAL = (0.1107, 0.07355)  # mean and deviation of DOVER's technical numbers, as its fusion has them
FEW = 50  # clips, below which a Fréchet distance is mostly bias
CHUNKS = 10  # of the clips, one of which is left out at a time for the interval


def _cosines(found: FrameFeatures) -> tuple[Floats, Floats]:
    """Of each frame but the first the cosine with the one before and with the first."""
    values = np.asarray(found.values, float)
    if len(values) < 2:
        raise NotApplicable("the clip has fewer than two frames: there is nothing to compare")
    length = np.linalg.norm(values, axis=1, keepdims=True)
    if not (np.isfinite(values).all() and (length > 0).all()):
        raise NotApplicable("the network gave no usable feature for some frame: it has no direction")
    units = values / length
    before, first = (units[1:] * units[:-1]).sum(axis=1), units[1:] @ units[0]
    return np.clip(before, -1.0, 1.0), np.clip(first, -1.0, 1.0)


def _consistency(found: FrameFeatures) -> Result:
    before, first = _cosines(found)
    value = float((np.maximum(before, 0) + np.maximum(first, 0)).mean() / 2)
    return Result(value, {"successive": float(before.mean()), "to_first": float(first.mean())})


COSINES: Mapping[str, Better] = {"successive": "higher", "to_first": "higher"}


@measure(better="higher", bounds=(0, 1), cite="Huang2024,Caron2021", reads=dino_features, parts=COSINES)
def subject_consistency(found: FrameFeatures, scene: Any) -> Result:
    """VBench's subject consistency: the mean over i ≥ 1 of ½ (max(0, cos(f_i, f_{i−1})) + max(0, cos(f_i, f_0))).

    f is DINO's class token of a frame. Parts: the mean cosine of `successive` frames and that `to_first`. 1 for a clip
    without motion. Fewer than two frames are not applicable. Weights: the folder dino.

    Deviation: the longer side is rounded to whole patches; every clip counts equally, while VBench pools a dataset over
    frames.

    >>> subject_consistency(FrameFeatures(np.array([[1, 0], [1, 0], [0, 1]], np.float32)), None).value
    0.5
    """
    return _consistency(found)


@measure(better="higher", bounds=(0, 1), cite="Huang2024,Radford2021,Ling2025", reads=clip_features, parts=COSINES)
def background_consistency(found: FrameFeatures, scene: Any) -> Result:
    """VBench's background consistency: the mean over i ≥ 1 of ½ (max(0, cos(f_i, f_{i−1})) + max(0, cos(f_i, f_0))).

    f is CLIP's feature of a frame; parts as of `subject_consistency`. `successive`, the mean cosine of successive
    frames, is the simplest reading of VMBench's row "CLIP". Fewer than two frames are not applicable. Weights: folder
    clip.

    Deviation: frames are shrunk by averaging pixels, not by bicubic interpolation.

    >>> background_consistency(FrameFeatures(np.array([[1, 0], [0, 1], [0, 1]], np.float32)), None).value
    0.25
    """
    return _consistency(found)


@measure(
    better="higher", bounds=(0, np.inf), cite="Liu2024EvalCrafter,Teed2020,Huang2024", reads=raft_evidence,
    unit="diagonals/s", parts={"px_per_frame": "higher", "dynamic_degree": "higher"},
)  # fmt: skip
def raft_magnitude(found: RivalEvidence, scene: Any) -> Result:
    """Mean length of RAFT's flow over pixels and pairs of frames, camera included: Σ_t |f_t| / Σ_t Δt.

    In frame diagonals per second; `px_per_frame` is EvalCrafter's flow score, `dynamic_degree` VBench's rule (see
    `rivals.dynamic_degree`). More is better, as in the paper's row "RAFT". Fewer than two frames are not applicable.
    Weights: the folder raft.

    Deviation: frames of at most 320 px on the longer side.

    >>> from types import SimpleNamespace
    >>> clip = SimpleNamespace(flow=np.array([5.0, 5.0]), seconds=np.array([0.5, 0.5]), clock="file",
    ...     shape=(600, 800), analysed=(60, 80), fastest=np.array([9.0, 9.0]), sampled=3, rate=8.0)
    >>> raft_magnitude(clip, None).value, raft_magnitude(clip, None).parts["px_per_frame"]
    (0.1, 50.0)
    """
    if not len(found.flow):
        raise NotApplicable("the clip has fewer than two frames: there is nothing to compare")
    diagonal = float(np.hypot(*found.analysed))
    own = float(found.flow.mean()) * float(np.hypot(*found.shape)) / diagonal
    far = DYNAMIC * min(found.analysed) * max(1.0, SAMPLED / found.rate)
    moves = float((found.fastest > far).sum() >= max(1, round(found.sampled / 4)))
    speed = float(found.flow.sum() / found.seconds.sum()) / diagonal
    state: State = "low" if found.clock == "assumed" else "ok"
    return Result(speed, {"px_per_frame": own, "dynamic_degree": moves}, state, UNTIMED if state == "low" else "")


@measure(better="higher", bounds=(0, 1), cite="Wu2023", reads=dover_technical_raw, parts={"raw": "higher"})
def dover_technical(found: float, scene: Any) -> Result:
    """DOVER's technical quality: 1 / (1 + exp(−(t − 0.1107)/0.07355)), t the output of its technical branch.

    The part `raw` is t. An output that is not a number is not applicable. Weights: the folder dover, a TorchScript file
    of the technical branch. Non-commercial (S-Lab Licence 1.0).

    Deviation: DOVER fuses both branches before the logistic function; here the technical branch is used alone, with
    fixed instead of random fragments.

    >>> round(dover_technical(0.1107, None).value, 6)
    0.5
    """
    if not math.isfinite(found):
        raise NotApplicable("the network gave no number for the clip")
    scaled = min(max((found - TECHNICAL[0]) / TECHNICAL[1], -700.0), 700.0)
    return Result(1 / (1 + math.exp(-scaled)), {"raw": float(found)})


@measure(
    better="higher", bounds=(-np.inf, np.inf), cite="He2024", reads=videoscore_numbers,
    parts=dict.fromkeys(DIMENSIONS, "higher"),
)  # fmt: skip
def videoscore(found: Numbers, scene: Any) -> Result:
    """VideoScore: the mean of its five scores, Σ s_k / 5; it was trained on grades of 1 … 4.

    Parts: visual quality, temporal consistency, dynamic degree, text-to-video alignment, factual consistency. A clip
    without a prompt is not applicable. Weights: the folder videoscore, an Idefics2 (or another transformers model) with
    a head score.weight; put the authors' wording into prompt.txt there.

    Deviation: without prompt.txt the network gets our own wording, and the state is low.

    >>> videoscore(Numbers(np.array([1.0, 2, 3, 4, 5]), True), None).value
    3.0
    """
    if len(found.values) != len(DIMENSIONS) or not np.isfinite(found.values).all():
        raise NotApplicable("the network gave no number for the clip")
    parts = dict(zip(DIMENSIONS, found.values.tolist(), strict=True))
    return Result(float(found.values.mean()), parts, *_asked(found))


@measure(
    better="higher", bounds=(0, 1), cite="Bansal2024", reads=videophy_chances,
    parts={"semantic_adherence": "higher", "physical_commonsense": "higher"},
)  # fmt: skip
def videophy(found: Numbers, scene: Any) -> Result:
    """VideoPhy's physical commonsense: P(yes) / (P(yes) + P(no)) for the question whether a clip obeys physics.

    The part `semantic_adherence` is the same for the question whether it shows its prompt; without a prompt there is
    none. An output that is not a number is not applicable. Weights: the folder videophy; prompt.txt there may hold both
    questions.

    Deviation: VideoPhy's own network (mPLUG-Owl) is not in transformers; any model for images and text is accepted. It
    gets at most 16 frames as images; without prompt.txt it gets our own wording, and the state is low.

    >>> videophy(Numbers(np.array([np.nan, 0.8]), True), None).value
    0.8
    """
    adherence, physics = (float(one) for one in found.values)
    if math.isnan(physics):
        raise NotApplicable("the network says neither yes nor no")
    parts = {"physical_commonsense": physics}
    parts |= {} if math.isnan(adherence) else {"semantic_adherence": adherence}
    return Result(physics, parts, *_asked(found))


def _asked(found: Numbers) -> tuple[State, str]:
    return ("ok", "") if found.published else ("low", OUR_WORDS)


@measure(better="higher", bounds=(0, 1), cite="Zheng2023", reads=grade, parts={"grade": "higher"})
def judged_motion(found: float, scene: Any) -> Result:
    """The grade that a multimodal language model gives the motion: (N − 1)/4, N = 1 (bad) … 5 (perfect).

    The part `grade` is N. An answer in the wrong form is a failure; without a grade the clip is not applicable. The
    judge is a local model (the folder judge of the weights) or an endpoint: BEHOLDER_JUDGE_URL, BEHOLDER_JUDGE_MODEL
    and BEHOLDER_JUDGE_KEY; eight frames of each clip are then sent there. The prompt is fixed and our own.

    >>> judged_motion(4.0, None).value
    0.75
    """
    if not 1 <= found <= 5:
        raise NotApplicable("the judge gave no grade")
    return Result((found - 1) / 4, {"grade": float(found)})


PARTS: Mapping[str, Better] = {"mean": "lower", "spread": "lower", "at_infinity": "lower"}


@measure(
    better="lower", bounds=(0, np.inf), cite="Heusel2017,Chong2020", reads=fid_features, per="dataset",
    resample="sample", parts=PARTS,
)  # fmt: skip
def frechet_inception_distance(observed: Sequence[Features], references: Sequence[Any], *, real: str = "") -> Result:
    """FID of frames: ‖μ − μ_r‖² + Tr(Σ + Σ_r − 2 (ΣΣ_r)^½), over features of at most eight frames of each clip.

    `real` is a folder of real clips, or an .npz file with mu and sigma, or with features. In small samples it is too
    high, by about c/N; the part `at_infinity` corrects this by 2 d_N − d_{N/2}, d_{N/2} the mean over ten random
    halves, and may fall below 0 by chance. Below 50 clips, or with no more features than dimensions, the state is low.
    Parts: the share of `mean` and of `spread`. The interval is a jackknife over clips in ten chunks. No clips, or no
    real clips: not applicable. Weights: the folder fid.

    Deviation: frames are resized by averaging pixels.

    >>> one, other = [Features(np.array([[0.0], [2.0]], np.float32))], [Features(np.array([[3.0], [5.0]], np.float32))]
    >>> round(frechet_inception_distance(one, other).value, 6)
    9.0
    """
    return _frechet(observed, references, real, "fid")


@measure(
    better="lower", bounds=(0, np.inf), cite="Unterthiner2018,Chong2020", reads=fvd_features, per="dataset",
    resample="sample", parts=PARTS,
)  # fmt: skip
def frechet_video_distance(observed: Sequence[Features], references: Sequence[Any], *, real: str = "") -> Result:
    """FVD: ‖μ − μ_r‖² + Tr(Σ + Σ_r − 2 (ΣΣ_r)^½), over one feature vector of each clip: FID with a video network.

    `real`, the bias of small samples, parts and interval are those of `frechet_inception_distance`. No clips, or no
    real clips: not applicable. Weights: the folder fvd.

    >>> one, other = [Features(np.array([[x]], np.float32)) for x in (0, 2)], [Features(np.array([[1.0], [3.0]]))]
    >>> round(frechet_video_distance(one, other).value, 6)
    1.0
    """
    return _frechet(observed, references, real, "fvd")


def _frechet(observed: Sequence[Features], references: Sequence[Any], real: str, kind: str) -> Result:
    own = _known(observed)
    other = real_cloud(real, kind) if real else _of_references(references)
    if sum(map(len, own)) < 2 or other is None:
        raise NotApplicable("it takes two features or more, and real clips to compare with: give real=FOLDER")
    if own[0].shape[1] != len(other.mean):
        raise NotApplicable(f"features have {own[0].shape[1]} dimensions, those of the real clips {len(other.mean)}")
    every = np.concatenate(own)
    found = _between(every, other)
    lo, hi = _jackknife(own, other, found.value)
    low: State = "low" if len(every) <= every.shape[1] or len(own) < FEW else "ok"
    why = (
        f"{len(every)} features of {len(own)} clips in {every.shape[1]} dimensions are too few: far too high"
        if low == "low"
        else ""
    )
    parts = {"mean": found.mean, "spread": found.spread}
    if len(own) >= 4:
        halves = halved(lambda some: _between(some, other).value, own, CHUNKS)
        parts["at_infinity"] = 2 * found.value - float(np.mean(halves))
    return Result(found.value, parts, low, why, lo, hi, n=len(own))


def _known(several: Sequence[Any]) -> list[Floats]:
    """The features of clips that have any, all finite."""
    values = [np.asarray(one.values, float) for one in several if isinstance(one, Features)]
    return [one for one in values if one.size and np.isfinite(one).all()]


def _of_references(references: Sequence[Any]) -> Cloud | None:
    """The cloud of references that are features of real clips themselves."""
    own = _known(references)
    return cloud(np.concatenate(own)) if own and sum(map(len, own)) > 1 else None


def _between(features: Floats, other: Cloud) -> Distance:
    return distance(cloud(features), other)


def _jackknife(own: Sequence[Floats], other: Cloud, value: float) -> tuple[float, float]:
    """value ± 1.96 standard errors, by leaving out a tenth of the clips at a time; at least 0."""
    many = min(CHUNKS, len(own))
    if many < 3:
        return math.nan, math.nan
    chunk = np.arange(len(own)) % many
    without = [
        _between(np.concatenate([one for one, at in zip(own, chunk, strict=True) if at != gone]), other).value
        for gone in range(many)
    ]
    error = math.sqrt((many - 1) / many * float(np.square(np.array(without) - np.mean(without)).sum()))
    return max(0.0, value - 1.96 * error), value + 1.96 * error
