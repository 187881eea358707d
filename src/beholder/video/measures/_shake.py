"""How far the picture is off its own smooth path: jitter, told from a hand that moves by its frequency."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from beholder.video.evidence import Evidence
from beholder.video.measures._holds import repeated
from beholder.video.types import Floats

ARM = 0.25  # diagonals: how far from the centre turning and zooming are looked at, about the mean distance of a pixel
SPAN = 5  # frames through which the path is laid
LONGEST = 1.5  # s: frames further apart say nothing about the path between them
SUBJECT, CAMERA = 0.35, 0.75  # share of the frame that jumps: a subject's jump, and surely the camera's


class Shake(NamedTuple):
    """How far the picture is off a smooth path at some frames, and whether it is the camera that is."""

    times: Floats
    off: Floats  # diagonals
    camera: Floats  # 0 … 1: 0 where only a part of the frame jumps, which then is the subject


class Path(NamedTuple):
    """Where the picture is in each frame that is new; repeated frames are left out."""

    times: Floats
    places: Floats  # (n, 4), diagonals: right, down, and the arm's ends under zoom and roll
    arrived: NDArray[np.bool_]  # whether the step to it is known
    together: Floats  # share of the frame that speeds up and slows down with the camera; NaN: unknown


def shake(found: Evidence) -> Shake:
    """Of every frame with two before and two after it, how far it is off the path of these five.

    e_t = |Σ_i w_i p_i| / √Σ w_i², w_i = 1/Π_{j≠i}(t_i − t_j): the fourth difference, (1, −4, 6, −4, 1)/√70 of even
    frames. It is 0 on any path that is a cubic in time, little of a hand that sways at 1 or 2 Hz, and of size σ where
    each frame jitters on its own with a deviation of σ.
    """
    way = path(found)
    if len(way.times) < SPAN:
        return Shake(np.empty(0), np.empty(0), np.empty(0))
    moments = sliding_window_view(way.times, SPAN)
    off = np.einsum("nk,ndk->nd", _fourth(moments), sliding_window_view(way.places, SPAN, axis=0))
    least = sliding_window_view(way.together[1:-1], SPAN - 2).min(axis=1)
    whole = sliding_window_view(way.arrived[1:], SPAN - 1).all(axis=1) & (moments[:, -1] - moments[:, 0] <= LONGEST)
    whole &= ~np.isnan(least)
    camera = np.clip((least - SUBJECT) / (CAMERA - SUBJECT), 0.0, 1.0)
    return Shake(moments[whole, SPAN // 2], np.linalg.norm(off, axis=1)[whole], camera[whole])


def _fourth(times: Floats) -> Floats:
    """Weights of the fourth difference at five times each, of unit length.

    >>> (_fourth(np.arange(5.0)[None]) * 70**0.5).round(6).tolist()
    [[1.0, -4.0, 6.0, -4.0, 1.0]]
    """
    apart = times[:, :, None] - times[:, None, :] + np.eye(SPAN)
    weights = 1 / apart.prod(axis=2)
    unit: Floats = weights / np.linalg.norm(weights, axis=1, keepdims=True)
    return unit


def path(found: Evidence) -> Path:
    """The places of the picture, from the motion of the camera over all pairs."""
    cam = found.camera
    steps = np.column_stack([cam.pan, ARM * cam.zoom, ARM * np.radians(cam.roll)]) * cam.steps[:, None]
    times = np.concatenate([cam.times[:1] - cam.steps[:1], cam.times])
    places = np.vstack([np.zeros((1, 4)), np.cumsum(steps, axis=0)])
    together = np.concatenate([cam.together if len(cam.together) else np.ones(len(cam.times)), [1.0]])
    fresh = np.concatenate([[True], ~repeated_pairs(found)])
    # a step to a frame that is kept is known if all steps since the last kept frame are
    lost = np.concatenate([[0], np.cumsum(_broken(found))])
    arrived = np.diff(lost[fresh], prepend=0) == 0
    return Path(times[fresh], places[fresh], arrived, together[fresh])


def repeated_pairs(found: Evidence) -> NDArray[np.bool_]:
    """Of each analysed pair: whether every frame after the first, up to the second, is a repeat."""
    times, cam = found.facts.times, found.camera
    fresh = np.concatenate([[0], np.cumsum(~repeated(found))])  # fresh[k]: how many of the first k frames are
    last = np.searchsorted(times, cam.times + 1e-9)
    first = np.searchsorted(times, cam.times - cam.steps + 1e-9)
    return np.asarray(fresh[last] == fresh[first])


def _broken(found: Evidence) -> NDArray[np.bool_]:
    """Of each analysed pair: whether there is a shot cut in it, or before it a change that was not analysed."""
    cam = found.camera
    starts = cam.times - cam.steps
    cuts = np.array(found.coherence.shot_cuts)[None]
    inside = (cuts > starts[:, None] + 1e-9) & (cuts <= cam.times[:, None] + 1e-9)
    missed = starts - np.concatenate([starts[:1], cam.times[:-1]]) > 1e-6
    return np.asarray(inside.any(axis=1) | missed)
