"""How people move their eyes, and how a model does: distributions pooled over all pictures, and how unlike they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from beholder.attention.measures._fixated import chosen
from beholder.attention.saccades import Moves, Watched, model_moves, watched
from beholder.attention.types import Floats, Lookers
from beholder.spine.measure import NotApplicable, Result, measure
from beholder.spine.misuse import Misuse
from beholder.stats.divergence import counts, jensen_shannon, kl
from beholder.stats.samples import circular_wasserstein, kolmogorov_smirnov, kuiper, wasserstein

By = Literal["kl", "kl_model_people", "js", "wasserstein", "ks"]
People = Lookers | Watched
Unit = Literal["auto", "deg", "diagonal"]

DEGREES, MILLISECONDS = 40.0, 1000.0  # the end of the bins of amplitude and duration; one more bin holds what is beyond


class Pooled(NamedTuple):
    """Values of the model and of people, and how they are binned."""

    model: Floats
    people: Floats
    span: tuple[float, float]
    unit: str
    what: str  # what was counted
    open: bool = False  # a further bin holds what lies beyond the span
    circular: bool = False


@measure(
    better="lower",
    bounds=(0, np.inf),
    cite="Zanca2020, Kullback1951, Lin1991",
    reads=model_moves,
    per="bed",
    resample="sample",
)
def amplitude_divergence(
    found: Sequence[Moves],
    lookers: Sequence[People],
    *,
    by: By = "kl",
    unit: Unit = "auto",
    bins: int = 40,
    alpha: float = 1.0,
) -> Result:
    """How unlike the distributions of saccade amplitude are, model and people, all pictures together; 0 if equal.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) in nats over histograms with `alpha` added to every count (add-one), so that
    amplitudes which a model never makes cost much and not without end; with `by`, or as parts: `kl_model_people` the
    other way round, `js` the Jensen–Shannon divergence (bits, no alpha), `wasserstein` the distance without bins, in
    `unit`, `ks` the Kolmogorov–Smirnov statistic. `unit` is degrees, `bins` of them from 0 to 40 and one beyond, where
    px per degree are known on all pictures ("auto"), else the diagonal of the picture. Bins, unit and alpha are said.

    Where the model makes no saccade, or people none, it is undefined.

    >>> from beholder.attention.saccades import moves
    >>> from beholder.attention.types import scanpath
    >>> person = [Lookers({"a": scanpath([0, 3, 3], [0, 4, 4])}, (6, 8))]  # 5 and 0 px: half of the diagonal, and none
    >>> still = [moves([scanpath([1, 1, 1], [1, 1, 1])])]
    >>> round(amplitude_divergence(still, person, bins=2).value, 4)  # ½ log(½/¾) + ½ log(½/¼)
    0.1438
    """
    return compared(amplitudes_of(found, lookers, unit=unit), by=by, bins=bins, alpha=alpha)


@measure(
    better="lower", bounds=(0, np.inf), cite="Zanca2020, Kullback1951", reads=model_moves, per="bed", resample="sample"
)
def direction_divergence(
    found: Sequence[Moves], lookers: Sequence[People], *, by: By = "kl", bins: int = 36, alpha: float = 1.0
) -> Result:
    """How unlike the distributions of saccade direction are (0 right, 90 up), as in `amplitude_divergence`.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) over `bins` equal sectors of the circle, `alpha` added to every count;
    `wasserstein` is that of the circle, in degrees, and `ks` is Kuiper's statistic, because a circle has no beginning.
    Saccades that go nowhere have no direction; without any other it is undefined.

    >>> from beholder.attention.saccades import moves
    >>> from beholder.attention.types import scanpath
    >>> right, up = scanpath([0, 1], [5, 5]), scanpath([0, 0], [5, 4])
    >>> direction_divergence([moves([up])], [Lookers({"a": right}, (6, 8))], by="wasserstein").value
    90.0
    """
    values = _of(found, "direction"), _of_people(lookers, "direction")
    pool = Pooled(*values, (-180.0, 180.0), "deg", "saccade that goes somewhere", circular=True)
    return compared(pool, by=by, bins=bins, alpha=alpha)


@measure(
    better="lower", bounds=(0, np.inf), cite="Zanca2020, Kullback1951", reads=model_moves, per="bed", resample="sample"
)
def turning_divergence(
    found: Sequence[Moves], lookers: Sequence[People], *, by: By = "kl", bins: int = 36, alpha: float = 1.0
) -> Result:
    """How unlike the distributions of the angle between a saccade and the next are, as in `direction_divergence`.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) over `bins` equal sectors from −180 to 180 degrees (0: straight on, ±180:
    back), `alpha` added to every count. Without two saccades in a row that go somewhere it is undefined.

    >>> from beholder.attention.saccades import moves
    >>> from beholder.attention.types import scanpath
    >>> on, back = scanpath([0, 1, 2], [0, 0, 0]), scanpath([0, 1, 0], [0, 0, 0])
    >>> turning_divergence([moves([back])], [Lookers({"a": on}, (1, 3))], by="wasserstein").value
    180.0
    """
    values = _of(found, "turning"), _of_people(lookers, "turning")
    pool = Pooled(*values, (-180.0, 180.0), "deg", "turn between saccades", circular=True)
    return compared(pool, by=by, bins=bins, alpha=alpha)


@measure(
    better="lower", bounds=(0, np.inf), cite="Zanca2020, Kullback1951", reads=model_moves, per="bed", resample="sample"
)
def duration_divergence(
    found: Sequence[Moves], lookers: Sequence[People], *, by: By = "kl", bins: int = 40, alpha: float = 1.0
) -> Result:
    """How unlike the distributions of fixation duration are, as in `amplitude_divergence`.

    KL(people‖model) = Σ_k h_k log(h_k/m_k) over `bins` equal bins from 0 to 1000 ms and one beyond, `alpha` added to
    every count. Durations that are not known or not above 0 are left away; without any other it is undefined.

    >>> from beholder.attention.saccades import moves
    >>> from beholder.attention.types import scanpath
    >>> person = [Lookers({"a": scanpath([0, 1], [0, 0], duration_ms=[100, 300])}, (1, 2))]
    >>> duration_divergence([moves([scanpath([0], [0], duration_ms=[250])])], person, by="wasserstein").value
    100.0
    """
    values = _of(found, "duration_ms"), _of_people(lookers, "duration_ms")
    pool = Pooled(*values, (0.0, MILLISECONDS), "ms", "fixation of known duration", open=True)
    return compared(pool, by=by, bins=bins, alpha=alpha)


@measure(
    better="lower", bounds=(0, np.inf), cite="Zanca2020, LeMeur2013", reads=model_moves, per="bed", resample="sample"
)
def joint_divergence(
    found: Sequence[Moves],
    lookers: Sequence[People],
    *,
    by: Literal["kl", "kl_model_people", "js"] = "kl",
    bins: int = 10,
    alpha: float = 1.0,
) -> Result:
    """How unlike the joint distributions of saccade amplitude and the duration of the next fixation are.

    KL(people‖model) = Σ_kl h_kl log(h_kl/m_kl) over `bins` × `bins` cells, amplitudes up to the diagonal of the picture
    and durations up to 1000 ms (the last row holds longer ones), `alpha` added to every count. It shows short fixations
    between long saccades (ambient) and long ones between short saccades (focal), which the margins do not. Undefined
    where a model has no durations, or no saccades.

    >>> from beholder.attention.saccades import moves
    >>> from beholder.attention.types import scanpath
    >>> path = scanpath([0, 3], [0, 4], duration_ms=[100, 300])
    >>> joint_divergence([moves([path])], [Lookers({"a": path}, (6, 8))]).value
    0.0
    """
    if by not in ("kl", "kl_model_people", "js"):
        raise Misuse(f"got by={by!r}; expected 'kl', 'kl_model_people' or 'js'")
    model, people = joint_histograms(found, lookers, bins=bins)
    if not model.sum() or not people.sum():
        raise NotApplicable(_missing(model.sum() == 0, "saccade to a fixation of known duration"))
    parts = _binned(model.ravel(), people.ravel(), alpha)
    counted = {"n": float(model.sum()), "n_people": float(people.sum())}
    return Result(parts[by], {**parts, **counted}, reason=f"{bins} x {bins} bins, alpha {alpha:g}")


def amplitudes_of(found: Sequence[Moves], lookers: Sequence[People], *, unit: Unit = "auto") -> Pooled:
    """Amplitudes of a model and of people on some pictures, in degrees or as shares of the diagonal."""
    chosen("unit", unit, Unit)
    seen = [watched(of) for of in lookers]
    known = all(math.isfinite(of.px_per_deg) for of in seen)
    if unit == "deg" and not known:
        raise NotApplicable("px per degree are not known on all pictures; take unit='diagonal'")
    degrees = known if unit == "auto" else unit == "deg"
    px = [of.px_per_deg if degrees else of.diagonal for of in seen]
    model = [of.amplitude_px / size for of, size in zip(found, px, strict=True)]
    people = [of.moves.amplitude_px / size for of, size in zip(seen, px, strict=True)]
    joined = _joined(model), _joined(people)
    if degrees:
        return Pooled(*joined, (0.0, DEGREES), "deg", "saccade", open=True)
    return Pooled(*joined, (0.0, 1.0), "diagonal", "saccade")


def joint_histograms(found: Sequence[Moves], lookers: Sequence[People], *, bins: int = 10) -> tuple[Floats, Floats]:
    """How often amplitudes (rows, up to the diagonal) and durations (columns, up to 1000 ms) come together."""
    seen = [watched(of) for of in lookers]
    scales = [np.array([of.diagonal, MILLISECONDS]) for of in seen]
    model = [of.joint / scale for of, scale in zip(found, scales, strict=True)]
    people = [of.moves.joint / scale for of, scale in zip(seen, scales, strict=True)]
    return _cells(model, bins), _cells(people, bins)


def _cells(shares: Sequence[Floats], bins: int) -> Floats:
    pooled = np.concatenate([np.empty((0, 2)), *shares])
    row, column = np.clip((pooled * bins).astype(np.int64), 0, bins - 1).T
    return np.bincount(row * bins + column, minlength=bins * bins).reshape(bins, bins).astype(float)


def compared(pool: Pooled, *, by: By, bins: int, alpha: float) -> Result:
    """Two pooled samples, compared in five ways; `by` is the one that counts."""
    chosen("by", by, By)
    if bins < 1 or not alpha > 0:
        raise Misuse(f"got bins={bins}, alpha={alpha}; expected 1 bin or more, and a smoothing above 0")
    if not len(pool.model) or not len(pool.people):
        raise NotApplicable(_missing(not len(pool.model), pool.what))
    parts = _binned(histogram(pool.model, pool, bins), histogram(pool.people, pool, bins), alpha)
    pair = pool.model, pool.people
    parts["wasserstein"] = circular_wasserstein(*pair) if pool.circular else wasserstein(*pair)
    parts["ks"] = kuiper(*pair) if pool.circular else kolmogorov_smirnov(*pair)
    beyond = " and one beyond" if pool.open else ""
    said = f"{bins} bins from {pool.span[0]:g} to {pool.span[1]:g} {pool.unit}{beyond}, alpha {alpha:g}"
    counted = {"n": float(len(pool.model)), "n_people": float(len(pool.people))}
    return Result(parts[by], {**parts, **counted}, reason=said)


def histogram(values: Floats, pool: Pooled, bins: int) -> Floats:
    """Counts in equal bins; the last holds its upper end, or another one all that is beyond it."""
    if not pool.open:
        return counts(values, pool.span, bins)
    end = pool.span[1] * (bins + 1) / bins
    return counts(values, (0.0, end), bins + 1)


def _binned(model: Floats, people: Floats, alpha: float) -> dict[str, float]:
    smoothed = people + alpha, model + alpha
    return {
        "kl": max(0.0, kl(*smoothed, eps=0.0)),
        "kl_model_people": max(0.0, kl(*smoothed[::-1], eps=0.0)),
        "js": jensen_shannon(people, model),
    }


def _missing(of_model: bool, what: str) -> str:
    return f"the model made no {what}" if of_model else f"people made no {what}"


def _of(found: Sequence[Moves], name: str) -> Floats:
    return _joined([getattr(of, name) for of in found])


def _of_people(lookers: Sequence[People], name: str) -> Floats:
    return _joined([getattr(watched(of).moves, name) for of in lookers])


def _joined(values: Sequence[Floats]) -> Floats:
    return np.concatenate([np.empty(0), *values])
