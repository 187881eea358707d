"""How far flow is from the true one, over the vectors whose truth is known: as Middlebury, Sintel, KITTI, Spring count.

All take estimated and true vectors (…, 2) in px, u and v in the last axis. NaN in the truth leaves a vector out. A
vector without an estimate (NaN) is never left out, or a model could gain by answering only where it is easy: it counts
as rest in a mean, and as wrong in a percentage.

Each is taken of one pair of frames, and tables average over pairs. Sintel's, KITTI's and Spring's own tables average
over all pixels of all pairs, which differs where parts have different sizes: the part `epe.pixels` has the weights.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.core.measure import NotApplicable, Result, measure
from beholder.motion.true_flow.types import Vectors, vectors

Floats = NDArray[np.float64]

PIXELS = 3.0  # the devkit of KITTI 2015: an error of more than 3 px …
SHARE = 0.05  # … and of more than 5 % of the length of the true vector


class Sides(NamedTuple):
    """Estimated and true vectors, n × 2, where the truth is known; an estimate may be NaN."""

    found: Floats
    true: Floats

    @property
    def held(self) -> NDArray[np.bool_]:
        """Which have an estimate."""
        return np.asarray(np.isfinite(self.found).all(axis=1))

    @property
    def rested(self) -> Sides:
        """The same, at rest where there is no estimate."""
        return self._replace(found=np.where(self.held[:, None], self.found, 0.0))

    @property
    def errors(self) -> Floats:
        """The end-point error of each; NaN without an estimate."""
        return np.asarray(np.hypot(*(self.found - self.true).T))


@measure(
    better="lower",
    bounds=(0, math.inf),
    cite="Baker2011,Butler2012",
    reads=vectors,
    unit="px",
    parts={"density": "higher"},
)
def epe(found: Vectors, true: Vectors) -> Result:
    """The mean end-point error: how far the ends of the estimated and the true vectors lie apart.

    EPE = 1/N Σ √((u − u_GT)² + (v − v_GT)²). A vector without an estimate counts as (0, 0). No known vector: not
    applicable. Parts: `density`, the share of vectors with an estimate; `pixels`, N.

    Deviation: Sintel and Middlebury demand dense flow, and KITTI fills holes from neighbours; here a hole is rest.

    >>> epe(np.array([[3.0, 4.0], [1.0, 0.0]]), np.array([[0.0, 0.0], [1.0, 1.0]])).value  # (5 + 1) / 2
    3.0
    """
    sides = known(found, true)
    return Result(
        float(sides.rested.errors.mean()), {"density": float(sides.held.mean()), "pixels": float(len(sides.true))}
    )


@measure(better="lower", bounds=(0, 100), cite="Menze2015", reads=vectors, unit="%")
def fl(found: Vectors, true: Vectors) -> float:
    """KITTI's Fl: the percentage of vectors wrong by more than 3 px and by more than 5 % of the true length.

    Fl = 100/N · #{e > 3 ∧ e/|f_GT| > 0.05}, both strictly greater, e the end-point error. A vector without an estimate
    is an outlier. No known vector: not applicable. In the part `all` it is Fl-all, in bg and fg Fl-bg and Fl-fg.

    Deviation: KITTI fills holes from their neighbours before it counts.

    >>> fl(np.array([[4.0, 0], [104, 0], [106, 0], [1, 0]]), np.array([[0.0, 0], [100, 0], [100, 0], [0, 0]]))
    50.0
    """
    sides = known(found, true)
    return _percentage(sides.errors > np.maximum(PIXELS, SHARE * np.hypot(*sides.true.T)), sides)


@measure(better="lower", bounds=(0, 100), cite="Baker2011,Mehl2023", reads=vectors, unit="%")
def bad_vectors(found: Vectors, true: Vectors, *, delta: float = 1.0) -> float:
    """The percentage of vectors whose end-point error is above δ: Spring's 1px, Middlebury's R0.5, R1.0 and R2.0.

    B = 100/N · #{e > δ}, strictly greater. A vector without an estimate is bad. No known vector: not applicable.

    >>> bad_vectors(np.array([[1.0, 0], [3, 4], [np.nan, 0], [0, 0]]), np.zeros((4, 2)))
    50.0
    """
    sides = known(found, true)
    return _percentage(sides.errors > delta, sides)


@measure(better="lower", bounds=(0, 180), cite="Barron1994,Baker2011", reads=vectors, unit="deg")
def angular_error(found: Vectors, true: Vectors) -> float:
    """Barron's angular error: the mean angle between (u, v, 1) and (u_GT, v_GT, 1), in degrees.

    AE = arccos((u u_GT + v v_GT + 1) / √((u² + v² + 1)(u_GT² + v_GT² + 1))). The 1 keeps it defined at rest; errors of
    fast motion weigh less than those of slow motion. A vector without an estimate counts as (0, 0). No known vector:
    not applicable.

    >>> round(angular_error(np.array([[1.0, 0.0]]), np.zeros((1, 2))), 6)
    45.0
    """
    one, other = (np.column_stack([side, np.ones(len(side))]) for side in known(found, true).rested)
    cross = np.linalg.norm(np.cross(one, other), axis=1)  # exact at 0, where arccos is not
    return float(np.degrees(np.arctan2(cross, (one * other).sum(axis=1))).mean())


def known(found: Vectors, true: Vectors) -> Sides:
    """Both sides where the truth is known."""
    estimate, truth = np.asarray(found, np.float64), np.asarray(true, np.float64)
    if estimate.shape != truth.shape or truth.shape[-1:] != (2,):
        raise ValueError(f"got vectors of shape {estimate.shape}; expected {truth.shape}, that of the truth, (…, 2)")
    here = np.isfinite(truth).all(axis=-1)
    if not here.any():
        raise NotApplicable("no vector here has a known truth")
    return Sides(estimate[here], truth[here])


def _percentage(bad: NDArray[np.bool_], sides: Sides) -> float:
    return 100.0 * float((bad | ~sides.held).mean())
