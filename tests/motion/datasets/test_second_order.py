"""Second-order motion: a small folder of its layout, and numbers of the real one computed by other code."""

from functools import cache

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.motion.datasets.second_order import DATA, MODELS, second_order
from beholder.motion.files.archive import recorded
from beholder.motion.measures.perceived import correlation_people, partial_correlation
from beholder.motion.perceived import Local, local, only, without
from motion_people import references


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


RECORDED = {  # r with the mean of people, Mod1 … Mod7
    "dual": (0.91, 0.93, 0.90, 0.93, 0.95, 0.95, 0.96),
    "videoflow": (0.33, 0.25, 0.19, 0.38, 0.18, 0.43, 0.16),
    "raft_sintel": (0.31, 0.39, 0.22, 0.14, 0.16, 0.44, 0.02),
    "v1mt_diffuse": (0.15, 0.15, 0.03, 0.17, 0.03, 0.55, -0.17),
    "farneback_recorded": (-0.04, -0.16, 0.15, 0.10, 0.26, 0.36, 0.08),
    "glow_sintel": (0.33, 0.23, -0.19, 0.11, 0.06, 0.04, -0.07),
    "ffv1mt": (-0.26, -0.07, 0.12, 0.05, -0.02, 0.01, -0.10),
}


RANGES = {"dual_diffuse": (0.30, 0.68), "raft_specular": (-0.14, 0.88), "v1mt_specular": (0.21, 0.81)}


read = cache(second_order)


@pytest.fixture
def orders(data):
    return read(data / "multi_order_motion")


def by_modulation(dataset, measure, answer):
    """A measure over the forty scenes of each modulation."""
    found = []
    for kind in range(1, 8):
        samples = [dataset.load(id) for id in dataset.ids if id.startswith(f"Mod{kind}-")]
        found.append(measure([answer(s) for s in samples], [s.reference for s in samples]).value)
    return np.array(found)


@pytest.mark.data
def test_people_know_second_order_motion(orders):
    r = by_modulation(orders, correlation_people, lambda s: Local(s.reference.truth))
    assert (r.min().round(3), r.max().round(3)) == (0.987, 0.990)
    others = []
    for who in ("1", "2", "3"):
        against = lambda found, probes, who=who: correlation_people(found, [without(p, who) for p in probes])  # noqa: E731
        others.append(by_modulation(orders, against, lambda s, who=who: Local(only(s.reference, who).mean)))
        alone = lambda found, probes, who=who: correlation_people(found, [only(p, who) for p in probes])  # noqa: E731
        true = by_modulation(orders, alone, lambda s: Local(s.reference.truth))
        assert 0.9745 <= true.min() <= true.max() <= 0.9915
    one = np.mean(others, axis=0)  # a participant against the mean of the two others, over the three
    assert (one.min().round(3), one.max().round(3)) == (0.981, 0.988)


@pytest.mark.data
@pytest.mark.parametrize("name", [*RECORDED, *RANGES])
def test_recorded_models_of_second_order_motion(orders, name):
    model = orders.load.recorded[name]
    r = by_modulation(orders, correlation_people, lambda s: local(model.recall(s.id), s.stimulus))
    if name in RECORDED:
        assert r == pytest.approx(RECORDED[name], abs=6e-3)
    else:
        assert (r.min(), r.max()) == pytest.approx(RANGES[name], abs=6e-3)


def residual_correlation(one, other, truth):
    """The partial correlation by least squares."""
    given = np.stack([np.ones(truth.size), truth.ravel()], axis=1)
    left = [side.ravel() - given @ np.linalg.lstsq(given, side.ravel())[0] for side in (one, other)]
    return np.corrcoef(left)[0, 1]


@pytest.mark.data
def test_the_ceiling_of_three_observers_is_not_that_of_one_split(orders):
    """By the raw tables: of Mod4 the three splits give 0.537, 0.266 and 0.474."""
    for kind in range(1, 8):
        probes = references(orders, set=f"Mod{kind}")
        people = np.concatenate([p.people[:, 0] for p in probes], axis=1) * (1, -1)
        truth = np.concatenate([p.truth for p in probes]) * (1, -1)
        pairs = ((people[who], np.delete(people, who, axis=0).mean(axis=0)) for who in range(3))
        r = [residual_correlation(*pair, truth) for pair in pairs]
        model = [orders.load.recorded["raft_sintel"].recall(id) for id in orders.ids if id.startswith(f"Mod{kind}-")]
        parts = partial_correlation(model, probes).parts
        assert parts["split_half"] == pytest.approx(np.mean(r))
        if kind == 4:
            assert r == pytest.approx([0.537, 0.266, 0.474], abs=5e-4)
            assert (parts["ceiling"], parts["corrected"]) == pytest.approx((0.617, 0.292), abs=5e-4)


@pytest.mark.data
def test_all_families_are_there(orders):
    assert set(orders.load.recorded) == set(MODELS)
    assert len(orders) == 280
    up = orders.load("Mod1-01")  # the table says (6.67, −7.06), downwards: the scene goes right and, here, up
    assert up.reference.truth[0] == pytest.approx([6.673470861737535, 7.059274688675837])
