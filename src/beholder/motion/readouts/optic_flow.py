"""Rotation and expansion: what area MST reads out of a flow field."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.motion.readouts.populations import population
from beholder.motion.readouts.traces import support
from beholder.motion.types import Areas, Flow, Movie, Spirals

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OpticFlow:
    """How fast a scene turns and grows at each instant. NaN: not known."""

    seconds: Floats  # (n,), from the onset of motion
    rotation: Floats  # (n,), deg/s, positive counter-clockwise
    expansion: Floats  # (n,), 1/s, positive outwards: the relative growth of any length


class Affine(NamedTuple):
    """v(p) = translation + gradient · (p − centre)."""

    translation: Floats  # (2,), deg/s
    gradient: Floats  # (2, 2), 1/s

    @property
    def rotation(self) -> float:
        """Half the curl, in deg/s, positive counter-clockwise."""
        return float(np.degrees(self.gradient[1, 0] - self.gradient[0, 1]) / 2)

    @property
    def expansion(self) -> float:
        """Half the divergence, in 1/s."""
        return float(np.trace(self.gradient) / 2)


def affine(field: NDArray[Any], weights: NDArray[Any], *, px_per_deg: float) -> Affine:
    """The affine field nearest to a flow field (H, W, 2) in deg/s, by least squares under weights (H, W).

    Places are in degrees about the weights' centre of mass, y up. Pixels without a velocity are left out; all is NaN
    where those that remain lie on a line.

    >>> y, x = np.mgrid[:5, :7] / 4.0
    >>> turning = np.stack([y, x], axis=-1)  # rows go down: (−y, x) with y up is a turn of 1 rad/s
    >>> found = affine(turning, np.ones((5, 7)), px_per_deg=4.0)
    >>> round(found.rotation, 3), round(abs(found.expansion), 3)
    (57.296, 0.0)
    """
    held = np.isfinite(field).all(axis=-1) & (weights > 0)
    rows, columns = np.nonzero(held)
    mass = weights[held].astype(np.float64)
    places = np.stack([columns, -rows], axis=1) / px_per_deg
    centred = places - (mass @ places / mass.sum() if mass.size else 0.0)
    design = np.column_stack([np.ones(len(mass)), centred]) * np.sqrt(mass)[:, None]
    if np.linalg.matrix_rank(design) < 3:
        return Affine(np.full(2, np.nan), np.full((2, 2), np.nan))
    known = field[held].astype(np.float64) * np.sqrt(mass)[:, None]
    solution = np.linalg.lstsq(design, known, rcond=None)[0]
    return Affine(solution[0], solution[1:].T)


@singledispatch
def optic_flow(answer: Any, stimulus: Movie) -> OpticFlow:
    """The rotation and the expansion about the centre of the support, instant by instant.

    Of a flow field: of the affine field nearest to it, weighted by the stimulus' support as in `trace`. Of units that
    prefer spirals: Σ r ρ (cos ψ, sin ψ) / Σ r = (expansion, rotation), for preferred angles ψ and rates ρ.
    """
    raise NotApplicable(f"an answer of {type(answer).__name__} tells no rotation or expansion; a Flow or Spirals would")


@optic_flow.register
def _(answer: Flow, stimulus: Movie) -> OpticFlow:
    pairs = zip(answer.velocity, support(stimulus), strict=True)
    found = [affine(field, light, px_per_deg=stimulus.px_per_deg) for field, light in pairs]
    turns, growth = ([getattr(one, name) for one in found] for name in ("rotation", "expansion"))
    return OpticFlow(stimulus.seconds, np.array(turns, float), np.array(growth, float))


@optic_flow.register
def _(answer: Spirals, stimulus: Movie) -> OpticFlow:
    angles = np.radians(answer.angle)
    preferred = answer.rate[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    expansion, rotation = population(answer.responses, preferred).T
    return OpticFlow(stimulus.seconds, np.degrees(rotation), expansion)


@optic_flow.register
def _(answer: Areas, stimulus: Movie) -> OpticFlow:
    return optic_flow(answer.of.get("MST", answer.answer), stimulus)
