"""Datasets of perceived flow on small folders of their layouts, and what they say of wrong ones."""

import numpy as np
import pytest
from scipy.io import savemat

from beholder.errors import Misuse
from beholder.io import image
from beholder.motion.datasets import huperflow as module
from beholder.motion.datasets._archive import fitted, recorded, sighted
from beholder.motion.datasets.huperflow import huperflow
from beholder.motion.datasets.perceived_flow_temporal import SHAPES, perceived_flow_temporal
from beholder.motion.datasets.second_order import DATA, second_order
from beholder.motion.datasets.simulated_observers import PX_PER_DEG, simulated_observers
from beholder.motion.datasets.sintel_slow import sintel_slow
from beholder.motion.measures.perceived import partial_correlation
from beholder.motion.models.farneback import farneback
from beholder.motion.perceived import Local, Scene, Unseen, at_probes, local
from beholder.registry.load import dataset as dataset_from

PLACES = 3


def write_table(folder, *, trials=16, head=module.COLUMNS, dataset=1):
    """A table of two movies with three places, in an order of its own; every answer tells where it stands."""
    lines = []
    for movie in (2, 1):
        for place in range(1, PLACES + 1):
            for trial in range(trials, 0, -1):
                spot = f"{10 * place},{20 * place + movie},{place},{movie}"
                answer = "," if (movie, place, trial) == (1, 1, 1) else f"{trial},{100 * movie + place}"
                lines.append(f"{dataset},1,{movie},{place},{trial},{spot},{answer}")
    file = folder / module.TABLE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([head, *lines]) + "\n")


def write_frames(folder):
    place = folder / "img" / "mov"
    place.mkdir(parents=True)
    for frame in range(1, 16):
        image.write(np.full((90, 80, 3), 10 * frame, np.uint8), place / f"Mov1_F{frame:02d}.png")


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
    assert not sighted(dataset)


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


@pytest.mark.parametrize("name", ["huperflow", "second_order", "sintel_slow", "perceived_flow_temporal"])
def test_wrong_folders_are_told_what_is_expected(tmp_path, name):
    with pytest.raises(Misuse, match=rf"got {tmp_path} without .*; expected the folder of"):
        dataset_from("motion.datasets", f"{name}:{tmp_path}")
    with pytest.raises(Misuse, match="which is no folder; expected the folder of"):
        dataset_from("motion.datasets", f"{name}:{tmp_path / 'nowhere'}")
    with pytest.raises(Misuse, match="it needs a path"):
        dataset_from("motion.datasets", name)


def test_frames_that_are_asked_for_must_be_there(tmp_path):
    write_table(tmp_path)
    with pytest.raises(Misuse, match=r"got seen=True, but .* has no frames"):
        huperflow(tmp_path, seen=True)


def write_experiment(folder, *, scenes=40, model=True):
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(scenes, 2))
    for who in (1, 2, 3):
        place = folder / DATA / f"participant{who}"
        place.mkdir(parents=True)
        answers = np.hstack([truth, np.tile(truth, 7) + who])
        np.savetxt(place / "data.csv", answers, delimiter=",", header="x", comments="")
    if model:
        place = folder / DATA / "model" / "dual"
        place.mkdir(parents=True)
        for n, axis in enumerate("xy"):
            rows = np.hstack([np.arange(scenes)[:, None], np.arange(7) + np.full((scenes, 1), 10.0 * n)])
            np.savetxt(place / f"csv_{axis}_final.csv", rows, delimiter=",", header="x", comments="")
    return truth


def test_second_order_is_turned_over(tmp_path):
    truth = write_experiment(tmp_path)
    dataset = second_order(tmp_path)
    sample = dataset.load("Mod3-05")
    assert sample.reference.truth[0] == pytest.approx(truth[4] * (1, -1))
    assert sample.reference.people[:, 0, 0] == pytest.approx(
        np.array([(truth[4] + who) * (1, -1) for who in (1, 2, 3)])
    )
    assert sample.tags == {"set": "Mod3", "movie": "scene 5"}
    assert recorded(dataset)["dual"].recall("Mod3-05").velocity.tolist() == [[2, -12]]
    assert list(recorded(dataset)) == ["dual"]


def test_second_order_stands_without_models_and_not_without_scenes(tmp_path):
    write_experiment(tmp_path / "a", model=False)
    assert recorded(second_order(tmp_path / "a")) == {}
    write_experiment(tmp_path / "b", scenes=39)
    with pytest.raises(Misuse, match=r"got a table of \(39, 16\); expected \(40, 16\)"):
        second_order(tmp_path / "b")


def test_second_order_refuses_unlike_truth(tmp_path):
    write_experiment(tmp_path)
    file = tmp_path / DATA / "participant2" / "data.csv"
    table = np.loadtxt(file, delimiter=",", skiprows=1)
    table[0, 0] += 1
    np.savetxt(file, table, delimiter=",", header="x", comments="")
    with pytest.raises(Misuse, match="got unlike ground truth"):
        second_order(tmp_path)


def test_sintel_slow_has_its_axes_in_order(tmp_path):
    values = np.random.default_rng(0).normal(size=(2, 36, 5))
    savemat(tmp_path / "HumanResp.mat", {"HumanResp": values})
    savemat(tmp_path / "SintelGT.mat", {"SintelGT": 2 * values})
    sample = sintel_slow(tmp_path).load("cave_4")
    assert sample.reference.everyone[7].tolist() == values[:, 7, 2].tolist()
    assert sample.reference.truth[7].tolist() == (2 * values[:, 7, 2]).tolist()
    savemat(tmp_path / "SintelGT.mat", {"SintelGT": values[:, :30]})
    with pytest.raises(ValueError, match="got SintelGT of 2 × 30 × 5; expected 2 × 36 × 5"):
        sintel_slow(tmp_path)


def test_temporal_has_its_axes_in_order(tmp_path):
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=shape) for name, shape in SHAPES.items()}
    for name, values in arrays.items():
        savemat(tmp_path / f"Temporal_{name}.mat", {f"Temporal_{name}": values})
    dataset = perceived_flow_temporal(tmp_path)
    sample = dataset.load("movie4-backwards-3")
    people = arrays["Response_raw"]
    assert sample.reference.people[2, 1, 3].tolist() == people[:, 3, 1, 1, 2, 3, 2].tolist()
    assert sample.reference.truth[3].tolist() == arrays["GT"][:, 3, 1, 2, 3, 7].tolist()
    assert (sample.tags["movie"], sample.tags["play"], sample.tags["probe"]) == ("movie 4", "backwards", "3")
    flownet = recorded(dataset)["flownet2"].recall("movie4-backwards-3").velocity
    assert flownet[3].tolist() == arrays["FN2"][:, 3, 1, 2, 3, 7].tolist()
    ridge = fitted(dataset)["ridge_flownet2"].recall("movie4-backwards-3").velocity
    assert ridge[3].tolist() == arrays["AllObservers"][:, 3, 1, 2, 3, 1].tolist()
    late = perceived_flow_temporal(tmp_path, frame=15)
    assert "flownet2" not in recorded(late)
    assert late.fingerprint != dataset.fingerprint
    with pytest.raises(ValueError, match=r"got frame=16; expected 1 … 15"):
        perceived_flow_temporal(tmp_path, frame=16)
    for name in ("FN2", "AllObservers"):
        (tmp_path / f"Temporal_{name}.mat").unlink()
    bare = perceived_flow_temporal(tmp_path)
    assert recorded(bare) == fitted(bare) == {}


def test_simulated_movies_move_as_they_say():
    """The true flow is what a model finds, so sign, units and places agree."""
    dataset = simulated_observers()
    errors = []
    for sample in dataset:
        found = at_probes(local(farneback(sample.stimulus), sample.stimulus), sample.stimulus).velocity
        errors.append(np.hypot(*(found - sample.reference.truth).T))
        turned = np.hypot(*(found * (1, -1) - sample.reference.truth).T)
        assert np.median(turned) > np.median(errors[-1])
    assert np.median(errors) < 0.2
    assert dataset.status == "placeholder"
    assert {name for s in dataset for name in s.reference.names} == {f"simulated {n}" for n in (1, 2, 3, 4)}
    assert sample.stimulus.px_per_deg == PX_PER_DEG


def test_simulated_observers_pool_over_space():
    samples = list(simulated_observers())
    probes = [s.reference for s in samples]
    rng = np.random.default_rng(0)
    noisy = [Local(p.truth + rng.normal(0, 0.5, p.truth.shape)) for p in probes]
    people = [Local(p.people[:2].mean(axis=(0, 1))) for p in probes]
    assert partial_correlation(people, probes).value > 0.8
    assert abs(partial_correlation(noisy, probes).value) < 0.2
    assert simulated_observers(seed=1)[0].reference.truth.tolist() != probes[0].truth.tolist()
    with pytest.raises(Misuse, match="got movies=1; expected two or more"):
        simulated_observers(movies=1)
