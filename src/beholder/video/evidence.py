"""Typed evidence of one clip: all that measures read. It is small; frames and flow stay in the readouts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from beholder.video.types import Clock, Floats, Poses

Box = tuple[float, float, float, float]  # left, top, right, bottom as shares of the frame's width and height


class Event(NamedTuple):
    """Something that happened at a moment, and where."""

    kind: str  # vanish_or_emerge, quality_drop, judder, jerk, wobble, bone, joint, shot_cut …
    start: float  # seconds
    end: float
    box: Box | None = None
    strength: float = 1.0  # 0 … 1: how much it counts
    why: str = ""  # why it is excused, or nothing


@dataclass(frozen=True, eq=False)
class Facts:
    """What is known of a clip itself."""

    times: Floats  # seconds at which each frame is shown, from 0
    seconds: float  # how long the clip lasts
    clock: Clock
    shape: tuple[int, int]  # height and width of its frames
    analysed: tuple[int, int]  # the same as they were analysed
    ends_early: str = ""  # why not all frames could be read

    @property
    def rate(self) -> float:
        """Mean frames per second."""
        return len(self.times) / self.seconds


@dataclass(frozen=True, eq=False)
class Frames:
    """One number of each frame, at the clip's own rate."""

    sharpness: Floats  # Q_t: log of fine over coarse contrast energy
    luma: Floats  # mean level, 0 … 255
    difference: Floats  # mean |I_t − I_{t−1}| in levels; the first is 0
    extra: dict[str, Floats]  # further quality series by name


@dataclass(frozen=True, eq=False)
class Camera:
    """The motion of the camera over each analysed pair of frames, from a robust homography."""

    times: Floats  # seconds: of the second frame of each pair
    steps: Floats  # seconds between the two
    pan: Floats  # (n, 2) right and down, frame diagonals per second; motion of the picture, not of the camera
    zoom: Floats  # log of the magnification per second
    roll: Floats  # degrees per second, counter-clockwise
    inliers: Floats  # share of the flow that the homography explains
    homographies: Floats  # (n, 3, 3), in px of the analysed frames
    together: Floats = field(default_factory=lambda: np.empty(0))  # at the first frame of each pair: share of the frame
    # that speeds up and slows down as the camera does; of the first pair 1, NaN where flow cannot be trusted


@dataclass(frozen=True, eq=False)
class Motion:
    """How fast what moves against the background moves, over each analysed pair."""

    times: Floats
    speed: Floats  # D_t: mean residual speed of the moving pixels, diagonals per second; 0 where nothing moves
    area: Floats  # share of the frame that moves
    whole: Floats  # mean speed of everything, camera included, diagonals per second
    pace: Floats = field(default_factory=lambda: np.empty(0))  # how many of its neighbours' steps each pair makes; 1
    # where its motion is unlike theirs


class Track(NamedTuple):
    """A moving segment followed as a whole."""

    times: Floats
    boxes: Floats  # (n, 4), as `Box`
    areas: Floats  # shares of the frame


@dataclass(frozen=True, eq=False)
class Coherence:
    """Candidates of things that vanish, emerge or jump, and how much of the clip could be looked at."""

    events: tuple[Event, ...]  # excused ones with their reason
    shot_cuts: tuple[float, ...]  # seconds
    assessed: float  # share of the pairs
    seconds: float  # that were assessed
    frames: int  # analysed


@dataclass(frozen=True, eq=False)
class Deformation:
    """How far motion is neither rigid nor smooth in time."""

    times: Floats
    oscillation: Floats  # O_t: share of the frame that swings where no rigid motion explains it, weighted up to 3
    restless: Floats  # K_t: share of the frame with accelerating non-affine motion
    bending: Floats  # B_t: mean bending, px per frame at 320 × 180 and 13.5 frames/s
    reliable: float  # mean share of the frame with trustworthy flow
    events: tuple[Event, ...]


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that was found in one clip."""

    facts: Facts
    frames: Frames
    camera: Camera
    motion: Motion
    tracks: tuple[Track, ...]
    coherence: Coherence
    deformation: Deformation
    poses: tuple[Poses, ...] = ()
    classes: Floats | None = None  # (views, 5): how probable a network finds Bad … Perfect
    no_subject: str = ""  # why a backend that looks for the subject by its noun has none; others take what moves
