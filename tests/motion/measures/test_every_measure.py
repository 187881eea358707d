"""What holds of every measure of motion."""

import doctest
import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.core.measure import card, result
from beholder.motion.measures.dynamic import bar_dynamics, diamond_dynamics, grating_dynamics
from beholder.motion.measures.facts import barber_facts, diamond_facts
from beholder.motion.measures.static import final_error, final_score
from motion_traces import aimed, gratings, human, monkey, summation, watched

EVERY = [final_score, final_error, diamond_dynamics, bar_dynamics, grating_dynamics, diamond_facts, barber_facts]


@pytest.mark.parametrize("of", EVERY, ids=lambda of: of.__name__)
def test_each_has_a_card_an_example_and_its_bounds(of):
    its = card(of)
    assert its.bounds[0] < its.bounds[1]
    assert its.per == "sample" or its.resampling
    assert doctest.DocTestParser().get_examples(inspect.getdoc(of))
    assert of in (final_score, final_error) or its.per in ("direction", "dataset")


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 9999))
def test_whatever_is_answered_stays_in_the_bounds_and_keeps_when_shuffled(seed):
    rng = np.random.default_rng(seed)
    percepts = [p for made in (human(), monkey(), gratings(summation), watched()) for p in made[1]]
    traces = [aimed(np.cumsum(rng.normal(0, rng.uniform(0, 20), 45)), speed=rng.uniform(0, 9, 45)) for _ in percepts]
    order = rng.permutation(len(percepts))
    for of in EVERY[3:]:
        found = of(traces, percepts)
        again = of([traces[n] for n in order], [percepts[n] for n in order])
        assert 0 <= found.value <= 1
        assert again.value == pytest.approx(found.value)
    for of in EVERY[:2]:
        value = result(of(traces[0], percepts[0])).value
        assert np.isnan(value) or card(of).bounds[0] <= value <= card(of).bounds[1]
