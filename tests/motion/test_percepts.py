"""Answers that are percepts with durations: what is accepted, what is not applicable, and what is refused."""

import json

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.motion.datasets.line_plaids import line_plaids
from beholder.motion.percepts import Percepts, Watched, percepts, read, show, write
from beholder.motion.types import Flow, Velocity

FILM = Watched(np.zeros((3, 4, 4), np.float32), 50.0, 8.0, watched=60.0)


def test_pairs_are_accepted_and_equal_neighbours_joined():
    found = percepts([("coherent", 3), ("coherent", 2.0), ["transparent", np.float32(4)]], FILM)
    assert found.words == ("coherent", "transparent")
    assert found.seconds.tolist() == [5, 4]
    again = percepts(found, FILM)
    assert again.words == found.words


def test_the_cut_period_is_in_no_mean_but_in_the_share():
    found = percepts([("coherent", 3), ("transparent", 1), ("coherent", 5), ("transparent", 7)], FILM)
    assert found.mean("coherent") == 4
    assert found.mean("transparent") == 1
    assert found.share("coherent") == 0.5
    assert np.isnan(percepts([("coherent", 60)], FILM).mean("coherent"))


@pytest.mark.parametrize(
    "raw",
    [np.zeros((2, 2)), np.zeros((2, 4, 4, 2)), Velocity(np.zeros((2, 2))), Flow(np.zeros((2, 4, 4, 2), np.float32))],
)
def test_velocities_are_not_applicable(raw):
    with pytest.raises(NotApplicable, match="answers with velocities, and has no percepts with durations"):
        percepts(raw, FILM)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ([], "got no percept; expected"),
        ("coherent", "got an answer of str; expected"),
        ({"coherent": 3}, "got an answer of dict; expected"),
        ([("green", 3)], r"got \('green', 3\) among the percepts; expected"),
        ([("coherent", 3, 1)], "among the percepts; expected"),
        ([("coherent", "long")], "got 'long' as a duration; expected seconds"),
        ([("coherent", True)], "got True as a duration; expected seconds"),
        ([("coherent", np.nan)], "got a duration of nan s; expected"),
        ([("coherent", 3), ("transparent", 0)], r"got a duration of 0.0 s; expected"),
        ([("coherent", 50), ("transparent", 20)], "got percepts of 70 s in all; expected at most the 60 s"),
    ],
)
def test_what_is_no_answer_is_refused(raw, says):
    with pytest.raises(ValueError, match=says):
        percepts(raw, FILM)


def test_answers_in_files(tmp_path):
    answer = Percepts(("coherent", "transparent"), np.array([3.25, 56.75]))
    write(answer, tmp_path / "a.json")
    back = percepts(read(tmp_path / "a.json"), FILM)
    assert back.words == answer.words
    assert np.array_equal(back.seconds, answer.seconds)
    (tmp_path / "b.json").write_text("coherent 3")
    with pytest.raises(ValueError, match=r"b.json: got no JSON"):
        read(tmp_path / "b.json")


def test_a_program_is_told_how_long_it_looks(tmp_path):
    show(FILM, tmp_path)
    meta = json.loads((tmp_path / "meta.json").read_text("utf-8"))
    assert meta["watched_seconds"] == 60
    assert "coherent" in meta["answer"]
    assert "angle" not in meta


def test_the_dataset_varies_one_setting_at_a_time():
    dataset = line_plaids()
    pairs = [(sample.tags["angle"], sample.tags["speed"]) for sample in dataset]
    assert pairs[:5] == pairs[5:] == [("100", "3"), ("120", "3"), ("140", "3"), ("120", "1.5"), ("120", "6")]
    assert {sample.stimulus.watched for sample in dataset} == {60.0}
    assert line_plaids(watched=30.0).fingerprint != dataset.fingerprint
    assert len(line_plaids(full=True)) == 20
