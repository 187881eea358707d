"""Ideal dynamics: an observer who multiplies the likelihoods of edges and corners, instant by instant.

It is told the normals of the edges and the true velocity, so it is an oracle and no model: it cannot see a movie.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.motion.types import Movie, Percept, Velocity, unit

Floats = NDArray[np.float64]

STEP = 0.01  # s between two looks (spec 6.10)
EDGES, CORNERS, PRIOR = 0.5, 5.0, 1.0  # standard deviations, in units of the object's speed (spec 6.10, from memory)


@source("Montagnini2007", dynamics="oracle", ms_per_step="10")
def recursive_bayes(percept: Percept, movie: Movie) -> Velocity:
    """The most probable velocity in each pair of frames, for a look every 10 ms from the onset of motion; 0 before it.

    In units of the speed: the prior is N(0, s₀² 1); each look multiplies it by N(v · nᵢ; v₀ · nᵢ, s₁²) for each kind of
    edge with the normal nᵢ, and by N(v; v₀, s₂²) for corners and line ends; the posterior is the next prior. After k
    looks v_k = (1/s₀² + k (Σ n nᵀ/s₁² + 1/s₂²))⁻¹ k (Σ n (n · v₀)/s₁² + v₀/s₂²), where k = t / 10 ms need not be whole.

    >>> up = Percept("bar", object_direction=90.0, speed=16.0, vector_average=90.0)
    >>> found = recursive_bayes(up, Movie(np.zeros((3, 2, 2), np.float32), 50.0, 8.0, onset=1)).velocity
    >>> found.round(2)  # one look: 16 · 4.04/5.04
    array([[ 0.  ,  0.  ],
           [ 0.  , 12.83]])
    """
    if not np.isfinite(percept.object_direction):
        return Velocity(np.full((len(movie.seconds), 2), np.nan))
    true = np.asarray(unit(percept.object_direction))
    looks = np.maximum(movie.seconds, 0) / STEP
    return Velocity(percept.speed * after(looks, true, normals=normals(percept)))


def after(
    looks: Floats, true: Floats, *, normals: Floats, deviations: tuple[float, float, float] | None = None
) -> Floats:
    """The closed form: the velocity (n, 2) after some numbers of looks. `deviations` are (s₁, s₂, s₀).

    >>> diagonal = np.array([[0.6, 0.8]])
    >>> after(np.array([1e9]), np.array([1.0, 0.0]), normals=diagonal).round(6) + 0.0
    array([[1., 0.]])
    """
    edges, corners, prior = (EDGES, CORNERS, PRIOR) if deviations is None else deviations
    if not min(edges, corners, prior) > 0:
        raise Misuse(f"got standard deviations {edges}, {corners}, {prior}; expected numbers above 0")
    evidence = normals.T @ normals / edges**2 + np.eye(2) / corners**2
    precision = np.eye(2) / prior**2 + looks[:, None, None] * evidence
    pull = looks[:, None] * (evidence @ true)
    return np.asarray(np.linalg.solve(precision, pull[..., None])[..., 0], np.float64)


def normals(percept: Percept) -> Floats:
    """The normals (n, 2) of the kinds of edges that a scene has: two of a diamond or a plaid, else one, or none.

    A figure full of texture has none: whatever it shows is as good as a corner.
    """
    its = percept.conditions
    if its.get("textured"):
        return np.zeros((0, 2))
    if percept.kind == "diamond" and {"tilt", "half_angle"} <= set(its):
        turn = its.get("turn", 1.0)
        angles = [percept.object_direction + turn * (its["tilt"] + side * its["half_angle"]) for side in (-1, 1)]
    elif {"first_normal", "second_normal"} <= set(its):
        turn = its.get("turn", 1.0)
        angles = [percept.object_direction + turn * its[name] for name in ("first_normal", "second_normal")]
    else:
        known = percept.normal_direction if np.isfinite(percept.normal_direction) else percept.vector_average
        angles = [known] if np.isfinite(known) else []
    return np.array([unit(angle) for angle in angles]).reshape(-1, 2)
