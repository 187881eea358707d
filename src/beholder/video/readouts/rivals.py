"""What the rivals of the paper read: one decode and one pass, frame by frame, at a declared size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.video.files.clips import Stream, opened
from beholder.video.readouts.flow import Field, fetched
from beholder.video.types import Bytes, Clip, Clock, Floats

LONG_SIDE = 320  # px: the declared size; smaller clips stay as they are
NARROWEST = 32  # px: of smaller sides OpenCV's DIS (fast preset) reads beyond its memory, and the process dies
SAMPLED = 8.0  # frames/s at which dynamic degree looks (VBench)
TOP = 0.05  # of the pixels: the fastest ones, whose mean motion is taken (VBench)
C1, C2 = 6.5025, 58.5225  # (0.01 · 255)² and (0.03 · 255)² (Wang et al. 2004)
BORDER = 5  # px: half of SSIM's window of 11, where it does not lie within the picture

Image = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class RivalEvidence:
    """Numbers of successive frames, from which all rivals are means."""

    seconds: Floats  # between successive frames
    clock: Clock
    shape: tuple[int, int]  # height and width of the clip
    analysed: tuple[int, int]  # the same as it was looked at
    ssim: Floats  # of each pair of luma frames
    difference: Floats  # mean |ΔI| of each pair, levels, over all channels
    flow: Floats  # mean length of each pair's flow, px of the analysed frame
    warping: Floats  # squared error of the second frame brought back to the first, levels 0 … 1, summed over channels
    interpolation: Floats  # mean |difference| of odd frames to what their neighbours suggest, levels
    rate: float  # frames/s
    fastest: Floats  # mean motion of the fastest twentieth of the pixels between frames sampled at 8 a second, px
    sampled: int  # frames


@singledispatch
def rival_evidence(answer: Any, stimulus: Any) -> RivalEvidence:
    """The readout of the rivals. Answers of other types join by `rival_evidence.register`."""
    raise TypeError(f"got an answer of {type(answer).__name__}; expected a clip; register a readout of this type")


@rival_evidence.register
def _clip(answer: Clip, stimulus: Any) -> RivalEvidence:
    with opened(answer, LONG_SIDE) as stream:
        gathered = _Gathered(max(1, round(1 / stream.step / SAMPLED)))
        for seconds, frame in stream.frames:
            if min(frame.shape[:2]) < NARROWEST:
                raise NotApplicable(f"as it is looked at, the clip is only {min(frame.shape[:2])} px high or wide")
            gathered.take(seconds, frame)
        return gathered.evidence(stream)


@dataclass
class _Gathered:
    """What has come so far; two frames are held."""

    interval: int  # frames from one sampled frame to the next
    times: list[float] = field(default_factory=list)
    held: list[Bytes] = field(default_factory=list)  # the last frames, at most two
    grey: list[Bytes] = field(default_factory=list)
    last_sampled: Bytes | None = None
    pairs: list[tuple[float, ...]] = field(default_factory=list)
    interpolation: list[float] = field(default_factory=list)
    fastest: list[float] = field(default_factory=list)
    exact: Callable[..., Field] = field(default_factory=lambda: _dis(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM))
    quick: Callable[..., Field] = field(default_factory=lambda: _dis(cv2.DISOPTICAL_FLOW_PRESET_FAST))

    def take(self, seconds: float, frame: Bytes) -> None:
        grey = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY)
        at = len(self.times)
        forward = self._pair(frame, grey) if self.held else None
        if at >= 2 and at % 2 == 0:
            self.interpolation.append(self._between(frame, grey))
        if at % self.interval == 0:
            self._sample(grey, forward)
        self.times.append(seconds)
        self.held, self.grey = [*self.held[-1:], frame], [*self.grey[-1:], grey]

    def _pair(self, frame: Bytes, grey: Bytes) -> Field:
        before, grey_before = self.held[-1], self.grey[-1]
        forward, backward = self.exact(grey_before, grey, None), self.exact(grey, grey_before, None)
        self.pairs.append(
            (
                similarity(grey_before, grey),
                float(cv2.absdiff(before, frame).mean()),
                float(np.hypot(forward[..., 0], forward[..., 1]).mean()),
                warping_error(before, frame, forward, backward),
            )
        )
        return forward

    def _between(self, frame: Bytes, grey: Bytes) -> float:
        first, middle = self.held
        made = midpoint(first, frame, self.quick(self.grey[0], grey, None), self.quick(grey, self.grey[0], None))
        return float(cv2.absdiff(made, middle.astype(np.float32)).mean())

    def _sample(self, grey: Bytes, forward: Field | None) -> None:
        if self.last_sampled is not None:
            known = forward if self.interval == 1 else None
            self.fastest.append(top_motion(self.exact(self.last_sampled, grey, None) if known is None else known))
        self.last_sampled = grey

    def evidence(self, stream: Stream) -> RivalEvidence:
        count = len(self.times)
        if count < 2:
            raise NotApplicable(f"the clip has {count} frame{'s' * (count != 1)}: there is nothing to compare")
        ssim, difference, flow, warping = np.array(self.pairs).T
        steps, height_width = np.diff(self.times), self.held[-1].shape[:2]
        return RivalEvidence(
            steps, stream.clock, stream.shape, (height_width[0], height_width[1]), ssim, difference, flow, warping,
            np.array(self.interpolation), 1 / stream.step, np.array(self.fastest), -(-count // self.interval),
        )  # fmt: skip


def _dis(preset: int) -> Callable[..., Field]:
    found: Callable[..., Field] = cv2.DISOpticalFlow.create(preset).calc
    return found


def similarity(first: Bytes, second: Bytes) -> float:
    """SSIM of two luma frames: 11 × 11 Gaussian of σ 1.5, C1 = 6.5025, C2 = 58.5225, the mean where the window fits.

    A frame that is smaller than the window has the mean of all its pixels.
    """
    a, b = first.astype(np.float32), second.astype(np.float32)
    mean_a, mean_b, aa, bb, ab = (_blurred(image) for image in (a, b, a * a, b * b, a * b))
    var_a, var_b, cov = aa - mean_a**2, bb - mean_b**2, ab - mean_a * mean_b
    found = (2 * mean_a * mean_b + C1) * (2 * cov + C2) / ((mean_a**2 + mean_b**2 + C1) * (var_a + var_b + C2))
    inside = found[BORDER:-BORDER, BORDER:-BORDER]
    return float((inside if inside.size else found).mean(dtype=np.float64))


def _blurred(image: Image) -> Image:
    found: Image = cv2.GaussianBlur(image, (2 * BORDER + 1, 2 * BORDER + 1), 1.5)
    return found


def warping_error(first: Bytes, second: Bytes, forward: Field, backward: Field) -> float:
    """Σ noc (I₂(x + f) − I₁)² / Σ noc, levels 0 … 1, channels summed; 0 where all is occluded."""
    seen = ~occluded(forward, backward)
    back = fetched(second.astype(np.float32), forward)
    error = ((back - first) / 255) ** 2
    total = float(error.sum(axis=-1)[seen].sum())
    return total / int(seen.sum()) if seen.any() else 0.0


def occluded(forward: Field, backward: Field) -> NDArray[np.bool_]:
    """Where the way back does not lead back, or motion is discontinuous; on the first frame.

    |f + b(x+f)|² > 0.01 (|f|² + |b(x+f)|²) + 0.5, or |∂f|² > 0.01 |f|² + 0.002, ∂f the differences to the right and
    below, 0 at the last column and row.
    """
    back = fetched(backward, forward)
    there, way = _squared(forward), _squared(back)
    lost = _squared(forward + back) > 0.01 * (there + way) + 0.5
    edge = np.zeros_like(there)
    edge[:, :-1] += _squared(forward[:, :-1] - forward[:, 1:])
    edge[:-1] += _squared(forward[:-1] - forward[1:])
    return np.asarray(lost | (edge > 0.01 * there + 0.002))


def _squared(flow: Field) -> Image:
    found: Image = flow[..., 0] ** 2 + flow[..., 1] ** 2
    return found


def midpoint(first: Bytes, last: Bytes, forward: Field, backward: Field) -> Image:
    """The frame half-way: ½ I₀(x − F/2) + ½ I₁(x + F/2), F = (f − b)/2 being the motion from the first to the last."""
    half: Field = np.asarray((forward - backward) / 4, np.float32)
    one, other = fetched(first.astype(np.float32), -half), fetched(last.astype(np.float32), half)
    return np.asarray((one + other) / 2, np.float32)


def top_motion(flow: Field) -> float:
    """Mean length of the fastest 5 % of the flow, px."""
    lengths = np.hypot(flow[..., 0], flow[..., 1]).ravel()
    count = max(1, int(lengths.size * TOP))
    return float(np.partition(lengths, -count)[-count:].mean())
