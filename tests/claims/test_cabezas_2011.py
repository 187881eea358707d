import numpy as np
import pytest

from beholder.claims.cabezas_2011 import inversions, outcomes, remembered, rows_of, section
from beholder.evaluation.run import run
from beholder.stereo.benchmarks.published import published
from beholder.stereo.published import REGIONS, SCENES, in_table, rows

pytestmark = pytest.mark.slow  # whole runs


@pytest.fixture(scope="module")
def scores():
    return run(published(), jobs=0)


@pytest.fixture(scope="module")
def online(scores):
    return rows_of(scores, [name for name, row in rows().items() if row.online])


@pytest.fixture(scope="module")
def page(scores):
    return section(scores)


@pytest.fixture(scope="module")
def sets(online):
    return {(one.table, one.relation): one for one in outcomes(online)}


def vectors(names, regions):
    return {
        name: np.array([rows()[name].answers[scene].values[r] for scene in SCENES for r in regions]) for name in names
    }


def undominated(names, regions, strong=False):
    """By the definition, pair by pair, on what is known of both."""

    def dominates(a, b):
        held = ~np.isnan(a) & ~np.isnan(b)
        a, b = a[held], b[held]
        return bool((a < b).all()) if strong else bool((a <= b).all() and (a < b).any())

    table = {name: v for name, v in vectors(names, regions).items() if not np.isnan(v).all()}
    return {b for b in table if not any(dominates(table[a], table[b]) for a in table if a != b)}


def test_the_sets_are_what_the_definition_says(sets):
    names = [name for name, row in rows().items() if row.online]
    local = [name for name in names if rows()[name].facts.get("family") == "local"]
    semi = ("nonocc", "disc")
    for strong in (False, True):
        relation = "strong" if strong else "pareto"
        assert set(sets["2", relation].found.best) == undominated(names, REGIONS, strong)
        assert set(sets["3", relation].found.best) == undominated(names, semi, strong)
        assert set(sets["4", relation].found.best) == undominated(local, semi, strong)


@pytest.mark.parametrize(
    ("table", "relation", "kept", "missing", "extra"),
    [
        ("2", "pareto", 15, ["GlobalGCP"], []),
        ("2", "strong", 16, [], []),
        ("3", "pareto", 11, ["AdaptingBP", "Undr+OvrSeg"], []),
        ("3", "strong", 11, ["AdaptingBP", "Undr+OvrSeg"], ["GlobalGCP"]),
        ("4", "pareto", 6, ["LocallyConsist"], ["FastAggreg"]),
    ],
)
def test_tables_2_to_4_come_out_as_far_as_they_do(sets, table, relation, kept, missing, extra):
    one = sets[table, relation]
    assert (len(one.kept), one.missing, one.extra) == (kept, missing, extra)


def test_table_4_is_tested_on_the_six_whose_numbers_are_known(sets):
    one = sets["4", "pareto"]
    assert sorted(one.kept) == sorted(one.testable)
    assert set(one.claimed) - set(one.testable) == {"LocallyConsist"}


def test_the_order_of_table_1_has_one_inversion(online):
    ordered, pairs = inversions(online)
    assert pairs == [("GC+SegmBorder", "GlobalGCP")]
    assert [name for name in ordered if name in in_table("1")] == [n for n in in_table("1") if n != "ObjectStereo"]
    assert len(inversions(online, "min")[1]) == 2


def test_the_other_readings_of_the_vector_fit_far_worse(page):
    table = page.split("| reading of the error vector | table 2 | table 3 |")[1].split("\n\n")[0].splitlines()
    cells = [[int(cell.split()[0]) for cell in line.split(" | ")[1:]] for line in table[2:]]
    assert cells == [[15, 11], [4, 1], [8, 4]]


def test_remembered_rows_are_counted():
    assert remembered(in_table("2")) == "12 of 16 rows from memory"
    assert remembered(["SemiGlob"]) == "1 of 1 row from memory"  # its nonocc numbers alone were read


def test_the_page(page):
    assert "| table 2 | strong | 16 of 16 | none | none | 12 of 16 rows from memory |" in page
    assert "| pareto | 6 of 6 testable, of 7 | LocallyConsist | FastAggreg | 5 of 6 rows from memory |" in page
    assert "5 layers of 4, 14, 6, 5, 3" in page
    assert "does not reproduce the paper" in page
    assert "- GlobalGCP: table 2 (pareto): dominated by CoopRegion" in page
    for line in page.splitlines():
        assert not line.startswith("|") or line.endswith("|")
