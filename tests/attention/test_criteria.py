"""Parts of looking: what is kept, that it is made once, and that the whole group is confined alike."""

import numpy as np
import pytest

from beholder.attention import criteria
from beholder.attention.measures.maps import cc
from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.core.measure import NotApplicable
from beholder.errors import Misuse

SHAPE = (20, 100)
CONTROLS = Controls(np.zeros((3, 2)), np.array(["a", "b", "b"]), np.array([0.0, 999, 1000]), np.array(["p", "p", "q"]))


def lookers(**more):
    near = scanpath([0, 1, 90, 91], [0, 0, 0, 0], onset_ms=[0, 400, 1000, 1600])
    far = scanpath([50, 99], [5, 5], onset_ms=[100, 2999])
    return Lookers({"a": near, "b": far}, SHAPE, 10.0, CONTROLS, **more)


def part(criterion, reference):
    return criterion.select("as it was", reference)


def test_each_part_keeps_its_fixations():
    found = {one.name: part(one, lookers())[1] for one in criteria.PARTS}
    kept = {name: [path.x.tolist() for path in own.paths.values()] for name, own in found.items()}
    assert kept == {
        "focal": [[1, 91], [99]],
        "ambient": [[90], []],
        "first_3": [[0, 1, 90], [50, 99]],
        "0-1000_ms": [[0, 1], [50]],
        "1000-3000_ms": [[90, 91], [99]],
    }


def test_what_was_read_stays():
    assert part(criteria.first(1), lookers())[0] == "as it was"


def test_the_whole_group_is_confined_once_for_all_observers():
    everyone = lookers()
    one, other = (part(criteria.first(1), everyone.only(who))[1] for who in ("a", "b"))
    assert one.paths["a"].x.tolist() == [0]
    assert one.everyone is other.everyone
    assert one.everyone.paths["b"].x.tolist() == [50]
    assert part(criteria.first(1), everyone)[1] is one.everyone
    found = Surface(np.random.default_rng(0).random(SHAPE))
    alone = Lookers({"a": scanpath(0, 0), "b": scanpath(50, 5)}, SHAPE, 10.0)
    assert cc(found, one).value == pytest.approx(cc(found, alone).value)


def test_a_window_has_controls_of_its_own():
    early, late = (part(criteria.window(*ends), lookers().only("a"))[1] for ends in ((0, 1000), (1000, 3000)))
    assert len(early.controls.points) == 2
    assert late.controls.picture.tolist() == ["q"]
    assert "begun at 1000-3000 ms" in late.controls.rule


def test_what_is_not_known_is_not_applicable():
    untimed = Lookers({"a": scanpath([1, 2], [1, 1])}, SHAPE)
    with pytest.raises(NotApplicable, match="onsets"):
        part(criteria.window(0, 1000), untimed)
    with pytest.raises(NotApplicable, match="px per degree"):
        part(criteria.mode("focal"), untimed)


def test_faults():
    with pytest.raises(Misuse, match="expected 1 or more"):
        criteria.first(0)
    with pytest.raises(Misuse, match="a start before its end"):
        criteria.window(1000, 1000)
