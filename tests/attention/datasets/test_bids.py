"""Eye tracking in BIDS: raw gaze through a detector, and what the tracker marked itself: fixations and blinks."""

import gzip
import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attention_folders as made
from beholder.attention.datasets.bids import bids
from beholder.errors import Misuse
from beholder.io import bids as files_of
from beholder.registry.load import dataset as dataset_from

COLUMNS = ["onset", "duration", "trial_type", "blink", "message"]
# Samples are counted from 0 at 1 s, 500 of them a second; the second picture appears with sample 500.
ROWS = [
    "-20\t0.2\tfixation\t0\tn/a",  # began before the first picture
    "100\t0.2\tfixation\t0\tn/a",
    "200\t0.012\tsaccade\t0\tn/a",
    "260\t0.4\tfixation\t0\tn/a",
    "510\t0.3\tfixation\t0\tn/a",
    "n/a\tn/a\tn/a\tn/a\tready",
    "900\tn/a\tn/a\tn/a\tSYNC",
]


def marked(folder, rows=ROWS, person="01", **facts):
    """The folder with what the tracker of one person says."""
    stem = folder / f"sub-{person}" / "beh" / f"sub-{person}_task-look_recording-eye1_physioevents"
    with gzip.open(f"{stem}.tsv.gz", "wt") as file:
        file.write("\n".join(rows) + "\n")
    facts = {"Columns": COLUMNS, "OnsetSource": "timestamp"} | facts
    (stem.parent / f"{stem.name}.json").write_text(json.dumps(facts))
    return folder


@pytest.fixture
def folder(tmp_path):
    made.bids_folder(tmp_path)
    return marked(marked(tmp_path), person="02")


def test_fixations_of_the_tracker(folder):
    dataset = dataset_from("attention.datasets", f"bids(detector=tracker):{folder}")
    assert dataset.name == "bids_tracker"
    assert "are the tracker's own" in dataset.about
    first, second = (sample.reference.paths["01"] for sample in dataset)
    assert_allclose(first.points, [[40, 30], [70, 20]], atol=0.01)  # the mean of its samples, in px of the picture
    assert_allclose(first.onset_ms, [200, 520])
    assert_allclose(first.duration_ms, [200, 400])
    assert_allclose(second.onset_ms, [20])
    assert dataset.fingerprint != bids(marked(folder, ROWS[:3]), detector="tracker").fingerprint


@pytest.mark.parametrize("unit", ["ms", "us"])
def test_other_clocks_and_units(folder, unit):
    before = bids(folder, detector="tracker")[0].reference.paths["01"]
    factor = {"ms": 1e3, "us": 1e6}[unit]
    rows = [[row.split("\t")[0], f"{float(row.split(chr(9))[1]) * factor:g}", *row.split("\t")[2:]] for row in ROWS[:5]]
    marked(folder, ["\t".join(row) for row in rows], OnsetSource="n/a", duration={"Units": unit})
    after = bids(folder, detector="tracker")[0].reference.paths["01"]
    assert_allclose(after.points, before.points)
    assert_allclose(after.duration_ms, before.duration_ms)


def test_onsets_outside_the_samples_go_on_at_their_rate(folder):
    file = folder / "sub-01" / "beh" / "sub-01_task-look_recording-eye1_physio.tsv.gz"
    marked(folder, ["-50\t0.1\tfixation\t0\tn/a", "1100\t0.1\tfixation\t0\tn/a"])
    assert_allclose([mark.start for mark in files_of.read(file, folder).marks], [0.9, 3.2])


@pytest.mark.parametrize("row", ["300\t0.1\tblink\tn/a\tn/a", "300\t0.1\tsaccade\t1\tn/a"])
def test_a_blink_is_no_gaze(folder, row):
    sample = bids(marked(folder, [row]))[0]
    path = sample.reference.paths["01"]
    assert_allclose(path.onset_ms[:2], [0, 508], atol=10)
    assert len(path) == 3  # the second fixation is cut by 100 ms without an eye
    assert len(sample.reference.paths["02"]) == 2
    tracked = marked(folder, [row, "260\t0.4\tfixation\t0\tn/a"])
    assert_allclose(bids(tracked, detector="tracker")[0].reference.paths["01"].points, [[70, 20]], atol=0.01)


@pytest.mark.parametrize(
    ("facts", "rows", "said"),
    [
        ({"OnsetSource": "clock"}, ROWS, "got the OnsetSource clock; expected a column of the samples, or n/a"),
        ({"OnsetSource": "pupil_size"}, ROWS, "got pupil_size that does not grow"),
        ({"duration": {"Units": "frames"}}, ROWS, "got durations in frames; expected one of s, ms"),
        ({}, ["100\t200\tfixation\t0\tn/a"], "got fixations of 200 s; expected seconds; state the Units of duration"),
        ({"Columns": ["start"]}, ["100"], r"got the columns \['start'\] in its JSON; expected onset"),
        ({}, ["100\t0.1"], "line 1: got 2 values; expected 5"),
    ],
)
def test_strange_marks_are_told(folder, facts, rows, said):
    with pytest.raises(ValueError, match=said):
        bids(marked(folder, rows, **facts), detector="tracker")


def test_without_marks_there_is_nothing_of_the_tracker(tmp_path):
    folder = made.bids_folder(tmp_path)
    with pytest.raises(Misuse, match=r"got no fixations in _physioevents\.tsv\.gz beside it; .* or choose a detector"):
        bids(folder, detector="tracker")
    with pytest.raises(Misuse, match="got the detector 'trackers'; expected one of"):
        bids(folder, detector="trackers")
    assert np.isfinite(bids(folder, detector="dispersion")[0].reference.points).all()


def test_bids(tmp_path):
    dataset = dataset_from("attention.datasets", f"bids:{made.bids_folder(tmp_path)}")
    assert (dataset.name, dataset.ids) == ("bids_velocity", ("p1", "p2"))
    assert dataset[0].stimulus.px_per_deg == pytest.approx(1000 * 0.57 * np.tan(np.pi / 180), abs=1e-6)
    for at, sample in enumerate(dataset):
        for who, person in enumerate(("01", "02")):
            path = sample.reference.paths[person]
            assert_allclose(path.points, [[40, 30], [70, 20 + 3 * at + who]], atol=0.6)
            assert_allclose(path.onset_ms, [0, 508], atol=10)
    assert bids(tmp_path, detector="acceleration", task="look").name == "bids_acceleration"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("task-look_events.json", "ScreenSize", "Size", "got no ScreenSize in StimulusPresentation"),
        ("task-look_events.json", '"top"', '"bottom"', "got the ScreenOrigin"),
        (
            "sub-01/beh/sub-01_task-look_recording-eye1_physio.json",
            "SamplingFrequency",
            "Rate",
            "got no SamplingFrequency",
        ),
        ("sub-01/beh/sub-01_task-look_recording-eye1_physio.json", '"pixel"', '"deg"', "got x_coordinate in deg"),
    ],
)
def test_bids_that_lacks_something(tmp_path, file, old, new, said):
    folder = made.bids_folder(tmp_path)
    (folder / file).write_text((folder / file).read_text().replace(old, new))
    with pytest.raises(ValueError, match=said):
        bids(folder)


def test_bids_that_is_none(tmp_path):
    with pytest.raises(Misuse, match=r"without sub-\*_recording-eye1_physio\.tsv\.gz"):
        bids(tmp_path)
    folder = made.bids_folder(tmp_path)
    with pytest.raises(Misuse, match="recording-eye2"):
        bids(folder, eye="eye2")
    for file in (folder / "stimuli").iterdir():
        file.unlink()
    with pytest.raises(Misuse, match="without events whose stim_file is one of 0 pictures"):
        bids(folder)
