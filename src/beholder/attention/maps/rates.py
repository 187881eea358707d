"""Curves small enough to be kept of every picture: hit rate and shuffled ROC at some fixed rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from beholder.attention.maps.fixation_maps import made
from beholder.attention.measures.auc import roc_curve
from beholder.attention.measures.hit_rate import hit_rate_curve
from beholder.attention.people import ceiling as people
from beholder.attention.readouts import Surface, surface
from beholder.attention.types import Floats, Lookers, Picture
from beholder.core.benchmark import EVERYWHERE, Criterion
from beholder.core.measure import NotApplicable

AT = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)  # shares of the picture, and of false alarms
LONGER = 200  # px of the longer side on which curves are taken: more does not move them


class Rates(NamedTuple):
    """Two curves of one picture, each at the rates AT."""

    hits: Floats  # the share of fixations inside the highest so much of the map
    roc: Floats  # hits where so many fixations of other pictures are false alarms; NaN without any such


@dataclass(frozen=True, eq=False)
class Thin:
    """A map or a density at a longer side of at most 200 px; its curves are taken when people are known."""

    surface: Surface


def thin(answer: Any, stimulus: Picture) -> Thin:
    """The readout of measures that take curves over a dataset."""
    whole = surface(answer, stimulus)
    step = max(1, -(-max(whole.shape) // LONGER))
    log = None if whole.log is None else whole.log[::step, ::step]
    return Thin(Surface(whole.values[::step, ::step], log, whole.by))


thin.quick = True  # type: ignore[attr-defined]  # as `surface` is


def rates(found: Thin, lookers: Lookers) -> Rates:
    """The curves of a map and of those who looked. Without fixations: not applicable.

    >>> from beholder.attention.types import scanpath
    >>> here = Lookers({"a": scanpath([3, 0], [0, 0])}, (1, 4))
    >>> rates(Thin(Surface(np.array([[1.0, 2.0, 3.0, 4.0]]))), here).hits[5]  # at one half of the picture
    np.float64(0.5)
    """
    small = _coarse(lookers)
    hits = hit_rate_curve(found.surface, small, kept=np.array(AT))[1]
    if small.controls is None or not len(small.controls.points):
        return Rates(hits, np.full(len(AT), np.nan))
    curve = roc_curve(found.surface, small, controls="shuffled")
    return Rates(hits, np.interp(AT, curve.fpr, curve.tpr))


def _coarse(lookers: Lookers) -> Lookers:
    """People on the thin map; controls are made once, so that what is made of them is, too."""
    small = people.coarse(lookers, longer=LONGER)
    if small is lookers or lookers.controls is None:
        return small
    return replace(small, controls=made(lookers.controls, ("coarse", LONGER), lambda: small.controls))


def light(criterion: Criterion = EVERYWHERE) -> Criterion:
    """A criterion that hands measures of curves no more than they read; all others get what they did.

    Curves are taken over all fixations: with any other criterion they are not applicable.

    >>> light().name
    'all'
    """
    whole = criterion.name == EVERYWHERE.name
    return criterion._replace(select=partial(_lightened, select=criterion.select, whole=whole))


def _lightened(
    found: Any, lookers: Any, *, select: Callable[[Any, Any], tuple[Any, Any]], whole: bool
) -> tuple[Any, Any]:
    if not isinstance(found, Thin):
        return select(found, lookers)
    if not whole:
        raise NotApplicable("curves are taken over all fixations only")
    return rates(found, lookers), None
