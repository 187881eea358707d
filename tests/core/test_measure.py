import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.core.measure import (
    SETTLED,
    STATES,
    Card,
    Resampling,
    Result,
    arguments,
    as_is,
    card,
    fix,
    measure,
    result,
)
from beholder.errors import Misuse
from beholder.stereo.measures.disparity import bad_pixels

NAN = math.nan


@measure(better="lower", bounds=(0, 9), cite="Key", unit="px")
def gap(observed, reference, *, scale=1.0, power=1):
    """The gap."""
    return scale * abs(observed - reference) ** power


@measure(better="higher", bounds=(-1, 1), cite="", per="dataset", resample="subject", draws=7)
def agreement(observed, reference):
    """The agreement."""
    return 1.0


def test_a_measure_is_the_function_itself_with_a_card():
    assert gap(3, 5) == 2
    assert gap.__doc__ == "The gap."
    assert card(gap) == Card("gap", "lower", (0, 9), "Key", as_is, "sample", None, "px", {})
    assert (card(agreement).per, card(agreement).resampling) == ("dataset", Resampling("subject", 7))
    assert as_is("answer", "stimulus") == "answer"


def test_the_best_bound_follows_from_the_direction():
    assert card(gap).best == 0
    assert card(agreement).best == 1


def test_a_direction_is_one_of_two_words():
    for word in ("up", "Higher", "", None):
        with pytest.raises(Misuse, match="expected 'higher' or 'lower'"):
            measure(better=word, bounds=(0, 1), cite="")(abs)


def test_measures_per_sample_are_not_resampled_by_the_runner():
    with pytest.raises(Misuse, match="resample is for pooled measures"):
        Card("m", "lower", (0, 1), "", resampling=Resampling("sample"))


def test_a_function_without_a_card_is_named():
    with pytest.raises(Misuse, match="abs has no card; decorate it"):
        card(abs)


def test_fixed_settings_are_applied_and_named():
    double = fix(gap, scale=2)
    assert double(3, 5) == 4
    assert card(double).label == "gap(scale=2)"
    assert card(double).settings == {"scale": 2}
    both = fix(double, power=2)
    assert both(3, 5) == 8
    assert card(both).label == "gap(scale=2,power=2)"
    assert card(fix(both, scale=3)).label == "gap(scale=3,power=2)"
    assert {card(of).name for of in (gap, double, both)} == {"gap"}
    assert (card(both).variant, card(gap).label) == ("scale=2,power=2", "gap")
    assert (card(both).better, card(both).bounds, card(both).cite, card(both).unit) == ("lower", (0, 9), "Key", "px")


def test_a_table_may_be_told_less_than_is_fixed():
    coarse = fix(gap, {"preset": "coarse"}, scale=2)
    assert (coarse(3, 5), card(coarse).label, arguments(coarse)) == (4, "gap(preset=coarse)", {"scale": 2})
    assert card(fix(coarse, power=2)).label == "gap(preset=coarse,power=2)"
    assert arguments(fix(coarse, power=2)) == {"scale": 2, "power": 2}


@pytest.mark.parametrize("name", ["skale", "observed", "reference"])
def test_only_settings_can_be_fixed(name):
    with pytest.raises(Misuse, match=f"gap has no setting '{name}'; it has scale, power"):
        fix(gap, **{name: 1})
    with pytest.raises(Misuse, match=r"gap\(scale=2\) has no setting"):
        fix(fix(gap, scale=2), **{name: 1})
    with pytest.raises(Misuse, match="agreement has no setting 'x'; it has none"):
        fix(agreement, x=1)


def test_a_fixed_measure_travels():
    sent = pickle.loads(pickle.dumps(fix(bad_pixels, delta=2, invalid="exclude")))
    assert card(sent) == card(fix(bad_pixels, delta=2, invalid="exclude"))
    assert card(sent).label == "bad_pixels(delta=2,invalid=exclude)"
    found, true = np.array([5.0, 6.5, 8, NAN]), np.full(4, 5.0)  # errors 0, 1.5, 3, –
    assert sent(found, true) == pytest.approx(100 / 3)


@pytest.mark.parametrize("value", [2, 2.0, True, np.float32(2), np.int64(2), np.array(2.0)])
def test_a_bare_number_is_a_result(value):
    found = result(value)
    assert found == Result(float(value))
    assert type(found.value) is float
    assert (found.state, found.reason, found.parts) == ("ok", "", {})


@pytest.mark.parametrize("value", [None, "much", [1.0, 2.0], 1j, np.zeros(3)])
def test_what_is_no_number_is_refused(value):
    with pytest.raises((TypeError, ValueError)):
        result(value)


def test_undefined_is_never_a_number():
    assert result(NAN)[2:4] == ("na", "undefined here")
    assert result(Result(NAN, state="low", reason="few"))[2:4] == ("na", "few")
    assert result(np.float32("nan")).state == "na"
    for state in ("na", "failed"):
        found = result(Result(3.0, {"part": 1.0}, state, "why"))
        assert math.isnan(found.value)
        assert (found.state, found.reason, found.parts) == (state, "why", {"part": 1.0})
    assert result(math.inf).state == "ok"


@settings(deadline=None)
@given(st.floats(), st.sampled_from(STATES))
def test_a_result_has_a_number_exactly_where_its_state_says_so(value, state):
    found = result(Result(value, state=state))
    assert (found.state in SETTLED) == (not math.isnan(found.value))
    if not math.isnan(value):
        assert found.state == state
    assert result(found)[2:] == found[2:]


def test_an_unknown_state_is_refused():
    with pytest.raises(ValueError, match="got state 'fine'; expected one of ok, low, partial, na, failed"):
        result(Result(1.0, state="fine"))
