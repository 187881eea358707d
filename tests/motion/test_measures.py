"""Measures of motion: golden numbers of the motion spec (11.8), courses made by hand, and what must not be credited."""

import doctest
import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beholder.motion.measures.dynamic import bar_dynamics, diamond_dynamics, grating_dynamics
from beholder.motion.measures.facts import barber_facts, diamond_facts
from beholder.motion.measures.static import final_error, final_score
from beholder.motion.types import Percept, Trace
from beholder.spine.measure import NotApplicable, card, fix, result
from beholder.spine.misuse import Misuse

T = (np.arange(45) + 0.5) / 100
EVERY = [final_score, final_error, diamond_dynamics, bar_dynamics, grating_dynamics, diamond_facts, barber_facts]


def aimed(degrees, *, speed=10.0, seconds=T):
    """A trace with these directions."""
    angles = np.radians(np.broadcast_to(degrees, seconds.shape))
    speeds = np.broadcast_to(speed, seconds.shape)[:, None]
    return Trace(seconds, speeds * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.ones(len(seconds)))


NOWHERE = Trace(T, np.full((45, 2), np.nan), np.zeros(45))
decay = lambda alpha, beta, tau: alpha * np.exp(-T / tau) + beta  # noqa: E731


def diamond(direction=0.0, turn=1, *, bias=44.0, contrast=1.0, textured=0.0):
    settings = {"turn": turn, "contrast": contrast, "textured": textured}
    return Percept("diamond", direction, 10.0, vector_average=direction + turn * bias, conditions=settings)


def pair(course, direction=0.0):
    """Traces of a ccw and a cw diamond whose error follows a course towards the vector average."""
    both = [diamond(direction, 1), diamond(direction, -1)]
    return [aimed(direction + course), aimed(direction - course)], both


# The final direction


@pytest.mark.parametrize("kind", ["bar", "diamond", "grating", "barber", "plaid"])
@pytest.mark.parametrize(("off", "score"), [(0.0, 1.0), (10.0, np.exp(-1)), (-20.0, np.exp(-4)), (180.0, 0.0)])
def test_the_final_score_is_a_gaussian_of_the_error(kind, off, score):
    found = final_score(aimed(170.0 + off), Percept(kind, 170.0, 10.0))
    assert found.value == pytest.approx(score, abs=1e-9)
    assert found.parts["error"] == pytest.approx(off)


def test_only_the_end_counts():
    course = np.where(T < 0.34, 44.0, 0.0)
    assert final_score(aimed(course), diamond()).value == pytest.approx(1)
    assert final_error(aimed(course[::-1]), diamond()) == pytest.approx(44)


@given(st.floats(-180, 180), st.floats(0, 360))
def test_errors_are_the_shorter_way_round(off, direction):
    found = final_error(aimed(direction + off), Percept("bar", direction, 10.0))
    assert found == pytest.approx(abs(off), abs=1e-6)


def test_what_has_no_direction_has_no_score():
    for trace in (NOWHERE, aimed(0.0, speed=0.0), aimed(0.0, speed=0.099)):  # less than 1 % of 10 deg/s
        found = result(final_score(trace, diamond()))
        assert found.state == "na"
        assert "no direction" in found.reason
        assert result(final_error(trace, diamond())).state == "na"


def test_the_signed_mode_gives_a_mean_error_a_side(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        '["static.diamond"]\nstimulus = "diamond"\nquantity = "x"\nsource = "me"\nstatus = "verified"\n'
        'value = 5\nspread = 2\nspread_kind = "sd"\n'
    )
    towards, away = aimed(-5.0), aimed(5.0)  # of a clockwise figure
    signed = fix(final_score, mode="signed", reference=str(file))
    assert signed(towards, diamond(turn=-1)).value == pytest.approx(1)
    assert signed(away, diamond(turn=-1)).value == pytest.approx(np.exp(-25))
    assert final_score(towards, diamond(turn=-1), reference=str(file)).value == pytest.approx(np.exp(-25))
    assert signed(towards, diamond(turn=-1)).reason == ""
    with pytest.raises(Misuse, match="expected 'seed' or 'signed'"):
        final_score(towards, diamond(), mode="sign")


# The course of diamonds


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
    assert (still.lo, still.hi) == (still.value, still.value)
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
    assert "diamond.alpha, diamond.beta, diamond.tau" in diamond_dynamics(*pair(decay(40, 0, 0.09))).reason


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


def test_a_poor_fit_is_of_low_confidence():
    found = diamond_dynamics(*pair(60 - 100 * T))
    assert found.state == "low"
    assert "poor fit" in found.reason


def test_without_directions_or_with_unequal_clocks_there_is_nothing_to_fit():
    with pytest.raises(NotApplicable, match="no instant"):
        diamond_dynamics([NOWHERE, NOWHERE], pair(T)[1])
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


def human():
    """A bed of diamonds and an observer that has all the facts right."""
    percepts, traces = [], []
    for direction in (0.0, 90.0):
        for found, percept in zip(*pair(decay(40, 0, 0.06), direction), strict=True):
            traces.append(found)
            percepts.append(percept)
    controls = [diamond(bias=0.0), diamond(textured=1.0), diamond(contrast=0.1)]
    return [*traces, aimed(0.0), aimed(2.0), aimed(decay(43, 0, 0.12))], [*percepts, *controls]


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


def test_checks_without_their_stimuli_are_left_out():
    found = diamond_facts(*pair(decay(40, 0, 0.06)))
    assert found.value == 1
    assert {name for name, value in found.parts.items() if np.isnan(value)} == {"contrast", "type_one", "textured"}


# Bars


def bar(length, tiles=1, turn=1):
    its = {"length": length, "tiles": tiles, "turn": turn}
    return Percept("bar", 0.0, 16.0, normal_direction=45.0 * turn, vector_average=45.0 * turn, conditions=its)


def monkey():
    settings = [(2.5, 1, 15, 0.04), (5.0, 1, 22, 0.06), (10.0, 1, 30, 0.09), (10.0, 2, 20, 0.05)]
    percepts = [bar(length, tiles) for length, tiles, _, _ in settings]
    return [aimed(decay(alpha, 0, tau), speed=16) for _, _, alpha, tau in settings], percepts


def test_a_monkey_has_all_facts_on_bars_right():
    found = bar_dynamics(*monkey())
    assert found.value == 1
    assert list(found.parts) == ["longer_more", "longer_later", "tiles_less", "evolution"]


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


DIAMETERS = (2.5, 5.0, 10.0, 20.0, 40.0)


def gratings(profile, *, contrasts=(1.0, 0.1)):
    """Discs and an observer whose speed for (diameter, contrast, seconds) is given."""
    percepts, traces = [], []
    for contrast in contrasts:
        for diameter in DIAMETERS:
            its = {"diameter": diameter, "contrast": contrast}
            percepts.append(Percept("grating", 0.0, 37.0, conditions=its))
            traces.append(aimed(0.0, speed=np.array([profile(diameter, contrast, t) for t in T])))
    return traces, percepts


def summation(diameter, contrast, t):
    """Peaks at a size that grows with time and at low contrast; the surround comes in after 20 ms."""
    best = 10 if contrast == 1 and t < 0.08 else 20
    centre = min(diameter, best) / best
    late = 0.0 if t < 0.02 else 0.2 if t < 0.08 else 0.5
    return 30 * centre * (1 - late * max(0, np.log2(diameter / best) / 3))


def test_an_observer_with_spatial_summation_and_delayed_suppression():
    assert grating_dynamics(*gratings(summation)).parts == {
        "saturates": 1.0,
        "widens": 1.0,
        "contrast": 1.0,
        "delayed": 1.0,
    }


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


def pole(aspect=3.0, indent=0.0, turn=1):
    plain = aspect > 1 and indent < 0.25
    its = {"angle": 45.0, "aspect": aspect, "indent": indent, "turn": turn, "masked": 0.0, "soft": 0.0}
    its["terminators"] = float(np.degrees(np.arctan2(1, aspect)))
    normal = 45.0 * turn
    return Percept("barber", 0.0 if plain else normal, 11.3, normal, normal, 8.0, conditions=its)


def turning(end, *, lag=0.004, tau=0.15):
    return end + (45 - end) * np.exp(-np.maximum(T - lag, 0) / tau)


def watched():
    percepts = [pole(1.0), pole(3.0), pole(6.0), pole(3.0, indent=0.25)]
    return [aimed(45.0), aimed(turning(5.0)), aimed(turning(0.0, tau=0.1)), aimed(44.0)], percepts


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


# Laws


@pytest.mark.parametrize("of", EVERY, ids=lambda of: of.__name__)
def test_each_has_a_card_an_example_and_its_bounds(of):
    its = card(of)
    assert its.bounds[0] < its.bounds[1]
    assert its.per == "sample" or its.resample
    assert doctest.DocTestParser().get_examples(inspect.getdoc(of))
    assert of in (final_score, final_error) or its.per in ("direction", "bed")


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
