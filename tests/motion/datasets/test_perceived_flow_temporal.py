"""Perceived flow over time: a small folder of its layout, and numbers of the real one computed by other code."""

from functools import cache

import numpy as np
import pytest
from scipy.io import savemat

from beholder.motion.datasets.perceived_flow_temporal import SHAPES, perceived_flow_temporal
from beholder.motion.files.archive import fitted, recorded
from beholder.motion.measures.perceived import correlation_people, epe_people, partial_correlation
from beholder.motion.perceived import Local, only, without
from beholder.stats.correlation import pearson
from motion_people import components, references, truths


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
    absent = "Temporal_FN2.mat, Temporal_AllObservers.mat"
    assert bare.remarks == (f"2 files are missing, so the models recorded in it do not take part: {absent}",)
    assert dataset.remarks == ()


read = cache(perceived_flow_temporal)


@pytest.fixture
def temporal(data):
    return read(data / "perceived_flow_temporal")


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "epe", "u", "v"),
    [
        ("flownet2", 1.970, 0.811, 0.804),
        ("ridge_truth", 0.831, 0.925, 0.886),
        ("ridge_flownet2", 0.819, 0.932, 0.885),
        ("gaussian_truth", 0.855, 0.918, 0.878),
        ("gaussian_flownet2", 0.844, 0.923, 0.876),
    ],
)
def test_recorded_predictors_of_perceived_flow_over_time(temporal, name, epe, u, v):
    stored = {**temporal.load.recorded, **temporal.load.fitted}
    found = [stored[name].recall(id) for id in temporal.ids]
    probes = references(temporal)
    parts = correlation_people(found, probes).parts
    assert epe_people(found, probes).value == pytest.approx(epe, abs=6e-4)
    assert (parts["u"], parts["v"]) == pytest.approx((u, v), abs=6e-4)


@pytest.mark.data
def test_people_over_time(temporal):
    probes = references(temporal)
    parts = correlation_people(truths(probes), probes).parts
    assert sum(len(p.truth) for p in probes) == 200
    assert epe_people(truths(probes), probes).value == pytest.approx(2.032, abs=6e-4)
    assert (parts["u"], parts["v"]) == pytest.approx((0.808, 0.804), abs=6e-4)
    flownet = [temporal.load.recorded["flownet2"].recall(id) for id in temporal.ids]
    assert partial_correlation(flownet, probes).value == pytest.approx(0.104, abs=6e-4)
    assert correlation_people(flownet, probes).value == pytest.approx(0.798, abs=6e-4)
    alone = [[Local(only(p, who).mean) for p in probes] for who in "1234"]
    rest = [[without(p, who) for p in probes] for who in "1234"]
    errors = [epe_people(own, others).value for own, others in zip(alone, rest, strict=True)]
    assert errors == pytest.approx([1.565, 1.778, 2.545, 2.151], abs=6e-4)
    left = [partial_correlation(own, others).value for own, others in zip(alone, rest, strict=True)]
    assert (min(left), max(left)) == pytest.approx((0.20, 0.37), abs=6e-3)


@pytest.mark.data
def test_people_integrate_frames_around_the_probe(data):
    curve = (0.44, 0.44, 0.44, 0.66, 0.67, 0.74, 0.74, 0.80, 0.79, 0.74, 0.73, 0.50, 0.50, 0.50, 0.50)
    for frame, expected in enumerate(curve, 1):
        probes = references(perceived_flow_temporal(data / "perceived_flow_temporal", frame=frame))
        people, truth = components(probes)
        assert pearson(people, truth) == pytest.approx(expected, abs=6e-3)
