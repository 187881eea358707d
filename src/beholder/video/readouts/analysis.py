"""The one pass over a clip: decode, flow, camera, and everything that measures read."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import cv2

from beholder.video.evidence import Evidence
from beholder.video.readouts.camera import camera
from beholder.video.readouts.deformation import deformation
from beholder.video.readouts.flow import pair
from beholder.video.readouts.footage import Footage, stretches
from beholder.video.readouts.joining import join
from beholder.video.readouts.local_cuts import coherence
from beholder.video.readouts.motion import motion
from beholder.video.readouts.segments import Mask
from beholder.video.types import Clip, Poses


@singledispatch
def analyse(answer: Any, stimulus: Any) -> Evidence:
    """The readout of all measures. Answers of other types join by `analyse.register`."""
    raise TypeError(f"got an answer of {type(answer).__name__}; expected a clip; register a readout of this type")


@analyse.register
def _clip(answer: Clip, stimulus: Any) -> Evidence:
    return join([evidence_of(part, answer.poses) for part in stretches(answer)])


def evidence_of(footage: Footage, poses: tuple[Poses, ...], subject: Sequence[Mask] | None = None) -> Evidence:
    """All that classical perception finds in a stretch of a clip.

    `subject` has a mask for the first frame of each pair, on the coarse grid; without it, the subject is what moves.
    """
    grey = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in footage.pixels]
    pairs = [pair(first, second) for first, second in itertools.pairwise(grey)]
    moving, tracks = motion(footage, pairs, subject)
    return Evidence(
        footage.facts,
        footage.frames,
        camera(footage, pairs),
        moving,
        tracks,
        coherence(footage, pairs),
        deformation(footage, pairs, poses),
        poses,
    )
