from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.errors import Misuse
from beholder.motion.datasets.barber_poles import barber_poles
from beholder.motion.datasets.bars import bars
from beholder.motion.datasets.classical import classical
from beholder.motion.datasets.diamonds import diamonds
from beholder.motion.datasets.gratings import gratings
from beholder.motion.types import Movie
from beholder.registry.load import dataset as dataset_from
from beholder.store.digest import digest
from motion_movies import drawn_once

DATASETS = {"bars": bars, "diamonds": diamonds, "gratings": gratings, "barber_poles": barber_poles}
KINDS = ("bar", "diamond", "grating", "barber")
each_dataset = pytest.mark.parametrize("make", DATASETS.values(), ids=DATASETS)


@pytest.fixture(scope="module")
def samples():
    return list(drawn_once(classical))


def test_the_small_set_is_small(samples):
    assert len(samples) <= 21
    sizes = Counter(sample.stimulus.frames.shape for sample in samples)
    assert sizes == {(23, 160, 160): 20, (23, 192, 192): 1}  # the bar of 20° needs more room than all others
    assert Counter(sample.tags["class"] for sample in samples) == {"bar": 5, "diamond": 7, "grating": 4, "barber": 5}
    assert {sample.tags["aliased"] for sample in samples} == {"no"}


def test_a_movie_holds_frames_and_clocks_and_nothing_else(samples):
    for sample in samples:
        assert set(vars(sample.stimulus)) == {"frames", "hertz", "px_per_deg", "onset"}
        assert type(sample.stimulus) is Movie
        assert sample.stimulus.frames.min() >= 0


def test_no_two_movies_are_the_same(samples):
    assert len({digest(sample.stimulus) for sample in samples}) == len(samples)


def plain_diamonds(samples):
    own = [s for s in samples if s.tags.get("variant") == "type II" and s.tags["contrast"] == "1"]
    return {sample.tags["direction"]: sample for sample in own}


def test_small_diamonds_go_all_four_ways_and_turn_both_ways(samples):
    of = plain_diamonds(samples)
    turns = {way: sample.tags["turn"] for way, sample in of.items()}
    assert turns == {"right": "ccw", "up": "cw", "left": "ccw", "down": "cw"}
    assert of["right"].reference.bias == -of["up"].reference.bias == pytest.approx(44.007, abs=1e-3)
    frames = {way: sample.stimulus.frames for way, sample in of.items()}
    assert_array_equal(frames["left"], np.rot90(frames["right"], 2, axes=(1, 2)))
    assert_array_equal(frames["down"], np.rot90(frames["up"], 2, axes=(1, 2)))
    assert_array_equal(frames["up"], np.rot90(frames["right"][:, ::-1], axes=(1, 2)))  # the mirror image, turned


def test_no_constant_answer_fits_more_than_a_quarter_of_small_diamonds_and_gratings_nor_a_third_of_poles(samples):
    judged = [sample for sample in samples if not sample.reference.control]
    ways = {kind: Counter(s.tags["direction"] for s in judged if s.tags["class"] == kind) for kind in KINDS}
    assert {kind: max(own.values()) / sum(own.values()) for kind, own in ways.items() if kind != "bar"} == {
        "diamond": 0.25, "grating": 0.25, "barber": 1 / 3
    }  # fmt: skip
    assert ways["bar"] == {"up": 4}  # one series, which differs in length alone


def test_the_small_bars_hold_the_one_whose_peak_is_known(samples):
    lengths = [s.reference.conditions["length"] for s in samples if s.tags.get("variant") == "tilted"]
    assert lengths == [5, 10, 20]


def test_the_square_pole_is_a_control(samples):
    controls = {s.tags["aspect"]: s.reference.control for s in samples if s.tags.get("variant") == "plain"}
    assert controls == {"1": "its edges do not mislead", "3": "", "4": "", "6": ""}


def test_what_is_its_own_mirror_image_has_no_turn(samples):
    turns = {sample.tags["set"]: sample.tags["turn"] for sample in samples}
    assert turns["diamond left type I contrast=1"] == "none"
    assert turns["bar up upright length=10 tiles=1 speed=16"] == "none"
    assert turns["grating up diameter=5 contrast=1"] == "none"
    assert turns["barber right plain aspect=1 indent=0 masked=0"] == "ccw"  # its percept has no bias, but it has a side


def test_the_diamonds_of_tlapale_2012_are_all_in_the_full_set():
    full = diamonds(full=True)
    scenes = [shown.scene for shown in full.load.scenes.values()]
    plain = [s for s in scenes if s.tilt and s.fill is None and s.contrast == 1]
    assert {(s.direction, s.turn) for s in plain} == {(d, t) for d in (0, 90, 180, 270) for t in (1, -1)}
    assert len(plain) == 8
    assert full[0].stimulus.frames.shape == (46, 168, 168)
    assert full[0].stimulus.hertz == 100


def test_the_full_sets_hold_the_papers_bars_gratings_and_poles():
    bar = [shown.scene for shown in bars(full=True).load.scenes.values()]
    assert {s.length for s in bar} == {2.5, 5, 10, 20}
    assert {s.tiles for s in bar} == {1, 2, 4}
    assert any((s.length, s.width, s.foreground, s.speed) == (20, 0.5, 92, 16) for s in bar)
    discs = [shown.scene for shown in gratings(full=True).load.scenes.values()]
    assert {s.contrast for s in discs} == {1, 0.7, 0.35, 0.1, 0.05}
    assert {s.diameter for s in discs if s.contrast == 0.05} == {2.5, 5, 10, 15, 20, 30, 40}
    poles = [shown.scene for shown in barber_poles(full=True).load.scenes.values()]
    plain = {(s.breadth, s.direction) for s in poles if not s.indent + s.masked + s.soft}
    assert plain == {(b, o) for b in (12, 4, 2) for o in (0, 45, 90, 135, 180, 225, 270, 315)}


@each_dataset
@pytest.mark.parametrize("profile", ["", "native", "quick", "legacy16"])
@pytest.mark.parametrize("full", [False, True])
def test_every_scene_of_every_profile_can_be_drawn(make, profile, full):
    """The guard is asked, without drawing: none is refused but those that the legacy clock aliases."""
    from beholder.motion.stimuli.suite import tags

    draw = make(full, profile=profile).load
    aliased = Counter(tags(shown, shown.within(draw.sampling))["aliased"] for shown in draw.scenes.values())
    if profile != "legacy16":
        assert aliased["yes"] == 0
    assert make is not gratings or profile != "legacy16" or aliased["no"] == 0


def test_gratings_of_the_legacy_profile_have_the_web_pages_frames_and_say_that_they_alias():
    sample = gratings(full=True, profile="legacy16")[0]
    assert sample.stimulus.frames.shape == (22, 350, 350)
    assert (sample.stimulus.hertz, sample.stimulus.px_per_deg) == (16, 8)
    assert sample.tags["aliased"] == "yes"


@each_dataset
def test_settings_change_the_fingerprint(make):
    prints = [make().fingerprint, make(full=True).fingerprint, make(profile="native").fingerprint]
    assert len(set(prints)) == 3
    assert make().fingerprint == prints[0]


def test_another_seed_is_another_texture():
    one, two, again = (diamonds(seed=seed)[5].stimulus.frames for seed in (0, 1, 0))
    assert not np.array_equal(one, two)
    assert_array_equal(one, again)


def test_a_dataset_is_found_by_its_spec():
    dataset = dataset_from("motion.datasets", "classical(profile=native)")
    assert dataset.name == "classical"
    assert dataset.ids[5] == "diamonds/diamond0"
    assert dataset[5].tags["dataset"] == "diamonds"
    assert dataset[5].stimulus.hertz == 100


def test_an_unknown_profile_is_refused():
    with pytest.raises(Misuse, match="got the profile 'fast'; expected quick, native, legacy16"):
        classical(profile="fast")
