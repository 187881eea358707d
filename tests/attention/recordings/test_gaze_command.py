"""`beholder gaze`: the page's example, what is said of losses, and a table that the dataset reads."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from typer.testing import CliRunner

import attention_folders as made
from beholder.attention.datasets.table import table
from beholder.attention.gaze.detection import DETECTORS, Gaze
from beholder.attention.recordings.fixation_table import find_fixations
from beholder.attention.recordings.request import Request
from beholder.cli import app
from beholder.errors import Misuse
from beholder.io import image

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "gaze-to-fixations.md").read_text("utf-8")
POINTS = [(300.0, 250.0), (100.0, 60.0), (500.0, 400.0), (480.0, 120.0)]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(file):
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def told(*words):
    done = CliRunner().invoke(app, ["gaze", *words])
    assert done.exit_code == 0, done.output
    return done.output


def recording(here, name="raw.csv", hertz=500, lose=slice(0), stimulus="p"):
    samples = made.trace(POINTS, each=125, jump=12)
    samples[lose] = 0
    rows = [f"a,{stimulus},{1000 * at / hertz:g},{x:.2f},{y:.2f}" for at, (x, y) in enumerate(samples)]
    (here / name).write_text("\n".join(["observer,stimulus,time_ms,x,y", *rows]) + "\n")
    return samples


def test_the_example_of_the_page(here):
    (script,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (says,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    command = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[1].split()
    subprocess.run([sys.executable, "-c", script], cwd=here, check=True)
    assert told(*command[2:]) == says
    assert (here / "fixations.png").stat().st_size > 10_000


@pytest.mark.parametrize("name", DETECTORS)
def test_the_table_holds_what_the_detector_finds_and_the_dataset_reads_it(here, name):
    samples = recording(here)
    told("raw.csv", "--px-per-deg", "34", "--detector", name, "--out", "found.csv")
    image.write(made.picture(0, (480, 640)), here / "p.png")
    path = table(here / "found.csv", px_per_deg=34).load("p").reference.paths["a"]
    direct = DETECTORS[name](Gaze(samples[:, 0].round(2), samples[:, 1].round(2), 500.0), px_per_deg=34)
    assert_allclose(path.points, direct.points, atol=0.006)
    assert_allclose(path.duration_ms, direct.duration_ms, atol=0.06)
    assert_allclose(path.onset_ms, direct.onset_ms, atol=0.06)


def test_losses_are_told(here):
    recording(here, lose=slice(300, 360))
    said = told("raw.csv", "--px-per-deg", "34")
    assert "Lost: 11.3 % of 533 samples" in said
    assert "1 gap: 1 of 50 to 500 ms (probably blinks), 0 longer" in said
    wider = told("raw.csv", "--px-per-deg", "34", "--around-gaps", "20", "--fresh")
    assert "Lost: 15.0 % of 533 samples" in wider


def test_a_trial_that_is_mostly_lost_is_named_and_can_be_left_out(here):
    recording(here, lose=slice(0, 400))
    recording(here, "other.csv", stimulus="q")
    said = told("raw.csv", "other.csv", "--px-per-deg", "34")
    assert "Mostly lost but still in the table: a on p (75 %)" in said
    less = told("raw.csv", "other.csv", "--px-per-deg", "34", "--least-seen", "0.5", "--fresh")
    assert "Left out: 1 of 2 trials" in less
    assert {row["stimulus"] for row in rows_of(here / "fixations.csv")} == {"q"}


def test_few_samples_a_second_are_warned_of(here):
    recording(here, hertz=60)
    assert "At 60 Hz a saccade lasts one to three samples" in told("raw.csv", "--px-per-deg", "34")
    assert "At 60 Hz" not in told("raw.csv", "--px-per-deg", "34", "--detector", "dispersion", "--out", "b.csv")


def test_a_second_look_and_an_eye_that_was_never_seen(here):
    recording(here)
    recording(here, "again.csv")
    assert "Left out: 1 viewing of a stimulus that the observer had seen before" in told(
        "raw.csv", "again.csv", "--px-per-deg", "34"
    )
    recording(here, lose=slice(None))
    assert "No fixation was found" in told("raw.csv", "--px-per-deg", "34", "--out", "none.csv")
    assert (here / "none.csv").read_text().splitlines()[1] == "p,a,1,,,,"


def test_the_trackers_own(here):
    folder = made.eyelink_folder(here)
    said = told(str(folder), "--detector", "tracker", "--pictures", str(folder / "stimuli"))
    assert "marked by the tracker itself" in said
    rows = rows_of(here / "fixations.csv")
    own = [float(row["x"]) for row in rows if (row["stimulus"], row["observer"]) == ("p1", "bob")]
    assert_allclose(own, made.path(0, 1)[0], atol=0.006)
    recording(here)
    with pytest.raises(Misuse, match="without the tracker's fixations"):
        find_fixations(Request((here / "raw.csv",), "tracker"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "got no px per degree; the velocity detector needs them"),
        (("--detector", "velo"), "did you mean 'velocity'"),
        (("--detector", "velocity(speed=3)", "--px-per-deg", "3"), "speed"),
        (("--screen", "wide"), "expected width x height"),
        (("--column", "x"), "expected WORD=NAME"),
        (("--column", "z=x"), "no column can mean 'z'; there are x, y, time"),
        (("--time-unit", "h"), "expected ms, s, us"),
        (("--px-per-deg", "34", "--least-seen", "2"), "expected a share"),
        (("--px-per-deg", "34", "--out", "raw.csv"), "which exists"),
    ],
)
def test_misuse_is_a_sentence(here, words, sentence):
    recording(here)
    done = CliRunner().invoke(app, ["gaze", "raw.csv", *words])
    assert isinstance(done.exception, Misuse)
    assert sentence in str(done.exception)
    assert not (here / "fixations.csv").exists()


def test_geymol_goes_by_pixels(here):
    recording(here)
    found = find_fixations(Request((here / "raw.csv",), "geymol"))
    assert found.how == "found by geymol (limit=25, least_ms=50)"
    assert np.abs(found.paths[0].points - POINTS).max() < 25
