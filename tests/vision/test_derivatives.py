import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.ndimage import correlate1d, gaussian_filter1d

from beholder.vision.derivatives import exponents, gaussian_derivative, monomials, multinomials, sphere_means


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_kernels_are_near_scipys_on_smooth_signals(order):
    wave = np.cos(2 * np.pi * 0.06 * np.arange(80))
    ours = correlate1d(wave, gaussian_derivative(order, 1.5, radius=6))[20:-20]
    theirs = gaussian_filter1d(wave, 1.5, order=order)[20:-20]
    assert_allclose(ours, theirs, atol=0.02 * np.abs(theirs).max())


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_kernels_are_exact_on_polynomials(order):
    t = np.arange(-9.0, 10)
    kernel = gaussian_derivative(order, 1.25, radius=4)
    cubic = np.polynomial.Polynomial([2, -1, 0.5, 3])
    wanted = cubic.deriv(order)(0.0) if order else None
    found = kernel @ cubic(t[5:-5])
    if order == 0:  # a Gaussian blurs the square of a cubic, and nothing else of it
        wanted = cubic(0.0) + 0.5 * (kernel @ t[5:-5] ** 2)
    if order == 1:
        wanted += 3 * (kernel @ t[5:-5] ** 3)
    assert found == pytest.approx(wanted)


def test_kernels_out_of_range_are_refused():
    for wrong in ({"order": -1, "sigma": 1.0}, {"order": 1, "sigma": 0.0}, {"order": 9, "sigma": 1.0}):
        with pytest.raises(ValueError, match="expected"):
            gaussian_derivative(**wrong, radius=4)


def test_a_directional_derivative_is_a_sum_of_products():
    rng = np.random.default_rng(0)
    u, f = rng.standard_normal(3), rng.standard_normal(3)
    spread = multinomials(3) * monomials(u, 3)
    assert spread @ monomials(f, 3) == pytest.approx((u @ f) ** 3)


def test_means_over_the_sphere_are_those_of_many_points():
    count = 20_000
    height = 2 * (np.arange(count) + 0.5) / count - 1
    turn = np.pi * (3 - np.sqrt(5)) * np.arange(count)
    flat = np.sqrt(1 - height**2)
    points = np.stack([flat * np.cos(turn), flat * np.sin(turn), height], axis=-1)
    assert_allclose(monomials(points, 6).mean(axis=0), sphere_means(6), atol=1e-3)
    assert sphere_means(6)[exponents(6).index((6, 0, 0))] == pytest.approx(1 / 7)
