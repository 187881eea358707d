"""Agreement with the flow that people perceive in natural scenes, pooled over the movies of a set.

Each value is against the observers that are held out, so that people can be scored alike; the part `mean` is against
the mean of all people, which is how published numbers are given. Movies are resampled for the intervals. Correlations
that take u and v together depend on which way v counts; it counts as in the publication of the dataset.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import Better, Result, measure
from beholder.motion.measures._stack import MOVIES, Stack, stacked
from beholder.motion.perceived import Local, Probes
from beholder.motion.readouts import wrapped
from beholder.stats.correlation import ALIKE, foretold, matrix, partial, partial_of, pearson
from beholder.stats.small_counts import POINTS

Floats = NDArray[np.float64]

# Of the bootstrap, each draw is repeated for every observer held out; fewer for what is not judged.
DRAWS, FEW = 200, 100
AFFINE = (
    "the answer is constant or an affine function of the truth, so nothing is left once the truth is partialled out"
)
ACCURATE = (
    "people's answers are constant or an affine function of the truth, so nothing is left once it is partialled out"
)
CORRELATIONS: dict[str, Better] = dict.fromkeys(("mean", "corrected", "u", "v", "speed", "direction"), "higher")


@measure(better="higher", bounds=(-1, 1), cite="Sun2023,Yang2025", draws=DRAWS, parts=CORRELATIONS, **MOVIES)
def partial_correlation(found: Sequence[Local], probes: Sequence[Probes]) -> Result:
    """Whether a model errs as people err: its correlation with people after the truth is partialled out.

    r(m, h | g) = (r_mh − r_mg r_hg) / √((1 − r_mg²)(1 − r_hg²)) over the components u and v of all probes together,
    with m the model, h people, g the truth. Undefined (NaN, not 0) where m is the same vector everywhere, or a multiple
    of g plus a constant vector, as the truth itself is. Probes without an estimate are left out; the row's reason says
    how many. Fewer than 15 probes: low confidence. Parts: `mean`, against the mean of all people; `split_half`, between
    halves of the observers; `ceiling`, what that predicts for all observers; `corrected`, mean / ceiling. Answers of
    people have no parts, because the mean would include their own.

    The ceiling: observers are split into halves, as equal as possible, in every way (more than six observers: in ten
    fixed ways), and r̄ is the mean of the halves' partial correlations given the truth. With k and l observers in the
    halves, r̄ = ρ √(k l) / √((1 + (k − 1) ρ)(1 + (l − 1) ρ)) gives ρ of one observer, and n = k + l observers reach n ρ
    / (1 + (n − 1) ρ); for equal halves this is Spearman–Brown, 2 r̄ / (1 + r̄). It is the reliability of the mean over
    people; a model that answers exactly what they share reaches its square root, so `corrected` may exceed 1.

    >>> truth, seen = np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([[2.0, 0.0], [1.0, 1.0]])
    >>> probes = Probes(truth, seen[None, None], ("one",))
    >>> round(partial_correlation([Local(np.array([[1.0, 0.0], [1.0, 2.0]]))], [probes]).value, 6)  # √½
    0.707107
    """
    stack = stacked(found, probes)
    held = stack.confined()
    r = matrix([held.model, held.people, held.truth, held.everyone])
    value = partial_of(r, 0, 1, 2)
    if math.isnan(value) or not held.deviates:
        return Result(math.nan, state="na", reason=ACCURATE if 1 - r[1, 2] ** 2 <= ALIKE else AFFINE)
    return stack.result(value, {} if held.own else _corrected(partial_of(r, 0, 3, 2), held), least=POINTS)


def _corrected(mean: float, held: Stack) -> dict[str, float]:
    half = _split_half(held.halves, held.truth)
    ceiling = foretold(half, *held.sizes)
    corrected = mean / ceiling if ceiling > 0 else math.nan
    return {"mean": mean, "split_half": half, "ceiling": ceiling, "corrected": corrected}


def _split_half(halves: Floats, truth: Floats) -> float:
    """The mean over splits of the correlation of both halves when the truth is given."""
    if not np.isfinite(halves).all():  # a probe that one split has lost stays in the others
        return sum(partial(one, other, truth) for one, other in halves) / len(halves)
    r = matrix([truth, *halves.reshape(-1, *truth.shape)])
    return sum(partial_of(r, at, at + 1, 0) for at in range(1, len(r), 2)) / len(halves)


@measure(
    better="lower",
    bounds=(0, math.inf),
    cite="Yang2025",
    draws=DRAWS,
    unit="px/frame",
    parts={"mean": "lower"},
    **MOVIES,
)
def epe_people(found: Sequence[Local], probes: Sequence[Probes]) -> Result:
    """The mean end-point error between a model's vectors and people's.

    EPE = 1/n Σ √((u_m − u_h)² + (v_m − v_h)²) over the probes, in px/frame. Probes without an estimate (NaN) are left
    out; the row's reason says how many. With none left there is no value. Part `mean`: the error to the mean of all
    people.

    >>> probes = Probes(np.zeros((2, 2)), np.array([[[[3.0, 4.0], [0.0, 1.0]]]]), ("one",))
    >>> epe_people([Local(np.zeros((2, 2)))], [probes]).value  # (5 + 1) / 2
    3.0
    """
    stack = stacked(found, probes)
    held = stack.confined()
    return stack.result(epe(held.model, held.people), {} if held.own else {"mean": epe(held.model, held.everyone)})


def epe(one: Floats, other: Floats) -> float:
    """The mean distance of vectors, n × 2."""
    return float(np.hypot(*(one - other).T).mean())


@measure(better="higher", bounds=(-1, 1), cite="Yang2025", draws=FEW, parts=CORRELATIONS, **MOVIES)
def correlation_people(found: Sequence[Local], probes: Sequence[Probes]) -> Result:
    """Pearson's correlation of a model's velocities with people's, over the components u and v of all probes together.

    r = Σ (m − m̄)(h − h̄) / √(Σ (m − m̄)² Σ (h − h̄)²). The truth itself scores high: `partial_correlation` is what
    remains once it is removed. Undefined (NaN) where the model gives the same vector everywhere. Parts: `u`, `v`,
    `speed`, `direction` (both unwrapped around the true direction; probes where model, people or truth are at rest are
    left out), and `mean`, against the mean of all people. Fewer than 15 probes: low confidence.

    >>> probes = Probes(np.zeros((2, 2)), np.array([[[[1.0, 2.0], [3.0, 4.0]]]]), ("one",))
    >>> round(correlation_people([Local(np.array([[2.0, 1.0], [4.0, 3.0]]))], [probes]).value, 6)  # 3 / 5
    0.6
    """
    stack = stacked(found, probes)
    held = stack.confined()
    value = pearson(held.model, held.people)
    if math.isnan(value) or not held.varies:
        return Result(math.nan, state="na", reason="the model's answer or people's is constant")
    return stack.result(value, _aspects(held), least=POINTS)


def _aspects(held: Stack) -> dict[str, float]:
    sides = {"u": (held.model[:, 0], held.people[:, 0]), "v": (held.model[:, 1], held.people[:, 1])}
    speeds = np.hypot(*held.model.T), np.hypot(*held.people.T)
    directions = unwrapped(held.model, held.truth), unwrapped(held.people, held.truth)
    parts = {name: pearson(*pair) for name, pair in (sides | {"speed": speeds, "direction": directions}).items()}
    return parts if held.own else parts | {"mean": pearson(held.model, held.everyone)}


def unwrapped(vectors: Floats, around: Floats) -> Floats:
    """Directions in degrees, within 180° of those of other vectors; NaN where one of both is zero.

    >>> unwrapped(np.array([[-1.0, -0.0], [0.0, 0.0]]), np.array([[-1.0, 1.0], [1.0, 0.0]]))
    array([180.,  nan])
    """
    own, other = (np.degrees(np.arctan2(v[:, 1], v[:, 0])) for v in (vectors, around))
    moving = (np.hypot(*vectors.T) > 0) & (np.hypot(*around.T) > 0)
    return np.where(moving, other + wrapped(own - other), np.nan)


@measure(better="higher", bounds=(-1, math.inf), cite="Yang2025", draws=FEW, parts={"mean": "higher"}, **MOVIES)
def rci(found: Sequence[Local], probes: Sequence[Probes]) -> Result:
    """HuPerFlow's RCI: whether a model deviates from the truth as people do.

    RCI = 1/n Σ A B C, with A = |G − R| / (|G| + |R|), B the cosine of the angle between R − G and M − G, and C = |M −
    G| / (|M − G| + |M − R|); G the truth, R people, M the model. 0/0 counts as 0, so a probe where people or the model
    give the true vector contributes 0. Probes without an estimate (NaN) are left out. People themselves score the mean
    of A, which depends on the set: there is no fixed best value. Answering rest everywhere scores half of that: read
    RCI only beside `still`, `slowed_truth` and the people of the same table.

    >>> probes = Probes(np.array([[1.0, 0.0]]), np.array([[[[0.5, 0.0]]]]), ("one",))
    >>> rci([Local(np.zeros((1, 2)))], [probes]).value  # A = 0.5/1.5, B = 1, C = 1/(1 + 0.5)
    0.2222222222222222
    """
    stack = stacked(found, probes)
    held = stack.confined()
    parts = {} if held.own else {"mean": consistency(held.model, held.everyone, held.truth)}
    return stack.result(consistency(held.model, held.people, held.truth), parts)


def consistency(model: Floats, people: Floats, truth: Floats) -> float:
    """The mean of A B C over probes."""
    away, error, apart = (np.hypot(*v.T) for v in (people - truth, model - truth, model - people))
    a = _ratio(away, np.hypot(*truth.T) + np.hypot(*people.T))
    b = _ratio(((people - truth) * (model - truth)).sum(axis=1), away * error)
    return float((a * np.clip(b, -1, 1) * _ratio(error, error + apart)).mean())


def _ratio(over: Floats, under: Floats) -> Floats:
    """A quotient that is 0 where the denominator is."""
    return np.divide(over, under, out=np.zeros_like(over), where=under > 0)
