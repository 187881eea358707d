"""Simulated observers: their movies move as they say, and they pool over space."""

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.motion.datasets.simulated_observers import PX_PER_DEG, simulated_observers
from beholder.motion.measures.perceived import partial_correlation
from beholder.motion.models.farneback import farneback
from beholder.motion.perceived import Local, at_probes, local


def test_simulated_movies_move_as_they_say():
    """The true flow is what a model finds, so sign, units and places agree."""
    dataset = simulated_observers()
    errors = []
    for sample in dataset:
        found = at_probes(local(farneback(sample.stimulus), sample.stimulus), sample.stimulus).velocity
        errors.append(np.hypot(*(found - sample.reference.truth).T))
        turned = np.hypot(*(found * (1, -1) - sample.reference.truth).T)
        assert np.median(turned) > np.median(errors[-1])
    assert np.median(errors) < 0.2
    assert dataset.status == "placeholder"
    assert {name for s in dataset for name in s.reference.names} == {f"simulated {n}" for n in (1, 2, 3, 4)}
    assert sample.stimulus.px_per_deg == PX_PER_DEG


def test_simulated_observers_pool_over_space():
    samples = list(simulated_observers())
    probes = [s.reference for s in samples]
    rng = np.random.default_rng(0)
    noisy = [Local(p.truth + rng.normal(0, 0.5, p.truth.shape)) for p in probes]
    people = [Local(p.people[:2].mean(axis=(0, 1))) for p in probes]
    assert partial_correlation(people, probes).value > 0.8
    assert abs(partial_correlation(noisy, probes).value) < 0.2
    assert simulated_observers(seed=1)[0].reference.truth.tolist() != probes[0].truth.tolist()
    with pytest.raises(Misuse, match="got movies=1; expected two or more"):
        simulated_observers(movies=1)
