"""Optical flow both ways between analysed frames, and the motion of the camera in it."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]  # (h, w, 2): right and down, px
GRID = (24, 32)  # points, rows and columns, to which the camera is fitted
CLOSE = 1.0  # px: forward and backward flow that agree so far are trusted; also the tolerance of the fit


class Pair(NamedTuple):
    """Two successive analysed frames, and how one becomes the other."""

    forward: Field  # of pixels of the first frame
    backward: Field  # of pixels of the second
    homography: NDArray[np.float64]  # (3, 3): where the background of the first frame goes
    inliers: float  # share of the trusted grid points that the homography explains

    @property
    def back(self) -> NDArray[np.float64]:
        """Where the background of the second frame came from."""
        return np.asarray(np.linalg.inv(self.homography), np.float64)

    @property
    def camera(self) -> Field:
        """The flow of the camera, on the first frame; made anew at each call."""
        return flow_of(self.homography, (self.forward.shape[0], self.forward.shape[1]))

    @property
    def camera_back(self) -> Field:
        """The way back, on the second frame; made anew at each call."""
        return flow_of(self.back, (self.forward.shape[0], self.forward.shape[1]))


def pair(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> Pair:
    """Flow both ways between two grey frames (DIS, medium preset), and the homography that explains most of it."""
    dis = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    forward: Field = dis.calc(first, second, None)
    backward: Field = dis.calc(second, first, None)
    matrix, inliers = fit_camera(forward, backward)
    return Pair(forward, backward, matrix, inliers)


def fit_camera(forward: Field, backward: Field) -> tuple[NDArray[np.float64], float]:
    """The homography of the background by MAGSAC over a grid of flow that agrees with its way back; its inliers.

    Where fewer than eight points can be trusted, or the fit turns the frame inside out, the camera is taken to rest
    and the share of inliers is 0.
    """
    height, width = forward.shape[:2]
    ys = np.linspace(4, height - 5, GRID[0])
    xs = np.linspace(4, width - 5, GRID[1])
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(np.float32)
    moved = points + sample(forward, points)
    back = moved + sample(backward, moved)
    inside = (moved >= 0).all(1) & (moved[:, 0] <= width - 1) & (moved[:, 1] <= height - 1)
    trusted = inside & (np.abs(back - points).max(1) < CLOSE)
    if trusted.sum() < 8:
        return np.eye(3), 0.0
    cv2.setRNGSeed(0)
    matrix, mask = cv2.findHomography(points[trusted], moved[trusted], cv2.USAC_MAGSAC, CLOSE)
    if matrix is None or not np.isfinite(matrix).all() or not 0.25 < np.linalg.det(matrix[:2, :2]) < 4:
        return np.eye(3), 0.0
    return matrix, float(np.mean(mask))


def sample(field: Field, points: NDArray[np.float32]) -> NDArray[np.float32]:
    """A field at some points (x, y), between its pixels."""
    at = points[None]
    found: NDArray[np.float32] = cv2.remap(
        field, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(found[0])


def places(shape: tuple[int, int]) -> Field:
    """The (x, y) of every pixel."""
    height, width = shape
    grid = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return np.stack(grid, axis=-1)


def flow_of(matrix: NDArray[np.float64], shape: tuple[int, int]) -> Field:
    """The flow of a homography."""
    at = places(shape)
    moved: Field = cv2.perspectiveTransform(at.reshape(1, -1, 2), matrix).reshape(at.shape)
    return moved - at


def fetched(image: NDArray[np.float32], flow: Field) -> NDArray[np.float32]:
    """An image as it is found at x + flow(x): the second frame, brought back to the first."""
    at = places((flow.shape[0], flow.shape[1])) + flow
    found: NDArray[np.float32] = cv2.remap(
        image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return found
