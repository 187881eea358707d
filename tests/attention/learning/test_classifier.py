"""Logistic regression: the weights of an optimiser."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from beholder.attention.learning.classifier import logistic, probability


def test_the_classifier_separates_a_toy_and_is_that_of_an_optimiser():
    from scipy.optimize import minimize

    rng = np.random.default_rng(7)
    labels = np.arange(400) % 2 == 0
    rows = rng.standard_normal((400, 3)) + labels[:, None] * [2.0, -1.0, 0.0]
    weights = logistic(rows, labels, ridge=0.01)
    score = rows @ weights[:3] + weights[3]
    assert ((score > 0) == labels).mean() > 0.8
    assert weights[0] > 1 > abs(weights[2])

    def cost(w):
        return np.logaddexp(0, -np.where(labels, 1, -1) * (rows @ w[:3] + w[3])).mean() + 0.005 * (w[:3] ** 2).sum()

    assert_allclose(weights, minimize(cost, np.zeros(4)).x, atol=1e-4)


def test_a_probability_does_not_overflow():
    assert_array_equal(probability(np.array([-1000.0, 0.0, 1000.0])), [0, 0.5, 1])
