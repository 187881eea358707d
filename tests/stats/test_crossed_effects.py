"""The crossed probit model: the covariance of thresholded normals, and effects that are put in come out."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from beholder.stats.crossed_effects import covariance, effects
from beholder.stats.two_way import draw
from beholder.study.design.simulation import Crowd, Design, assign, say


@pytest.mark.parametrize(("h", "k", "rho"), [(0.0, 0.0, 0.3), (0.4, -0.2, 0.7), (1.0, 1.0, -0.5)])
def test_the_covariance_is_that_of_the_bivariate_normal(h, k, rho):
    joint = multivariate_normal(cov=[[1, rho], [rho, 1]]).cdf([h, k])
    apart = multivariate_normal().cdf(h) * multivariate_normal().cdf(k)
    assert float(covariance(h, k, rho)) == pytest.approx(joint - apart, abs=1e-5)


def simulated(crowd, *, people=150, seed=0):
    design, rng = Design(60, 60, 10, 10), np.random.default_rng(seed)
    assigned = assign(design, people, rng)
    said = say(design, crowd, assigned, runs=1, rng=rng)[0]
    item = assigned.ravel()
    return np.repeat(np.arange(people), 20), item, said.ravel(), item < 60


def test_what_is_put_in_comes_out():
    crowd = Crowd(dprime=0.6, criterion=0.2, bias=0.5, skill=0.6, items=0.5)
    found = np.array([[float(of[0]) for of in effects(*simulated(crowd, seed=seed))] for seed in range(25)])
    bias, skill, items, dprime = found.mean(axis=0)
    assert bias == pytest.approx(0.5, abs=0.05)
    assert skill == pytest.approx(0.6, abs=0.12)
    assert items == pytest.approx(0.5, abs=0.05)
    assert dprime == pytest.approx(0.6, abs=0.08)


def test_where_nothing_differs_little_is_found():
    crowd = Crowd(dprime=0.3, bias=0.0, skill=0.0, items=0.0)
    found = np.array([[float(of[0]) for of in effects(*simulated(crowd, seed=seed))] for seed in range(10)])
    assert (found[:, [0, 2]].mean(axis=0) < 0.12).all()
    assert found[:, 3].mean() == pytest.approx(0.3, abs=0.06)


def test_draws_lie_about_the_value_and_nothing_comes_of_one_class():
    given = simulated(Crowd(dprime=0.5, bias=0.4, skill=0.4, items=0.5))
    classes = (np.arange(120) < 60).astype(int)
    drawn = effects(*given, draw(*given[:2], items=classes, draws=200, rng=np.random.default_rng(0)))
    for one, several in zip(effects(*given), drawn, strict=True):
        assert np.quantile(several, 0.01) <= one[0] <= np.quantile(several, 0.99)
    assert np.isnan(effects(*given[:3], np.ones(len(given[0]), bool)).dprime).all()
