"""The measures beyond the classical classes against SciPy and closed forms, and what breaks each of their checks."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import isotonic_regression
from scipy.special import ndtr
from scipy.stats import mannwhitneyu

import motion_beyond as scenes
from beholder.core.measure import NotApplicable, card
from beholder.motion.measures.coherence import _growing, coherence_score, threshold
from beholder.motion.measures.contrast import contrast_facts
from beholder.motion.measures.detection import detectability, detection_facts
from beholder.motion.measures.plaids import plaid_facts
from beholder.motion.types import Trace


@pytest.mark.parametrize("seed", range(20))
def test_shares_are_made_to_grow_as_scipy_does(seed):
    values = np.random.default_rng(seed).random(9).round(1)
    assert _growing(values) == pytest.approx(isotonic_regression(values).x)


def test_the_threshold_is_the_mean_of_the_psychometric_function():
    """∫ x p′(x) dx of the line through the shares, by parts and by quadrature."""
    x, shares = np.array([-2.0, -1.0, 0.0, 1.0]), np.array([0.5, 0.6, 0.9, 1.0])
    low, high = -3.0, 2.0
    levels, known = [low, *x, high], [0, *(2 * shares - 1), 1]
    area = quad(np.interp, low, high, args=(levels, known), points=list(x), limit=200)[0]
    assert threshold(x, shares) == pytest.approx(high - area)


@pytest.mark.parametrize("middle", [-1.2, -0.8])
def test_a_logistic_observer_has_the_threshold_that_he_was_given(middle):
    x = np.linspace(-3, 1, 41)
    shares = 0.5 + 0.5 / (1 + np.exp(-(x - middle) / 0.1))
    assert threshold(x, shares) == pytest.approx(middle, abs=1e-3)


def test_d_prime_is_what_the_area_under_the_roc_says_of_normal_responses():
    rng = np.random.default_rng(0)
    signal, noise = rng.normal(1.3, 1, 4000), rng.normal(0, 1, 4000)
    area = mannwhitneyu(signal, noise).statistic / 4000**2
    assert detectability(signal, noise) == pytest.approx(1.3, abs=0.06)
    assert ndtr(detectability(signal, noise) / np.sqrt(2)) == pytest.approx(area, abs=0.01)
    assert detectability(noise, signal) == -detectability(signal, noise)


def test_d_prime_without_any_spread():
    assert detectability(np.ones(3), np.ones(3)) == 0
    assert detectability(np.ones(3), np.zeros(3)) == 10
    assert detectability(np.zeros(3), np.ones(3)) == -10


def percepts(of):
    return [percept for percept, _ in of]


@pytest.mark.parametrize(
    ("measure", "of"),
    [
        (contrast_facts, scenes.contrasts()),
        (plaid_facts, scenes.plaids()),
        (coherence_score, scenes.dots()),
        (detection_facts, scenes.noisy()),
    ],
)
def test_a_blind_observer_passes_nothing_and_a_lawful_one_all(measure, of):
    blind = [Trace(one.seconds, np.full_like(one.velocity, np.nan), 0 * one.strength) for one in scenes.observed(of)]
    assert measure(scenes.observed(of), percepts(of)).value == pytest.approx(1)
    assert measure(blind, percepts(of)).value < 0.01
    with pytest.raises(NotApplicable):
        measure([], [])


def changed(of, which, factor):
    """The lawful observer, with the velocities of some stimuli multiplied."""
    found = scenes.observed(of)
    return [
        replace(one, velocity=one.velocity * factor) if which(percept) else one
        for one, percept in zip(found, percepts(of), strict=True)
    ]


def test_seeing_faint_gratings_as_fast_breaks_that_check_only():
    of = scenes.contrasts()
    found = changed(of, lambda p: p.kind == "grating" and p.conditions["contrast"] < 1, 3.0)
    assert contrast_facts(found, percepts(of)).parts == {"bias": 1, "lasts": 1, "bars": 1, "slower": 0}


def test_mirror_images_break_what_has_a_side():
    of = scenes.plaids()
    found = [replace(one, velocity=one.velocity * [1, -1]) for one in scenes.observed(of)]
    parts = plaid_facts(found, percepts(of)).parts
    assert (parts["early"], parts["balance"], parts["faint"]) == (0, 0, 0)
    assert (parts["type_one"], parts["slower"]) == (1, 1)


def test_plaids_at_full_speed_are_not_slower():
    of = scenes.plaids()
    parts = plaid_facts(changed(of, lambda p: True, 1 / 0.9), percepts(of)).parts
    assert [name for name, value in parts.items() if not value] == ["slower"]


def test_a_threshold_beyond_what_was_shown_is_of_low_confidence():
    of = scenes.dots()
    right = scenes.settled(of)
    found = coherence_score(right, percepts(of))
    assert found.state == "low"
    assert found.parts["threshold"] < 0.05
    assert "lies beyond the coherences 0.05 … 0.4" in found.reason
    wrong = [replace(one, velocity=-one.velocity) for one in right]
    assert coherence_score(wrong, percepts(of)).parts["threshold"] > 0.4


def test_a_person_expects_what_the_gaussian_score_gives_a_person():
    assert card(coherence_score).person == pytest.approx(1 / np.sqrt(3))


def test_films_of_one_size_say_nothing_of_sizes():
    of = [(p, shown) for p, shown in scenes.noisy() if p.conditions["diameter"] == 6]
    with pytest.raises(NotApplicable, match="the stimuli allow none of the checks summation, suppression"):
        detection_facts(scenes.observed(of), percepts(of))
    no_blank = [(p, shown) for p, shown in scenes.noisy() if p.conditions["contrast"]]
    with pytest.raises(NotApplicable, match="fewer than two movies of noise alone"):
        detection_facts(scenes.observed(no_blank), percepts(no_blank))
