import numpy as np
import pytest

from beholder.spine import judging
from beholder.spine.scores import Score, components, table


def found(*places):
    rows = [
        Score("b", 1, "a", "model", bed, u, 0, k, c, "lower", 1.0, 0, 0, 1, "ok", "", "") for k, c, bed, u in places
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


def test_the_scope_names_measures_criteria_units_and_beds():
    places = [(k, c, bed, "1") for k, cs in (("x", ("all", "disc")), ("y", ("all",))) for c in cs for bed in "pq"]
    assert judging.scope(found(*places)) == "x (all, disc), y over 2 units of p, q"


def test_who_cannot_be_told_from_the_leader():
    leader = np.linspace(0, 1, 100)
    drawn = np.stack([leader, leader + 0.01, leader + np.linspace(-1, 1, 100)], axis=1)
    assert judging.undecided(drawn, np.array([True, False, False])).tolist() == [False, False, True]


@pytest.mark.parametrize(("value", "text"), [(12.34567, "12.35 [11, 13]"), (0.5, "0.5 [11, 13]")])
def test_numbers_have_four_figures(value, text):
    assert judging.with_interval(value, 11.0, 13.0) == text
