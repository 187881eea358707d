"""Time-delay embeddings: how near each stretch of a simulated scanpath comes to some stretch of a person's."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from beholder.attention.maps.fixated_pixels import check_choice
from beholder.attention.measures._areas import Alphabet, Areas, alphabet
from beholder.attention.measures._units import fixation_distances
from beholder.attention.paths.pairs import Over, Walk, over_people, read_scanpaths, within_bounds
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.stats.sequences import DAMERAU, edit_distance, nearest_windows

Norm = Literal["k", "rms", "mean"]
Reach = Literal["mean", "hausdorff"]


@measure(better="lower", bounds=(0, np.inf), cite="Wang2011", reads=read_scanpaths, unit="px")
def tde(
    found: Walk,
    lookers: Lookers,
    *,
    k: int = 2,
    norm: Norm = "k",
    reach: Reach = "mean",
    over: Over = "mean",
) -> Result:
    """Time-delay embedding distance: from each run of k fixations of the model to a person's nearest run.

    d_k = mean over the model's runs of min over the person's of ‖run − run‖/k, the Euclidean norm of the k point
    distances ("k", as published); "rms" divides by √k, "mean" takes the mean of the k distances. With `reach` =
    "hausdorff" the worst run counts instead of the mean over runs. It is not symmetric: a model that stays at one place
    where the person looked has 0 for k = 1. Undefined where either has fewer than k fixations. Of more than 1,000
    fixations the first 1,000 count, and confidence in the pair is low.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 10], [0, 0])}, (9, 20))
    >>> tde(scanpath([3, 14], [0, 0]), person, k=2).value  # √(3² + 4²)/2
    2.5
    """
    check_choice("norm", norm, Norm)
    check_choice("reach", reach, Reach)
    if k < 1:
        raise Misuse(f"got k={k}; expected 1 fixation or more")
    compare = partial(_embedded, k=k, norm=norm, reach=reach)
    return over_people(found, lookers, within_bounds(compare), over=over, better="lower")


@measure(better="higher", bounds=(0, 1), cite="Zanca2018, Wang2011", reads=read_scanpaths)
def stde(found: Walk, lookers: Lookers, *, norm: Norm = "k", reach: Reach = "mean", over: Over = "mean") -> Result:
    """Scaled time-delay embedding similarity: 1 for equal scanpaths, over runs of fixations of all lengths.

    STDE = mean over k = 1 … min(n, m) of exp(−d_k), with d_k as in `tde` and coordinates divided by the longest side of
    the picture. Under "k" (the public program's norm) ‖·‖/k falls as 1/√k, so long scanpaths look more alike: do not
    mix scores under "k", "rms" and "mean". It can be gamed: one fixation at any place where the person looked scores 1,
    and a stare at the centre beats people. Read it beside the blind models and the amplitudes. Undefined where the
    model makes no fixation. Of more than 1,000 fixations the first 1,000 count, and confidence in the pair is low.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 9], [0, 0])}, (5, 10))
    >>> round(stde(scanpath([4], [0]), person).value, 6)  # e^(−4/10)
    0.67032
    """
    check_choice("norm", norm, Norm)
    check_choice("reach", reach, Reach)
    compare = partial(_scaled, norm=norm, reach=reach, side=float(max(lookers.shape)))
    return over_people(found, lookers, within_bounds(compare), over=over)


@measure(better="lower", bounds=(0, 1), cite="Zanca2018, Wang2011", reads=read_scanpaths)
def string_tde(
    found: Walk, lookers: Lookers, *, k: int = 2, areas: Areas = 4, reach: Reach = "mean", over: Over = "mean"
) -> Result:
    """String-based time-delay embedding distance: `tde` with edit distances between strings of areas.

    d_k = mean over the model's runs of k fixations of min over the person's of (Damerau–Levenshtein distance)/k, or the
    worst run with `reach` = "hausdorff"; `areas` is as in `string_edit` (4 × 4 in the public program). Undefined where
    either has fewer than k fixations. Of more than 1,000 fixations the first 1,000 count, as in `tde`.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 1, 2], [0, 0, 0])}, (1, 3))  # AB, BC
    >>> string_tde(scanpath([0, 1, 1], [0, 0, 0]), person, areas=(3, 1)).value  # AB: 0; BB: 1 edit from either, /2
    0.25
    """
    check_choice("reach", reach, Reach)
    if k < 1:
        raise Misuse(f"got k={k}; expected 1 fixation or more")
    compare = partial(_spelled, k=k, letters=alphabet(areas, lookers), reach=reach)
    return over_people(found, lookers, within_bounds(compare), over=over, better="lower")


def _spelled(simulated: Scanpath, human: Scanpath, *, k: int, letters: Alphabet, reach: Reach) -> Result:
    a, b = letters.spell(simulated), letters.spell(human)
    if min(len(a), len(b)) < k:
        raise NotApplicable(f"{len(a)} and {len(b)} areas in a row: not both have a run of {k}")
    ours, theirs = (np.unique(sliding_window_view(of, k), axis=0, return_inverse=True) for of in (a, b))
    costs = np.array([[edit_distance(one, other, costs=DAMERAU) for other in theirs[0]] for one in ours[0]])
    nearest = costs.min(axis=1)[ours[1].ravel()] / k
    return Result(float(nearest.max() if reach == "hausdorff" else nearest.mean()))


def _embedded(simulated: Scanpath, human: Scanpath, *, k: int, norm: Norm, reach: Reach) -> Result:
    if min(len(simulated), len(human)) < k:
        raise NotApplicable(f"{len(simulated)} and {len(human)} fixations: not both have a run of {k}")
    apart = fixation_distances(simulated, human)
    return Result(float(embedding_distance(apart, k, norm=norm, reach=reach)))


def _scaled(simulated: Scanpath, human: Scanpath, *, norm: Norm, reach: Reach, side: float) -> Result:
    d = embedding_distances(fixation_distances(simulated, human) / side, norm=norm, reach=reach)
    return Result(float(np.exp(-d).mean()), {"k": float(len(d))})


def embedding_distance(apart: Floats, k: int, *, norm: Norm = "k", reach: Reach = "mean") -> float:
    """d_k of one k alone, which costs k n m: the sums of the costs of k neighbours on each diagonal.

    >>> embedding_distance(np.array([[3.0, 9.0], [9.0, 4.0]]), 2)
    2.5
    """
    costs = apart if norm == "mean" else apart * apart
    n, m = costs.shape[0] - k + 1, costs.shape[1] - k + 1
    nearest = sum(costs[at : at + n, at : at + m] for at in range(k)).min(axis=1)  # type: ignore[union-attr]
    each = nearest / k if norm == "mean" else np.sqrt(nearest) / (k if norm == "k" else np.sqrt(k))
    return float(each.max() if reach == "hausdorff" else each.mean())


def embedding_distances(apart: Floats, *, norm: Norm = "k", reach: Reach = "mean") -> Floats:
    """d_k for k = 1, 2 … min(n, m), from the distances of all fixations of a model (n) and a person (m).

    >>> embedding_distances(np.array([[3.0, 9.0], [9.0, 4.0]]))
    array([3.5, 2.5])
    """
    nearest = nearest_windows(apart if norm == "mean" else apart * apart)
    k = np.arange(1, len(nearest) + 1)[:, None]
    each = nearest / k if norm == "mean" else np.sqrt(nearest) / (k if norm == "k" else np.sqrt(k))
    if reach == "hausdorff":
        return np.asarray(np.nanmax(each, axis=1))
    return np.asarray(np.nansum(each, axis=1) / (each.shape[1] - k[:, 0] + 1))
