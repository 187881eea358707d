"""Hit-rate and shuffled ROC curves of one picture at eight fixed rates: small enough to keep for every picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from beholder.attention.criteria import reduced_by
from beholder.attention.maps.fixation_maps import made_once
from beholder.attention.measures.auc import roc_curve
from beholder.attention.measures.hit_rate import hit_rate_curve
from beholder.attention.people import ceiling as people
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Floats, Lookers, Picture
from beholder.core.benchmark import EVERYWHERE, Criterion

AT = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)  # shares of the picture, and of false alarms
LONGER = 200  # px: longer side of the maps on which curves are computed; more does not move them


class Rates(NamedTuple):
    """The two curves of one picture, each read at the rates AT."""

    hits: Floats  # the share of fixations inside that share of the map, its highest values
    roc: Floats  # the hit rate at that rate of false alarms, fixations of other pictures; NaN without controls


@dataclass(frozen=True, eq=False)
class ThinMap:
    """A map or a density thinned to a longer side of at most 200 px, from which curves are computed."""

    surface: Surface


def thin_map(answer: Any, stimulus: Picture) -> ThinMap:
    """The readout of measures that average curves over a dataset."""
    whole = surface(answer, stimulus)
    step = max(1, -(-max(whole.shape) // LONGER))
    log = None if whole.log is None else whole.log[::step, ::step]
    return ThinMap(Surface(whole.values[::step, ::step], log, whole.by))


thin_map.quick = True  # type: ignore[attr-defined]  # as `surface` is


def curve_rates(found: ThinMap, lookers: Lookers) -> Rates:
    """Compute the curves of a map at people's fixations. Without fixations: not applicable.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath([3, 0], [0, 0])}, (1, 4))
    >>> curve_rates(ThinMap(Surface(np.array([[1.0, 2.0, 3.0, 4.0]]))), here).hits[5]  # at one half of the picture
    np.float64(0.5)
    """
    small = on_thin_map(lookers)
    hits = hit_rate_curve(found.surface, small, kept=np.array(AT))[1]
    if small.controls is None or not len(small.controls.points):
        return Rates(hits, np.full(len(AT), np.nan))
    curve = roc_curve(found.surface, small, controls="shuffled")
    return Rates(hits, np.interp(AT, curve.fpr, curve.tpr))


def on_thin_map(lookers: Lookers) -> Lookers:
    """People in px of the thin map, made once; so are controls, and whatever is derived from either."""
    if max(lookers.shape) <= LONGER:
        return lookers
    return made_once(lookers, ("thin", LONGER), partial(_on_thin_map, lookers))


def _on_thin_map(lookers: Lookers) -> Lookers:
    def scaled(one: Lookers) -> Lookers:
        return people.shrink(one, longer=LONGER)

    controls, whole = lookers.controls, lookers.whole
    if controls is not None:
        controls = made_once(controls, ("thin", LONGER), lambda: scaled(replace(lookers, paths={})).controls)
    thin = scaled(replace(lookers, controls=None))
    return replace(thin, controls=controls, whole=None if whole is None else on_thin_map(whole))


def reduce_to_rates(criterion: Criterion = EVERYWHERE) -> Criterion:
    """The same criterion, but measures of curves get `Rates`; all other measures get what they did.

    Curves use all fixations: under any other criterion they are not applicable.

    >>> reduce_to_rates().name
    'all'
    """
    return reduced_by(criterion, ThinMap, curve_rates)
