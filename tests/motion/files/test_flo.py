"""Answers as .flo, which programs in C++ and MATLAB write: a file of one pair, a folder of many, from dir: and cmd:."""

import struct
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import beholder as bh
import toys
from beholder.core.sample import Dataset, Sample
from beholder.core.scores import labels
from beholder.io import flow
from beholder.motion.benchmarks.depth import depth
from beholder.motion.benchmarks.perceived_flow import perceived_flow
from beholder.motion.benchmarks.static import static
from beholder.motion.files.answers import find, read
from beholder.motion.types import Movie, Percept

PAIRS, SIDE = 11, 4


def sample(id):
    frames = np.ones((PAIRS + 1, SIDE, SIDE), np.float32)
    frames[:, 1:3, 1:3] = 2
    return Sample(id, Movie(frames, 50.0, 8.0), Percept("bar", 90.0, 16.0, vector_average=45.0), {})


BENCH = toys.vary(static(Dataset("up", ("bars/a",), sample), models="none"))


def field(at):
    """Up by `at` px: v is down."""
    return np.tile(np.float32([0, -at]), (SIDE, SIDE, 1))


def written(folder, count=PAIRS):
    folder.mkdir(parents=True)
    for at in range(1, count + 1):
        flow.write(field(at), folder / f"flow{at}.flo")
    return folder


def test_a_folder_is_read_in_the_order_of_its_numbers(tmp_path):
    found = read(written(tmp_path / "bar"))
    assert found.shape == (PAIRS, SIDE, SIDE, 2)
    assert_array_equal(found[:, 0, 0, 1], -np.arange(1, PAIRS + 1))  # flow2 before flow10


def test_a_file_is_the_flow_of_one_pair(tmp_path):
    flow.write(field(3), tmp_path / "bar.FLO".lower())
    assert read(tmp_path / "bar.flo").shape == (1, SIDE, SIDE, 2)


def test_fields_of_unlike_size_and_empty_folders_are_refused(tmp_path):
    folder = written(tmp_path / "bar", 2)
    flow.write(np.zeros((2, 3, 2), np.float32), folder / "flow3.flo")
    with pytest.raises(ValueError, match=r"flow3\.flo: got 3 × 2 pixels, but flow1\.flo has 4 × 4"):
        read(folder)
    (tmp_path / "none").mkdir()
    assert find(tmp_path, "none") is find(tmp_path, "nowhere") is None
    with pytest.raises(ValueError, match=r"got a folder without \.flo"):
        read(tmp_path / "none")


def test_more_than_may_be_is_refused_unread(tmp_path):
    with pytest.raises(ValueError, match="expected at most"):
        read(written(tmp_path / "bar"), limit=1000)


def final(rows, model):
    own = rows[(rows["model"] == model) & (labels(rows) == "final_error") & (rows["criterion"] == "bar")]
    return float(own["value"].iloc[0])


def test_a_folder_of_folders_is_a_model(tmp_path):
    written(tmp_path / "outputs" / "bars" / "a")
    rows = bh.run(BENCH, {"mine": bh.model(f"dir:{tmp_path}/outputs", BENCH)}, jobs=0)
    assert final(rows, "mine") == pytest.approx(0)


@pytest.mark.parametrize("place", ["out", "out.with_suffix('')"])
def test_a_program_writes_a_folder_of_flo(tmp_path, place):
    script = tmp_path / "program.py"
    field = struct.pack("<4sii", b"PIEH", SIDE, SIDE) + struct.pack("<ff", 0, -1) * SIDE**2
    script.write_text(
        "import sys, pathlib\nout = pathlib.Path(sys.argv[2])\n"
        f"folder = {place}\nfolder.mkdir()\n"
        f"for at in range({PAIRS}):\n    (folder / f'{{at:04d}}.flo').write_bytes({field!r})\n"
    )
    rows = bh.run(BENCH, {"mine": bh.model(f"cmd:{sys.executable} {script} {{in}} {{out}}", BENCH)}, jobs=0)
    assert final(rows, "mine") == pytest.approx(0)


@pytest.mark.parametrize("make", [static, depth, perceived_flow])
def test_flo_is_taken_wherever_flow_is_asked(make):
    assert ".flo" in make().files.suffixes
