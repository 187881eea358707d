"""Scanpaths as curves: warped in time, on the longest leash, point set to point set."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from beholder.attention.measures._units import Unit, distances, fixation_distances, px_per_unit
from beholder.attention.paths.pairs import Over, Walk, over_people, read_scanpaths
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.stats.sequences import coupling, warping_path

Dimensions = tuple[float, float, float, float]


@measure(better="lower", bounds=(0, np.inf), cite="Sakoe1978", reads=read_scanpaths)
def dtw(found: Walk, lookers: Lookers, *, normalise: bool = False, unit: Unit = "px", over: Over = "mean") -> Result:
    """Dynamic time warping: the sum of distances along the best alignment of two scanpaths in order.

    DTW = min over monotone alignments from (1, 1) to (n, m) of Σ |a_i − b_j|; with `normalise` it is divided by the
    number of aligned pairs (of equally cheap alignments, the one with diagonal steps first). `unit` is px, deg or
    diagonal (a share of the picture's diagonal). Undefined where the model makes no fixation; not applicable in degrees
    where px per degree are unknown.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 4], [0, 0])}, (4, 9))
    >>> dtw(scanpath([0, 3, 5], [0, 0, 0]), person).value  # 0 + 1 + 1
    2.0
    """
    compare = partial(_warped, px=px_per_unit(unit, lookers), normalise=normalise)
    return over_people(found, lookers, compare, over=over, better="lower")


def _warped(simulated: Scanpath, human: Scanpath, *, px: float, normalise: bool) -> Result:
    apart = fixation_distances(simulated, human)
    way = apart[warping_path(apart)]
    return Result(float(way.mean() if normalise else way.sum()) / px, {"pairs": float(len(way))})


@measure(better="lower", bounds=(0, np.inf), cite="Eiter1994", reads=read_scanpaths)
def frechet(found: Walk, lookers: Lookers, *, unit: Unit = "px", over: Over = "mean") -> Result:
    """Discrete Fréchet distance: the shortest leash for two walkers who follow the two scanpaths, never going back.

    δ = min over monotone alignments of max |a_i − b_j| along the alignment. Undefined where the model makes no
    fixation.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 4], [0, 0])}, (4, 9))
    >>> frechet(scanpath([0, 8], [0, 3]), person).value
    5.0
    """
    compare = partial(_of_matrix, of=coupling, px=px_per_unit(unit, lookers))
    return over_people(found, lookers, compare, over=over, better="lower")


@measure(better="lower", bounds=(0, np.inf), cite="Huttenlocher1993", reads=read_scanpaths)
def hausdorff(found: Walk, lookers: Lookers, *, unit: Unit = "px", over: Over = "mean") -> Result:
    """Hausdorff distance: the farthest that a fixation of either scanpath lies from the other scanpath, in any order.

    H = max(max_i min_j |a_i − b_j|, max_j min_i |a_i − b_j|). Undefined where the model makes no fixation.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 4], [0, 0])}, (4, 9))
    >>> hausdorff(scanpath([8, 0], [3, 0]), person).value
    5.0
    """
    compare = partial(_of_matrix, of=_farthest, px=px_per_unit(unit, lookers))
    return over_people(found, lookers, compare, over=over, better="lower")


def _of_matrix(simulated: Scanpath, human: Scanpath, *, of: Callable[[Floats], float], px: float) -> Result:
    return Result(of(fixation_distances(simulated, human)) / px)


def _farthest(apart: Floats) -> float:
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))


@measure(better="lower", bounds=(0, np.inf), cite="Zanca2018", reads=read_scanpaths)
def euclidean(found: Walk, lookers: Lookers, *, unit: Unit = "px", over: Over = "mean") -> Result:
    """The mean distance between fixations of the same rank: first to first, second to second, and so on.

    E = 1/n Σ_i |a_i − b_i|. Undefined for scanpaths of different lengths and for an empty scanpath.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 4], [0, 0])}, (4, 9))
    >>> euclidean(scanpath([0, 8], [0, 3]), person).value
    2.5
    """
    compare = partial(_one_by_one, px=px_per_unit(unit, lookers))
    return over_people(found, lookers, compare, over=over, better="lower")


def _one_by_one(simulated: Scanpath, human: Scanpath, *, px: float) -> Result:
    if len(simulated) != len(human):
        raise NotApplicable(f"{len(simulated)} fixations against {len(human)}: the numbers must be equal")
    return Result(float(np.diagonal(fixation_distances(simulated, human)).mean()) / px)


@measure(better="lower", bounds=(0, np.inf), cite="Mathot2012", reads=read_scanpaths)
def eyenalysis(
    found: Walk, lookers: Lookers, *, weights: Dimensions = (1.0, 1.0, 0.0, 0.0), over: Over = "mean"
) -> Result:
    """Eyenalysis: the distance from each fixation of either scanpath to the nearest one of the other.

    D = (Σ_i d₁i + Σ_j d₂j)/max(n, m), where d is the Euclidean distance to the nearest fixation of the other scanpath,
    each dimension multiplied by its weight. `weights` are those of x and y (px), onset and duration (ms); 0 leaves a
    dimension out. Undefined where the model makes no fixation, or where a time that has a weight is unknown.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0], [0])}, (6, 9))
    >>> eyenalysis(scanpath([3, 0], [4, 0]), person).value  # (5 + 0 + 0)/2
    2.5
    """
    if np.shape(weights) != (4,) or min(weights) < 0 or not any(weights):
        raise Misuse(
            f"got weights={weights}; expected four numbers of 0 or more (x, y, onset, duration), at least one above 0"
        )
    compare = partial(_mapped, weights=np.array(weights, float))
    return over_people(found, lookers, compare, over=over, better="lower")


def _mapped(simulated: Scanpath, human: Scanpath, *, weights: Floats) -> Result:
    if not len(simulated):
        raise NotApplicable("the model made no fixation inside the picture")
    held = np.flatnonzero(weights)
    a, b = (_dimensions(path)[:, held] * weights[held] for path in (simulated, human))
    if np.isnan(a).any() or np.isnan(b).any():
        raise NotApplicable("onsets or durations have a weight but are unknown")
    apart = distances(a, b)
    return Result(float(apart.min(axis=1).sum() + apart.min(axis=0).sum()) / max(apart.shape))


def _dimensions(path: Scanpath) -> Floats:
    return np.column_stack([path.x, path.y, path.onset_ms, path.duration_ms])
