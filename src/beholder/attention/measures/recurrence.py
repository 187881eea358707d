"""Cross-recurrence of two scanpaths: where, how long and when one comes back to places of the other."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beholder.attention.measures._units import fixation_distances, px_per_deg_or_assumed, with_note
from beholder.attention.paths.pairs import Over, Walk, over_people, read_scanpaths
from beholder.attention.types import Lookers, Scanpath
from beholder.core.measure import NotApplicable, Result, measure
from beholder.errors import Misuse
from beholder.stats.sequences import diagonals, points_on_lines

NEVER = "model and person never look at the same place, so nothing recurs"


class Recurrence(NamedTuple):
    """Cross-recurrence of two scanpaths, in per cent; all but `rec` are NaN where nothing recurs."""

    rec: float
    det: float
    lam: float
    corm: float  # above 0: the second of the two scanpaths comes later to a place


@measure(better="higher", bounds=(0, 100), cite="Anderson2015", reads=read_scanpaths, unit="%")
def recurrence(found: Walk, lookers: Lookers, *, radius: float = 2.0, over: Over = "mean") -> Result:
    """REC: the percentage of fixation pairs, one of the model and one of a person, that are at the same place.

    REC = 100 C/N², C = Σ r_ij, r_ij = 1 where |a_i − b_j| ≤ ρ; both scanpaths are cut to N, the length of the shorter.
    `radius` ρ is in degrees; where px per degree are unknown, 35 is assumed, and the reason says so. Even equal
    scanpaths score below 100 unless they stay at one place. Undefined where the model makes no fixation.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 9], [0, 0])}, (1, 10), px_per_deg=1.0)
    >>> recurrence(scanpath([0, 9], [0, 0]), person).value  # 2 of 4 pairs
    50.0
    """
    return _over(found, lookers, radius, over, pick="rec", least=2)


@measure(better="higher", bounds=(0, 100), cite="Anderson2015", reads=read_scanpaths, unit="%")
def determinism(found: Walk, lookers: Lookers, *, radius: float = 2.0, least: int = 2, over: Over = "mean") -> Result:
    """DET: the percentage of recurrent points on diagonal lines: places that both visit in the same order.

    DET = 100 · (points on unbroken diagonal lines of at least `least` points)/C, over all diagonals; C as in
    `recurrence`. Undefined where nothing recurs.

    Deviation: FixaTons' program (Zanca et al. 2018) counts every point of a diagonal that has `least` or more points,
    in a line or not, so its score is never below this one (20 pictures of MIT1003: 35 on average instead of 22). Its
    laminarity does the same (54 instead of 26), and its radius is always 60 px, whatever is asked for.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 5, 9], [0, 0, 0])}, (1, 10), px_per_deg=1.0)
    >>> determinism(scanpath([0, 5, 5], [0, 0, 0]), person).value  # (0, 0), (1, 1) in line; (2, 1) alone
    66.66666666666667
    """
    return _over(found, lookers, radius, over, pick="det", least=least)


@measure(better="higher", bounds=(0, 100), cite="Anderson2015", reads=read_scanpaths, unit="%")
def laminarity(found: Walk, lookers: Lookers, *, radius: float = 2.0, least: int = 2, over: Over = "mean") -> Result:
    """LAM: the percentage of recurrent points on vertical or horizontal lines: places where one of the two stays.

    LAM = 100 (H + V)/(2 C), where H and V are the points on unbroken horizontal and vertical lines of at least `least`.
    Undefined where nothing recurs.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([0, 0], [0, 0])}, (1, 10), px_per_deg=1.0)
    >>> laminarity(scanpath([0, 9], [0, 0]), person).value  # one line of two points, in one of the two ways
    50.0
    """
    return _over(found, lookers, radius, over, pick="lam", least=least)


@measure(better="lower", bounds=(0, 100), cite="Anderson2015", reads=read_scanpaths, unit="%")
def corm(found: Walk, lookers: Lookers, *, radius: float = 2.0, over: Over = "mean") -> Result:
    """CORM: how far one scanpath leads the other in time, over all recurrent points; 0 where neither leads.

    CORM = 100 |Σ (j − i) r_ij|/((N − 1) C). The part `signed` keeps the sign: it is above 0 where the person comes to a
    place later than the model. Undefined where nothing recurs, or with one fixation.

    >>> from beholder.attention.types import scanpath
    >>> person = Lookers({"a": scanpath([9, 0], [0, 0])}, (1, 10), px_per_deg=1.0)
    >>> corm(scanpath([0, 5], [0, 0]), person).value  # the model is there one fixation before: (1 − 0)/1
    100.0
    """
    return _over(found, lookers, radius, over, pick="corm", least=2)


def _over(found: Walk, lookers: Lookers, radius: float, over: Over, *, pick: str, least: int) -> Result:
    if not radius > 0 or least < 1:
        raise Misuse(f"got radius={radius}, least={least}; expected more than 0 degrees, and lines of 1 or more")
    px, said = px_per_deg_or_assumed(lookers)
    compare = partial(_compared, radius=radius * px, least=least, pick=pick)
    return with_note(
        over_people(found, lookers, compare, over=over, better="lower" if pick == "corm" else "higher"), said
    )


def _compared(simulated: Scanpath, human: Scanpath, *, radius: float, least: int, pick: str) -> Result:
    n = min(len(simulated), len(human))
    its = cross_recurrence(fixation_distances(simulated.at(slice(n)), human.at(slice(n))) <= radius, least=least)
    value = its._asdict()[pick]
    if np.isnan(value):
        raise NotApplicable(NEVER if its.rec == 0 else "with one fixation neither can lead")
    return Result(abs(value), {"signed": value}) if pick == "corm" else Result(value)


def cross_recurrence(same: NDArray[np.bool_], *, least: int = 2) -> Recurrence:
    """REC, DET, LAM and CORM of a square matrix: which fixations of two scanpaths are at the same place.

    >>> cross_recurrence(np.eye(4, dtype=bool))
    Recurrence(rec=25.0, det=100.0, lam=0.0, corm=0.0)
    """
    n, total = len(same), int(same.sum())
    rec = 100 * total / n**2
    if not total:
        return Recurrence(rec, np.nan, np.nan, np.nan)
    det = 100 * points_on_lines(diagonals(same), least) / total
    lam = 100 * (points_on_lines(same, least) + points_on_lines(same.T, least)) / (2 * total)
    i, j = np.nonzero(same)
    mass = 100 * float((j - i).sum()) / ((n - 1) * total) if n > 1 else np.nan
    return Recurrence(rec, det, lam, mass)
