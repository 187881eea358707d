"""How unlike the salience of fixated places and that of other places are, as histograms."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.coarse import Sampled, Spots, coarse_map, stack_grids
from beholder.attention.maps.fixated_pixels import check_choice, controls_of, derived_rng, fixated_pixels, with_counts
from beholder.attention.maps.fixation_maps import pixels
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.stats.divergence import counts, histograms_kl, kl_rows

Against = Literal["uniform", "shuffled"]
Span = tuple[float, float]
AT_ONCE = 1 << 20  # values of other pictures that are held at once


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
    """KL divergence between the salience at fixations and at controls, as histograms: how well they separate.

    KL = Σ_k h_k log(h_k/c_k) over `bins` equal bins from the least to the greatest value of the map, with 1e-20 added
    to the shares. `controls` are all pixels ("uniform", Itti & Baldi), or the fixations on other pictures ("shuffled"),
    drawn with replacement `repeats` times: then the score is the mean, and the part `sd` the standard deviation (after
    Zhang et al., whose own form reads the maps of other pictures: `other_pictures_kl`). The draws follow from the seed,
    which the result names. The score does not say which side is more salient. A bin that only fixations fill costs some
    46 nats times its share.

    A constant map scores 0. Not applicable without a fixation or a control. A single fixation scores −log of its bin's
    share.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath(3, 0)}, (1, 4))
    >>> round(fixation_kl(Surface(np.array([[0.0, 0.0, 0.0, 1.0]])), here).value, 4)  # log 4
    1.3863
    """
    check_choice("controls", controls, Against)
    if bins < 1 or repeats < 1:
        raise Misuse(f"got bins={bins}, repeats={repeats}; expected 1 or more of each")
    where = fixated_pixels(found, lookers)
    span = float(found.values.min()), float(found.values.max())
    if not span[1] > span[0]:
        return with_counts(0.0, lookers, where, reason="a constant map")
    here = counts(found.values[where], span, bins)
    if controls == "uniform":
        all_of_it = found.once(("counts", bins), lambda: counts(found.values.ravel(), span, bins))
        return with_counts(max(0.0, histograms_kl(here, all_of_it)), lookers, where)
    each = [histograms_kl(here, there) for there in _control_histograms(found, lookers, (span, bins), (repeats, seed))]
    said = f"seed {seed}, {repeats} repeats"
    return with_counts(max(0.0, float(np.mean(each))), lookers, where, reason=said, sd=float(np.std(each)))


def _control_histograms(
    found: Surface, lookers: Lookers, histogram: tuple[Span, int], drawing: tuple[int, int]
) -> Floats:
    """Histograms of control sets: repeats × bins. Drawing values with replacement is drawing bins by their shares."""
    points = controls_of(lookers).points
    there = counts(found.values[pixels(points, lookers.shape)], *histogram)
    repeats, seed = drawing
    return derived_rng(lookers, seed).multinomial(len(points), there / len(points), repeats).astype(float)


class _Tables(NamedTuple):
    """Histograms of each picture that somebody fixated, in an order that is theirs and not the dataset's."""

    order: list[int]
    here: Floats  # (pictures, bins): at fixations
    there: Floats  # (repeats, pictures, bins): of other pictures, drawn at random, at the same places


def _tables(found: Sequence[Sampled], spots: Sequence[Spots], *, bins: int, repeats: int, seed: int) -> _Tables:
    if bins < 1 or repeats < 1:
        raise Misuse(f"got bins={bins}, repeats={repeats}; expected 1 or more of each")
    order = _ordered(found, spots)
    maps, points = [found[at] for at in order], [spots[at].points for at in order]
    span = np.array([one.span for one in maps])
    own = np.repeat(np.arange(len(maps)), [len(at) for at in points])
    into = _Bins(own, span, bins)
    grids, at = stack_grids([one.grid for one in maps]), np.concatenate(points)
    rng = np.random.default_rng([seed, *(zlib.crc32(places.tobytes()) for places in points)])
    others = _others(len(maps), repeats, rng=rng)[:, own]
    blocks = np.array_split(others, -(-others.size // AT_ONCE))
    there = np.concatenate([into.counts(grids.at(which, at), which) for which in blocks])
    return _Tables(order, into.counts(np.concatenate([one.fixated for one in maps]), own)[0], there)


def _ordered(found: Sequence[Sampled], spots: Sequence[Spots]) -> list[int]:
    if len(found) != len(spots):
        raise ValueError(f"got {len(found)} maps of {len(spots)} pictures; expected one per picture")
    order = [at for at, one in enumerate(found) if len(one.fixated)]
    if len(order) < 2:
        raise NotApplicable("fewer than two pictures were fixated, so there is no other picture to compare with")
    return sorted(order, key=lambda at: (spots[at].points.tobytes(), found[at].fixated.tobytes(), found[at].span))


def _others(n: int, repeats: int, *, rng: np.random.Generator) -> NDArray[np.intp]:
    """For each of n pictures another one, once per repeat."""
    return np.asarray((np.arange(n) + rng.integers(1, n, (repeats, n))) % n, np.intp)


class _Bins(NamedTuple):
    """The bins that the values of all maps fall into."""

    own: NDArray[np.intp]  # on which picture each fixation was made
    span: Floats  # (pictures, 2): of each map, the values that the first bin begins and the last one ends with
    bins: int

    def counts(self, values: Floats, which: NDArray[np.intp]) -> Floats:
        """Histograms (repeats, pictures, bins) of a value at each fixation, (repeats, n), of `which` pictures' maps."""
        low, high = np.moveaxis(self.span[which], -1, 0)
        share = (values - low) / np.where(high > low, high - low, 1.0)
        at = np.clip((share * self.bins).astype(np.intp), 0, self.bins - 1).reshape(-1, len(self.own))
        size = len(self.span) * self.bins
        flat = np.arange(len(at))[:, None] * size + self.own * self.bins + at
        found = np.bincount(flat.ravel(), minlength=len(at) * size)
        return found.reshape(-1, len(self.span), self.bins).astype(float)


def _divergences_of_draws(
    found: Sequence[Sampled],
    spots: Sequence[Spots],
    often: Floats,
    *,
    bins: int = 10,
    repeats: int = 100,
    alpha: float = 0.5,
    seed: int = 0,
) -> Floats:
    """The value of each draw of pictures, each with the next drawing of others, less the bias of drawing.

    Where pictures are drawn twice, fixations are more alike than they are, and histograms further apart.
    """
    try:
        order, here, there = _tables(found, spots, bins=bins, repeats=repeats, seed=seed)
    except NotApplicable:
        return np.full(len(often), np.nan)
    drawn, value = np.asarray(often, float)[:, order], np.empty(len(often))
    for at, others in enumerate(there):
        rows = drawn[at::repeats]
        value[at::repeats] = _divergences(rows @ here, rows @ others, alpha=alpha)
    known = value[~np.isnan(value)]
    bias = known.mean() - _divergences_of_all(here, there, alpha=alpha).mean() if len(known) else 0.0
    return np.maximum(value - bias, 0.0)


def _divergences_of_all(here: Floats, there: Floats, *, alpha: float) -> Floats:
    """The value of all pictures, a drawing of others each."""
    return _divergences(np.tile(here.sum(axis=0), (len(there), 1)), there.sum(axis=1), alpha=alpha)


def _divergences(p: Floats, q: Floats, *, alpha: float) -> Floats:
    """The divergence of each row of counts, `alpha` added to each; NaN where there is nothing but that."""
    if not alpha > 0:
        raise Misuse(
            f"got alpha={alpha}; expected more than 0, because bins without controls would make the score infinite"
        )
    return np.where(p.any(axis=1), np.maximum(kl_rows(p + alpha, q + alpha), 0.0), np.nan)


@measure(
    better="higher",
    bounds=(0, np.inf),
    cite="Zhang2008, LeMeur2013",
    reads=coarse_map,
    per="dataset",
    resample="sample",
    unit="nats",
    at_once=_divergences_of_draws,
)
def other_pictures_kl(
    found: Sequence[Sampled],
    spots: Sequence[Spots],
    *,
    bins: int = 10,
    repeats: int = 100,
    alpha: float = 0.5,
    seed: int = 0,
) -> Result:
    """Zhang et al.'s KL: salience at fixations against the salience of other pictures at the same places.

    KL = Σ_k h_k log(h_k/c_k) over `bins` equal bins from the least to the greatest value of each map, with `alpha`
    added to each count. h counts the fixations of all pictures. c counts the maps of other pictures, one drawn for each
    picture, read where people fixated this one (brought to its size by the ratio of the sides). The score is the mean
    over `repeats` draws; the part `sd` is their standard deviation. Habits that people have on every picture, such as a
    preference for the centre, are in both histograms, so a map that does not know the picture scores about 0. The
    interval draws pictures and their others anew, and is corrected for the bias of doing so. The draws follow from the
    seed, which the result names, and not from the order of the pictures.

    Constant maps score 0. Pictures without a fixation are left out; not applicable where fewer than two remain.

    Deviation: maps of other pictures are read at 12,000 evenly spread pixels, so places are off by a few px. The paper
    does not give its bins nor its treatment of empty ones. Half a count in each bin (others: a share of 1e-20) keeps a
    single bin without controls from dominating the score of few fixations.

    >>> left = Sampled(np.array([1.0]), np.array([[1, 0]], np.float32), (0.0, 1.0))
    >>> right = Sampled(np.array([1.0]), np.array([[0, 1]], np.float32), (0.0, 1.0))
    >>> spots = [Spots(np.array([[0.2, 0.5]], np.float32)), Spots(np.array([[0.8, 0.5]], np.float32))]
    >>> round(other_pictures_kl([left, right], spots, bins=2).value, 4)  # (0.5, 2.5)/3 and (2.5, 0.5)/3: ⅔ log 5
    1.073
    """
    order, here, there = _tables(found, spots, bins=bins, repeats=repeats, seed=seed)
    each = _divergences_of_all(here, there, alpha=alpha)
    parts = {"n": float(here.sum()), "pictures": float(len(order)), "sd": float(each.std())}
    return Result(float(each.mean()), parts, reason=f"seed {seed}, {repeats} repeats")
