"""How unlike the salience of fixated places and that of other places are, as histograms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from beholder.attention.maps import pixels
from beholder.attention.measures._fixated import chosen, controls_of, counted, derived, fixated
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Floats, Lookers
from beholder.spine.measure import Result, measure
from beholder.spine.misuse import Misuse
from beholder.stats.divergence import counts, histogram_kl, histograms_kl

Against = Literal["uniform", "shuffled"]
Span = tuple[float, float]


@measure(better="higher", bounds=(0, np.inf), cite="Itti2009, Zhang2008, LeMeur2013", reads=surface, unit="nats")
def fixation_kl(
    found: Surface,
    lookers: Lookers,
    *,
    controls: Against = "uniform",
    bins: int = 10,
    repeats: int = 100,
    seed: int = 0,
) -> Result:
    """The divergence of salience at fixations from that at controls, as histograms: how well the two are told apart.

    KL = Σ_k h_k log(h_k/c_k) over `bins` equal bins from the least to the greatest value of the map, 1e-20 added to the
    shares. Controls are all pixels ("uniform", Itti & Baldi), or "shuffled": the fixations of other pictures, drawn
    with replacement `repeats` times; the mean, with the standard deviation as part `sd` (Zhang et al., whose own form
    needs the maps of other pictures: `other_pictures_kl`). The numbers come from the seed, named in the result. Which
    side is more salient it does not say; a bin that fixations alone fill costs some 46 nats a share.

    A constant map has 0. No fixation, or no control: not applicable. One fixation gives −log of its bin's share.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(3, 0)}, (1, 4))
    >>> round(fixation_kl(Surface(np.array([[0.0, 0.0, 0.0, 1.0]])), here).value, 4)  # log 4
    1.3863
    """
    chosen("controls", controls, Against)
    if bins < 1 or repeats < 1:
        raise Misuse(f"got bins={bins}, repeats={repeats}; expected 1 or more of each")
    where = fixated(found, lookers)
    span = float(found.values.min()), float(found.values.max())
    if not span[1] > span[0]:
        return counted(0.0, lookers, where, reason="a constant map")
    here = counts(found.values[where], span, bins)
    if controls == "uniform":
        all_of_it = found.once(("counts", bins), lambda: counts(found.values.ravel(), span, bins))
        return counted(max(0.0, histograms_kl(here, all_of_it)), lookers, where)
    each = [histograms_kl(here, there) for there in _drawn(found, lookers, (span, bins), (repeats, seed))]
    said = f"seed {seed}, {repeats} repeats"
    return counted(max(0.0, float(np.mean(each))), lookers, where, reason=said, sd=float(np.std(each)))


def _drawn(found: Surface, lookers: Lookers, histogram: tuple[Span, int], drawing: tuple[int, int]) -> Floats:
    """Histograms of control sets: repeats × bins. Drawing values with replacement is drawing bins by their shares."""
    points = controls_of(lookers).points
    there = counts(found.values[pixels(points, lookers.shape)], *histogram)
    repeats, seed = drawing
    return derived(lookers, seed).multinomial(len(points), there / len(points), repeats).astype(float)


def other_pictures_kl(
    found: Sequence[Surface],
    lookers: Sequence[Lookers],
    *,
    rng: np.random.Generator,
    repeats: int = 100,
    bins: int = 10,
) -> Floats:
    """Zhang et al.'s divergence over several pictures, once a repeat: their spread is the spread of the measure.

    Salience at fixations, all pictures pooled, against the salience of another picture, drawn at random for each, at
    the same places (brought to its size by the ratio of the sides).

    >>> from beholder.attention.types import scanpath
    >>> left, right = Lookers({"a": scanpath(0, 0)}, (1, 2)), Lookers({"a": scanpath(1, 0)}, (1, 2))
    >>> maps = [Surface(np.array([[1.0, 0.0]])), Surface(np.array([[0.0, 1.0]]))]
    >>> bool(other_pictures_kl(maps, [left, right], rng=np.random.default_rng(0), repeats=3).min() > 40)  # log 1e20
    True
    """
    if len(found) < 2 or len(found) != len(lookers):
        raise ValueError(f"got {len(found)} maps of {len(lookers)} pictures; expected one a picture and two pictures")
    here = [one.values[pixels(of.points, of.shape)] for one, of in zip(found, lookers, strict=True)]
    pooled = np.concatenate(here)
    if not len(pooled):
        raise ValueError("got no fixation on any picture; expected one at least")
    n = len(found)
    drawn = []
    for _ in range(repeats):
        others = (np.arange(n) + rng.integers(1, n, n)) % n
        there = [_at_same_places(found[j], of) for j, of in zip(others, lookers, strict=True)]
        drawn.append(histogram_kl(pooled, np.concatenate(there), bins=bins))
    return np.array(drawn)


def _at_same_places(other: Surface, lookers: Lookers) -> Floats:
    ratio = np.array(other.shape[::-1]) / np.array(lookers.shape[::-1])
    values: Floats = other.values[pixels(lookers.points * ratio, other.shape)]
    return values
