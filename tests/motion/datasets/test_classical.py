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
each_dataset = pytest.mark.parametrize("make", DATASETS.values(), ids=DATASETS)


@pytest.fixture(scope="module")
def samples():
    return list(drawn_once(classical))


def test_the_small_set_is_small(samples):
    assert len(samples) <= 20
    assert {sample.stimulus.frames.shape for sample in samples} == {(23, 160, 160)}
    assert Counter(sample.tags["class"] for sample in samples) == {"bar": 5, "diamond": 7, "grating": 4, "barber": 4}
    assert {sample.tags["aliased"] for sample in samples} == {"no"}


def test_a_movie_holds_frames_and_clocks_and_nothing_else(samples):
    for sample in samples:
        assert set(vars(sample.stimulus)) == {"frames", "hertz", "px_per_deg", "onset"}
        assert type(sample.stimulus) is Movie
        assert sample.stimulus.frames.min() >= 0


def test_no_two_movies_are_the_same(samples):
    assert len({digest(sample.stimulus) for sample in samples}) == len(samples)


def test_small_diamonds_come_in_mirrored_pairs(samples):
    pairs = {}
    for sample in samples:
        if sample.tags.get("variant") == "type II" and sample.tags["contrast"] == "1":
            pairs.setdefault(sample.tags["set"], {})[sample.tags["turn"]] = sample
    assert list(pairs) == ["diamond right type II contrast=1", "diamond up type II contrast=1"]
    for pair in pairs.values():
        assert pair["ccw"].reference.bias == -pair["cw"].reference.bias == pytest.approx(44.007, abs=1e-3)
    right, up = pairs.values()
    assert_array_equal(right["cw"].stimulus.frames, right["ccw"].stimulus.frames[:, ::-1])
    assert_array_equal(up["ccw"].stimulus.frames, np.rot90(right["ccw"].stimulus.frames, axes=(1, 2)))


def test_what_is_its_own_mirror_image_has_no_turn(samples):
    turns = {sample.tags["set"]: sample.tags["turn"] for sample in samples}
    assert turns["diamond left type I contrast=1"] == "none"
    assert turns["bar up upright length=10 tiles=1 speed=16"] == "none"
    assert turns["grating left diameter=5 contrast=1"] == "none"
    assert turns["barber down plain aspect=1 indent=0 masked=0"] == "ccw"  # its percept has no bias, but it has a side


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
    aliased = Counter(tags(shown, draw.sampling)["aliased"] for shown in draw.scenes.values())
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
