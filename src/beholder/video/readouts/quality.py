"""Quality of single frames: what motion smoothness is read from. Every frame of a clip is looked at, so it is cheap."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float32]  # levels of 0 … 255
SMALL = 1e-3  # levels²: a flat frame has a quality, too
VISIBLE = 1.5  # levels of the Laplacian: what is less is flat; rounding to whole levels alone makes about 1


class Quality(NamedTuple):
    """Two opinions on a frame; of both, more is better, and a difference is one of natural logarithms."""

    sharpness: float  # falls with blur
    detail: float  # falls with compression, too, which keeps edges and irons out all between them


def quality(grey: Grey) -> Quality:
    """Sharpness and detail of one frame."""
    fine = cv2.Laplacian(grey, cv2.CV_32F)
    sharp = np.log(_mean_square(fine) + SMALL) - np.log(_coarse(grey) + SMALL)
    lively = cv2.countNonZero(cv2.compare(cv2.absdiff(fine, 0.0), VISIBLE, cv2.CMP_GT)) / fine.size
    return Quality(float(sharp), float(np.log(lively + SMALL)))


def sharpness(grey: Grey) -> float:
    """Q = log(mean Laplacian²) − log(mean gradient² of the blurred frame): fine over coarse contrast.

    The ratio does not change with contrast or brightness; blur lowers it.
    """
    return quality(grey).sharpness


def _coarse(grey: Grey) -> float:
    """Mean gradient² of the frame blurred by 2 px, looked at in half its size."""
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(half, (0, 0), 1)
    steps = (cv2.Sobel(blurred, cv2.CV_32F, 1, 0, scale=1 / 16), cv2.Sobel(blurred, cv2.CV_32F, 0, 1, scale=1 / 16))
    return sum(_mean_square(step) for step in steps)


def _mean_square(values: NDArray[np.float32]) -> float:
    return float(cv2.norm(values, cv2.NORM_L2SQR)) / values.size
