"""What models of two areas share: V1 matches what it saw before under the feedback of MT, and MT pools it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.motion.frame_pairs import Frames, relative
from beholder.motion.models._jets import jets
from beholder.motion.types import Areas, Movie, Units
from beholder.vision.filters import blurred

Places = tuple[NDArray[np.intp], ...]  # rows, columns
Activity = NDArray[np.float32]  # (places, velocities)
Pools = NDArray[np.float32]  # (bins, block rows, block columns, velocities)

# Facts of the card of every model of this kind: the datasets of the kind of stimulus on which the constants below were
# chosen, and what the range of velocities leaves out.
TUNED_ON = "diamonds, bars, classical, full, contrasts"
LIMITS = "sees speeds up to 19 deg/s at 8 px/deg; the gratings of Tlapale et al. (2012) move at 37 deg/s"

STEP = 0.02  # seconds an update takes, in every scene: what makes updates of a model into milliseconds
LAG = 2  # updates between the two frames that are matched
CUT = 0.87  # of the best match at a place: what does not come near it is no match (ours)
SMALL = 0.75  # px: the Gaussian of V1
SPREAD = 0.75  # px per lag: the Gaussian of velocity, as in the source
MADE_UP = 0.3  # power of what that Gaussian keeps in the range, by which it is divided (ours)
LEAK = 0.01  # of the competition, as in the source
BLOCK = 2  # px: MT is kept on a coarser grid, which its Gaussian does not notice
RARE = 0.02  # of a neighbourhood: a luminance that has less of it counts as having that much (ours)
NOTHING = 1e-6  # an activity below it is 0, and so is a pool of squares below its square: the smallest numbers that
# there are would slow every product down


class Moment(NamedTuple):
    """What V1 and MT do at the places where there is something to see, after an update."""

    at: Places
    v1: Activity
    mt: Activity


@dataclass(frozen=True)
class Cortex:
    """V1 and MT over a table of velocities, px per lag.

    MT pools under a Gaussian of `width` px, within each of some `bins` of luminance.
    """

    gain: float
    reach: int
    width: float
    bins: int = 1
    lag: int = LAG

    def __post_init__(self) -> None:
        if not self.gain >= 0 or self.reach < 1:
            raise Misuse(f"got gain={self.gain}, reach={self.reach}; expected 0 or more, and 1 or more")

    @cached_property
    def velocities(self) -> NDArray[np.intp]:
        """All velocities (n, 2) of a disc, px per lag, u right and v down."""
        axis = np.arange(-self.reach, self.reach + 1)
        square = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
        # A little more than the reach: a smooth disc of as many velocities as a square that reaches a pixel less far.
        return np.asarray(square[np.hypot(*square.T) <= self.reach + 0.3])

    @cached_property
    def spread(self) -> NDArray[np.float32]:
        """The Gaussian over velocities, as a matrix. What leaves the range is lost, which favours its middle: in part
        this is made up for, so that an edge by itself is for no velocity along its constraint."""
        apart = ((self.velocities[:, None] - self.velocities) ** 2).sum(axis=-1)
        near = np.exp(-apart / (2 * SPREAD**2))
        near = np.where(near > 1e-6, near, 0) / near.sum(axis=0).max()
        return np.asarray(near / near.sum(axis=0) ** MADE_UP, np.float32)

    def watch(self, frames: Frames) -> Iterator[Moment]:
        """What both areas do after each frame from the one numbered `lag` on."""
        seen = jets(frames)
        box = self.box(np.asarray(seen.any(axis=(0, 3))))
        corner = tuple(side.start for side in box)
        for moment in self._watch(frames[:, *box], seen[:, *box]):
            yield moment._replace(at=tuple(axis + start for axis, start in zip(moment.at, corner, strict=True)))

    def box(self, seen: NDArray[np.bool_]) -> tuple[slice, ...]:
        """Whole blocks around all that is ever seen, and as far beyond as feedback may come from."""
        around = (self.reach // BLOCK + 2) * BLOCK
        sides = []
        for axis in (1, 0):
            found = np.flatnonzero(seen.any(axis=axis))
            first, last = (found[0], found[-1]) if found.size else (0, 0)
            sides.append(slice(max(first - around, 0) // BLOCK * BLOCK, (last + around) // BLOCK * BLOCK + BLOCK))
        return tuple(sides)

    def _watch(self, frames: Frames, seen: NDArray[np.float32]) -> Iterator[Moment]:
        pools = np.zeros((self.bins, *_blocked(seen[0]).shape[:2], len(self.velocities)), np.float32)
        rest, step = np.zeros(self.velocities.shape, np.float32), (self.velocities / self.lag).astype(np.float32)
        for frame, before, now in zip(frames, seen, seen[self.lag :], strict=False):
            at = np.nonzero(before.any(axis=-1))
            light = luminance_bins(frame, self.bins)
            gates = light[at]
            expected = self.compete(lifted(pools, gates, at=at, shift=step))
            v1 = self.v1(self.matches(before, now, at) * (1 + self.gain * expected), at, frame.shape)
            pools = self.pooled(v1, light, at)
            yield Moment(at, v1, self.compete(lifted(pools, gates, at=at, shift=rest)))

    def matches(self, before: Frames, now: Frames, at: Places) -> Activity:
        """How well each place agrees with those to which a velocity would have brought it, without poor matches."""
        margin = ((self.reach, self.reach), (self.reach, self.reach), (0, 0))
        places = np.stack(at, axis=1) + self.reach
        return selected(matched(before[at], np.pad(now, margin), places, self.velocities), CUT)

    def v1(self, modulated: Activity, at: Places, shape: tuple[int, ...]) -> Activity:
        """V1 after its Gaussian of space and competition."""
        return self.compete(blurred(_laid(np.square(modulated, out=modulated), at, shape), SMALL, outside="zero")[at])

    def pooled(self, v1: Activity, light: Frames, at: Places) -> Pools:
        """What MT pools in each bin of luminance, over the share that the bin has of the neighbourhood."""
        share = np.maximum(blurred(_blocked(light), self.width / BLOCK), RARE)
        number = np.full((BLOCK * share.shape[0], BLOCK * share.shape[1]), -1)
        number[at] = np.arange(len(v1))
        maps = [squared_in_blocks(v1, np.ascontiguousarray(gate), number) for gate in light[at].T]
        pooled = [blurred(one, self.width / BLOCK, outside="zero") for one in maps]
        return np.stack([one / share[..., [bin]] for bin, one in enumerate(pooled)])

    def compete(self, pooled: Activity) -> Activity:
        """The Gaussian of velocity, then shunting competition."""
        return competed(np.where(pooled > NOTHING**2, pooled, np.float32(0)) @ self.spread, LEAK, NOTHING)


def seen_by(cortex: Cortex, movie: Movie) -> Areas:
    """What MT answers to a movie, px/frame, and the mean activity of both areas; NaN and 0 until it has begun.

    An update ends with the frame that it has just seen; until the next one the answer stays. A movie of so few frames
    a second that one takes 40 ms or more has a lag of one frame.
    """
    every = max(1, round(STEP * movie.hertz))
    cortex = replace(cortex, lag=LAG if every / movie.hertz < 2 * STEP else 1)
    pairs, frame = len(movie.frames) - 1, movie.frames.shape[1:]
    answer = np.full((pairs, *frame, 2), np.nan, np.float32)
    activity = np.zeros((2, pairs, len(cortex.velocities)))
    for update, moment in enumerate(cortex.watch(relative(movie)[::every])):
        first = (cortex.lag + update) * every - 1
        now = slice(first, first + every)
        answer[now] = _field(moment, cortex.velocities, frame) / (cortex.lag * every)
        activity[:, now] = [[_mean(moment.v1)], [_mean(moment.mt)]]
    u, v = cortex.velocities.T / (cortex.lag * every)
    preferred = np.degrees(np.arctan2(-v, u)), np.hypot(u, v)
    return Areas(answer, {name: Units(one, *preferred) for name, one in zip(("V1", "MT"), activity, strict=True)})


def luminance_bins(frame: NDArray[np.float32], bins: int) -> Frames:
    """How much a luminance of 0 … 1 belongs to each of some bins that overlap: hats that add up to 1; (…, bins).

    >>> luminance_bins(np.float32([0.0, 0.5, 0.75]), 3).tolist(), luminance_bins(np.float32([0.7]), 1).tolist()
    ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]], [[1.0]])
    """
    apart = np.abs(frame[..., None] * np.float32(bins - 1) - np.arange(bins, dtype=np.float32))
    return np.asarray(np.maximum(1 - apart, 0) if bins > 1 else np.ones_like(apart), np.float32)


def lifted(pools: Pools, gates: NDArray[np.float32], *, at: Places, shift: NDArray[np.float32]) -> Activity:
    """What was pooled where each velocity would have come from after some shifts, in the bins of each place's light."""
    margin = int(np.ceil(np.abs(shift).max(initial=0) / BLOCK)) + 1
    wide = np.pad(pools, ((0, 0), (margin, margin), (margin, margin), (0, 0)))
    # The centre of a block of 2 px lies between them.
    places = np.stack(at, axis=1) / BLOCK + (1 / BLOCK - 1) / 2 + margin
    return interpolated(wide, gates, places.astype(np.float32), shift / np.float32(BLOCK))


@compiled
def interpolated(
    wide: Pools, gates: NDArray[np.float32], places: NDArray[np.float32], shift: NDArray[np.float32]
) -> Activity:
    """Bilinear interpolation at (row, column) − shift (right, down) for each place and velocity."""
    found = np.zeros((len(places), len(shift)), np.float32)
    for p in range(len(places)):
        for k in range(gates.shape[1]):
            gate = gates[p, k]
            if gate == 0:
                continue
            pool = wide[k]
            for j in range(len(shift)):
                row, column = places[p, 0] - shift[j, 1], places[p, 1] - shift[j, 0]
                top, left = int(row), int(column)  # both are above 0
                down, right = row - np.float32(top), column - np.float32(left)
                upper = pool[top, left, j] + right * (pool[top, left + 1, j] - pool[top, left, j])
                lower = pool[top + 1, left, j] + right * (pool[top + 1, left + 1, j] - pool[top + 1, left, j])
                found[p, j] += gate * (upper + down * (lower - upper))
    return found


@compiled
def matched(
    here: NDArray[np.float32], wide: Frames, places: NDArray[np.intp], velocities: NDArray[np.intp]
) -> Activity:
    """[Σ here · there]₊ over the channels, for each place and velocity."""
    found = np.zeros((len(places), len(velocities)), np.float32)
    for p in range(len(places)):
        for j in range(len(velocities)):
            there = wide[places[p, 0] + velocities[j, 1], places[p, 1] + velocities[j, 0]]
            total = np.float32(0)
            for channel in range(here.shape[1]):
                total += here[p, channel] * there[channel]
            found[p, j] = max(total, np.float32(0))
    return found


@compiled
def selected(found: Activity, cut: float) -> Activity:
    """[x − cut · best]₊ / (1 − cut) of each place, in place: what does not come near the best match is none."""
    share, rest = np.float32(cut), np.float32(1 - cut)
    for p in range(len(found)):
        row = found[p]
        best = np.float32(0)  # matches are not below it
        for j in range(len(row)):
            best = max(best, row[j])
        least = share * best
        for j in range(len(row)):
            row[j] = max(row[j] - least, np.float32(0)) / rest
    return found


@compiled
def competed(drive: Activity, leak: float, nothing: float) -> Activity:
    """(x − Σ x / 2n) / (leak + Σ x) over the n velocities of each place, in place; 0 where that is next to nothing.

    Sums have eight lanes, as NumPy's, whose digits they share for up to 128 velocities.
    """
    size = drive.shape[1]
    lanes, even = np.zeros(8, np.float32), size - size % 8
    for p in range(len(drive)):
        row = drive[p]
        lanes[:] = 0
        for j in range(0, even, 8):
            for k in range(8):
                lanes[k] += row[j + k]
        total = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
        for j in range(even, size):
            total += row[j]
        less, over = total / np.float32(2 * size), np.float32(leak) + total
        for j in range(size):
            activity = (row[j] - less) / over
            row[j] = activity if activity > np.float32(nothing) else np.float32(0)
    return drive


@compiled
def squared_in_blocks(activity: Activity, gate: NDArray[np.float32], number: NDArray[np.int64]) -> NDArray[np.float32]:
    """Σ gate · activity² / 4 over blocks of 2 × 2. `number` has the place at each pixel, −1 where there is none."""
    rows, columns, size = number.shape[0] // 2, number.shape[1] // 2, activity.shape[1]
    found = np.zeros((rows, columns, size), np.float32)
    at, weight = np.zeros(4, np.int64), np.zeros(4, np.float32)
    for y in range(rows):
        for x in range(columns):
            some = False
            for k in range(4):  # one diagonal, then the other
                place = number[2 * y + (k + 1) // 2 % 2, 2 * x + k % 2]
                at[k] = max(place, 0)
                weight[k] = gate[place] if place >= 0 else np.float32(0)
                some = some or weight[k] > 0
            if some:
                a, b, c, d = activity[at[0]], activity[at[1]], activity[at[2]], activity[at[3]]
                block = found[y, x]
                for j in range(size):
                    one = a[j] * a[j] * weight[0] + b[j] * b[j] * weight[1]
                    other = c[j] * c[j] * weight[2] + d[j] * d[j] * weight[3]
                    block[j] = (one + other) / np.float32(4)
    return found


def _laid(activity: Activity, at: Places, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Activity of some places on the whole frame, which is silent elsewhere."""
    grid = np.zeros((*shape, activity.shape[-1]), np.float32)
    grid[at] = activity
    return grid


def _blocked(grid: NDArray[np.float32]) -> NDArray[np.float32]:
    """Means of blocks of 2 × 2; beyond the border there is nothing."""
    rows, columns = grid.shape[:2]
    even = np.pad(grid, ((0, rows % BLOCK), (0, columns % BLOCK), (0, 0))) if rows % BLOCK or columns % BLOCK else grid
    return np.asarray((even[::2, ::2] + even[1::2, 1::2] + (even[1::2, ::2] + even[::2, 1::2])) / 4)


def _field(of: Moment, velocities: NDArray[np.intp], shape: tuple[int, ...]) -> NDArray[np.float32]:
    """The mean velocity of MT at each place, px per lag; NaN where nothing is active."""
    total = of.mt.sum(axis=-1, keepdims=True)
    found = np.full((*shape, 2), np.nan, np.float32)
    found[of.at] = np.where(total > 0, of.mt @ velocities / np.maximum(total, 1e-12), np.nan)
    return found


def _mean(activity: Activity) -> NDArray[np.float32]:
    """The mean over places; 0 where there are none."""
    return np.asarray(activity.sum(axis=0) / max(len(activity), 1), np.float32)
