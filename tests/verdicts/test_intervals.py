import numpy as np

from beholder.core.scores import table
from beholder.stats import small_samples
from beholder.verdicts.components import components
from beholder.verdicts.intervals import mean_interval, runner_intervals


def test_units_have_halls_interval_and_what_was_measured_once_keeps_its_own():
    values = np.random.default_rng(0).normal(size=(20, 3))
    values[1:, 2] = np.nan
    own = np.array([[7.0, np.nan, -9.0], [8.0, np.nan, 9.0]])
    found = mean_interval(values, own)
    assert np.array_equal(found[:, :2], small_samples.mean_interval(values[:, :2]))
    assert found[:, 2].tolist() == [-9, 9]


def test_without_an_interval_of_its_own_one_unit_has_none():
    assert np.isnan(mean_interval(np.ones((1, 2)), np.full((2, 2), np.nan))).all()


def test_the_intervals_of_the_runner_stand_where_its_values_stand(rows):
    made = [*rows("a", 1, 2, lo=0.5, hi=3), *rows("b", 3, lo=2.5, hi=9), *rows("b", 4, unit="u1", lo=np.nan, hi=np.nan)]
    parts = rows("a", 1, 2, lo=-100, hi=100, part="left")
    scores = table([*made[::-1], *parts])
    lo, hi = runner_intervals(scores, components(scores))
    order = [list(components(scores).values.index).index(m) for m in "ab"]
    at = [list(components(scores).values.columns.get_level_values("unit")).index(u) for u in ("u0", "u1")]
    assert np.array_equal(lo[order][:, at], [[0.5, 0.5], [2.5, np.nan]], equal_nan=True)
    assert np.array_equal(hi[order][:, at], [[3, 3], [9, np.nan]], equal_nan=True)
