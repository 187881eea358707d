"""HuPerFlow: a small folder of its layout, and numbers of the real one computed by other code."""

from functools import cache

import cv2
import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.motion.datasets import huperflow as module
from beholder.motion.datasets.huperflow import SETS, huperflow
from beholder.motion.files.archive import has_frames
from beholder.motion.measures.perceived import correlation_people, epe_people, rci
from beholder.motion.measures.truth import epe_truth
from beholder.motion.perceived import Local, Scene, Unseen, at_probes, local
from beholder.motion.reliability import one_against_rest, split_half
from huperflow_files import PLACES, write_frames, write_table
from motion_people import components, references, truths


def test_huperflow_is_sorted_into_observers_and_trials(tmp_path):
    write_table(tmp_path)
    dataset = huperflow(tmp_path)
    assert dataset.ids == ("KITTI-01-1", "KITTI-01-2")
    sample = dataset.load("KITTI-01-2")
    assert isinstance(sample.stimulus, Unseen)
    assert sample.stimulus.points.tolist() == [[22, 10], [42, 20], [62, 30]]  # x, y
    assert sample.reference.people.shape == (4, 4, PLACES, 2)
    assert sample.reference.people[2, 1, 1].tolist() == [10, 202]  # observer 3, trial 2 of four: trial 10
    assert sample.reference.truth.tolist() == [[1, 2], [2, 2], [3, 2]]
    assert np.isnan(dataset.load("KITTI-01-1").reference.people[0, 0, 0]).all()
    assert sample.tags == {"set": "KITTI", "movie": "KITTI-01-2", "session": "1"}
    assert not has_frames(dataset)


def test_huperflow_shows_the_probed_pair(tmp_path):
    write_table(tmp_path)
    write_frames(tmp_path)
    dataset = huperflow(tmp_path)
    sample = dataset.load("KITTI-01-1")
    assert isinstance(sample.stimulus, Scene)
    assert sample.stimulus.frames[:, 0, 0].tolist() == [100, 110]
    assert sample.tags["set"] == "KITTI, with frames"
    assert isinstance(dataset.load("KITTI-01-2").stimulus, Unseen)
    film = huperflow(tmp_path, whole=True).load("KITTI-01-1").stimulus
    assert len(film.frames) == 15
    assert film.frames[film.at][0, 0] == 100
    assert huperflow(tmp_path, seen=True).ids == ("KITTI-01-1",)
    assert dataset.remarks == ()
    (tmp_path / "img/mov/Mov1_F03.png").unlink()
    partly = "1 movie is without some of the 15 frames, and shown without any: KITTI-01-1 (14 are there)"
    assert huperflow(tmp_path).remarks == (partly,)
    assert dataset.fingerprint != huperflow(tmp_path, whole=True).fingerprint


def test_the_fingerprint_follows_the_answers(tmp_path):
    write_table(tmp_path)
    before = huperflow(tmp_path).fingerprint
    file = tmp_path / module.TABLE
    file.write_text(file.read_text().replace("16,101", "17,101"))
    assert huperflow(tmp_path).fingerprint != before


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"trials": 15}, "got 45 rows of 15 trials; expected 16 for each place"),
        ({"head": "a,b"}, "got the columns a,b; expected Dataset,Session"),
        ({"dataset": 11}, r"got data set 11; expected 1 … 10"),
    ],
)
def test_other_tables_are_refused(tmp_path, settings, says):
    write_table(tmp_path, **settings)
    with pytest.raises(Misuse, match=says):
        huperflow(tmp_path)


def test_frames_that_are_asked_for_must_be_there(tmp_path):
    write_table(tmp_path)
    with pytest.raises(Misuse, match=r"got seen=True, but .* has no frames"):
        huperflow(tmp_path, seen=True)


read = cache(huperflow)


@pytest.fixture
def huper(data):
    return read(data / "huperflow")


@pytest.mark.data
def test_huperflow_is_whole(huper):
    people = np.stack([p.people for p in references(huper)])
    assert people.shape == (240, 4, 4, 10, 2)
    assert np.isnan(people).any(axis=-1).sum() == 33
    assert sum(isinstance(huper.load(id).stimulus, Unseen) for id in huper.ids[:6]) == 4
    first = references(huper)[0]
    assert first.everyone[0] == pytest.approx([-15.73226476, -5.817461039])
    assert np.std(first.people[..., 0, 0], ddof=1) == pytest.approx(2.392893244)


@pytest.mark.data
def test_huperflow_people_and_truth(huper):
    probes = references(huper)
    seen = correlation_people(truths(probes), probes)
    assert epe_people(truths(probes), probes).value == pytest.approx(6.963, abs=5e-4)
    assert seen.value == pytest.approx(0.6605, abs=5e-5)
    assert (seen.parts["u"], seen.parts["v"]) == pytest.approx((0.7214, 0.5524), abs=5e-5)
    errors = np.concatenate([np.hypot(*(p.everyone - p.truth).T) for p in probes])
    assert np.median(errors) == pytest.approx(5.66, abs=5e-3)
    assert np.mean([np.hypot(*p.truth.T) for p in probes]) == pytest.approx(10.4, abs=0.06)


TABLE = {  # mean true speed, end-point error of people, r, r of u, r of v, median ratio of speeds
    "KITTI": (10.23, 5.15, 0.846, 0.880, 0.744, 0.94),
    "VKITTI2": (10.33, 5.55, 0.777, 0.795, 0.778, 0.86),
    "Sintel": (11.12, 10.30, 0.280, 0.346, 0.181, 0.51),
    "VIPER": (10.64, 6.48, 0.733, 0.764, 0.643, 0.74),
    "Spring": (8.11, 6.72, 0.509, 0.587, 0.479, 0.79),
    "Monkaa": (11.74, 9.75, 0.440, 0.480, 0.378, 0.56),
    "MHOF": (9.10, 6.76, 0.596, 0.707, 0.367, 0.71),
    "Driving": (9.94, 3.89, 0.907, 0.919, 0.903, 0.91),
    "FlyingThings3D": (13.52, 9.23, 0.715, 0.760, 0.671, 0.53),
    "TartanAir": (9.71, 5.80, 0.798, 0.773, 0.863, 0.64),
}


@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_each_data_set_of_huperflow(huper, name):
    speed, epe, r, u, v, ratio = TABLE[name]
    probes = references(huper, movie=f"{name}-")
    people, truth = components(probes)
    speeds = np.hypot(*people.T), np.hypot(*truth.T)
    assert len(truth) == 240
    assert speeds[1].mean() == pytest.approx(speed, abs=6e-3)
    assert np.median(speeds[0] / speeds[1]) == pytest.approx(ratio, abs=6e-3)
    seen = correlation_people(truths(probes), probes)
    assert epe_people(truths(probes), probes).value == pytest.approx(epe, abs=6e-3)
    assert (seen.value, seen.parts["u"], seen.parts["v"]) == pytest.approx((r, u, v), abs=6e-4)
    slope = np.polyfit(truth.ravel(), people.ravel(), 1)[0]
    assert 0.09 <= round(float(slope), 2) <= 0.95


@pytest.mark.data
def test_huperflow_rci_and_its_trivial_baselines(huper):
    probes = references(huper)
    cases = {
        0.2107: truths(probes, 0.0),
        0.110: truths(probes, 0.7),
        0.4171: [Local(p.everyone) for p in probes],
        0.226: [Local(p.people[0, 0]) for p in probes],
        0.0: truths(probes),
    }
    for value, found in cases.items():
        assert rci(found, probes).value == pytest.approx(value, abs=5e-4)


@pytest.mark.data
def test_huperflow_ceilings(huper):
    probes = references(huper)
    half = split_half(probes, rng=np.random.default_rng(0))
    assert (half.r, half.whole, half.partial, half.whole_partial) == pytest.approx(
        (0.915, 0.956, 0.854, 0.921), abs=0.01
    )
    one = one_against_rest(probes)
    assert (one.epe, one.partial) == pytest.approx((5.39, 0.625), abs=5e-3)


@pytest.mark.data
def test_sixteen_trials_are_four_observers(huper):
    """Why successive four are taken as one observer: they share what the others do not."""
    people = np.stack([p.people for p in references(huper)])  # movies, observers, trials, probes, 2
    trials = people.reshape(240, 16, 10, 2).transpose(1, 0, 2, 3)
    apart = (trials - np.nanmean(trials, axis=0)).reshape(16, -1)
    r = np.corrcoef(apart[:, np.isfinite(apart).all(axis=0)])
    same = np.kron(np.eye(4), np.ones((4, 4))) - np.eye(16)
    within, between = r[same > 0], r[(same + np.eye(16)) == 0]
    assert (within.min(), within.max()) == pytest.approx((0.41, 0.68), abs=0.01)
    assert (between.min(), between.max()) == pytest.approx((-0.29, -0.11), abs=0.01)
    halves = split_half(references(huper), rng=np.random.default_rng(0), by="observer")
    assert halves.partial == pytest.approx(0.59, abs=0.02)  # the ceiling of another group of people is lower


@pytest.mark.data
@pytest.mark.parametrize(
    ("movie", "people", "farneback", "dis"),
    [
        (1, 4.14, (3.91, 7.56, 0.944, 0.847), (3.66, 7.26, 0.948, 0.893)),
        (2, 4.17, (3.09, 6.94, 0.870, 0.364), (0.94, 4.69, 0.954, 0.895)),
    ],
)
def test_models_end_to_end(huper, movie, people, farneback, dis):
    sample = huper.load(f"KITTI-01-{movie}")
    first, second = sample.stimulus.frames.astype(np.uint8)
    search = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    fields = {
        farneback: cv2.calcOpticalFlowFarneback(first, second, None, 0.5, 5, 21, 5, 7, 1.5, 0),
        dis: search.calc(first, second, None),
    }
    assert epe_people(truths([sample.reference]), [sample.reference]).value == pytest.approx(people, abs=6e-3)
    for expected, flow in fields.items():
        found = at_probes(local(flow[None], sample.stimulus), sample.stimulus)
        pair = [found], [sample.reference]
        parts = correlation_people(*pair).parts
        numbers = (epe_truth(*pair).value, epe_people(*pair).value, parts["u"], parts["v"])
        assert numbers == pytest.approx(expected, abs=6e-3)
