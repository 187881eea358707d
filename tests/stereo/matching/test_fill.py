import numpy as np
from numpy.testing import assert_array_equal

from beholder.stereo.matching.fill import along_rows, background

NAN = np.nan


def by_loops(d):
    """Runs of holes in rows, then empty rows, one after the other."""
    out = d.copy()
    for y, x in zip(*np.nonzero(np.isnan(d)), strict=True):
        before, after = ([v for v in part if not np.isnan(v)] for part in (d[y, :x], d[y, x:]))
        out[y, x] = min([*before[-1:], *after[:1]], default=NAN)
    full = [y for y in range(len(d)) if not np.isnan(d[y]).all()]
    for y in sorted(set(range(len(d))) - set(full)):
        above = [k for k in full if k < y]
        out[y] = out[above[-1] if above else full[0]]
    return out


def test_against_loops():
    rng = np.random.default_rng(1)
    for share in (0.1, 0.6, 0.95):
        d = rng.integers(0, 9, (15, 12)).astype(np.float32)
        d[rng.random(d.shape) < share] = NAN
        d[[0, 7, 8]] = NAN
        before = d.copy()
        assert_array_equal(background(d), by_loops(d))
        assert_array_equal(d, before)


def test_along_rows_leaves_empty_rows():
    d = np.array([[NAN, NAN, NAN], [4, NAN, 3]], np.float32)
    assert_array_equal(along_rows(d), np.array([[NAN] * 3, [4, 3, 3]], np.float32))


def test_a_dense_map_stays_and_an_empty_one_too():
    dense = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert_array_equal(background(dense), dense)
    assert np.isnan(background(np.full((2, 3), NAN, np.float32))).all()
