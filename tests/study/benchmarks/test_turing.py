"""A study's export is scored like everything else: participants are models, and the numbers are the analysis' own."""

import numpy as np
import pytest

import study_exports
from beholder.errors import Misuse
from beholder.evaluation.run import run
from beholder.registry.load import load
from beholder.registry.models import models
from beholder.study.analysis.analyse import analyse
from beholder.study.benchmarks.turing import told_apart
from beholder.study.datasets.answers import answers
from beholder.study.datasets.bluebirds import bluebirds
from beholder.study.datasets.ratings import ratings
from beholder.study.design.simulation import Crowd
from beholder.study.measures.turing import Said
from beholder.verdicts.summary import summary


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    crowd = Crowd(dprime=1.0, bias=0.3, items=0.3)
    return study_exports.write(tmp_path_factory.mktemp("export"), people=14, crowd=crowd, excluded=(2,))


@pytest.fixture(scope="module")
def bench(folder):
    return load("study/turing", dataset=f"answers:{folder}")


@pytest.fixture(scope="module")
def scores(bench, folder):
    return run(bench, dict(models(f"log:{folder}", bench)))


def value(scores, model, measure, part=""):
    rows = scores[(scores[["model", "measure", "part"]] == [model, measure, part]).all(axis=1)]
    return rows["value"].mean()


def test_every_participant_is_a_row_with_the_numbers_of_the_analysis(scores, folder):
    found = {person.session: person for person in analyse(folder).findings.people}
    assert len(found) == 13
    assert set(scores[scores["role"] == "person"]["model"]) == set(found)  # p002 is excluded by the rules
    for name, person in found.items():
        assert set(scores[scores["model"] == name]["role"]) == {"person"}
        assert value(scores, name, "accuracy") == pytest.approx(person.accuracy)
        assert value(scores, name, "dprime") == pytest.approx(person.dprime)
        assert value(scores, name, "dprime", "criterion") == pytest.approx(person.criterion)


def test_kinds_of_people_are_rows_and_what_most_say_is_better_than_one(scores, folder):
    kinds = {part.kind: part for part in analyse(folder).findings.parts if not part.stimulus}
    found = value(scores, "expert", "dprime")
    assert found == pytest.approx(kinds["expert"].detected.dprime.value)
    assert value(scores, "everybody", "dprime") == pytest.approx(analyse(folder).findings.detected.dprime.value)
    assert value(scores, "majority", "accuracy") > value(scores, "everybody", "accuracy") > 0.6
    assert value(scores, "coin", "accuracy") == 0.5
    assert value(scores, "truth", "accuracy") == 1
    assert value(scores, "always_signal", "accuracy") == 0.5
    assert value(scores, "always_signal", "dprime") == pytest.approx(0, abs=0.05)


def test_the_headline_is_about_people_and_says_over_what_is_averaged(scores, bench):
    verdict = told_apart(scores)
    judged = [sample.reference for sample in bench.dataset if sample.reference.said]
    shares = [np.mean([said == truth.signal for said in truth.said.values()]) for truth in judged]
    assert verdict.standing.loc["everybody", "right"] == pytest.approx(np.mean(shares))
    assert verdict.finding.startswith(f"participants are right in {100 * np.mean(shares):.0f} % [")
    assert (
        f"more often than by guessing (50 %; mean over {len(judged)} items; brackets hold for these participants "
        in (verdict.finding)
    )
    table = summary(scores)
    table = table[(table["measure"] == "accuracy") & (table["part"] == "")].set_index("model")
    for name, row in verdict.standing.iterrows():  # the same number has the same interval everywhere
        assert (row["lo"], row["hi"]) == (table.loc[name, "lo"], table.loc[name, "hi"])
    assert list(verdict.standing.index) == ["everybody", "expert", "naive", "majority"]
    assert verdict.best == ()
    assert "ceiling" not in set(scores["role"])  # people are no ceiling here: the truth is


def test_a_model_of_ones_own_is_in_the_headline(bench):
    found = told_apart(run(bench, {"mine": lambda item: True}))
    assert "mine 50 % [" in found.finding


def test_sessions_that_the_rules_exclude_are_no_reference_and_a_remark_says_so(bench):
    assert all("p002" not in sample.reference.said for sample in bench.dataset)
    assert "1 session is excluded by the study's rules and left out: p002" in bench.dataset.remarks


def test_the_item_does_not_tell_what_it_is(bench):
    for sample in bench.dataset:
        assert (sample.stimulus.system, dict(sample.stimulus.columns)) == ("", {})


def test_answers_are_words_flags_or_numbers(bench):
    item = bench.dataset[0].stimulus
    assert [bench.accept(raw, item) for raw in ("human", "synthetic", True, 0, "1")] == [
        Said(1), Said(0), Said(1), Said(0), Said(1)
    ]  # fmt: skip
    for wrong in ("robot", 2, float("nan")):
        with pytest.raises(ValueError, match=r"got .*; expected True for signal .*human, synthetic"):
            bench.accept(wrong, item)


def test_any_table_with_a_truth_will_do(tmp_path):
    assert load("study/turing", dataset=bluebirds()).dataset[0].reference.said
    table = tmp_path / "x.csv"
    table.write_text("item,rater,value\na,x,1\nb,x,0\n")
    with pytest.raises(Misuse, match="got no column called truth"):
        load("study/turing", dataset=ratings(table))
    table.write_text("item,rater,value,truth\na,x,1\nb,x,4,0\n".replace("a,x,1", "a,x,1,1"))
    with pytest.raises(Misuse, match="got grades; expected the answers of a yes/no study: 1"):
        load("study/turing", dataset=ratings(table))


def test_the_built_in_answers_are_marked_as_simulated():
    found = answers()
    assert "No person gave these answers" in found.about
    bench = load("study/turing")
    assert len(bench.dataset) == 48
    assert {sample.reference.status for sample in bench.dataset} == {"placeholder"}
    scores = run(bench, {})
    criterion = scores[(scores["part"] == "criterion") & (scores["model"] == "truth")]["value"]
    assert list(criterion) == [0.0]
    assert told_apart(scores).finding.startswith(
        "SIMULATED answers (status placeholder: no person gave them): participants are right in "
    )


def test_raters_read_the_same_folder(folder):
    made = load("study/raters", dataset=f"answers:{folder}")
    assert made.dataset.ids == ("human",)


def test_a_folder_that_is_no_export_is_no_log(bench, tmp_path):
    with pytest.raises(Misuse, match=r"without answers.csv; expected the folder of beholder study export"):
        models(f"log:{tmp_path}", bench)


def test_where_the_rules_exclude_everybody_the_benchmark_says_what_the_analysis_says(tmp_path):
    place = study_exports.write(tmp_path / "x", people=4, excluded=(0, 1, 2, 3))
    with pytest.raises(Misuse) as refused:
        load("study/turing", dataset=f"answers:{place}")
    said = "There is no result: the study's rules exclude all 4 participants (checks: 4)."
    assert said in str(refused.value)
    assert said in analyse(place).text()
