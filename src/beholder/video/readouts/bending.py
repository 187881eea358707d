"""Bending: what of a flow no affine motion explains."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.readouts.flow import Field, places

Plane = NDArray[np.float32]  # (h, w)


def bending(flow: Field, weight: Plane, sigma: float, aside: int) -> Field:
    """A flow without the affine motion that explains it best: of the window around each pixel, or of four aside of it.

    Where two things move differently, one of the windows lies on the pixel's own side. `sigma` and `aside` are in px of
    half the flow's size: what windows say is smooth, so it is found there.
    """
    height, width = flow.shape[:2]
    fits, small = _affine(flow, weight, sigma), half(flow)
    found, least = fits[..., 0], _misfit(small, fits[..., 0])
    for right, down in ((aside, aside), (aside, -aside), (-aside, aside), (-aside, -aside)):
        moved = _shifted(fits, right, down)
        other = moved[..., 0] - right * moved[..., 1] - down * moved[..., 2]
        misfit = _misfit(small, other)
        found = np.where((misfit < least)[..., None], other, found)
        least = np.minimum(misfit, least)
    return np.asarray(flow - cv2.resize(found, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _misfit(flow: Field, fit: Field) -> Plane:
    return np.asarray(cv2.blur(both((flow - fit) ** 2), (3, 3)), np.float32)


def _shifted(planes: NDArray[np.float32], right: int, down: int) -> NDArray[np.float32]:
    """Planes as they are so far to the right and below; at the border, as they are there."""
    height, width = planes.shape[:2]
    rows, columns = np.clip(np.arange(height) + down, 0, height - 1), np.clip(np.arange(width) + right, 0, width - 1)
    return planes[rows[:, None], columns]


def _affine(flow: Field, weight: Plane, sigma: float) -> NDArray[np.float32]:
    """(h, w, 2, 3) at half size: the affine motion that fits each window: its value at the centre, its slopes."""
    weight = weight + np.float32(1e-4)  # where nothing is trustworthy, all counts the same
    heavy, pulled = half(weight), half(flow * weight[..., None])
    x, y = np.moveaxis(places(heavy.shape), 2, 0)

    def mean(*of: Plane) -> NDArray[np.float32]:
        blurred = cv2.GaussianBlur(np.dstack(of), (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
        return np.moveaxis(blurred, 2, 0)

    total, *firsts = mean(heavy, heavy * x, heavy * y)
    middle_x, middle_y = (first / total for first in firsts)
    xx, xy, yy = mean(heavy * x * x, heavy * x * y, heavy * y * y) / total
    least = 0.02 * sigma**2  # a window of one point or one line says nothing across it
    xx, xy, yy = xx - middle_x**2 + least, xy - middle_x * middle_y, yy - middle_y**2 + least
    found = []
    for along in np.moveaxis(pulled, 2, 0):
        value, x_value, y_value = mean(along, along * x, along * y) / total
        by_x, by_y = x_value - middle_x * value, y_value - middle_y * value
        slope_x, slope_y = (yy * by_x - xy * by_y, xx * by_y - xy * by_x) / (xx * yy - xy**2)
        found.append(np.dstack([value + slope_x * (x - middle_x) + slope_y * (y - middle_y), slope_x, slope_y]))
    return np.stack(found, axis=2).astype(np.float32)


def half(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """An image or a field at half its size, averaged; vectors keep their length."""
    size = image.shape[1] // 2, image.shape[0] // 2
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)


def both(of: NDArray[np.float32]) -> NDArray[np.float32]:
    """Across and down together; much quicker than a sum over an axis of two."""
    return np.asarray(of[..., 0] + of[..., 1])
