"""Forecasts from models that only draw scanpaths: a kernel density of where simulated eyes land next.

It is an adapter, not the model's likelihood: its bandwidth is a choice, and 200 landings say little about improbable
places. So every score is of low confidence, and reports the number of landings and the bandwidth.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from beholder.attention.maps.densities import FOLDS, half_of, picture_key
from beholder.attention.maps.features import px_per_deg_of
from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.paths.pairs import read_scanpaths, scanpaths_of
from beholder.attention.types import Density, Floats, Lookers, Picture, Scanpath, keep_inside
from beholder.core.measure import NotApplicable
from beholder.core.sample import Dataset, Sample
from beholder.errors import Misuse
from beholder.vision.blur import blurred_points, spread

BANDWIDTHS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)  # degrees, tried
STEPS = 30  # of expectation–maximisation
LEAST = 0.01  # share of a uniform density at the least, so that no fixation is impossible
NEAR = 1.0  # degrees: a simulated fixation that is no farther from the last one has not left it
SECONDS = 1.0  # that a simulated eye has to land somewhere else: three fixations or four
PICTURES, HISTORIES = 4, 8  # on so many other pictures, so many fixations of each, the kernel is fitted


class Kernel(NamedTuple):
    """How landings become a density: (1 − anywhere) · Gaussians of one bandwidth + anywhere / N."""

    bandwidth: float = 2.0  # degrees (ours): the widest kernel of the gold standard
    anywhere: float = 0.1  # (ours)
    fitted: bool = False


@dataclass(frozen=True, eq=False)
class Landings:
    """The forecast that `from_sampler` gives: where a model that only samples puts the next fixation on a picture."""

    sampler: Callable[..., Any]
    picture: Picture
    samples: int
    kernel: Kernel
    seed: int = 0

    @property
    def count(self) -> int:
        """How many landings a density is made from: one if the model is deterministic."""
        return self.samples if "rng" in inspect.signature(self.sampler).parameters else 1

    @property
    def low(self) -> str:
        """Why scores are of low confidence: this is no likelihood."""
        how = "fitted on other pictures" if self.kernel.fitted else "given"
        return (
            f"an adapter, not the model's likelihood: a kernel density of {self.count} simulated "
            f"landing{'s' * (self.count > 1)}, bandwidth {self.kernel.bandwidth:g} deg, {how}"
        )

    @property
    def parts(self) -> dict[str, float]:
        """Parts of every score."""
        return {
            "samples": float(self.count),
            "bandwidth_deg": self.kernel.bandwidth,
            "anywhere": self.kernel.anywhere,
        }

    def __call__(self, history: Scanpath) -> Density:
        """The density of the next fixation; equal histories give equal densities."""
        points = draw_landings(self.sampler, self.picture, history, samples=self.samples, seed=self.seed)
        p = kernel_density(points, self.picture, self.kernel.bandwidth)
        return Density(np.log((1 - self.kernel.anywhere) * p + self.kernel.anywhere / p.size))


def kernel_density(points: Floats, picture: Picture, bandwidth: float) -> Floats:
    """The kernel density (H, W) of landings, reflected at the border; it adds up to 1."""
    where = pixels(points, picture.shape)
    return blurred_points(where, picture.shape, sigma=bandwidth * px_per_deg_of(picture), border="reflect") / len(
        points
    )


def draw_landings(
    sampler: Callable[..., Any], picture: Picture, history: Scanpath, *, samples: int, seed: int = 0
) -> Floats:
    """Draw where simulated eyes land next, (n, 2), after the fixations of a history.

    Each path goes on from the last fixation. Its landing is the first fixation more than 1 degree from there, or the
    last fixation if the eye never leaves. Without a history it is the first fixation. Random numbers depend on the
    seed and the history alone.
    """
    past = np.stack([history.x, history.y, np.nan_to_num(history.duration_ms, nan=-1.0)])
    rng = np.random.default_rng([seed, crc32(past.tobytes())])
    paths = _draw_paths(sampler, picture, history if len(history) else None, rng=rng, samples=samples)
    reach = NEAR * px_per_deg_of(picture)
    found = [_landing(keep_inside(path, picture.shape)[0].points, history.points, reach) for path in paths]
    held = [point for point in found if point is not None]
    if not held:
        raise NotApplicable("no simulated scanpath has a fixation here, so there is nothing to estimate a density from")
    return np.array(held)


def _draw_paths(
    sampler: Callable[..., Any], picture: Picture, after: Scanpath | None, *, rng: np.random.Generator, samples: int
) -> Sequence[Scanpath]:
    """Draw paths of a model that go on from a history; one if the model is deterministic."""
    known = inspect.signature(sampler).parameters
    given: dict[str, Any] = {"after": after} | {
        name: value for name, value in _short_settings(sampler) if name in known
    }
    if "rng" not in known:
        drawn = [sampler(picture, **given)]
    elif "many" in known:
        drawn = list(sampler(picture, rng=rng, many=samples, **given))
    else:
        drawn = [sampler(picture, rng=rng, **given) for _ in range(samples)]
    return [path for one in drawn for path in scanpaths_of(read_scanpaths(one, picture))]


def _short_settings(sampler: Callable[..., Any]) -> list[tuple[str, Any]]:
    """Settings that keep a path short, unless the user set them: only the next landing is needed."""
    chosen = getattr(sampler, "keywords", {})
    return [(name, value) for name, value in (("seconds", SECONDS), ("fixations", 2)) if name not in chosen]


def _landing(points: Floats, history: Floats, reach: float) -> Floats | None:
    """The first fixation that is not where the eye was; None for a path without fixations or history."""
    if not len(points):
        return history[-1] if len(history) else None
    if not len(history):
        return np.asarray(points[0])
    away = np.flatnonzero(np.hypot(*(points - history[-1]).T) > reach)
    return np.asarray(points[away[0]] if len(away) else points[-1])


@dataclass(frozen=True, eq=False)
class KernelFits:
    """Kernels of a model, each fitted on other pictures of a dataset than the one it is used for."""

    sampler: Callable[..., Any]
    dataset: Dataset[Picture, Lookers]
    samples: int
    seed: int = 0
    _made: dict[int, Kernel] = field(default_factory=dict, repr=False)

    def kernel(self, picture: Picture) -> Kernel:
        """The kernel for a picture, fitted on four of the other half of the dataset, or on others if it has none."""
        own, side = picture_key(picture), half_of(picture)
        if side not in self._made and FOLDS + own not in self._made:
            others = self._shown(lambda other: other % FOLDS != side)
            key = side if others else FOLDS + own  # in a dataset without another half, the others are others for each
            others = others or self._shown(lambda other: other != own)
            self._made[key] = fit_kernel([pair for one in others for pair in self._pairs(one.stimulus, one.reference)])
        return self._made.get(side) or self._made[FOLDS + own]

    def _shown(self, among: Callable[[int], bool]) -> list[Sample[Picture, Lookers]]:
        """The first pictures of a kind on which paths have two fixations."""
        found = (
            one for one in self.dataset.whole if among(picture_key(one.stimulus)) and _next_fixations(one.reference)
        )
        return list(islice(found, PICTURES))

    def _pairs(self, picture: Picture, lookers: Lookers) -> list[tuple[Picture, Floats, Floats]]:
        """Landings after some histories, and where the person's eye really landed."""
        every = _next_fixations(lookers)
        chosen = np.unique(np.linspace(0, len(every) - 1, HISTORIES).round().astype(int))
        found = []
        for path, at in (every[n] for n in chosen):
            history = path.at(np.arange(at))
            points = draw_landings(self.sampler, picture, history, samples=self.samples, seed=self.seed)
            found.append((picture, points, path.points[at]))
        return found


def _next_fixations(lookers: Lookers) -> list[tuple[Scanpath, int]]:
    """Every fixation but the first of each path."""
    return [(path, at) for path in lookers.paths.values() for at in range(1, len(path))]


def fit_kernel(pairs: Sequence[tuple[Picture, Floats, Floats]]) -> Kernel:
    """Fit the kernel that makes true landings likeliest: each bandwidth with its best share of a uniform density."""
    if not pairs:
        raise NotApplicable("no other picture has scanpaths of two fixations, which fitting the bandwidth needs")
    sizes = np.array([1 / (picture.shape[0] * picture.shape[1]) for picture, _, _ in pairs])
    tried = []
    for degrees in BANDWIDTHS:
        near = np.array([_density_at(true, picture, points, degrees) for picture, points, true in pairs])
        tried.append((degrees, *_fit_uniform_share(near, sizes)))
    degrees, share, _ = max(tried, key=lambda one: one[2])
    return Kernel(degrees, share, fitted=True)


def _density_at(point: Floats, picture: Picture, points: Floats, bandwidth: float) -> float:
    """The value of `kernel_density` at one point."""
    sigma = bandwidth * px_per_deg_of(picture)
    there, here = pixels(points, picture.shape), pixels(point[None], picture.shape)
    down, right = (
        spread(side, sigma, "reflect")[from_, to] for side, from_, to in zip(picture.shape, there, here, strict=True)
    )
    return float((down * right).mean())


def _fit_uniform_share(near: Floats, even: Floats) -> tuple[float, float]:
    """The likeliest share of the uniform density by expectation–maximisation, and the mean log likelihood."""
    share = 0.2
    for _ in range(STEPS):
        share = max(LEAST, float((share * even / ((1 - share) * near + share * even)).mean()))
    return share, float(np.log((1 - share) * near + share * even).mean())


def checked_sampler(sampler: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A model that can go on from given fixations: it has a parameter `after`."""
    if "after" not in inspect.signature(sampler).parameters:
        raise Misuse(
            f"got of={name!r}, which has no parameter `after`; expected a scanpath model that can continue from "
            "given fixations: mine(picture, *, rng, many, after) with after a Scanpath, or None for a new path"
        )
    return sampler
