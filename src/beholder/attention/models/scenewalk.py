"""SceneWalk of Engbert and others: attention and inhibition that build up over a scene, with a likelihood."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from beholder.attention.forecasts.outlooks import Cells
from beholder.attention.maps.features import px_per_deg_of
from beholder.attention.models._landing import cells, draw_points, durations, log_density, onsets, with_likelihood
from beholder.attention.models._paths import (
    Guide,
    Paths,
    Rng,
    clip_inside,
    fixation_seconds,
    guide_shares,
    observer_count,
    one_or_many,
)
from beholder.attention.types import Density, Floats, Picture, Scanpath, scanpath
from beholder.core.cite import source
from beholder.errors import Misuse
from beholder.registry.trained_on import trained_by

GRID = (128, 128)  # cells of the picture [V]
MIDDLE = (4.0, 3.0)  # deg: standard deviations of the first fixation, in x and y, of the public configuration [V]


@dataclass(frozen=True)
class Rates:
    """Constants of SceneWalk: those from which the public program begins to fit MIT1003 [V]."""

    attention: float = 15.0  # ω_A, 1/s
    inhibition: float = 1.5  # ω_F, 1/s
    sigma_attention: float = 10.0  # deg
    sigma_inhibition: float = 9.0  # deg
    gamma: float = 2.0
    lam: float = 1.0
    inhibits: float = 1.0  # c_F
    noise: float = 1e-3  # ζ

    def __post_init__(self) -> None:
        if not (min(self.attention, self.inhibition, self.sigma_attention, self.sigma_inhibition) > 0):
            raise Misuse(f"got {self}; expected rates and widths above 0")
        if not (self.gamma > 0 and self.lam > 0 and self.inhibits >= 0 and 0 < self.noise <= 1):
            raise Misuse(f"got {self}; expected gamma and lam above 0, inhibits of 0 or more, noise in 0 … 1 and not 0")


# Of the public configurations [V]: where fits of MIT1003 begin, and where one of the extended model, which this is not,
# ended; its log₁₀ ζ is −3.02.
RATES = {"start": Rates(), "fitted": Rates(9.294, 0.9294, 15.198, 6.98, gamma=1.1209, inhibits=0.3, noise=10**-3.02)}


def rates_of(rates: Rates | str | None) -> Rates:
    """Rates by their name, or as they are; "start" where none are given."""
    if isinstance(rates, Rates):
        return rates
    if (rates or "start") not in RATES:
        raise Misuse(f"got rates={rates!r}; expected {' or '.join(map(repr, RATES))}, or Rates")
    return RATES[rates or "start"]


def fitted_on(settings: dict[str, Any]) -> str:
    """The dataset that rates were fitted to, among the settings of a model.

    >>> fitted_on({"rates": "fitted"}), fitted_on({"rates": RATES["fitted"]}), fitted_on({"rates": None})
    ('mit1003', 'mit1003', '')
    """
    return "mit1003" if settings.get("rates") in ("fitted", RATES["fitted"]) else ""


@dataclass(frozen=True, eq=False)
class Scene:
    """A scene on a grid, and what n observers attend to and inhibit of it: (n, rows, columns) each."""

    salience: Floats  # (rows, columns), adds up to 1
    degrees: Floats  # (2,): width and height of the picture
    rates: Rates
    attended: Floats
    inhibited: Floats

    @staticmethod
    def of(picture: Picture, guide: Guide, *, rates: Rates, count: int) -> Scene:
        """Before the first fixation: attention and inhibition even."""
        even = np.full((count, *GRID), 1 / np.prod(GRID))
        size = np.array(picture.shape[::-1]) / px_per_deg_of(picture)
        return Scene(guide_shares(picture, guide, GRID), size, rates, even, even)

    def after(self, points: Floats, seconds: Floats) -> Scene:
        """After fixations of n observers at points (n, 2) in sides, each of its duration (n,)."""
        rates = self.rates
        window = self.salience * self.bells(points, rates.sigma_attention)
        attended = _towards(self.attended, _shares(window), rates.attention * seconds)
        inhibited = _towards(
            self.inhibited, _shares(self.bells(points, rates.sigma_inhibition)), rates.inhibition * seconds
        )
        return replace(self, attended=attended, inhibited=inhibited)

    def bells(self, points: Floats, sigma: float) -> Floats:
        """Gaussians of σ degrees around points: (n, rows, columns)."""
        right, down = (
            np.exp(-((((np.arange(n) + 0.5) / n - points[:, axis : axis + 1]) * self.degrees[axis] / sigma) ** 2) / 2)
            for axis, n in enumerate(GRID[::-1])
        )
        return np.asarray(down[:, :, None] * right[:, None, :])

    @property
    def next(self) -> Floats:
        """The probability of the next fixation in each cell, (n, rows, columns)."""
        rates = self.rates
        potential = _shares(self.attended**rates.lam) - rates.inhibits * _shares(self.inhibited**rates.gamma)
        raised = np.maximum(potential, 0)
        empty = raised.sum(axis=(1, 2), keepdims=True) <= 0
        held = _shares(np.where(empty, 1.0, raised))
        return np.asarray((1 - rates.noise) * held + rates.noise / held[0].size)

    @property
    def first(self) -> Floats:
        """The probability of the first fixation: a Gaussian of 4 × 3 deg around the middle."""
        spread = np.array(MIDDLE) / self.degrees
        right, down = (
            np.exp(-((((np.arange(n) + 0.5) / n - 0.5) / s) ** 2) / 2) for n, s in zip(GRID, spread, strict=True)
        )
        return np.broadcast_to(_shares(np.outer(down, right)[None]), self.attended.shape)


def _towards(now: Floats, goal: Floats, exponent: Floats) -> Floats:
    """goal + e^(−ωT) (now − goal)."""
    return np.asarray(goal + np.exp(-exponent)[:, None, None] * (now - goal))


def _shares(values: Floats) -> Floats:
    """Maps (n, rows, columns) that add up to 1 each; even where they are 0."""
    total = values.sum(axis=(1, 2), keepdims=True)
    return np.asarray(np.where(total > 0, values, 1.0) / np.where(total > 0, total, values[0].size))


def conditional_log_density(
    picture: Picture, path: Scanpath, *, of: Guide = "itti", rates: Rates | str | None = None
) -> Floats:
    """log p of the next fixation (H, W) after those of a path; durations that are not known are taken as 250 ms."""
    return log_density(forecast(picture, of=of, rates=rates).p(path), picture.shape)


@dataclass(frozen=True, eq=False)
class Walk:
    """What SceneWalk says of the next fixation on a picture; a history that has grown by one costs one step."""

    scene: Scene  # of one observer, before the first fixation
    shape: tuple[int, int]
    _last: dict[str, tuple[bytes, Scene]] = field(default_factory=dict, repr=False)

    def __call__(self, history: Scanpath) -> Cells | Density:
        """The density in cells of 1/128 of each side."""
        return cells(self.p(history), self.shape)

    def p(self, history: Scanpath) -> Floats:
        """Probabilities of the next fixation by cell."""
        return np.asarray(self._after(history).next[0] if len(history) else self.scene.first[0])

    def _after(self, history: Scanpath) -> Scene:
        steps = np.column_stack([history.points / self.shape[::-1], fixation_seconds(history)])
        known, scene = self._last.get("scene", (b"", self.scene))
        done = len(steps) - 1
        if known != steps[:done].tobytes():
            done, scene = 0, self.scene
        for step in steps[done:]:
            scene = scene.after(step[None, :2], step[2:])
        self._last["scene"] = steps.tobytes(), scene
        return scene


def forecast(picture: Picture, *, of: Guide = "itti", rates: Rates | str | None = None) -> Walk:
    """The forecast of a picture, whose map is made once."""
    return Walk(Scene.of(picture, of, rates=rates_of(rates), count=1), picture.shape)


@with_likelihood(conditional_log_density, forecast)
@trained_by(fitted_on)
@source("Engbert2015,Schwetlick2020", answers="scanpath", family="mechanistic", supervised="as its map")
def scenewalk(
    picture: Picture,
    *,
    rng: Rng,
    many: int | None = None,
    of: Guide = "itti",
    seconds: float = 5.0,
    rates: Rates | str | None = None,
) -> Paths:
    """SceneWalk: fixations drawn from p ∝ max(A^λ/ΣA^λ − c_F I^γ/ΣI^γ, 0), with a share ζ of a uniform density.

    During a fixation of T seconds at f, A tends to S · G(f, σ_A), normalised, as e^(−ω_A T), and I to G(f, σ_F) as
    e^(−ω_F T). S is the map of `of`, a built-in model's name or a function from a picture to a map. The first fixation
    is drawn around the middle. The path holds the fixations that begin within `seconds`. `conditional_log_density`
    gives the likelihood of real paths.

    Deviation: the original takes people's density for S, and people's durations; here S is a model's map, and durations
    are log-normal as EyeCrowd's, 30 ms apart. None of its extensions (shifts around saccades, facilitation, oculomotor
    potential). The constants are those from which its public fits begin; rates="fitted" has those at which a fit of the
    extended model to MIT1003 ended, and is not scored there. 35 px/deg are assumed where unknown.
    """
    if not 0 < seconds < np.inf:
        raise Misuse(f"got seconds={seconds}; expected above 0")
    count = observer_count(many)
    scene = Scene.of(picture, of, rates=rates_of(rates), count=count)
    points, lasts = [draw_points(scene.first, rng)], [durations(count, rng)]
    while (onsets(np.stack(lasts, axis=1))[:, -1] < 1000 * seconds).any():
        scene = scene.after(points[-1], lasts[-1] / 1000)
        points.append(draw_points(scene.next, rng))
        lasts.append(durations(count, rng))
    whole = np.stack(lasts, axis=1)
    places, times = clip_inside(np.stack(points, axis=1) * picture.shape[::-1], picture.shape), onsets(whole)
    paths = [scanpath(*p.T, onset_ms=t, duration_ms=d) for p, t, d in zip(places, times, whole, strict=True)]
    return one_or_many([path.at(path.onset_ms < 1000 * seconds) for path in paths], many)
