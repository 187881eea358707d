"""The map of where people looked, which measures between maps compare with."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.maps.fixated_pixels import NOBODY, among_those_of, check_choice, distinct_pixels, doubted
from beholder.attention.maps.fixation_maps import Where, before_confined, made_once
from beholder.attention.maps.optimal import FIXATIONS
from beholder.attention.people.gold_standard import gold_standard
from beholder.attention.people.smooth_maps import Blur, blur_of, half_of, halves, smooth_map, who_looked
from beholder.attention.readouts import Surface
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import NotApplicable, Result, result
from beholder.stats.divergence import parts_held
from beholder.stats.samples import mean
from beholder.vision.blur import BORDERS, Border, are_many, weighed_at

Of = Literal["everyone", "held", "halves"]

OWN = "people would be compared with a map that includes them; use of='halves' or of='held'"


class Points(NamedTuple):
    """The fixations of which a map is made, among those of the whole group: each is multiplied once for all maps."""

    pixels: Where  # that the whole group has fixated, each once
    at: NDArray[np.intp]  # for each fixation, which of these it is on


@dataclass(frozen=True, eq=False)
class MapPair:
    """An answer and people's map, to be compared."""

    answer: Surface
    people: Surface
    blur: Blur
    fixations: int = FIXATIONS  # that people's map is expected to be made of
    points: Points | None = None  # that people's map is made of, where it is that of a half

    @property
    def model(self) -> Surface:
        """The map of the answer: a density is blurred as people's map is."""
        return self.answer.like_blurred(self.blur.px, self.blur.border)

    @property
    def sharing(self) -> Surface:
        """The map of the answer that SIM compares."""
        return self.answer.like_shared(self.blur.px, self.blur.border, fixations=self.fixations)

    @property
    def held(self) -> NDArray[np.intp] | None:
        """The parts of people's map that hold mass; None where it is asked for less often than they take to find."""
        return self.people.once("held", lambda: parts_held(self.people.level)) if self.points else None

    def product(self, key: Hashable, values: Floats, *, total: float = 1.0) -> Callable[[], float] | None:
        """A quicker way to the sum of people's map (over a total) times some values of the model's, if there is one.

        `key` tells these from other values of the model's. They are blurred where anybody looked, once for both halves
        under all criteria.
        """
        points, (_, sigma, border) = self.points, self.blur
        if points is None:
            return None

        def make() -> Floats:
            return weighed_at(points.pixels, values, sigma=sigma, border=border)

        once = partial(self.model.once, ("weighed", key, self.blur), make, points.pixels)
        return lambda: float(once()[points.at].sum()) / total


class MapPairs(NamedTuple):
    """One pair, or two where people are parted into halves."""

    pairs: tuple[MapPair, ...]
    note: str  # how the map of people was made
    lookers: Lookers
    shared: bool  # the people's maps are the same whoever is held out

    def scored(self, key: Hashable, score: Callable[[MapPair], Any]) -> Result:
        """The mean over the pairs; where people's maps are shared, it is computed once for all observers held out."""
        if not self.shared:
            return self._scored(score)
        first = self.pairs[0]
        return first.answer.once((key, first.blur), lambda: self._scored(score), first.people)

    def _scored(self, score: Callable[[MapPair], Any]) -> Result:
        """The reason says how people's map was made, and whether of too few fixations."""
        each = [result(score(pair)) for pair in self.pairs]
        parts = {name: mean([one.parts[name] for one in each]) for name in each[0].parts}
        return doubted(Result(mean([one.value for one in each]), parts, reason=self.note), self.lookers)


def pair_maps(found: Surface, lookers: Lookers, of: Of, sigma: float, border: Border) -> MapPairs:
    """Pair an answer with the smooth map of people, blurred by σ degrees.

    Of "everyone", the field's convention: that map holds the people who are scored, so what people themselves answer
    has no score there. Of those "held" out. Or of "halves" of the observers, every other one by name, each in turn:
    people's answer to one half is the gold standard of the other, so models and people are compared with the same
    maps. One observer alone cannot be parted; then it is the map of everyone. What lies beyond the `border` is
    "reflect"ed, so that a uniform answer stays uniform; with "constant" it is 0, and every map is dim at its edges.
    """
    check_choice("of", of, Of)
    if border not in BORDERS:
        raise ValueError(f"got border={border!r}; expected one of {', '.join(BORDERS)}")
    group = lookers if of == "held" else lookers.everyone
    return found.once(("pairs", of, sigma, border), partial(_pairs, found, group, of, sigma, border), group)


def _pairs(found: Surface, group: Lookers, of: Of, sigma: float, border: Border) -> MapPairs:
    if found.shape != tuple(group.shape):
        raise ValueError(f"got a map of {found.shape}; expected {tuple(group.shape)}, the shape of the picture")
    if not any(len(path) for path in group.paths.values()):
        raise NotApplicable(NOBODY)
    blur, seen = blur_of(group, sigma, border), len(who_looked(group))
    halved = of == "halves" and seen > 1
    if found.by and not (of == "held" or (halved and 2 * len(found.by) >= seen)):
        raise NotApplicable(OWN)
    if not halved:
        return MapPairs((MapPair(found, smooth_map(group, blur), blur),), _note(group, blur), group, of != "held")
    others = [_gold(before_confined(group), 1 - at) for at in (0, 1)] if found.by else [found, found]
    pairs = tuple(
        MapPair(answer, smooth_map(part, blur), blur, FIXATIONS // 2, _points(part, before_confined(group)))
        for answer, part in zip(others, halves(group), strict=True)
        if any(len(path) for path in part.paths.values())
    )
    return MapPairs(pairs, f"{_note(group, blur)}; each half of the people in turn", group, True)


def _points(part: Lookers, whole: Lookers) -> Points | None:
    at, fixated = among_those_of(whole, part), distinct_pixels(whole)[1]
    return None if at is None or are_many(fixated, whole.shape) else Points(fixated, at)


def _gold(whole: Lookers, at: int) -> Surface:
    """What one half of the people says, from all its fixations, whatever the criterion; made once."""

    def make() -> Surface:
        density = gold_standard(half_of(whole, at))
        return Surface(np.exp(density.log), density.log, density.by)

    return made_once(whole, ("gold", at), make)


def _note(group: Lookers, blur: Blur) -> str:
    unknown = ": px per degree are unknown, 1 degree is taken to be 24" if not math.isfinite(group.px_per_deg) else ""
    border = "border zero" if blur.border == "constant" else f"border {blur.border}"
    return f"people's map blurred by {blur.px:.4g} px{unknown}; {border}"
