import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_folders as made
from beholder.attention.gaze.detection import (
    DETECTORS,
    Gaze,
    _acceleration,
    _merged,
    _saccades,
    acceleration,
    detector,
    velocity,
)
from beholder.errors import Misuse

POINTS = [(300.0, 250.0), (100.0, 60.0), (500.0, 400.0), (480.0, 120.0)]
each_detector = pytest.mark.parametrize("name", DETECTORS)


def gaze(points=POINTS, hertz=240.0, noise=0.0, **settings):
    samples = made.trace(points, **settings)
    samples += np.random.default_rng(0).normal(0, noise, samples.shape)
    return Gaze(samples[:, 0], samples[:, 1], hertz)


@each_detector
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_rests_between_jumps_are_found(name, noise):
    found = DETECTORS[name](gaze(noise=noise), px_per_deg=34)
    assert_allclose(found.points, POINTS, atol=2)
    assert_allclose(found.duration_ms, 250, atol=45)
    assert (np.diff(found.onset_ms) > 0).all()
    assert found.onset_ms[0] < 20


@each_detector
def test_other_rates_give_the_same(name):
    slow = DETECTORS[name](gaze(), px_per_deg=34)
    fast = DETECTORS[name](gaze(hertz=960.0, each=240, jump=24), px_per_deg=34)
    assert len(fast) == len(slow) == 4
    assert_allclose(fast.onset_ms, slow.onset_ms, atol=15)


@each_detector
def test_without_a_saccade_there_is_one_fixation(name):
    found = DETECTORS[name](gaze(POINTS[:1], noise=0.1), px_per_deg=34)
    assert len(found) == 1
    assert_allclose(found.points, POINTS[:1], atol=0.2)
    assert found.duration_ms[0] == pytest.approx(250)


@each_detector
@pytest.mark.parametrize("samples", [[], [np.nan] * 40, [np.nan] * 30 + [5.0] * 20])
def test_nothing_or_a_lost_eye(name, samples):
    values = np.array(samples, float)
    found = DETECTORS[name](Gaze(values, values, 240.0), px_per_deg=34)
    assert_array_equal(found.x, values[-1:][np.isfinite(values[-1:])])


@each_detector
def test_a_short_blink_does_not_split_a_fixation(name):
    held = gaze()
    held.x[20:25] = held.y[20:25] = np.nan
    found = DETECTORS[name](held, px_per_deg=34)
    assert_allclose(found.points, POINTS, atol=1)
    assert found.duration_ms[0] == pytest.approx(250, abs=45)


def test_a_long_blink_and_a_step_aside_split_one():
    held = gaze(each=80)
    held.x[30:55] = held.y[30:55] = np.nan
    assert len(velocity(held)) == 5
    step = np.repeat([100.0, 125.0], 60)  # 0.7 degrees within one sample
    assert len(velocity(Gaze(step, step, 240.0))) == 2


def test_a_short_stop_belongs_to_the_saccades_around_it():
    brief = made.trace(POINTS[:3], each=60)
    brief = np.concatenate([brief[:65], np.tile(POINTS[1], (6, 1)), brief[-65:]])
    assert_allclose(acceleration(Gaze(brief[:, 0], brief[:, 1], 240.0)).points, [POINTS[0], POINTS[2]], atol=1)


@pytest.mark.parametrize(
    ("saccades", "length", "merged"),
    [
        ([(10, 20), (32, 40)], 100, [(10, 40)]),  # 11 samples between: 32 − 20 is 12
        ([(10, 20), (33, 40)], 100, [(10, 20), (33, 40)]),
        ([(10, 20), (15, 40), (50, 60)], 100, [(10, 60)]),
        ([(10, 20)], 33, [(10, 32)]),  # 12 samples after
        ([(10, 20)], 34, [(10, 20)]),
        ([], 50, []),
    ],
)
def test_where_a_fixation_becomes_too_short(saccades, length, merged):
    assert _merged(saccades, Gaze(np.zeros(length), np.zeros(length), 240.0)) == merged


@pytest.mark.parametrize(("after", "count"), [(25, 2), (26, 1)])
def test_the_end_is_looked_for_within_25_samples(after, count):
    change = np.zeros(200)
    change[50:54] = 300
    change[53 + after] = -300
    held = Gaze(np.zeros(200), np.zeros(200), 240.0)
    assert _saccades(change, 204, held) == [(50, 53 + after)][: count - 1]
    change[100:102] = 300  # two samples begin nothing
    assert _saccades(change, 204, held) == [(50, 53 + after)][: count - 1]


def test_the_only_saccade_may_last_to_the_end():
    change = np.zeros(60)
    change[50:54] = 300
    held = Gaze(np.zeros(60), np.zeros(60), 240.0)
    assert _saccades(change, 204, held) == [(50, 59)]
    change[20:24], change[30] = 300, -300
    assert _saccades(change, 204, held) == [(20, 30)]


def test_slow_drift_is_no_saccade():
    drift = Gaze(np.linspace(100, 150, 480), np.full(480, 100.0), 240.0)  # 25 px/s: below a degree a second
    assert len(acceleration(drift)) == 1
    assert len(velocity(drift)) == 1


def test_acceleration_by_hand():
    # A ramp of 0 5 10 … px: every smoothed step is 5 px after 4 samples, so that speeds are 5 steps · 5 px / (4/240 s)
    # = 1500 px/s, and their change is 0 but around the start, where it is at most 60 · 5 = 300 px/s a sample.
    x = np.concatenate([np.zeros(10), 5.0 * np.arange(1, 21)])
    found = _acceleration(Gaze(x, np.zeros(30), 240.0))
    smooth = np.convolve(np.diff(x, prepend=0), np.full(4, 0.25))[:30]
    expected = np.zeros(30)
    expected[1:25] = [(smooth[k + 5] - smooth[k]) * 60 for k in range(1, 25)]
    assert_allclose(found, expected)
    assert found.max() == pytest.approx(300)
    assert_array_equal(found[:5], 0)


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="expected two columns of the same length"):
        Gaze(np.zeros(3), np.zeros(4), 240.0)
    with pytest.raises(ValueError, match="samples a second"):
        Gaze(np.zeros(3), np.zeros(3), np.nan)
    with pytest.raises(Misuse, match=r"got nan px per degree.*set px_per_deg="):
        velocity(gaze(), px_per_deg=np.nan)
    with pytest.raises(Misuse, match="got the detector 'magic'; expected one of acceleration, velocity, dispersion"):
        detector("magic")
