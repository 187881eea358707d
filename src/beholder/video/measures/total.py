"""One number for a clip: the mean of the five measures that apply to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from beholder.core.measure import Measure, NotApplicable, Result, State, measure, result
from beholder.video.evidence import Evidence
from beholder.video.measures.amplitude import perceptible_amplitude
from beholder.video.measures.coherence import temporal_coherence
from beholder.video.measures.commonsense import commonsense_adherence
from beholder.video.measures.integrity import object_integrity
from beholder.video.measures.smoothness import jerk, judder, motion_smoothness
from beholder.video.readouts.analysis import analyse

# As the paper groups them: what is seen at a glance, and what is seen in detail.
GLOBAL: Mapping[str, Measure] = {"CAS": commonsense_adherence, "MSS": motion_smoothness}
OURS: Mapping[str, Measure] = {"judder": judder, "jerk": jerk}  # global as well, and not of the paper
LOCAL: Mapping[str, Measure] = {"OIS": object_integrity, "PAS": perceptible_amplitude, "TCS": temporal_coherence}


@measure(
    better="higher", bounds=(0, 1), cite="Ling2025", reads=analyse,
    parts={"coverage": "neither", "global": "higher", "local": "higher"},
)  # fmt: skip
def motion_total(found: Evidence, scene: Any, *, amplitude: bool = True, further: bool = False) -> Result:
    """The mean of those of the five measures that apply to a clip, equally weighted.

    total = (1/|A|) Σ_{m ∈ A} m(clip), A the measures that apply; `coverage` is |A| divided by the number of measures in
    the total. How much moves says nothing about how well it moves: `amplitude=false` leaves PAS out. `further=true`
    includes judder and jerk, which are ours. `global` is the mean of CAS, MSS and these two, `local` that of OIS, PAS
    and TCS. The total has the state low if one of its measures has, or if one other than CAS is not applicable:
    skipping a measure does not make a clip better, so compare such totals with care. Where none applies, it is not
    applicable.

    Deviation: VMBench averages the measures' means over all clips, so there a clip without a score on a measure counts
    only in the others.

    >>> from beholder.video.uneventful import uneventful
    >>> found = motion_total(uneventful(frames=8), None)  # MSS and TCS are 1, PAS is a third of what can be asked for
    >>> round(found.value, 4), found.parts["coverage"]
    (0.7778, 0.6)
    """
    asked = {"global": {**GLOBAL, **(OURS if further else {})}, "local": dict(LOCAL)}
    if not amplitude:
        del asked["local"]["PAS"]
    taken = {group: {name: _taken(of, found, scene) for name, of in own.items()} for group, own in asked.items()}
    held = {group: [one.value for one in own.values() if not np.isnan(one.value)] for group, own in taken.items()}
    values = [value for own in held.values() for value in own]
    if not values:
        raise NotApplicable("none of the measures applies to this clip")
    parts = {"coverage": len(values) / sum(map(len, asked.values()))}
    parts |= {group: float(np.mean(own)) for group, own in held.items() if own}
    every = [(name, one) for own in taken.values() for name, one in own.items()]
    doubtful = [f"{name}: {one.reason}" for name, one in every if one.state in ("low", "na") and name != "CAS"]
    state: State = "low" if doubtful else "ok"
    return Result(float(np.mean(values)), parts, state, "; ".join(doubtful))


def _taken(of: Measure, found: Evidence, scene: Any) -> Result:
    try:
        return result(of(found, scene))
    except NotApplicable as why:
        return Result(float("nan"), state="na", reason=str(why))
