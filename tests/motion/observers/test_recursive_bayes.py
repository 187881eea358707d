"""The ideal observer of edges and corners: its closed form, its recursion, and the numbers of section 6.10."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.core.cite import facts_of, key_of, library
from beholder.errors import Misuse
from beholder.motion.benchmarks.static import oracles
from beholder.motion.courses.fit import fit
from beholder.motion.datasets.classical import classical
from beholder.motion.observers.recursive_bayes import after, normals, recursive_bayes
from beholder.motion.stimuli.diamond import Diamond
from beholder.motion.stimuli.plaid import Plaid
from beholder.motion.types import Movie, Percept
from motion_movies import drawn_once

RIGHT = np.array([1.0, 0.0])
EDGES = normals(Diamond().percept)


def directions(velocity):
    return np.degrees(np.arctan2(velocity[:, 1], velocity[:, 0]))


def recursion(looks, *, edges=0.5, corners=5.0, prior=1.0):
    """Products of Gaussians, one look after the other: the posterior is the next prior."""
    mean, precision, path = np.zeros(2), np.eye(2) / prior**2, []
    for _ in range(looks):
        for normal in EDGES:
            seen = np.outer(normal, normal) / edges**2
            mean = np.linalg.solve(precision + seen, precision @ mean + seen @ RIGHT)
            precision = precision + seen
        ends = np.eye(2) / corners**2
        mean = np.linalg.solve(precision + ends, precision @ mean + ends @ RIGHT)
        precision = precision + ends
        path.append(mean)
    return np.array(path)


@pytest.mark.parametrize("deviations", [(0.5, 5.0, 1.0), (1.0, 5.0, 1.0), (0.3, 2.0, 0.7)])
def test_the_closed_form_is_what_the_recursion_comes_to(deviations):
    edges, corners, prior = deviations
    found = after(np.arange(1.0, 47.0), RIGHT, normals=EDGES, deviations=deviations)
    assert_allclose(found, recursion(46, edges=edges, corners=corners, prior=prior), atol=1e-12)


@pytest.mark.parametrize(
    ("deviations", "expected"), [((0.5, 5.0, 1.0), (35.4, 12.1, 3.2)), ((1.0, 5.0, 1.0), (39.1, 20.9, 7.0))]
)
def test_the_directions_of_section_6_10(deviations, expected):
    # The third is after the 46 samples of 0 … 450 ms.
    found = after(np.array([1.0, 10.0, 46.0]), RIGHT, normals=EDGES, deviations=deviations)
    assert directions(found) == pytest.approx(expected, abs=0.06)


@pytest.mark.parametrize(
    ("deviations", "expected"), [((0.5, 5.0, 1.0), (29.0, 4.2, 70)), ((1.0, 5.0, 1.0), (30.8, 7.1, 117))]
)
def test_the_fits_of_section_6_10(deviations, expected):
    looks = np.arange(1.0, 46.0)
    curve = fit((looks - 1) / 100, directions(after(looks, RIGHT, normals=EDGES, deviations=deviations)))
    assert (curve.alpha, curve.beta, 1000 * curve.tau) == pytest.approx(expected, rel=0.006)


def test_normals_follow_the_scene():
    found = directions(normals(Diamond(direction=90.0, turn=-1).percept))
    assert sorted(found) == pytest.approx([37.5, 52.5])  # 90 − 52.5 and 90 − 37.5
    assert sorted(directions(normals(Plaid().percept))) == pytest.approx([48.2, 70.5])
    assert directions(normals(Percept("bar", 0.0, 16.0, vector_average=45.0))) == pytest.approx([45])
    pole = Percept("barber", 0.0, 11.3, normal_direction=45.0, vector_average=30.0)
    assert directions(normals(pole)) == pytest.approx([45])
    assert normals(Percept("dots", 0.0, 10.0)).shape == (0, 2)


def test_every_scene_of_the_dataset_begins_at_the_average_and_ends_nearer_to_the_motion():
    dataset = drawn_once(classical)
    told = oracles(dataset)["recursive_bayes"]
    for sample in dataset:
        answer = told.recall(sample.id)
        off = directions(answer.velocity) - sample.reference.object_direction
        error = np.abs((off + 180) % 360 - 180)
        bias = 0 if sample.reference.conditions.get("textured") else abs(sample.reference.bias)
        assert error[0] <= bias + 1e-6
        if bias:
            assert error[0] > 0.5 * bias
            assert error[-1] < 0.4 * error[0]
            assert (np.diff(error) < 0).all()
        else:
            assert_allclose(error, 0, atol=1e-6)


def test_it_is_at_rest_before_the_onset_and_unknown_without_a_direction():
    movie = Movie(np.zeros((4, 2, 2), np.float32), 100.0, 8.0, onset=2)
    found = recursive_bayes(Diamond().percept, movie).velocity
    assert_allclose(found[:2], 0)
    assert np.hypot(*found[2]) > 0
    assert np.isnan(recursive_bayes(Percept("dots", np.nan, 10.0), movie).velocity).all()


def test_it_says_whence_it_is_and_refuses_what_is_no_deviation():
    assert key_of(recursive_bayes) in library()
    assert facts_of(recursive_bayes)["ms_per_step"] == "10"
    with pytest.raises(Misuse, match="expected numbers above 0"):
        after(np.ones(1), RIGHT, normals=EDGES, deviations=(0.0, 1.0, 1.0))
