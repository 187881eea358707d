"""A dataset of which one file is damaged is read, or refused in a sentence; so is a sample of it."""

import numpy as np
import pytest
import scipy.io
from hypothesis import given
from hypothesis import strategies as st

import flow_folders
import huperflow_files
import stereo_folders
from beholder.errors import Misuse
from beholder.motion.datasets import perceived_flow_temporal, second_order, sintel_slow
from beholder.registry.load import dataset
from damage import damaged, examples, within
from test_every_dataset import FOLDERS

pytestmark = pytest.mark.fuzz


def numbers(*shape):
    return np.random.default_rng(0).normal(size=shape)


def temporal_folder(root):
    for name, shape in perceived_flow_temporal.SHAPES.items():
        scipy.io.savemat(root / f"Temporal_{name}.mat", {f"Temporal_{name}": numbers(*shape)}, do_compression=True)
    return root


def slow_folder(root):
    shape = (2, sintel_slow.PLACES, len(sintel_slow.MOVIES))
    for name in ("HumanResp", "SintelGT"):
        scipy.io.savemat(root / f"{name}.mat", {name: numbers(*shape)})
    return root


def second_order_folder(root):
    x = next(iter(second_order.MODELS.values()))
    people = [root / second_order.DATA / f"participant{who}" / "data.csv" for who in second_order.OBSERVERS]
    for columns, files in ((8, second_order._pair(root, x)), (16, people)):
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            np.savetxt(file, numbers(second_order.SCENES, columns), "%.2f", ",", header="x", comments="")
    return root


# Layouts besides the one that FOLDERS has, and datasets of which the tests have real data.
FURTHER = {
    "stereo.datasets/middlebury, 2014": stereo_folders.middlebury_2014_folder,
    "stereo.datasets/middlebury, v2": stereo_folders.middlebury_v2_folder,
    "stereo.datasets/middlebury, tsukuba": stereo_folders.tsukuba_folder,
    "stereo.datasets/pairs(scale=4), by name": stereo_folders.lab_by_name,
    "stereo.datasets/pairs, by scene": stereo_folders.lab_by_scene,
    "motion.datasets/huperflow": huperflow_files.huperflow_folder,
    "motion.datasets/second_order": second_order_folder,
    "motion.datasets/sintel_slow": slow_folder,
    "motion.datasets/perceived_flow_temporal": temporal_folder,
    **{
        f"motion.datasets/flow, {make.__name__}": make
        for make in (
            flow_folders.kitti_flow,
            flow_folders.sintel_flow,
            flow_folders.spring_flow,
            flow_folders.middlebury_flow,
            flow_folders.lab_sequence,
            flow_folders.lab_probes,
        )
    },
}
EVERY = FOLDERS | FURTHER


def load(place, name, folder):
    """The dataset, and one of its samples, whose faults the runner makes a row."""
    with within(60):
        try:
            made = dataset(place, f"{name}:{folder}")
        except Misuse:
            return
        try:
            made[0]
        except (Misuse, ValueError):
            return


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # of libraries, over what they gave up
@pytest.mark.parametrize("which", sorted(EVERY))
def test_a_dataset_with_a_damaged_file_is_read_or_refused(tmp_path, which):
    place, name = which.partition(",")[0].split("/")
    folder = EVERY[which](tmp_path)
    dataset(place, f"{name}:{folder}")[0]  # as it was made it is fine: else nothing would be tried
    files = {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()}

    @examples(1)
    @given(st.data())
    def holds(data):
        file = data.draw(st.sampled_from(list(files)))
        file.write_bytes(data.draw(damaged(files[file])))
        try:
            load(place, name, folder)
        finally:
            file.write_bytes(files[file])

    holds()
