"""Where motion perception ends: the final direction, against that of people."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.motion.conventions import VARIANTS, variants
from beholder.motion.courses.series import side
from beholder.motion.readouts import LAST, STILL, final_direction, trace, wrapped
from beholder.motion.references import HUMAN_EXPECTATION, gaussian, name_placeholders, normal
from beholder.motion.types import Percept, Trace

Mode = Literal["tlapale2012", "signed"]

NOWHERE = "no direction in the last 100 ms, because nothing moves faster than 1 % of the stimulus: the worst score"
NOTHING = "no direction in the last 100 ms, because no estimate is a finite number: the worst score"


@measure(better="higher", bounds=(0, 1), cite="Tlapale2012", reads=trace, person=HUMAN_EXPECTATION)
def final_score(found: Trace, percept: Percept, *, mode: Mode = "tlapale2012", reference: str = "") -> Result:
    """The static score of Tlapale et al. (2012): how close the final direction is to people's.

    s = exp(−(ε − μ)²/σ²), ε = e − ê wrapped to (−180, 180], where e is the circular mean of the last 100 ms and ê the
    direction that people settle on; μ and σ are those of `static.<kind>` in the references, which `reference`, a TOML
    file, may override. In the mode "signed" ε is positive towards the vector average, so that a mean μ other than 0 has
    a side. Part: error, ε in degrees, positive towards the vector average in both modes so that mirror images do not
    cancel in its mean; counter-clockwise where there is no such side. If the model's direction is undefined, the score
    is 0, with low confidence; if people's direction is not known: not applicable. A typical person scores 1/√3 = 0.577.
    The status is that of the record.

    Deviation: an answer without a direction scores worst instead of being left out, which would remove the stimulus for
    all models.

    >>> up = Percept("bar", object_direction=90.0, speed=1.0)
    >>> ten_off = np.radians([100.0])
    >>> found = Trace(np.zeros(1), np.stack([np.cos(ten_off), np.sin(ten_off)], axis=1), np.ones(1))
    >>> round(final_score(found, up).value, 4)  # exp(−10²/10²)
    0.3679
    """
    if mode not in ("tlapale2012", "signed"):
        raise Misuse(f"got mode={mode!r}; expected 'tlapale2012' or 'signed'")
    of = normal(f"static.{percept.kind}", reference)
    error = _error(found, percept)
    towards = error * side(percept)
    named = name_placeholders({of.id: of})
    if np.isnan(error):
        return Result(0.0, {"error": error}, "low", "; ".join(filter(None, [_lacks(found), named])), status=of.worst)
    counted = towards if mode == "signed" else error
    return Result(gaussian(counted, of), {"error": towards}, reason=named, status=of.worst)


@measure(
    better="lower",
    bounds=(0, 180),
    cite="Tlapale2012",
    reads=trace,
    unit="deg",
    parts=dict.fromkeys(VARIANTS, "lower"),
)
def final_error(found: Trace, percept: Percept) -> Result:
    """How far the final direction is from people's, in degrees. It needs no spread of people's answers.

    |ε| = |e − ê|, wrapped, with e and ê as in `final_score`; 180, with low confidence, if the model's direction is
    undefined; not applicable if people's is not known. Parts: the error of the same answer with the sign of v flipped,
    and with u and v swapped; if one of them is better beyond chance, the report says that the answers may follow
    another convention.

    >>> up = Percept("bar", object_direction=90.0, speed=1.0)
    >>> final_error(Trace(np.zeros(1), np.array([[1.0, 0.0]]), np.ones(1)), up).value
    90.0
    """
    error = abs(_error(found, percept))
    if np.isnan(error):
        return Result(180.0, state="low", reason=_lacks(found))
    others = {name: replace(found, velocity=velocity) for name, velocity in variants(found.velocity).items()}
    return Result(error, {name: abs(_error(other, percept)) for name, other in others.items()})


def _error(found: Trace, percept: Percept) -> float:
    if np.isnan(percept.object_direction):
        raise NotApplicable("the direction that people finally see is not known here")
    slowest = STILL * percept.speed
    return float(wrapped(final_direction(found, slowest=slowest) - percept.object_direction))


def _lacks(found: Trace) -> str:
    """Why an answer has no final direction: it stands still, or it is no answer."""
    late = found.seconds > found.seconds.max(initial=0.0) - LAST
    return NOWHERE if np.isfinite(found.velocity[late]).any() else NOTHING
