"""Agreement of local velocities with the true ones, beside the agreement with people."""

from __future__ import annotations

import math
from collections.abc import Sequence

from beholder.core.measure import Result, measure
from beholder.motion.conventions import VARIANTS, variants
from beholder.motion.measures._stack import MOVIES, stacked
from beholder.motion.measures.perceived import FEW, epe
from beholder.motion.perceived import Local, Probes


@measure(
    better="lower",
    bounds=(0, math.inf),
    cite="Yang2025",
    draws=FEW,
    unit="px/frame",
    parts=dict.fromkeys(VARIANTS, "lower"),
    **MOVIES,
)
def epe_truth(found: Sequence[Local], probes: Sequence[Probes]) -> Result:
    """The mean end-point error between a model's vectors and the true ones, at the probes that people answered.

    EPE = 1/n Σ √((u_m − u_g)² + (v_m − v_g)²), in px/frame. Probes without an estimate (NaN) are left out; the row's
    reason says how many. With none left there is no value. Parts: the error of the same vectors with the sign of v
    flipped, and with u and v swapped.

    >>> import numpy as np
    >>> probes = Probes(np.array([[3.0, 4.0]]), np.zeros((1, 1, 1, 2)), ("one",))
    >>> epe_truth([Local(np.zeros((1, 2)))], [probes]).value
    5.0
    """
    stack = stacked(found, probes)
    held = stack.confined()
    truth, model = (probes[0].as_published(side) for side in (held.truth, held.model))  # back to y up
    others = {} if held.own else {name: epe(other, truth) for name, other in variants(model).items()}
    return stack.result(epe(held.model, held.truth), others)
