"""Gratings in noise by size: how well a response to motion is told from one to nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from beholder.core.measure import NotApplicable, Result, measure
from beholder.motion.courses.series import Floats, Seen, card_of_checks, grows, other_than, share_passed, stimuli_of
from beholder.motion.readouts import trace
from beholder.motion.types import Percept, Trace, unit

MOST = 10.0  # d′: more is not told from this with a few films
SOME = 0.25  # d′: smaller differences are none; a choice of ours
FACTS = {"summation": "size.summation", "suppression": "size.suppression"}


@measure(
    cite="Tadin2003,GreenSwets1966,Wilson1927",
    reads=trace,
    excludes=other_than("noisy grating"),
    **card_of_checks(FACTS),
)
def detection_facts(found: Sequence[Trace], percepts: Sequence[Percept], *, reference: str = "") -> Result:
    """The share of facts on the detection of motion by size that hold: #{passed} / #{testable}.

    The response to a movie is R = mean of v·e over time, along the direction e of the drift; no velocity (NaN) is no
    response. d′ = (mean R − mean R₀)/√((s² + s₀²)/2) against the movies of noise alone, at most ±10. summation: at the
    lowest contrast d′ grows with the diameter, by more than 0.25 in all. suppression: at the highest contrast it falls.
    Both are quoted from memory, from data on how long people must see a grating to tell its direction. d′ of each size
    and contrast is a part. Fewer than two movies of noise alone, or of a grating: not applicable. A fact with a single
    diameter is not applicable either. The interval is Wilson's, for a proportion of few facts.

    >>> def drift(speed):
    ...     return Trace(np.zeros(1), np.array([[speed, 0.0]]), np.ones(1))
    >>> def disc(diameter, contrast=0.1):
    ...     return Percept("noisy grating", 0.0, 4.0, conditions={"diameter": diameter, "contrast": contrast})
    >>> films = {"blank": (0.0, 2.0), "small": (1.0, 3.0), "large": (3.0, 5.0)}  # each pair has a variance of 2
    >>> shown = [*[disc(6, 0.0)] * 2, *[disc(2)] * 2, *[disc(6)] * 2]
    >>> told = detection_facts([drift(speed) for pair in films.values() for speed in pair], shown)
    >>> round(told.parts["d_0.1_2"], 4), round(told.parts["d_0.1_6"], 4), told.parts["summation"]
    (0.7071, 2.1213, 1.0)
    """
    told = detectability_by_cell(stimuli_of(found, percepts, "noisy grating"))
    if not told:
        raise NotApplicable("fewer than two movies of noise alone, or of a grating; d′ needs their spread")
    low, high = (_by_size(told, at) for at in (min(at for at, _ in told), max(at for at, _ in told)))
    held = {"summation": grows(low, tolerance=SOME), "suppression": grows(-high, tolerance=SOME)}
    result = share_passed(held, facts=FACTS, reference=reference)
    return result._replace(parts={**result.parts, **{f"d_{c:g}_{d:g}": value for (c, d), value in told.items()}})


def detectability(signal: Floats, noise: Floats) -> float:
    """d′ = (mean s − mean n) / √((var s + var n)/2), between −10 and 10; 0 where there is no difference at all.

    >>> round(detectability(np.array([2.0, 4.0]), np.array([0.0, 2.0])), 4)  # 2/√2
    1.4142
    """
    apart = signal.mean() - noise.mean()
    spread = np.sqrt((signal.var(ddof=1) + noise.var(ddof=1)) / 2)
    if apart == 0:
        return 0.0
    return float(np.clip(apart / spread, -MOST, MOST)) if spread > 0 else float(np.sign(apart) * MOST)


def detectability_by_cell(those: Sequence[Seen]) -> dict[tuple[float, float], float]:
    """d′ by (contrast, diameter) against the films of noise alone; nothing where either has fewer than two films."""
    blank = np.array([_response(one) for one in those if one.condition("contrast") == 0])
    cells = _cells([one for one in those if one.condition("contrast") > 0])
    return {where: detectability(responses, blank) for where, responses in cells.items()} if len(blank) > 1 else {}


def _response(one: Seen) -> float:
    along = one.trace.velocity @ np.array(unit(one.percept.object_direction))
    late = np.nan_to_num(along[one.trace.seconds >= 0])
    return float(late.mean()) if late.size else 0.0


def _cells(those: Sequence[Seen]) -> dict[tuple[float, float], Floats]:
    """The responses to each contrast and diameter of which there are two films or more."""
    found: dict[tuple[float, float], list[float]] = {}
    for one in those:
        found.setdefault((one.condition("contrast"), one.condition("diameter")), []).append(_response(one))
    return {where: np.array(responses) for where, responses in sorted(found.items()) if len(responses) > 1}


def _by_size(told: Mapping[tuple[float, float], float], contrast: float) -> Floats:
    return np.array([value for (level, _), value in sorted(told.items()) if level == contrast])
