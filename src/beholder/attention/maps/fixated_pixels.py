"""What measures at fixations share: the fixated pixels, the controls, the random numbers, and what is reported."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.fixation_maps import Where, before_confined, made_once, pixels
from beholder.attention.readouts import Surface, control_pixels
from beholder.attention.types import Controls, Floats, Lookers
from beholder.core.measure import NotApplicable, Result
from beholder.errors import Misuse
from beholder.stats.ranking import Place, Standings
from beholder.stats.small_counts import FIXATIONS, too_few

Duplicates = Literal["keep", "merge"]

NOBODY = "nobody fixated this picture, so there is nothing to measure"
NOTHING_ELSE = "every pixel was fixated, so there are no others to compare with"


def fixated_pixels(found: Surface, lookers: Lookers, duplicates: Duplicates = "keep") -> Where:
    """The fixated pixels, each as often as it was fixated, or once ("merge"). Without any: not applicable."""
    check_choice("duplicates", duplicates, Duplicates)
    if found.shape != tuple(lookers.shape):
        raise ValueError(f"got a map of {found.shape}; expected {tuple(lookers.shape)}, the shape of the picture")
    rows, columns = _pixels(lookers)
    if not len(rows):
        raise NotApplicable(NOBODY)
    return merge_duplicates((rows, columns), found.shape) if duplicates == "merge" else (rows, columns)


def merge_duplicates(where: Where, shape: tuple[int, int]) -> Where:
    """Each pixel once."""
    rows, columns = np.unravel_index(np.unique(np.ravel_multi_index(where, shape)), shape)
    return rows, columns


def rank_among_all(found: Surface, lookers: Lookers, where: Where) -> Place:
    """Rank fixated pixels among all; those of the whole group are counted once, for each of its observers."""
    return found.rank(where, partial(group_pixels, lookers))


def at_fixations(
    found: Surface,
    lookers: Lookers,
    ask: Callable[[Where], Floats],
    *,
    key: Hashable,
    owners: tuple[Any, ...] = (),
    duplicates: Duplicates = "keep",
) -> Floats:
    """One value for each fixation (of each fixated pixel, with "merge"), from a question about pixels.

    It is asked once for the pixels of the whole group: whoever is held out, and whatever the criterion, has fixated
    some of them. `key` and `owners` tell it from other questions about this surface.
    """
    group = _whole_group(lookers)
    at = None if group is lookers else among_those_of(group, lookers)
    if at is None:
        return ask(fixated_pixels(found, lookers, duplicates))
    values = found.once(key, lambda: ask(distinct_pixels(group)[1]), group, *owners)
    return values[np.unique(at) if duplicates == "merge" else at]


def among_those_of(group: Lookers, lookers: Lookers) -> NDArray[np.intp] | None:
    """Which of the group's distinct pixels each fixation is on; None where it is on another one."""

    def make() -> NDArray[np.intp] | None:
        theirs, own = distinct_pixels(group)[0], np.ravel_multi_index(_pixels(lookers), lookers.shape)
        at = np.searchsorted(theirs, own)
        return at if len(theirs) and (theirs[np.minimum(at, len(theirs) - 1)] == own).all() else None

    return made_once(lookers, ("among those of", id(group)), make)


def distinct_pixels(group: Lookers) -> tuple[NDArray[np.intp], Where]:
    """The pixels that a group has fixated, each once, in reading order: their numbers, and their rows and columns."""

    def make() -> tuple[NDArray[np.intp], Where]:
        numbers = np.unique(np.ravel_multi_index(_pixels(group), group.shape))
        rows, columns = np.unravel_index(numbers, group.shape)
        return numbers, (rows, columns)

    return made_once(group, "distinct pixels", make)


def among_controls(found: Surface, lookers: Lookers, less: Floats | None = None) -> Callable[[Floats], Place]:
    """Where values stand among those at the controls; fixations of the whole group are counted once.

    A map may be taken off the surface first (`less`), from the values that are asked for, too.
    """
    controls = controls_of(lookers)

    def make() -> Standings:
        there, here = (found.at(where) for where in (control_pixels(controls, found.shape), group_pixels(lookers)))
        if less is not None:
            there -= less[control_pixels(controls, found.shape)]
            here -= less[group_pixels(lookers)]
        return Standings(there, here)

    return found.once(("controls", less is not None), make, controls).of


def group_pixels(lookers: Lookers) -> Where:
    """The pixels that anybody in the whole group has fixated, whoever is held out, and whatever the criterion."""
    return _pixels(_whole_group(lookers))


def _whole_group(lookers: Lookers) -> Lookers:
    return before_confined(lookers.everyone)


def _pixels(lookers: Lookers) -> Where:
    return made_once(lookers, "pixels", lambda: pixels(lookers.points, lookers.shape))


def unfixated_values(found: Surface, where: Where) -> Floats:
    """The values of all pixels that nobody fixated."""
    free = np.ones(found.shape, np.bool_)
    free[where] = False
    rest: Floats = found.order[free]
    if not rest.size:
        raise NotApplicable(NOTHING_ELSE)
    return rest


def controls_of(lookers: Lookers) -> Controls:
    """Fixations of other pictures; without any: not applicable."""
    if lookers.controls is None or not len(lookers.controls.points):
        raise NotApplicable("there are no fixations on other pictures to compare with")
    return lookers.controls


def with_counts(value: float, lookers: Lookers, where: Where, *, reason: str = "", **parts: float) -> Result:
    """A value, with the number of its fixations and of those dropped outside the picture; low where they are few."""
    if math.isnan(value):
        return Result(value, state="na", reason=reason or "undefined here")
    counted = {"n": float(len(where[0])), "dropped": float(lookers.dropped), **parts}
    return doubted(Result(value, counted, reason=reason), lookers)


def doubted(found: Result, lookers: Lookers) -> Result:
    """A result, of low confidence where everybody together fixated too seldom.

    Observers are scored one at a time and then averaged, so that those of all who looked count.

    >>> from beholder.attention.types import scanpath
    >>> doubted(Result(0.5), Lookers({"a": scanpath([1, 2], [0, 0])}, (1, 4)))[2:4]
    ('low', 'only 2 fixations: a score of fewer than 15 is mostly chance')
    """
    everyone = lookers.everyone
    count = made_once(everyone, "fixations", lambda: sum(len(path) for path in everyone.paths.values()))
    few = too_few(count, FIXATIONS, "fixation" if count == 1 else "fixations", of="a score")
    return found._replace(state="low", reason="; ".join(filter(None, [few, found.reason]))) if few else found


def derived_rng(lookers: Lookers, seed: int) -> np.random.Generator:
    """A generator that depends on the seed and the fixations alone: equal fixations get equal random numbers."""
    return np.random.default_rng([seed, zlib.crc32(np.sort(lookers.points, axis=0).tobytes())])


def check_choice(name: str, word: Any, words: Any) -> None:
    """Refuse a setting that is not among the allowed words."""
    if word not in words.__args__:  # what `get_args` would find, without its questions: measures ask this often
        raise Misuse(f"got {name}={word!r}; expected one of {', '.join(map(repr, words.__args__))}")
