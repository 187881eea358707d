"""Mannan's index: how near fixations of two scanpaths are, whatever their order, beside random ones."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Literal

import numpy as np

from beholder.attention.maps.fixated_pixels import check_choice, controls_of
from beholder.attention.maps.fixation_maps import made_once
from beholder.attention.measures._units import fixation_distances
from beholder.attention.paths.pairs import Over, Walk, over_people, read_scanpaths, within_bounds
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import Result, measure
from beholder.errors import Misuse
from beholder.jit import compiled

Reference = Literal["uniform", "shuffled"]

UNEQUAL = 2.0  # one scanpath longer than the other by more than this: the index says little (Le Meur & Baccino 2.2)
CHUNK = 250  # random pairs at once


@measure(better="higher", bounds=(-np.inf, 100), cite="Mannan1995, LeMeur2013", reads=read_scanpaths, unit="%")
def mannan(
    found: Walk,
    lookers: Lookers,
    *,
    reference: Reference = "uniform",
    draws: int = 1000,
    seed: int = 0,
    over: Over = "mean",
) -> Result:
    """Mannan's similarity index: 100 for the same places in any order, 0 for random ones, negative for worse.

    Is = 100 (1 − D/D_r), D² = (n₁ Σ_j d₂j² + n₂ Σ_i d₁i²)/(2 n₁ n₂ (a² + b²)), where d₁i is the distance from fixation
    i of one scanpath to the nearest of the other, d₂j that in the other direction, and a and b are the sides of the
    picture. D_r is the mean D of `draws` pairs of random sets of the same sizes: "uniform", or "shuffled" (fixations on
    other pictures). The random draws follow from the seed and the sizes alone, so the index is symmetric. The parts are
    D and D_r (`distance`, `random`). Of more than 1,000 fixations the first 1,000 count, and confidence in the pair is
    low.

    Confidence in a pair is low where one scanpath is more than twice as long as the other; confidence in the score is
    low where it is in most pairs. Undefined where the model makes no fixation; not applicable where nobody does.

    Deviation: Le Meur & Baccino print "second" for the trace in which d₂j's neighbour is, and 0 as the lower bound.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([1, 8], [1, 8])}, (10, 10))
    >>> mannan(scanpath([8, 1], [8, 1]), person).value
    100.0
    """
    check_choice("reference", reference, Reference)
    if draws < 1000:
        raise Misuse(f"got draws={draws}; expected 1000 or more, because the reference is random")
    compare = partial(_compared, lookers=lookers, reference=reference, draws=draws, seed=seed)
    return over_people(found, lookers, within_bounds(compare), over=over)


def _compared(
    simulated: Scanpath, human: Scanpath, *, lookers: Lookers, reference: Reference, draws: int, seed: int
) -> Result:
    distance = mannan_distance(fixation_distances(simulated, human), lookers.shape)
    sizes = min(len(simulated), len(human)), max(len(simulated), len(human))
    if reference == "uniform":
        expected = _uniform(sizes, lookers.shape, draws, seed)
    else:
        points = controls_of(lookers).points
        key = ("mannan", sizes, draws, seed)
        expected = made_once(lookers.everyone, key, lambda: _random(sizes, lookers.shape, draws, seed, points))
    said = f"{sizes[0]} fixations against {sizes[1]}: very different lengths"
    low = sizes[1] > UNEQUAL * sizes[0]
    parts = {"distance": distance, "random": expected}
    return Result(100 * (1 - distance / expected), parts, state="low" if low else "ok", reason=said if low else "")


def mannan_distance(apart: Floats, shape: tuple[int, int]) -> float:
    """D of two sets of fixations: their distances in px (n₁ × n₂), and the picture's sides.

    >>> mannan_distance(np.array([[3.0, 5.0]]), (3, 4))  # D² = (1 · (9 + 25) + 2 · 9)/(2 · 2 · 25) = 0.52
    0.7211102550927979
    """
    both = (apart.min(axis=1) ** 2).mean() + (apart.min(axis=0) ** 2).mean()
    return float(np.sqrt(both / (2 * (shape[0] ** 2 + shape[1] ** 2))))


@lru_cache(maxsize=4096)
def _uniform(sizes: tuple[int, int], shape: tuple[int, int], draws: int, seed: int) -> float:
    return _random(sizes, shape, draws, seed, None)


def _random(sizes: tuple[int, int], shape: tuple[int, int], draws: int, seed: int, points: Floats | None) -> float:
    rng = np.random.default_rng([seed, *sizes])
    found = []
    for at in range(0, draws, CHUNK):
        count = min(CHUNK, draws - at)
        a, b = (_places(rng, (count, n), shape, points) for n in sizes)
        squares = np.empty(count)
        _nearest(a, b, squares)
        found.append(squares)
    return float(np.sqrt(np.concatenate(found) / (2 * (shape[0] ** 2 + shape[1] ** 2))).mean())


@compiled
def _nearest(a: Floats, b: Floats, found: Floats) -> None:
    """Put into `found`, for each two sets of points, mean squared distances to the nearest, both ways added."""
    for draw in range(len(a)):
        back = np.full(b.shape[1], np.inf)
        one = 0.0
        for i in range(a.shape[1]):
            least = np.inf
            for j in range(b.shape[1]):
                across, down = a[draw, i, 0] - b[draw, j, 0], a[draw, i, 1] - b[draw, j, 1]
                square = across * across + down * down
                least = min(least, square)
                back[j] = min(back[j], square)
            one += least
        found[draw] = one / a.shape[1] + back.mean()


def _places(rng: np.random.Generator, size: tuple[int, int], shape: tuple[int, int], points: Floats | None) -> Floats:
    if points is None:
        return np.asarray(rng.random((*size, 2)) * np.array(shape[::-1]))
    return np.asarray(points[rng.integers(0, len(points), size)])
