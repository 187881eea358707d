import numpy as np

from beholder.core.scores import table
from beholder.verdicts.components import components
from beholder.verdicts.layout import by_unit, layout, measure_labels


def test_the_layout_of_components(found):
    lay = layout(found(("x", "all", "p", "1"), ("x", "disc", "p", "1"), ("x", "all", "q", "1"), ("y", "all", "q", "*")))
    assert lay.units.tolist() == [0, 0, 1, 2]
    assert lay.cells.tolist() == [0, 1, 0, 2]
    assert lay.names == ("x (all)", "x (disc)", "y (all)")
    assert lay.strata.tolist() == [0, 0, 1]
    assert lay.drawable
    assert lay.resampled.tolist() == [True, True, False]
    assert lay.once.tolist() == [False, True, True]
    assert lay.without(lay.resampled) == ["y (all)"]


def test_variants_are_cells_of_their_own(rows):
    both = components(table([*rows("a", 1, 2, settings="k=1"), *rows("a", 3, 4, settings="k=2")]))
    assert layout(both).names == ("x(k=1) (all)", "x(k=2) (all)")
    assert measure_labels(both) == ["x(k=1)", "x(k=1)", "x(k=2)", "x(k=2)"]


def test_nothing_can_be_drawn_from_single_units(found):
    assert not layout(found(("x", "all", "p", "*"), ("y", "all", "p", "turns"))).drawable


def test_units_cells_and_models_as_an_array(rows):
    both = components(
        table([*rows("a", 1, 2), *rows("b", 3, 4), *rows("a", 5, criterion="disc"), *rows("b", 6, criterion="disc")])
    )
    array = by_unit(both.values.to_numpy(), layout(both))
    assert np.array_equal(array, [[[1, 3], [5, 6]], [[2, 4], [np.nan, np.nan]]], equal_nan=True)
