import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import wasserstein_distance

from beholder.stats.transport import reduced, sliced, transported


def programmed(p, q):
    """The same by linear programming over all pairs of cells."""
    cells = np.argwhere(np.ones(p.shape))
    costs = np.linalg.norm(cells[:, None] - cells[None], axis=-1)
    n = p.size
    sums = np.vstack([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])
    masses = np.concatenate([(p / p.sum()).ravel(), (q / q.sum()).ravel()])
    return linprog(costs.ravel(), A_eq=sums, b_eq=masses, method="highs").fun


@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_least_work(seed):
    rng = np.random.default_rng(seed)
    p, q = rng.random((2, 4, 6)) ** 4 * (rng.random((2, 4, 6)) > 0.3)
    assert transported(p, q) == pytest.approx(programmed(p, q), abs=1e-7)


def test_along_a_line_it_is_known():
    rng = np.random.default_rng(0)
    p, q = rng.random((2, 1, 40))
    at = np.arange(40)
    assert transported(p, q) == pytest.approx(wasserstein_distance(at, at, p[0], q[0]), abs=1e-12)
    assert transported(p.T, q.T) == pytest.approx(transported(p, q), abs=1e-12)


def test_it_is_a_metric():
    p, q, r = np.random.default_rng(1).random((3, 5, 5))
    assert transported(p, p) == 0
    assert transported(p, 3 * p) == pytest.approx(0, abs=1e-9)
    assert transported(p, q) == pytest.approx(transported(q, p), abs=1e-12)
    assert transported(p, r) <= transported(p, q) + transported(q, r) + 1e-12


def test_a_shift_costs_its_length():
    rows, columns = np.indices((24, 32))
    heap = lambda x, y: np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 8)  # noqa: E731
    far = np.hypot(9, 6)
    assert transported(heap(10, 8), heap(19, 14)) == pytest.approx(far, abs=1e-3)
    assert sliced(heap(10, 8), heap(19, 14)) == pytest.approx(far, rel=1e-2)


def test_slices_are_near():
    rng = np.random.default_rng(2)
    for _ in range(5):
        p, q = rng.random((2, 10, 10)) ** 6
        assert sliced(p, q) == pytest.approx(transported(p, q), rel=0.35)


def test_sums_of_squares_keep_the_mass():
    values = np.random.default_rng(3).random((50, 70))
    assert reduced(values, 32).shape == (2, 3)
    assert reduced(values, 32).sum() == pytest.approx(values.sum())
    assert reduced(values, 32)[0, 1] == pytest.approx(values[:32, 32:64].sum())
    np.testing.assert_array_equal(reduced(values, 1), values)
