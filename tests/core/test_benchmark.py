"""Criteria that stand aside: measured, shown, and not judged."""

import pytest

import beholder as bh
import toys
from beholder.core.benchmark import Criterion
from beholder.errors import Misuse
from beholder.evaluation import record
from beholder.evaluation.sections import sections
from beholder.judges.mean_rank import mean_rank
from beholder.reports._view import tables


def bench(**change):
    return toys.vary(toys.opinions(), judges=(mean_rank,), people=None, **change)


ASIDE = Criterion("aside", lambda observed, reference: toys.mean_rating(-10 * observed, reference))
MODELS = {"true": lambda patch: float(patch.mean()), "off": lambda patch: float(patch.mean()) + 0.3}


@pytest.fixture(scope="module")
def scores():
    return bh.run(bench(shown_within=(ASIDE,)), MODELS, jobs=0)


def test_every_measure_is_confined_to_them(scores):
    assert set(scores["criterion"]) == {"mean", "aside"}
    assert scores.groupby("criterion")["measure"].nunique().nunique() == 1


def test_the_verdict_is_what_it_would_be_without_them(scores):
    told = bench(shown_within=(ASIDE,)).judge(scores)
    plain = bench().judge(bh.run(bench(), MODELS, jobs=0))
    assert told.says == plain.says
    assert told.standing.equals(plain.standing)
    judged = bench(criteria=(*bench().criteria, ASIDE))
    assert not judged.judge(scores).standing.equals(plain.standing)  # they would have mattered


def test_a_report_shows_them_beside(scores, tmp_path):
    bh.save(tmp_path / "run", scores, bench(shown_within=(ASIDE,)))
    (section,) = sections([record.read(tmp_path / "run")])
    table = tables(section)[0]
    assert {cell.criterion for cell in table.judged.cells} == {"mean"}
    assert "aside" in {cell.criterion for cell in table.unjudged.cells}
    assert section.verdicts[0].says == bench().judge(scores[scores["criterion"] == "mean"]).says


def test_a_name_is_used_once():
    with pytest.raises(Misuse, match="the criterion 'mean' twice"):
        bench(shown_within=(Criterion("mean", toys.mean_rating),))
