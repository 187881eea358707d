"""Models with two eyes, and those with one: what motion is seen in a scene that has depth."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.motion.frame_pairs import relative
from beholder.motion.models.slow_prior import normal_equations, posterior
from beholder.motion.readouts import trace
from beholder.motion.stimuli.depth import BinocularMovie
from beholder.motion.types import Answer, Movie, Trace, motion
from beholder.vision.filters import blurred, cube

Floats = NDArray[np.float64]
FARTHEST = 6  # px of disparity either way that are looked for
CHANGING = 0.1  # of the greatest spread over time: what changes less does not move
EDGE = 3  # px around what changes, where the edge of it stands still
RIM = 0.5  # deg around a hole that belong to the surround
SLOW = 0.1  # weight of the preference for slow motion, small beside the gradients of any picture


def accepted(raw: Any, pair: BinocularMovie) -> Answer:
    """A model's answer to a pair: a flow or velocities as for one movie, in the left eye's frame."""
    return motion(raw, pair.left)


def trace_of_pair(answer: Answer, pair: BinocularMovie) -> Trace:
    """The mean velocity of each instant, weighted by the support in the left eye."""
    return trace(answer, pair.left)


@source("Weiss2002", family="bayesian", dynamics="none")
def one_eye(pair: BinocularMovie) -> Floats:
    """One velocity for all that changes in the left eye's movie, and its edges; depth is not looked at.

    It is the least-squares velocity of all gradients there, with a weak preference for slow motion: still edges say
    that nothing crosses them, so that stripes behind a long hole seem to run along it.
    """
    return _common(pair.left, _grown(changing(pair.left), EDGE))


@source("Shimojo1989,Weiss2002", family="depth", dynamics="none")
def owned_ends(pair: BinocularMovie) -> Floats:
    """The same, but where what moves lies behind its surround, without its edges and line ends, which then belong to
    the surround, as Shimojo, Silverman and Nakayama conclude.

    The disparities of what moves and of what does not are those shifts, in whole pixels, at which the two eyes' first
    frames differ least there.

    Deviation: an illustration of ours of their rule, not a model of theirs.
    """
    moves = changing(pair.left)
    if disparity(pair, moves) >= disparity(pair, ~moves):
        return one_eye(pair)
    inner = _grown(moves, -round(RIM * pair.left.px_per_deg))
    return _common(pair.left, inner if inner.any() else moves)


def changing(movie: Movie) -> NDArray[np.bool_]:
    """Where luminance changes over time, (H, W)."""
    spread = movie.frames.std(axis=0)
    return np.asarray(spread > CHANGING * spread.max())


def disparity(pair: BinocularMovie, where: NDArray[np.bool_]) -> int:
    """By how many pixels a region lies further to the right in the left eye's first frame: what is near, above 0."""
    left, right = (movie.frames[0].astype(np.float64) for movie in (pair.left, pair.right))
    inside = where & _inner(where.shape)
    if not inside.any():
        return 0
    shifts = range(-FARTHEST, FARTHEST + 1)
    return min(shifts, key=lambda shift: np.square(left - np.roll(right, shift, axis=1))[inside].sum())


def _inner(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """All but the columns that a shift brings in from the other side."""
    columns = np.zeros(shape, bool)
    columns[:, FARTHEST:-FARTHEST] = True
    return columns


def _grown(region: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    """A region with so many pixels more all around, or less."""
    import cv2

    round_off = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(by) + 1, 2 * abs(by) + 1))
    change = cv2.dilate if by > 0 else cv2.erode
    return np.asarray(change(region.astype(np.uint8), round_off), bool)


def _common(movie: Movie, where: NDArray[np.bool_]) -> Floats:
    """One velocity per pair of frames in a region: u right, v down, px/frame."""
    smooth = [blurred(frame, 1.0) for frame in relative(movie)]
    gradients = (tuple(part[where] for part in cube(*pair)) for pair in pairwise(smooth))
    return np.array([posterior(*normal_equations(*these), prior=SLOW) for these in gradients])
