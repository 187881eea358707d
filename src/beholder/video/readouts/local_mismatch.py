"""How far what is seen in one frame goes on in the next: where neither flow nor camera explains it."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from beholder.video.readouts.flow import Field, Pair, places
from beholder.video.readouts.local_frames import WHOLE, Picture, Scale

Map = NDArray[np.float32]  # (h, w)
LOST = 0.6  # mismatch from which content counts as lost
OUTSIDE = 2.0  # px: what goes further out of the frame is not missed
COLOURS = np.array([1 / 3, 1 / 3, 1 / 3, 0], np.float32)  # the mean of three channels; the fourth is the contrast


class Change(NamedTuple):
    """From one frame to the next."""

    first: Picture
    second: Picture
    pair: Pair
    drift: Field  # the camera's flow, on the first frame
    camera: Field  # (x, y) in the second frame of each background pixel of the first
    lost: Map  # r_f, on the first frame: what does not go on, as a share of its contrast
    come: Map  # r_b, on the second: what has no origin
    misfit: Map  # levels, on the first: how different its best continuation is
    both: Map  # on the first: what is lost, and replaced by what has no origin
    share: float  # of the frame that is lost and replaced


def change(first: Picture, second: Picture, pair: Pair, scale: Scale = WHOLE) -> Change:
    """Compare two frames along the flow and along the camera's motion, both ways; the better match counts."""
    at = places((first.shape[0], first.shape[1]))
    forward, backward = at + pair.forward, at + pair.backward
    camera, camera_back = (led(at, matrix) for matrix in (pair.homography, pair.back))
    lit = relit(first, second, forward, scale.cell)
    lost, misfit = mismatch(first, lit, (forward, camera), scale.window)
    come, _ = mismatch(lit, first, (backward, camera_back), scale.window)
    both = np.minimum(lost, fetch(come, camera))
    return Change(first, second, pair, camera - at, camera, lost, come, misfit, both, float(np.mean(both > LOST)))


def led(at: Field, matrix: NDArray[np.float64]) -> Field:
    """Where a homography leads."""
    led: Field = cv2.perspectiveTransform(at.reshape(1, -1, 2), matrix).reshape(at.shape)
    return led


def relit(first: Picture, second: Picture, forward: Field, cell: int) -> Picture:
    """The second frame in the light of the first, as far as light changes smoothly over the frame.

    Each colour of a cell is compared along the flow; the median over 7 x 7 cells is the change of light there. What is
    replaced in less than half of such a neighbourhood (a disc of 5.6 cells) does not count as light. `forward` are the
    places in the second frame of the pixels of the first.
    """
    height, width = first.shape[:2]
    moved = cv2.remap(second, forward, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    size = (max(1, round(width / cell)), max(1, round(height / cell)))
    here, there = (cv2.resize(f, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 8 for f in (first, moved))
    code = np.clip(128 + 200 * np.log(here / there), 0, 255).astype(np.uint8)  # steps of half a percent, to ±89 %
    code[..., 3] = code[..., 1]  # contrast changes as green does
    code = cv2.medianBlur(code, min(7, 2 * (min(size) // 2) + 1))
    if np.abs(code.astype(np.int16) - 128).max() <= 1:
        return second
    light = np.exp((code.astype(np.float32) - 128) / 200)
    gain = cv2.resize(cv2.GaussianBlur(light, (0, 0), 0.7), (width, height), interpolation=cv2.INTER_LINEAR)
    lit: Picture = cv2.multiply(second, gain, dtype=cv2.CV_8U)
    return lit


def mismatch(here: Picture, there: Picture, ways: tuple[Field, ...], window: int) -> tuple[Map, Map]:
    """r = mean |A − B(x + g)| / (0.8 √(s_A² + s_B²) + 4) over a window, and its numerator; the least over the ways g.

    s are the contrasts. What leaves the frame is not missed: 0.
    """
    found = [_along(here, there, way, window) for way in ways]
    ratio, levels = found[0]
    for other, its in found[1:]:
        ratio, levels = np.minimum(ratio, other), np.minimum(levels, its)
    return ratio, levels


def _along(here: Picture, there: Picture, way: Field, window: int) -> tuple[Map, Map]:
    moved = cv2.remap(there, way, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    levels = cv2.boxFilter(cv2.absdiff(here, moved), cv2.CV_32F, (window, window)) @ COLOURS
    levels[~inside(way)] = 0
    contrast = cv2.magnitude(here[..., 3].astype(np.float32), moved[..., 3].astype(np.float32))
    return levels / (np.float32(0.8) * contrast + np.float32(4)), levels


def inside(way: Field, margin: float = OUTSIDE) -> NDArray[np.bool_]:
    """Which positions lie in the frame, or hardly outside."""
    height, width = way.shape[:2]
    held = cv2.inRange(way, (-margin, -margin), (width - 1 + margin, height - 1 + margin))
    return np.asarray(held > 0)


def fetch(image: NDArray[np.float32], way: Field) -> NDArray[np.float32]:
    """An image at other positions; 0 outside it."""
    found: NDArray[np.float32] = cv2.remap(image, way, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return found
