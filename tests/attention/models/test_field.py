import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import dblquad

import scanpath_vectors as vectors
from beholder.attention.maps.features import steepness
from beholder.attention.models._field import (
    between,
    inhibit,
    inhibited_pulls,
    kernel,
    lattice,
    pulls,
    transform_is_cheaper,
)

RNG = np.random.default_rng(3)
MASS = steepness(vectors.levels())


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        ((0.0, 0.0), 0.0),
        ((0.25, 0.0), 0.806185269),
        ((0.5, 0.5), 1.131971754),
        ((1.0, 0.0), 0.984572456),
        ((1.0, 1.0), 0.502128130),
        ((3.0, 2.0), 0.230796036),
        ((10.0, -4.0), 0.086206934),
    ],
)
def test_the_kernel_has_the_values_of_quadrature(offset, expected):
    across = kernel(*np.array(offset))[0]
    assert 2 * np.pi * across == pytest.approx(expected, abs=2e-9)
    assert_allclose(kernel(*np.array(offset[::-1]))[1], across, atol=1e-15)


def test_the_kernel_is_what_quadrature_says_off_the_lattice():
    found = kernel(np.array(1.3), np.array(-0.7))[0]
    whole, _ = dblquad(lambda y, x: x / (x * x + y * y), 0.8, 1.8, -1.2, -0.2)
    assert found == pytest.approx(whole / (2 * np.pi), rel=1e-8)


@pytest.mark.parametrize(("at", "expected"), vectors.SEED_FIELD)
def test_the_field_of_the_gradient_of_brightness(at, expected):
    found = pulls(MASS, np.array([at[::-1]]) + 0.5)[0]
    assert_allclose(found[::-1], expected, rtol=1e-9, atol=1e-10)


def test_one_mass_pulls_as_one_over_its_distance():
    mass = np.zeros((100, 120))
    mass[50, 70] = 1.0
    found = pulls(mass, np.array([[60.5, 50.5]]))[0]
    assert_allclose(found, [0.0159154943092, 0.0], rtol=2e-6, atol=1e-15)  # of the point: 1 / (2 π 10)


def test_direct_sums_are_those_of_the_kernel():
    mass = RNG.random((40, 60))
    y, x = np.indices(mass.shape) + 0.5
    for point in RNG.uniform(-5, 65, (20, 2)):
        exact = [(mass * each).sum() for each in kernel(x - point[0], y - point[1])]
        assert_allclose(pulls(mass, point[None])[0], exact, rtol=1e-8, atol=1e-9)


def test_transforms_and_direct_sums_agree():
    field = lattice(MASS)
    cells = RNG.integers(0, vectors.SHAPE, (40, 2))
    points = cells[:, ::-1] + 0.5
    assert_allclose(field[:, cells[:, 0], cells[:, 1]].T, pulls(MASS, points), rtol=1e-7, atol=1e-8)
    assert_allclose(between(field, points), pulls(MASS, points), rtol=1e-7, atol=1e-8)


def test_between_pixels_the_lattice_is_near():
    y, x = np.indices((60, 80))
    smooth = np.exp(-((x - 30) ** 2 + (y - 25) ** 2) / 200)
    points = RNG.uniform(5, 55, (50, 2))
    exact = pulls(smooth, points)
    assert np.abs(between(lattice(smooth), points) - exact).max() < 5e-3 * np.abs(exact).max()


def test_the_field_moves_with_the_mass_and_has_no_curl_but_sinks():
    mass = np.zeros((60, 60))
    mass[20:30, 15:25] = RNG.random((10, 10))
    point = np.array([[22.3, 33.8]])
    assert_allclose(pulls(np.roll(mass, (7, 11), (0, 1)), point + np.array([11, 7])), pulls(mass, point), rtol=1e-7)
    step, at = 1e-3, np.array([20.5, 25.5])
    right, left, low, top = pulls(mass, at + step * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]]))
    curl = (right[1] - left[1] - low[0] + top[0]) / (2 * step)
    divergence = (right[0] - left[0] + low[1] - top[1]) / (2 * step)
    assert curl == pytest.approx(0, abs=1e-6)
    assert divergence == pytest.approx(-mass[25, 20], rel=1e-4)


def test_inhibition_is_the_closed_form_and_stays_below_1():
    beta, sigma, step = 0.3, 20.0, 0.01
    held = np.zeros((1, 1, 121))
    for _ in range(200):
        inhibit(held, np.array([[60.5, 0.5]]), np.exp(-beta * step), sigma)
    expected = [0.451188363906, 0.398172333629, 0.273659576015, 0.0610617050223]  # at 0, 10, 20, 40 px after 2 s
    assert_allclose(held[0, 0, [60, 70, 80, 100]], expected, rtol=1e-9)
    for seen in RNG.uniform(0, 121, 400):
        inhibit(held, np.array([[seen, 0.5]]), 0.5, sigma)
    assert 0 <= held.min() <= held.max() <= 1


def test_inhibited_masses_do_not_pull():
    mass = np.broadcast_to(MASS, (2, *MASS.shape))
    held = np.stack([np.ones(MASS.shape), RNG.random(MASS.shape)])
    points = np.array([[50.2, 60.1], [100.0, 20.0]])
    found = inhibited_pulls(mass, held, points)
    assert_allclose(found[0], 0, atol=1e-15)
    assert_allclose(found[1], pulls(MASS * (1 - held[1]), points[1:])[0], rtol=1e-9)


def test_what_costs_less_depends_on_how_often_it_is_asked():
    assert not transform_is_cheaper((768, 1024), 5)
    assert transform_is_cheaper((768, 1024), 200)
