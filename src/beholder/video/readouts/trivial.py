"""What the five trivial measures read: differences and Farneback's flow of successive grey frames, 256 px wide."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import cv2
import numpy as np

from beholder.core.measure import NotApplicable
from beholder.video.files.clips import opened
from beholder.video.readouts.flow import Field, fetched
from beholder.video.types import Bytes, Clip, Floats

WIDTH = 256  # px: every clip is brought to this width
# Farneback's settings: scale, levels, window, iterations, neighbourhood, its σ, no flags.
SETTINGS = (0.5, 3, 15, 3, 5, 1.2, 0)


@dataclass(frozen=True, eq=False)
class TrivialEvidence:
    """Numbers of successive frames; nothing here knows of seconds."""

    difference: Floats  # mean |ΔI| of each pair, levels
    flow: Floats  # mean length of each pair's flow, px of a frame that is 256 px wide
    residual: Floats  # mean |I₂(x + f) − I₁| of each pair, levels
    sharpness: Floats  # variance of each frame's Laplacian


@singledispatch
def trivial_evidence(answer: Any, stimulus: Any) -> TrivialEvidence:
    """The readout of the trivial measures. Answers of other types join by `trivial_evidence.register`."""
    raise TypeError(f"got an answer of {type(answer).__name__}; expected a clip; register a readout of this type")


@trivial_evidence.register
def _clip(answer: Clip, stimulus: Any) -> TrivialEvidence:
    gathered = _Gathered()
    with opened(answer) as stream:
        for _, frame in stream.frames:
            gathered.take(narrowed(frame))
    if len(gathered.sharpness) < 2:
        count = len(gathered.sharpness)
        raise NotApplicable(f"the clip has {count} frame{'s' * (count != 1)}: there is nothing to compare")
    difference, flow, residual = np.array(gathered.pairs).T
    return TrivialEvidence(difference, flow, residual, np.array(gathered.sharpness))


def narrowed(frame: Bytes) -> Bytes:
    """A frame in grey, 256 px wide."""
    height, width = frame.shape[:2]
    grey = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY)
    way = cv2.INTER_AREA if width > WIDTH else cv2.INTER_LINEAR
    found: Bytes = cv2.resize(grey, (WIDTH, max(1, round(height * WIDTH / width))), interpolation=way)
    return found


@dataclass
class _Gathered:
    before: Bytes | None = None
    pairs: list[tuple[float, float, float]] = field(default_factory=list)
    sharpness: list[float] = field(default_factory=list)

    def take(self, grey: Bytes) -> None:
        self.sharpness.append(float(cv2.Laplacian(grey, cv2.CV_64F).var()))
        if self.before is not None:
            flow: Field = cv2.calcOpticalFlowFarneback(self.before, grey, None, *SETTINGS)
            back = fetched(grey.astype(np.float32), flow)
            self.pairs.append(
                (
                    float(cv2.absdiff(self.before, grey).mean()),
                    float(np.hypot(flow[..., 0], flow[..., 1]).mean()),
                    float(np.abs(back - self.before).mean()),
                )
            )
        self.before = grey
