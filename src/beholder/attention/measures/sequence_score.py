"""The sequence score: scanpaths as strings of the places that people look at, or of what is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from beholder.attention.maps.fixation_maps import made_once
from beholder.attention.measures._areas import Areas, Cut, Ints, alphabet, trim
from beholder.attention.measures._units import distances, px_per_deg_or_assumed, with_note
from beholder.attention.paths.pairs import (
    Over,
    Walk,
    over_people,
    paths_with_fixations,
    read_scanpaths,
    within_bounds,
)
from beholder.attention.types import Floats, Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.jit import compiled
from beholder.stats.sequences import alignment_score

STILL = 1e-3  # px: a mean that moves less has arrived
MOST = 300  # moves of a mean
CLUSTERED = 5000  # fixations that clusters are made of: beyond, every k-th


@measure(better="higher", bounds=(0, 1), cite="Borji2013, Yang2020", reads=read_scanpaths)
def sequence_score(
    found: Walk,
    lookers: Lookers,
    *,
    bandwidth: float = 2.0,
    areas: Areas | None = None,
    cut: Cut = "none",
    over: Over = "mean",
) -> Result:
    """Sequence score: how well two strings of fixated places match in order; 1 if equal.

    score = F(a, b)/max(n, m), where F is the greatest number of equal letters in line (Needleman & Wunsch: match 1,
    mismatch 0, gap 0). Letters are the clusters of all people's fixations by mean shift with a flat kernel of
    `bandwidth` degrees (our value: the authors' is not given in degrees); a fixation belongs to the nearest centre.
    With `areas`, such as a map of labels, the letters are those instead: with a segmentation this is the semantic
    sequence score. `cut` is as in `string_edit`.

    A model's empty scanpath scores 0; two strings without letters are undefined. Where px per degree are unknown, 35 is
    assumed, and the reason says so. Of more than 1,000 fixations of a scanpath the first 1,000 count, and of more than
    5,000 fixations of all people every k-th one makes the clusters; confidence is then low.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([10, 80, 10], [5, 5, 5])}, (10, 100), px_per_deg=5)
    >>> sequence_score(scanpath([12, 78], [5, 5]), person).value  # AB beside ABA: 2/3
    0.6666666666666666
    """
    if not bandwidth > 0:
        raise Misuse(f"got bandwidth={bandwidth}; expected more than 0 degrees")
    paths_with_fixations(lookers)
    px, said = px_per_deg_or_assumed(lookers)
    if areas is not None:
        compare = partial(_compared, spell=alphabet(areas, lookers).spell, cut=cut)
        return over_people(found, lookers, within_bounds(compare), over=over)
    group, width = lookers.everyone, bandwidth * px
    every = -(-len(group.points) // CLUSTERED)
    centres = made_once(group, ("clusters", width), lambda: mean_shift(group.points[::every], width))
    compare = partial(_compared, spell=partial(_nearest, centres), cut=cut)
    scored = with_note(over_people(found, lookers, within_bounds(compare), over=over), said)
    if every == 1:
        return scored
    return with_note(scored._replace(state="low"), f"clusters made from 1 in {every} of all people's fixations")


def _nearest(centres: Floats, path: Scanpath) -> Ints:
    return np.asarray(distances(path.points, centres).argmin(axis=1), np.int64)


def _compared(simulated: Scanpath, human: Scanpath, *, spell: Callable[[Scanpath], Ints], cut: Cut) -> Result:
    a, b = (spell(path) for path in trim(simulated, human, cut))
    if not len(a) and not len(b):
        raise NotApplicable("two strings without letters: neither scanpath has a fixation in any area")
    matched = alignment_score((a[:, None] == b).astype(float))
    return Result(matched / max(len(a), len(b)), {"length": float(len(a)), "length_people": float(len(b))})


@compiled
def _means_near(centres: Floats, points: Floats, reach: float) -> Any:
    """(n, 3): the mean of the points within reach of each centre, and how many they are."""
    found = np.zeros((len(centres), 3))
    for one in range(len(centres)):
        x, y, n = 0.0, 0.0, 0
        for at in range(len(points)):
            across, down = centres[one, 0] - points[at, 0], centres[one, 1] - points[at, 1]
            if np.sqrt(across * across + down * down) <= reach:
                x, y, n = x + points[at, 0], y + points[at, 1], n + 1
        found[one, 0], found[one, 1], found[one, 2] = x / max(n, 1), y / max(n, 1), n
    return found


def mean_shift(points: Floats, bandwidth: float) -> Floats:
    """Centres of clusters (Comaniciu & Meer 2002): every point moves to the mean of what is near until it rests.

    Near is within `bandwidth`; of centres nearer to one another than that the one with more points around stays (of
    equals the first by x, then y). The order of points does not matter.

    >>> mean_shift(np.array([[0.0, 0.0], [1.0, 0.0], [9.0, 0.0]]), 2.0)
    array([[0.5, 0. ],
           [9. , 0. ]])
    """
    means, moving = points.copy(), np.arange(len(points))
    for _ in range(MOST):
        # Means that have met go on together, and one that rests has the same neighbours for ever.
        apart, which = np.unique(means[moving], axis=0, return_inverse=True)
        moved = _means_near(apart, points, bandwidth)[which.ravel(), :2]
        steps = np.abs(moved - means[moving])
        means[moving] = moved
        moving = moving[(steps > 0).any(axis=1)]
        if (steps < STILL).all():
            break
    around = _means_near(means, points, bandwidth)[:, 2]
    order = np.lexsort((means[:, 1].round(3), means[:, 0].round(3), -around))
    kept: list[int] = []
    for at in order:
        if not kept or (distances(means[[at]], means[kept]) > bandwidth).all():
            kept.append(int(at))
    return np.asarray(means[kept])
