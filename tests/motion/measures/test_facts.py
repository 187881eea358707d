"""Facts on diamonds and barber poles: each can be passed, and each can be broken."""

import numpy as np
import pytest

from beholder.motion.measures.dynamic import diamond_dynamics
from beholder.motion.measures.facts import barber_facts, diamond_facts
from motion_traces import NOWHERE, T, aimed, decay, human, pair, pole, turning, watched

# Facts on diamonds


def test_an_observer_with_all_facts_right():
    found = diamond_facts(*human())
    assert found.value == 1
    assert set(found.parts) == {"start", "end", "falls", "alike", "contrast", "type_one", "textured"}
    assert set(found.parts.values()) == {1.0}


@pytest.mark.parametrize(
    ("at", "instead", "broken"),
    [
        (0, aimed(-decay(40, 0, 0.06)), {"start", "falls", "alike"}),  # the wrong side
        (0, aimed(decay(40, 8, 0.06)), {"end", "alike", "start"}),  # never arrives, and starts beyond 1.1 of the bias
        (0, aimed(np.full(45, 30.0)), {"end", "falls", "alike"}),  # no dynamics
        (4, aimed(6.0), {"type_one"}),
        (5, aimed(-6.0), {"textured"}),
        (6, aimed(decay(43, 0, 0.05)), {"contrast"}),  # further off, but faster
        (6, aimed(decay(25, 0, 0.12)), {"contrast"}),  # slower, but nearer
        (4, NOWHERE, {"type_one"}),
        (0, NOWHERE, {"start", "end", "falls", "alike"}),
    ],
)
def test_each_fact_can_be_broken(at, instead, broken):
    traces, percepts = human()
    traces[at] = instead
    found = diamond_facts(traces, percepts)
    missed = {name for name, value in found.parts.items() if value == 0}
    assert missed >= broken - {"start"}
    assert missed <= broken | {"contrast"}
    assert found.value == pytest.approx(1 - len(missed) / 7)


def test_the_status_is_that_of_the_facts_that_were_asked():
    assert diamond_dynamics(*pair(decay(40, 0, 0.09))).status == "placeholder"
    assert diamond_facts(*human()).status == "seed"


def test_checks_without_their_stimuli_are_left_out():
    found = diamond_facts(*pair(decay(40, 0, 0.06)))
    assert found.value == 1
    assert {name for name, value in found.parts.items() if np.isnan(value)} == {"contrast", "type_one", "textured"}


def test_an_observer_of_barber_poles():
    found = barber_facts(*watched())
    assert found.parts == {"normal": 1.0, "between": 1.0, "lag": 1.0, "ratio": 1.0, "indent": 1.0}


@pytest.mark.parametrize(
    ("at", "course", "broken"),
    [
        (1, np.full(45, 45.0), {"lag", "indent"}),  # without an illusion there is none to abolish
        (2, np.full(45, 45.0), {"lag", "ratio"}),
        (1, np.full(45, -9.0), {"normal", "between", "lag", "ratio"}),
        (1, turning(5.0, lag=0.2), {"lag"}),
        (3, np.full(45, 30.0), {"indent"}),
    ],
)
def test_each_fact_on_poles_can_be_broken(at, course, broken):
    traces, percepts = watched()
    traces[at] = aimed(course)
    missed = {name for name, value in barber_facts(traces, percepts).parts.items() if value == 0}
    assert missed == broken


def test_what_hardly_moves_has_no_direction():
    dead = aimed(np.where(T < 0.015, 45.0, 30.0), speed=1e-6)
    assert barber_facts([dead], [pole(3.0)]).parts["between"] == 0
    assert barber_facts([dead], [pole(3.0)]).value == 0


def test_teeth_are_compared_with_plain_sides_of_the_same_shape():
    plain, toothed = (pole(3.0), aimed(20.0)), (pole(3.0, indent=0.25), aimed(42.1))  # 2.9 of 25 degrees are left
    long = (pole(6.0), aimed(5.0))
    for shown in ([plain, toothed], [plain, long, toothed]):
        percepts, traces = zip(*shown, strict=True)
        assert barber_facts(traces, percepts).parts["indent"] == 0
    percepts, traces = zip(long, toothed, strict=True)
    assert np.isnan(barber_facts(traces, percepts).parts["indent"])


def test_poles_are_mirrored_with_their_turn():
    percepts = [pole(3.0, turn=-1), pole(6.0, turn=-1)]
    found = barber_facts([aimed(-turning(5.0)), aimed(-turning(0.0, tau=0.1))], percepts)
    assert found.value == 1
    assert np.isnan(found.parts["indent"])
