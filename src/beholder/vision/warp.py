"""Images seen from where a flow leads: values between pixels."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from beholder.jit import compiled

Image = NDArray[np.float32]
Field = NDArray[np.float32]  # (H, W, 2): right and down, in px


def warped(image: Image, flow: Field, *, cubic: bool = False) -> Image:
    """The image at (x + u, y + v) of each pixel, linear between pixels or by Catmull and Rom's cubic.

    Beyond the border lies the nearest pixel. Where the flow is NaN so is the image.

    >>> ramp = np.tile(np.arange(4, dtype=np.float32), (2, 1))
    >>> warped(ramp, np.full((2, 4, 2), 0.5, np.float32))[0].tolist()
    [0.5, 1.5, 2.5, 3.0]
    """
    if flow.shape != (*image.shape, 2):
        raise ValueError(f"got a flow of shape {flow.shape}; expected {(*image.shape, 2)}, a vector for each pixel")
    shown, moved = np.ascontiguousarray(image, np.float32), np.ascontiguousarray(flow, np.float32)
    return np.asarray(_cubic(shown, moved) if cubic else _linear(shown, moved))


@compiled
def _linear(image: Image, flow: Field) -> Image:
    height, width = image.shape
    found = np.empty_like(image)
    for y in range(height):
        for x in range(width):
            right, down = x + flow[y, x, 0], y + flow[y, x, 1]
            if not (math.isfinite(right) and math.isfinite(down)):
                found[y, x] = np.nan
                continue
            right, down = min(max(right, 0.0), width - 1.0), min(max(down, 0.0), height - 1.0)
            left, top = int(right), int(down)
            beside, below = min(left + 1, width - 1), min(top + 1, height - 1)
            a, b = np.float32(right - left), np.float32(down - top)
            upper = image[top, left] + a * (image[top, beside] - image[top, left])
            lower = image[below, left] + a * (image[below, beside] - image[below, left])
            found[y, x] = upper + b * (lower - upper)
    return found


@compiled
def _cubic(image: Image, flow: Field) -> Image:
    height, width = image.shape
    found = np.empty_like(image)
    along, across = np.empty(4), np.empty(4)
    for y in range(height):
        for x in range(width):
            right, down = x + flow[y, x, 0], y + flow[y, x, 1]
            if not (math.isfinite(right) and math.isfinite(down)):
                found[y, x] = np.nan
                continue
            right, down = min(max(right, 0.0), width - 1.0), min(max(down, 0.0), height - 1.0)
            left, top = int(right), int(down)
            for weights, t in ((along, right - left), (across, down - top)):
                weights[0] = t * (-0.5 + t * (1 - 0.5 * t))
                weights[1] = 1 + t * t * (-2.5 + 1.5 * t)
                weights[2] = t * (0.5 + t * (2 - 1.5 * t))
                weights[3] = t * t * (-0.5 + 0.5 * t)
            total = 0.0
            for j in range(4):
                row = min(max(top + j - 1, 0), height - 1)
                for i in range(4):
                    total += across[j] * along[i] * image[row, min(max(left + i - 1, 0), width - 1)]
            found[y, x] = total
    return found
