"""Folders of frames with true flow: the published layouts, and ten ways in which laboratories keep theirs."""

import numpy as np
import pytest

import beholder as bh
import flow_folders as folders
from beholder.errors import Misuse
from beholder.motion.benchmarks.flow import flow as benchmark
from beholder.motion.benchmarks.perceived_flow import perceived_flow
from beholder.motion.datasets.flow import flow
from beholder.motion.frame_pairs import FramePair
from beholder.motion.perceived import Probes, Scene
from beholder.motion.true_flow.naming import is_truth
from beholder.registry.load import dataset
from beholder.vision.warp import warped


def fits(sample):
    """Whether the truth leads from the first frame to the second: the mean difference of grey levels."""
    first, second = sample.stimulus.frames
    away = np.abs(warped(second, sample.reference.flow) - first)
    return float(np.nanmean(away[4:-4, 4:-4])) < 1


@pytest.mark.parametrize(
    ("make", "name", "ids", "matched"),
    [
        (folders.kitti_flow, "kitti_flow_2015", ("000000_10", "000001_10"), 35 / 40),
        (folders.sintel_flow, "sintel_final", ("alley_1/frame_0001", "alley_1/frame_0002"), 35 / 40),
        (folders.spring_flow, "spring", ("0001/0001",), 35 / 40),
        (folders.middlebury_flow, "middlebury_flow", ("RubberWhale",), None),
        (folders.lab_pairs, "flow", ("Cup 01_flow", "cup_02_flow"), None),
        (folders.lab_sequence, "flow", ("seq A/0008", "seq A/0009"), 35 / 40),
    ],
)
def test_a_folder_is_read_by_itself(tmp_path, make, name, ids, matched):
    found = flow(make(tmp_path))
    assert (found.name, found.ids) == (name, ids)
    for sample in found:
        assert isinstance(sample.stimulus, FramePair)
        assert fits(sample)
        if matched is None:
            assert not sample.reference.regions
        else:
            known = sample.reference.regions["matched"][1:]  # the first row is unknown in some of them
            assert known.mean() == pytest.approx(matched)


def test_what_a_layout_tells_besides(tmp_path):
    street = flow(folders.kitti_flow(tmp_path / "k"))[0].reference
    assert street.regions["fg"].mean() == 9 / 40
    assert not street.known[0].any()
    alley = flow(folders.sintel_flow(tmp_path / "s"))[0].reference
    assert not alley.known[:, :2].any()  # invalid
    assert alley.known[:, 2:].all()
    clean = flow(tmp_path / "s", render="clean")
    assert clean.name == "sintel_clean"
    assert (clean[0].stimulus.pictures != flow(tmp_path / "s")[0].stimulus.pictures).any()
    with pytest.raises(Misuse, match=r"got render='albedo'; expected one that .* holds: final, clean"):
        flow(tmp_path / "s", render="albedo")


def test_what_lacks_its_frames_is_a_remark(tmp_path):
    assert flow(folders.lab_pairs(tmp_path)).remarks == (
        "1 true flow is missing a frame, and left out: cup_03_flow.flo",
        "1 file is about flow backwards in time, and left out: cup_02_flow_bw.flo",
    )


def test_a_folder_without_pairs_says_what_names_are_read(tmp_path):
    folders.save(folders.field(1, 1), tmp_path / "a.flo")
    with pytest.raises(Misuse, match=r"1 true flow is missing a frame: a.flo; expected frames with a .flo"):
        flow(tmp_path)
    with pytest.raises(Misuse, match="which is not a folder"):
        flow(tmp_path / "nowhere")


def test_v_that_points_up_is_mended_by_the_setting(tmp_path):
    folders.lab_sequence(tmp_path, v=2)  # the picture goes up, and v counts upwards
    assert not fits(dataset("motion.datasets", f"flow:{tmp_path}")[0])
    assert fits(dataset("motion.datasets", f"flow(v_up=true):{tmp_path}")[0])


def test_other_orders_and_scales_are_mended_by_their_settings(tmp_path):
    for n in (1, 2):
        folders.save(folders.picture((2 * n, n), 1), tmp_path / f"{n}.png")
    np.save(tmp_path / "1.npy", folders.field(1, 2)[..., :] * 100)  # v, u in hundredths of a px
    assert fits(flow(tmp_path, row_first=True, scale=100)[0])
    with pytest.raises(Misuse, match="got scale=0"):
        flow(tmp_path, scale=0)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (np.zeros((12, 20, 2), np.float32), r"got a flow of 20 × 12 px for frames of 40 × 24 px; expected one size"),
        (np.full((24, 40, 2), np.nan), "got no known vector; expected a true flow"),
        (np.full((24, 40, 2), 3e4), r"got vectors of up to 30000 px; expected at most 10000; give scale="),
        (np.zeros((24, 40)), r"got float64 of shape \(24, 40\); expected numbers \(H, W, 2\)"),
    ],
)
def test_a_truth_that_cannot_be_right_is_refused_with_a_sentence(tmp_path, values, said):
    for n in (1, 2):
        folders.save(folders.picture((n, 0), 1), tmp_path / f"{n}.png")
    np.save(tmp_path / "1.npy", values)
    with pytest.raises(ValueError, match=said):
        _ = flow(tmp_path)[0]


def test_frames_of_two_sizes_are_refused(tmp_path):
    folders.lab_pairs(tmp_path)
    folders.save(folders.picture((0, 0))[:10], tmp_path / "cup_02_IMG2.png")
    with pytest.raises(ValueError, match=r"got a frame of 40 × 10 px; expected 40 × 24 px, as cup_02_img1"):
        _ = flow(tmp_path)[1]


def test_a_table_of_probes_is_a_truth_at_these_points(tmp_path):
    found = flow(folders.lab_probes(tmp_path, people=False))
    assert found.ids == ("kitchen", "street")
    sample = found[0]
    assert isinstance(sample.stimulus, Scene)
    assert sample.stimulus.points.tolist() == [[5, 6], [20.5, 8], [30, 12]]
    assert sample.reference.flow.tolist() == [[2, 1]] * 3  # image flow: v down
    scores = bh.run(benchmark(found), {"right": lambda pair: np.array([2.0, 1.0])}, baselines="none", jobs=0)
    assert scores[(scores["model"] == "right") & (scores["measure"] == "epe")]["value"].iloc[0] == 0


def test_a_table_of_what_people_saw_serves_both_benchmarks(tmp_path):
    found = flow(folders.lab_probes(tmp_path))
    probes = found[0].reference
    assert isinstance(probes, Probes)
    assert (found.people, probes.names, probes.people.shape) == ("recorded", ("ann", "bob"), (2, 2, 3, 2))
    assert probes.truth.tolist() == [[2, -1]] * 3  # y up
    assert probes.mean.tolist() == [[2, -0.5]] * 3
    assert perceived_flow(found).dataset.people == "recorded"
    assert benchmark(found).dataset.people == ""  # the truth is compared with, and not what people saw


def test_a_png_of_three_16_bit_channels_is_flow_and_a_picture_is_not(tmp_path):
    folders.kitti_flow(tmp_path)
    assert is_truth(tmp_path / "training" / "flow_occ" / "000000_10.png")
    assert not is_truth(tmp_path / "training" / "image_2" / "000000_10.png")


def test_a_flow_that_is_far_larger_than_its_frames_is_refused_unread(tmp_path):
    root = folders.lab_sequence(tmp_path / "lab")
    truth = next(file for file in sorted(root.rglob("*")) if is_truth(file))
    truth.unlink()
    with truth.with_suffix(".npy").open("wb") as file:  # sparse: it takes no disk
        header = {"descr": "<f8", "fortran_order": False, "shape": (4000, 4000, 2)}
        np.lib.format.write_array_header_1_0(file, header)
        file.truncate(file.tell() + 4000 * 4000 * 2 * 8)
    found = flow(root)
    with pytest.raises(ValueError, match=r"256 MB; expected at most 6. MB"):
        found.reference(found.ids[0])
