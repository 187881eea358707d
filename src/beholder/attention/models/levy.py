"""Constrained Lévy exploration (Boccignone and Ferraro): long and short jumps over a landscape of salience."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from beholder.attention.models._field import between
from beholder.attention.models._paths import (
    Guide,
    Paths,
    Rng,
    clip_inside,
    guide_map,
    last_point,
    observer_count,
    one_or_many,
    start_points,
)
from beholder.attention.types import Floats, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.vision.blur import blurred

# Constants of the public program [V].
TOP, STEEP = 100.0, 0.01  # the map's maximum, and τ of the potential V = 100 exp(−τ s)
TIME, DRIFT, JUMP = 0.1, 0.5, 0.5  # h, k_P, k_R
WARMTH = 25.0  # T
PUBLIC = 50  # candidates of the program
SHARE = 6  # the focus of attention is the shorter side over that
ROUNDS = 100  # of candidates that all fell outside, after which the eye stays


@source("Boccignone2004", answers="scanpath", family="random walk", supervised="as its map")
def levy(
    picture: Picture,
    *,
    rng: Rng,
    many: int | None = None,
    of: Guide = "itti",
    fixations: int = 10,
    candidates: int = 3,
    strict_2004: bool = False,
    after: Scanpath | None = None,
) -> Paths:
    """Jumps x' = x + h (−k_P ∇V + k_R r (cos θ, sin θ)), r of Cauchy's law, on V = 100 exp(−0.01 s), s a map 0 … 100.

    Of the `candidates` inside the picture, the one with the greatest gain of salience, seen through a Gaussian, is
    taken: always if it gains, otherwise with probability exp(ΔS / 25). If it is refused, the eye stays. The signal
    `repeats` counts the refusals at each fixation, so that repeats / (repeats + 1) is the rate of refusals. Times are
    unknown. Observers begin within 0.17 of the shorter side from the middle, or, with `after`, at the last fixation of
    that path; the walk has no other memory.

    Deviation: errors of the public program are corrected. ∇V is a gradient at the eye (there: Laplacian-like
    differences at a wrong index); directions are uniform over the circle (there: folded into a quarter); the Gaussian
    has half the width of the focus of attention (there: 1 px); r has the scale FOA / (h k_R), so that half of all
    candidates lie within one focus (there: (2 FOA)², thousands of px); there are 3 candidates (there: 50, the best of
    which would always lie on the nearest peak); refused jumps do not repeat a fixation. strict_2004=True has the
    program's scale, quarter, Gaussian, candidates and repeats, but not its indices; its fixations then count refusals.
    """
    if fixations < 1 or candidates < 1:
        raise Misuse(f"got fixations={fixations}, candidates={candidates}; expected 1 or more of each")
    land = Landscape.of(TOP * guide_map(picture, of), strict=strict_2004, candidates=candidates)
    here = clip_inside(start_points(picture.shape, observer_count(many), rng), picture.shape)
    if after is not None:
        here = np.tile(last_point(after, picture.shape), (len(here), 1))
    if strict_2004:
        return one_or_many([_repeated(each) for each in _all_steps(land, here, rng, fixations)], many)
    return one_or_many([_merged(each, fixations) for each in _moves(land, here, rng, fixations)], many)


@dataclass(frozen=True, eq=False)
class Landscape:
    """What guides and bounds the jumps."""

    seen: Floats  # (1, H, W): salience through a Gaussian
    slope: Floats  # (2, H, W): −k_P ∇V, by x and y
    scale: float  # of r, px
    quarter: bool  # whether directions are folded
    candidates: int

    @staticmethod
    def of(salience: Floats, *, strict: bool, candidates: int) -> Landscape:
        """The landscape of a map from 0 to 100."""
        foa = min(salience.shape) / SHARE
        down, right = np.gradient(TOP * np.exp(-STEEP * salience))
        spread = 1.0 if strict else foa / 2
        scale = (2 * foa) ** 2 if strict else foa / (TIME * JUMP)
        seen = blurred(salience, spread, border="reflect")[None]
        return Landscape(seen, -DRIFT * np.stack([right, down]), scale, strict, PUBLIC if strict else candidates)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.seen.shape[1], self.seen.shape[2]

    def after(self, here: Floats, rng: Rng) -> Floats:
        """Where observers at points (n, 2) look next; those who stay are where they were."""
        there = self._best(here, rng)
        gain = between(self.seen, there)[:, 0] - between(self.seen, here)[:, 0]
        taken = np.log(rng.random(len(here))) < gain / WARMTH
        return np.where(taken[:, None], there, here)

    def _best(self, here: Floats, rng: Rng) -> Floats:
        """The candidate of the greatest salience for each observer; drawn again for those all of whose lie outside."""
        best, need = here.copy(), np.arange(len(here))
        for _ in range(ROUNDS):
            drawn = self._drawn(here[need], rng)
            flat = drawn.reshape(-1, 2)
            held = ((flat >= 0) & (flat < self.shape[::-1])).all(axis=1)
            values = np.where(held, between(self.seen, flat)[:, 0], -np.inf).reshape(len(need), -1)
            found = values.max(axis=1) > -np.inf
            best[need[found]] = drawn[found, values[found].argmax(axis=1)]
            need = need[~found]
            if not len(need):
                break
        return best

    def _drawn(self, here: Floats, rng: Rng) -> Floats:
        """(n, candidates, 2)."""
        size = len(here), self.candidates
        far = self.scale * rng.standard_cauchy(size)
        turn = rng.uniform(0, np.pi / 2 if self.quarter else 2 * np.pi, size)
        jump = JUMP * far[..., None] * np.stack([np.cos(turn), np.sin(turn)], axis=2)
        return np.asarray(here[:, None] + TIME * (between(self.slope, here)[:, None] + jump))


def _all_steps(land: Landscape, here: Floats, rng: Rng, count: int) -> Floats:
    """(n, count, 2): the eye after each step, whether it moved or not."""
    steps = [here]
    while len(steps) < count:
        steps.append(land.after(steps[-1], rng))
    return np.stack(steps, axis=1)


def _moves(land: Landscape, here: Floats, rng: Rng, count: int) -> Floats:
    """(n, t, 2): steps until everyone has left `count` places, or 100 steps for each."""
    steps = [here]
    moved = np.zeros(len(here), int)
    while moved.min() < count and len(steps) < ROUNDS * count:
        steps.append(land.after(steps[-1], rng))
        moved += (steps[-1] != steps[-2]).any(axis=1)
    return np.stack(steps, axis=1)


def _merged(steps: Floats, count: int) -> Scanpath:
    """The first places of a walk, with how often each was repeated."""
    starts = np.flatnonzero(np.r_[True, (np.diff(steps, axis=0) != 0).any(axis=1)])
    times = np.diff(np.r_[starts, len(steps)])[:count]
    x, y = steps[starts[:count]].T
    return scanpath(x, y, repeats=times - 1)


def _repeated(steps: Floats) -> Scanpath:
    return scanpath(*steps.T, repeats=np.zeros(len(steps)))
