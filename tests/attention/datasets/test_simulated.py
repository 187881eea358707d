import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.attention.datasets._scenes import SCENES
from beholder.attention.datasets.simulated import simulated
from beholder.errors import Misuse


def congruency(sample, upto):
    """How many of each observer's first fixations lie within two degrees of somebody else's."""
    near = []
    for who in sample.reference.paths:
        others = np.concatenate([path.points[:upto] for path in sample.reference.without(who).paths.values()])
        own = sample.reference.paths[who].points[:upto]
        far = np.hypot(*(own[:, None] - others[None]).transpose(2, 0, 1))
        near.append((far < 2 * sample.stimulus.px_per_deg).mean())
    return np.mean(near)


def test_it_is_named_for_what_it_is():
    dataset = simulated()
    assert "simulated" in dataset.name
    assert "not people" in dataset.about
    assert dataset.status == dataset[0].reference.status == "placeholder"
    assert all(who.startswith("simulated") for who in dataset[0].reference.paths)


def test_it_has_pictures_of_all_kinds():
    kinds = [sample.tags["kind"] for sample in simulated()]
    assert len(kinds) == 12
    assert {kind: kinds.count(kind) for kind in kinds} == {"photograph": 7, "pop-out": 3, "featureless": 2}


def test_pictures_have_the_size_that_was_promised_and_differ():
    for sample in simulated(2):
        assert sample.stimulus.pixels.shape[:2] == sample.reference.shape
        assert sample.stimulus.pixels.dtype == np.uint8
        assert np.ptp(sample.stimulus.pixels) > 50


def test_one_thing_is_odd_where_it_is_said_to_be():
    dataset = simulated(2)
    for id in ("odd_colour", "odd_orientation", "odd_size"):
        pixels, blob = dataset.load(id).stimulus.pixels.astype(float), SCENES[id].blobs[0]
        cells = pixels.reshape(6, 48, 8, 48, 3)
        ink = np.abs(cells - 128)
        looks = np.stack([ink.sum((1, 3, 4)), ink.max(1).sum((2, 3)), cells[..., 0].max((1, 3))], axis=-1)
        aside = np.abs(looks - np.median(looks, axis=(0, 1))) / np.median(looks, axis=(0, 1))
        odd = np.unravel_index(aside.sum(axis=-1).argmax(), (6, 8))
        assert odd == (int(blob.y * 6), int(blob.x * 8))


def test_paths_are_like_those_of_people():
    dataset = simulated()
    paths = [path for sample in dataset for path in sample.reference.paths.values()]
    amplitude = np.concatenate([np.hypot(np.diff(p.x), np.diff(p.y)) for p in paths]) / 16
    duration = np.concatenate([path.duration_ms[1:] for path in paths])
    focal = amplitude <= 5
    assert 8 < np.mean([len(path) for path in paths]) < 13
    assert 0.3 < focal.mean() < 0.7
    assert np.median(duration[focal]) > np.median(duration[~focal]) + 30
    assert all((path.onset_ms[1:] >= path.onset_ms[:-1] + path.duration_ms[:-1] + 21).all() for path in paths)
    assert all(150 < path.onset_ms[0] < 450 and path.onset_ms[-1] < 3100 for path in paths)
    for sample in dataset:
        points = sample.reference.points
        assert ((points >= 0) & (points < sample.reference.shape[::-1])).all()


def test_they_agree_on_what_is_salient_and_less_and_less():
    dataset = simulated(20)
    early, late = ({sample.id: congruency(sample, upto) for sample in dataset} for upto in (2, 8))
    assert min(early[id] for id in early if id.startswith("odd")) > 2 * max(early["grass"], early["noise"])
    assert all(early[id] > late[id] for id in early if SCENES[id].blobs)


def test_groups_differ():
    dataset = simulated(20)
    sample = dataset.load("odd_size")
    target = np.array([SCENES["odd_size"].blobs[0].x * 384, SCENES["odd_size"].blobs[0].y * 288])
    near = {"steady": [], "roaming": []}
    for who, path in sample.reference.paths.items():
        near[sample.reference.groups[who]] += list(np.hypot(*(path.points - target).T) < 40)
    assert np.mean(near["steady"]) > np.mean(near["roaming"])


def test_a_path_depends_on_picture_and_observer_only():
    few, many = simulated(4)[3].reference, simulated(12)[3].reference
    for who in few.paths:
        assert_array_equal(few.paths[who].points, many.paths[who].points)
    other = simulated(4, seed=1)[3].reference
    assert not np.array_equal(other.paths["simulated01"].points, few.paths["simulated01"].points)
    assert simulated(4).fingerprint != simulated(4, seed=1).fingerprint


def test_controls_are_of_the_other_pictures():
    sample = simulated(4)[0]
    assert set(sample.reference.controls.picture) == set(SCENES) - {sample.id}


@pytest.mark.parametrize("observers", [1, 100])
def test_too_few_and_too_many_are_refused(observers):
    with pytest.raises(Misuse, match=r"expected 2 … 99"):
        simulated(observers)
