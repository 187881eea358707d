import pandas as pd
import pytest

from beholder.core.verdict import Known, Verdict
from beholder.verdicts.against_blind import COLUMNS
from beholder.verdicts.skill import COLUMNS as SKILL
from beholder.verdicts.trust import Basis, trust

BASIS = Basis(8, ("mit1003",), Known(people=("recorded",)))
NOTHING = pd.DataFrame(columns=SKILL)


def verdict(best, *others, tied=(), method="mean rank", untested=""):
    standing = pd.DataFrame({"mean_rank": range(1 + len(others) + len(best) - 1)}, index=[*best, *others])
    return Verdict(method, tuple(best), standing, "finding", tied=tuple(tied), untested=untested)


def blind(**outcomes):
    rows = [(model, m, "", "all", "centre", 0.1, 0.0, 0.2, 8, one)
            for model, own in outcomes.items() for m, one in own.items()]  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def line(*verdicts, against=None, skill=NOTHING, basis=BASIS):
    return trust(verdicts, blind() if against is None else against, skill, basis)


def test_a_clear_winner():
    found = line(verdict(["a"], "b"), against=blind(a={"nss": "better"}, b={"nss": "worse"}))
    assert str(found) == (
        "a is best of 2 models. It beats every blind model. Judged on 8 units of mit1003; real people, recorded."
    )


def test_equals_are_named_beside_the_leader():
    found = line(verdict(["a"], "b", "c", tied=["c"]), against=blind(a={"nss": "hardly"}))
    assert found.answer == "No clear winner among 2 of 3 models: a, c."
    assert found.blind == "a is ahead of every blind model, but not significantly."
    assert line(verdict(["a"], "b", tied=["b"])).answer == "No clear winner among 2 models."
    both = line(verdict(["a"], "b", tied=["b"]), against=blind(a={"nss": "better"}, b={"nss": "hardly"}))
    assert both.blind == "a beats every blind model; b is ahead of every blind model, but not significantly."
    neither = line(verdict(["a"], "b", tied=["b"]), against=blind(a={"nss": "hardly"}, b={"nss": "hardly"}))
    assert neither.blind == "Both are ahead of every blind model, but not significantly."
    sure = line(verdict(["a"], "b", tied=["b"]), against=blind(a={"nss": "better"}, b={"nss": "better"}))
    assert sure.blind == "Both beat every blind model."
    one = line(verdict(["a"], "b", tied=["b"]), against=blind(a={"nss": "better"}, b={"nss": "worse"}))
    assert one.blind == "a beats every blind model; b is not ahead of every blind model."


def test_a_leader_that_loses_to_a_blind_model_is_not_called_best():
    against = blind(bms={"nss": "worse", "cc": "equal", "auc": "better"}, gbvs={"nss": "worse", "cc": "worse"})
    found = line(verdict(["bms"], "gbvs"), against=against)
    assert found.answer == "No model is ahead of the blind model centre on nss, cc."
    assert found.blind == ""
    against = blind(bms={"nss": "worse"}, gbvs={"nss": "better"})
    found = line(verdict(["bms"], "gbvs"), against=against)
    assert found.answer == "No model is called best: bms leads, but is not ahead of the blind model centre on nss."


def test_the_brief_line_has_25_words_at_the_most():
    better, worse = blind(a={"nss": "better"}, b={"nss": "better"}), blind(a={"nss": "worse", "cc": "equal"})
    assert line(verdict(["a"], "b"), against=better).brief == "a is best of 2 and beats the blind models."
    tied = line(verdict(["a"], "b", "c", tied=["b"]), against=better)
    assert tied.brief == "No clear winner: a, b beat the blind models."
    lost = line(verdict(["a"], "b"), against=worse)
    assert lost.brief == "No best model: a leads, but does not beat the blind model centre on 2 measures."
    rows = [("a", "x", "", "all", "centre", "people", 0.4, 0, 1, 8)]
    far = line(verdict(["a"], "b", "c", "d", tied="bcd"), against=worse, skill=pd.DataFrame(rows, columns=SKILL)).brief
    assert far.endswith("40 % of the way from blind to people.")
    assert len(far.split()) <= 25


def test_what_was_not_tested_is_said():
    found = line(verdict(["a"], "b", untested="4 units are too few to test the differences (6 are needed)"))
    assert found.answer == "a leads the 2 models; 4 units are too few to test the differences (6 are needed)."


def test_the_way_from_the_blind_model_to_people():
    rows = [("a", m, "", "all", "centre", "people", value, 0, 1, 8) for m, value in (("x", 0.2), ("y", 0.6))]
    found = line(verdict(["a"], "b"), skill=pd.DataFrame(rows, columns=SKILL))
    assert found.people == "It comes 40 % of the way from the best blind model to people (median of 2 measures)."
    none = pd.DataFrame([(*rows[0][:6], float("nan"), 0, 1, 8)], columns=SKILL)
    said = (
        "People are not significantly better than the blind models here, so progress towards people cannot be measured."
    )
    assert line(verdict(["a"], "b"), skill=none).people == said
    less = pd.DataFrame([(*rows[0][:6], -0.04, -1, 1, 8)], columns=SKILL)
    assert line(verdict(["a"], "b"), skill=less).people == "It is no closer to people than the best blind model."
    simulated = BASIS._replace(known=Known(people=("simulated",)))
    assert line(verdict(["a"], "b"), skill=pd.DataFrame(rows, columns=SKILL), basis=simulated).people == ""


def test_stand_ins_are_not_called_published():
    basis = BASIS._replace(known=Known(people=("published",)), status="placeholder")
    assert "some reference numbers are placeholders" in line(verdict(["a"], "b"), basis=basis).basis


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("simulated", "simulated observers: this says nothing about people"),
        ("published", "people's numbers are from publications"),
    ],
)  # fmt: skip
def test_the_kind_of_people_is_said(kind, said):
    found = line(verdict(["a"], "b"), basis=BASIS._replace(known=Known(people=(kind,))))
    assert found.basis == f"Judged on 8 units of mit1003; {said}."


def test_leading_models_that_were_tuned_on_such_stimuli_are_named():
    known = Known(tuned={"a": ("bars", "diamonds"), "far": ("bars",)})
    found = line(verdict(["a"], "b", "far", tied=["b"]), basis=BASIS._replace(known=known))
    assert found.tuned == "a was tuned on stimuli of this kind (bars, diamonds)."


def test_who_may_be_called_best():
    won = blind(a={"nss": "better"})
    assert line(verdict(["a"], "b", "c", tied=["c"]), against=won).best == ("a", "c")
    assert line(verdict(["a"], "b"), against=blind(a={"nss": "worse"})).best == ()
    assert line(verdict(["a"], "b", untested="4 units are too few"), against=won).best == ()


def test_judges_that_differ_are_named():
    first, second = verdict(["a"], "b", tied=["b"]), verdict(["a", "b"], method="significance")
    assert line(first, second).judges == "Both judges agree."
    third = verdict(["b"], "a", method="Pareto")
    assert line(first, third).judges == "The judges differ: unlike mean rank, Pareto rules out a."
