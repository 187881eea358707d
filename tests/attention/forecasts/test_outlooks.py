"""What is said of one next fixation, against SciPy and against the same density written out pixel by pixel."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import rankdata, zscore

from beholder.attention.forecasts.outlooks import Cells, accept_outlook
from beholder.attention.types import Density, Salience

SHAPE = (7, 11)


def density(seed=0, shape=SHAPE):
    return np.random.default_rng(seed).dirichlet(np.ones(shape[0] * shape[1])).reshape(shape)


def test_rank_and_z_are_those_of_scipy():
    values = np.random.default_rng(1).integers(0, 5, SHAPE).astype(float)  # many ties
    found = accept_outlook(Salience(values), SHAPE)
    ranks, z = (rankdata(values) - 0.5).reshape(SHAPE) / values.size, zscore(values, axis=None)
    for row, column in np.ndindex(SHAPE):
        log, midrank, own = found.score(np.array([column + 0.9, row + 0.1]))
        assert np.isnan(log)
        assert midrank == pytest.approx(ranks[row, column])
        assert own == pytest.approx(z[row, column])


def test_log_probabilities_are_those_of_the_pixel():
    p = density()
    for raw in (np.log(p), Density(np.log(p)), np.log(p).astype(np.float32)):
        log, _, z = accept_outlook(raw, SHAPE).score(np.array([10.99, 3.0]))
        assert log == pytest.approx(np.log(p[3, 10]), abs=1e-5)
        assert z == pytest.approx((p[3, 10] - p.mean()) / p.std(), rel=1e-4)


@pytest.mark.parametrize("grid", [(1, 1), (3, 4), (7, 11), (2, 11)])
def test_cells_are_the_same_as_their_pixels_written_out(grid):
    coarse = accept_outlook(Cells(np.log(density(2, grid))), SHAPE)
    rows = np.floor((np.arange(SHAPE[0]) + 0.5) * grid[0] / SHAPE[0]).astype(int)
    columns = np.floor((np.arange(SHAPE[1]) + 0.5) * grid[1] / SHAPE[1]).astype(int)
    p = density(2, grid)[np.ix_(rows, columns)]
    p /= p.sum()
    fine = accept_outlook(np.log(p), SHAPE)
    assert_allclose(coarse.map, p, rtol=1e-12)
    for row, column in np.ndindex(SHAPE):
        assert_allclose(
            coarse.score(np.array([column, row])), fine.score(np.array([column, row])), rtol=1e-9, atol=1e-12
        )


def test_even_cells_say_nothing_however_they_divide_the_picture():
    log, midrank, z = accept_outlook(Cells(np.log(np.full((3, 4), 1 / 12))), SHAPE).score(np.array([5.0, 5.0]))
    assert (log, midrank, z) == (pytest.approx(-np.log(77)), 0.5, 0.0)


def test_an_impossible_place_is_minus_infinity():
    with np.errstate(divide="ignore"):
        found = accept_outlook(np.log(np.eye(3) / 3), (3, 3))
    assert found.score(np.array([1.0, 0.0]))[0] == -np.inf
    assert found.score(np.array([1.0, 1.0]))[:2] == (pytest.approx(np.log(1 / 3)), pytest.approx(7.5 / 9))


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (density(), "logsumexp"),  # probabilities instead of their logarithms
        (np.log(density()) - 1, r"got a log density whose logsumexp is -1; expected 0"),
        (np.log(density(shape=(3, 4))), r"got a forecast of shape \(3, 4\); expected \(7, 11\)"),
        (np.full(SHAPE, np.nan), "NaN or .inf"),
        (np.full(SHAPE, -np.inf), "logsumexp is -inf"),
        (Cells(np.log(density(shape=(8, 11)))), "no more rows and columns"),
        (Cells(np.log(density(shape=(3, 4))) + 1), "logsumexp is 1;"),
        (Salience(np.ones((2, 2))), r"expected \(7, 11\)"),
        (Salience(np.full(SHAPE, np.inf)), "with finite values only"),
        (None, "got NoneType for the next fixation; expected natural logarithms"),
        ("log p", "got str for the next fixation"),
        (np.ones(5), r"an array of float64, shape \(5,\)"),
    ],
)
def test_what_is_wrong_is_said(raw, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        accept_outlook(raw, SHAPE)


@pytest.mark.parametrize("point", [(-0.5, 2.0), (11.0, 2.0), (3.0, 7.0), (np.nan, 1.0)])
def test_a_fixation_outside_is_refused(point):
    with pytest.raises(ValueError, match="expected it inside 11 x 7"):
        accept_outlook(np.log(density()), SHAPE).score(np.array(point))
