"""Criteria: focal or ambient fixations, the first few, or those in a window of time.

A group is confined once, and that serves every observer, model and measure; its `everyone` is confined alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import ref

import numpy as np

from beholder.attention.gaze.modes import Mode, split_modes
from beholder.attention.maps.fixation_maps import made_once
from beholder.attention.types import Controls, Lookers
from beholder.core.benchmark import EVERYWHERE, Criterion
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse


def reduced_by(criterion: Criterion, kind: type, reduce: Callable[[Any, Any], Any]) -> Criterion:
    """The same criterion, but what was read as `kind` becomes reduce(found, lookers), which needs no people any more.

    That is taken over all fixations: under any criterion but `all` it is not applicable.
    """
    whole = criterion.name == EVERYWHERE.name
    return criterion._replace(select=partial(_reduced, select=criterion.select, kind=kind, reduce=reduce, whole=whole))


def _reduced(
    found: Any, lookers: Any, *, select: Callable[[Any, Any], tuple[Any, Any]], kind: type, reduce: Any, whole: bool
) -> tuple[Any, Any]:
    if not isinstance(found, kind):
        return select(found, lookers)
    if not whole:
        raise NotApplicable("this measure is taken over all fixations only")
    return reduce(found, lookers), None


def mode(which: Mode) -> Criterion:
    """Focal fixations (after a saccade of at most 5 degrees) or ambient ones (after a longer one)."""
    return Criterion(which, partial(_select, part=partial(_of_mode, which=which), key=("mode", which)))


def first(count: int = 3) -> Criterion:
    """The first fixations of everybody.

    >>> first(3).name
    'first_3'
    """
    if count < 1:
        raise Misuse(f"got the first {count} fixations; expected 1 or more")
    return Criterion(
        f"first_{count}", partial(_select, part=partial(first_fixations, count=count), key=("first", count))
    )


def window(start_ms: float, end_ms: float) -> Criterion:
    """Fixations that begin in a window of time, its end excluded; shuffled controls come from the same window.

    >>> window(0, 1000).name
    '0-1000_ms'
    """
    if not start_ms < end_ms:
        raise Misuse(f"got a window from {start_ms} to {end_ms} ms; expected a start before its end")
    part = partial(fixations_begun, start_ms=start_ms, end_ms=end_ms)
    return Criterion(f"{start_ms:g}-{end_ms:g}_ms", partial(_select, part=part, key=("window", start_ms, end_ms)))


def first_fixations(lookers: Lookers, count: int) -> Lookers:
    """Everybody's first `count` fixations."""
    return replace(lookers, paths={name: path.at(slice(count)) for name, path in lookers.paths.items()})


def fixations_begun(lookers: Lookers, start_ms: float, end_ms: float) -> Lookers:
    """Fixations that begin in a window; not applicable where no onset is known."""
    known = [np.isfinite(path.onset_ms).any() for path in lookers.paths.values() if len(path)]
    if known and not any(known):
        raise NotApplicable("the onsets of fixations are unknown here")
    paths = {
        name: path.at((path.onset_ms >= start_ms) & (path.onset_ms < end_ms)) for name, path in lookers.paths.items()
    }
    return replace(lookers, paths=paths, controls=_controls_begun(lookers.controls, start_ms, end_ms))


def confine(lookers: Lookers, part: Callable[[Lookers], Lookers], key: Any) -> Lookers:
    """Confine some observers as their whole group is confined; each and the group are confined once per key."""
    everyone = lookers.everyone
    if lookers is everyone:
        return made_once(everyone, ("confined", key), partial(_confined, everyone, part))
    return made_once(lookers, ("confined", key), partial(_confined_alike, lookers, part, key))


def _confined_alike(lookers: Lookers, part: Callable[[Lookers], Lookers], key: Any) -> Lookers:
    whole = confine(lookers.everyone, part, key)
    paths = {name: whole.paths[name] for name in lookers.paths}
    return replace(lookers, paths=paths, controls=whole.controls, whole=whole)


def _confined(everyone: Lookers, part: Callable[[Lookers], Lookers]) -> Lookers:
    """The confined group, which knows what it was: people's own answers are made from all their fixations."""
    whole = part(everyone)
    made_once(whole, "before confined", lambda: ref(everyone))  # weak: else both were kept for ever
    return whole


def _select(found: Any, lookers: Lookers, *, part: Callable[[Lookers], Lookers], key: Any) -> tuple[Any, Lookers]:
    return found, confine(lookers, part, key)


def _of_mode(lookers: Lookers, which: Mode) -> Lookers:
    split = split_modes(lookers)
    return split.focal if which == "focal" else split.ambient


def _controls_begun(controls: Controls | None, start_ms: float, end_ms: float) -> Controls | None:
    if controls is None:
        return None
    held = (controls.onset_ms >= start_ms) & (controls.onset_ms < end_ms)
    return replace(
        controls,
        points=controls.points[held],
        observer=controls.observer[held],
        onset_ms=controls.onset_ms[held],
        picture=controls.picture[held],
        rule=f"{controls.rule}; begun at {start_ms:g}-{end_ms:g} ms",
    )


# Le Meur & Baccino's two modes; early against late looking, and the first three fixations, which are the most alike.
PARTS = (mode("focal"), mode("ambient"), first(3), window(0, 1000), window(1000, 3000))
