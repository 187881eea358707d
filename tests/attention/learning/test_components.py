"""Independent components: a known mixing is undone."""

import numpy as np
from numpy.testing import assert_allclose

from beholder.attention.learning.components import rotation, unmixing, whitening


def sources(count, n, rng):
    """Independent, peaked (Laplace) and flat (uniform) ones in turn, of variance 1."""
    peaked, flat = rng.laplace(0, np.sqrt(0.5), (count, n)), rng.uniform(-np.sqrt(3), np.sqrt(3), (count, n))
    return np.where(np.arange(count)[:, None] % 2, flat, peaked)


def test_known_mixing_is_undone():
    rng = np.random.default_rng(0)
    mixing = rng.standard_normal((6, 6))
    filters = unmixing((mixing @ sources(6, 20_000, rng)).T, rng=rng)
    through = np.abs(filters @ mixing)  # one of each row and column is 1, all others 0
    assert_allclose(np.sort(through, axis=1)[:, -1], 1, atol=0.05)
    assert np.sort(through, axis=1)[:, -2].max() < 0.06
    assert sorted(through.argmax(axis=1)) == list(range(6))


def test_fewer_sources_than_numbers_are_found_in_the_space_that_they_span():
    rng = np.random.default_rng(1)
    mixing = rng.standard_normal((10, 3))
    filters = unmixing((mixing @ sources(3, 20_000, rng)).T, rng=rng)
    assert filters.shape == (3, 10)
    assert_allclose(np.sort(np.abs(filters @ mixing), axis=1)[:, -1], 1, atol=0.05)


def test_a_share_of_the_variance_is_kept_and_is_white():
    rng = np.random.default_rng(2)
    rows = rng.standard_normal((5000, 4)) * [10, 3, 1, 0.1] + 7
    matrix = whitening(rows, share=0.99)  # 100 of 110.01 are too few, with 9 more enough
    assert matrix.shape == (2, 4)
    assert_allclose(np.cov(matrix @ rows.T, bias=True), np.eye(2), atol=1e-10)
    values, vectors = np.linalg.eigh(np.cov(rows.T, bias=True))
    assert_allclose(np.abs(matrix), np.abs(vectors[:, :1:-1] / np.sqrt(values[:1:-1])).T, atol=1e-9)


def test_the_order_is_that_of_explained_variance_and_the_greatest_weight_is_positive():
    rng = np.random.default_rng(3)
    filters = unmixing((np.diag([1.0, 9.0, 3.0]) @ sources(3, 20_000, rng)).T, rng=rng)
    assert np.abs(filters).argmax(axis=1).tolist() == [1, 2, 0]
    assert (filters.max(axis=1) > -filters.min(axis=1)).all()


def test_a_rotation_is_one():
    rng = np.random.default_rng(4)
    turned = rotation(rng.standard_normal((5, 400)), rng=rng, rounds=3)
    assert_allclose(turned @ turned.T, np.eye(5), atol=1e-12)
