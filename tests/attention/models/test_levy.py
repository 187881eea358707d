import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.attention.models.levy import Landscape, levy
from beholder.attention.types import Picture
from beholder.errors import Misuse

BLANK = Picture(np.zeros((120, 160), np.uint8))


def rng():
    return np.random.default_rng(6)


def right(picture):
    return np.tile(np.linspace(0, 1, picture.shape[1]) ** 4, (picture.shape[0], 1))


def test_jumps_are_of_cauchy_s_law_in_all_directions():
    land = Landscape.of(np.zeros((600, 600)), strict=False, candidates=1)
    jumps = land._drawn(np.full((20_000, 2), 300.0), rng())[:, 0] - 300
    sizes = np.hypot(*jumps.T)
    assert np.median(sizes) == pytest.approx(100, rel=0.03)  # one focus of attention
    assert (sizes > 600).mean() == pytest.approx(1 - 2 / np.pi * np.arctan(6), rel=0.1)
    turns = np.histogram(np.arctan2(*jumps.T), 8)[0]
    assert turns.min() > 0.9 * turns.mean()


def test_the_drift_leads_up():
    y, x = np.indices((60, 80))
    land = Landscape.of(100 * np.exp(-((x - 40) ** 2 + (y - 30) ** 2) / 200), strict=False, candidates=1)
    assert land.slope[0, 30, 30] > 0 > land.slope[0, 30, 50]
    assert land.slope[1, 20, 40] > 0 > land.slope[1, 40, 40]
    v = 100 * np.exp(-0.01 * 100 * np.exp(-((x - 40) ** 2 + (y - 30) ** 2) / 200))
    assert_allclose(land.slope[0, 30, 30], -0.5 * (v[30, 31] - v[30, 29]) / 2)


def test_salience_draws_and_refusals_are_counted():
    paths = levy(BLANK, rng=rng(), many=60, of=right, fixations=15)
    drawn = np.mean([path.x[5:].mean() for path in paths])
    even = np.mean([path.x[5:].mean() for path in levy(BLANK, rng=rng(), many=60, of="uniform", fixations=15)])
    assert drawn > 100
    assert even < 90
    assert np.mean([path.signals["repeats"].mean() for path in paths]) > 0
    for path in paths:
        assert len(path) == 15
        assert (np.diff(path.points, axis=0) != 0).any(axis=1).all()


def test_strict_2004_repeats_and_jumps_far():
    strict = levy(BLANK, rng=rng(), many=40, of=right, strict_2004=True)
    again = [(np.diff(path.points, axis=0) == 0).all(axis=1).sum() for path in strict]
    assert sum(again) > 0
    assert all(len(path) == 10 for path in strict)
    assert Landscape.of(np.zeros((120, 160)), strict=True, candidates=1).scale == 1600
    assert Landscape.of(np.zeros((120, 160)), strict=True, candidates=1).candidates == 50


def test_a_picture_that_is_left_by_every_jump_keeps_the_eye():
    land = Landscape(np.zeros((1, 40, 40)), np.full((2, 40, 40), 1e9), 1.0, False, 2)
    here = np.array([[20.0, 20.0]])
    assert_array_equal(land._best(here, rng()), here)


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="candidates=0"):
        levy(BLANK, rng=rng(), candidates=0)
