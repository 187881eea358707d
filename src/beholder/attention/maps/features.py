"""Features that may draw the eye, as maps: the gradient of brightness, motion and faces; and clips, which have motion.

A feature is a function from a `Picture` to a map of its size, f ≥ 0 per degree of visual angle; `FEATURES` has those of
one picture by name. Motion needs two frames: see `speeds`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.faces import face_map
from beholder.attention.maps.scaling import grey
from beholder.attention.types import Floats, Picture
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.vision.scales import resized

ASSUMED = 35.0  # px/deg where it is not known: MIT1003's
PER_SPEED = 0.1  # s: so that motion of 10 deg/s draws as much as a step of brightness from black to white in a degree
SMALLEST = 16  # px: a patch of 8 at half the size; OpenCV's search of motion crashes on less
GREY = 160  # of a clip that cannot be shown
NO_FRAMES = "the frames of this clip are not here"

Feature = Callable[[Picture], Floats]


@dataclass(frozen=True, eq=False)
class Clip:
    """A moving picture: frames of grey levels or colours, 0 … 255, sRGB; NaN px_per_deg where it is not known."""

    frames: NDArray[np.uint8]  # (T, H, W, 3), or (T, H, W) for grey
    hertz: float
    px_per_deg: float = np.nan

    def __post_init__(self) -> None:
        if self.frames.ndim not in (3, 4) or not len(self.frames):
            raise ValueError(f"got frames of shape {self.frames.shape}; expected (T, H, W) or (T, H, W, 3), T above 0")
        if not 0 < self.hertz < np.inf:
            raise ValueError(f"got {self.hertz} frames a second; expected a finite number above 0")

    def __len__(self) -> int:
        return len(self.frames)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.frames.shape[1], self.frames.shape[2]

    def at(self, frame: int) -> Picture:
        """One frame."""
        return Picture(self.frames[frame], self.px_per_deg)

    @property
    def pixels(self) -> NoReturn:
        """A clip has none: what looks at one picture is not applicable."""
        raise NotApplicable("this is a clip, but the model takes one picture; `Clip.at` gives a frame")


@dataclass(frozen=True, eq=False)
class Unseen:
    """A clip of which only size and length are known; a model that asks for its frames is not applicable."""

    shape: tuple[int, int]
    hertz: float
    count: int  # frames
    px_per_deg: float = np.nan

    def __len__(self) -> int:
        return self.count

    @property
    def frames(self) -> NoReturn:
        """There are none."""
        raise NotApplicable(NO_FRAMES)

    pixels = frames

    def at(self, frame: int) -> NoReturn:
        """There is none."""
        raise NotApplicable(NO_FRAMES)


def still_picture(shown: Picture | Clip | Unseen) -> Picture:
    """One picture to draw paths on: the middle frame of a clip, or plain grey if its frames are not here.

    >>> still_picture(Unseen((2, 3), 25.0, 9)).pixels.tolist()
    [[160, 160, 160], [160, 160, 160]]
    """
    if isinstance(shown, Unseen):
        return Picture(np.full(shown.shape, GREY, np.uint8), shown.px_per_deg)
    return shown.at(len(shown) // 2) if isinstance(shown, Clip) else shown


def px_per_deg_of(shown: Picture | Clip) -> float:
    """Pixels per degree; 35, those of MIT1003, where they are not known.

    >>> px_per_deg_of(Picture(np.zeros((8, 8), np.uint8))), px_per_deg_of(Picture(np.zeros((8, 8), np.uint8), 20.0))
    (35.0, 20.0)
    """
    return float(shown.px_per_deg) if np.isfinite(shown.px_per_deg) else ASSUMED


def gradient(picture: Picture) -> Floats:
    """f₁ = ‖∇b‖, brightness b in 0 … 1, per degree: central differences, one-sided at the border."""
    return steepness(grey(picture).astype(np.float64)) * px_per_deg_of(picture)


def steepness(brightness: Floats) -> Floats:
    """‖∇b‖ per pixel.

    >>> steepness(np.array([[0.0, 3.0, 6.0], [4.0, 7.0, 10.0]]))
    array([[5., 5., 5.],
           [5., 5., 5.]])
    """
    down, right = np.gradient(brightness)
    return np.asarray(np.hypot(down, right))


def faces(picture: Picture) -> Floats:
    """f₃ = h, 0 … 1: 1 in the middle of each face that OpenCV's cascade finds, a Gaussian of half its size."""
    return face_map(picture, picture.shape).astype(np.float64)


FEATURES: Mapping[str, Feature] = {"gradient": gradient, "faces": faces}
NAMES = (*FEATURES, "flow")


def speeds(clip: Clip) -> Floats:
    """f₂ = ‖v‖ of every frame (T, H, W), a tenth of deg/s: OpenCV's DIS from the frame before; the first as the second.

    A clip of one frame does not move.
    """
    import cv2

    if min(clip.shape) < SMALLEST:
        raise Misuse(f"got frames of {clip.shape} px; motion features need {SMALLEST} or more per side")
    levels = [np.rint(255 * grey(clip.at(frame))).astype(np.uint8) for frame in range(len(clip))]
    search = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    moved = [np.hypot(*np.moveaxis(search.calc(before, after, None), 2, 0)) for before, after in pairwise(levels)]
    still = np.zeros(clip.shape, np.float32)
    return np.stack([moved[0] if moved else still, *moved]) * float(PER_SPEED * clip.hertz / px_per_deg_of(clip))


def masses(
    shown: Picture | Clip, features: str | Sequence[str | Feature] = "gradient", *, shape: tuple[int, int] | None = None
) -> Floats:
    """Σ_i ‖f_i‖ of every frame, per degree: (T, rows, columns), T = 1 for a picture, at its size or the size `shape`.

    Each f_i is a name of `NAMES` or a function from a picture to a map; a string may hold several names, as in
    "gradient+faces". Brightness is brought to the size before its gradient is taken, all other features after they
    were found. A picture does not move: of it "flow" is 0.
    """
    wanted = features.split("+") if isinstance(features, str) else list(features)
    unknown = [name for name in wanted if isinstance(name, str) and name not in NAMES]
    if unknown or not wanted:
        raise Misuse(f"got features={features!r}; expected {', '.join(NAMES)}, or functions from a Picture to a map")
    size = shape or shown.shape
    frames = [shown] if isinstance(shown, Picture) else [shown.at(frame) for frame in range(len(shown))]
    names = [name for name in wanted if name != "flow"]
    found = np.stack([sum((_mass(name, each, size) for name in names), start=np.zeros(size)) for each in frames])
    if "flow" in wanted and isinstance(shown, Clip):
        found += [resized(each, size) for each in speeds(shown)]
    return found


def _mass(feature: str | Feature, picture: Picture, size: tuple[int, int]) -> Floats:
    if feature == "gradient":
        return (
            steepness(resized(grey(picture).astype(np.float64), size))
            * px_per_deg_of(picture)
            * size[1]
            / picture.shape[1]
        )
    return resized(_map(FEATURES[feature] if isinstance(feature, str) else feature, picture), size)


def _map(feature: Feature, picture: Picture) -> Floats:
    found = np.asarray(feature(picture), np.float64)
    name = getattr(feature, "__name__", "a feature")
    if found.shape != picture.shape:
        raise ValueError(f"got a map of {found.shape} from {name}; expected {picture.shape}, that of the picture")
    if not (np.isfinite(found).all() and found.min() >= 0):
        raise ValueError(f"got a map with values below 0 or not finite from {name}; expected masses of 0 or more")
    return found
