"""Numbers as a reader wants them: no more digits than the interval allows, and a dash where there is no value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median

NOTHING = "—"
MOST_DIGITS = 6  # after the point, where an interval asks for them
SMALLEST = 4  # digits after the point of the smallest number that is written out
NOTHING_LESS = 1e-12  # sizes that are nothing but rounding
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
MANY = 0.5  # of the values of a column
TELLING = 9  # after the point, where models differ so little: what differs less is called equal by every verdict


def decimals(values: Iterable[float], widths: Iterable[float] = ()) -> int:
    """Digits after the point: two significant ones of the median interval; three of the largest value without one.

    At most five significant ones of the largest value: where units are copies of one another, an interval has no width
    to speak of, and the digits that it would allow say nothing.

    >>> decimals([12.3456], widths=[3.2]), decimals([0.71, 0.68], widths=[0.05]), decimals([41.27])
    (1, 3, 1)
    >>> decimals([0.999023, 0.5], widths=[1e-7, 1e-6])
    5
    """
    spans = [w for w in widths if math.isfinite(w) and w > 0]
    sizes = [abs(v) for v in values if math.isfinite(v) and v != 0]
    if not spans and not sizes:
        return 1
    digits = 1 - _magnitude(median(spans)) if spans else 2 - _magnitude(max(sizes))
    if sizes:
        digits = min(digits, 4 - _magnitude(max(sizes)))
    return min(max(digits, 0), MOST_DIGITS)


def telling(values: Sequence[float], digits: int) -> list[int]:
    """Digits after the point for each value: as many as given, and more for those that would else read alike.

    Models that read alike are taken for equal; what differs by rounding errors only is equal. Where many would read
    alike, all get a digit more: a column is read more easily where most of it is alike.

    >>> telling([13.995, 14.424, 40.0, 50.0], 0), telling([13.995, 13.995 + 1e-12], 0), telling([1.2, 1.3, 1.4, 9.0], 0)
    ([1, 1, 0, 0], [0, 0], [1, 1, 1, 1])
    """
    found = _apart(values, digits)
    many = sum(own > digits for own in found) > MANY * len(found)
    return telling(values, digits + 1) if many and digits < MOST_DIGITS else found


def _apart(values: Sequence[float], digits: int) -> list[int]:
    """Digits for each value, more only for those that would read alike."""
    found = [digits] * len(values)
    for more in range(digits, TELLING):
        alike: dict[str, list[int]] = {}
        for at, value in enumerate(values):
            if found[at] == more:
                alike.setdefault(number(value, more), []).append(at)
        for those in alike.values():
            if len({round(values[at], TELLING) for at in those if math.isfinite(values[at])}) > 1:
                for at in those:
                    found[at] = more + 1
    return found


def _magnitude(size: float) -> int:
    return math.floor(math.log10(size))


def number(value: float, digits: int) -> str:
    """One number without an exponent; NaN is a dash, and what would round to nothing has one figure, or a bound.

    >>> number(3.14159, 2), number(float("nan"), 2), number(-0.0, 1), number(12345678, 1), number(2.5e12, 0)
    ('3.14', '—', '0.0', '12,345,678', '2.5 × 10¹²')
    >>> number(0.3, 0), number(0.00002, 2), number(-0.00002, 2), number(2.1e-16, 2)
    ('0.3', '< 0.0001', '> -0.0001', '0.00')
    """
    if math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) <= NOTHING_LESS:
        return f"{0:.{digits}f}"
    if abs(value) <= 0.5 * 10.0**-digits:  # a half is rounded to even, which is 0
        return _small(value)
    if abs(value) < 1e6:
        return f"{value:.{digits}f}"
    return f"{value:,.0f}" if abs(value) < 1e9 else _by_power(value)


def _small(value: float) -> str:
    """The first figure of a number that is nearer to 0 than others of its column; below 0.0001 that it is less.

    >>> _small(0.31), _small(-0.0004), _small(2e-7)
    ('0.3', '-0.0004', '< 0.0001')
    """
    if abs(value) < 10.0**-SMALLEST:
        return f"< {10.0**-SMALLEST:.{SMALLEST}f}" if value > 0 else f"> -{10.0**-SMALLEST:.{SMALLEST}f}"
    return f"{value:.{-_magnitude(abs(value))}f}"


def _by_power(value: float) -> str:
    """A very large number with three figures, as 2.5 × 10¹²."""
    power = _magnitude(abs(value))
    figures = f"{value / 10.0**power:.2f}".rstrip("0").rstrip(".")
    return f"{figures} × 10{str(power).translate(RAISED)}"


def interval(lo: float, hi: float, digits: int) -> str:
    """An interval; a dash in brackets where there is none.

    >>> interval(1, 2.5, 1), interval(float("nan"), float("nan"), 1)
    ('[1.0, 2.5]', '[—]')
    """
    if math.isnan(lo) or math.isnan(hi):
        return f"[{NOTHING}]"
    return f"[{number(lo, digits)}, {number(hi, digits)}]"


def share(held: int, expected: int, *, na: int = 0, low: int = 0, partial: int = 0) -> str:
    """How many held of how many expected, and what is to be said of them.

    >>> share(9, 9), share(8, 9), share(6, 9, na=3), share(9, 9, low=2), share(1, 1, partial=1)
    ('9/9', '8/9', '6/9 (3 n/a)', '9/9 (2 low)', '1/1 (1 partial)')
    """
    why = [f"{count} {word}" for count, word in ((na, "n/a"), (low, "low"), (partial, "partial")) if count]
    return f"{held}/{expected}" + (f" ({', '.join(why)})" if why else "")


def duration(seconds: float) -> str:
    """A time span for people.

    >>> duration(0.034), duration(7.25), duration(192), duration(7380)
    ('0.03 s', '7.2 s', '3 min 12 s', '2 h 3 min')
    """
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def ticks(least: float, most: float, about: int = 5) -> list[float]:
    """Round numbers within a range, some `about` of them: steps of 1, 2 or 5 times a power of ten.

    >>> ticks(0, 10), ticks(0.12, 0.31)
    ([0.0, 2.0, 4.0, 6.0, 8.0, 10.0], [0.15, 0.2, 0.25, 0.3])
    """
    rough = (most - least) / about
    power = 10.0 ** _magnitude(rough)
    step = next(s * power for s in (1, 2, 5, 10) if s * power >= rough * 0.999)
    first, last = math.ceil(least / step - 1e-9), math.floor(most / step + 1e-9)
    digits = max(0, -_magnitude(step))
    return [round(k * step, digits) for k in range(first, last + 1)]
