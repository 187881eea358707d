"""The final direction: golden numbers of the motion spec (11.8), and what must not be credited."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beholder.core.measure import NotApplicable, fix
from beholder.errors import Misuse
from beholder.motion.courses.series import Seen
from beholder.motion.measures.static import final_error, final_score
from beholder.motion.types import Percept
from motion_traces import NOWHERE, T, aimed, diamond


@pytest.mark.parametrize("kind", ["bar", "diamond", "grating", "barber", "plaid"])
@pytest.mark.parametrize(("off", "score"), [(0.0, 1.0), (10.0, np.exp(-1)), (-20.0, np.exp(-4)), (180.0, 0.0)])
def test_the_final_score_is_a_gaussian_of_the_error(kind, off, score):
    found = final_score(aimed(170.0 + off), Percept(kind, 170.0, 10.0))
    assert found.value == pytest.approx(score, abs=1e-9)
    assert found.parts["error"] == pytest.approx(off)


def test_the_error_counts_towards_the_vector_average_so_that_mirror_images_do_not_cancel():
    for mode in ("tlapale2012", "signed"):
        errors = [final_score(aimed(turn * 26.7), diamond(turn=turn), mode=mode).parts["error"] for turn in (1, -1)]
        assert errors == pytest.approx([26.7, 26.7])
        away = final_score(aimed(10.0), diamond(turn=-1), mode=mode)
        assert away.parts["error"] == pytest.approx(-10)
        assert away.value == pytest.approx(np.exp(-1))
    assert final_error(aimed(10.0), diamond(turn=-1)).value == pytest.approx(10)


@pytest.mark.parametrize("average", [np.nan, 90.0])
def test_without_a_side_errors_count_counter_clockwise(average):
    of = Percept("bar", 90.0, 1.0, vector_average=average)
    for mode in ("tlapale2012", "signed"):
        assert final_score(aimed(90.0), of, mode=mode).value == 1
        assert final_score(aimed(95.0), of, mode=mode).parts["error"] == pytest.approx(5)
    assert np.isfinite(Seen(aimed(90.0), of).error).all()


def test_only_the_end_counts():
    course = np.where(T < 0.34, 44.0, 0.0)
    assert final_score(aimed(course), diamond()).value == pytest.approx(1)
    assert final_error(aimed(course[::-1]), diamond()).value == pytest.approx(44)


@given(st.floats(-180, 180), st.floats(0, 360))
def test_errors_are_the_shorter_way_round(off, direction):
    found = final_error(aimed(direction + off), Percept("bar", direction, 10.0))
    assert found.value == pytest.approx(abs(off), abs=1e-6)


def test_what_has_no_direction_is_the_worst_answer_and_says_so():
    for trace in (NOWHERE, aimed(0.0, speed=0.0), aimed(0.0, speed=0.099)):  # less than 1 % of 10 deg/s
        for of, worst in ((final_score, 0.0), (final_error, 180.0)):
            found = of(trace, diamond())
            assert (found.value, found.state) == (worst, "low")
            assert "no direction in the last 100 ms" in found.reason
    assert np.isnan(final_score(NOWHERE, diamond()).parts["error"])
    assert "no estimate is a finite number" in final_score(NOWHERE, diamond()).reason
    assert "faster than 1 %" in final_error(aimed(0.0, speed=0.0), diamond()).reason


def test_where_people_have_no_known_direction_there_is_nothing_to_measure():
    for of in (final_score, final_error):
        with pytest.raises(NotApplicable, match="not known here"):
            of(aimed(0.0), Percept("diamond", np.nan, 10.0))


def test_a_score_has_the_status_of_its_record_and_an_error_has_none(tmp_path):
    assert final_score(aimed(0.0), diamond()).status == "placeholder"
    assert final_error(aimed(0.0), diamond()).status == ""
    file = tmp_path / "mine.toml"
    record = 'stimulus = "diamond"\nquantity = "x"\nsource = "me"\nvalue = 0\nspread = 9\nspread_kind = "sd"\n'
    file.write_text(f'["static.diamond"]\n{record}status = "derived"\n')
    found = final_score(aimed(0.0), diamond(), reference=str(file))
    assert (found.status, found.reason) == ("derived", "")


def test_the_signed_mode_gives_a_mean_error_a_side(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '["static.diamond"]\nstimulus = "diamond"\nquantity = "x"\nsource = "me"\nstatus = "verified"\n'
        'value = 5\nspread = 2\nspread_kind = "sd"\n'
    )
    towards, away = aimed(-5.0), aimed(5.0)  # of a clockwise figure
    signed = fix(final_score, mode="signed", reference=str(file))
    assert signed(towards, diamond(turn=-1)).value == pytest.approx(1)
    assert signed(away, diamond(turn=-1)).value == 0
    assert final_score(towards, diamond(turn=-1), reference=str(file)).value == 0
    assert signed(towards, diamond(turn=-1)).reason == ""
    with pytest.raises(Misuse, match="expected 'tlapale2012' or 'signed'"):
        final_score(towards, diamond(), mode="sign")
