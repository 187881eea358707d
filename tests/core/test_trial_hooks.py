"""A benchmark may say of a kind of model that nothing of it applies: rows with a sentence, and it is not asked."""

import pytest

import beholder as bh
import toys
from beholder.core.cite import source
from beholder.verdicts.components import components

WHY = "it is blind"


def unfit(facts):
    """Blind models have nothing to say here."""
    return WHY if facts.get("kind") == "blind" else ""


@source("", kind="blind")
def blind(patch):
    """Fails if it is asked."""
    raise RuntimeError("asked")


@pytest.fixture(scope="module")
def bench():
    return toys.vary(toys.opinions(), exclude=unfit)


def test_a_model_of_that_kind_is_not_asked_and_all_its_rows_say_why(bench):
    rows = bh.run(bench, {"it": blind}, jobs=0)
    own = rows[rows["model"] == "it"]
    assert set(own["state"]) == {"na"}
    assert set(own["reason"]) == {WHY}
    assert set(rows["measure"]) == set(own["measure"])


def test_the_others_are_compared_as_without_it(bench):
    before, after = components(bh.run(toys.opinions(), jobs=0)), components(bh.run(bench, {"it": blind}, jobs=0))
    assert after.values.equals(before.values)
    assert after.left_out == {**before.left_out, "it": f"nothing applies: {WHY}"}
