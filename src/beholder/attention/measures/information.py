"""How much a density knows about where people look, in bits per fixation."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from beholder.attention.maps.fixated_pixels import (
    at_fixations,
    check_choice,
    controls_of,
    fixated_pixels,
    with_counts,
)
from beholder.attention.maps.fixation_maps import Where, made_once, sigma_px
from beholder.attention.measures._people import MapPair, Of, pair_maps
from beholder.attention.readouts import Surface, control_density_at, surface
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import NotApplicable, Result, measure
from beholder.stats import divergence
from beholder.stats.samples import mean
from beholder.vision.blur import Border

Baseline = Literal["uniform", "controls"]

NO_DENSITY = (
    "a map is not a density: its values are not probabilities. Return a Density (log probabilities that add up to "
    "1), or have one fitted by the model fitted(of=…, on=…)"
)


@measure(better="higher", bounds=(-np.inf, np.inf), cite="Kummerer2015", reads=surface, unit="bits")
def information_gain(found: Surface, lookers: Lookers, *, baseline: Baseline = "uniform") -> Result:
    """How much better a density predicts fixations than a baseline, in bits per fixation; 0 where it is no better.

    IG = 1/M Σ_f (log₂ p(x_f) − log₂ p_b(x_f)), where p_b = 1/N ("uniform"), or the density of fixations on other
    pictures ("controls": blurred by 1 degree and reflected at the border, with 1 % uniform). One fixation
    where p = 0 makes it −∞. Not applicable to maps, which are not densities, nor to pictures without a fixation.

    Deviation: the MIT benchmark takes stretched maps for densities; they are refused here.

    >>> from beholder.attention.types import scanpath
    >>> p = np.array([[0.5, 0.25, 0.25, 0.0]])
    >>> with np.errstate(divide="ignore"):
    ...     known = Surface(p, np.log(p))
    >>> information_gain(known, Lookers({"a": scanpath(0, 0)}, (1, 4))).value
    1.0
    """
    log = _log(found)
    where = fixated_pixels(found, lookers)
    check_choice("baseline", baseline, Baseline)

    def ask(there: Where) -> Floats:
        return np.asarray((log[there] - _baseline(lookers, baseline, there)) / np.log(2))

    owners = (controls_of(lookers),) if baseline == "controls" else ()
    gains = at_fixations(found, lookers, ask, key=("information gain", sigma_px(lookers)), owners=owners)
    return with_counts(mean(gains), lookers, where)


@measure(better="higher", bounds=(-np.inf, 0), cite="Kummerer2015", reads=surface, unit="bits")
def log_likelihood(found: Surface, lookers: Lookers) -> Result:
    """The mean log probability of a fixation, in bits.

    LL = 1/M Σ_f log₂ p(x_f); a uniform density has −log₂ N. One fixation where p = 0 makes it −∞. Not applicable to
    maps, which are not densities, nor to pictures without a fixation.

    >>> from beholder.attention.types import scanpath
    >>> p = np.full((1, 4), 0.25)
    >>> log_likelihood(Surface(p, np.log(p)), Lookers({"a": scanpath(0, 0)}, (1, 4))).value
    -2.0
    """
    log = _log(found)
    where = fixated_pixels(found, lookers)
    nats = mean(at_fixations(found, lookers, log.__getitem__, key="log likelihood"))
    return with_counts(min(0.0, nats / float(np.log(2))), lookers, where)


@measure(better="lower", bounds=(0, np.inf), cite="Bylinskii2019", reads=surface, unit="bits")
def cross_entropy(
    found: Surface,
    lookers: Lookers,
    *,
    eps: float = divergence.EPS,
    of: Of = "everyone",
    sigma: float = 1.0,
    border: Border = "reflect",
) -> Result:
    """The cross-entropy between people's map and the model's map, in bits: the entropy of people's map plus `kl`.

    −Σ q log₂(p + ε), where q are people's shares and p the model's. The least possible value is the entropy of q. A map
    without mass counts as uniform. Defined for every picture that people looked at.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(0, 0)}, (1, 4), px_per_deg=0.1)
    >>> round(cross_entropy(Surface(np.ones((1, 4))), here).value, 6)
    2.0
    """

    def score(pair: MapPair) -> float:
        return max(0.0, divergence.cross_entropy(pair.people.shares, pair.model.shares, eps=eps))

    return pair_maps(found, lookers, of, sigma, border).scored(("cross_entropy", eps), score)


def gain_map(gold: Floats, log_model: Floats, log_base: Floats) -> Floats:
    """Where a model gains information: p_gold (log₂ p_model − log₂ p_base) in each pixel, in bits; its sum is the gain.

    `gold` are probabilities, the others natural logarithms of such. Where p_gold is 0 there is nothing to gain.

    >>> gain_map(np.array([1.0, 0.0]), np.log([1.0, 1e-9]), np.log([0.5, 0.5]))
    array([1., 0.])
    """
    if not gold.shape == log_model.shape == log_base.shape:
        raise ValueError(
            f"got shapes {gold.shape}, {log_model.shape} and {log_base.shape}; expected densities of the same picture"
        )
    gained = np.zeros(gold.shape)
    held = gold > 0
    gained[held] = gold[held] * (log_model[held] - log_base[held]) / np.log(2)
    return gained


def _log(found: Surface) -> Floats:
    if found.log is None:
        raise NotApplicable(NO_DENSITY)
    return found.log


def _baseline(lookers: Lookers, baseline: Baseline, where: Where) -> Floats | float:
    """Log probabilities of the baseline in some pixels."""
    shape = (lookers.shape[0], lookers.shape[1])
    if baseline == "uniform":
        return -math.log(shape[0] * shape[1])
    controls, sigma = controls_of(lookers), sigma_px(lookers)
    key = ("log", shape, sigma, *(side.tobytes() for side in where))
    return made_once(controls, key, lambda: np.log(control_density_at(where, controls, shape, sigma)))
