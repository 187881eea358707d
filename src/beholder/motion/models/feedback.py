"""Feedback between two areas, of the type of Bayerl and Neumann: MT tells V1 what to expect."""

from __future__ import annotations

from beholder.core.cite import source
from beholder.motion.models._cortex import LIMITS, TUNED_ON, Cortex, seen_by
from beholder.motion.types import Areas, Movie

WIDTH = 3.75  # px: the Gaussian of MT, five times that of V1 as in the source


@source(
    "Bayerl2004",
    family="feedback",
    dynamics="recurrent",
    ms_per_step="20",
    tuned_on=TUNED_ON,
    limits=LIMITS,
)
def feedback(movie: Movie, *, gain: float = 15.0, reach: int = 6) -> Areas:
    """V1 and MT, each in three steps at equilibrium, updated every 20 ms; the mean velocity of MT, and both areas.

    For input s, a velocity of up to `reach` px in 40 ms at each place, and z the activity of MT before:
    a₁ = s (1 + C z), C = `gain` in V1 and 0 in MT; a₂ = a₁² under Gaussians of space (0.75 px in V1, 3.75 px in MT)
    and velocity (0.75); a₃ = [(a₂ − Σ a₂ / 2n) / (0.01 + Σ a₂)]₊ over the n velocities. The input is the product of
    what even and odd filters of 8 orientations say 40 ms apart, each divided by the root of their energy and a
    constant: at low contrast it is weaker, so that feedback takes longer. V1 answers where there was something to see;
    elsewhere, and before the first 40 ms have passed, the answer is NaN. Between updates it stays. At less than
    50 frames/s an update takes a frame. What is faster than the range, 19 deg/s at 8 px/deg, is seen in its
    direction but not at its speed, as long as it moves by less than half a period in 40 ms.

    Deviation: written from the equations as they are remembered, not from the authors' program. The input comes from
    products of signed responses instead of Reichardt detectors on energies, without what is below 0.87 of the best
    match at its place. Feedback arrives where its velocity leads, not where it arose. C is 15 instead of 100.
    Constants were chosen once, on outline diamonds and bars of 10 deg/s at 8 px/deg.
    """
    return seen_by(Cortex(gain, reach, WIDTH), movie)
