"""How many events or points a number takes before it says more than chance: counts found by simulation.

Each is the least at which a right and a clearly wrong model change places in less than 5 % of draws; the tests draw
them again. Below it a number keeps its value, has the state `low`, and says why.
"""

from __future__ import annotations

# Movements in one histogram of some 40 bins, one added to each. Of people's own on MIT1003, or half or one and a half
# times as long, or the wrong way round, against 1,000: at most 3 % change places with 50, 9 % with 40, 53 % with 20.
MOVEMENTS = 50
# Movements in a joint histogram of 10 x 10 cells: 4 % with 100, 21 % with 75, 54 % with 50.
JOINT_MOVEMENTS = 100
# Fixations of an ROC: areas of 0.85 and 0.75 change places in 4 % of draws with 15, 8 % with 10, 17 % with 5.
FIXATIONS = 15
# Points of a correlation: one of 0.5 comes out at 0 or below in 3 % of draws with 15, 7 % with 10, 19 % with 5.
POINTS = 15


def too_few(count: float, least: int, what: str, *, of: str) -> str:
    """The sentence for a number that rests on too few things; "" where they are enough.

    >>> too_few(5, 50, "saccades", of="a divergence")
    'only 5 saccades: a divergence of fewer than 50 is mostly chance'
    >>> too_few(1, 50, "saccade", of="a divergence")
    'only 1 saccade: a divergence of fewer than 50 is mostly chance'
    >>> too_few(50, 50, "saccades", of="a divergence")
    ''
    """
    return "" if count >= least else f"only {count:g} {what}: {of} of fewer than {least} is mostly chance"
