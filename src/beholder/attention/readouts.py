"""What measures of attention read: one surface over the picture, with all that is costly about it made once.

A map is read as it is. Of a density each measure gets what serves it best (Kümmerer et al. 2018): ranks and the
shuffled AUC its logarithm, less that of a bell about the controls for the latter; NSS the probabilities; measures that
compare with a blurred map the probabilities blurred alike, and SIM the map that shares most mass with maps of 100
fixations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any, TypeVar

import numpy as np

from beholder.attention.maps.fixation_maps import Where, made, pixels
from beholder.attention.maps.optimal import sim_map
from beholder.attention.types import Controls, Density, Floats, Picture, Salience
from beholder.stats.divergence import Mass, centred, mass, shares, stretched
from beholder.stats.ranking import Place, midranks, place, placed
from beholder.vision.blur import blurred, blurred_points

T = TypeVar("T")
FLOOR = 0.01  # share of a uniform density in that of the controls, so that no pixel is impossible


@dataclass(frozen=True, eq=False)
class Surface:
    """A map or a density of probability over the pixels of a picture. Whatever is asked of it is made once."""

    values: Floats  # (H, W): the map, or probabilities
    log: Floats | None = None  # natural logarithms of the probabilities; None for a map
    by: tuple[str, ...] = ()  # the people whom it was made of
    _made: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> Any:
        return Surface, (self.values, self.log, self.by)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.values.shape[0], self.values.shape[1]

    def once(self, key: Hashable, make: Callable[[], T], *owners: Any) -> T:
        """What `make` gives, made once a key and owners, which are told apart by identity and kept alive."""
        full = (key, *(id(owner) for owner in owners))
        if full not in self._made:
            self._made[full] = (owners, make())
        found: T = self._made[full][1]
        return found

    def apart(self) -> Surface:
        """The same surface with what was made of it alone: what it is compared with next is not kept by this one."""
        return replace(self, _made={key: kept for key, kept in self._made.items() if not kept[0]})

    @property
    def order(self) -> Floats:
        """What ranks are taken of: the map, or log probabilities, which do not underflow."""
        return self.values if self.log is None else self.log

    @property
    def ordered(self) -> Floats:
        """All values of `order`, sorted."""
        return self.once("ordered", lambda: np.sort(self.order, axis=None))

    def standing(self, where: Where, *, again: bool = False) -> Place:
        """How `order` in some pixels stands among all pixels.

        Counting is quicker than sorting, once; who asks `again`, or is about to, has all pixels sorted and kept.
        """
        if again or not self._made.keys().isdisjoint((("ordered",), ("counted",))):
            return place(self.at(where), self.ordered)
        return self.once("counted", lambda: placed(self.at(where), self.order))

    @property
    def centred(self) -> tuple[Floats, float]:
        """Deviations from the mean, and their Euclidean length (0 for a constant map)."""
        return self.once("centred", lambda: centred(self.values))

    @property
    def ranked(self) -> tuple[Floats, float]:
        """Midranks of all pixels, centred."""
        return self.once("ranked", lambda: centred(midranks(self.values.ravel())))

    @property
    def mass(self) -> Mass:
        """What makes the values shares."""
        return self.once("mass", lambda: mass(self.values))

    @property
    def shares(self) -> Floats:
        """Values that add up to 1."""
        return self.once("shares", lambda: shares(self.values))

    @property
    def stretched(self) -> Floats:
        """Values from 0 to 1."""
        return self.once("stretched", lambda: stretched(self.values))

    def at(self, where: Where) -> Floats:
        """`order` in some pixels."""
        return self.order[where]

    def like_blurred(self, sigma: float) -> Surface:
        """What is compared with a map that was blurred by σ px: a density blurred alike, a map as it is."""
        if self.log is None:
            return self
        return self.once(("blurred", sigma), lambda: Surface(blurred(self.values, sigma), by=self.by))

    def like_shared(self, sigma: float) -> Surface:
        """What shares most mass with maps that were blurred by σ px: of a density its `sim_map`, a map as it is."""
        if self.log is None:
            return self
        rng = np.random.default_rng(0)  # part of the convention: the same density, the same map
        return self.once(("shared", sigma), lambda: Surface(sim_map(self.values, sigma=sigma, rng=rng), by=self.by))

    def beside(self, controls: Controls) -> Surface:
        """What is compared at controls: of a density its logarithm less that of a bell about them, a map as it is."""
        log = self.log
        if log is None:
            return self
        return self.once("beside", lambda: Surface(log - control_bell(controls, self.shape), by=self.by), controls)


def control_bell(controls: Controls, shape: tuple[int, int]) -> Floats:
    """The logarithm of a Gaussian with the mean and covariance of the controls, with 1 % uniform; made once.

    It has five numbers only. A kernel density would know the controls one by one, be higher right there, and so raise
    the shuffled AUC of a density that knows nothing, even a uniform one, above chance.
    """
    return made(controls, ("bell", shape), lambda: _bell(controls.points, shape))


def _bell(points: Floats, shape: tuple[int, int]) -> Floats:
    spread = np.cov(points.T, ddof=0) + np.eye(2)  # + 1 px²: a single control has no spread
    (a, b), (_, c) = np.linalg.inv(spread)
    x, y = (np.arange(side) - mean for side, mean in zip(shape[::-1], points.mean(axis=0), strict=True))
    away = a * x**2 + 2 * b * y[:, None] * x + c * y[:, None] ** 2
    return np.asarray(np.log((1 - FLOOR) * shares(np.exp(-(away - away.min()) / 2)) + FLOOR / away.size))


def control_density(controls: Controls, shape: tuple[int, int], sigma: float) -> Floats:
    """Where people look on other pictures: fixations blurred by σ px, with 1 % of a uniform density."""
    kept = blurred_points(pixels(controls.points, shape), shape, sigma=sigma, border="nearest")
    return (1 - FLOOR) * shares(kept) + FLOOR / kept.size


@singledispatch
def surface(answer: Any, stimulus: Picture) -> Surface:
    """The readout of everything that compares maps. Answers of other types join by `surface.register`."""
    raise TypeError(
        f"got an answer of {type(answer).__name__}; expected a Salience or a Density; register a readout of this type"
    )


@surface.register
def _of_map(answer: Salience, stimulus: Any) -> Surface:
    return Surface(answer.values, None, answer.by)


@surface.register
def _of_density(answer: Density, stimulus: Any) -> Surface:
    return Surface(np.exp(answer.log), answer.log, answer.by)


@surface.register
def _of_array(answer: np.ndarray, stimulus: Any) -> Surface:
    return Surface(np.asarray(answer, np.float64))


surface.quick = True  # type: ignore[attr-defined]  # telling one map from another, for the cache, would take longer
