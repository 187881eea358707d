"""Cost volumes: what it costs to match each left pixel at each disparity, and the disparities that cost least.

A volume is a stream of slices, one for each disparity 0 … max_disparity − 1 in this order: [row, col] of the left
image, the less the better. It is never held as a whole, so that memory does not grow with the range. Columns of the
right image that lie left of its first one repeat it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.io.image import Bytes, eight_bit
from beholder.stereo.matching.fill import Fill, filled
from beholder.stereo.matching.opencv import grey, odd
from beholder.stereo.types import Image, Map, Pair

Slice = NDArray[Any]  # uint8, uint16 or float32: what holds a cost exactly
Slices = Iterator[Slice]
Disparities = NDArray[np.uint16]

# Grey levels²: the variance that rounding to whole levels makes by itself. A window with less has no texture.
_ROUNDING = 1 / 12
_WHITE = 255
# Of the program that Rhemann et al. published with their paper, for levels of 0 … 1.
_COLOUR_CAP, _GRADIENT_CAP, _OUTSIDE = 7 / 255, 2 / 255, 3 / 255


def absolute_differences(pair: Pair, *, cap: int = 20) -> Slices:
    """Absolute differences of 8-bit levels, summed over channels, at most `cap` per channel.

    >>> pair = Pair(np.array([[10, 20, 30]], np.uint8), np.array([[20, 30, 99]], np.uint8), 2)
    >>> [cost.tolist() for cost in absolute_differences(pair)]
    [[[10, 10, 20]], [[10, 0, 0]]]
    """
    import cv2

    if not 0 < cap <= _WHITE:
        raise Misuse(f"got cap={cap}; expected 1 … {_WHITE} grey levels")
    lefts, rights = (_planes(image) for image in _views(pair))
    for shifted in zip(*(_shifts(right, pair.max_disparity) for right in rights), strict=True):
        total = np.zeros(pair.shape, np.uint16)
        for left, right in zip(lefts, shifted, strict=True):
            total += cv2.absdiff(left, right)
        yield np.minimum(total, cap * len(lefts), out=total)


def census(pair: Pair, *, width: int = 9, height: int = 7) -> Slices:
    """Hamming distances of census signatures: which pixels of a window are darker than the one in its middle."""
    if width * height > 65:
        raise Misuse(f"got a census window of {width} × {height}; expected at most 65 pixels; make it smaller")
    left, right = (_signature(grey(image), odd(width, "width"), odd(height, "height")) for image in _views(pair))
    for shifted in _shifts(right, pair.max_disparity):
        yield np.bitwise_count(left ^ shifted)


def correlation(pair: Pair, *, window: int = 9) -> Slices:
    """1 − the correlation of grey levels in a window; 1 where either window has no texture.

    1 − (E[LR] − E[L]E[R]) / (σ_L σ_R), with images that repeat their borders. The window is part of this cost: no
    aggregation need follow.
    """
    margin = odd(window, "window") // 2
    left, right = (np.pad(grey(image).astype(np.float32) - _WHITE / 2, margin, mode="edge") for image in _views(pair))
    before = np.pad(right, ((0, 0), (pair.max_disparity - 1, 0)), mode="edge")
    mean, scale = _moments(left, window)
    others = [_shifts(part, pair.max_disparity, left.shape[1]) for part in (before, *_moments(before, window))]
    for shifted, its_mean, its_scale in zip(*others, strict=True):
        found = _box(left * shifted, window)
        found -= mean * its_mean
        found *= scale
        found *= its_scale
        inner = found[margin : margin + pair.shape[0], margin : margin + pair.shape[1]]
        yield np.subtract(1, inner, out=inner)


def ad_gradient(pair: Pair, *, share: float = 0.89) -> Slices:
    """Differences of colour and of horizontal gradient, both truncated: (1 − α) min(|ΔI|, τ₁) + α min(|Δ∇ₓI|, τ₂).

    `share` is α; levels go from 0 to 1; |ΔI| is the mean over channels. Outside of the right image the cost is a
    number of its own.
    """
    left, right = (np.gradient(grey(image) / np.float32(_WHITE), axis=1) for image in _views(pair))
    unit = np.float32(1 / (_WHITE * (pair.left.shape[2] if pair.left.ndim == 3 else 1)))
    differences = zip(absolute_differences(pair, cap=_WHITE), _shifts(right, pair.max_disparity), strict=True)
    for disparity, (colour, shifted) in enumerate(differences):
        cost = np.minimum(colour * unit, _COLOUR_CAP)
        cost *= 1 - share
        slope = np.minimum(np.abs(left - shifted), _GRADIENT_CAP)
        slope *= share
        cost += slope
        cost[:, :disparity] = _OUTSIDE
        yield cost


def boxed(slices: Iterable[Slice], window: int) -> Slices:
    """Each slice averaged over a square window; the image is mirrored at its borders."""
    side = odd(window, "window")
    return (_box(cost, side) for cost in slices)


def guided(slices: Iterable[Slice], guide: Image, *, radius: int, smoothing: float) -> Slices:
    """Each slice smoothed by the guided filter, which keeps to the edges of `guide`.

    `smoothing` is ε for levels of 0 … 1.
    """
    import cv2

    # OpenCV raises ε below 0.01 to 0.01: with levels of 0 … 255 it stays as it is.
    smooth = cv2.ximgproc.createGuidedFilter(eight_bit(guide), radius, smoothing * _WHITE**2)
    return (smooth.filter(cost) for cost in slices)


def winners(slices: Iterable[Slice]) -> tuple[Disparities, Disparities]:
    """The disparity of least cost in each left pixel, and in each right pixel from the same costs.

    The right pixel x at disparity d is the left pixel x + d. Of equal costs the smallest disparity wins.

    >>> winners([np.array([[2, 5, 5]]), np.array([[9, 1, 6]]), np.array([[9, 9, 3]])])
    (array([[0, 1, 2]], dtype=uint16), array([[1, 0, 0]], dtype=uint16))
    """
    left, right = _Least(), _Least()
    for disparity, cost in enumerate(slices):
        left.see(cost, disparity)
        right.see(cost[:, disparity:], disparity)
    return left.disparity, right.disparity


class _Least:
    """The least costs so far, and the disparities at which they came."""

    def see(self, cost: Slice, disparity: int) -> None:
        """Compare with the costs at a larger disparity, which may end further to the left."""
        if disparity == 0:
            self.cost, self.disparity = cost.copy(), np.zeros(cost.shape, np.uint16)
            return
        best, found = (part[:, : cost.shape[1]] for part in (self.cost, self.disparity))
        less = np.less(cost, best)
        np.minimum(cost, best, out=best)
        np.maximum(found, np.multiply(less, disparity, dtype=np.uint16), out=found)  # disparities only grow


def consistent(left: Disparities, right: Disparities, *, fill: Fill = False, slack: int = 1) -> Map:
    """The left map where the right map agrees: |d_L(x) − d_R(x − d_L(x))| ≤ `slack`; else NaN, or the background.

    >>> consistent(np.array([[0, 1, 1, 3]], np.uint16), np.array([[1, 1, 3, 0]], np.uint16))
    array([[ 0.,  1.,  1., nan]], dtype=float32)
    """
    column = np.arange(left.shape[1]) - left.astype(np.int32)
    there = np.take_along_axis(right.astype(np.int32), np.maximum(column, 0), axis=1)
    agree = (column >= 0) & (np.abs(there - left) <= slack)
    found = np.where(agree, left, np.float32(np.nan)).astype(np.float32)
    return filled(found, fill)


def mirrored(pair: Pair) -> Pair:
    """The pair whose left image is the right one, seen in a mirror: its disparities are those of the right image."""
    left, right = (np.ascontiguousarray(image[:, ::-1]) for image in _views(pair))
    return Pair(right, left, pair.max_disparity)


def _views(pair: Pair) -> tuple[Image, Image]:
    return pair.left, pair.right


def _planes(image: Image) -> list[Bytes]:
    """The channels of an image, 8-bit, each by itself."""
    levels = eight_bit(image)
    return [levels] if levels.ndim == 2 else [np.ascontiguousarray(levels[..., n]) for n in range(levels.shape[2])]


def _shifts(image: Slice, count: int, width: int = 0) -> Iterator[Slice]:
    """For each disparity d the image whose column x is the column x − d of `image`, which is padded for it.

    With a `width`, the image is padded already, by count − 1 columns at its left.
    """
    padded = image if width else np.pad(image, ((0, 0), (count - 1, 0)), mode="edge")
    width = width or image.shape[1]
    return (padded[:, count - 1 - d : count - 1 - d + width] for d in range(count))


def _box(values: Slice, window: int) -> Map:
    import cv2

    return np.asarray(cv2.boxFilter(values, cv2.CV_32F, (window, window)), np.float32)


def _moments(image: Map, window: int) -> tuple[Map, Map]:
    """Mean and 1/σ in a window around each pixel; 0 for 1/σ where there is no texture."""
    import cv2

    exact = image.astype(np.float64)
    mean, square = (cv2.boxFilter(part, -1, (window, window)) for part in (exact, exact**2))
    variance = square - mean**2
    scale = np.divide(1, np.sqrt(np.maximum(variance, _ROUNDING)), out=np.zeros_like(mean), where=variance > _ROUNDING)
    return mean.astype(np.float32), scale.astype(np.float32)


def _signature(image: Bytes, width: int, height: int) -> NDArray[np.uint64]:
    """A bit for each other pixel of the window: 1 if it is darker than the middle."""
    rows, columns = image.shape
    around = np.pad(image, ((height // 2,) * 2, (width // 2,) * 2), mode="edge")
    bits = np.zeros(image.shape, np.uint64)
    for y, x in np.ndindex(height, width):
        if (y, x) != (height // 2, width // 2):
            bits = (bits << np.uint64(1)) | (around[y : y + rows, x : x + columns] < image)
    return bits
