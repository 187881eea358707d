"""video/motion end to end: each toy generator's bad habit costs its own measure; folders of clips, good and bad."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from beholder.cli import app
from beholder.core.benchmark import Lineup
from beholder.core.scores import read, whole
from beholder.evaluation.run import run
from beholder.io import video
from beholder.registry.load import load
from beholder.video.datasets.scenes import scenes
from beholder.video.models.lawful import lawful

HABITS = {  # of a generator → the measure that is meant for it
    "blurring": "motion_smoothness",
    "shaking": "jerk",
    "stuttering": "judder",
    "vanishing": "temporal_coherence",
    "wobbling": "object_integrity",
}


@pytest.fixture(scope="module")
def means():
    """Mean scores of everybody on two scenes: measure → model → value."""
    scores = whole(run(load("video/motion", ids=("scene00", "scene05")), {}, jobs=0))
    return scores[scores["settings"] == ""].groupby(["measure", "model"])["value"].mean()


@pytest.mark.parametrize(("model", "measure"), HABITS.items())
def test_a_bad_habit_costs_its_own_measure_most(means, model, measure):
    lost = {of: means[of]["lawful"] - means[of][model] for of in HABITS.values()}
    assert lost[measure] > 0.1
    assert max(lost, key=lost.get) == measure


def test_faultless_motion_scores_near_the_top(means):
    assert all(means[of]["lawful"] > 0.97 for of in HABITS.values())


def test_a_still_picture_has_no_amplitude_and_commonsense_needs_a_network(means):
    assert means["perceptible_amplitude"]["still"] == 0
    assert means["perceptible_amplitude"]["lawful"] > 0.05
    assert means["commonsense_adherence"].isna().all()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two generators' clips; one of them has an unreadable, an empty and a one-frame file."""
    place = tmp_path_factory.mktemp("clips")
    for name in ("good", "bad"):
        (place / name).mkdir()
        for sample in scenes(2, seconds=1.5):
            video.write(lawful(sample.stimulus).pixels, place / name / f"{sample.id}.mp4", hertz=12)
    whole_file = (place / "good" / "scene00.mp4").read_bytes()
    (place / "bad" / "cut.mp4").write_bytes(whole_file[: len(whole_file) // 2])
    (place / "bad" / "empty.mp4").write_bytes(b"")
    video.write(np.zeros((1, 48, 64, 3), np.uint8), place / "bad" / "one.mp4", hertz=12)
    for name in ("cut", "empty", "one"):
        shutil.copy(place / "good" / "scene00.mp4", place / "good" / f"{name}.mp4")
    return place


@pytest.mark.slow
def test_folders_of_clips_are_compared_by_their_names_and_a_bad_file_costs_its_row(folders, tmp_path):
    models = [f"--model={name}=dir:{folders / name}" for name in ("good", "bad")]
    out = tmp_path / "out"
    ran = CliRunner().invoke(app, ["run", "video", *models, f"--out={out}", "--samples=0", "--jobs=1", "-v"])
    assert ran.exit_code == 1, ran.output  # a model failed, by name and with the sample
    assert "video/corruptions is skipped" in ran.output
    scores = whole(read(out / "scores.csv"))
    states = scores[scores["measure"] == "motion_smoothness"].set_index(["model", "unit"])
    assert (states.loc["good", "state"] == "ok").all()
    said = states.loc["bad", "state"].to_dict()
    assert said == {"scene00": "ok", "scene01": "ok", "cut": "failed", "empty": "failed", "one": "na"}
    assert "cut.mp4: got an unreadable clip" in states.loc[("bad", "cut"), "reason"]
    again = CliRunner().invoke(app, ["run", "video", *models, f"--out={out}", "--samples=0", "--jobs=1"])
    assert "0 trials" in again.output or "nothing is left" in again.output or "finished" in again.output, again.output


def test_the_released_rules_run_on_the_same_clips():
    bench = load("video/motion", ids=("scene00",), definition="release")
    scores = whole(run(replace(bench, lineup=Lineup()), {"lawful": lawful}, jobs=0))
    own = scores[scores["measure"] == "motion_smoothness_release"]
    assert 0 <= own["value"].item() <= 1
