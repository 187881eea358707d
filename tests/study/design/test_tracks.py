import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.study.design.tracks import (
    DRIFT,
    FINE,
    Trace,
    bridged,
    drift,
    from_fixations,
    gap_fault,
    saccade_seconds,
    track,
)


def test_saccades_last_as_the_main_sequence_says():
    trace = from_fixations(np.array([[100.0, 100], [800, 100]]), np.array([0.3, 0.3]), rng=Still(), px_per_deg=35)
    moving = trace.seconds[(trace.points[:, 0] > 100 + 1e-6) & (trace.points[:, 0] < 800 - 1e-6)]
    assert np.ptp(moving) == pytest.approx(0.065, abs=0.005)  # 20 deg: 21 + 44 ms; at its ends it hardly moves
    assert moving[0] == pytest.approx(0.3, abs=2 / FINE)
    speed = np.abs(np.diff(trace.points[:, 0])) * FINE / 35
    assert speed.max() == pytest.approx(
        15 / 8 * 20 / float(saccade_seconds(20.0)), rel=0.02
    )  # peak of a least-jerk movement


def test_with_onsets_fixations_begin_when_they_did():
    onset = np.array([0.1, 0.5, 1.2])
    points = np.array([[0.0, 0], [350, 0], [350, 350]])
    trace = from_fixations(points, np.full(3, 0.2), onset=onset, rng=Still())
    for at, place in zip(onset - 0.1, points, strict=True):
        assert trace.points[round(at * FINE)] == pytest.approx(place, abs=1e-6)
    assert trace.points[round(0.3 * FINE)] == pytest.approx(points[0])  # held until the saccade, not a slow glide
    assert trace.end == pytest.approx(1.3)


def test_the_drift_is_as_large_as_it_is_said_to_be_from_the_first_moment_on():
    rng = np.random.default_rng(1)
    several = np.stack([drift(50, rng) for _ in range(400)])
    assert several[:, 0].std() == pytest.approx(DRIFT, rel=0.1)
    assert several[:, -1].std() == pytest.approx(DRIFT, rel=0.1)


def test_tracks_are_alike_whatever_they_are_made_from():
    fine = Trace(np.arange(0, 2, 0.001), np.full((2000, 2), 50.0))
    coarse = Trace(np.arange(0, 2, 0.04), np.full((50, 2), 50.0))
    one, other = (track(trace, (100, 200), hertz=50, seconds=1.5) for trace in (fine, coarse))
    assert one == pytest.approx(other)
    assert one.shape == (76, 3)
    assert one[-1, 0] == 1.5


def test_what_lies_outside_is_moved_to_the_border():
    out = track(Trace(np.array([0.0, 1]), np.array([[-50.0, 300], [-50, 300]])), (100, 100), hertz=25, seconds=1)
    assert out[:, 1:].tolist() == [[0.0, 1.0]] * 26


@pytest.mark.parametrize("hertz", [24.0, 61.0])
def test_other_rates_are_refused(hertz):
    with pytest.raises(Misuse, match="expected 25 to 60"):
        track(Trace(np.array([0.0, 1]), np.zeros((2, 2))), (9, 9), hertz=hertz, seconds=1)


def test_blinks_are_bridged_and_longer_gaps_refused():
    trace = Trace(np.arange(1000) / 500, np.column_stack([np.arange(1000.0), np.zeros(1000)]))
    blink = trace.points.copy()
    blink[100:200] = np.nan  # 0.2 s
    assert not gap_fault(Trace(trace.seconds, blink))
    assert bridged(Trace(trace.seconds, blink)).points == pytest.approx(trace.points)
    blink[100:301] = np.nan
    assert "longer than a blink" in gap_fault(Trace(trace.seconds, blink))
    often = trace.points.copy()
    often[::3] = np.nan
    assert "33% of the time" in gap_fault(Trace(trace.seconds, often))
    assert "never" in gap_fault(Trace(trace.seconds, np.full((1000, 2), np.nan)))


def test_backwards_is_backwards():
    trace = Trace(np.array([0.0, 0.5, 2.0]), np.array([[1.0, 1], [2, 2], [3, 3]]))
    back = trace.reversed()
    assert back.seconds.tolist() == [0.0, 1.5, 2.0]
    assert back.points[:, 0].tolist() == [3.0, 2.0, 1.0]


class Still:
    """A generator whose eye does not drift."""

    def normal(self, *how):
        return np.zeros(how[-1])
