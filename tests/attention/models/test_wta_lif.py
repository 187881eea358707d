"""Winner takes all in a network of units."""

import numpy as np
from numpy.testing import assert_array_equal

from attention_walks import BLANK, PEAKS, bumps, rng
from beholder.attention.models.wta_lif import fire_in_turn, wta_lif


def test_units_fire_in_the_same_order_and_say_when():
    path = wta_lif(BLANK, rng=rng(), of=bumps, fixations=3, jitter=False)
    assert np.hypot(*(path.points - [(column + 0.5, row + 0.5) for row, column, _ in PEAKS]).T).max() < 3
    assert (np.diff(path.onset_ms) > 0).all()
    assert_array_equal(path.duration_ms[:2], np.diff(path.onset_ms))
    assert 20 < path.onset_ms[0] < 120


def test_the_first_unit_fires_when_its_equations_say():
    # One unit alone: V' = (I − g V)/C, W' = (k V − g W)/C by steps of 0.1 ms, from rest, until W > 1 mV.
    current, salience, winner, step = 1e-9, 0.0, 0.0, 0
    while winner <= 1e-3:
        salience += 1e-4 / 5e-8 * (current - 1e-7 * salience)
        winner += 1e-4 / 1e-9 * (5e-8 * salience - 1e-8 * winner)
        step += 1
    assert_array_equal(fire_in_turn(np.array([[0.0, 1e-9]]), 1, 1.0), [[0, 1, step]])


def test_jitter_stays_within_the_cell_and_observers_differ():
    one, two = wta_lif(BLANK, rng=rng(), of=bumps, many=2, fixations=3)
    plain = wta_lif(BLANK, rng=rng(), of=bumps, fixations=3, jitter=False)
    assert 0 < np.abs(one.points - plain.points).max() <= 1  # a cell is 2 px
    assert (one.points != two.points).all()


def test_nothing_wins_on_a_map_of_zeros_in_the_network():
    path = wta_lif(BLANK, rng=rng(), of="uniform")
    assert len(path) == 0
