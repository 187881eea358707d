"""Fixation-locked averages of a signal."""

import numpy as np
import pytest

from beholder.attention.gaze.signals import fixation_locked_average
from beholder.attention.types import Lookers, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

SHAPE = (1, 4)


def lookers():
    one = scanpath([0, 3, 0, 3], [0] * 4, duration_ms=[1, 2, 3, 4], pupil=[1.0, 5.0, 2.0, 7.0])
    other = scanpath([3, 0], [0, 0], duration_ms=[10, 20], pupil=[9.0, np.nan])
    return Lookers({"a": one, "b": other}, SHAPE)


def test_events_in_a_region():
    region = np.array([[False, False, False, True]])
    found = fixation_locked_average(lookers(), "pupil", region=region, lags=1)
    assert found.lag.tolist() == [-1, 0, 1]
    assert found.mean == pytest.approx([1.5, (6 + 9) / 2, 2])  # a: (1, 5, 2) and (2, 7, –); b: (–, 9, NaN)
    assert found.n.tolist() == [1, 2, 1]
    assert found.sem[1] == pytest.approx(np.std([6, 9], ddof=1) / np.sqrt(2))
    assert np.isnan(found.sem[0])


def test_all_fixations_and_durations():
    assert fixation_locked_average(lookers(), "duration_ms", lags=0).mean == pytest.approx([(2.5 + 15) / 2])


def test_a_baseline_is_taken_away_from_each_event():
    region = np.array([[False, False, False, True]])
    found = fixation_locked_average(lookers(), "pupil", region=region, lags=1, baseline=True)
    assert found.mean == pytest.approx([0, 4.5, 1])  # (0, 4, 1) and (0, 5, –)


def test_faults():
    with pytest.raises(Misuse, match=r"got the signal 'gsr'; expected one of duration_ms, pupil"):
        fixation_locked_average(lookers(), "gsr")
    with pytest.raises(ValueError, match="got a region of"):
        fixation_locked_average(lookers(), "pupil", region=np.ones((2, 2), bool))
    with pytest.raises(NotApplicable, match="no fixation here"):
        fixation_locked_average(lookers(), "pupil", region=np.zeros(SHAPE, bool))
    with pytest.raises(Misuse, match="0 or more"):
        fixation_locked_average(lookers(), "pupil", lags=-1)
