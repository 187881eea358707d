"""Numbers for readers."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beholder.reports._numbers import MOST_DIGITS, decimals, number, ticks

finite = st.floats(-1e9, 1e9, allow_nan=False)


@given(finite, st.integers(0, MOST_DIGITS))
def test_a_shown_number_is_near_the_number(value: float, digits: int) -> None:
    shown = float(number(value, digits))
    assert abs(shown - value) <= max(
        0.5001 * 10.0**-digits,
        0.06 * abs(value) * (abs(value) < 10.0**-digits),
        1e-3 * abs(value) * (abs(value) >= 1e6),
    )


@given(finite.filter(lambda v: v != 0))
def test_what_is_not_zero_is_never_shown_as_zero(value: float) -> None:
    assert float(number(value, 2)) != 0 or abs(value) < 1e-300


@pytest.mark.parametrize(("width", "digits"), [(25.0, 0), (3.2, 1), (0.5, 2), (0.049, 3), (1e-12, 3), (math.nan, 1)])
def test_digits_follow_the_interval(width: float, digits: int) -> None:
    assert decimals([41.3], [width]) == digits


def test_digits_of_nothing() -> None:
    assert decimals([math.nan, math.inf], [math.nan, 0.0]) == 1


@given(finite, st.floats(1e-6, 1e6))
def test_ticks_are_few_even_and_inside(least: float, width: float) -> None:
    width = max(width, abs(least) * 1e-6)
    found = ticks(least, least + width)
    steps = {round((b - a) / width, 3) for a, b in itertools.pairwise(found)}
    assert 2 <= len(found) <= 7
    assert max(steps) - min(steps) <= 0.002
    assert least - 1e-6 * width <= found[0] <= found[-1] <= least + width * (1 + 1e-6)
