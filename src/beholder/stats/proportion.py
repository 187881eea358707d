"""Intervals of shares: how sure a count of few is."""

from __future__ import annotations

Z = 1.959963984540054  # of a normal distribution, 95 % lie within ± this many standard deviations


def wilson(held: float, of: float, *, z: float = Z) -> tuple[float, float]:
    """Wilson's score interval of a share, for `held` successes of `of` trials; 95 % by default.

    (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), p = held/of, n = of (Wilson 1927). Unlike p ± z·se and unlike a
    bootstrap it does not shrink to a point where all trials agree. No trial says nothing: 0 to 1.

    >>> [round(end, 4) for end in wilson(3, 4)], [round(end, 4) for end in wilson(0, 4)]
    ([0.3006, 0.9544], [0.0, 0.4899])
    """
    if not 0 <= held <= of:
        raise ValueError(f"got {held} successes of {of} trials; expected a number between 0 and the number of trials")
    if not of:
        return 0.0, 1.0
    share, more = held / of, z * z / of
    middle = (share + more / 2) / (1 + more)
    half = z * (share * (1 - share) / of + z * z / (4 * of * of)) ** 0.5 / (1 + more)
    return middle - half if held else 0.0, middle + half if held < of else 1.0  # exactly, not but for rounding
