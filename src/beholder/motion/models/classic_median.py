"""A classical variational flow with robust penalties and a median filter, of the type of Sun, Roth and Black."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.motion.frame_pairs import Field, Fields, relative
from beholder.motion.types import Movie
from beholder.vision.filters import Image
from beholder.vision.pyramid import reductions, smoothly_enlarged
from beholder.vision.warp import warped

Floats = NDArray[np.float32]
Bonds = tuple[Floats, Floats]  # across (2, H, W + 1), and down (2, H + 1, W)

EXPONENT, EPSILON = 0.45, 1e-3  # of ρ(x) = (x² + ε²)^a, on grey levels 0 … 255 and on px/frame
DERIVATIVE = np.array([[1, -8, 0, 8, -1]], np.float32) / 12
SHARE = 0.5  # of the second frame's gradient in the mean of both
COARSEST = 16  # px, the least side of a pyramid
STAGES = ((1.0, 2.0), (0.0, 1.25))  # share of the quadratic energy, step of the pyramid: graduated non-convexity
FINE = 2  # levels of each pyramid but the first
DESCENTS = 20  # steps of conjugate gradients for each warp (ours; the source solves directly)
MEDIAN = 5  # px


@source("Sun2010", family="multi-scale", dynamics="none")
def classic_median(movie: Movie, *, smoothness: float = 3.0, warps: int = 3) -> Fields:
    """Σ ρ(I₁(x) − I₂(x + w)) + λ Σ ρ(∇u) + ρ(∇v), over pyramids, with a 5 × 5 median of the flow after each warp.

    ρ(x) = (x² + ε²)^a with a = 0.45 and ε = 0.001, λ = `smoothness`. Graduated non-convexity: a first pass with squares
    in place of ρ over a pyramid of halves, a second with ρ over two levels that differ by 1.25. Each warp changes the
    flow by at most 1 px. Luminance is scaled so that the movie's maximum is 255.

    Deviation: this is the source's "Classic++" in its fast setting (2 stages, 3 warps), not Classic+NL: there is no
    non-local term, hence no weighted median with colour and occlusion, and no structure–texture decomposition of the
    frames. Linear systems take 20 descent steps instead of being solved.
    """
    if not smoothness > 0 or warps < 1:
        raise Misuse(f"got smoothness={smoothness}, warps={warps}; expected a number above 0, and 1 or more")
    frames = 255 * relative(movie)
    found = np.zeros((len(frames) - 1, *frames.shape[1:], 2), np.float32)
    for quadratic, factor in STAGES:
        solve = partial(_warped_once, quadratic=quadratic, smoothness=smoothness)
        pyramids = [_pyramid(frame, factor) for frame in frames]
        for at, (first, second) in enumerate(pairwise(pyramids)):
            field = found[at]
            for one, other in zip(first, second, strict=True):
                field = smoothly_enlarged(field, one.shape)
                for _ in range(warps):
                    field = solve(one, other, field)
            found[at] = field
    return found


def _pyramid(frame: Image, factor: float) -> list[Image]:
    whole = 1 + max(0, int(np.log(min(frame.shape) / COARSEST) / np.log(factor)))
    levels = whole if factor == STAGES[0][1] else min(whole, FINE)
    return reductions(frame, factor, levels=levels, sigma=float(np.sqrt(factor / 2)))


def _warped_once(first: Image, second: Image, field: Field, *, quadratic: float, smoothness: float) -> Field:
    import cv2

    derivatives = _derivatives(first, second, field)
    data = _weight(derivatives[2], quadratic)
    across, down = _bonds(field, quadratic)
    bonds = np.float32(smoothness) * across, np.float32(smoothness) * down
    start = np.ascontiguousarray(np.moveaxis(field, -1, 0))
    step = np.clip(_increment(start, derivatives, data, bonds), -1, 1)
    return np.stack([cv2.medianBlur(part, MEDIAN) for part in start + step], axis=-1)


def _derivatives(first: Image, second: Image, field: Field) -> Floats:
    """Ix, Iy of both frames, the second warped, and their difference It; all 0 where the flow leads out of it."""
    import cv2

    moved = warped(second, field, cubic=True)
    both = SHARE * moved + (1 - SHARE) * first
    kernels = (DERIVATIVE, DERIVATIVE.T)
    across, down = (cv2.filter2D(both, -1, kernel, borderType=cv2.BORDER_REPLICATE) for kernel in kernels)
    height, width = first.shape
    right, below = np.arange(width) + field[..., 0], np.arange(height)[:, None] + field[..., 1]
    inside = (right >= 0) & (right <= width - 1) & (below >= 0) & (below <= height - 1)
    return np.asarray(np.stack([across, down, moved - first]) * inside, np.float32)


def _weight(residue: Floats, quadratic: float) -> Floats:
    """ρ′(x)/2x of the mixed penalty: what a square would have to weigh to pull as much."""
    if quadratic == 1:
        return np.ones_like(residue)
    # exp ∘ log: several times faster than a power of float32.
    robust = EXPONENT * np.exp((EXPONENT - 1) * np.log(residue**2 + np.float32(EPSILON**2)))
    return np.asarray(quadratic + (1 - quadratic) * robust, np.float32)


def _bonds(field: Field, quadratic: float) -> Bonds:
    """Weights of the differences across (2, H, W + 1) and down (2, H + 1, W); 0 across the border."""
    parts = np.moveaxis(field, -1, 0)
    across, down = (_weight(np.diff(parts, axis=axis), quadratic) for axis in (2, 1))
    return np.pad(across, ((0, 0), (0, 0), (1, 1))), np.pad(down, ((0, 0), (1, 1), (0, 0)))


def _increment(start: Floats, derivatives: Floats, data: Floats, bonds: Bonds) -> Floats:
    """The change of a flow (2, H, W) that lowers the weighted squares."""
    slope = np.ascontiguousarray(np.sqrt(data) * derivatives)
    pull = np.empty_like(start)
    imaged(_framed(start), np.zeros_like(slope), bonds, pull)
    return descended(-slope[:2] * slope[2] - pull, slope, bonds)


def _framed(field: Floats) -> Floats:
    return np.pad(field, ((0, 0), (1, 1), (1, 1)))


def _inverse_blocks(slope: Floats, bonds: Bonds) -> Floats:
    """The inverse of each pixel's own 2 × 2 part of the system, as (uu, uv, vv): what conditions the descent."""
    across, down = bonds
    hold = across[:, :, 1:] + across[:, :, :-1] + down[:, 1:] + down[:, :-1]
    uu, vv, uv = hold[0] + slope[0] ** 2, hold[1] + slope[1] ** 2, slope[0] * slope[1]
    return np.asarray(np.stack([vv, -uv, uu]) / (uu * vv - uv**2))


def descended(residue: Floats, slope: Floats, bonds: Bonds) -> Floats:
    """Some steps of conjugate gradients towards the solution of (slope slopeᵀ + bonds) step = residue."""
    inverse = _inverse_blocks(slope, bonds)
    step, image, way = np.zeros((3, *residue.shape), np.float32)
    framed = _framed(step)
    before, length = np.inf, np.float32(0)
    for _ in range(DESCENTS):
        strength = moved(step, residue, way, (framed, image, inverse), length)
        if not strength > 0:
            break
        turned(framed, way, np.float32(strength / before))
        length = np.float32(strength / imaged(framed, slope, bonds, image))
        before = strength
    return np.asarray(step + length * framed[:, 1:-1, 1:-1])


@compiled
def moved(step: Floats, residue: Floats, way: Floats, of: tuple[Floats, Floats, Floats], length: np.float32) -> float:
    """Go a length along the search, in place: the step, what remains of the residue, and the next way from there.

    `of` are the search in its frame, its image, and the inverse blocks that condition it. Answers residue · way.
    """
    framed, image, inverse = of
    _, height, width = step.shape
    columns = np.zeros(width)
    for y in range(height):
        for part in range(2):
            for x in range(width):
                step[part, y, x] += length * framed[part, y + 1, x + 1]
                residue[part, y, x] -= length * image[part, y, x]
        for x in range(width):
            a, b = residue[0, y, x], residue[1, y, x]
            way[0, y, x] = inverse[0, y, x] * a + inverse[1, y, x] * b
            way[1, y, x] = inverse[1, y, x] * a + inverse[2, y, x] * b
            columns[x] += a * way[0, y, x] + b * way[1, y, x]
    return float(columns.sum())


@compiled
def turned(framed: Floats, way: Floats, share: np.float32) -> None:
    """The next search, in place: the way, and a share of the search before."""
    _, height, width = way.shape
    for part in range(2):
        for y in range(height):
            for x in range(width):
                framed[part, y + 1, x + 1] = way[part, y, x] + share * framed[part, y + 1, x + 1]


@compiled
def imaged(framed: Floats, slope: Floats, bonds: Bonds, image: Floats) -> float:
    """Write (slope slopeᵀ + bonds) search to `image`, the search in a frame of one pixel; answers search · image.

    The bonds of a pixel are Σ weight · (its own value − the neighbour's).
    """
    across, down = bonds
    _, height, width = image.shape
    columns, along = np.zeros(width), np.zeros(width, np.float32)
    for y in range(height):
        for x in range(width):
            along[x] = slope[0, y, x] * framed[0, y + 1, x + 1] + slope[1, y, x] * framed[1, y + 1, x + 1]
        for part in range(2):
            for x in range(width):
                own = framed[part, y + 1, x + 1]
                image[part, y, x] = (
                    slope[part, y, x] * along[x]
                    + across[part, y, x] * (own - framed[part, y + 1, x])
                    + across[part, y, x + 1] * (own - framed[part, y + 1, x + 2])
                    + down[part, y, x] * (own - framed[part, y, x + 1])
                    + down[part, y + 1, x] * (own - framed[part, y + 2, x + 1])
                )
            for x in range(width):
                columns[x] += framed[part, y + 1, x + 1] * image[part, y, x]
    return float(columns.sum())
