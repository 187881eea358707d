import numpy as np
import pytest

from beholder.core.measure import NotApplicable, card, fix
from beholder.errors import Misuse
from beholder.stereo.measures.disparity import bad_pixels, density, mae, rms

NAN = np.nan
FOUND = np.array([4.0, 6, 6.5, 1, NAN])
TRUE = np.array([5.0, 5, 5, 5, 5])  # errors 1, 1, 1.5, 4, –


def test_by_hand():
    assert bad_pixels(FOUND, TRUE) == pytest.approx(60)
    assert bad_pixels(FOUND, TRUE, delta=0.5) == pytest.approx(100)
    assert bad_pixels(FOUND, TRUE, delta=2) == pytest.approx(40)
    assert bad_pixels(FOUND, TRUE, invalid="exclude") == pytest.approx(50)
    assert mae(FOUND, TRUE) == pytest.approx(7.5 / 4)
    assert rms(FOUND, TRUE) == pytest.approx(((1 + 1 + 2.25 + 16) / 4) ** 0.5)
    assert density(FOUND, TRUE) == pytest.approx(0.8)


def test_thirds_of_a_pixel_are_compared_as_the_integers_they_are():
    steps = np.arange(0, 255 - 3)
    for shift, bad in ((3, 0), (-3, 0), (4, 100), (-4, 100)):
        true = ((steps + 4) / 3).astype(np.float32)
        found = ((steps + 4 + shift) / 3).astype(np.float32)
        assert bad_pixels(found, true) == bad
    # what the slack is for: plain comparison calls some of these bad
    assert (np.abs(((steps + 3) / 3).astype(np.float32) - (steps / 3).astype(np.float32)) > 1).any()


def test_more_than_delta_is_bad_however_little():
    assert bad_pixels(np.array([61.001], np.float32), np.array([60.0], np.float32)) == 100


def test_no_error_is_never_bad():
    assert bad_pixels(np.zeros(3), np.zeros(3), delta=0) == 0


def test_unknown_truth_is_left_out():
    true = np.array([5.0, NAN, 5, NAN, 5])
    assert bad_pixels(FOUND, true) == pytest.approx(200 / 3)
    assert mae(FOUND, true) == pytest.approx(1.25)
    assert density(FOUND, true) == pytest.approx(2 / 3)


@pytest.mark.parametrize("of", [bad_pixels, mae, rms, density])
def test_nothing_known_is_not_applicable(of):
    with pytest.raises(NotApplicable, match="known disparity"):
        of(np.array([1.0]), np.array([NAN]))
    with pytest.raises(NotApplicable):
        of(np.array([]), np.array([]))


def test_nothing_estimated():
    nothing, true = np.array([NAN, NAN]), np.array([1.0, 2])
    assert bad_pixels(nothing, true) == 100
    assert bad_pixels(nothing, true, invalid="exclude") == 100
    assert density(nothing, true) == 0
    for of in (mae, rms):
        with pytest.raises(NotApplicable, match="no pixel here has an estimate"):
            of(nothing, true)


def test_a_mean_error_of_holes_is_refused_if_they_count():
    with pytest.raises(ValueError, match="got 1 of 5 pixels without an estimate"):
        mae(FOUND, TRUE, invalid="error")
    assert rms(FOUND[:4], TRUE[:4], invalid="error") == rms(FOUND, TRUE)


def test_misuse():
    with pytest.raises(Misuse, match="invalid='skip'"):
        bad_pixels(FOUND, TRUE, invalid="skip")
    with pytest.raises(ValueError, match=r"shape \(4,\); expected \(5,\)"):
        mae(FOUND[:4], TRUE)


def test_a_perfect_map_reaches_the_best_bound():
    for of in (bad_pixels, mae, rms, density):
        assert of(TRUE, TRUE) == card(of).best


def test_a_fixed_threshold_is_named():
    assert card(fix(bad_pixels, delta=2.0)).label == "bad_pixels(delta=2.0)"
