"""MIT1003, OSIE and EyeCrowd: one layout, two countings."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.io import loadmat

import attention_folders as made
from beholder.attention.datasets import _nus
from beholder.attention.datasets.eyecrowd import eyecrowd
from beholder.attention.datasets.mit1003 import mit1003
from beholder.attention.datasets.osie import osie
from beholder.errors import Misuse
from beholder.registry.load import dataset as dataset_from


@pytest.mark.parametrize(
    ("name", "offset", "scale"), [("mit1003", 0, 35), ("osie", 0.5, 24), ("eyecrowd", 0.5, np.nan)]
)
def test_values_come_back(tmp_path, name, offset, scale):
    dataset = dataset_from("attention.datasets", f"{name}:{made.nus_folder(tmp_path, offset)}")
    assert (dataset.name, dataset.ids) == (name, ("p1", "p3"))
    for id, at in (("p1", 0), ("p3", 2)):
        sample = dataset.load(id)
        assert_array_equal(sample.stimulus.pixels, made.picture(at))
        assert_array_equal(sample.stimulus.px_per_deg, scale)
        assert list(sample.reference.paths) == ["01", "02"]
        for who, path in enumerate(sample.reference.paths.values()):
            x, y, duration = made.path(at, who)
            assert_allclose(path.x, x, atol=1e-12)
            assert_allclose(path.y, y, atol=1e-12)
            assert_array_equal(path.duration_ms, duration)
            assert_allclose(path.onset_ms, np.cumsum(duration) - duration)
    assert len(dataset.load("p3").reference.paths["02"]) == 0  # an empty trial stays
    assert "1 of them empty" in dataset.about
    assert pickle.loads(pickle.dumps(dataset)).fingerprint == dataset.fingerprint


def test_controls_come_from_pictures_of_known_size(tmp_path):
    folder = made.one_based_nus_folder(tmp_path)
    mit, whole = mit1003(folder)[0].reference.controls, osie(folder)[0].reference.controls
    assert set(mit.picture) == {"p3"}  # nobody knows how large p2 is
    assert set(whole.picture) == {"p2", "p3"}  # all of OSIE are 800 x 600
    x = made.path(1, 0)[0]
    assert_array_equal(whole.points[:4, 0], np.floor(x * 80 / 800))
    assert "1 of them are of unknown size and provide no controls" in mit1003(folder).about
    assert "1 further pictures are not here, but their fixations serve as controls" in osie(folder).about
    part = osie(folder)[:1]
    assert_array_equal(part[0].reference.controls.points, whole.points)


def test_fixations_outside_follow_the_policy(tmp_path):
    folder = made.nus_folder(tmp_path)
    subjects = made.cell({"fix_x": [-1.0, 5, 80, np.nan], "fix_y": [5.0, 5, 5, 5], "fix_duration": [1.0, 2, 3, 4]})
    made.mat(folder / "eye" / "fixations.mat", fixations=made.cell({"img": "p1.png", "subjects": subjects}))
    dropped, clipped = mit1003(folder), mit1003(folder, outside="clip")
    assert_array_equal(dropped[0].reference.paths["01"].x, [5])
    assert_array_equal(dropped[0].reference.paths["01"].onset_ms, [1])  # its time is its own
    assert dropped[0].reference.dropped == 3
    assert "3 fixations outside their picture or without coordinates were dropped" in dropped.about
    assert_allclose(clipped[0].reference.paths["01"].x, [0, 5, 80])
    assert dropped.fingerprint != clipped.fingerprint
    with pytest.raises(Misuse, match=r"mit1003, p1: got fixation 0 at \(-1, 5\).*say outside=drop"):
        mit1003(folder, outside="raise")
    with pytest.raises(Misuse, match="got outside='wrap'; expected drop, clip, raise"):
        mit1003(folder, outside="wrap")


def test_one_picture_and_one_fixation_are_read_as_well(tmp_path):
    made.pictures(tmp_path / "stimuli", names=("p1",))
    subjects = made.cell(
        {"fix_x": 3.0, "fix_y": 4.0, "fix_duration": 200}, {"fix_x": [], "fix_y": [], "fix_duration": []}
    )
    made.mat(tmp_path / "eye" / "fixations.mat", fixations={"img": "p1.png", "subjects": subjects})
    paths = mit1003(tmp_path)[0].reference.paths
    assert_array_equal(paths["01"].points, [[3, 4]])
    assert len(paths["02"]) == 0


def test_the_state_of_the_files_is_in_the_fingerprint(tmp_path):
    folder = made.nus_folder(tmp_path)
    before = mit1003(folder).fingerprint
    assert mit1003(folder, px_per_deg=34).fingerprint != before
    (folder / "stimuli" / "p1.png").write_bytes((folder / "stimuli" / "p1.png").read_bytes() + b" ")
    assert mit1003(folder).fingerprint != before


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (made.cell({"img": "p1.png"}), "got no img and subjects in entry 0"),
        (made.cell({"img": "p1.png", "subjects": made.cell({"a": 1})}), "got a; expected fix_x, fix_y"),
        (
            made.cell({"img": "p1.png", "subjects": made.cell({"fix_x": [1, 2], "fix_y": [1, 2], "fix_duration": 5})}),
            "p1: got 2 values of x and",
        ),
        (made.cell(*[{"img": "p1.png", "subjects": made.cell()}] * 2), "got the picture p1 twice"),
    ],
)
def test_a_strange_file_is_told(tmp_path, entries, said):
    made.pictures(tmp_path / "stimuli")
    made.mat(tmp_path / "eye" / "fixations.mat", fixations=entries)
    with pytest.raises(Misuse, match=said):
        mit1003(tmp_path)


def test_a_wrong_folder_is_told(tmp_path):
    with pytest.raises(Misuse, match=r"neither eye/fixations\.mat nor DATA"):
        mit1003(tmp_path)
    with pytest.raises(Misuse, match="which is not a folder; expected the folder of MIT1003"):
        mit1003(tmp_path / "none")
    with pytest.raises(Misuse, match=r"without eye/fixations\.mat or data"):
        osie(tmp_path)
    folder = made.nus_folder(tmp_path)
    for file in (folder / "stimuli").iterdir():
        file.unlink()
    with pytest.raises(Misuse, match="eye movements on 3 pictures, but without the pictures"):
        eyecrowd(folder)
    with pytest.raises(Misuse, match="holds fixations only; give the folder with MIT's DATA"):
        mit1003(folder, detector="velocity")


def test_a_picture_that_is_none_is_told(tmp_path):
    folder = made.nus_folder(tmp_path)
    (folder / "stimuli" / "p1.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"p1\.png: got no picture that can be read"):
        mit1003(folder)


@pytest.mark.parametrize("name", ["acceleration", "velocity"])
def test_raw_gaze_by_two_detectors(tmp_path, name):
    dataset = dataset_from("attention.datasets", f"mit1003(detector={name}):{made.mit_raw_folder(tmp_path)}")
    assert (dataset.name, dataset.ids) == (f"mit1003_{name}", made.NAMES)
    assert f"by the {name} detector" in dataset.about
    path = dataset.load("p3").reference.paths["bob"]
    assert_allclose(path.points, [[120, 61], [500, 402]], atol=1)  # the first one, in the centre, is dropped
    assert_allclose(path.duration_ms, 250, atol=45)
    kept = mit1003(tmp_path, detector=name, initial=True)
    assert kept.name == f"mit1003_{name}_initial"
    assert_allclose(kept[0].reference.paths["bob"].points[0], [300, 250], atol=1)
    # At −1 the authors' program sees a saccade there and back, which is two more parts of the first fixation for it.
    parts = 2 if name == "acceleration" else 1
    assert_allclose(kept[0].reference.paths["ann"].points[:parts], np.tile([300, 250], (parts, 1)), atol=1)
    assert len(kept[0].reference.paths["ann"]) == parts + 2


def test_raw_gaze_is_the_default_where_nothing_else_is(tmp_path):
    assert mit1003(made.mit_raw_folder(tmp_path)).name == "mit1003_acceleration"
    made.mat(tmp_path / "DATA" / "ann" / "p1.mat", p1={"imgName": "p1"})
    with pytest.raises(Misuse, match=r"p1\.mat: got no DATA\(1\)\.eyeData of n x 2"):
        mit1003(tmp_path)


def test_the_whole_of_mit1003(data):
    folder = data / "mit1003_subset"
    seen, _ = _nus.read_pictures(folder)
    paths = [path for one in seen.values() for path in one.paths.values()]
    x, y = (np.concatenate([getattr(path, side) for path in paths]) for side in "xy")
    lengths = np.array([len(path) for path in paths])
    assert (len(seen), len(x), int((lengths == 0).sum()), lengths.max()) == (1003, 104171, 129, 15)
    assert lengths.mean() == pytest.approx(6.9240, abs=5e-5)
    assert x.mean() == pytest.approx(487.13683496521253, rel=1e-14)
    assert x.std() == pytest.approx(190.0203102093757, rel=1e-14)
    assert y.mean() == pytest.approx(392.72728829760155, rel=1e-14)
    assert y.std() == pytest.approx(159.99210430350124, rel=1e-14)
    scaled = (x - x.mean()) / x.std()
    assert (scaled**3).mean() == pytest.approx(0.2204976032609953)
    assert (scaled**4).mean() - 3 == pytest.approx(-0.39272472247196033)
    duration = np.concatenate([path.duration_ms for path in paths])
    assert (duration.min(), np.median(duration), duration.max()) == (pytest.approx(50), pytest.approx(225), 2800)
    amplitude = np.concatenate([np.hypot(np.diff(path.x), np.diff(path.y)) for path in paths])
    assert (np.median(amplitude), amplitude.mean()) == (pytest.approx(160.2, abs=0.05), pytest.approx(198.2, abs=0.05))


def test_the_41_pictures_of_mit1003(data):
    dataset = mit1003(data / "mit1003_subset")
    assert len(dataset) == 41
    assert "4244 fixations in 615 trials, 3 of them empty; 0 fixations outside" in dataset.about
    assert "962 further pictures are not here; 962 of them are of unknown size" in dataset.about
    sample = dataset[7]
    raw = loadmat(data / "mit1003_subset" / "eye" / "fixations.mat")["fixations"]
    (entry,) = [one[0, 0] for one in raw.ravel() if one[0, 0]["img"][0] == f"{sample.id}.jpg"]
    first = entry["subjects"].ravel()[0][0, 0]
    assert_array_equal(sample.reference.paths["01"].x, first["fix_x"].ravel())
    assert len(sample.reference.paths) == 15
    assert len(sample.reference.controls.points) == 4244 - len(sample.reference.points)


def test_the_whole_of_eyecrowd(data):
    folder = data / "eyecrowd_subset"
    seen, _ = _nus.read_pictures(folder, offset=1.0)
    paths = [path for one in seen.values() for path in one.paths.values()]
    duration = np.concatenate([path.duration_ms for path in paths])
    assert (len(seen), len(paths), len(duration), sum(len(path) == 0 for path in paths)) == (500, 8000, 126348, 3)
    assert (duration.min(), np.median(duration), duration.max()) == (21, 206, 3833)
    amplitude = np.concatenate([np.hypot(np.diff(path.x), np.diff(path.y)) for path in paths])
    assert (np.median(amplitude), amplitude.mean()) == (pytest.approx(126.0, abs=0.05), pytest.approx(167.7, abs=0.05))
    dataset = eyecrowd(folder)
    assert len(dataset) == 50
    assert "0 fixations outside their picture" in dataset.about
    assert len(set(dataset[0].reference.controls.picture)) == 499
