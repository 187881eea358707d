"""The gold standard: how well some people predict where another will look, as a probability density.

It mixes three densities: a kernel density of their fixations, where people look on other pictures, and a uniform one.
The weights are those with which each of these people is best predicted by the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from beholder.attention.maps.fixation_maps import Where, made_once, pixels, sigma_px
from beholder.attention.readouts import control_density, control_gaussian
from beholder.attention.types import Controls, Density, Floats, Lookers
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.vision.blur import blurred_bands, spread

BANDWIDTHS = (0.5, 0.75, 1.0, 1.5, 2.0)  # degrees, tried by cross-validation; 1 degree is the field's habit
STEPS = 40  # of expectation–maximisation: the weights stand to three digits
ANYWHERE = 0.01  # least share of a uniform density, so that no fixation is impossible
ALONE = (
    1.0,
    (0.7, 0.25, 0.05),
)  # bandwidth and weights where there is one observer, so that none can be left out (ours)


class Mixture(NamedTuple):
    """Bandwidth and weights of a gold standard."""

    bandwidth: float  # degrees
    weights: tuple[float, float, float]  # of the kernel density, of other pictures, of the uniform density
    bits: float  # how well those who were left out were predicted: mean log₂ p; NaN for one observer alone


def gold_standard(lookers: Lookers, *, bandwidth: float | None = None) -> Density:
    """The density of where these people look; `by` names them.

    p = w₁ KDE_h + w₂ p_c + w₃ / N, p_c a Gaussian with the mean and covariance of fixations on other pictures. h
    (unless given, in degrees) and w are those that predict each observer best from the others (see `fit_mixture`); one
    observer alone gets 1 degree and fixed weights. Kernels are reflected at the border. Nobody outside `lookers`
    enters, except by fixations on other pictures. Without fixations: not applicable.

    p_c is a Gaussian because a kernel density would be highest right at the fixations of other pictures, the negatives
    of the shuffled AUC, and would put people who know nothing of a picture below chance; it predicts no better.

    >>> from beholder.attention.types import scanpath
    >>> two = Lookers({"a": scanpath([2, 2], [0, 0]), "b": scanpath([2, 6], [0, 0])}, (1, 8), px_per_deg=1.0)
    >>> found = gold_standard(two)
    >>> found.by, int(found.log.argmax()), round(float(np.exp(found.log).sum()), 9)
    (('a', 'b'), 2, 1.0)
    """
    chosen = fit_mixture(lookers, bandwidth=bandwidth)
    kernel, elsewhere, anywhere = chosen.weights
    shape = (lookers.shape[0], lookers.shape[1])
    where = pixels(lookers.points, shape)
    sigma = sigma_px(lookers, chosen.bandwidth)
    log = np.empty(shape)
    for rows, band in blurred_bands(where, shape, sigma=sigma, border="reflect"):  # which stays in a core's own cache
        p = np.multiply(band, kernel / len(where[0]), out=band)
        p += anywhere / log.size
        if elsewhere:
            p += elsewhere * _other_pictures_gaussian(lookers)[rows]
        np.log(p, out=log[rows])
    return Density(log, tuple(name for name, path in lookers.paths.items() if len(path)))


def fit_mixture(lookers: Lookers, *, bandwidth: float | None = None) -> Mixture:
    """The mixture that predicts each observer best from the others: leave-one-out, weights by maximum likelihood.

    Expectation–maximisation for every bandwidth of 0.5, 0.75, 1, 1.5 and 2 degrees; the likeliest is taken, the
    narrower one of equals. A fixation counts once, whoever made it.
    """
    if bandwidth is not None and not bandwidth > 0:
        raise Misuse(f"got a bandwidth of {bandwidth}; expected more than 0 degrees")
    shape = (lookers.shape[0], lookers.shape[1])
    where = pixels(lookers.points, shape)
    if not len(where[0]):
        raise NotApplicable("nobody fixated this picture, so there is nothing to estimate a density from")
    owner = np.repeat(np.arange(len(lookers.paths)), [len(path) for path in lookers.paths.values()])
    base = _other_pictures_gaussian(lookers)[where] if _has_controls(lookers) else np.zeros(len(owner))
    if len(np.unique(owner)) < 2:
        return _mixture_of_one(bandwidth, bool(base.any()))
    apart = owner[:, None] != owner
    tried = BANDWIDTHS if bandwidth is None else (bandwidth,)
    kernels = _densities_of_others(where, shape, [sigma_px(lookers, degrees) for degrees in tried], apart)
    fitted = _fit_weights(kernels, base, 1 / (shape[0] * shape[1]))
    degrees, (weights, bits) = max(zip(tried, fitted, strict=True), key=lambda one: one[1][1])
    return Mixture(degrees, weights, bits)


def _mixture_of_one(bandwidth: float | None, with_others: bool) -> Mixture:
    degrees, (kernel, elsewhere, anywhere) = ALONE
    weights = (kernel, elsewhere, anywhere) if with_others else (kernel + elsewhere, 0.0, anywhere)
    return Mixture(bandwidth or degrees, weights, float("nan"))


def _densities_of_others(where: Where, shape: tuple[int, int], sigmas: Sequence[float], apart: np.ndarray) -> Floats:
    """The kernel density of the others at each fixation, bandwidths × fixations."""
    (rows, columns), others = (np.ix_(at, at) for at in where), apart.sum(axis=0)
    down, across = ([spread(side, sigma, "reflect") for sigma in sigmas] for side in shape)
    near = (one[rows] * other[columns] for one, other in zip(down, across, strict=True))
    return np.stack([(one * apart).sum(axis=0) / others for one in near])


def _fit_weights(
    kernels: Floats, elsewhere: Floats, anywhere: float
) -> Iterator[tuple[tuple[float, float, float], float]]:
    """The likeliest weights of three densities, known at every fixation, and the mean log₂ of their mixture.

    For each row of `kernels`; all are fitted side by side.
    """
    others = np.broadcast_to(elsewhere, kernels.shape), np.full(kernels.shape, anywhere)
    parts = np.stack([kernels, *others], axis=1)
    weights = np.tile([0.6, 0.3, 0.1] if elsewhere.any() else [0.9, 0.0, 0.1], (len(parts), 1))
    for _ in range(STEPS):
        shares = weights[..., None] * parts
        weights = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=2)
        rare = weights[:, 2] < ANYWHERE
        weights[rare, :2] *= ((1 - ANYWHERE) / weights[rare, :2].sum(axis=1))[:, None]
        weights[rare, 2] = ANYWHERE
    for own, held in zip(weights, parts, strict=True):
        a, b, c = own.tolist()
        yield (a, b, c), float(np.log2(own @ held).mean())


def _has_controls(lookers: Lookers) -> bool:
    return lookers.controls is not None and len(lookers.controls.points) > 0


def _other_pictures_gaussian(lookers: Lookers) -> Floats:
    """Where people look on other pictures, as a Gaussian with 1 % uniform; computed once per picture."""
    controls, shape = lookers.controls, (lookers.shape[0], lookers.shape[1])
    if controls is None:
        raise NotApplicable("there are no fixations on other pictures")
    return made_once(controls, ("bell density", shape), lambda: np.exp(control_gaussian(controls, shape)))


def other_pictures_density(controls: Controls, lookers: Lookers) -> Floats:
    """The density of fixations on other pictures, blurred by 1 degree (`control_density`); computed once."""
    return control_density(controls, (lookers.shape[0], lookers.shape[1]), sigma_px(lookers))
