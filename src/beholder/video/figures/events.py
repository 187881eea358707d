"""What was flagged in a clip, measure by measure: the one place from which figures and films take it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from beholder.core.measure import NotApplicable, card, result
from beholder.video.data.clean import among_clean
from beholder.video.evidence import Event, Evidence
from beholder.video.measures import smoothness
from beholder.video.measures.total import GLOBAL, LOCAL
from beholder.video.readouts import keypoints

# The measures that have events, in the order of their lines; judder and jerk are no part of MSS.
LINES: Mapping[str, str] = {
    "MSS": "motion smoothness: drops in quality",
    "judder": "frames that stay too long",
    "jerk": "a camera that shakes",
    "OIS": "object integrity",
    "TCS": "temporal coherence",
}
# Okabe and Ito's colours, the light ones darkened, and a grey: as the report has them. Each has a line of its own, too.
COLOURS: Mapping[str, str] = dict(zip(LINES, ("#0072b2", "#6b7178", "#a3467a", "#00805c", "#c75200"), strict=True))


def events_of(found: Evidence, scene: Any = None) -> list[tuple[str, Event]]:
    """All events of a clip with the measure that they belong to, in order of time; those that a rule excuses too.

    Each lasts as long as its frames are shown. What vanishes or emerges does so between two frames, and is seen in
    both.
    """
    step = found.facts.seconds / len(found.facts.times)
    cuts = [Event("shot_cut", at, at, why="a cut to another shot is not a fault") for at in found.coherence.shot_cuts]
    several = {
        "MSS": smoothness.drops(found, scene),
        "judder": smoothness.hiccups(found),
        "jerk": smoothness.jerks(found),
        "OIS": (
            *found.deformation.events,
            *(event for poses in found.poses for event in keypoints.events(poses, found.facts)),
        ),
        "TCS": [event._replace(end=event.end + step) for event in (*found.coherence.events, *cuts)],
    }
    every = [(name, event) for name, events in several.items() for event in joined(events, step)]
    return sorted(every, key=lambda one: one[1].start)


def joined(events: Iterable[Event], step: float) -> list[Event]:
    """Events in order of time, those joined that are alike, follow one another and have no box.

    >>> several = [Event("jerk", 0.0, 0.1), Event("jerk", 0.1, 0.2), Event("jerk", 0.9, 1.0)]
    >>> [event[1:3] for event in joined(several, 0.1)]
    [(0.0, 0.2), (0.9, 1.0)]
    """
    found: list[Event] = []
    for event in sorted(events, key=lambda one: (one.kind, one.why, one.start)):
        last = found[-1] if found else event
        alike = (last.kind, last.why, last.box, event.box) == (event.kind, event.why, None, None)
        if found and alike and event.start <= last.end + step / 2:
            found[-1] = last._replace(end=max(last.end, event.end), strength=max(last.strength, event.strength))
        else:
            found.append(event)
    return sorted(found, key=lambda one: one.start)


def flagged(events: Iterable[tuple[str, Event]]) -> list[tuple[str, Event]]:
    """The events that count, the strongest first."""
    return sorted((one for one in events if not one[1].why), key=lambda one: -one[1].strength)


def words(event: Event) -> str:
    """What happened, in words.

    >>> words(Event("vanish_or_emerge", 0.5, 0.6))
    'vanish or emerge'
    """
    return event.kind.replace("_", " ")


def numbers(found: Evidence, scene: Any = None) -> dict[str, str]:
    """What the five measures, judder and jerk say of a clip, and how that stands among clean clips; a dash for none."""
    more = {"judder": smoothness.judder, "jerk": smoothness.jerk}
    return {name: _number(of, found, scene) for name, of in {**GLOBAL, **LOCAL, **more}.items()}


def _number(of: Any, found: Evidence, scene: Any) -> str:
    try:
        said = result(of(found, scene))
    except NotApplicable:
        return "–"
    doubt = " low," if said.state == "low" else ""
    return f"{said.value:.2f}{doubt} ({among_clean(card(of).name, said.value)})"
