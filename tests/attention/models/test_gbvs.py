import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.attention.models.gbvs import equilibrium, features, gbvs, nearness, strengths
from beholder.attention.types import Picture
from saliency_displays import DISPLAYS

RNG = np.random.default_rng(4)


def dissimilarity(values):
    """The weights |A_i − A_j| F(i, j) between all nodes of a map."""
    flat = values.astype(np.float64).ravel()
    return np.abs(flat[:, None] - flat) * nearness(values.shape)


def walk(weights):
    """The Markov chain of the toolbox: each column's weights divided by their sum."""
    return weights / weights.sum(axis=0)


def iterated(chain, *, tolerance=1e-13, most=20_000):
    """Power iteration from everywhere alike."""
    spread = np.full(len(chain), 1 / len(chain))
    for _ in range(most):
        following = chain @ spread
        if np.abs(following - spread).sum() < tolerance:
            return following
        spread = following
    return None


def test_the_equilibrium_stays_where_it_is():
    weights = dissimilarity(RNG.random((24, 32)).astype(np.float32))
    found = equilibrium(weights)
    assert found.sum() == pytest.approx(1)
    assert np.abs(walk(weights) @ found - found).sum() < 1e-12


def test_power_iteration_comes_to_the_same():
    weights = dissimilarity(RNG.random((12, 16)).astype(np.float32))
    assert_allclose(equilibrium(weights), iterated(walk(weights)), atol=1e-9)


def test_power_iteration_swings_between_two_values_where_the_closed_form_stands():
    values = np.zeros((6, 6), np.float32)
    values[:2] = 1
    weights = dissimilarity(values)
    assert iterated(walk(weights)) is None
    assert np.abs(walk(weights) @ equilibrium(weights) - equilibrium(weights)).sum() < 1e-12


def test_strengths_are_the_sums_of_dissimilarities():
    values = RNG.random((9, 13)).astype(np.float32)
    assert_allclose(strengths(values), dissimilarity(values).sum(axis=1), rtol=1e-12)


def test_concentration_is_the_equilibrium_of_weights_towards_what_is_active():
    active = RNG.random(48)
    towards = active[:, None] * nearness((6, 8))  # to i from j
    symmetric = towards * active
    assert_allclose(equilibrium(symmetric), iterated(walk(towards)), atol=1e-9)


def test_nearness_falls_with_the_squared_distance():
    near = nearness((3, 5))
    assert near.shape == (15, 15)
    assert near[0, 14] == pytest.approx(np.exp(-(2**2 + 4**2) / (2 * (0.15 * 4) ** 2)))
    assert_allclose(near, near.T)
    assert_allclose(np.diag(near), 1)


def test_there_are_24_feature_maps_on_one_graph():
    maps = features(DISPLAYS["colour"])
    assert {name: len(several) for name, several in maps.items()} == {"intensity": 3, "colour": 9, "orientation": 12}
    assert {each.shape for several in maps.values() for each in several} == {(24, 32)}


@pytest.mark.parametrize("shape", [(37, 451), (427, 640), (301, 299)])
def test_graphs_of_odd_pictures_fit_together(shape):
    assert gbvs(Picture(RNG.integers(0, 256, shape, np.uint8))).shape == shape


def test_grey_pictures_have_no_colour_to_walk_on():
    maps = features(DISPLAYS["orientation"])["colour"]
    assert max(np.ptp(each) for at, each in enumerate(maps) if at % 3) < 1e-5
