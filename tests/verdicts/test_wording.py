import numpy as np
import pytest

from beholder.core.scores import Score, components, table
from beholder.verdicts import wording as judging


def found(*places):
    rows = [
        Score("b", 1, "a", "model", dataset, u, 0, k, c, "lower", 1.0, 0, 0, 1, "ok", "", "")
        for k, c, dataset, u in places
    ]
    return components(table(rows))


def test_the_layout_of_components():
    lay = judging.layout(
        found(("x", "all", "p", "1"), ("x", "disc", "p", "1"), ("x", "all", "q", "1"), ("y", "all", "q", "*"))
    )
    assert lay.units.tolist() == [0, 0, 1, 2]
    assert lay.cells.tolist() == [0, 1, 0, 2]
    assert lay.names == ("x (all)", "x (disc)", "y (all)")
    assert lay.strata.tolist() == [0, 0, 1]
    assert lay.drawable


def test_nothing_can_be_drawn_from_single_units():
    assert not judging.layout(found(("x", "all", "p", "*"), ("y", "all", "p", "turns"))).drawable


def test_the_scope_names_measures_criteria_units_and_datasets():
    places = [
        (k, c, dataset, "1") for k, cs in (("x", ("all", "disc")), ("y", ("all",))) for c in cs for dataset in "pq"
    ]
    assert judging.scope(found(*places)) == "x (all, disc), y over 2 units of p, q"


def test_who_cannot_be_told_from_the_leader():
    leader = np.linspace(0, 1, 100)
    drawn = np.stack([leader, leader + 0.01, leader + np.linspace(-1, 1, 100)], axis=1)
    assert judging.undecided(drawn, np.array([True, False, False])).tolist() == [False, False, True]


@pytest.mark.parametrize(("value", "text"), [(12.34567, "12.35 [11, 13]"), (0.5, "0.5 [11, 13]")])
def test_numbers_have_four_figures(value, text):
    assert judging.with_interval(value, 11.0, 13.0) == text


def rows(model, *values, **more):
    made = [
        Score("b", 1, model, "model", "p", f"u{u}", 0, "x", "all", "lower", v, 0, 0, 1, "ok", "", "")
        for u, v in enumerate(values)
    ]
    return [row._replace(**more) for row in made]


def test_units_cells_and_models_as_an_array():
    both = components(
        table([*rows("a", 1, 2), *rows("b", 3, 4), *rows("a", 5, criterion="disc"), *rows("b", 6, criterion="disc")])
    )
    array = judging.by_unit(both, judging.layout(both))
    assert np.array_equal(array, [[[1, 3], [5, 6]], [[2, 4], [np.nan, np.nan]]], equal_nan=True)


def test_the_intervals_of_the_runner_stand_where_its_values_stand():
    made = [*rows("a", 1, 2, lo=0.5, hi=3), *rows("b", 3, lo=2.5, hi=9), *rows("b", 4, unit="u1", lo=np.nan, hi=np.nan)]
    scores = table(made[::-1])
    lo, hi = judging.filled(scores, components(scores))
    order = [list(components(scores).values.index).index(m) for m in "ab"]
    places = [list(components(scores).values.columns.get_level_values("unit")).index(u) for u in ("u0", "u1")]
    assert np.array_equal(lo[order][:, places], [[0.5, 0.5], [2.5, np.nan]], equal_nan=True)
    assert np.array_equal(hi[order][:, places], [[3, 3], [9, np.nan]], equal_nan=True)


def test_rounding_as_printed():
    some = components(table(rows("a", 0.214, 0.206)))
    assert judging.rounded(some, 2).values.to_numpy().tolist() == [[0.21, 0.21]]
    assert judging.rounded(some, None) is some


@pytest.mark.parametrize(("units", "said"), [(1, "only 1 unit: "), (4, "only 4 units: "), (5, None)])
def test_small_datasets(units, said):
    notes = judging.small(judging.layout(components(table(rows("a", *range(units))))))
    assert [note.startswith(said) for note in notes] == ([True] if said else [])
