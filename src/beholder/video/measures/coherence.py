"""Temporal coherence: do things stay in being from frame to frame?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.video.evidence import Coherence, Event, Evidence
from beholder.video.measures._doubt import stated
from beholder.video.readouts.analysis import analyse
from beholder.video.readouts.local_exemptions import EXEMPTIONS
from beholder.video.types import Floats

FEWEST = 6  # analysed frames: fewer have no time before and after a fault
HALF = 0.5  # of the pairs must be assessed for any number,
MOST = 0.8  # and so many for one without doubt
CLEAR = 0.5  # strength from which an event marks its frames
Rule = Callable[[Event, Evidence], str]  # why an event is excused, or ""
RULES: tuple[str | Rule, ...] = tuple(rule.__name__ for rule in EXEMPTIONS)


@measure(
    better="higher", bounds=(0, 1), cite="Ling2025", reads=analyse,
    parts={"events": "lower", "flagged": "lower", "assessed": "neither", "shot_cuts": "neither"},
)  # fmt: skip
def temporal_coherence(
    found: Evidence, scene: Any, *, per_second: float = 2.0, exemptions: Sequence[str | Rule] = RULES
) -> Result:
    """TCS: how free a clip is of things that vanish, emerge or jump for no reason.

    TCS = exp(−Σ q_i [¬R_i] / (N·t)): q_i is the strength of event i, 0 … 1; R_i whether a rule excuses it (it leaves
    through the border, is covered, is still there …); t is the seconds that were assessed, and N = `per_second`. Two
    events per second give 1/e, whatever the clip's rate or length. Parts: `events`, the number of faults that count;
    `flagged`, the share of frames at a fault with q ≥ ½; `assessed`, the share of the clip that could be assessed;
    `shot_cuts`, which are not faults. Fewer than six analysed frames, or less than half of the clip assessed: not
    applicable. Less than 80 % assessed, or an assumed time base: low.

    `exemptions` is the list of rules: names of built-in rules, and your own functions from an event and the evidence to
    the reason why the event is excused, or "". If you leave a rule out, the events that it excused count.

    Deviation: the source has TCS = 1 − (1/N) Σ 𝕀(A_i ∧ ¬R) over N tracked instances. We track no instances, so we count
    events per second: for few events exp(−x) is about 1 − x, and for many it stays above 0. t is the time in which more
    than half of the frame could be assessed.

    Deviation: an event counts by its strength, not as 0 or 1. Deviation: with `backend=deep`, events are the objects of
    the prompt's noun (Grounding DINO, once a second) that SAM 2 follows and that vanish or emerge in between, each of
    strength 1; the released excuses use Lucas-Kanade's points, of which 80 % must be hidden, instead of CoTracker's.

    >>> from dataclasses import replace
    >>> from beholder.video.evidence import Event
    >>> from beholder.video.uneventful import uneventful
    >>> quiet = uneventful(frames=16, rate=8.0)  # two seconds
    >>> seen = replace(quiet.coherence, events=(Event("vanish", 1.0, 1.125),))
    >>> round(temporal_coherence(replace(quiet, coherence=seen), None).value, 4)  # exp(−1/(2·2))
    0.7788

    Your own rule, for a clip in which a magician is at work from the first second on:

    >>> def magic(event, found):
    ...     return "the magician did it" if event.start >= 1 else ""
    >>> temporal_coherence(replace(quiet, coherence=seen), None, exemptions=(*RULES, magic)).value
    1.0
    """
    if found.no_subject:
        raise NotApplicable(found.no_subject)
    seen = judged(found, exemptions)
    if seen.frames < FEWEST:
        raise NotApplicable(f"only {seen.frames} frames could be analysed; coherence needs {FEWEST}")
    if seen.assessed < HALF or seen.seconds <= 0:
        raise NotApplicable(f"only {seen.assessed:.0%} of the clip could be assessed: light, cuts or fast motion")
    faults = [event for event in seen.events if not event.why]
    value = float(np.exp(-sum(event.strength for event in faults) / (per_second * seen.seconds)))
    parts = {
        "events": float(len(faults)),
        "flagged": flagged(seen, found.facts.times),
        "assessed": seen.assessed,
        "shot_cuts": float(len(seen.shot_cuts)),
    }
    doubt = f"only {seen.assessed:.0%} of the clip could be assessed" if seen.assessed < MOST else ""
    return stated(value, parts, found, doubt)


def judged(found: Evidence, exemptions: Sequence[str | Rule] = RULES) -> Coherence:
    """The events, each with the reason that the rules of a list give for it."""
    ours = [rule for rule in exemptions if isinstance(rule, str)]
    unknown = next((name for name in ours if name not in RULES), "")
    if unknown:
        raise Misuse(f"got the exemption {unknown!r}; expected one of {', '.join(map(str, RULES))}, or a function")
    theirs = [rule for rule in exemptions if callable(rule)]
    off = [name for name in RULES if name not in ours]
    events = tuple(event._replace(why=_excuse(event, found, off, theirs)) for event in found.coherence.events)
    return replace(found.coherence, events=events)


def _excuse(event: Event, found: Evidence, off: Sequence[str | Rule], theirs: Sequence[Rule]) -> str:
    if event.why and event.why.partition(":")[0] not in off:
        return event.why
    return next((f"{rule.__name__}: {why}" for rule in theirs if (why := rule(event, found))), "")


def flagged(seen: Coherence, times: Floats) -> float:
    """The share of frames that stand at a clear fault: after its start, up to its end."""
    marked = np.zeros(len(times), bool)
    for event in seen.events:
        if not event.why and event.strength >= CLEAR:
            marked |= (times > event.start) & (times <= event.end)
    return float(marked.mean())
