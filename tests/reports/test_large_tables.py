"""Texts of a large table are categories: judges, views and comparisons say what they say of texts."""

import pandas as pd
import pytest

import beholder as bh
from beholder.core import scores as table
from beholder.evaluation.record import read
from beholder.evaluation.sections import sections
from beholder.registry.find import find, names
from beholder.verdicts.compare import compare


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """A run read back as a small table and as a large one."""
    dots = bh.load("stereo/dense", dataset="random_dots(count=3,size=64)")
    folder = bh.save(tmp_path_factory.mktemp("run"), bh.run(dots, jobs=0), dots)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "LARGE", 0)
        large = read(folder)
    return read(folder), large


def test_it_is_the_same_table_with_categories(both, tmp_path):
    small, large = (run.scores for run in both)
    assert large["model"].dtype == "category"
    assert list(large["unit"].cat.categories) == sorted(set(small["unit"]))
    assert small["model"].dtype == "object"
    assert table.plain(large).equals(small)
    assert large.memory_usage(deep=False).sum() < small.memory_usage(deep=False).sum() / 2


def test_tables_that_are_joined_keep_their_categories(both, monkeypatch):
    small, large = (run.scores for run in both)
    monkeypatch.setattr(table, "LARGE", len(small))
    other = small.assign(model="another", unit="elsewhere")  # few rows, whose texts are texts
    joined = table.join_tables([large, other])
    assert all(joined[name].dtype == "category" for name in table.TEXTS)
    assert list(joined["model"].cat.categories) == sorted({*small["model"], "another"})
    assert table.plain(joined).equals(table.plain(pd.concat([small, other], ignore_index=True)))


@pytest.mark.parametrize("judge", names("judges"))
def test_a_judge_says_the_same(both, judge):
    verdicts = [find("judges", judge)(run.scores) for run in both]
    assert verdicts[0].says == verdicts[1].says
    assert verdicts[0].standing.equals(verdicts[1].standing)


@pytest.mark.parametrize("view", sorted({*names("reports")} - {"csv"}))
def test_a_view_shows_the_same(both, view):
    small, large = (str(find("reports", view)(sections([run]))) for run in both)
    assert small == large


def test_a_comparison_finds_the_same(both):
    small, large = (compare(run.scores, "block", "sgbm") for run in both)
    assert small.says == large.says
    assert small.units.equals(large.units)
