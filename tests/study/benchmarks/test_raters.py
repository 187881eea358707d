import json

import numpy as np
import pandas as pd
import pytest

from beholder.core.model_code import freeze
from beholder.core.scores import table as in_columns
from beholder.evaluation.record import save
from beholder.evaluation.run import run
from beholder.evaluation.sections import report
from beholder.registry.load import load
from beholder.stats import rater_agreement
from beholder.study.models.icc import icc
from beholder.study.ratings import clean
from beholder.study.tables import Coefficient, Table, tables
from toys import score

ITEMS, RATERS = 60, 6


def rated(seed=0):
    """A dimension on which raters agree, with gaps; one on which they do not; one that is the same everywhere."""
    rng = np.random.default_rng(seed)
    rows = []
    for item, quality in enumerate(rng.normal(size=ITEMS)):
        for rater in range(RATERS):
            told = {"beauty": np.clip(round(quality + rng.normal()), -2, 2), "noise": rng.integers(1, 6), "flat": 3}
            if rng.random() < 0.2:
                del told["beauty"]
            rows += [(f"i{item}", f"g{item // 3}", name, f"r{rater}", value) for name, value in told.items()]
    table = pd.DataFrame(rows, columns=["item", "group", "dimension", "rater", "value"])
    raters = {f"r{at}": {"sex": "fm"[at % 2], "name": f"person {at}"} for at in range(RATERS)}
    return clean(table, raters=raters)


RATED = rated()


def half(table):
    return 0.5, 0.4, 0.6


def wild(table):
    return 7.0


@pytest.fixture(scope="module")
def bench():
    return load("study/raters", dataset=RATED.dataset("mine"))


@pytest.fixture(scope="module")
def scores(bench):
    return run(bench, {"half": half, "wild": wild})


def row(scores, model, unit, part=""):
    (found,) = scores[(scores[["model", "unit", "part"]] == [model, unit, part]).all(axis=1)].itertuples()
    return found


def array(dimension):
    own = RATED.table[RATED.table["dimension"] == dimension]
    return own.pivot_table(index="item", columns="rater", values="value")


def test_every_coefficient_is_a_model_on_every_dimension(scores):
    x = array("beauty").to_numpy()
    expected = {"fleiss": rater_agreement.fleiss(x), "gwet": rater_agreement.gwet(x), "icc": rater_agreement.icc(x)}
    for level in ("nominal", "ordinal", "interval"):
        expected[f"krippendorff_{level}"] = rater_agreement.krippendorff(x, level=level)
    for model, value in expected.items():
        found = row(scores, model, "beauty")
        assert (found.role, found.criterion, found.state, found.n) == ("baseline", "beauty", "ok", ITEMS)
        assert found.value == pytest.approx(value)
        assert found.lo < found.value < found.hi
    assert not scores.duplicated(["model", "unit", "part"]).any()  # no dimension within another


def test_raters_of_one_kind_are_parts(scores):
    women = array("beauty")[["r0", "r2", "r4"]].to_numpy()
    assert row(scores, "icc", "beauty", "sex=f").value == pytest.approx(rater_agreement.icc(women))
    assert set(scores["part"]) == {"", "sex=f", "sex=m"}  # a name is nobody else's


def test_intervals_draw_groups(bench):
    table = bench.dataset[0].stimulus
    assert set(table.clusters) == {f"g{at}" for at in range(ITEMS // 3)}
    found, alone = (load("study/raters", dataset=of.dataset("mine")).dataset[0].stimulus for of in (RATED, ungrouped()))
    assert len(set(alone.clusters)) == ITEMS
    assert found.values == pytest.approx(alone.values, nan_ok=True)


def ungrouped():
    return clean(RATED.table.drop(columns="group"))


def test_the_sentence_says_on_what_raters_agree(bench, scores):
    verdict = bench.judge(scores)
    assert verdict.best == ()
    beauty, noise = (row(scores, "krippendorff_ordinal", name) for name in ("beauty", "noise"))
    complete = int(array("beauty").notna().all(axis=1).sum())
    assert verdict.says == (
        f"raters agree on beauty: Krippendorff's α (ordinal) {beauty.value:.2f} [{beauty.lo:.2f}, {beauty.hi:.2f}] "
        f"(6 raters, 60 items, {complete} of them rated by all); no agreement beyond chance was found on noise: "
        f"{noise.value:.2f} [{noise.lo:.2f}, {noise.hi:.2f}] (6 raters, 60 items); "
        "undefined on flat (every rating is the same)"
    )
    assert verdict.standing.loc["half", ["beauty", "beauty lo", "beauty hi"]].tolist() == [0.5, 0.4, 0.6]


def test_one_size_is_said_once_and_the_scale_is_chosen(scores):
    noisy = scores[scores["unit"] == "noise"]
    nominal = load("study/raters", dataset=RATED.dataset("mine"), scale="nominal").judge(noisy)
    assert nominal.says.startswith("no agreement beyond chance was found on noise: Krippendorff's α (nominal) -0.0")
    assert nominal.says.endswith("; 6 raters, 60 items")


def test_what_is_undefined_says_why(scores):
    assert row(scores, "fleiss", "flat")[-3:-1] == ("na", "every rating is the same")
    no_two = Table(np.array([[1, 2, np.nan], [2, 2, np.nan], [np.nan, 1, 1]]))
    assert icc(no_two, form="2,1").reason == "fewer than two items were rated by all raters"
    lonely = load("study/raters", dataset=clean(pd.DataFrame({"item": ["a", "b"], "value": [1, 2]})).dataset("means"))
    assert lonely.judge(run(lonely, {})).says == "agreement is undefined: there is one rater"


def test_raters_who_answer_at_random_are_blind(scores):
    found = row(scores, "random_raters", "beauty")
    assert found.role == "blind"
    assert found.lo < 0 < found.hi
    assert found.value == pytest.approx(0, abs=0.02)


def test_a_bad_answer_is_a_row(scores):
    found = row(scores, "wild", "noise")
    assert (found.state, "got 7.0; expected a coefficient" in found.reason) == ("failed", True)


@pytest.mark.parametrize("rubbish", [None, object(), True, "0.5", {}, (), (0.5, "low", 1.0)])
def test_rubbish_is_refused(bench, rubbish):
    with pytest.raises(ValueError, match=r"got .*; expected a coefficient"):
        bench.accept(rubbish, bench.dataset[0].stimulus)


def test_a_coefficient_that_is_undefined_may_say_so(bench):
    assert np.isnan(bench.accept(float("nan"), bench.dataset[0].stimulus).value)
    assert bench.accept(Coefficient(np.float32(0.5)), bench.dataset[0].stimulus) == Coefficient(0.5)


def test_intervals_over_many_items_are_not_called_rough(bench, scores, tmp_path):
    save(tmp_path / "run", scores[scores["model"] != "half"], bench)
    text = report(tmp_path / "run")
    assert "Raters agree on beauty" in text
    assert "rough" not in text


def test_two_tables_stand_side_by_side(bench):
    rows = [score("krippendorff_ordinal", "quality", value, lo=0.1, hi=0.9, benchmark="study/raters", dataset=name,
                  measure="agreement", criterion="quality", reason="3 raters, 9 items")
            for name, value in (("one", 0.5), ("two", 0.6))]  # fmt: skip
    verdict = bench.judge(in_columns(rows))
    assert "on one quality: Krippendorff's α (ordinal) 0.50 [0.10, 0.90]; two quality: 0.60" in verdict.says
    assert list(verdict.standing.columns)[::3] == ["one quality", "two quality"]


def test_some_items_of_a_dataset_are_a_table_too():
    whole, part = RATED.dataset("mine"), RATED.dataset("mine")[:20]
    assert tables(part)[1].stimulus.values == pytest.approx(tables(whole)[1].stimulus.values[:20])
    assert tables(part).fingerprint != tables(whole).fingerprint


def test_the_stimulus_is_read_only_and_tells_nobody_by_name(bench):
    sample = bench.dataset[0]
    freeze(sample.stimulus)
    assert isinstance(sample.stimulus, Table)
    assert "r0" not in json.dumps([sample.stimulus.clusters, list(sample.stimulus.kinds)])
