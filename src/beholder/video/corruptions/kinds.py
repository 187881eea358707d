"""The kinds of change, and which measure each is expected to move: written before any detector was tuned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Expected = Literal["falls", "rises", "stays", "none"]
SEVERITIES = 6  # 0 … 5; 0 is the same construction without the fault


class Kind(NamedTuple):
    """A kind of change to a clip. A target of "" with "stays" means every measure; "none": nothing is promised."""

    name: str
    target: str  # the measure that should answer
    expected: Expected  # what it does as severity grows
    gated: bool  # whether the domain's promises rest on it
    about: str


@dataclass(frozen=True)
class Change:
    """What was done to a clip: the reference of a sample."""

    clip: str
    kind: str
    severity: int
    target: str
    expected: Expected
    gated: bool


SMOOTHNESS, JUDDER, JERK = "motion_smoothness", "judder", "jerk"
COHERENCE, INTEGRITY, AMPLITUDE = "temporal_coherence", "object_integrity", "perceptible_amplitude"

_SUITE = (
    Kind("blur_burst", SMOOTHNESS, "falls", True, "bursts of blur, one per severity, of 0.15 to 0.3 s"),
    Kind("repeats", JUDDER, "falls", True, "frames that repeat the previous one, 12 % more per severity"),
    Kind("drops", JUDDER, "falls", False, "moments at which two to four frames are left out, one per severity"),
    Kind("jitter", JERK, "falls", True, "a camera that jumps in every frame, by 0.6 % of the width per severity"),
    Kind("flicker", "", "none", False, "exposure that changes from frame to frame, by up to 3 % per severity"),
    Kind("noise", "", "none", False, "sensor noise, 2.4 levels per severity"),
    Kind("compression", SMOOTHNESS, "falls", False, "bursts of strong JPEG compression, one per severity"),
    Kind("vanish", COHERENCE, "falls", True, "of five pasted things, one more per severity vanishes"),
    Kind("emerge", COHERENCE, "falls", True, "of five pasted things, one more per severity comes from nowhere"),
    Kind("teleport", COHERENCE, "falls", True, "of five pasted things, one more per severity jumps"),
    Kind("exit", COHERENCE, "stays", True, "of five pasted things, one more per severity leaves through the border"),
    Kind("shrink", COHERENCE, "stays", True, "of five pasted things, one more per severity shrinks to nothing"),
    Kind("occlusion", COHERENCE, "stays", True, "a square sweeps over one more of five pasted things per severity"),
    Kind("limb_stretch", INTEGRITY, "falls", True, "two bones of a drawn figure pulse by 8 % per severity"),
    Kind(
        "wobble", INTEGRITY, "falls", True, "waves run through a part of the frame, 0.2 % of the diagonal per severity"
    ),
    Kind("speed_change", AMPLITUDE, "rises", False, "a pasted thing moves faster, from 0.5 to 2 times"),
    Kind("reverse", "", "none", False, "the clip reverses and runs back, 10 % of it per severity"),
    Kind("shuffle", JUDDER, "falls", False, "neighbouring runs of frames swap places, one pair per severity"),
    Kind("pan", AMPLITUDE, "stays", True, "the camera pans as well, by 0.04 diagonals/s per severity"),
    Kind("zoom", AMPLITUDE, "stays", False, "the camera zooms as well, by 5 % per second per severity"),
    Kind("roll", AMPLITUDE, "stays", False, "the camera rolls as well, by 3 degrees/s per severity"),
)
_HARD = (
    Kind("fade", COHERENCE, "falls", False, "as vanish, but over a third of a second"),
    Kind("small", COHERENCE, "falls", False, "as vanish, with things of 0.45 times the size"),
    Kind("half_transparent", COHERENCE, "falls", False, "as vanish, with half-transparent things"),
    Kind(
        "painted_out",
        COHERENCE,
        "falls",
        False,
        "nothing is pasted: one more textured patch per severity is painted out",
    ),
)
_CONTROLS = (
    Kind(
        "fast_limbs", INTEGRITY, "stays", False, "the drawn figure without stretch moves 0.3 times faster per severity"
    ),
)

KINDS: dict[str, Kind] = {kind.name: kind for kind in _SUITE}
HARD: dict[str, Kind] = {kind.name: kind for kind in _HARD}  # where detectors may be blind; outside the suite
CONTROLS: dict[str, Kind] = {kind.name: kind for kind in _CONTROLS}  # lawful things that look like a fault
EVERY: dict[str, Kind] = {**KINDS, **HARD, **CONTROLS}
