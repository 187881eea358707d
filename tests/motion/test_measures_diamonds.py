"""The course of diamonds, by the seed's fit and by facts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.motion.measures.dynamic import diamond_dynamics
from beholder.motion.measures.facts import diamond_facts
from beholder.motion.measures.static import final_score
from beholder.motion.types import Percept
from motion_traces import NOWHERE, T, aimed, decay, diamond, human, pair


def test_the_mean_person_scores_one():
    found = diamond_dynamics(*pair(decay(40, 0, 0.09)))
    assert found.value == pytest.approx(1, abs=1e-3)
    assert found.parts["alpha"] == pytest.approx(40, rel=1e-3)
    assert found.parts["tau"] == pytest.approx(0.09, rel=1e-3)
    assert (found.state, found.parts["asymmetry"]) == ("ok", pytest.approx(0, abs=1e-6))


def test_a_score_by_hand():
    found = diamond_dynamics(*pair(decay(20, 5, 0.12)))  # one σ off in each of the three
    assert found.value == pytest.approx(np.exp(-1), abs=2e-3)
    assert [found.parts[f"score_{name}"] for name in ("alpha", "beta", "tau")] == pytest.approx(
        [np.exp(-1)] * 3, abs=5e-3
    )


def test_a_flat_zero_error_scores_a_third_as_in_the_seeds_table(tmp_path):
    still = diamond_dynamics(*pair(np.zeros(45)))
    assert still.value == pytest.approx((np.exp(-4) + 1 + 0) / 3)
    assert still.parts["score_tau"] == 0
    assert np.isnan(still.parts["tau"])
    assert still.lo < still.value < still.hi  # nothing of the fit is uncertain, but the mean of two people is
    file = tmp_path / "narrow.toml"
    file.write_text(
        '["diamond.alpha"]\nstimulus = "diamond"\nquantity = "x"\nsource = "me"\nstatus = "verified"\n'
        'value = 40\nspread = 1\nspread_kind = "sd"\n'
    )
    assert diamond_dynamics(*pair(np.zeros(45)), reference=str(file)).value == pytest.approx(1 / 3)


def test_a_flat_error_gets_nothing_for_a_time_constant():
    stuck = diamond_dynamics(*pair(np.full(45, 44.0)))
    assert stuck.value == pytest.approx(np.exp(-4) / 3, abs=1e-6)
    assert "no decay" in stuck.reason


def test_placeholders_are_named_in_the_row():
    for found in (diamond_dynamics(*pair(decay(40, 0, 0.09))), final_score(aimed(0.0), diamond())):
        assert "rests on placeholders: " in found.reason
    named = "diamond.alpha, diamond.beta, diamond.observers, diamond.tau"
    assert named in diamond_dynamics(*pair(decay(40, 0, 0.09))).reason


def test_how_many_people_there_were_is_named_where_the_interval_rests_on_it(tmp_path):
    head = 'stimulus = "diamond"\nquantity = "x"\nsource = "me"\nstatus = "verified"\nspread_kind = "sd"\n'
    values = {"alpha": (40, 20, 4), "beta": (0, 5, 4), "tau": (0.09, 0.03, 0)}
    for last, status, reason in ((0, "placeholder", "rests on placeholders: diamond.observers"), (4, "verified", "")):
        values["tau"] = (0.09, 0.03, last)
        file = tmp_path / f"{last}.toml"
        file.write_text(
            "".join(f'["diamond.{k}"]\n{head}value = {v}\nspread = {s}\nn = {n}\n' for k, (v, s, n) in values.items())
        )
        found = diamond_dynamics(*pair(decay(40, 0, 0.09)), reference=str(file))
        assert (found.status, found.reason) == (status, reason)


def test_a_bias_away_from_the_average_passes_in_the_seeds_mode_only():
    wrong = pair(-decay(40, 0, 0.09))
    assert diamond_dynamics(*wrong).value == pytest.approx(1, abs=1e-3)
    assert diamond_dynamics(*wrong, mode="signed").value < 0.4
    assert diamond_dynamics(*pair(decay(40, 0, 0.09)), mode="signed").value == pytest.approx(1, abs=1e-3)
    with pytest.raises(Misuse, match="expected 'seed' or 'signed'"):
        diamond_dynamics(*wrong, mode="facts")


def test_cw_and_ccw_are_averaged_before_the_fit():
    both = [diamond(turn=1), diamond(turn=-1)]
    found = diamond_dynamics([aimed(decay(60, 0, 0.09)), aimed(-decay(20, 0, 0.09))], both)
    assert found.parts["alpha"] == pytest.approx(40, rel=1e-3)
    assert found.value == pytest.approx(1, abs=1e-3)
    expected = np.mean(decay(60, 0, 0.09) - decay(20, 0, 0.09))
    assert found.parts["asymmetry"] == pytest.approx(expected)


def test_controls_are_left_out_of_the_fit():
    traces, percepts = pair(decay(40, 0, 0.09))
    controls = [diamond(bias=0.0), diamond(textured=1.0), diamond(contrast=0.1), Percept("bar", 0.0, 10.0)]
    found = diamond_dynamics([*traces, *[aimed(90.0)] * 4], [*percepts, *controls])
    assert found.value == pytest.approx(1, abs=1e-3)
    with pytest.raises(NotApplicable, match="type II"):
        diamond_dynamics([aimed(0.0)] * 3, controls[:3])
    with pytest.raises(NotApplicable, match="none of these stimuli is a diamond"):
        diamond_dynamics([aimed(0.0)], controls[3:])


def test_an_interval_of_the_fit_holds_its_value():
    noise = np.random.default_rng(1).normal(0, 3, 45)
    found = diamond_dynamics(*pair(decay(35, 2, 0.08) + noise))
    assert found.lo < found.value <= found.hi
    assert diamond_dynamics(*pair(decay(35, 2, 0.08) + noise)) == found  # no hidden chance


def test_each_parameter_has_an_interval_of_its_own():
    noise = np.random.default_rng(1).normal(0, 3, 45)
    found = diamond_dynamics(*pair(decay(35, 2, 0.08) + noise)).parts
    for name, truth in (("alpha", 35), ("beta", 2), ("tau", 0.08)):
        assert found[f"{name}_lo"] < found[name] < found[f"{name}_hi"]
        assert found[f"{name}_lo"] < truth < found[f"{name}_hi"]
    exact = diamond_dynamics(*pair(decay(35, 2, 0.08))).parts
    assert exact["tau_hi"] - exact["tau_lo"] < 1e-4
    flat = diamond_dynamics(*pair(np.zeros(45))).parts
    assert (flat["alpha_lo"], flat["alpha_hi"]) == (0, 0)
    assert np.isnan([flat["tau_lo"], flat["tau_hi"]]).all()
    nowhere = diamond_dynamics([NOWHERE, NOWHERE], pair(T)[1]).parts
    assert np.isnan([nowhere["alpha_lo"], nowhere["beta_hi"]]).all()


def test_more_directions_make_the_mean_parameters_surer():
    rng = np.random.default_rng(2)
    made = [pair(decay(35, 2, 0.08) + rng.normal(0, 3, 45), way) for way in (0.0, 90.0, 180.0, 270.0)]
    every = [[one for them in made for one in them[side]] for side in (0, 1)]
    alone, together = (diamond_dynamics(*them).parts for them in (made[0], every))
    widths = [of["tau_hi"] - of["tau_lo"] for of in (alone, together)]
    assert widths[1] < 0.75 * widths[0]


def test_a_poor_fit_is_of_low_confidence():
    found = diamond_dynamics(*pair(60 - 100 * T))
    assert found.state == "low"
    assert "poor fit" in found.reason


def test_without_directions_nothing_is_credited():
    found = diamond_dynamics([NOWHERE, NOWHERE], pair(T)[1])
    assert (found.value, found.state, found.status) == (0.0, "low", "placeholder")
    assert found.reason.startswith("no instant after the onset of motion has a direction: nothing can be credited")


def test_unequal_clocks_cannot_be_averaged():
    short = aimed(0.0, seconds=T[:20])
    with pytest.raises(NotApplicable, match="different frame rates"):
        diamond_dynamics([aimed(0.0), short], pair(T)[1])


@settings(deadline=None, max_examples=25)
@given(st.sampled_from([0.0, 90.0, 180.0, 270.0]), st.floats(5, 80), st.floats(0.03, 0.3))
def test_the_direction_of_motion_does_not_matter(direction, alpha, tau):
    course = decay(alpha, 1, tau)
    turned, right = diamond_dynamics(*pair(course, direction)), diamond_dynamics(*pair(course))
    assert turned.value == pytest.approx(right.value, abs=1e-6)


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
