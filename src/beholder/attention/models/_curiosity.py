"""The equations of Eymol: eyes that are drawn by details and by what lies around, and keep brightness constant.

Two of its programs are here, by their right-hand sides: that of March 2017 ("cat2000") and the last one ("final").
States are rows, columns and their velocities, in px and units of 1/300 s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from beholder.attention.types import Floats
from beholder.jit import compiled

UNITS = 300  # of time, a second [V]
OMEGA = np.pi * 4 / UNITS  # four fixations a second [V]
STEP = 0.1  # units: the walls push with 2 κ, ω = 14, so that a leap of 0.1 is stable

# η, η', λ, θ, κ and the distance of the walls from the border, of the program of March 2017 [V].
CAT2000 = np.array([350.0, 2e4, 1e-3, 1e-3, 100.0, 1.0, OMEGA])


@dataclass(frozen=True)
class Final:
    """Constants of the last program [V]."""

    m: float = 1.0
    eta_b: float = 1139.25935
    eta_p: float = 124170.715
    lambd: float = 1e-6
    theta: float = 1.0
    k: float = 1e6
    omega: float = np.pi * 4 / 30
    wall: int = 5  # px inside the border


@dataclass(frozen=True, eq=False)
class Derivatives:
    """First and second derivatives of a map; 0 within 2 px of the border."""

    of: Floats
    first: Floats = field(init=False)  # (2, H, W): by rows, by columns
    second: Floats = field(init=False)  # (3, H, W): rows twice, columns twice, both

    def __post_init__(self) -> None:
        q, middle = self.of, slice(2, -2)
        first, second = np.zeros((2, *q.shape)), np.zeros((3, *q.shape))
        first[:, middle, middle] = (q[3:-1, 2:-2] - q[1:-3, 2:-2]) / 2, (q[2:-2, 3:-1] - q[2:-2, 1:-3]) / 2
        here = 2 * q[2:-2, 2:-2]
        crossed = (q[3:-1, 3:-1] - q[3:-1, 1:-3] - q[1:-3, 3:-1] + q[1:-3, 1:-3]) / 4
        wide = (q[4:, 2:-2] - here + q[:-4, 2:-2]) / 4, (q[2:-2, 4:] - here + q[2:-2, :-4]) / 4  # a spacing of 2 px
        second[:, middle, middle] = *wide, crossed
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)

    @property
    def rising(self) -> Floats:
        """½ ∇ ‖∇q‖² (2, H, W): where details grow."""
        down, right = self.first
        twice_down, twice_right, both = self.second
        return np.stack([down * twice_down + right * both, down * both + right * twice_right])


def drives(brightness: Floats, periphery: Floats) -> Floats:
    """(5, H, W): ½ ∇‖∇b‖², ½ ∇‖∇p‖² and ‖∇b‖², all that the program of March 2017 asks of a picture."""
    near, far = Derivatives(brightness), Derivatives(periphery)
    return np.concatenate([near.rising, far.rising, (near.first**2).sum(axis=0)[None]])


@compiled
def accelerations(fields: Floats, states: Floats, time: float, constants: Floats, found: Floats) -> None:
    """Put the accelerations (n, 2) of observers at states (n, 4) into `found`.

    [2 η cos² ωt B + 2 η' sin² ωt P − 4 λ B v² − θ (1 − 4 λ G) v + walls] / (1 − 4 λ G), with B, P and G of `drives` in
    the pixel of the eye.
    """
    eta, etap, lamb, theta, kappa, wall, omega = constants
    sides = fields.shape[1:]
    cosine, sine = np.cos(omega * time) ** 2, np.sin(omega * time) ** 2
    for one in range(len(states)):
        row = min(max(int(states[one, 0]), 0), sides[0] - 1)
        column = min(max(int(states[one, 1]), 0), sides[1] - 1)
        below = 1 - 4 * lamb * fields[4, row, column]
        square = states[one, 2] ** 2 + states[one, 3] ** 2
        for axis in range(2):
            near, far = fields[axis, row, column], fields[2 + axis, row, column]
            place, speed = states[one, axis], states[one, 2 + axis]
            push = -2 * kappa * (max(place - (sides[axis] - wall), 0.0) + min(place - wall, 0.0))
            drawn = 2 * eta * cosine * near + 2 * etap * sine * far - 4 * lamb * near * square
            found[one, axis] = (drawn - theta * below * speed + push) / below


def leaps(fields: Floats, start: Floats, *, every: int, count: int) -> Floats:
    """States (count, n, 4) of n observers each `every` steps of 0.1 units, by leapfrog: drift, kick, drift."""
    state, pushed = start.copy(), np.empty((len(start), 2))
    place, speed = state[:, :2], state[:, 2:]
    found = np.empty((count, *start.shape))
    for at in range(count * every):
        place += STEP / 2 * speed
        accelerations(fields, state, (at + 0.5) * STEP, CAT2000, pushed)
        speed += STEP * pushed
        place += STEP / 2 * speed
        if (at + 1) % every == 0:
            found[(at + 1) // every - 1] = state
    return found


def final_slope(brightness: Derivatives, periphery: Derivatives, law: Final) -> Callable[[Floats, float], Floats]:
    """The right-hand side of the last program, (v, a) at a state and a time.

    (m − 2 λ ∇b ∇bᵀ) a = C − V + B − D: C_i = 2 η_b cos ωt b_i b_ii + 2 η_p sin ωt p_i p_ii, neither squared; V the
    walls; B = 2 λ ∇b vᵀ Hess(b) v; D = θ (m v − 2 (∇b · v) ∇b). A still picture: nothing changes in time.
    """
    sides = brightness.of.shape

    def slope(state: Floats, time: float) -> Floats:
        place, speed = state[:2], state[2:]
        row, column = (min(max(int(at), 0), n - 1) for at, n in zip(place, sides, strict=True))
        near, bend = brightness.first[:, row, column], brightness.second[:, row, column]
        far, turn = periphery.first[:, row, column], periphery.second[:2, row, column]
        drawn = 2 * law.eta_b * np.cos(law.omega * time) * near * bend[:2]
        drawn += 2 * law.eta_p * np.sin(law.omega * time) * far * turn
        walls = 2 * law.k * (np.maximum(place - (np.array(sides) - law.wall), 0) + np.minimum(place - law.wall, 0))
        curved = bend[0] * speed[0] ** 2 + bend[1] * speed[1] ** 2 + 2 * bend[2] * speed[0] * speed[1]
        damped = law.theta * (law.m * speed - 2 * (near @ speed) * near)
        force = drawn - walls + 2 * law.lambd * near * curved - damped
        inertia = law.m * np.eye(2) - 2 * law.lambd * np.outer(near, near)
        return np.concatenate([speed, np.linalg.solve(inertia, force)])

    return slope
