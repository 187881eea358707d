import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.attention.models.scanddm import Race, Track, race_winners, scanddm
from beholder.attention.types import Picture
from beholder.errors import Misuse

BLANK = Picture(np.zeros((90, 120), np.uint8))


def rng():
    return np.random.default_rng(9)


def test_the_value_of_a_cell_by_hand():
    prior = np.full((15, 20), 0.5)
    prior[7, 10], prior[7, 14] = 1.0, 1.0
    track = Track.of(prior, Race())
    here, there, diagonal = 7 * 20 + 10, 7 * 20 + 14, 9 * 20 + 12
    near = 0.5 * (1 + (1 / 10) ** 2) ** -1.5  # one row down: k is 10 along the shorter side
    value = (1 + (4 / (10 * 20 / 15)) ** 2) ** -1.5
    top = max(near, value, 0.5 * (1 + (1 / (10 * 20 / 15)) ** 2) ** -1.5)
    assert track.drift[here, there] == pytest.approx(17 * value / top / (1 + np.log2(2)))
    assert track.drift[here, diagonal] == -np.inf  # cos 4φ = −1
    assert track.drift[here, here] == -np.inf


def test_without_noise_the_race_is_arithmetic():
    drift = np.full((4, 4), -np.inf)
    drift[:, 1], drift[:, 2] = 30.0, 10.0
    drift[1, 1], drift[1, 3] = -np.inf, 40.0
    track = Track((2, 2), drift, 0.0)
    cells, ends = race_winners(track, count=1, steps=60, rng=rng())
    # From the middle, cell 3: 1 leads 2 by 20 a second, 1 after 50 ms, that is 13 steps of 4 ms, after 15 of delay.
    assert cells[0][:3] == [3, 1, 3]
    assert ends[0][0] == 28
    assert ends[0][1] == 28 + 15 + 9  # then 3 leads 2 by 30 a second


def test_durations_are_like_people_s_and_grow_with_noise_off():
    paths = scanddm(BLANK, rng=rng(), many=10, of="uniform")
    lasts = np.concatenate([path.duration_ms[:-1] for path in paths])
    assert 100 < np.median(lasts) < 800
    assert lasts.min() > 60
    for path in paths:
        assert_allclose(path.onset_ms + path.duration_ms, [*path.onset_ms[1:], 5000])


def test_directions_keep_to_the_axes():
    paths = scanddm(BLANK, rng=rng(), many=20, of="uniform")
    steps = np.concatenate([np.diff(path.points, axis=0) for path in paths])
    far = steps[np.hypot(*steps.T) > 30]
    turn = np.degrees(np.arctan2(*far.T)) % 90
    assert ((turn < 22.5) | (turn > 67.5)).mean() > 0.7


def test_salience_guides_and_a_spike_alone_is_left_again():
    def spike(picture):
        values = np.zeros(picture.shape)
        values[6:12, 12:18] = 1.0
        return values

    path = scanddm(BLANK, rng=rng(), of=spike, seconds=4.0)
    on = (np.abs(path.x - 15) < 12) & (np.abs(path.y - 9) < 12)
    assert on.mean() > 0.3
    assert not on[1:][on[:-1]].all()


def test_races_do_not_depend_on_one_another_s_number():
    one, again = (scanddm(BLANK, rng=rng(), of="uniform", many=3, seconds=1.0) for _ in range(2))
    for first, second in zip(one, again, strict=True):
        assert_array_equal(first.points, second.points)


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="eta"):
        Race(eta=0)
