"""A scene under noise of its pixels: what is to be detected, and the blank in which there is nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import Derived, Floats, Scene
from beholder.motion.stimuli.sampling import Sampling
from beholder.motion.types import Percept

TICK = 1e-6  # s: instants that are nearer than this share their noise


@dataclass(frozen=True, eq=False)
class Noisy(Derived[Scene]):
    """A scene whose luminance is multiplied by 1 + σ z, z normal, new in every pixel and frame.

    The noise belongs to the grid: it does not turn with the scene, and a still preview is still under the noise of its
    one instant. `seed` tells one film of noise from another.
    """

    scene: Scene
    sigma: float = 0.1  # of the luminance, ours [placeholder]
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.sigma < np.inf or self.seed < 0:
            raise Misuse(f"noisy: got sigma={self.sigma:g}, seed={self.seed}; expected numbers of 0 or more")

    @property
    def percept(self) -> Percept:
        """What would be seen of the scene, of a kind of its own: whether it is seen at all is the question.

        In a blank, a scene without contrast, nothing moves.
        """
        of = self.scene.percept
        if of.conditions.get("contrast") == 0:
            of = replace(of, speed=0.0, average_speed=0.0)
        conditions = {**of.conditions, "sigma": self.sigma, "seed": float(self.seed)}
        return replace(of, kind=f"noisy {of.kind}", conditions=conditions, status="placeholder")

    def luminance(self, u: Floats, v: Floats, seconds: float, sampling: Sampling) -> Floats:
        """The scene's, under noise; none is below 0."""
        rng = np.random.default_rng((self.seed, round(seconds / TICK)))
        noise = 1 + self.sigma * rng.standard_normal(u.shape)
        return np.asarray(np.maximum(self.scene.luminance(u, v, seconds, sampling) * noise, 0))
