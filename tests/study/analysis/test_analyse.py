"""An export comes back as the source's tables: numbers by hand, effects that were put in, and both samples."""

import csv
import math

import numpy as np
import pytest
from scipy.stats import binomtest, false_discovery_control

import study_exports
from beholder.errors import Misuse
from beholder.stats import rater_agreement, signal_detection
from beholder.study.analysis.analyse import analyse
from beholder.study.analysis.answers import read
from beholder.study.design.simulation import Crowd

CROWD = Crowd(dprime=0.5, criterion=0.1, bias=0.3, skill=0.3, items=0.6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return study_exports.write(tmp_path_factory.mktemp("export"), people=80, crowd=CROWD, excluded=(0, 7), seed=4)


@pytest.fixture(scope="module")
def found(folder):
    return analyse(folder)


def rows(folder, name="answers"):
    with (folder / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def test_the_sources_table_is_the_mean_and_sd_over_participants(found, folder):
    kept = {row["session"]: row["kind"] for row in rows(folder, "sessions") if not row["excluded"]}
    own = {}
    for row in rows(folder):
        if row["use"] == "trial" and row["session"] in kept:
            own.setdefault(row["session"], []).append(row)
    table = {row.what: row for row in found.findings.shares}
    right = [np.mean([r["value"] == r["class"] for r in mine]) for mine in own.values()]
    assert table["accuracy"].mean.value == pytest.approx(np.mean(right))
    assert table["accuracy"].sd == pytest.approx(np.std(right, ddof=1))
    expert = [share for share, session in zip(right, own, strict=True) if kept[session] == "expert"]
    assert table["accuracy, expert"].mean.value == pytest.approx(np.mean(expert))
    assert table["accuracy, expert"].people == len(expert)
    called = {
        kind: np.mean([np.mean([r["value"] == "human" for r in mine if r["class"] == kind]) for mine in own.values()])
        for kind in ("human", "synthetic")
    }
    assert table["human labelled human"].mean.value == pytest.approx(called["human"])
    assert table["synthetic labelled human"].mean.value == pytest.approx(called["synthetic"])
    assert table["labelled human"].mean.value == pytest.approx(np.mean(list(called.values())))
    assert all(row.mean.lo < row.mean.value < row.mean.hi for row in table.values())


def test_dprime_is_that_of_the_counts_and_its_interval_holds_the_truth(found, folder):
    kept = {row["session"] for row in rows(folder, "sessions") if not row["excluded"]}
    answers = [row for row in rows(folder) if row["use"] == "trial" and row["session"] in kept]
    hits, alarms = (
        sum(r["value"] == "human" for r in answers if r["class"] == kind) for kind in ("human", "synthetic")
    )
    by_hand = signal_detection.detection(hits, len(answers) / 2, alarms, len(answers) / 2)
    detected = found.findings.detected
    assert detected.dprime.value == pytest.approx(float(by_hand.dprime))
    assert detected.criterion.value == pytest.approx(float(by_hand.criterion))
    over_all = 0.5 / math.sqrt(1 + 0.3**2 + 0.6**2 + 0.3**2 / 4)  # what people and items differ by blurs it
    assert detected.dprime.lo < over_all < detected.dprime.hi
    spread = found.findings.spread
    assert spread.dprime.lo < 0.5 < spread.dprime.hi
    assert spread.items.lo < 0.6 < spread.items.hi
    assert spread.bias.lo < 0.3 < spread.bias.hi


def test_kappa_is_that_of_unequal_raters_and_the_others_stand_beside_it(found, folder):
    kept = [row["session"] for row in rows(folder, "sessions") if not row["excluded"]]
    items = [row["item"] for row in rows(folder, "items")]
    table = np.full((len(items), len(kept)), np.nan)
    for row in rows(folder):
        if row["use"] == "trial" and row["session"] in kept:
            table[items.index(row["item"]), kept.index(row["session"])] = row["value"] == "human"
    agreed = {row.what: row for row in found.findings.agreement}
    assert set(agreed) == {"all", "expert", "naive", "human items", "synthetic items"}
    assert agreed["all"].kappa.value == pytest.approx(rater_agreement.fleiss(table))
    assert agreed["all"].alpha == pytest.approx(rater_agreement.krippendorff(table, level="nominal"))
    assert agreed["all"].ac1 == pytest.approx(rater_agreement.gwet(table))
    assert agreed["all"].raw == pytest.approx((agreed["all"].randolph + 1) / 2)
    assert agreed["human items"].kappa.value == pytest.approx(rater_agreement.fleiss(table[:60]))
    assert 2 / math.pi * math.asin(0.36 / 1.47) == pytest.approx(agreed["all"].kappa.value, abs=0.08)
    assert agreed["all"].kappa.lo < 2 / math.pi * math.asin(0.36 / 1.47) < agreed["all"].kappa.hi


def test_every_number_stands_there_with_and_without_the_rules(found):
    assert found.excluded == {"checks": ("p000", "p007")}
    assert (found.kept.participants, found.everybody.participants) == (78, 80)
    assert found.findings is found.kept
    text = found.text()
    assert "exclude 2 of 80 (checks: 2)" in text
    assert text.count("with everybody") >= 4


def test_parts_are_by_stimulus_by_kind_and_by_both(found):
    parts = {(part.stimulus, part.kind): part for part in found.findings.parts}
    assert set(parts) == {("film", None), ("picture", None)} | {
        (stimulus, kind) for stimulus in ("", "film", "picture") for kind in ("expert", "naive")
    }
    answers = sum(part.detected.answers for (stimulus, kind), part in parts.items() if stimulus and kind)
    assert answers == found.findings.answers


def test_items_are_tested_exactly_and_corrected_for_their_number(found):
    items = found.findings.items
    assert len(items) == 120
    assert [row.share for row in items] == sorted((row.share for row in items), reverse=True)
    assert all(row.lo <= row.share <= row.hi and row.of >= 2 for row in items)
    assert all((row.told == "too few answers to tell") == (row.of < 5) for row in items)
    assert all(math.isnan(row.p) for row in items if row.of < 5)
    tested = [row for row in items if row.enough]
    by_scipy = [binomtest(row.of - row.held if row.kind == "human" else row.held, row.of, alternative="greater").pvalue
                for row in tested]  # fmt: skip
    assert [row.p for row in tested] == pytest.approx(by_scipy)
    assert [row.q for row in tested] == pytest.approx(false_discovery_control(by_scipy))


def test_the_first_line_is_the_answer(found):
    assert found.text().splitlines()[2].startswith("People can tell human from synthetic: ")


def test_guessing_is_shown_by_equivalence_and_else_open(tmp_path):
    nothing = Crowd(dprime=0.0, bias=0.1, items=0.1)
    few, many = (
        analyse(study_exports.write(tmp_path / str(people), people=people, crowd=nothing, seed=5))
        for people in (20, 300)
    )
    assert "These answers do not settle whether people can tell human from synthetic" in few.text()
    assert not few.findings.detected.equivalence.equivalent
    assert "People cannot tell human from synthetic" in many.text()
    assert many.findings.detected.equivalence.p < 0.05


def test_what_is_written_can_be_read_again(found, tmp_path):
    files = found.write(tmp_path / "out")
    names = {file.name for file in files}
    assert {"analysis.md", "analysis.html", "shares.csv", "agreement.csv", "accuracy.svg", "items.svg"} <= names
    table = rows(tmp_path / "out", "shares")
    assert {row["sample"] for row in table} == {"rules", "everybody"}
    assert float(table[0]["mean"]) == pytest.approx(found.findings.shares[0].mean.value, abs=1e-5)
    page = (tmp_path / "out" / "analysis.html").read_text()
    assert "http" not in page.replace('xmlns="http', "")
    assert (tmp_path / "out" / "accuracy.svg").read_bytes() == found.write(tmp_path / "again")[-2].read_bytes()


def test_strangers_texts_make_no_markup(tmp_path):
    title = "<script>alert(1)</script> | x"
    found = analyse(study_exports.write(tmp_path / "x", people=6, changes={"title": title}))
    found.write(tmp_path / "out")
    assert "<script>" not in (tmp_path / "out" / "analysis.html").read_text()
    assert "<script>" not in (tmp_path / "out" / "analysis.md").read_text()


def test_several_systems_are_ranked(tmp_path):
    made = study_exports.study()
    systems = {60 + at: name for at, name in enumerate(("good", "bad") * 30)}
    items = [item | {"system": systems.get(at, item["system"])} for at, item in enumerate(made["items"])]
    folder = study_exports.write(tmp_path / "x", people=40, crowd=Crowd(dprime=0.0), changes={"items": items})
    answers = rows(folder)
    for row in answers:  # of "bad" nobody believes much
        if row["system"] == "bad" and int(row["position"]) % 5:
            row["value"] = "synthetic"
    sessions = rows(folder, "sessions")
    found = analyse(study_exports.written(folder, made | {"items": items}, answers, sessions))
    (ranking,) = found.findings.rankings
    assert [one.system for one in ranking.systems][-1] == "bad"
    assert {one.system for one in ranking.systems} == {"human", "good", "bad"}  # people are one maker
    assert ranking.systems[-1].strength.hi < ranking.systems[0].strength.lo


@pytest.mark.parametrize("lacking", ["answers.csv", "study.json"])
def test_a_folder_that_is_no_export_is_refused(folder, tmp_path, lacking):
    for file in folder.iterdir():
        if file.name != lacking:
            (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(Misuse, match=rf"without {lacking}; expected a folder"):
        read(tmp_path)
    with pytest.raises(Misuse, match="which is not a folder"):
        analyse(tmp_path / "none")


@pytest.mark.parametrize(
    ("text", "says"), [("nonsense", r"got a file; expected JSON \(expected"), ("{}", "name: missing")]
)
def test_a_study_that_cannot_be_read_is_told_in_a_whole_sentence(folder, tmp_path, text, says):
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "study.json").write_text(text)
    with pytest.raises(Misuse, match=rf"study.json differs from the study that was served: {says}.*; export it again"):
        read(tmp_path)


def test_withdrawn_sessions_are_not_used(folder, tmp_path):
    sessions = rows(folder, "sessions")
    sessions[5] = sessions[5] | {"outcome": "withdrawn"}
    export = read(study_exports.written(tmp_path / "x", study_exports.study(), rows(folder), sessions))
    assert "p005" not in set(export.answers["session"])
    assert export.remarks == ("not used are the answers of these sessions: withdrawn (1)",)
