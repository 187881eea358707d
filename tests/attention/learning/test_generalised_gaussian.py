"""Generalised Gaussians: known parameters are found."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.attention.learning.generalised_gaussian import fit


@pytest.mark.parametrize(("sigma", "theta"), [(1.0, 0.5), (3.0, 1.0), (0.2, 1.5), (2.0, 2.0), (1.0, 4.0)])
def test_a_generalised_gaussian_is_found_again(sigma, theta):
    from scipy.stats import gennorm

    samples = gennorm.rvs(theta, scale=sigma, size=40_000, random_state=np.random.default_rng(5))
    assert_allclose(fit(samples), (sigma, theta), rtol=0.06)
    peer_theta, _, peer_sigma = gennorm.fit(samples, floc=0)
    assert_allclose(fit(samples), (peer_sigma, peer_theta), rtol=2e-3)


def test_a_shape_may_be_bounded_and_a_scale_scales():
    samples = np.random.default_rng(6).uniform(-1, 1, 5000)
    assert fit(samples, most=2.0)[1] == pytest.approx(2, abs=1e-3)
    assert_allclose(np.divide(fit(5 * samples), fit(samples)), (5, 1), rtol=1e-3)
