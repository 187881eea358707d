"""What measures of attention read: one surface over the picture, whose costly parts are computed once.

A map is read as it is. Of a density most measures get what serves them best (Kümmerer et al. 2018). Ranks use its
logarithm, NSS the probabilities. Measures that compare with a blurred map get the probabilities blurred alike, and SIM
the map that shares most mass with maps of so many fixations. The shuffled AUC reads a density as it reads a map; what
would serve it best, the logarithm minus that of a Gaussian about the controls, is its setting `prior="removed"`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import partial, singledispatch
from typing import Any, TypeVar

import numpy as np

from beholder.attention.maps.fixation_maps import Where, made_once, pixels
from beholder.attention.maps.optimal import FIXATIONS, shared_map
from beholder.attention.types import Controls, Density, Floats, Picture, Salience
from beholder.stats.divergence import Mass, Moments, log_shares, mass, moments, negative_entropy, shares, stretched
from beholder.stats.ranking import Place, Standings, midranks, place
from beholder.vision.blur import Border, are_many, blurred, blurred_points, weighed_at

T = TypeVar("T")
Sums = TypeVar("Sums", Mass, Moments)
LARGEST = 1e100  # beyond it, and below its inverse, squares and sums of a map's values leave the range of floats
FLOOR = 0.01  # share of a uniform density in that of the controls, so that no pixel is impossible


@dataclass(frozen=True, eq=False)
class Surface:
    """A map, or a probability density, over the pixels of a picture. Whatever is derived from it is computed once."""

    values: Floats  # (H, W): the map, or probabilities
    log: Floats | None = None  # natural logarithms of the probabilities; None for a map
    by: tuple[str, ...] = ()  # the people it was made from
    _made: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> Any:
        return Surface, (self.values, self.log, self.by)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.values.shape[0], self.values.shape[1]

    def once(self, key: Hashable, make: Callable[[], T], *owners: Any) -> T:
        """The value of `make()`, computed once per key and owners; owners are compared by identity and kept alive."""
        full = (key, *map(id, owners))
        if full not in self._made:
            self._made[full] = (owners, make())
        found: T = self._made[full][1]
        return found

    def detached(self) -> Surface:
        """A copy that keeps what depends on this surface alone; results that involve another object are not shared."""
        return replace(self, _made={key: kept for key, kept in self._made.items() if not kept[0]})

    @property
    def order(self) -> Floats:
        """The values that ranks are taken of: the map, or log probabilities, which do not underflow."""
        return self.values if self.log is None else self.log

    @property
    def flat(self) -> Floats:
        """`order`, row after row."""
        return self.once("flat", self.order.ravel)

    @property
    def ordered(self) -> Floats:
        """All values of `order`, sorted."""
        return self.once("ordered", lambda: np.sort(self.order, axis=None))

    def rank(self, where: Where, expected: Callable[[], Where]) -> Place:
        """Rank some pixels among all pixels by `order`; those `expected` are counted once, for whoever asks."""
        if ("ordered",) in self._made:
            return place(self.at(where), self.ordered)
        return self.once("standings", lambda: Standings(self.flat, self.at(expected()))).of(self.at(where))

    @property
    def level(self) -> Floats:
        """The values, brought near 1 by a power of two where their squares or sums would leave the range of floats."""
        return self.once("level", lambda: _levelled(self.values))

    @property
    def moments(self) -> Moments:
        """The mean of `level`, and the length of the deviations from it (0 for a constant map)."""
        return self.once("moments", lambda: self._sums(moments))

    @property
    def ranked(self) -> tuple[Floats, Moments]:
        """Midranks of all pixels, and their moments."""

        def make() -> tuple[Floats, Moments]:
            ranks = midranks(self.values.ravel())
            return ranks, moments(ranks)

        return self.once("ranked", make)

    @property
    def mass(self) -> Mass:
        """What turns the values of `level` into shares."""
        return self.once("mass", lambda: self._sums(mass))

    def _sums(self, take: Callable[[Floats], Sums]) -> Sums:
        """Two sums of `level`. They tell whether it is the values themselves: then no value is looked at for that.

        No value is farther from 0 than both sums together, and these are less than 3 N times the farthest.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            found = take(self.values)
        if 3 * self.values.size / LARGEST <= sum(map(abs, found)) <= LARGEST:
            self.once("level", lambda: self.values)
            return found
        return take(self.level)

    @property
    def shares(self) -> Floats:
        """Values that add up to 1."""
        own = self.mass  # which tells what `level` is
        return self.once("shares", lambda: shares(self.level, own))

    @property
    def negative_entropy(self) -> float:
        """Σ p log p of `shares`, in nats."""
        own = self.mass  # which tells what `level` is
        return self.once("entropy", lambda: negative_entropy(self.level, own))

    def log_shares(self, eps: float) -> Floats:
        """log(p + ε) of `shares`, in nats."""
        own = self.mass  # which tells what `level` is
        return self.once(("log shares", eps), lambda: log_shares(self.level, own, eps))

    @property
    def stretched(self) -> Floats:
        """Values from 0 to 1."""
        return self.once("stretched", lambda: stretched(self.level))

    def at(self, where: Where) -> Floats:
        """`order` in some pixels."""
        rows, columns = where
        return self.flat.take(rows * self.shape[1] + columns)  # half the time of `order[where]`

    def like_blurred(self, sigma: float, border: Border = "reflect") -> Surface:
        """The surface to compare with a map blurred by σ px: a density is blurred alike, a map stays as it is."""
        if self.log is None:
            return self
        return self.once(("blurred", sigma, border), lambda: Surface(self._blurred(sigma, border), by=self.by))

    def _blurred(self, sigma: float, border: Border) -> Floats:
        """Blurred probabilities; a uniform density stays uniform, to the last digit, where no mass is lost."""
        flat = border != "constant" and self.values.min() == self.values.max()
        return self.values if flat else blurred(self.values, sigma, border=border)

    def like_shared(self, sigma: float, border: Border = "reflect", *, fixations: int = FIXATIONS) -> Surface:
        """The surface that SIM compares with maps of so many fixations, blurred by σ px: a density's `sim_map`.

        A map stays as it is.
        """
        if self.log is None:
            return self

        def make() -> Surface:
            found = shared_map(self.values, sigma=sigma, border=border, fixations=fixations)
            return Surface(found, by=self.by)

        return self.once(("shared", sigma, border, fixations), make)

    def relative_to(self, controls: Controls) -> Surface:
        """A log density minus a log Gaussian about the controls; a map, which has no logarithm, stays as it is."""
        log = self.log
        if log is None:
            return self
        return self.once("beside", lambda: Surface(log - control_gaussian(controls, self.shape), by=self.by), controls)


def _levelled(values: Floats) -> Floats:
    """Values as they are, or times a power of two, which keeps every digit: the greatest becomes about 1.

    >>> _levelled(np.array([1e200, 2e200]))[0] * 2 == _levelled(np.array([1e200, 2e200]))[1], _levelled(np.ones(1))
    (np.True_, array([1.]))
    """
    greatest = max(-float(values.min(initial=0.0)), float(values.max(initial=0.0)))
    if greatest == 0 or 1 / LARGEST <= greatest <= LARGEST:
        return values
    return np.ldexp(values, -int(np.frexp(greatest)[1]))


def control_gaussian(controls: Controls, shape: tuple[int, int]) -> Floats:
    """The log density of a Gaussian with the mean and covariance of the controls, with 1 % uniform; computed once.

    It has five parameters only. A kernel density would know the controls one by one and be highest right there, and so
    would raise the shuffled AUC of a density that knows nothing, even a uniform one, above chance.
    """
    return made_once(controls, ("bell", shape), lambda: _log_gaussian(controls.points, shape))


def _log_gaussian(points: Floats, shape: tuple[int, int]) -> Floats:
    spread = np.cov(points.T, ddof=0) + np.eye(2)  # + 1 px²: a single control has no spread
    (a, b), (_, c) = np.linalg.inv(spread)
    x, y = (np.arange(side) - mean for side, mean in zip(shape[::-1], points.mean(axis=0), strict=True))
    away = np.add(a * x**2, 2 * b * y[:, None] * x)
    away += c * y[:, None] ** 2
    away -= away.min()
    away /= -2
    p = shares(np.exp(away, out=away))
    p *= 1 - FLOOR
    p += FLOOR / away.size
    return np.log(p, out=p)


def control_pixels(controls: Controls, shape: tuple[int, int]) -> Where:
    """The pixels that hold the controls; found once."""
    return made_once(controls, ("pixels", shape), lambda: pixels(controls.points, shape))


def control_density(controls: Controls, shape: tuple[int, int], sigma: float) -> Floats:
    """Where people look on other pictures, as `fixation_density` has it; computed once."""
    make = partial(fixation_density, control_pixels(controls, shape), shape, sigma)
    return made_once(controls, ("density", shape, sigma), make)


def control_density_at(where: Where, controls: Controls, shape: tuple[int, int], sigma: float) -> Floats:
    """`control_density` in some pixels, without the rest of it: a reflected blur gives as it takes.

    >>> rng = np.random.default_rng(0)
    >>> here = Controls(9 * rng.random((99, 2)), np.full(99, ""), np.zeros(99), np.full(99, ""))
    >>> at = np.array([0, 4]), np.array([7, 0])
    >>> (control_density_at(at, here, (9, 9), 1.5) / control_density(here, (9, 9), 1.5)[at]).round(12)
    array([1., 1.])
    """
    if are_many(where, shape):
        return control_density(controls, shape, sigma)[where]
    flat = np.ravel_multi_index(control_pixels(controls, shape), shape)
    counts = np.bincount(flat, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
    kept = weighed_at(where, counts, sigma=sigma, border="reflect")
    found: Floats = (1 - FLOOR) * (kept / len(flat)) + FLOOR / counts.size
    return found


def fixation_density(where: Where, shape: tuple[int, int], sigma: float) -> Floats:
    """The density of some fixations: each blurred by σ px and reflected at the border, with 1 % uniform.

    Reflected, every fixation has the same mass. If the border's pixels were repeated outside, one that lies there would
    have many times that of another.

    >>> p = fixation_density((np.array([0, 0]), np.array([0, 29])), (1, 40), 2.0)  # one at the border, one inside
    >>> p[:, :20].sum().round(9), p[:, 20:].sum().round(9)
    (np.float64(0.5), np.float64(0.5))
    """
    kept = blurred_points(where, shape, sigma=sigma, border="reflect")
    return (1 - FLOOR) * shares(kept) + FLOOR / kept.size


@singledispatch
def surface(answer: Any, stimulus: Picture) -> Surface:
    """The readout of every measure that compares maps. Other answer types join by `surface.register`.

    An answer has one surface, whoever asks for it, so that what is sorted for one measure serves all.
    """
    raise TypeError(
        f"got an answer of {type(answer).__name__}; expected a Salience or a Density; register a readout of this type"
    )


@surface.register
def _of_map(answer: Salience, stimulus: Any) -> Surface:
    return made_once(answer, "surface", lambda: Surface(answer.values, None, answer.by))


@surface.register
def _of_density(answer: Density, stimulus: Any) -> Surface:
    return made_once(answer, "surface", lambda: Surface(np.exp(answer.log), answer.log, answer.by))


@surface.register
def _of_array(answer: np.ndarray, stimulus: Any) -> Surface:
    return Surface(np.asarray(answer, np.float64))


surface.quick = True  # type: ignore[attr-defined]  # telling one map from another, for the cache, would take longer
