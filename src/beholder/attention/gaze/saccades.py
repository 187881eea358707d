"""How the eye moves: amplitudes, directions, turns and durations, and the small readout that pooled measures read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from beholder.attention.maps.fixation_maps import made_once
from beholder.attention.paths.pairs import read_scanpaths, scanpaths_of
from beholder.attention.types import Floats, Lookers, Picture, Scanpath, keep_inside
from beholder.core.benchmark import EVERYWHERE, Criterion


class Moves(NamedTuple):
    """The movements of one or several scanpaths on one picture."""

    amplitude_px: Floats  # of each saccade
    direction: Floats  # degrees, 0 right, 90 up; saccades that go nowhere have none and are not here
    turning: Floats  # degrees between a saccade and the next, −180 … 180, left turns above 0
    duration_ms: Floats  # of each fixation; unknown ones and those not above 0 are not here
    joint: Floats  # (n, 2): the amplitude (px) of a saccade and the duration (ms) of the fixation that it leads to
    saccades: int
    fixations: int
    by: str = ""  # the person who made them, if one did


def steps(path: Scanpath) -> Floats:
    """(n − 1, 2): the vector of each saccade in px, y downwards; NaN where a fixation between was left out.

    >>> from beholder.attention.types import keep_inside, scanpath
    >>> steps(keep_inside(scanpath([0, 4, 50, 5], [0, 0, 0, 0]), (9, 9))[0])
    array([[ 4.,  0.],
           [nan, nan]])
    """
    return np.where(path.joined[:, None], np.diff(path.points, axis=0), np.nan)


def amplitudes(path: Scanpath) -> Floats:
    """The length of each saccade in px; NaN where a fixation between was left out.

    >>> from beholder.attention.types import scanpath
    >>> amplitudes(scanpath([0, 3, 3], [0, 4, 4]))
    array([5., 0.])
    """
    moved = steps(path)
    return np.asarray(np.hypot(moved[:, 0], moved[:, 1]))


def directions(path: Scanpath) -> Floats:
    """The direction of each saccade in degrees, 0 right, 90 up, −180 < θ ≤ 180: atan2(−Δy, Δx), as y goes down.

    NaN where a saccade goes nowhere, or a fixation between was left out.

    >>> from beholder.attention.types import scanpath
    >>> directions(scanpath([0, 1, 1, 1], [5, 5, 4, 4]))
    array([ 0., 90., nan])
    """
    moved = steps(path)
    found = np.degrees(np.arctan2(0.0 - moved[:, 1], moved[:, 0]))
    return np.asarray(np.where((moved == 0).all(axis=1), np.nan, found))


def turnings(path: Scanpath) -> Floats:
    """The angle from each saccade to the next, −180 < θ ≤ 180, left turns above 0; NaN where one goes nowhere.

    >>> from beholder.attention.types import scanpath
    >>> turnings(scanpath([0, 1, 1, 0], [5, 5, 4, 4]))
    array([90., 90.])
    """
    turned = np.diff(directions(path))
    return np.asarray(180 - (180 - turned) % 360)


def moves(paths: Sequence[Scanpath]) -> Moves:
    """The movements of some scanpaths, pooled; two fixations between which one was left out are no saccade.

    >>> from beholder.attention.types import scanpath
    >>> found = moves([scanpath([0, 3], [0, 4], duration_ms=[100, 250])])
    >>> found.amplitude_px, found.joint
    (array([5.]), array([[  5., 250.]]))
    """
    lengths = _joined([amplitudes(path) for path in paths])
    durations = _joined([path.duration_ms for path in paths])
    after = _joined([path.duration_ms[1:] for path in paths])
    made = ~np.isnan(lengths)
    both = np.column_stack([lengths, after])
    return Moves(
        lengths[made],
        _without_nan(_joined([directions(path) for path in paths])),
        _without_nan(_joined([turnings(path) for path in paths])),
        durations[durations > 0],
        both[made & (after > 0)],
        int(made.sum()),
        sum(len(path) for path in paths),
    )


def _joined(values: Sequence[Floats]) -> Floats:
    return np.concatenate([np.empty(0), *values])


def _without_nan(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def model_moves(answer: Any, stimulus: Picture) -> Moves:
    """The readout of pooled measures: the movements of a model's answer; fixations outside the picture are dropped."""
    paths = scanpaths_of(read_scanpaths(answer, stimulus))
    found = moves([keep_inside(path, stimulus.shape)[0] for path in paths])
    return found._replace(by=paths[0].by if len(paths) == 1 else "")


class PeopleMoves(NamedTuple):
    """People's movements on one picture, and its scale: all that pooled measures keep of people and their controls."""

    moves: Moves
    shape: tuple[int, int]
    px_per_deg: float

    @property
    def diagonal(self) -> float:
        """Of the picture, in px."""
        return math.hypot(*self.shape)


def people_moves(lookers: Lookers | PeopleMoves) -> PeopleMoves:
    """The movements of everybody who looked at a picture, computed once.

    >>> from beholder.attention.types import scanpath
    >>> people_moves(Lookers({"a": scanpath([0, 3], [0, 4])}, (6, 8))).moves.amplitude_px
    array([5.])
    """
    if isinstance(lookers, PeopleMoves):
        return lookers
    its = (lookers.shape[0], lookers.shape[1]), float(lookers.px_per_deg)
    return made_once(lookers, "moves", lambda: PeopleMoves(moves(list(lookers.paths.values())), *its))


def reduce_to_moves(criterion: Criterion = EVERYWHERE) -> Criterion:
    """The same criterion, but pooled measures of movements get `PeopleMoves`; all other measures get what they did.

    A benchmark with such measures needs it: with its controls, a group of people is too large to be pooled. A person's
    own movements (`Moves.by`) are left out of those they are compared with.

    >>> reduce_to_moves().name
    'all'
    """
    return criterion._replace(select=partial(_reduced, select=criterion.select))


def _reduced(found: Any, lookers: Any, *, select: Callable[[Any, Any], tuple[Any, Any]]) -> tuple[Any, Any]:
    observed, confined = select(found, lookers)
    if not isinstance(observed, Moves):
        return observed, confined
    return observed, people_moves(confined.without(observed.by) if observed.by in confined.paths else confined)
