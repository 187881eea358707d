"""Movements of a model and of people, pooled over pictures: histograms, their divergences, and bootstrap draws."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.gaze.saccades import Moves, PeopleMoves, people_moves
from beholder.attention.maps.fixated_pixels import check_choice
from beholder.attention.types import Floats, Lookers
from beholder.core.measure import NotApplicable, Result
from beholder.errors import Misuse
from beholder.stats.divergence import counts, jensen_shannon, kl, kl_rows
from beholder.stats.samples import circular_wasserstein, kolmogorov_smirnov, kuiper, wasserstein
from beholder.stats.small_counts import JOINT_MOVEMENTS, MOVEMENTS, too_few

By = Literal["kl", "kl_model_people", "js", "wasserstein", "ks"]
Ints = NDArray[np.int64]
People = Lookers | PeopleMoves
Unit = Literal["auto", "deg", "diagonal"]

DEGREES, MILLISECONDS = 40.0, 1000.0  # the end of the bins of amplitude and duration; one more bin holds what is beyond
SACCADES = "saccade", "saccades"
AIMED = "saccade longer than 0", "saccades longer than 0"
TURNS = "turn between saccades", "turns between saccades"
TIMED = "fixation of known duration", "fixations of known duration"
LINKED = "saccade to a fixation of known duration", "saccades to fixations of known duration"
DRAWS = 50  # samples of people's own distribution: their mean is known to a few per cent


class Pooled(NamedTuple):
    """Values of the model and of people, on which picture each was found, and how they are binned."""

    model: Floats
    people: Floats
    model_of: Ints  # the number of the picture
    people_of: Ints
    span: tuple[float, float]
    unit: str
    what: tuple[str, str]  # what was counted: one, and several
    open: bool = False  # a further bin holds what lies beyond the span
    circular: bool = False


def amplitudes_of(found: Sequence[Moves], lookers: Sequence[People], *, unit: Unit = "auto") -> Pooled:
    """Amplitudes of a model and of people on some pictures, in degrees or as shares of the diagonal."""
    check_choice("unit", unit, Unit)
    seen = [people_moves(of) for of in lookers]
    known = all(math.isfinite(of.px_per_deg) for of in seen)
    if unit == "deg" and not known:
        raise NotApplicable("px per degree are not known for all pictures; use unit='diagonal'")
    degrees = known if unit == "auto" else unit == "deg"
    px = [of.px_per_deg if degrees else of.diagonal for of in seen]
    model = [of.amplitude_px / size for of, size in zip(found, px, strict=True)]
    people = [of.moves.amplitude_px / size for of, size in zip(seen, px, strict=True)]
    if degrees:
        return _pooled(model, people, span=(0.0, DEGREES), unit="deg", what=SACCADES, open=True)
    return _pooled(model, people, span=(0.0, 1.0), unit="diagonal", what=SACCADES)


def directions_of(found: Sequence[Moves], lookers: Sequence[People]) -> Pooled:
    """Directions of saccades, in degrees on the circle."""
    return _angles(found, lookers, "direction", AIMED)


def turnings_of(found: Sequence[Moves], lookers: Sequence[People]) -> Pooled:
    """Angles between a saccade and the next, in degrees on the circle."""
    return _angles(found, lookers, "turning", TURNS)


def durations_of(found: Sequence[Moves], lookers: Sequence[People]) -> Pooled:
    """Durations of fixations, in ms."""
    both = _values(found, lookers, "duration_ms")
    return _pooled(*both, span=(0.0, MILLISECONDS), unit="ms", what=TIMED, open=True)


def _angles(found: Sequence[Moves], lookers: Sequence[People], name: str, what: tuple[str, str]) -> Pooled:
    return _pooled(*_values(found, lookers, name), span=(-180.0, 180.0), unit="deg", what=what, circular=True)


def _values(found: Sequence[Moves], lookers: Sequence[People], name: str) -> tuple[list[Floats], list[Floats]]:
    return [getattr(of, name) for of in found], [getattr(people_moves(of).moves, name) for of in lookers]


def _pooled(model: Sequence[Floats], people: Sequence[Floats], **how: Any) -> Pooled:
    return Pooled(_joined(model), _joined(people), _owners(model), _owners(people), **how)


def _joined(values: Sequence[Floats]) -> Floats:
    return np.concatenate([np.empty(0), *values])


def _owners(values: Sequence[Floats]) -> Ints:
    return np.repeat(np.arange(len(values)), [len(one) for one in values])


def compare(pool: Pooled, *, by: By, bins: int, alpha: float, excess: bool = True) -> Result:
    """Compare two pooled samples in five ways; `by` names the one that is the score, over chance unless told not to."""
    check_choice("by", by, By)
    if bins < 1 or not alpha > 0:
        raise Misuse(f"got bins={bins}, alpha={alpha}; expected 1 bin or more, and a smoothing above 0")
    sizes = len(pool.model), len(pool.people)
    if not all(sizes):
        raise NotApplicable(missing(not sizes[0], pool.what))
    theirs = histogram(pool.people, pool, bins)
    parts = histogram_divergences(histogram(pool.model, pool, bins), theirs, alpha)
    pair = pool.model, pool.people
    parts["wasserstein"] = circular_wasserstein(*pair) if pool.circular else wasserstein(*pair)
    parts["ks"] = kuiper(*pair) if pool.circular else kolmogorov_smirnov(*pair)
    beyond = " and one beyond" if pool.open else ""
    note = f"{bins} bins from {pool.span[0]:g} to {pool.span[1]:g} {pool.unit}{beyond}, alpha {alpha:g}"
    unbinned = by in ("wasserstein", "ks")
    chance = distance_by_chance(pool, by=by) if unbinned else by_chance(theirs, sizes[0], by=by, alpha=alpha)
    found = over_chance(parts[by], chance, excess=excess)
    few = few_movements(*sizes, pool.what, MOVEMENTS)
    return _with_sizes(found, {**parts, "raw": parts[by], "by_chance": chance}, sizes, few=few, note=note)


def compare_joint(
    found: Sequence[Moves], lookers: Sequence[People], *, by: str, bins: int, alpha: float, excess: bool = True
) -> Result:
    """Compare how amplitudes and durations come together; `by` names the divergence that is the score."""
    model, people = (side.ravel() for side in joint_histograms(found, lookers, bins=bins))
    sizes = int(model.sum()), int(people.sum())
    if not all(sizes):
        raise NotApplicable(missing(not sizes[0], LINKED))
    parts = histogram_divergences(model, people, alpha)
    chance = by_chance(people, sizes[0], by=by, alpha=alpha)
    value = over_chance(parts[by], chance, excess=excess)
    few = few_movements(*sizes, LINKED, JOINT_MOVEMENTS)
    note = f"{bins} x {bins} bins, alpha {alpha:g}"
    return _with_sizes(value, {**parts, "raw": parts[by], "by_chance": chance}, sizes, few=few, note=note)


def over_chance(divergence: float, chance: float, *, excess: bool = True) -> float:
    """What a divergence has beyond the part that sample size alone explains, not below 0; or all of it.

    >>> over_chance(0.5, 0.25), over_chance(0.25, 0.5), over_chance(0.5, 0.25, excess=False)
    (0.25, 0.0, 0.5)
    """
    return max(0.0, divergence - chance) if excess else divergence


def few_movements(model: int, people: int, what: tuple[str, str], least: int) -> str:
    """Why a divergence says little: the model, or people, moved too seldom; "" where it says enough.

    >>> few_movements(5, 400, SACCADES, 50)
    'only 5 saccades: a divergence of fewer than 50 is mostly chance'
    """
    count, whose = (model, "") if model < least else (people, " of people")
    return too_few(count, least, f"{what[count != 1]}{whose}", of="a divergence")


def _with_sizes(value: float, parts: dict[str, float], sizes: tuple[int, int], *, few: str, note: str) -> Result:
    counted = {"n": float(sizes[0]), "n_people": float(sizes[1])}
    reason = "; ".join(filter(None, [few, note]))
    return Result(value, {**parts, **counted}, state="low" if few else "ok", reason=reason)


def by_chance(people: Floats, size: int, *, by: str, alpha: float) -> float:
    """The mean divergence of `size` draws from people's own histogram: what sample size alone explains.

    Fifty multinomial draws, always the same ones, each compared as the model is.

    >>> by_chance(np.array([5.0, 5.0]), 1, by="kl", alpha=1.0).__round__(4)  # ½ log(½/⅔) + ½ log(½/⅓), whatever falls
    0.0589
    """
    drawn = np.random.default_rng(0).multinomial(size, people / people.sum(), DRAWS).astype(float)
    return float(_divergences(drawn, np.broadcast_to(people, drawn.shape), by, alpha).mean())


def distance_by_chance(pool: Pooled, *, by: By) -> float:
    """The same for a distance without bins: draws from the values of people themselves."""
    values, share = np.unique(pool.people % 360 if pool.circular else pool.people, return_counts=True)
    drawn = np.random.default_rng(0).multinomial(len(pool.model), share / share.sum(), DRAWS)
    gap = np.cumsum(drawn / len(pool.model) - share / share.sum(), axis=1)  # of the distribution functions
    if by == "ks":
        most = np.maximum(gap, 0).max(axis=1), np.maximum(-gap, 0).max(axis=1)
        return float((most[0] + most[1] if pool.circular else np.maximum(*most)).mean())
    if not pool.circular:
        return float((np.abs(gap[:, :-1]) @ np.diff(values)).mean())
    each = (np.repeat(values, often) for often in drawn)
    return float(np.mean([circular_wasserstein(one, pool.people) for one in each]))


def histogram(values: Floats, pool: Pooled, bins: int) -> Floats:
    """Counts in equal bins; the last holds its upper end, or another one all that is beyond it."""
    if not pool.open:
        return counts(values, pool.span, bins)
    end = pool.span[1] * (bins + 1) / bins
    return counts(values, (0.0, end), bins + 1)


def histogram_divergences(model: Floats, people: Floats, alpha: float) -> dict[str, float]:
    """Divergences of two histograms."""
    smoothed = people + alpha, model + alpha
    return {
        "kl": max(0.0, kl(*smoothed, eps=0.0)),
        "kl_model_people": max(0.0, kl(*smoothed[::-1], eps=0.0)),
        "js": jensen_shannon(people, model),
    }


def missing(of_model: bool, what: tuple[str, str]) -> str:
    """The reason why there is nothing to compare."""
    return f"the model made no {what[0]}" if of_model else f"people made no {what[0]}"


def divergences_of_draws(
    found: Sequence[Moves],
    lookers: Sequence[People],
    often: Ints,
    *,
    of: Callable[..., Pooled],
    bins: int,
    by: By = "kl",
    alpha: float = 1.0,
    excess: bool = True,
    **settings: Any,
) -> Floats | None:
    """A divergence of every draw of pictures, `often` saying how often each stands in it (draws × pictures).

    Histograms add up, so that each picture's are counted once. NaN where a side of a draw is empty; None for
    distances without bins.
    """
    if by in ("wasserstein", "ks"):
        return None
    pool = of(found, lookers, **settings)
    sides = ((pool.model, pool.model_of), (pool.people, pool.people_of))
    model, people = (
        np.stack([histogram(values[owner == at], pool, bins) for at in range(len(found))]) for values, owner in sides
    )
    return redrawn_divergences(model, people, often, by=by, alpha=alpha, excess=excess)


def redrawn_divergences(
    model: Floats, people: Floats, often: Ints, *, by: str, alpha: float, excess: bool = True
) -> Floats:
    """Divergences of sums of histograms (pictures × bins), one for each row of `often`; NaN where a side is empty.

    A draw repeats pictures, so its histograms are rougher and farther apart than those of all pictures by chance alone:
    draws are moved to have the score of all pictures as their mean, over chance as it is. Else the interval of a
    divergence near 0 would lie above it. Draws may lie below 0; the interval is cut there.
    """
    drawn = _divergences(often @ model, often @ people, by, alpha)
    known = ~np.isnan(drawn)
    if not known.any():
        return drawn
    ours, theirs = model.sum(axis=0), people.sum(axis=0)
    (whole,) = _divergences(ours[None], theirs[None], by, alpha)
    chance = by_chance(theirs, int(ours.sum()), by=by, alpha=alpha) if excess else 0.0
    return np.asarray(drawn - drawn[known].mean() + over_chance(float(whole), chance, excess=excess))


def _divergences(ours: Floats, theirs: Floats, by: str, alpha: float) -> Floats:
    """One for each row of two tables of counts."""
    empty = ~ours.any(axis=1) | ~theirs.any(axis=1)
    if by == "js":
        shares = [side / np.maximum(side.sum(axis=1, keepdims=True), 1) for side in (theirs, ours)]
        middle = (shares[0] + shares[1]) / 2
        value = (kl_rows(shares[0], middle) + kl_rows(shares[1], middle)) / 2 / math.log(2)
    else:
        pair = theirs + alpha, ours + alpha
        value = kl_rows(*(pair if by == "kl" else pair[::-1]))
    return np.where(empty, np.nan, np.maximum(value, 0.0))


def joint_histograms(found: Sequence[Moves], lookers: Sequence[People], *, bins: int = 10) -> tuple[Floats, Floats]:
    """How often amplitudes (rows, up to the diagonal) and durations (columns, up to 1000 ms) come together."""
    model, people = joint_by_picture(found, lookers, bins=bins)
    return model.sum(axis=0), people.sum(axis=0)


def joint_by_picture(found: Sequence[Moves], lookers: Sequence[People], *, bins: int = 10) -> tuple[Floats, Floats]:
    """The same for each picture, pictures × amplitudes × durations."""
    seen = [people_moves(of) for of in lookers]
    scales = [np.array([of.diagonal, MILLISECONDS]) for of in seen]
    none = np.zeros((0, bins, bins))
    model = [_cells(of.joint / scale, bins)[None] for of, scale in zip(found, scales, strict=True)]
    people = [_cells(of.moves.joint / scale, bins)[None] for of, scale in zip(seen, scales, strict=True)]
    return np.concatenate([none, *model]), np.concatenate([none, *people])


def _cells(shares: Floats, bins: int) -> Floats:
    row, column = np.clip((shares.reshape(-1, 2) * bins).astype(np.int64), 0, bins - 1).T
    return np.bincount(row * bins + column, minlength=bins * bins).reshape(bins, bins).astype(float)


def joint_divergences_of_draws(
    found: Sequence[Moves],
    lookers: Sequence[People],
    often: Ints,
    *,
    by: str = "kl",
    bins: int = 10,
    alpha: float = 1.0,
    excess: bool = True,
) -> Floats:
    """The divergence of joint distributions of every draw of pictures."""
    sides = joint_by_picture(found, lookers, bins=bins)
    model, people = (side.reshape(len(side), -1) for side in sides)
    return redrawn_divergences(model, people, often, by=by, alpha=alpha, excess=excess)
