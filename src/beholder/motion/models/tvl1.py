"""TV-L1 flow, by the rule of scikit-image's `optical_flow_tvl1`."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.motion.frame_pairs import Field, Fields, relative
from beholder.motion.models._scales import coarse_to_fine
from beholder.motion.types import Movie
from beholder.vision.filters import Image
from beholder.vision.warp import warped

Parts = NDArray[np.float32]  # (2, H, W): what belongs to u, and to v

ITERATIONS = 10  # of the fixed point after each warp (scikit-image's number)
STEP = 0.25  # of the dual variables, time step τ
SETTLED = 1e-4  # squared px per pixel: a warp that changes the field by less is the last of its scale


@source("Zach2007,Wedel2009", family="multi-scale", dynamics="none")
def tvl1(movie: Movie, *, attachment: float = 15.0, tightness: float = 0.3, warps: int = 5) -> Fields:
    """Total variation of the flow plus `attachment` times the absolute change of brightness, over a pyramid.

    The two terms are split by a second field, coupled to the first by 1 / (2 · `tightness`); thresholding solves for
    one, projected dual variables for the other. Algorithm and settings are those of scikit-image, and the flow is the
    same but for rounding. Luminance is relative to the movie's maximum.
    """
    if not attachment > 0 or not tightness > 0 or warps < 1:
        raise Misuse(
            f"got attachment={attachment}, tightness={tightness}, warps={warps}; "
            "expected numbers above 0, and 1 or more"
        )
    return coarse_to_fine(relative(movie), partial(_solved, attachment=attachment, tightness=tightness, warps=warps))


def _solved(first: Image, second: Image, field: Field, *, attachment: float, tightness: float, warps: int) -> Field:
    flow = np.ascontiguousarray(np.moveaxis(field, -1, 0))
    duals = np.zeros((2, *flow.shape), np.float32)
    limit, damping = np.float32(attachment * tightness), np.float32(STEP / tightness)
    for _ in range(warps):
        moved = warped(second, np.moveaxis(flow, 0, -1))
        down, right = np.gradient(moved)
        slope = np.stack([right, down])
        offset = moved - first - (slope * flow).sum(axis=0)
        if descended(flow, duals, slope, offset, limit, damping) < SETTLED * first.size:
            break
    return np.moveaxis(flow, 0, -1)


@compiled
def descended(
    flow: Parts, duals: NDArray[np.float32], slope: Parts, offset: Image, limit: np.float32, damping: np.float32
) -> float:
    """`ITERATIONS` rounds of thresholding and projection, in place; the squared change since the first thresholding.

    `slope` is the gradient of the warped image, `offset` what remains of its brightness at no flow.
    """
    _, height, width = flow.shape
    start, target = np.empty_like(flow), np.empty_like(flow)
    step, one = np.float32(STEP), np.float32(1)
    nothing = np.zeros(width, np.float32)
    for turn in range(ITERATIONS):
        for y in range(height):
            for x in range(width):
                a, b = slope[0, y, x], slope[1, y, x]
                energy = a * a + b * b
                residue = offset[y, x] + a * flow[0, y, x] + b * flow[1, y, x]
                pull = min(max(residue / (energy if energy > 0 else one), -limit), limit)
                target[0, y, x] = flow[0, y, x] - pull * a
                target[1, y, x] = flow[1, y, x] - pull * b
        if turn == 0:
            start[:] = target
        flow[:] = target
        for part in range(2):
            field, aim, across, down = flow[part], target[part], duals[part, 0], duals[part, 1]
            for _ in range(2):
                for y in range(height):
                    # Whole rows and their neighbours by views, without a branch: loops that become vectors.
                    here, below, right = field[y], field[min(y + 1, height - 1)], field[y, 1:]
                    along, fall = across[y], down[y]
                    for x in range(width - 1):
                        gx, gy = right[x] - here[x], below[x] - here[x]
                        norm = one + damping * math.sqrt(gx * gx + gy * gy)
                        along[x] = (along[x] - step * gx) / norm
                        fall[x] = (fall[x] - step * gy) / norm
                    gy = below[-1] - here[-1]
                    norm = one + damping * abs(gy)
                    along[-1], fall[-1] = along[-1] / norm, (fall[-1] - step * gy) / norm
                    above = down[y - 1] if y > 0 else nothing
                    for x in range(width):
                        here[x] = aim[y, x] - along[x] - fall[x] + above[x]
                    for x in range(width - 1):
                        right[x] += along[x]
    return float(((start - flow) ** 2).sum())
