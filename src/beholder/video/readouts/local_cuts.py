"""Shot cuts confined to a region: what vanishes, emerges or jumps between two frames.

Between two frames the old content of a region does not go on, and its new content has no origin, while the changes
just before and just after are well explained. Then a thing was there and is gone, or the reverse. What moves off, is
covered, leaves the frame or changes its light does not look so: its content goes on, or the new content has an origin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from beholder.video.evidence import Box, Coherence, Event
from beholder.video.readouts.flow import Pair
from beholder.video.readouts.footage import Footage
from beholder.video.readouts.local_candidates import Candidate, Maps, Moment, Views, candidates, maps, sought
from beholder.video.readouts.local_exemptions import excuse
from beholder.video.readouts.local_fades import Slow
from beholder.video.readouts.local_frames import Distinct, distinct
from beholder.video.readouts.local_kinds import kinds
from beholder.video.readouts.local_mismatch import LOST, Change, change
from beholder.video.readouts.local_odds import FADED, LEAST, cut_odds, fade_odds, strength
from beholder.video.types import Floats

CUT = 0.35  # of the frame: more is replaced at a shot cut
SIDED = 1.5  # by which z must be larger at the beginning and the end of a clip, where less is known
PAUSED = 2.0  # the same for each e-fold by which a step outlasts its neighbours, for frames were left out there
APART = 0.12  # diagonals: weaker events closer than this at the same moment are the same event


def coherence(footage: Footage, pairs: Sequence[Pair]) -> Coherence:
    """Events of a clip, its shot cuts, and how much of it could be assessed.

    Repeated frames say nothing and are left out. What is lost just before or just after cannot be assessed, nor can a
    moment at which more than `CUT` of the frame is replaced. `assessed` is the share of the picture over time; the
    seconds are those in which more than half of it could be assessed.
    """
    frames = distinct(footage, pairs)
    if len(frames.at) < 2:  # all frames are the same: nothing vanishes
        return Coherence((), (), 1.0, footage.facts.seconds, len(footage.pixels))
    looks: list[Look] = []
    dissolving: list[Event] = []
    slow = Slow(frames.times)
    for moment in moments(frames):
        looks.append(_look(moment))
        dissolving += [_fade(*found) for found in slow.take(moment.here)]
    cuts = [event for look in looks for event in look.events]
    fades = [event for event in dissolving if event.strength > 0]
    steps, seen = np.diff(frames.times), np.array([look.assessed for look in looks])
    return Coherence(
        tuple(sorted(settled(cuts, fades, frames.shape), key=lambda event: event.start)),
        tuple(look.end for look in looks if look.cut),
        float(np.average(seen, weights=steps)),
        float(np.average(seen > 0.5, weights=steps)) * footage.facts.seconds,
        len(footage.pixels),
    )


class Look(NamedTuple):
    """What was found at one moment."""

    end: float  # s
    assessed: float  # share of the frame
    cut: bool
    events: tuple[Event, ...] = ()


def _look(moment: Moment) -> Look:
    if moment.here.share > CUT:
        return Look(moment.end, 0.0, moment.here.share > 2 * moment.unrest)
    seen = maps(moment)
    assessed = 1 - float(np.mean(np.maximum(seen.before, seen.after) > LOST))
    return Look(moment.end, assessed, False, tuple(_cuts(moment, seen)))


def moments(frames: Distinct) -> Iterator[Moment]:
    """Every change of a clip between its neighbours; only three changes are held at a time."""
    times, steps = [float(seconds) for seconds in frames.times], np.diff(frames.times)
    for k, (before, here, after) in enumerate(_in_threes(_changes(frames))):
        around = [steps[at] for at in (k - 1, k + 1) if 0 <= at < len(steps)]
        pause = float(steps[k] / max(around)) if around else 1.0
        yield Moment(times[k], times[k + 1], before, here, after, pause)


def _changes(frames: Distinct) -> Iterator[Change]:
    first = frames.picture(0)
    for k, pair in enumerate(frames.pairs):
        second = frames.picture(k + 1)
        yield change(first, second, pair)
        first = second


def _in_threes(changes: Iterator[Change]) -> Iterator[tuple[Change | None, Change, Change | None]]:
    """Each change between the one before and the one after."""
    before, here = None, next(changes, None)
    for after in changes:
        if here:
            yield before, here, after
        before, here = here, after
    if here:
        yield before, here, None


def _cuts(moment: Moment, seen: Maps) -> Iterator[Event]:
    """Events between two frames."""
    least = LEAST + SIDED * (len(moment.around) < 2) + PAUSED * max(0.0, float(np.log(moment.pause)))
    hopeful = [found for found in candidates(moment, seen) if cut_odds(found) > least]
    if hopeful:
        views = Views.of(moment)
        known = [found for found in (sought(one, views) for one in hopeful) if cut_odds(found) > least]
        for found, kind in zip(known, kinds(known, views), strict=True):
            q = strength(cut_odds(found), least)
            yield Event(kind, found.start, found.end, found.box, q, excuse(found, moment))


def _fade(moment: Moment, found: Candidate) -> Event:
    q = strength(fade_odds(found), FADED)
    return Event("fade", found.start, found.end, found.box, q, excuse(found, moment))


def settled(cuts: Sequence[Event], fades: Sequence[Event], shape: tuple[int, int]) -> list[Event]:
    """The strongest events, without those that overlap a stronger one in time and place; cuts go before fades."""
    kept: list[Event] = []
    for event in [*sorted(cuts, key=_weakness), *sorted(fades, key=_weakness)]:
        if not any(_same(event, other, shape) for other in kept):
            kept.append(event)
    return kept


def _weakness(event: Event) -> float:
    return -event.strength


def _same(event: Event, other: Event, shape: tuple[int, int]) -> bool:
    """Whether two events overlap in time and have their centres close together."""
    if event.start >= other.end or other.start >= event.end or event.box is None or other.box is None:
        return False
    scale = np.array([shape[1], shape[0]]) / np.hypot(*shape)
    return bool(np.hypot(*((_centre(event.box) - _centre(other.box)) * scale)) < APART)


def _centre(box: Box) -> Floats:
    left, top, right, bottom = box
    return np.array([(left + right) / 2, (top + bottom) / 2])
