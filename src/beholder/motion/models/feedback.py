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
    """V1 and MT with feedback, updated every 20 ms, three steps at equilibrium each; answers MT's mean velocity, both
    areas.

    With the input s for each velocity of up to `reach` px in 40 ms at each place, and z the previous activity of MT: a₁
    = s (1 + C z), C = `gain` in V1 and 0 in MT; a₂ = a₁² under Gaussians of space (0.75 px in V1, 3.75 px in MT) and
    velocity (0.75); a₃ = [(a₂ − Σ a₂ / 2n) / (0.01 + Σ a₂)]₊ over the n velocities. The input is the product of the
    responses of even and odd filters of 8 orientations 40 ms apart, each divided by the root of their energy plus a
    constant: it is weaker at low contrast, so that feedback takes longer. V1 answers where the filters respond;
    elsewhere, and in the first 40 ms, the answer is NaN. It is held between updates. Below 50 frames/s an update takes
    one frame. Motion faster than the range (19 deg/s at 8 px/deg) is seen in its direction but not at its speed, as
    long as it moves by less than half a period in 40 ms.

    Deviation: written from memory of the equations, not from the authors' program. The input comes from products of
    signed responses instead of Reichardt detectors on energies; what is below 0.87 of the best match at its place is
    dropped. Feedback arrives at the place its velocity leads to, not where it arose. C is 15 instead of 100. Constants
    were chosen once, on outline diamonds and bars of 10 deg/s at 8 px/deg.
    """
    return seen_by(Cortex(gain, reach, WIDTH), movie)
