"""The exponential decay of a direction error, fitted without start values and without credit for a flat line.

f(t) = α exp(−t/τ) + β, where t runs from the onset of the response. For every τ the best α and β follow from linear
least squares (variable projection), so that only τ is searched: on a logarithmic grid, then by golden section. It is
deterministic, and says when there is no decay to be fitted: a plain non-linear fit returns its start value there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.stats import bootstrap

Floats = NDArray[np.float64]
Status = Literal["ok", "poor_fit", "none"]

PARAMETERS = ("alpha", "beta", "tau")
FASTEST, SLOWEST, STEPS = 0.005, 2.0, 400  # s, and points of the grid of τ (spec 5.3)
ALPHA, BETA = (0.0, 180.0), (-90.0, 90.0)  # degrees: bounds of the amplitude and of what remains
LEAST_ALPHA = 2.0  # degrees: a smaller decay is not told from none
NOISES = 3.0  # the decay must also be this many standard deviations of the residuals
LEAST_BIC = 6.0  # "strong" evidence against a constant on the usual scale of differences in BIC
LEAST_R2 = 0.5  # below it the curve is not the shape of the data
LEAST_INSTANTS = 5  # three parameters and a residual that means something
_GOLDEN = (5**0.5 - 1) / 2
_ROUNDS = 40  # of the golden section: 0.618⁴⁰ ≈ 4e−9 of a step of the grid
_COARSE, _FEW = 100, 20  # points and rounds for residuals drawn anew: τ to 1e−5 of itself, in a quarter of the time


@dataclass(frozen=True)
class Fit:
    """A fitted decay. Where there is none, α = 0, β is the mean and τ is NaN."""

    alpha: float  # degrees
    beta: float  # degrees
    tau: float  # s
    latency: float  # s from the onset of motion: where t = 0 of the curve lies
    r2: float  # explained share of the variance; NaN where there is none to explain
    shape: float  # largest residual over α: a step has a large one although its r² is high; NaN without decay
    status: Status

    def at(self, seconds: Floats) -> Floats:
        """The fitted error at times from the onset of motion; NaN before the latency.

        >>> Fit(40, 2, 0.1, 0.1, 1, 0, "ok").at(np.array([0.05, 0.1, 0.2])).round(2)
        array([  nan, 42.  , 16.72])
        """
        since = seconds - self.latency
        decay = 0.0 if self.status == "none" else self.alpha * np.exp(-np.maximum(since, 0) / self.tau)
        return np.where(since < -1e-9, np.nan, decay + self.beta)


class _Moments(NamedTuple):
    """What least squares needs of the data: `draws` rows of errors at the same n instants."""

    seconds: Floats  # (n,)
    values: Floats  # (draws, n)

    @property
    def constant(self) -> Floats:
        """The squared error of each row's mean."""
        return np.asarray(((self.values - self.values.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))


class _Solved(NamedTuple):
    """The best α and β for given τ, and their squared error; all of one shape."""

    alpha: Floats
    beta: Floats
    sse: Floats


def fit(seconds: Floats, error: Floats, *, latency: float | None = None) -> Fit:
    """Fit α exp(−t/τ) + β to an error in degrees; NaN are left out.

    `latency` is the onset of the response, in seconds from that of motion; by default it is that of the first instant
    that has an error. Fewer than five instants: not applicable.

    >>> t = np.arange(0, 0.45, 0.01)
    >>> found = fit(t, 40 * np.exp(-t / 0.09) + 2)
    >>> round(found.alpha, 2), round(found.beta, 2), round(found.tau, 4), found.status
    (40.0, 2.0, 0.09, 'ok')
    >>> fit(t, np.full(45, 44.0)).status
    'none'
    """
    onset, since, values = _since_onset(seconds, error, latency)
    return _fits(_Moments(since, values[None]), onset)[0]


def intervals(drawn: Floats) -> dict[str, tuple[float, float]]:
    """95 % intervals of α, β and τ, from draws × 3 of them (see `resampled`).

    τ's is over those draws that have a decay; NaN where none has.
    """
    lo, hi = bootstrap.interval(drawn)
    return {name: (float(lo[at]), float(hi[at])) for at, name in enumerate(PARAMETERS)}


def resampled(
    seconds: Floats, error: Floats, *, rng: np.random.Generator, draws: int = 200, latency: float | None = None
) -> Floats:
    """Draws × 3: α, β and τ of the fitted curve with its own residuals drawn anew."""
    onset, since, values = _since_onset(seconds, error, latency)
    curve = _fits(_Moments(since, values[None]), onset)[0].at(since + onset)
    picks = rng.integers(len(values), size=(draws, len(values)))
    drawn = _fits(_Moments(since, curve + (values - curve)[picks]), onset, steps=_COARSE, rounds=_FEW)
    return np.array([[getattr(one, name) for name in PARAMETERS] for one in drawn])


def onset(seconds: Floats, error: Floats) -> float:
    """When a response begins: the start of the first interval between frames, not before motion, that has an error.

    >>> onset(np.array([0.005, 0.015, 0.025]), np.array([np.nan, 40, 30]))
    0.01
    """
    held = np.flatnonzero(np.isfinite(error) & (seconds >= 0))
    if not held.size:
        raise NotApplicable("no time point after the onset of motion has a direction")
    step = float(np.median(np.diff(seconds))) if len(seconds) > 1 else 0.0
    return max(0.0, round(float(seconds[held[0]]) - step / 2, 9))


def _since_onset(seconds: Floats, error: Floats, latency: float | None) -> tuple[float, Floats, Floats]:
    if seconds.shape != error.shape or seconds.ndim != 1:
        raise Misuse(f"got {error.shape} errors at {seconds.shape} times; expected one error per time, in two rows")
    start = onset(seconds, error) if latency is None else latency
    held = np.isfinite(error) & (seconds >= start - 1e-9)
    if held.sum() < LEAST_INSTANTS:
        raise NotApplicable(
            f"got a direction at {int(held.sum())} time points from {start:g} s; expected {LEAST_INSTANTS} or more"
        )
    return start, np.asarray(seconds[held] - start, float), np.asarray(error[held], float)


def _fits(data: _Moments, start: float, *, steps: int = STEPS, rounds: int = _ROUNDS) -> list[Fit]:
    tau = _search(data, steps, rounds)
    best = _solved(data, tau[:, None])
    rows = zip(tau, best.alpha[:, 0], best.beta[:, 0], data.values, data.constant, strict=True)
    return [_judged(data.seconds, values, (a, b, t), constant, start) for t, a, b, values, constant in rows]


def _judged(seconds: Floats, values: Floats, found: tuple[float, float, float], constant: float, start: float) -> Fit:
    """The fit, unless a constant says as much."""
    alpha, beta, tau = (float(x) for x in found)
    residual = values - (alpha * np.exp(-seconds / tau) + beta)
    sse = float(residual @ residual)
    if not _identifiable(alpha, sse, constant, len(values)):
        return Fit(0.0, float(values.mean()), np.nan, start, np.nan, np.nan, "none")
    r2 = 1 - sse / constant
    bound = not FASTEST * 1.01 < tau < SLOWEST / 1.01 or alpha >= ALPHA[1] or beta in BETA
    shape = float(np.abs(residual).max()) / alpha
    return Fit(alpha, beta, tau, start, r2, shape, "poor_fit" if bound or r2 < LEAST_R2 else "ok")


def _identifiable(alpha: float, sse: float, constant: float, n: int) -> bool:
    """Whether the data speak for a decay: by its size, by the noise, and by the BIC of three parameters over one."""
    if alpha <= max(LEAST_ALPHA, NOISES * (sse / (n - 3)) ** 0.5):
        return False
    floor = 1e-12 * n  # degrees²: exact data have no noise, and the logarithm needs some
    gain = n * np.log(max(constant, floor) / max(sse, floor)) - 2 * np.log(n)
    return bool(gain > LEAST_BIC)


def _search(data: _Moments, steps: int, rounds: int) -> Floats:
    """The best τ of each row: on the grid, then between the grid's neighbours."""
    grid = np.geomspace(FASTEST, SLOWEST, steps)
    at = _solved(data, grid[None]).sse.argmin(axis=1)
    lo, hi = np.log(grid[np.maximum(at - 1, 0)]), np.log(grid[np.minimum(at + 1, steps - 1)])
    for _ in range(rounds):
        left, right = hi - _GOLDEN * (hi - lo), lo + _GOLDEN * (hi - lo)
        sse = _solved(data, np.exp(np.stack([left, right], axis=1))).sse
        nearer = sse[:, 0] <= sse[:, 1]
        lo, hi = np.where(nearer, lo, left), np.where(nearer, right, hi)
    return np.asarray(np.exp((lo + hi) / 2))


def _solved(data: _Moments, tau: Floats) -> _Solved:
    """Bounded least squares of α and β for each τ (rows × candidates): inside the bounds, or on one of their edges.

    One row of candidates serves all rows of data.
    """
    decay = np.exp(-data.seconds / tau[..., None])
    values, n = data.values[:, None, :], len(data.seconds)
    e, ee, ey, y = decay.sum(-1), (decay**2).sum(-1), (decay @ values.swapaxes(1, 2))[..., 0], values.sum(-1) + 0 * tau
    inside = (n * ey - e * y) / np.maximum(n * ee - e * e, 1e-12)
    alphas = [np.clip(inside, *ALPHA), *(np.full_like(ey, edge) for edge in ALPHA)]
    alphas += [np.clip((ey - edge * e) / ee, *ALPHA) for edge in BETA]
    alpha = np.stack(alphas, axis=-1)
    beta = np.clip((y[..., None] - alpha * e[..., None]) / n, *BETA)
    yy = (values**2).sum(-1)[..., None]
    cross = alpha * ey[..., None] + beta * y[..., None] - alpha * beta * e[..., None]
    sse = yy - 2 * cross + alpha**2 * ee[..., None] + n * beta**2
    best = sse.argmin(axis=-1)[..., None]
    return _Solved(*(np.take_along_axis(part, best, axis=-1)[..., 0] for part in (alpha, beta, sse)))
