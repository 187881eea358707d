"""A response that begins late is scored from where it begins; by when it must have arrived is not forgotten."""

import numpy as np
import pytest

from beholder.motion.courses.bars import half_life, peak
from beholder.motion.courses.gratings import earliest_onset, responses
from beholder.motion.courses.series import Seen
from beholder.motion.figures.overview import summation as drawn_summation
from beholder.motion.measures.contrast import contrast_facts
from beholder.motion.measures.dynamic import bar_dynamics, diamond_dynamics, grating_dynamics
from beholder.motion.measures.facts import barber_facts, diamond_facts
from beholder.motion.types import Trace
from motion_traces import NOWHERE, T, aimed, bar, decay, diamond, gratings, human, monkey, pair, summation, watched


def late(of, by):
    """The same response, that many frames of 10 ms later; there is none before."""
    held = np.full_like(of.velocity, np.nan)
    held[by:] = of.velocity[: len(held) - by]
    return Trace(of.seconds, held, np.where(np.isfinite(held[:, 0]), of.strength, 0))


@pytest.mark.parametrize("by", [0, 1, 5, 10])
def test_facts_on_diamonds_do_not_depend_on_the_latency(by):
    traces, percepts = human()
    found = diamond_facts([late(one, by) for one in traces], percepts)
    assert found.parts == diamond_facts(traces, percepts).parts


def test_a_response_that_leaves_no_time_to_arrive_has_not_arrived():
    traces, percepts = pair(decay(40, 0, 0.06))
    found = diamond_facts([late(one, 20) for one in traces], percepts).parts
    assert (found["start"], found["end"]) == (1, 0)


def test_a_film_too_short_to_arrive_in_leaves_the_check_out():
    seconds = T[:25]
    short = aimed(decay(40, 0, 0.06)[:25], seconds=seconds)
    assert np.isnan(diamond_facts([short], [diamond()]).parts["end"])


def test_the_fit_starts_where_the_response_does():
    traces, percepts = pair(decay(40, 0, 0.06))
    found = diamond_dynamics([late(one, 8) for one in traces], percepts).parts
    assert (found["latency"], found["tau"]) == (pytest.approx(0.08), pytest.approx(0.06, rel=1e-3))


@pytest.mark.parametrize("by", [0, 3, 8])
def test_bars_poles_and_contrasts_do_not_depend_on_the_latency(by):
    traces, percepts = monkey()
    assert bar_dynamics([late(one, by) for one in traces], percepts).value == 1
    traces, percepts = watched()
    assert barber_facts([late(one, by) for one in traces], percepts).parts["normal"] == 1
    faint, strong = late(aimed(decay(43, 0, 0.12)), by), aimed(decay(35, 0, 0.06))
    found = contrast_facts([strong, faint], [diamond(), diamond(contrast=0.1)]).parts
    assert (found["bias"], found["lasts"]) == (1, 1)


@pytest.mark.parametrize("by", [0, 2, 8])
def test_gratings_are_read_in_windows_that_begin_with_the_response(by):
    traces, percepts = gratings(summation)
    found = grating_dynamics([late(one, by) for one in traces], percepts)
    assert found.value == 1
    assert found.parts == pytest.approx(grating_dynamics(traces, percepts).parts, nan_ok=True)


def test_one_onset_serves_all_discs_so_that_a_later_response_is_a_weaker_one():
    traces, percepts = gratings(lambda d, c, t: 10.0, contrasts=(1.0,))
    slow = [late(one, 4 - at) for at, one in enumerate(traces)]
    those = [Seen(*one) for one in zip(slow, percepts, strict=True)]
    assert earliest_onset(those) == 0
    assert responses(those, 0, 0.04)[1] == pytest.approx(10 * 0.04 * np.array([0, 0.25, 0.5, 0.75, 1]))


def test_without_any_response_windows_begin_with_motion():
    those = [Seen(NOWHERE, percept) for percept in gratings(summation)[1]]
    assert earliest_onset(those) == 0
    assert not responses(those, 0, 0.04)[1].any()
    assert grating_dynamics([NOWHERE] * 10, gratings(summation)[1]).value == 0


def test_a_window_beyond_the_film_holds_no_response():
    short = [Trace(one.seconds[:6], one.velocity[:6], one.strength[:6]) for one in gratings(summation)[0]]
    found = grating_dynamics(short, gratings(summation)[1])
    assert (found.parts["widens"], found.parts["delayed"]) == (0, 0)


def test_the_picture_is_read_as_the_measure_is():
    traces, percepts = gratings(summation, contrasts=(1.0,))
    curves = []
    for by in (0, 5):
        those = [Seen(late(trace, by), percept) for trace, percept in zip(traces, percepts, strict=True)]
        curves.append([line.get_ydata() for axes in drawn_summation({"m": those}).axes for line in axes.lines[:1]])
    assert np.allclose(curves[0], curves[1])


def test_half_of_no_peak_is_never_reached_and_half_of_nothing_at_once():
    assert np.isnan(peak(Seen(NOWHERE, bar(10.0))))
    assert np.isnan(half_life(Seen(NOWHERE, bar(10.0))))
    assert half_life(Seen(aimed(1.0, speed=16), bar(10.0))) == 0
    assert np.isnan(half_life(Seen(aimed(30.0, speed=16), bar(10.0))))  # never is not late
    assert half_life(Seen(aimed(decay(30, 0, 0.1), speed=16), bar(10.0))) == pytest.approx(0.07, abs=0.011)  # τ ln 2
