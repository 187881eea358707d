"""What is said of a folder of flow before anything runs."""

import numpy as np
import pytest

import flow_folders as folders
from beholder.motion.datasets.classical import classical
from beholder.motion.datasets.flow import flow
from beholder.motion.datasets.moving_layers import moving_layers
from beholder.motion.overview import overview
from beholder.registry.find import find


def test_counts_sizes_and_ranges(tmp_path):
    found = find("motion", "overview")(flow(folders.kitti_flow(tmp_path)))
    assert found.facts == {
        "pairs": "2",
        "size": "40 × 24 px",
        "colours": "colour",
        "speed": "2 … 2 px, median 2",
        "u, v": "2 … 2, 0 … 0 px (right and down)",
        "by speed": "s0-10 96%, s10-40 0%, s40+ 0%",
        "truth known": "96% of pixels",
        "unmatched": "12% of known pixels",
    }
    assert found.doubts == ()


def test_the_picture_has_frames_flow_and_the_wheel():
    found = overview(moving_layers()[:2])
    assert found.doubts == ()
    figure = found.draw()
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:3] == ["layers1: first frame", "second frame", "true flow; grey: unknown"]
    assert titles[-1] == "direction"
    figure.canvas.draw()


def test_v_that_points_up_is_seen_and_mended(tmp_path):
    folders.lab_sequence(tmp_path, v=2)
    assert overview(flow(tmp_path)).doubts == ("v seems to point up: the frames agree much better so; give v_up=true",)
    assert overview(flow(tmp_path, v_up=True)).doubts == ()


@pytest.mark.parametrize(
    ("change", "settings", "said"),
    [
        (lambda true: 64 * true, {"scale": 64}, "vectors seem to be 64 times too long"),
        (lambda true: true[..., ::-1], {"row_first": True}, "v seems to stand before u: "),
        (lambda true: -true, None, "the flow seems to lead from the second frame to the first"),
    ],
)
def test_other_conventions_are_seen_and_mended(tmp_path, change, settings, said):
    for n in (1, 2):
        folders.save(folders.picture((3 * n, n), 1), tmp_path / f"{n}.png")
    np.save(tmp_path / "1.npy", change(folders.field(3, 1)))
    (doubt,) = overview(flow(tmp_path)).doubts
    assert doubt.startswith(said)
    if settings:
        assert overview(flow(tmp_path, **settings)).doubts == ()


def test_a_truth_of_half_the_size_is_a_doubt(tmp_path):
    folders.lab_pairs(tmp_path)
    folders.save(np.zeros((12, 20, 2), np.float32), tmp_path / "cup_02_flow.flo")
    (doubt,) = overview(flow(tmp_path)).doubts
    assert "got a flow of 20 × 12 px for frames of 40 × 24 px" in doubt


def test_probes_and_movies_without_true_flow(tmp_path):
    found = overview(flow(folders.lab_probes(tmp_path)))
    assert found.facts["truth known"] == "at 6 probes"
    found.draw().canvas.draw()
    assert set(overview(classical()[:2]).facts) == {"movies", "size", "colours"}
