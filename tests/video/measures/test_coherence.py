"""Temporal coherence from evidence that is written by hand."""

from dataclasses import replace

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.errors import Misuse
from beholder.video.evidence import Camera, Coherence, Deformation, Event, Evidence, Facts, Frames, Motion
from beholder.video.measures.coherence import RULES, flagged, temporal_coherence

NONE = np.empty(0)


def evidence(*events, clock="file", assessed=1.0, frames=24, cuts=()):
    """A clip of 24 frames in 2 s."""
    facts = Facts(np.arange(24) / 12, 2.0, clock, (180, 320), (180, 320))
    return Evidence(
        facts,
        Frames(NONE, NONE, NONE, {}),
        Camera(NONE, NONE, NONE, NONE, NONE, NONE, NONE),
        Motion(NONE, NONE, NONE, NONE),
        (),
        Coherence(tuple(events), cuts, assessed, 2.0 * assessed, frames),
        Deformation(NONE, NONE, NONE, NONE, 1.0, ()),
    )


def fault(k, strength=1.0, why="", steps=1):
    return Event("vanish", (k - 1) / 12, (k - 1 + steps) / 12, (0.1, 0.1, 0.3, 0.3), strength, why)


def test_no_event_is_perfect():
    found = temporal_coherence(evidence(), None)
    assert (found.value, found.state) == (1.0, "ok")
    assert found.parts == {"events": 0, "flagged": 0, "assessed": 1, "shot_cuts": 0}


def test_two_full_events_a_second_leave_one_over_e():
    """TCS = exp(−Σq / (2 t)): four events of strength 1 in 2 s."""
    found = temporal_coherence(evidence(*(fault(k) for k in (3, 8, 12, 20))), None)
    assert found.value == pytest.approx(np.exp(-1))
    assert found.parts["events"] == 4
    assert found.parts["flagged"] == pytest.approx(4 / 24)


def test_strength_weighs_and_what_is_excused_costs_nothing():
    found = temporal_coherence(evidence(fault(3, 0.4), fault(9, 1.0, "edge: passes the border"), cuts=(1.5,)), None)
    assert found.value == pytest.approx(np.exp(-0.1))
    assert found.parts == {"events": 1, "flagged": 0, "assessed": 1, "shot_cuts": 1}


def test_the_list_of_exemptions_can_be_extended_and_shortened():
    seen = evidence(fault(3, 0.4), fault(9, 0.8, "edge: passes the border"), fault(15, 0.6, "size: too small"))

    def early(event, found):
        return "nothing is judged in the first half second" if event.start < 0.5 else ""

    total = {
        name: -2 * 2 * np.log(temporal_coherence(seen, None, exemptions=rules).value)
        for name, rules in {
            "ours": RULES,
            "longer": (*RULES, early),
            "shorter": [rule for rule in RULES if rule != "edge"],
            "own": (early,),
        }.items()
    }
    assert total == pytest.approx({"ours": 0.4, "longer": 0, "shorter": 1.2, "own": 1.4})


def test_a_misspelt_exemption_is_refused():
    with pytest.raises(Misuse, match="got the exemption 'egde'; expected one of edge, size, "):
        temporal_coherence(evidence(), None, exemptions=("egde",))


def test_a_fault_marks_the_frames_after_its_start_up_to_its_end():
    """One that lasts four steps of 1/12 s marks four frames of 24; two at the same time mark them once."""
    seen = evidence(fault(5, steps=4), fault(5, steps=4))
    assert flagged(seen.coherence, seen.facts.times) == pytest.approx(4 / 24)


def test_what_was_not_assessed_is_not_counted_as_good_time():
    half = temporal_coherence(evidence(fault(3), assessed=0.5), None)
    assert half.value == pytest.approx(np.exp(-0.5))
    assert (half.state, half.reason) == ("low", "only 50% of the clip could be assessed")


def test_an_assumed_clock_is_doubtful():
    assert temporal_coherence(evidence(clock="assumed"), None).state == "low"
    assert temporal_coherence(evidence(clock="given"), None).state == "ok"


@pytest.mark.parametrize(("settings", "why"), [({"frames": 5}, "only 5 frames"), ({"assessed": 0.4}, "only 40%")])
def test_too_little_to_look_at_is_not_applicable(settings, why):
    with pytest.raises(NotApplicable, match=why):
        temporal_coherence(evidence(**settings), None)


def test_the_rate_of_a_clip_does_not_enter():
    """The same events in the same seconds, of a clip with twice as many frames."""
    slow = evidence(fault(3), fault(9))
    fast = replace(slow, facts=replace(slow.facts, times=np.arange(48) / 24))
    assert temporal_coherence(slow, None) == temporal_coherence(fast, None)
