"""How well the fixations so far predict the next one: in bits, by rank, and in standard deviations.

A forecast is asked before every fixation of a person's own path. All values are means over fixations, of all paths
together. The first fixation of a path, which no history leads to and many experiments force, is left out unless
first="keep"; so is one after a fixation that lay outside the picture: where the eye came from is not known. A forecast
of low confidence, such as the kernel density of a model that only samples, makes low scores.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from beholder.attention.forecasts.forecast import First, Forecast
from beholder.attention.maps.fixated_pixels import check_choice, controls_of
from beholder.attention.maps.fixation_maps import Where, pixels
from beholder.attention.measures.information import NO_DENSITY, Baseline
from beholder.attention.people.gold_standard import other_pictures_density
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import NotApplicable, Result, measure

NOTHING = "nobody made a fixation that is scored: with first='drop' scoring begins at the second"


@measure(better="higher", bounds=(-np.inf, np.inf), cite="Kummerer2021", unit="bits")
def conditional_information_gain(
    found: Forecast, lookers: Lookers, *, baseline: Baseline = "uniform", first: First = "drop"
) -> Result:
    """How much better a forecast predicts the next fixation than a baseline without history, in bits per fixation.

    cIG = 1/M Σ_i (log₂ p(x_i | x_1 … x_{i−1}) − log₂ p_b(x_i)), where p_b = 1/N ("uniform"), or the density of
    fixations on other pictures ("controls": blurred by 1 degree and reflected at the border, with 1 % uniform). One
    fixation where p = 0 makes it −∞. Not applicable to forecasts that are maps rather than densities, nor to scanpaths
    without a scored fixation.

    >>> from beholder.attention.types import scanpath
    >>> p = np.array([[0.5, 0.25, 0.125, 0.125]])
    >>> swing = Forecast(lambda history: np.log(p if history.x[-1] > 1 else p[:, ::-1]), (1, 4))
    >>> to_and_fro = Lookers({"a": scanpath([3, 0, 3, 1], [0, 0, 0, 0])}, (1, 4))  # ½, ½ and ¼ beside ¼
    >>> round(conditional_information_gain(swing, to_and_fro).value, 6)
    0.666667
    """
    check_choice("baseline", baseline, Baseline)
    scored = _scored_fixations(found, lookers, first)
    gained = (_densities(scored) - _baseline(lookers, baseline, scored.where)) / np.log(2)
    return _result(float(gained.mean()), found, scored)


@measure(better="higher", bounds=(-np.inf, 0), cite="Kummerer2021", unit="bits")
def conditional_log_likelihood(found: Forecast, lookers: Lookers, *, first: First = "drop") -> Result:
    """The mean log probability of each next fixation, in bits.

    cLL = 1/M Σ_i log₂ p(x_i | x_1 … x_{i−1}); a uniform density has −log₂ N. One fixation where p = 0 makes it −∞. Not
    applicable to forecasts that are maps rather than densities, nor to scanpaths without a scored fixation.

    >>> from beholder.attention.types import scanpath
    >>> p = np.array([[0.5, 0.25, 0.125, 0.125]])
    >>> there = Lookers({"a": scanpath([0, 1], [0, 0])}, (1, 4))
    >>> conditional_log_likelihood(Forecast(lambda history: np.log(p), (1, 4)), there).value
    -2.0
    >>> conditional_log_likelihood(Forecast(lambda history: np.log(p), (1, 4)), there, first="keep").value
    -1.5
    """
    scored = _scored_fixations(found, lookers, first)
    return _result(min(0.0, float(_densities(scored).mean() / np.log(2))), found, scored)


@measure(better="higher", bounds=(0, 1), cite="Kummerer2021")
def conditional_auc(found: Forecast, lookers: Lookers, *, first: First = "drop") -> Result:
    """How often the forecast is higher at the next fixation than at a random pixel; chance is 0.5.

    cAUC = 1/M Σ_i (#{x: p(x) < p(x_i)} + ½ #{x: p(x) = p(x_i)}) / N over all N pixels, p given the history of i: the
    area under the ROC curve, taken for each fixation alone. Not applicable to scanpaths without a scored fixation.

    >>> from beholder.attention.types import scanpath
    >>> p = np.array([[0.5, 0.25, 0.125, 0.125]])
    >>> there = Lookers({"a": scanpath([0, 1, 2], [0, 0, 0])}, (1, 4))
    >>> conditional_auc(Forecast(lambda history: np.log(p), (1, 4)), there).value  # (2.5 / 4 + 1 / 4) / 2
    0.4375
    """
    scored = _scored_fixations(found, lookers, first)
    return _result(float(scored.midrank.mean()), found, scored)


@measure(better="higher", bounds=(-np.inf, np.inf), cite="Kummerer2021,Peters2005")
def conditional_nss(found: Forecast, lookers: Lookers, *, first: First = "drop") -> Result:
    """How many standard deviations above its mean the forecast is at the next fixation; chance is 0.

    cNSS = 1/M Σ_i (p(x_i) − μ_i)/σ_i, μ and σ over all pixels, p given the history of i. A constant forecast scores 0.
    Not applicable to scanpaths without a scored fixation.

    >>> from beholder.attention.types import scanpath
    >>> p = np.array([[0.7, 0.1, 0.1, 0.1]])
    >>> there = Lookers({"a": scanpath([3, 0], [0, 0])}, (1, 4))
    >>> round(conditional_nss(Forecast(lambda history: np.log(p), (1, 4)), there).value, 6)  # (0.7 − ¼) / √0.0675
    1.732051
    """
    scored = _scored_fixations(found, lookers, first)
    return _result(float(scored.z.mean()), found, scored)


class _Scored(NamedTuple):
    """A forecast's scores of the fixations that count."""

    log: Floats
    midrank: Floats
    z: Floats
    where: Where


def _scored_fixations(found: Forecast, lookers: Lookers, first: First) -> _Scored:
    shape = (lookers.shape[0], lookers.shape[1])
    if tuple(found.shape) != shape:
        raise ValueError(f"got a forecast of {tuple(found.shape)}; expected {shape}, the shape of the picture")
    rows, points = [np.empty((0, 3))], [np.empty((0, 2))]
    for path in lookers.paths.values():
        scored = np.array(found.which(path))
        scored[: int(first == "drop")] = False
        scored[1:] &= path.joined
        if scored.any():
            rows.append(found.along(path, first)[scored])
            points.append(path.points[scored])
    log, midrank, z = np.concatenate(rows).T
    if not len(log):
        raise NotApplicable(NOTHING)
    return _Scored(log, midrank, z, pixels(np.concatenate(points), shape))


def _densities(scored: _Scored) -> Floats:
    if np.isnan(scored.log).any():
        raise NotApplicable(NO_DENSITY)
    return scored.log


def _baseline(lookers: Lookers, baseline: Baseline, where: Where) -> Floats:
    if baseline == "uniform":
        return np.full(len(where[0]), -np.log(lookers.shape[0] * lookers.shape[1]))
    return np.asarray(np.log(other_pictures_density(controls_of(lookers), lookers)[where]))


def _result(value: float, found: Forecast, scored: _Scored) -> Result:
    parts = {"n": float(len(scored.log)), **found.parts}
    return Result(value, parts, state="low" if found.low else "ok", reason=found.low)
