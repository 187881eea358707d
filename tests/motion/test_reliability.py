"""How reliable people are, against trials whose variances are known."""

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.motion.perceived import Probes
from beholder.motion.reliability import one_against_rest, split_half
from motion_people import crowd, world


def test_halves_foretell_what_all_trials_are_worth():
    """Independent trials, whose variances are known: reliability is signal over signal and noise."""
    _, probes = world(movies=60, noise=3.0)
    half = split_half(probes, rng=np.random.default_rng(0), splits=10)
    assert 0 < half.partial < half.whole_partial < 1
    signal = 0.25 * 9  # variance of what people share beyond the truth
    assert half.partial == pytest.approx(signal / (signal + 9 / 4), abs=0.05)
    assert half.whole_partial == pytest.approx(signal / (signal + 9 / 8), abs=0.05)


@pytest.mark.parametrize("observers", [2, 3, 5])
def test_halves_of_an_odd_number_foretell_what_all_are_worth(observers):
    _, probes = crowd(observers, noise=1.5, movies=1500)
    for by in ("trial", "observer"):
        half = split_half(probes, rng=np.random.default_rng(0), by=by)
        assert half.whole_partial == pytest.approx(1 / (1 + 1.5**2 / observers), abs=0.01)


def test_observers_who_differ_agree_less_than_their_trials():
    rng = np.random.default_rng(3)
    truth = rng.normal(0, 3, (400, 2))
    own = rng.normal(0, 2, (4, 1, 400, 2))
    probes = Probes(truth, truth + own + rng.normal(0, 0.5, (4, 4, 400, 2)), ("1", "2", "3", "4"))
    trials = split_half([probes], rng=np.random.default_rng(0))
    observers = split_half([probes], rng=np.random.default_rng(0), by="observer")
    assert trials.r > observers.r + 0.02
    assert abs(observers.partial) < 0.1 < trials.partial
    assert one_against_rest([probes]).epe < one_against_rest([probes], by="observer").epe + 0.5


def test_reliability_needs_several():
    lonely = Probes(np.zeros((2, 2)), np.ones((1, 1, 2, 2)), ("mean",))
    with pytest.raises(Misuse, match="got one trial; expected two or more"):
        split_half([lonely], rng=np.random.default_rng(0))
    with pytest.raises(Misuse, match="got by='person'; expected 'trial' or 'observer'"):
        one_against_rest([lonely], by="person")
    with pytest.raises(Misuse, match="expected some"):
        one_against_rest([])
