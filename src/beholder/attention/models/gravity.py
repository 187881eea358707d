"""Attention as a mass that falls: the gravitational model of Zanca, Melacci and Gori, by its equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from beholder.attention.gaze.extraction import dispersion_fixations
from beholder.attention.maps.features import Clip, Feature, masses, px_per_deg_of
from beholder.attention.maps.scaling import fitting
from beholder.attention.models._falling import Law, Retina, Solver, fall, inhibition_after
from beholder.attention.models._paths import (
    SIDE,
    Paths,
    Rng,
    clip_inside,
    fixation_seconds,
    last_point,
    observer_count,
    one_or_many,
    start_points,
)
from beholder.attention.types import Floats, Picture, Scanpath
from beholder.core.cite import source
from beholder.errors import Misuse

HERTZ = 100.0  # steps of the integrator a second
SLOW, FAST = 2.0, 4.0  # deg/s: of either component of the velocity at the start, as in the released program [V]


@source("Zanca2020,ZancaMelacci2020", answers="scanpath", family="gravitational", supervised="no")
def gravity(  # noqa: PLR0913  (settings of a model)
    shown: Picture | Clip,
    *,
    rng: Rng,
    many: int | None = None,
    seconds: float = 5.0,
    side: int = SIDE,
    features: str | Sequence[str | Feature] = "gradient",
    alpha: float | None = None,
    damping: float | None = None,
    beta: float | None = None,
    sigma: float | None = None,
    law: Law | None = None,
    solver: Solver | None = None,
    after: Scanpath | None = None,
) -> Paths:
    """A focus of attention a(t) of mass 1 that falls towards masses μ, is damped, and inhibits where it has been.

    ä + λ ȧ + (e ∗ μ)(a, t) = 0, e(z) = z / (2π ‖z‖²); μ = α Σ_i ‖f_i‖ (1 − I); ∂I/∂t + β I = β g(x − a), g a Gaussian
    of σ; in degrees and seconds. `features` are names joined by + (gradient, faces, and flow of a clip) or functions
    from a Picture to a map. `alpha` (deg/s²), `damping` (λ, 1/s), `beta` (1/s) and `sigma` (deg) are those of `law`
    unless given. The longer side is first brought to `side` px; 0 leaves it. Observers begin within 0.17 of the shorter
    side from the middle, at 2 … 4 deg/s in x and y. A fixation is a stay within 1.5 deg for 80 ms. A clip is watched
    from its first frame, and its last frame stays on. With `after`, a path of earlier fixations, the path continues
    from the last one, and all of them have inhibited.

    Deviation: the source gives no constants; these are ours (see `Law`). It does say 0 < β < 1, without a unit of time:
    ours is 1.7 per second, 0.07 per frame of the released program. Below 1 per second the eye hardly leaves where it
    began: on five photographs it reaches, in 5 s, 3 of the 5 × 5 cells with β = 0.5, 6 with 0.9, 10 with 1.7, 13 with 4
    (docs/reference has more). α is divided by the mean of Σ ‖f_i‖ over the picture, so that low-contrast pictures
    are explored like others. Masses are spread over their pixels, because the field of a point is not finite. The
    integrator is an exponential Verlet scheme of 10 ms; solver="lsoda" is the source's. The border reflects; the source
    does not say what it does. 35 px/deg are assumed where unknown.
    """
    if not (0 < seconds < np.inf and (side == 0 or side >= 32)):
        raise Misuse(f"got seconds={seconds}, side={side}; expected above 0 s, and 32 px or more, or 0 for full size")
    given = {"alpha": alpha, "damping": damping, "beta": beta, "sigma": sigma, "solver": solver}
    kept = replace(law or Law(), **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    moved = trajectories(
        shown, rng=rng, count=observer_count(many), seconds=seconds, side=side, features=features, law=kept, after=after
    )
    scale = px_per_deg_of(shown)
    return one_or_many([dispersion_fixations(each, hertz=HERTZ, px_per_deg=scale) for each in moved], many)


def trajectories(
    shown: Picture | Clip,
    *,
    rng: Rng,
    count: int,
    seconds: float = 5.0,
    side: int = SIDE,
    features: str | Sequence[str | Feature] = "gradient",
    law: Law | None = None,
    after: Scanpath | None = None,
) -> Floats:
    """Where each observer looks at 100 Hz, (count, t, 2), in px of the picture: the model before fixations are cut."""
    seen = retina(shown, features, side)
    shape = seen.masses.shape[1], seen.masses.shape[2]
    speed = rng.uniform(SLOW, FAST, (count, 2)) * rng.choice([-1.0, 1.0], (count, 2)) * seen.px_per_deg
    ratio = np.array(shown.shape[::-1]) / shape[::-1]
    places, inhibited = start_points(shape, count, rng), None
    if after is not None:
        places = np.tile(last_point(after, shown.shape) / ratio, (count, 1))
        inhibited = inhibition_after(seen, law or Law(), after.points / ratio, fixation_seconds(after))
    start = np.concatenate([places, speed], axis=1)
    steps = max(1, round(seconds * HERTZ))
    states = fall(seen, law or Law(), start=start, hertz=HERTZ, steps=steps, inhibited=inhibited)
    return clip_inside(states[..., :2] * ratio, shown.shape)


def retina(shown: Picture | Clip, features: str | Sequence[str | Feature] = "gradient", side: int = SIDE) -> Retina:
    """What pulls: Σ ‖f_i‖ of every frame over its mean, on pixels of a working size, and how many are a degree."""
    shape = fitting(shown.shape, side) if side else shown.shape
    hertz = shown.hertz if isinstance(shown, Clip) else 1.0
    found = masses(shown, features, shape=shape)
    return Retina(found / (found.mean() or 1.0), px_per_deg_of(shown) * shape[1] / shown.shape[1], hertz)
