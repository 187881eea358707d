"""What a video model sees and answers: prompts and clips; and the skeletons that may come with a clip."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Clock = Literal["file", "given", "assumed"]  # who says when frames are shown: the file, the maker or manifest, nobody

ASSUMED_RATE = 8.0  # frames/s where nobody says: that of VMBench's clips


class Skeleton(NamedTuple):
    """Which keypoints there are, which of them a bone joins, and where a joint has an angle."""

    name: str
    points: tuple[str, ...]
    bones: tuple[tuple[str, str], ...]
    joints: tuple[tuple[str, str, str], ...] = ()  # the angle at the second of three points
    mirrored: tuple[tuple[str, str], ...] = ()  # points of the left and the right side that belong together


@dataclass(frozen=True, eq=False)
class Poses:
    """The keypoints of one body in every frame of a clip."""

    skeleton: Skeleton
    points: Floats  # (T, K, 2): x, y as shares of the frame's width and height; NaN: not seen
    confidence: Floats  # (T, K): 0 … 1

    def __post_init__(self) -> None:
        shape = self.points.shape
        if self.points.ndim != 3 or shape[1:] != (len(self.skeleton.points), 2) or self.confidence.shape != shape[:2]:
            raise ValueError(
                f"got keypoints of {shape} and confidence of {self.confidence.shape}; "
                f"expected (T, {len(self.skeleton.points)}, 2) and (T, {len(self.skeleton.points)})"
            )


@dataclass(frozen=True, eq=False)
class Prompt:
    """What a generator is asked for; every field may be unknown."""

    text: str = ""
    subject: str = ""  # the noun of what should move
    seconds: float = math.nan
    rate: float = math.nan  # frames/s
    size: tuple[int, int] | None = None  # height and width
    scene: Any = None  # a `Script` of the generated dataset: what a toy generator draws


@dataclass(frozen=True, eq=False)
class Clip:
    """A clip: frames in memory, or in a file from which they are decoded when they are asked for.

    `rate` is what the maker or a manifest says (NaN: nothing); a file's own times count where it has any. `content` is
    a digest of the file's bytes, so that what was read of it is known again.
    """

    pixels: Bytes | None = None  # (T, H, W, 3)
    path: Path | None = None
    rate: float = math.nan
    poses: tuple[Poses, ...] = ()
    content: str = ""
    facts: dict[str, str] = field(default_factory=dict)  # what a manifest says of it

    def __post_init__(self) -> None:
        if (self.pixels is None) == (self.path is None):
            raise ValueError("got a clip with both or neither of pixels and path; expected one of them")
        if self.pixels is not None and not (
            self.pixels.dtype == np.uint8 and self.pixels.ndim == 4 and self.pixels.shape[3] == 3
        ):
            raise ValueError(
                f"got frames of {self.pixels.dtype} {self.pixels.shape}; expected uint8 (T, H, W, 3); convert them"
            )

    def at_rate(self, rate: float) -> Clip:
        """The same clip, shown at so many frames per second."""
        return replace(self, rate=rate)
