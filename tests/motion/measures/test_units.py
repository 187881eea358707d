"""The shift of area MT against the record: times that can be counted, and models that expose an area or do not."""

import numpy as np
import pytest

import toys
from beholder.core.measure import NotApplicable, card
from beholder.core.scores import labels
from beholder.evaluation.run import run
from beholder.motion.benchmarks.dynamic import dynamic
from beholder.motion.datasets.bars import bars
from beholder.motion.measures.units import mt_shift
from beholder.motion.references import record
from beholder.motion.types import Areas, Movie, Percept, Trace, Units
from motion_movies import drawn_once

CLOCK = np.arange(40) / 100
TILTED = Percept("bar", object_direction=90.0, speed=16.0, vector_average=135.0)


def turning(share, percept=TILTED, clock=CLOCK):
    """A trace that has covered these shares of the way from the normal to the motion; NaN: none."""
    angles = np.radians(percept.object_direction + percept.bias * (1 - np.asarray(share)))
    return Trace(clock, 16 * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.ones(len(clock)))


def decay(tau, start=0.0):
    return np.where(start <= CLOCK, 1 - np.exp(-(CLOCK - start) / tau), np.nan)


def test_an_exponential_turn_takes_two_and_a_third_time_constants():
    found = mt_shift([turning(decay(0.05))], [TILTED])
    assert found.parts["most"] == pytest.approx(1000 * 0.05 * np.log(10), abs=0.5)
    assert found.parts["half"] == pytest.approx(1000 * 0.05 * np.log(2), abs=0.5)
    assert found.value == pytest.approx(found.parts["most"] - 60)
    assert found.parts["near"] == 1
    assert found.status == record("bar.mt_shift").worst == "verified"


def test_time_counts_from_the_first_direction():
    late, early = (mt_shift([turning(decay(0.03, start))], [TILTED]) for start in (0.1, 0.0))
    assert late.value == pytest.approx(early.value, abs=0.5)
    assert (late.parts["start"], early.parts["start"]) == (100, 0)


@pytest.mark.parametrize("mirrored", [1, -1])
def test_sides_do_not_matter_and_bars_are_averaged(mirrored):
    other = Percept("bar", object_direction=0.0, speed=10.0, vector_average=mirrored * 30.0)
    shares = np.clip(CLOCK / 0.1, 0, 1), np.clip(CLOCK / 0.05, 0, 1)
    found = mt_shift([turning(shares[0]), turning(shares[1], other)], [TILTED, other])
    # (t/0.1 + 1)/2 = 0.9 at 80 ms, from 50 ms on; before it 1.5 t/0.1 = 0.5 at 33.3 ms
    assert found.parts["most"] == pytest.approx(80)
    assert found.parts["half"] == pytest.approx(33.333, abs=0.01)


def test_what_never_turns_is_a_lower_bound():
    found = mt_shift([turning(np.full(40, 0.2))], [TILTED])
    assert found.state == "low"
    assert "20 %" in found.reason
    assert found.value == pytest.approx(390 - 60)
    assert found.parts["near"] == 0
    assert np.isnan(found.parts["most"])


def test_what_is_there_at_once_is_60_ms_too_early():
    found = mt_shift([turning(np.ones(40))], [TILTED])
    assert (found.value, found.parts["half"], found.parts["near"]) == (60, 0, 0)


def test_where_there_is_nothing_to_measure():
    upright = Percept("bar", object_direction=0.0, speed=16.0, vector_average=0.0)
    for percept, message in ((upright, "tilted"), (Percept("dots", 0.0, 1.0), "none of these stimuli is a bar")):
        with pytest.raises(NotApplicable, match=message):
            mt_shift([turning(np.ones(40))], [percept])
    with pytest.raises(NotApplicable, match="no direction at any time"):
        mt_shift([turning(np.full(40, np.nan))], [TILTED])
    with pytest.raises(NotApplicable, match="frame rates"):
        mt_shift([turning(np.ones(40)), turning(np.ones(40), clock=CLOCK + 0.001)], [TILTED] * 2)


def rotating(movie: Movie) -> Areas:
    """An MT that is first for 135° and 60 ms later for 90°, up; the answer proper does not move at all."""
    late = movie.seconds > 0.06
    units = Units(np.stack([~late, late], axis=1).astype(float), np.array([135.0, 90.0]), np.ones(2))
    return Areas(np.zeros((len(movie.seconds), 2)), {"MT": units})


def plain(movie: Movie) -> np.ndarray:
    return np.ones((len(movie.seconds), 2))


def test_in_a_run_models_without_areas_are_not_applicable_with_a_reason():
    benchmark = toys.vary(dynamic(drawn_once(bars), models="none"), blind=None, oracles=None)
    scores = run(benchmark, {"areas": rotating, "plain": plain}, jobs=0)
    rows = scores[labels(scores) == card(mt_shift).label].set_index("model")
    assert rows.state["areas"] == "ok"
    assert rows.value["areas"] < 20
    assert rows.state["plain"] == "na"
    assert "exposes no areas" in rows.reason["plain"]
