"""What a stereo model sees and answers, and what its answer is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[Any]  # uint8, or floats of 0 … 1; (H, W) or (H, W, 3)
Map = NDArray[np.float32]  # disparity in px of the left image; NaN: none
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Pair:
    """A rectified pair: the left pixel (x, y) of disparity d is the right pixel (x − d, y), 0 ≤ d < max_disparity."""

    left: Image
    right: Image
    max_disparity: int

    def __post_init__(self) -> None:
        for image in (self.left, self.right):
            if image.ndim not in (2, 3) or image.shape[2:] not in ((), (3,)) or image.size == 0:
                raise ValueError(f"got an image of shape {image.shape}; expected (H, W) or (H, W, 3)")
            if image.dtype != np.uint8 and not np.issubdtype(image.dtype, np.floating):
                raise ValueError(f"got an image of {image.dtype}; expected uint8, or floats of 0 … 1; convert it")
        if self.left.shape != self.right.shape:
            raise ValueError(
                f"got a pair of {self.left.shape} and {self.right.shape}; expected equal shapes; rectify it"
            )
        if self.max_disparity < 1:
            raise ValueError(f"got max_disparity {self.max_disparity}; expected 1 or more; count the disparities")

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of either image."""
        return self.left.shape[0], self.left.shape[1]


@dataclass(frozen=True, eq=False)
class Truth:
    """The true disparity of the left image, NaN where it is unknown, and the regions to which measures are confined.

    `views` are further images of the scene, which no model is shown, by the factor f of their baseline: 1 would be
    the right image, 0 the left one, negative factors stand to the left of it.
    """

    disparity: Map
    regions: Mapping[str, Mask] = field(default_factory=dict)
    status: str = ""  # of the truth, where it differs from the dataset's
    views: Mapping[float, Image] = field(default_factory=dict)  # view f sees the left pixel x at x − f·d

    def __post_init__(self) -> None:
        for name, mask in self.regions.items():
            if mask.shape != self.disparity.shape or mask.dtype != np.bool_:
                raise ValueError(
                    f"region {name}: got {mask.dtype} of shape {mask.shape}; expected bool of {self.disparity.shape}"
                )
        for factor, view in self.views.items():
            if view.shape[:2] != self.disparity.shape:
                raise ValueError(f"view {factor:g}: got an image of {view.shape}; expected {self.disparity.shape}")


def disparity_map(raw: Any, stimulus: Pair) -> Map:
    """A model's answer as a disparity map: float32, in px of the left image, NaN where there is no estimate.

    The shape must be that of the images, the numbers real. What is not finite or below 0 becomes NaN: no point in
    front of a rectified pair has a negative disparity, and matchers mark their holes so. A map of holes alone is
    an answer, if a poor one. Values above `max_disparity` stay: they are errors to be counted. Integers are taken
    as whole pixels: OpenCV's fixed point must be divided by 16 before.

    >>> pair = Pair(np.zeros((1, 4)), np.zeros((1, 4)), 16)
    >>> disparity_map([[3, -1, 0, 5]], pair)
    array([[ 3., nan,  0.,  5.]], dtype=float32)
    >>> disparity_map(np.zeros((2, 4)), pair)
    Traceback (most recent call last):
    ValueError: got a map of shape (2, 4); expected (1, 4), the shape of the left image; resize and rescale it
    """
    if raw is None:
        raise ValueError("got None; expected a disparity map; return it from the model")
    try:
        values = np.asarray(raw)
    except ValueError as error:
        raise ValueError(f"got rows of unequal length; expected {stimulus.shape}; return one array") from error
    if values.dtype.kind not in "fiu":
        raise ValueError(f"got a map of {values.dtype}; expected real numbers, float32 best; return disparities in px")
    if values.shape != stimulus.shape:
        raise ValueError(
            f"got a map of shape {values.shape}; expected {stimulus.shape}, the shape of the left image; "
            "resize and rescale it"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        found = values.astype(np.float32)
        return np.where(np.isfinite(found) & (found >= 0), found, np.float32(np.nan))
