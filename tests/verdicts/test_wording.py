import pytest

from beholder.core.scores import table
from beholder.verdicts.components import components
from beholder.verdicts.layout import layout
from beholder.verdicts.notes import KINDS
from beholder.verdicts.wording import note_small, scope, with_interval


def test_the_scope_names_measures_criteria_units_and_datasets(found):
    where = [
        (k, c, dataset, "1") for k, cs in (("x", ("all", "disc")), ("y", ("all",))) for c in cs for dataset in "pq"
    ]
    assert scope(found(*where)) == "x (all, disc), y over 2 units of p, q"


def test_the_scope_names_variants(rows):
    some = components(table([*rows("a", 1, 2, settings="k=1"), *rows("a", 3, 4, settings="k=2", criterion="disc")]))
    assert scope(some) == "x(k=1), x(k=2) (disc) over 2 units of p"


@pytest.mark.parametrize(("value", "text"), [(12.34567, "12.35 [11, 13]"), (0.5, "0.5 [11, 13]")])
def test_numbers_have_four_figures(value, text):
    assert with_interval(value, 11.0, 13.0) == text


@pytest.mark.parametrize(("units", "begins"), [(1, "only 1 unit: "), (4, "only 4 units: "), (5, None)])
def test_small_datasets(rows, units, begins):
    notes = note_small(layout(components(table(rows("a", *range(units))))))
    assert [str(note).startswith(begins) for note in notes] == ([True] if begins else [])
    assert {note.kind for note in notes} <= set(KINDS)
