import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_folders as made
from beholder.attention.gaze.detection import Gaze, dispersion
from beholder.attention.gaze.extraction import dispersion_fixations, geymol_fixations
from beholder.errors import Misuse

POINTS = [(300.0, 250.0), (100.0, 60.0), (500.0, 400.0), (480.0, 120.0)]


def gaze(points=POINTS, hertz=240.0, **settings):
    samples = made.trace(points, **settings)
    samples += np.random.default_rng(0).normal(0, 0.3, samples.shape)
    return Gaze(samples[:, 0], samples[:, 1], hertz)


def plain(gaze, limit, least):
    """I-DT by the letter, sample by sample."""
    found, first = [], 0
    while first + least <= len(gaze):

        def width(after, first=first):
            x, y = gaze.x[first:after], gaze.y[first:after]
            return np.ptp(x) + np.ptp(y)  # NaN compares false

        if not width(first + least) <= limit:
            first += 1
            continue
        after = first + least
        while after < len(gaze) and width(after + 1) <= limit:
            after += 1
        found.append((first, after))
        first = after
    return found


def test_rests_between_jumps_are_found():
    found = dispersion(gaze(), px_per_deg=34)
    assert_allclose(found.points, POINTS, atol=3)
    assert_allclose(found.duration_ms, 250, atol=45)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_published_rule(seed):
    rng = np.random.default_rng(seed)
    steps = rng.normal(0, 3, (400, 2)) + (rng.random((400, 1)) < 0.03) * rng.normal(0, 150, (400, 2))
    walk = np.cumsum(steps, axis=0)
    walk[rng.random(400) < 0.01] = np.nan
    samples = Gaze(walk[:, 0].copy(), walk[:, 1].copy(), 100.0)
    found = dispersion(samples, px_per_deg=20.0, threshold=1.5, shortest_ms=80)
    expected = plain(samples, 30.0, 8)
    # Runs close in time and place are then joined, so that every published run lies within one of ours.
    starts, ends = found.onset_ms / 10, (found.onset_ms + found.duration_ms) / 10
    assert len(expected) >= len(found) > 3
    for first, after in expected:
        assert ((starts <= first + 1e-6) & (after <= ends + 1e-6)).sum() == 1
    assert {round(s) for s in starts} <= {first for first, _ in expected}


@pytest.mark.parametrize("samples", [[], [np.nan] * 40, [np.nan] * 30 + [5.0] * 30])
def test_nothing_or_a_lost_eye(samples):
    values = np.array(samples, float)
    found = dispersion(Gaze(values, values, 240.0))
    assert_array_equal(found.x, values[-1:][np.isfinite(values[-1:])])


def test_thresholds_are_degrees():
    slow = np.linspace(0, 60, 240)
    drift = Gaze(slow, np.zeros(240), 240.0)
    assert len(dispersion(drift, px_per_deg=60.0, threshold=1.01)) == 1
    assert len(dispersion(drift, px_per_deg=10.0, threshold=1.0)) > 3


def test_rests_of_a_model_s_glide():
    glide = np.concatenate([np.full(30, 100.0), np.linspace(100, 400, 20), np.full(40, 400.0)])
    found = dispersion_fixations(np.stack([glide, np.full(90, 50.0)], axis=1), hertz=100.0, px_per_deg=35.0)
    assert_allclose(found.points, [[100, 50], [400, 50]], atol=8)
    assert len(dispersion_fixations(np.cumsum(np.full((60, 2), 40.0), axis=0), hertz=100.0, px_per_deg=35.0)) == 0


def test_the_released_detector():
    x = np.tile([50.0, 51, 52], 14)[:40]
    y = np.r_[np.full(10, 100.0), np.full(12, 180.0), np.full(8, 182.0), np.full(10, 300.0)]
    found = geymol_fixations(np.stack([x, y], axis=1), 40.0 * np.arange(40))
    assert_array_equal(found.onset_ms, [40, 440, 1240])
    assert_array_equal(found.duration_ms, [320, 720, 320])
    assert_array_equal(found.points, [[51, 100], [52, 180], [51, 300]])
    assert len(geymol_fixations(np.cumsum(np.full((9, 2), 60.0), axis=0), 40.0 * np.arange(9))) == 0
    assert len(geymol_fixations(np.zeros((0, 2)), np.zeros(0))) == 0


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="threshold=0"):
        dispersion(gaze(), threshold=0)
    with pytest.raises(Misuse, match=r"got nan px per degree.*set px_per_deg="):
        dispersion(gaze(), px_per_deg=np.nan)
