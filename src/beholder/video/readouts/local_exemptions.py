"""Why a region may be replaced at once without a fault. Users choose among these rules, and add to them, in TCS.

A rule is a function of a candidate and its moment that returns why the candidate is excused, or "". The first three
have the aims of VMBench's rules (edge, size, detector error); the others are ours.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from beholder.video.readouts.local_candidates import Candidate, Moment
from beholder.video.readouts.local_mismatch import Change

Exemption = Callable[[Candidate, Moment], str]

FAINT = 10.0  # levels: less misfit is not missed
SMALLEST = 0.014  # diagonals: nor is a disc of less than this radius (5 px of 367)
IN_PLACE = 0.94  # correlation: the old content is still there
MOVED_ON, MOVED_IN = 0.8, 0.7  # correlations: the old content is found close by, and the new one was close by
MOVED = 0.3  # by which it is found better there than in place
PASSED = 0.93  # correlation: one of the two is found close by, hardly changed; excuses 0.7 % of the faults of the suite
LARGEST = 0.2  # of the frame: a larger region is not a thing but the scene
RESTLESS = 0.35  # of the frame: so much is replaced just before or after that nothing can be said


def edge(candidate: Candidate, moment: Moment) -> str:
    """It leaves or enters through the border: its own motion before carries half of it out, or its motion after in."""
    out = _outside(candidate, moment.before, 1.5) >= 0.5 or _outside(candidate, moment.after, -1.5) >= 0.5
    return "passes the border" if out else ""


def size(candidate: Candidate, moment: Moment) -> str:
    """It is too small or too faint to be missed."""
    if candidate.radius < SMALLEST:
        return "too small"
    return "too faint" if candidate.misfit < FAINT else ""


def detector_error(candidate: Candidate, moment: Moment) -> str:
    """It was there all the time: the old content is found again, in place or close by."""
    if candidate.stays >= IN_PLACE:
        return "still there"
    moved = candidate.goes >= MOVED_ON and candidate.comes >= MOVED_IN and candidate.goes - candidate.stays > MOVED
    return "moved on" if moved else ""


def occlusion(candidate: Candidate, moment: Moment) -> str:
    """Something moved over it or off it: the new content was close by before, or the old one is close by afterwards."""
    if candidate.comes >= PASSED and candidate.comes - candidate.stays > MOVED:
        return "covered by what was close by"
    return "uncovered" if candidate.goes >= PASSED and candidate.goes - candidate.stays > MOVED else ""


def unrest(candidate: Candidate, moment: Moment) -> str:
    """Much of the frame is replaced, now, just before or just after: light, a cut, or motion too fast to follow."""
    return "much changes at once" if candidate.area > LARGEST or candidate.unrest >= RESTLESS else ""


EXEMPTIONS: tuple[Exemption, ...] = (edge, size, detector_error, occlusion, unrest)


def excuse(candidate: Candidate, moment: Moment) -> str:
    """Why the first rule that applies excuses a candidate, with the rule's name; or nothing."""
    for rule in EXEMPTIONS:
        why = rule(candidate, moment)
        if why:
            return f"{rule.__name__}: {why}"
    return ""


def _outside(candidate: Candidate, change: Change | None, steps: float) -> float:
    """Share of a region that its motion over some changes like this one carries out of the frame."""
    if change is None:
        return 0.0
    region = candidate.region
    right, down = np.median(change.pair.forward[region.part][region.mask], axis=0) * steps
    ys, xs = np.nonzero(region.mask)
    x, y = xs + region.left + right, ys + region.top + down
    rows, columns = change.lost.shape
    return float(np.mean((x < 0) | (y < 0) | (x > columns - 1) | (y > rows - 1)))
