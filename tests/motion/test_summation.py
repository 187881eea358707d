"""The ratio of Gaussians: curves of known widths, SciPy's own fit, and what has no shape."""

import numpy as np
import pytest
from scipy.optimize import curve_fit
from scipy.special import erf

from beholder.motion.courses.summation import summation

SIZES = np.array([2.5, 5, 10, 15, 20, 30, 40])


def curve(d, gain, centre, held, surround):
    return gain * erf(d / centre) ** 2 / (1 + held * erf(d / surround) ** 2)


@pytest.mark.parametrize("truth", [(1.0, 8.0, 0.3, 30.0), (20.0, 5.0, 1.0, 25.0), (0.2, 12.0, 0.5, 60.0)])
def test_known_curves_are_found_within_a_step_of_the_grid(truth):
    found = summation(SIZES, curve(SIZES, *truth))
    assert found.centre == pytest.approx(truth[1], rel=0.1)
    fitted = curve(SIZES, *found)
    assert fitted == pytest.approx(curve(SIZES, *truth), rel=0.02)


def test_it_is_as_near_as_what_scipy_finds_from_the_truth():
    truth = (1.0, 8.0, 0.6, 25.0)
    noisy = curve(SIZES, *truth) + np.random.default_rng(0).normal(0, 0.01, len(SIZES))
    best, _ = curve_fit(curve, SIZES, noisy, p0=truth, bounds=(0, np.inf))
    ours = summation(SIZES, noisy)
    sse = [float(((curve(SIZES, *p) - noisy) ** 2).sum()) for p in (ours, best)]
    assert sse[0] <= sse[1] + 1e-3


def test_without_a_surround_there_is_none():
    found = summation(SIZES, erf(SIZES / 8) ** 2)
    assert (found.suppression, np.isnan(found.surround)) == (0, True)
    assert found.centre == pytest.approx(8, rel=0.01)


FALLING = np.array([1.5, 0.5, 1.0, 0.8, 0.9, 0.9, 1.0])


@pytest.mark.parametrize("responses", [np.zeros(7), np.full(7, np.nan), np.ones(7), 1 + 0.001 * SIZES, FALLING])
def test_what_does_not_respond_has_no_shape(responses):
    assert np.isnan(summation(SIZES, responses)).all()
    assert np.isnan(summation(SIZES[:4], erf(SIZES[:4] / 8) ** 2)).all()
