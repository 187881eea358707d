"""The five blind models: as long as people, at places of their rule, never compared with whom they were taken from."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from beholder.attention.datasets.simulated import simulated
from beholder.attention.gaze.saccades import model_moves, people_moves, reduce_to_moves
from beholder.attention.measures.mannan import mannan
from beholder.attention.measures.string_edit import string_edit
from beholder.attention.paths.blind import (
    MANY,
    PEOPLE,
    Elsewhere,
    Shuffled,
    blind,
    blind_movements,
    not_applicable_to,
    own_path,
    people_elsewhere,
    place_fixations,
    shuffle_people,
    uniform,
)
from beholder.attention.paths.pairs import read_scanpaths
from beholder.attention.types import Lookers, keep_inside, scanpath
from beholder.core.measure import NotApplicable, card

DATASET = simulated(4)
SAMPLE = DATASET.load("coffee")
SHAPE = SAMPLE.reference.shape


@pytest.fixture(scope="module")
def every():
    return {name: model.recall("coffee") for name, model in blind(DATASET).items()}


def test_all_five_are_here(every):
    assert list(every) == ["uniform", "centre_stare", "centre_gaussian", "another_picture", "shuffled_in_time"]
    assert {len(paths) for paths in every.values()} == {MANY}
    for paths in every.values():
        for path in paths:
            assert (path.points >= 0).all()
            assert (path.points < SHAPE[::-1]).all()


@pytest.mark.parametrize("name", ["uniform", "centre_stare", "centre_gaussian", "shuffled_in_time"])
def test_they_are_as_long_as_the_one_whose_length_they_have(every, name):
    people = SAMPLE.reference.paths
    for path in every[name]:
        assert len(path) == len(people[path.by])
        assert path.duration_ms.sum() == pytest.approx(people[path.by].duration_ms.sum())
    used = [path.by for path in every[name]]
    assert {used.count(who) for who in people} == {2, 3}  # ten of four, nobody much oftener


@pytest.mark.parametrize("name", ["uniform", "centre_stare", "centre_gaussian"])
def test_every_fixation_lasts_that_person_s_mean(every, name):
    for path in every[name]:
        assert path.duration_ms == pytest.approx(np.full(len(path), SAMPLE.reference.paths[path.by].duration_ms.mean()))


def test_the_page_says_so():
    text = (Path(__file__).parents[3] / "docs/explanation/scanpath-scores.md").read_text("utf-8")
    assert "three fixate that person's mean duration every time" in text


def test_blind_scanpaths_have_all_their_saccades_whatever_was_left_out_of_people_s():
    path, _ = keep_inside(scanpath([1, 2, 999, 3, 4], [1] * 5, duration_ms=[100.0] * 5), SHAPE)
    shown = replace(SAMPLE, reference=replace(SAMPLE.reference, paths={"a": path}))
    drawn = place_fixations(shown, dataset=DATASET, places=uniform)
    assert all(one.joined.all() and len(one) == 4 for one in drawn)
    assert all(one.joined.all() for one in shuffle_people(shown, dataset=DATASET))


def test_where_they_look(every):
    assert all((path.points == np.array(SHAPE[::-1]) / 2).all() for path in every["centre_stare"])
    size = np.array(SHAPE[::-1])
    gaussian, shapes = blind(DATASET)["centre_gaussian"], {sample.id: sample.reference.shape for sample in DATASET}
    many = np.concatenate([path.points / shapes[id][::-1] for id in DATASET.ids for path in gaussian.recall(id)])
    assert many.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.01)
    assert many.std(axis=0) == pytest.approx([1 / 6, 1 / 6], abs=0.01)
    flat = np.concatenate([path.points / size for path in every["uniform"]])
    assert np.histogram(flat[:, 0], 4, (0, 1))[0].min() > 0.1 * len(flat)


def test_the_shuffled_have_the_same_fixations(every):
    moved = 0
    for path in every["shuffled_in_time"]:
        own = SAMPLE.reference.paths[path.by]
        rows = np.column_stack([path.x, path.y, path.duration_ms])
        wanted = np.column_stack([own.x, own.y, own.duration_ms])
        assert sorted(map(tuple, rows)) == sorted(map(tuple, wanted))
        np.testing.assert_array_equal(path.onset_ms, own.onset_ms)
        moved += not np.array_equal(rows, wanted)
    assert moved >= MANY - 1


def test_another_pictures_people_are_scaled(every):
    found = []
    for id in DATASET.ids:
        other = DATASET.load(id).reference
        scaled = {who: path.points * np.divide(SHAPE[::-1], other.shape[::-1]) for who, path in other.paths.items()}
        path = every["another_picture"][0]
        found += [id] if np.allclose(scaled[path.by][: len(path)], path.points[: len(scaled[path.by])]) else []
    assert len(found) == 1
    assert found != ["coffee"]


def test_they_are_the_same_again_and_differ_between_pictures(every):
    part = blind(DATASET.only(("coffee",)))["another_picture"].recall("coffee")  # a part knows the whole
    np.testing.assert_array_equal(part[0].points, every["another_picture"][0].points)
    again = blind(simulated(4))["uniform"].recall("coffee")
    np.testing.assert_array_equal(again[0].points, every["uniform"][0].points)
    other = blind(DATASET)["uniform"].recall("astronaut")
    assert not np.array_equal(other[0].points[:3], again[0].points[:3])


def test_nobody_meets_himself():
    here = Lookers({"a": scanpath([1, 5], [1, 1]), "b": scanpath([8, 8], [1, 9])}, (10, 10))
    own = own_path(here.only("a"), SAMPLE.stimulus)
    assert own.by == "a"
    assert string_edit(own, here).parts["n"] == 1
    assert string_edit(own, here).value == string_edit(here.paths["a"], here.without("a")).value > 0
    assert string_edit(replace(own, by=""), here).parts["n"] == 2
    with pytest.raises(NotApplicable, match="only the person being scored"):
        string_edit(own, here.only("a"))


def test_movements_leave_out_whose_they_are():
    sample = DATASET.load("coffee")
    path = own_path(sample.reference.only("simulated01"), sample.stimulus)
    observed = model_moves(path, sample.stimulus)
    assert observed.by == "simulated01"
    _, beside = reduce_to_moves().select(observed, sample.reference)
    wanted = people_moves(sample.reference.without("simulated01"))
    np.testing.assert_array_equal(beside.moves.amplitude_px, wanted.moves.amplitude_px)
    _, whole = reduce_to_moves().select(model_moves(replace(path, by=""), sample.stimulus), sample.reference)
    assert len(whole.moves.amplitude_px) == len(beside.moves.amplitude_px) + len(path) - 1


def test_what_is_people_s_own_is_not_blind_there(every):
    places = not_applicable_to(mannan, Shuffled, "not blind")
    assert card(places).name == "mannan"
    reads = card(places).reads
    with pytest.raises(NotApplicable, match="not blind"):
        reads(every["shuffled_in_time"][0], SAMPLE.stimulus)
    assert reads(every["uniform"][0], SAMPLE.stimulus) is read_scanpaths(every["uniform"][0], SAMPLE.stimulus)
    assert all(isinstance(path, Elsewhere) for path in every["another_picture"])


def test_blind_movements_have_no_human_movements():
    found = blind_movements(DATASET)
    assert set(found) == {"uniform", "centre_stare", "centre_gaussian", "shuffled_in_time"}
    assert np.isnan(found["shuffled_in_time"].recall("coffee")[0].duration_ms).all()
    assert len(set(found["uniform"].recall("coffee")[0].duration_ms)) == 1
    assert set(people_elsewhere(DATASET)) == {"another_picture"}


def test_one_picture_has_no_other_and_nobody_no_length():
    alone = replace(DATASET, ids=("coffee",), all_ids=())
    with pytest.raises(NotApplicable, match="no other picture"):
        blind(alone)["another_picture"].recall("coffee")
    empty = DATASET.map(lambda s: replace(s, reference=replace(s.reference, paths={"a": scanpath([], [])})), "empty")
    with pytest.raises(NotApplicable, match="it is unknown how long people look"):
        blind(empty)["uniform"].recall("coffee")


def test_people_answer_one_at_a_time():
    assert PEOPLE.alone
    assert PEOPLE.answer(PEOPLE.only(SAMPLE.reference, "simulated02"), SAMPLE.stimulus).by == "simulated02"
