"""A feed-forward model of V1 and MT for image sequences, of the type of Solari, Chessa, Medathati and Kornprobst."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.motion.frame_pairs import Field, Fields, Frames, relative
from beholder.motion.types import Movie
from beholder.vision.filters import Image, blurred
from beholder.vision.pyramid import smoothly_enlarged

Floats = NDArray[np.float32]

LAGS = 5  # frames of the window
ORIENTATIONS = 6  # over 180°; with velocities of both signs 12 over 360°
FREQUENCY = 1 / 3.8  # cycles/px
WIDTH = 1.2 * math.sqrt(2 * math.log(2)) / (2 * math.pi * FREQUENCY / 3)  # px, the Gabors' Gaussian
RADIUS = 5  # px: patches of 11 × 11
SPEEDS = (0.4, 0.6, 0.9)  # px/frame, and their negatives; rest adds nothing to the decoded sum
DECAY = 2 * math.pi * FREQUENCY / 2.5  # a frame, of the temporal envelope of bandwidth f₀ / 2.5
POOL = 10 / 6  # px
SEEN = 1e-3  # of the greatest energy: what is below is filled in from around
FAINT = 0.05  # summed energy of contrasts of some 1e-5; rounding alone gives uniform frames 0.004
FILL = 2.5  # px, the Gaussian of filling in: a window of 15 × 15


@source("Solari2015", family="multi-scale", dynamics="none")
def ffv1mt(movie: Movie, *, gain: float = 1.4, scales: int = 6) -> Fields:
    """Normalised V1 energies of spatio-temporal Gabors, MT cells with cosine tuning, decoded from coarse to fine.

    E(θ, v) is the root of the amplitude of 11 × 11 Gabors of 1/3.8 cycles/px and five frames under an exponential,
    tuned to v = ± 0.4, 0.6, 0.9 px/frame; it is divided by its sum over 12 orientations and pooled over 10/6 px. MT(d,
    v) = exp(Σ_θ cos(d − θ) E(θ, v)); the flow along d is `gain` · Σ_v v MT(d, v), for d right and up. Starting from the
    coarsest of up to `scales` scales, each scale adds the flow that remains after the responses are warped by the
    coarser estimate. Places with little energy are filled in from their neighbours. The window of five frames ends with
    the pair; the first frame is repeated before the movie.

    Deviation: written from a description, not from the authors' program: `gain` is calibrated on moving textures (the
    source's 0.25 belongs to another scale of energies), filling in is a Gaussian mean without luminance weights,
    warping is cubic, and no scale is smaller than a Gabor.
    """
    if not gain > 0 or scales < 1:
        raise Misuse(f"got gain={gain}, scales={scales}; expected a number above 0, and 1 or more")
    pyramid = _pyramid(relative(movie), scales)
    answer = np.zeros((len(movie.frames) - 1, *movie.frames.shape[1:], 2), np.float32)
    responses = [_responses(level) for level in pyramid]
    for at in range(len(answer)):
        answer[at] = _field([_window(level, at + 1) for level in responses], gain)
    return answer


def _pyramid(frames: Frames, scales: int) -> list[Frames]:
    """The frames at each scale, coarsest first; each half is smoothed by [1 4 6 4 1] / 16."""
    import cv2

    levels = [frames]
    while len(levels) < scales and min(levels[-1].shape[1:]) // 2 > 2 * RADIUS:
        levels.append(np.stack([cv2.pyrDown(frame, borderType=cv2.BORDER_REPLICATE) for frame in levels[-1]]))
    return levels[::-1]


def _responses(frames: Frames) -> Floats:
    """The even responses of all orientations, then the odd ones: (T, H, W, 12)."""
    import cv2

    parts = [part for patches in (_patches().real, _patches().imag) for part in patches]
    filters = [np.ascontiguousarray(part, np.float32) for part in parts]
    found = np.empty((*frames.shape, len(filters)), np.float32)
    for at, frame in enumerate(frames):
        for k, patch in enumerate(filters):
            found[at, ..., k] = cv2.filter2D(frame, cv2.CV_32F, patch, borderType=cv2.BORDER_REPLICATE)
    return found


@cache
def _patches() -> NDArray[np.complex128]:
    """Complex Gabors (orientations, 11, 11), waves along 0, 30, … degrees; the even part has no mean."""
    down, right = np.mgrid[-RADIUS : RADIUS + 1, -RADIUS : RADIUS + 1]
    envelope = np.exp(-(down**2 + right**2) / (2 * WIDTH**2))
    angles = _angles()[:, None, None]
    waves = np.exp(2j * np.pi * FREQUENCY * (right * np.cos(angles) - down * np.sin(angles)))
    means = (waves * envelope).sum((1, 2), keepdims=True) / envelope.sum()
    return np.asarray(envelope * (waves - means) / envelope.sum())


def _angles() -> NDArray[np.float64]:
    return np.pi * np.arange(ORIENTATIONS) / ORIENTATIONS


@cache
def _envelopes() -> Floats:
    """cos and sin of each speed's phase at each lag, under the exponential: (speeds, lags, 2)."""
    lag = np.arange(LAGS)
    phase = 2 * np.pi * FREQUENCY * np.outer(SPEEDS, lag)
    return np.asarray(np.exp(-DECAY * lag)[:, None] * np.stack([np.cos(phase), np.sin(phase)], axis=-1), np.float32)


def _window(responses: Floats, last: int) -> Floats:
    """The last five frames, the latest first; before the first stands the first."""
    return responses[np.maximum(last - np.arange(LAGS), 0)]


def _field(windows: list[Floats], gain: float) -> Field:
    field = np.zeros((*windows[0].shape[1:3], 2), np.float32)
    cosines = np.stack([np.cos(_angles()), -np.sin(_angles())]).astype(np.float32)  # right, and down
    for window in windows:
        field = smoothly_enlarged(field, window.shape[1:3])
        opponent, strength = opponents(window, field, _envelopes(), cosines)
        field = _filled(field + np.float32(gain) * _decoded(opponent), strength)
    return field


def _decoded(opponent: Floats) -> Field:
    """Σ_v v MT(d, v), right and down, from what speaks for v rather than for −v: v eˣ − v e⁻ˣ = 2 v sinh x."""
    pooled = blurred(opponent, POOL).reshape(*opponent.shape[:2], len(SPEEDS), 2)
    return np.asarray(np.einsum("v,yxvd->yxd", 2 * np.array(SPEEDS, np.float32), np.sinh(pooled)), np.float32)


def _filled(field: Field, strength: Image) -> Field:
    """The field where there is energy, and elsewhere the mean of what is around; rest where there is nothing."""
    greatest = float(strength.max())
    seen = (strength > SEEN * greatest) & (strength > FAINT)
    if seen.all() or not seen.any():
        return field * seen[..., None]
    weights = blurred(seen.astype(np.float32), FILL)[..., None]
    around = blurred(field * seen[..., None], FILL) / np.maximum(weights, 1e-3)
    return np.where(seen[..., None], field, around).astype(np.float32)


@compiled
def opponents(window: Floats, field: Field, envelopes: Floats, cosines: Floats) -> tuple[Floats, Image]:
    """Σ_θ cos(d − θ) E(θ, v) over its sum, less the same for −v, at each pixel, (H, W, speeds · 2), and the sum of E.

    Responses of the frame `lag` before are taken where the field says that their pattern was.
    """
    _, height, width, _ = window.shape
    found, strength = np.zeros((height, width, 2 * len(SPEEDS)), np.float32), np.zeros((height, width), np.float32)
    local, weights = np.zeros((LAGS, 2 * ORIENTATIONS), np.float32), np.zeros((2, 4), np.float32)
    for y in range(height):
        for x in range(width):
            for lag in range(LAGS):
                right = min(max(x - lag * field[y, x, 0], 0.0), width - 1.0)
                down = min(max(y - lag * field[y, x, 1], 0.0), height - 1.0)
                left, top = int(right), int(down)
                for way in range(2):
                    t = np.float32(right - left if way == 0 else down - top)
                    weights[way, 0] = t * (-0.5 + t * (1 - 0.5 * t))
                    weights[way, 1] = 1 + t * t * (-2.5 + 1.5 * t)
                    weights[way, 2] = t * (0.5 + t * (2 - 1.5 * t))
                    weights[way, 3] = t * t * (-0.5 + 0.5 * t)
                local[lag] = 0
                for j in range(4):
                    row = min(max(top + j - 1, 0), height - 1)
                    for i in range(4):
                        weight = weights[1, j] * weights[0, i]
                        if weight != 0:
                            column = min(max(left + i - 1, 0), width - 1)
                            for k in range(2 * ORIENTATIONS):
                                local[lag, k] += weight * window[lag, row, column, k]
            for speed in range(len(SPEEDS)):
                total, across, downward = np.float32(0), np.float32(0), np.float32(0)
                for k in range(ORIENTATIONS):
                    a = b = c = d = np.float32(0)
                    for lag in range(LAGS):
                        cosine, sine = envelopes[speed, lag, 0], envelopes[speed, lag, 1]
                        even, odd = local[lag, k], local[lag, ORIENTATIONS + k]
                        a, b = a + cosine * even, b + sine * odd
                        c, d = c + cosine * odd, d + sine * even
                    along = math.sqrt(math.sqrt((a - b) * (a - b) + (c + d) * (c + d)))
                    against = math.sqrt(math.sqrt((a + b) * (a + b) + (c - d) * (c - d)))
                    total += along + against
                    across += cosines[0, k] * (along - against)
                    downward += cosines[1, k] * (along - against)
                strength[y, x] += total
                found[y, x, 2 * speed] = across / (total + np.float32(1e-9))
                found[y, x, 2 * speed + 1] = downward / (total + np.float32(1e-9))
    return found, strength
