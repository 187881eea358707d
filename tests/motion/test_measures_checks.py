"""Facts on bars, gratings and barber poles: each can be passed, and each can be broken."""

import numpy as np
import pytest

from beholder.motion.measures.dynamic import bar_dynamics, grating_dynamics
from beholder.motion.measures.facts import barber_facts
from beholder.motion.types import Percept, Trace
from beholder.spine.measure import NotApplicable
from motion_traces import NOWHERE, aimed, bar, decay, gratings, monkey, pole, summation, turning, watched


def test_a_monkey_has_all_facts_on_bars_right():
    found = bar_dynamics(*monkey())
    assert found.value == 1
    assert list(found.parts) == ["longer_more", "longer_later", "tiles_less", "evolution", "peak"]
    assert found.parts["peak"] == pytest.approx(30, abs=2)


@pytest.mark.parametrize(
    ("at", "course", "broken"),
    [
        (2, decay(10, 0, 0.09), {"longer_more", "tiles_less"}),
        (2, decay(30, 0, 0.03), {"longer_later"}),
        (3, decay(35, 0, 0.09), {"tiles_less"}),
        (1, -decay(22, 0, 0.06), {"longer_more", "longer_later", "evolution"}),
        (0, np.full(45, 15.0), {"evolution", "longer_later"}),
    ],
)
def test_each_fact_on_bars_can_be_broken(at, course, broken):
    traces, percepts = monkey()
    traces[at] = aimed(course, speed=16)
    assert {name for name, value in bar_dynamics(traces, percepts).parts.items() if value == 0} == broken


def test_static_models_get_nothing_for_bars():
    _, percepts = monkey()
    for course in (0.0, 45.0):
        assert bar_dynamics([aimed(course, speed=16)] * 4, percepts).value == 0
    assert bar_dynamics([NOWHERE] * 4, percepts).value == 0


def test_turns_of_bars_are_told_apart():
    traces, percepts = monkey()
    mirrored = [Trace(t.seconds, t.velocity * (1, -1), t.strength) for t in traces]
    turned = [bar(p.conditions["length"], int(p.conditions["tiles"]), -1) for p in percepts]
    assert bar_dynamics(mirrored, turned).value == 1
    assert bar_dynamics(mirrored, percepts).value == 0


def test_upright_bars_are_controls():
    upright = Percept("bar", 0.0, 16.0, vector_average=0.0, conditions={"length": 10.0, "tiles": 1})
    with pytest.raises(NotApplicable, match="tilted"):
        bar_dynamics([aimed(0.0)], [upright])


# Gratings


def test_an_observer_with_spatial_summation_and_delayed_suppression():
    found = grating_dynamics(*gratings(summation))
    assert found.value == 1
    assert [found.parts[name] for name in ("saturates", "widens", "contrast", "delayed")] == [1.0] * 4
    assert found.parts["size"] == 10
    assert 2 < found.parts["centre"] < 15


@pytest.mark.parametrize(
    ("profile", "right"),
    [
        (lambda d, c, t: 37.0, set()),  # the mean of a flow field: the same at every size
        (lambda d, c, t: d, set()),  # endless summation
        (lambda d, c, t: min(d, 10.0), {"saturates"}),  # the same at all times
        (lambda d, c, t: min(d, 5.0 if t < 0.04 else 10.0), {"saturates", "widens"}),
        (lambda d, c, t: min(d, 20.0 if t < 0.05 else 10.0), {"saturates"}),  # narrows
        (lambda d, c, t: min(d, 5.0 if c < 1 else 10.0), {"saturates"}),  # smaller at low contrast
        (lambda d, c, t: 0.0, set()),
    ],
)
def test_other_profiles(profile, right):
    found = grating_dynamics(*gratings(profile))
    assert {name for name, value in found.parts.items() if value == 1} == right


def test_the_contrast_check_needs_two_contrasts_and_the_rest_three_sizes():
    found = grating_dynamics(*gratings(summation, contrasts=(1.0,)))
    assert np.isnan(found.parts["contrast"])
    assert found.value == 1
    unremembered = grating_dynamics(*gratings(summation), remembered=False)
    assert np.isnan(unremembered.parts["contrast"])
    traces, percepts = gratings(summation)
    with pytest.raises(NotApplicable, match="three diameters"):
        grating_dynamics(traces[:2], percepts[:2])


# Barber poles


def test_an_observer_of_barber_poles():
    found = barber_facts(*watched())
    assert found.parts == {"normal": 1.0, "between": 1.0, "lag": 1.0, "ratio": 1.0, "indent": 1.0}


@pytest.mark.parametrize(
    ("at", "course", "broken"),
    [
        (1, np.full(45, 45.0), {"lag"}),
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


def test_poles_are_mirrored_with_their_turn():
    percepts = [pole(3.0, turn=-1), pole(6.0, turn=-1)]
    found = barber_facts([aimed(-turning(5.0)), aimed(-turning(0.0, tau=0.1))], percepts)
    assert found.value == 1
    assert np.isnan(found.parts["indent"])


def test_each_check_brings_the_status_of_its_own_fact():
    assert bar_dynamics(*monkey()).status == "seed"  # that tiles help is the seed's word
    assert barber_facts(*watched()).status == "verified"
    assert grating_dynamics(*gratings(summation)).status == "memory"  # that low contrast widens is remembered
    assert grating_dynamics(*gratings(summation), remembered=False).status == "verified"
    assert grating_dynamics(*gratings(summation, contrasts=(1.0,))).status == "verified"


def test_a_user_who_knows_better_says_so(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '["grating.low_contrast"]\nstimulus = "grating"\nquantity = "x"\nsource = "me"\nstatus = "verified"\n'
    )
    assert grating_dynamics(*gratings(summation), reference=str(file)).status == "verified"
