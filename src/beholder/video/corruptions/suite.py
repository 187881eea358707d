"""The one entry: a clip, a kind and per severity → the changed clip."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from beholder.errors import NotFound, listed
from beholder.video.corruptions import bodies, cameras, imaging, objects, painting, subject, timing
from beholder.video.corruptions.kinds import EVERY, SEVERITIES
from beholder.video.corruptions.plans import Take, take
from beholder.video.types import Bytes, Clip

_MAKERS: dict[str, Callable[[Take, int], Clip]] = {
    "blur_burst": imaging.blur_burst,
    "repeats": timing.repeats,
    "drops": timing.drops,
    "jitter": cameras.jitter,
    "flicker": imaging.flicker,
    "noise": imaging.noise,
    "compression": imaging.compression,
    "vanish": objects.vanish,
    "emerge": objects.emerge,
    "teleport": objects.teleport,
    "exit": objects.leave,
    "shrink": objects.shrink,
    "occlusion": objects.occlusion,
    "limb_stretch": bodies.limb_stretch,
    "wobble": bodies.wobble,
    "speed_change": subject.speed_change,
    "reverse": timing.reverse,
    "shuffle": timing.shuffle,
    "pan": cameras.pan,
    "zoom": cameras.zoom,
    "roll": cameras.roll,
    "fade": objects.fade,
    "small": objects.small,
    "half_transparent": objects.half_transparent,
    "painted_out": painting.painted_out,
    "fast_limbs": bodies.fast_limbs,
}


def corrupt(clip: Clip, kind: str, severity: int, *, seed: int, donors: Sequence[Bytes] = ()) -> Clip:
    """A clip in memory with a fault of a kind, from severity 0 (the same construction without the fault) to 5.

    What happens depends on `seed` and `kind` alone, so that per severity contains the events of the one below. `donors`
    are pictures (H, W, 3) from which pasted things are cut; without any, scikit-image's photographs. Sizes are shares
    of the frame and times are seconds: a clip at twice the size or rate gets the same fault.
    """
    if kind not in EVERY:
        raise NotFound(f"got the kind {kind!r}; expected one of {listed(list(EVERY), most=30)}")
    if severity not in range(SEVERITIES):
        raise ValueError(f"got severity {severity}; expected a whole number from 0 to {SEVERITIES - 1}")
    return _MAKERS[kind](take(clip, kind, seed, tuple(donors)), severity)
