"""Numbers for readers."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beholder.reports._numbers import MOST_DIGITS, decimals, number, telling, ticks

finite = st.floats(-1e9, 1e9, allow_nan=False)


RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def read(text: str) -> float:
    """A shown number as a number; of a bound, the bound."""
    figures, _, power = text.lstrip("<> ").replace(",", "").partition(" × 10")
    return float(figures) * 10.0 ** int(power.translate(RAISED) or 0)


@given(finite, st.integers(0, MOST_DIGITS))
def test_a_shown_number_is_near_the_number(value: float, digits: int) -> None:
    assert abs(read(number(value, digits)) - value) <= max(
        0.5001 * 10.0**-digits,
        0.5001 * 10.0 ** math.floor(math.log10(abs(value) or 1.0)) * (abs(value) < 10.0**-digits),
        1.1e-4 * (abs(value) < 1e-4),
        1e-2 * abs(value) * (abs(value) >= 1e6),
    )


@given(finite.filter(lambda v: abs(v) > 1e-12), st.integers(0, MOST_DIGITS))
def test_what_is_not_zero_is_never_shown_as_zero_nor_with_an_exponent(value: float, digits: int) -> None:
    shown = number(value, digits)
    assert read(shown) != 0
    assert "e" not in shown


@pytest.mark.parametrize(("width", "digits"), [(25.0, 0), (3.2, 1), (0.5, 2), (0.049, 3), (1e-12, 3), (math.nan, 1)])
def test_digits_follow_the_interval(width: float, digits: int) -> None:
    assert decimals([41.3], [width]) == digits


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([13.995, 14.424, 40.0, 50.0], ["14.0", "14.4", "40", "50"]),  # stereo/dense, intervals 25 wide
        ([13.992, 13.995, 14.1], ["13.992", "13.995", "14.100"]),
        ([13.995, 13.995, 40.0], ["14", "14", "40"]),
        ([0.1 + 0.2, 0.3, 9.0], ["0.3", "0.3", "9"]),  # equal but for rounding
    ],
)
def test_unequal_values_of_a_column_never_read_alike(values: list[float], texts: list[str]) -> None:
    digits = telling(values, decimals(values, [25.0] * len(values)))
    assert [number(value, own) for value, own in zip(values, digits, strict=True)] == texts


@given(st.lists(st.integers(-(10**8), 10**8), min_size=2, max_size=9), st.floats(1e-3, 1e3))
def test_values_that_six_decimals_tell_apart_are_told_apart(millionths: list[int], width: float) -> None:
    values = [of / 10**MOST_DIGITS for of in millionths]
    digits = telling(values, decimals(values, [width]))
    assert len({number(value, own) for value, own in zip(values, digits, strict=True)}) == len(set(values))


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
