"""Feedback between two areas, of the type of Bayerl and Neumann: MT tells V1 what to expect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from beholder.motion.models._pairs import Field, Fields, Frames, relative
from beholder.motion.types import Movie
from beholder.spine.cite import source
from beholder.spine.misuse import Misuse
from beholder.vision.filters import blurred, gabors, gaussian, oriented_energy

Places = tuple[NDArray[np.intp], ...]  # rows, columns
Activity = NDArray[np.float32]  # (places, velocities)

STEP = 0.02  # seconds an update takes, in every scene: what makes updates of the model into milliseconds
LAG = 2  # updates between the two frames that are correlated
FLOOR, SEEN = 0.3, 0.01  # of the greatest energy: what divides at least, and what counts as something to see (ours)
CUT = 0.87  # of the best match at a place: what does not come near it is no match (ours)
SMALL, LARGE, SPREAD = 0.75, 5.0, 0.75  # Gaussians: V1 and MT in px, velocity in px a lag
MADE_UP = 0.3  # power of what a velocity's Gaussian keeps in the range, by which it is divided (ours)
LEAK = 0.01  # of the competition, as in the source


@source("Bayerl2004", family="feedback", dynamics="recurrent", ms_per_step="20")
def feedback(movie: Movie, *, gain: float = 30.0, reach: int = 5) -> Fields:
    """V1 and MT, each in three steps at equilibrium, updated every 20 ms; the mean velocity of MT.

    For input s, a velocity of up to ± `reach` px in 40 ms at each place, and z the activity of MT before:
    a₁ = s (1 + C z), C = `gain` in V1 and 0 in MT; a₂ = a₁² under Gaussians of space (0.75 px in V1, 5 px in MT) and
    velocity (0.75); a₃ = [(a₂ − Σ a₂ / 2n) / (0.01 + Σ a₂)]₊ over the n velocities. The input correlates
    energies of 8 orientations, which are divided by their sum, 40 ms apart. V1 answers where there was something to
    see; elsewhere, and before the first 40 ms have passed, the answer is NaN. Between updates it stays. At less than
    50 frames/s an update takes a frame. What is faster than the range, 15.6 deg/s at 8 px/deg, is not seen as what it
    is: a grating of 37 deg/s seems to drift backwards.

    Deviation: written from the equations as they are remembered, not from the authors' program. The input comes from
    correlated energies instead of Reichardt detectors, without what is below 0.87 of the best match at its place.
    Feedback arrives where its velocity leads, not where it arose, and C is 30 instead of 100: else one end of a
    bar never convinces the rest. Constants were chosen once, on outline diamonds and bars of 10 deg/s at 8 px/deg.
    """
    if not gain >= 0 or reach < 1:
        raise Misuse(f"got gain={gain}, reach={reach}; expected 0 or more, and 1 or more")
    every = max(1, round(STEP * movie.hertz))
    lag = LAG if every / movie.hertz < 2 * STEP else 1  # updates; a frame of 40 ms or more is a lag by itself
    answer = np.full((len(movie.frames) - 1, *movie.frames.shape[1:], 2), np.nan, np.float32)
    for update, field in enumerate(_Areas(gain, reach, lag).watch(relative(movie)[::every])):
        pair = (lag + update) * every - 1  # it ends with the frame that this update has just seen
        answer[pair : pair + every] = field / (lag * every)
    return answer


@dataclass(frozen=True)
class _Areas:
    gain: float
    reach: int
    lag: int

    @cached_property
    def velocities(self) -> NDArray[np.intp]:
        """All velocities (n, 2), px a lag, u right and v down."""
        axis = np.arange(-self.reach, self.reach + 1)
        return np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)

    @cached_property
    def spread(self) -> NDArray[np.float32]:
        """The Gaussian over velocities, as a matrix. What leaves the range is lost, which favours its middle: in part
        this is made up for, so that an edge by itself is for no velocity along its constraint."""
        line = np.array([np.convolve(row, gaussian(SPREAD), "same") for row in np.eye(2 * self.reach + 1)])
        line /= line.sum(axis=0) ** MADE_UP
        return np.kron(line, line).astype(np.float32)

    def watch(self, frames: Frames) -> Iterator[Field]:
        """The field of MT, in px a lag, after each frame from the one numbered `lag` on."""
        energies = _normalised(frames)
        pool = np.zeros((*frames.shape[1:], len(self.velocities)), np.float32)
        for before, now in zip(energies[: -self.lag], energies[self.lag :], strict=True):
            at = np.nonzero(before.any(axis=-1))
            pool = self.update(pool, self.matches(before, now, at), at)
            yield self.field(self.compete(pool[at]), at, frames.shape[1:])

    def matches(self, before: Frames, now: Frames, at: Places) -> Activity:
        """How well each place's orientations agree with those to which a velocity would have brought them."""
        rows, columns = (axis + self.reach for axis in at)
        wide = np.pad(now, ((self.reach, self.reach), (self.reach, self.reach), (0, 0)))
        here = before[at]
        found = np.stack(
            [np.einsum("po,po->p", here, wide[rows + v, columns + u]) for u, v in self.velocities], axis=-1
        )
        return np.asarray(np.maximum(found - CUT * found.max(axis=-1, keepdims=True), 0) / (1 - CUT), np.float32)

    def update(self, pool: Frames, matches: Activity, at: Places) -> Frames:
        """What MT integrates in space, after V1 has seen these matches under the feedback of what MT did before."""
        modulated = matches * (1 + self.gain * self.compete(self.predicted(pool, at)))
        v1 = self.compete(_integrated(modulated, at, pool, SMALL)[at])
        return _integrated(v1, at, pool, LARGE)

    def predicted(self, pool: Frames, at: Places) -> Activity:
        """What was pooled where each velocity would have come from since the last update, between pixels if need be."""
        margin, n = self.reach, len(self.velocities)
        wide = np.pad(pool, ((margin, margin), (margin, margin), (0, 0)))
        row, column = wide.shape[1] * n, n  # strides, in numbers
        places = (at[0] + margin) * row + (at[1] + margin) * column
        right, down = (-self.velocities / self.lag).T
        found = np.zeros((len(places), n), np.float32)
        for way_down, way_right in product((np.floor, np.ceil), repeat=2):
            origins = (way_down(down) * row + way_right(right) * column).astype(int) + np.arange(n)
            found += wide.ravel()[places[:, None] + origins]
        return np.asarray(found / 4, np.float32)

    def compete(self, pooled: Activity) -> Activity:
        """The Gaussian of velocity, then shunting competition."""
        drive = pooled @ self.spread
        total = drive.sum(axis=-1, keepdims=True)
        return np.asarray(np.maximum((drive - total / (2 * drive.shape[-1])) / (LEAK + total), 0), np.float32)

    def field(self, activity: Activity, at: Places, shape: tuple[int, ...]) -> Field:
        """The mean velocity at each place, NaN where nothing is active."""
        total = activity.sum(axis=-1, keepdims=True)
        found = np.full((*shape, 2), np.nan, np.float32)
        found[at] = np.where(total > 0, activity @ self.velocities / np.maximum(total, 1e-12), np.nan)
        return found


def _integrated(activity: Activity, at: Places, like: Frames, sigma: float) -> Frames:
    """Squares under a Gaussian of space."""
    grid = np.zeros_like(like)
    grid[at] = activity**2
    return blurred(grid, sigma, outside="zero")


def _normalised(frames: Frames) -> Frames:
    """Energies of 8 orientations over their sum; 0 where there is next to nothing to see. (T, H, W, 8)"""
    bank = gabors(8, frequency=0.25, sigma=1.2)
    energies = np.stack([oriented_energy(frame, bank) for frame in frames])
    total = energies.sum(axis=-1, keepdims=True)
    # Rounding alone gives uniform frames of luminance 1 energies of some 1e-14.
    greatest = max(float(total.max()), 1e-9)
    return np.where(total > SEEN * greatest, energies / (total + FLOOR * greatest), np.float32(0))
