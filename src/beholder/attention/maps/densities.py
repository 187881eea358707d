"""Between maps and densities: which map of a density serves each measure, and how a map becomes a density."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from beholder.attention.maps.fixation_maps import SIGMA_PX, pixels, sigma_px
from beholder.attention.readouts import Surface
from beholder.attention.types import Density, Floats, Lookers, Picture, Salience, accept_map
from beholder.core.benchmark import Model
from beholder.core.measure import NotApplicable
from beholder.core.sample import Dataset, Sample
from beholder.stats.ranking import midranks
from beholder.vision.blur import blurred

# Shares of the picture between which the logarithm of the density is linear: denser where people look.
KNOTS = (0.0, 0.25, 0.5, 0.7, 0.85, 0.93, 0.97, 0.99, 1.0)
BLURS = (0.0, 0.5, 1.0, 2.0)  # degrees, tried
FINE = 256  # px along the longer side of the maps that are fitted: every k-th pixel of larger ones
GRID = 64  # points along the longer side at which a density is added up while it is fitted
FLOOR = 0.01  # share of a uniform density, so that no fixation is impossible
WIDTH = 3.0  # nats: of the normal prior of each number, which keeps it finite where few fixations were made (ours)
ENOUGH = 12  # pictures to fit on: eleven numbers from some hundreds of fixations
FOLDS = 2


def derived_maps(density: Density, lookers: Lookers, *, sigma: float = 1.0) -> dict[str, Floats]:
    """The map of a density with the best expected score, by measure (Kümmerer et al. 2018).

    auc, nss, information_gain: p; sauc: log p − log p_c, p_c a Gaussian of other pictures' fixations (not there
    without controls; `sauc(prior="removed")` reads it); cc, kl: p blurred as people's map is; sim: `optimal.sim_map`.
    For the earth mover's distance none is known. `lookers` gives the scale and the controls; where they looked is not
    read.

    >>> flat = Density(np.full((1, 4), -np.log(4)))
    >>> derived_maps(flat, Lookers({}, (1, 4), px_per_deg=0.1))["nss"]
    array([[0.25, 0.25, 0.25, 0.25]])
    """
    found = Surface(np.exp(density.log), density.log)
    px = sigma_px(lookers, sigma)
    smooth = found.like_blurred(px).values
    maps: dict[str, Floats] = {"sim": found.like_shared(px).values}
    maps |= dict.fromkeys(("auc", "nss", "information_gain"), found.values) | dict.fromkeys(("cc", "kl"), smooth)
    if lookers.controls is not None and len(lookers.controls.points):
        maps["sauc"] = found.relative_to(lookers.controls).values
    return maps


class Conversion(NamedTuple):
    """How a map becomes a density: log p = g(rank of the blurred map) − a X² − b Y² + const."""

    blur: float  # degrees
    rises: tuple[float, ...]  # nats that g rises between the knots, none negative
    across: float  # a, with X from −1 to 1 across the picture
    down: float  # b
    bits: float  # gain over a uniform density on the pictures that it was fitted on

    def density(self, values: Floats, *, px_per_deg: float = np.nan) -> Density:
        """The density of a map."""
        log = rank_features(values, self.blur * _scale(px_per_deg)) @ np.array([*self.rises, self.across, self.down])
        p = np.exp(log - log.max())
        return Density(np.log((1 - FLOOR) * p / p.sum() + FLOOR / p.size))


def fit_conversion(pairs: Sequence[tuple[Floats, Lookers]]) -> Conversion:
    """Fit the conversion that makes fixations likeliest, on maps and the people who looked at their pictures.

    For each of four blurs the logarithm of the density is a sum of features (a rise between knots of the map's rank,
    and −X², −Y²), so its likelihood has one maximum: found with bounds at 0 by L-BFGS-B, under a wide normal
    prior. In the end 1 % is uniform. Pictures that nobody fixated are left out. A map that says nothing becomes a
    centre bias.
    """
    held = [(values, lookers) for values, lookers in pairs if len(lookers.points)]
    if not held:
        raise NotApplicable("no other picture has fixations to fit on")
    return max((_fit_at_blur(held, blur) for blur in BLURS), key=lambda one: one.bits)


def rank_features(values: Floats, sigma: float) -> Floats:
    """(H, W, 10): how far the rank of each pixel of the blurred map is between the knots, then −X² and −Y².

    >>> rank_features(np.array([[1.0, 2.0]]), 0.0)[0, :, :3]  # ranks 0.25 and 0.75
    array([[1., 0., 0.],
           [1., 1., 1.]])
    """
    smooth = blurred(values, sigma, border="nearest") if sigma else values
    ranks = (midranks(smooth.ravel()).reshape(values.shape) - 0.5) / values.size
    knots = np.array(KNOTS)
    rises = np.clip((ranks[..., None] - knots[:-1]) / np.diff(knots), 0, 1)
    y, x = (((np.arange(side) + 0.5) / side * 2 - 1) ** 2 for side in values.shape)
    falls = np.stack(np.broadcast_arrays(-x[None, :], -y[:, None]), axis=-1)
    return np.concatenate([rises, falls], axis=-1)


def _fit_at_blur(held: Sequence[tuple[Floats, Lookers]], blur: float) -> Conversion:
    from scipy.optimize import minimize

    rows = [_reduced(values, lookers, blur) for values, lookers in held]
    count = len(KNOTS) + 1
    found = minimize(_loss, np.full(count, 0.1), args=(rows,), jac=True, bounds=[(0, None)] * count, method="L-BFGS-B")
    *rises, across, down = found.x.tolist()
    return Conversion(blur, tuple(rises), across, down, float(-found.fun / np.log(2)))


class _Reduced(NamedTuple):
    """What the likelihood of a picture needs."""

    at: Floats  # features, summed over fixations
    fixations: int
    grid: Floats  # (points, features)


def _reduced(values: Floats, lookers: Lookers, blur: float) -> _Reduced:
    thin = max(1, max(values.shape) // FINE)
    shown = rank_features(_every_kth(values, thin), sigma_px(lookers, blur) / thin)
    rows, columns = (at // thin for at in pixels(lookers.points, (lookers.shape[0], lookers.shape[1])))
    at = shown[np.minimum(rows, shown.shape[0] - 1), np.minimum(columns, shown.shape[1] - 1)]
    grid = _every_kth(shown, max(1, max(shown.shape[:2]) // GRID))
    return _Reduced(at.sum(axis=0), len(at), grid.reshape(-1, shown.shape[-1]))


def _every_kth(values: Floats, step: int) -> Floats:
    """Every k-th row and column, from the middle of the first k."""
    return values[step // 2 :: step, step // 2 :: step]


def _loss(weights: Floats, rows: Sequence[_Reduced]) -> tuple[float, Floats]:
    """Minus the mean gain over a uniform density, in nats per fixation, less the prior's share; and its gradient."""
    gain, slope, total = 0.0, np.zeros(len(weights)), 0
    for row in rows:
        log = row.grid @ weights
        top = float(log.max())
        p = np.exp(log - top)
        gain += float(row.at @ weights) - row.fixations * (top + float(np.log(p.mean())))
        slope += row.at - row.fixations * (p @ row.grid) / p.sum()
        total += row.fixations
    gain -= float(weights @ weights) / (2 * WIDTH**2)
    slope -= weights / WIDTH**2
    return -gain / total, -slope / total


def _scale(px_per_deg: float) -> float:
    return float(px_per_deg) if np.isfinite(px_per_deg) else SIGMA_PX


@dataclass(frozen=True)
class Fitted:
    """A model of maps that answers with densities; the conversion is fitted on other pictures of a dataset.

    A picture's pixels alone say which of two halves it belongs to; a picture of one half is converted as fitted on up
    to twelve pictures of the other, so never on itself. In a small dataset without another half, the fit is on all
    pictures but this one. A density stays as it is.
    """

    model: Model
    dataset: Dataset[Picture, Lookers]
    _conversions: dict[int, Conversion] = field(default_factory=dict, repr=False, compare=False)

    def __call__(self, picture: Picture) -> Density:
        """The density of a picture."""
        answer = accept_map(self.model(picture), picture)
        if isinstance(answer, Density):
            return answer
        return self.conversion(picture).density(answer.values, px_per_deg=picture.px_per_deg)

    @property
    def func(self) -> Model:
        """The model of maps, whose answers these are: for the cache."""
        return self.model

    @property
    def keywords(self) -> dict[str, Any]:
        """What else distinguishes these answers from the model's: the dataset that they were fitted on."""
        return {**getattr(self.model, "keywords", {}), "fitted on": self.dataset.fingerprint}

    def conversion(self, picture: Picture) -> Conversion:
        """The conversion for a picture, fitted on others."""
        own, side = picture_key(picture), half_of(picture)
        if side not in self._conversions:
            others = self._answered(lambda other: other % FOLDS != side)
            if others:
                self._conversions[side] = fit_conversion(others)
        if side in self._conversions:
            return self._conversions[side]
        if FOLDS + own not in self._conversions:
            self._conversions[FOLDS + own] = fit_conversion(self._answered(lambda other: other != own))
        return self._conversions[FOLDS + own]

    def _answered(self, among: Callable[[int], bool]) -> list[tuple[Floats, Lookers]]:
        """Maps of the first pictures of a kind, with who looked at them."""
        found = (
            sample
            for sample in self.dataset.whole
            if among(picture_key(sample.stimulus)) and len(sample.reference.points)
        )
        return [(_map_of(self.model, sample), sample.reference) for sample in islice(found, ENOUGH)]


def as_densities(models: Mapping[str, Model], dataset: Dataset[Picture, Lookers]) -> dict[str, Model]:
    """Turn models of maps into models of densities."""
    return {name: Fitted(model, dataset) for name, model in models.items()}


def half_of(picture: Picture) -> int:
    """Which half a picture belongs to, 0 or 1: the same wherever and whenever it is shown."""
    return picture_key(picture) % FOLDS


def picture_key(picture: Picture) -> int:
    """A key of a picture: the checksum of its pixels."""
    return crc32(picture.pixels.tobytes())


def _map_of(model: Any, sample: Sample[Picture, Lookers]) -> Floats:
    answer = accept_map(model(sample.stimulus), sample.stimulus)
    return answer.values if isinstance(answer, Salience) else answer.log
