"""Optical flow by RAFT between successive frames."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from beholder.video.files.clips import opened
from beholder.video.networks.weights import Weights
from beholder.video.readouts.rivals import LONG_SIDE, SAMPLED, RivalEvidence, top_motion
from beholder.video.rivals.asking import asks
from beholder.video.rivals.frames import at_least
from beholder.video.rivals.roles import RAFT
from beholder.video.types import Clip
from beholder.vision.raft import between, loaded

ITERATIONS = 20  # VBench and EvalCrafter


@asks(RAFT)
def raft_evidence(clip: Clip, text: str, weights: Weights) -> RivalEvidence:
    """Lengths of flow as the classical rivals have them, by RAFT instead of DIS."""
    with opened(clip, LONG_SIDE) as stream:
        timed = list(stream.frames)
    frames = at_least([frame for _, frame in timed], 2)
    network = loaded(str(next(iter(sorted(Path(weights.place).glob("*.pth"))))))
    fields = [between(network, one, other, ITERATIONS) for one, other in pairwise(frames)]
    interval = max(1, round(1 / stream.step / SAMPLED))
    sampled = frames[::interval]
    pairs = pairwise(sampled)
    fast = fields if interval == 1 else [between(network, one, other, ITERATIONS) for one, other in pairs]
    lengths = np.array([float(np.hypot(field[..., 0], field[..., 1]).mean()) for field in fields])
    none = np.empty(0)
    height, width = frames[0].shape[:2]
    return RivalEvidence(
        np.diff([seconds for seconds, _ in timed]), stream.clock, stream.shape, (height, width), none, none, lengths,
        none, none, 1 / stream.step, np.array([top_motion(field) for field in fast]), len(sampled),
    )  # fmt: skip
