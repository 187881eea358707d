"""How a point of mass 1 moves in the field of masses that it inhibits: ä + λ ȧ = α E, and ∂I/∂t + β I = β g(x − a)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from beholder.attention.models._field import between, inhibit, inhibited_pulls, lattice, transform_is_cheaper
from beholder.attention.types import Floats
from beholder.errors import Misuse

Solver = Literal["verlet", "lsoda"]
Sums = Literal["auto", "direct", "fft"]
Pull = Callable[[Floats], Floats]  # from points (n, 2) to the acceleration there, px/s²

TOLERANCE = 1e-8  # of LSODA
SMALL = 1e-2  # λh below which a series is exact to 16 digits, and a difference is not


@dataclass(frozen=True)
class Law:
    """The constants of the gravitational model, ours: the source names none.

    Chosen among some 900 draws on five photographs of scikit-image and on the pictures of the dataset `simulated`: 2.6
    to 2.9 fixations a second (people: 2.7 on MIT1003, 3.1 on OSIE), in 4 to 5 of 5 × 5 cells within 3 to 5 s, and
    saccades whose amplitudes and turns are nearest to those of the simulated observers. That rate is all that was taken
    from people; no fixation of anybody was read.

    One β is the rate at which inhibition grows and at which it fades, so that no draw both rests and explores: with λ
    of 20/s or more, where the eye stands still until it is driven away, it goes to and fro between two or three places.
    With these constants it swings (λ is far below 2 √(α/2), that of critical damping over even masses), and its
    fixations, of 0.1 s, are where it turns. The released program inhibits within 0.3 s and forgets within 3 s, which
    the equation cannot; in its terms λ is 37.5/s, β 0.33/s, and σ 13 % of the longer side.
    """

    alpha: float = 350.0  # deg/s²: what masses of 1 per degree weigh
    damping: float = 2.5  # λ, 1/s
    beta: float = 1.7  # 1/s: how fast inhibition grows and fades; 0 for none
    sigma: float = 7.0  # deg: how wide it is
    solver: Solver = "verlet"
    sums: Sums = "auto"  # how the field is found: "direct", "fft", or whichever costs less

    def __post_init__(self) -> None:
        if not (self.alpha > 0 and self.damping > 0 and self.beta >= 0 and self.sigma > 0):
            raise Misuse(
                f"got alpha={self.alpha}, damping={self.damping}, beta={self.beta}, sigma={self.sigma}; "
                "expected numbers above 0, or 0 for beta"
            )
        if self.solver not in ("verlet", "lsoda") or self.sums not in ("auto", "direct", "fft"):
            raise Misuse(
                f"got solver={self.solver!r}, sums={self.sums!r}; expected 'verlet' or 'lsoda', and 'auto', 'direct' "
                "or 'fft'"
            )


@dataclass(frozen=True, eq=False)
class Retina:
    """What pulls: masses per degree on pixels, frame by frame."""

    masses: Floats  # (T, H, W)
    px_per_deg: float
    hertz: float = 1.0  # frames a second

    def at(self, time: float) -> int:
        """The frame that is shown at a time in seconds; the last one stays."""
        return min(int(time * self.hertz + 1e-9), len(self.masses) - 1)

    @property
    def size(self) -> Floats:
        """Columns and rows."""
        return np.array(self.masses.shape[:0:-1], np.float64)


def fall(
    retina: Retina, law: Law, *, start: Floats, hertz: float, steps: int, inhibited: Floats | None = None
) -> Floats:
    """Positions and velocities (n, steps + 1, 4) of n observers, in px and px/s, from `start` (n, 4) on.

    In each step of 1/hertz s inhibition is advanced exactly, as if the eye stood still in the middle of it. It begins
    with `inhibited` (H, W), nothing where none is given.
    """
    world = _World(retina, law, len(start), 1 / hertz, steps)
    if inhibited is not None and law.beta:
        world.inhibition[:] = inhibited
    step = _verlet if law.solver == "verlet" else _lsoda
    states = np.empty((len(start), steps + 1, 4))
    states[:, 0] = start
    pulled = world.pull(0.0)(start[:, :2])
    for at in range(steps):
        states[:, at + 1], pulled = step(states[:, at], pulled, world, at)
    return states


def inhibition_after(retina: Retina, law: Law, points: Floats, seconds: Floats) -> Floats:
    """What is inhibited (H, W) after fixations at points (n, 2), px, of so many seconds each, one after the other."""
    found, kept = np.zeros((1, *retina.masses.shape[1:])), np.exp(-law.beta * seconds)
    for point, keep in zip(points, kept.tolist(), strict=True):
        inhibit(found, np.ascontiguousarray(point[None]), keep, law.sigma * retina.px_per_deg)
    return np.asarray(found[0])


class _World:
    """Masses, and what each observer has inhibited of them."""

    def __init__(self, retina: Retina, law: Law, count: int, step: float, steps: int) -> None:
        self.retina, self.law, self.step, self.count = retina, law, step, count
        shape = retina.masses.shape[1:]
        self.spread = law.sigma * retina.px_per_deg
        self.keep = float(np.exp(-law.beta * step))
        self.inhibition = np.zeros((count, *shape)) if law.beta else np.broadcast_to(0.0, (count, *shape))
        # With inhibition the mass is another after every step, and for every observer.
        held = count * steps / len(retina.masses) if law.beta == 0 else 1
        cheaper = transform_is_cheaper((shape[0], shape[1]), int(held))
        self.by_transform = law.sums == "fft" or (law.sums == "auto" and cheaper)
        self.kept: tuple[int, Floats] | None = None

    def inhibit(self, seen: Floats) -> None:
        """Advance inhibition by one step in which each observer saw one point."""
        if self.law.beta:
            inhibit(self.inhibition, seen, self.keep, self.spread)

    def pull(self, time: float) -> Pull:
        """α E at a time, px/s²: deg/s² times px/deg, and sums over pixels over px/deg, cancel."""
        frame = self.retina.at(time)
        mass = self.retina.masses[frame]
        if self.by_transform:
            grids = self._grids(frame, mass)
            return lambda points: (
                self.law.alpha
                * np.concatenate([between(grids[one % len(grids)], points[one : one + 1]) for one in range(self.count)])
            )
        own = np.broadcast_to(mass, (self.count, *mass.shape))
        return lambda points: self.law.alpha * inhibited_pulls(own, self.inhibition, points)

    def _grids(self, frame: int, mass: Floats) -> Floats:
        """Fields (n, 2, H, W), or one for all where nothing is inhibited."""
        if self.law.beta:
            return np.stack([lattice(mass * (1 - each)) for each in self.inhibition])
        if self.kept is None or self.kept[0] != frame:
            self.kept = frame, lattice(mass)[None]
        return self.kept[1]


def _verlet(state: Floats, pulled: Floats, world: _World, at: int) -> tuple[Floats, Floats]:
    """One step of velocity Verlet with exact damping: exact in a constant field, of second order in any other.

    a₁ = a₀ + p v₀ + (h − p)/λ E₀, v₁ = e^(−λh) v₀ + p E₀ + (h − p)/(λh) (E₁ − E₀), p = (1 − e^(−λh))/λ.
    """
    h = world.step
    kept, p, q = damped_step(world.law.damping, h)
    place, speed = state[:, :2], state[:, 2:]
    there = place + p * speed + q * pulled
    inside, turned = reflected(there, world.retina.size)
    world.inhibit((place + inside) / 2)
    new = world.pull((at + 1) * h)(inside)
    # A reflection turns all that was before it.
    velocity = turned * (kept * speed + p * pulled) + q / h * (new - turned * pulled)
    return np.concatenate([inside, velocity], axis=1), new


def damped_step(damping: float, h: float) -> tuple[float, float, float]:
    """e^(−λh), p = (1 − e^(−λh))/λ and q = (h − p)/λ, without loss however small λ is: then 1, h and h²/2.

    >>> [round(value, 6) for value in damped_step(1e-12, 0.5)]
    [1.0, 0.5, 0.125]
    """
    x = damping * h
    # q/h² = 1/2 − x/6 + x²/24 − …: where x is small, the difference has no digits left.
    series = sum((-x) ** k / math.factorial(k + 2) for k in range(6))
    return math.exp(-x), -math.expm1(-x) / damping, h**2 * (series if x < SMALL else (x + math.expm1(-x)) / x**2)


def _lsoda(state: Floats, pulled: Floats, world: _World, at: int) -> tuple[Floats, Floats]:
    """The same time by SciPy's odeint, the masses standing still within it; beyond the border all is mirrored."""
    from scipy.integrate import odeint

    pull, count = world.pull(at * world.step), world.count

    def slope(flat: Floats, time: float) -> Floats:
        now = flat.reshape(count, 4)
        inside, turned = reflected(now[:, :2], world.retina.size)
        force = turned * pull(inside) - world.law.damping * now[:, 2:]
        return np.concatenate([now[:, 2:], force], axis=1).ravel()

    times = [0.0, world.step]
    after = odeint(slope, state.ravel(), times, rtol=TOLERANCE, atol=TOLERANCE)[-1].reshape(count, 4)
    inside, turned = reflected(after[:, :2], world.retina.size)
    world.inhibit((state[:, :2] + inside) / 2)
    return np.concatenate([inside, turned * after[:, 2:]], axis=1), pulled


def reflected(points: Floats, size: Floats) -> tuple[Floats, Floats]:
    """Points (n, 2) folded back at the borders 0 and `size`, and −1 where the direction of motion has turned.

    >>> reflected(np.array([[-1.0, 12.0]]), np.array([8.0, 10.0]))
    (array([[1., 8.]]), array([[-1., -1.]]))
    """
    turns = np.floor(points / size)
    folded = points - turns * size
    odd = turns % 2 == 1
    return np.where(odd, size - folded, folded), np.where(odd, -1.0, 1.0)
