"""What the analysis says: of few people, of drop-outs, of simulated answers, of controls, repeats, order and cues."""

import csv
import json
import math
import re

import numpy as np
import pytest

import study_exports
from beholder.errors import Misuse
from beholder.stats.two_way import share_interval
from beholder.study.analysis import trials
from beholder.study.analysis.analyse import analyse
from beholder.study.analysis.answers import read
from beholder.study.analysis.controls import retest
from beholder.study.design.preset import preset
from beholder.study.design.simulation import Crowd
from study_exports import rows

CROWD = Crowd(dprime=0.6, bias=0.2, items=0.3)
CUE = {"name": "share of time at rest", "auc": 0.98, "lo": 0.95, "hi": 1.0, "n": 120, "says": "rest"}


@pytest.fixture(scope="module", autouse=True)
def _few_draws():
    """Enough for what is said here; how often intervals hold the truth is in benchmarks/study_coverage.py."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trials, "DRAWS", 400)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return study_exports.write(tmp_path_factory.mktemp("export"), people=30, crowd=CROWD, seed=8)


def rewritten(folder, place, made=None, answers=None, sessions=None):
    return study_exports.written(
        place, made or study_exports.study(), answers or rows(folder), sessions or rows(folder, "sessions")
    )


@pytest.mark.parametrize("people", [1, 2])
def test_of_fewer_than_three_people_there_is_no_interval_and_a_sentence_says_why(tmp_path, people):
    found = analyse(study_exports.write(tmp_path / "x", people=people))
    assert all(math.isnan(row.mean.lo) for row in found.findings.shares)
    assert math.isnan(found.findings.detected.dprime.lo)
    text = found.text()
    assert "nan" not in text
    assert "too few answers to say whether people can tell human from synthetic" in text
    assert "There are no intervals: they need 3 participants" in text
    assert (f"{people} participant{'s' if people > 1 else ''}") in text
    assert "1 participants" not in text
    files = found.write(tmp_path / "out")
    assert all("nan" not in file.read_text() for file in files if file.suffix in {".md", ".html", ".csv"})


def test_intervals_of_shares_stay_within_0_and_1(tmp_path):
    found = analyse(study_exports.write(tmp_path / "x", people=3, crowd=Crowd(dprime=6.0, bias=0.0, items=0.0)))
    for row in (row for row in found.findings.shares if row.people > 2):
        assert 0 <= row.mean.lo <= row.mean.value <= row.mean.hi <= 1
        assert row.mean.hi - row.mean.lo > 0.05  # though all are right
    assert share_interval(float("nan"), np.zeros(5), 3) == pytest.approx((math.nan, math.nan), nan_ok=True)


def test_of_one_class_alone_nothing_is_told_and_no_nan_is_shown(folder, tmp_path):
    answers = [row for row in rows(folder) if row["class"] == "synthetic" and row["session"] < "p008"]
    text = analyse(rewritten(folder, tmp_path / "x", answers=answers)).text()
    assert "There are too few answers to say whether people can tell human from synthetic" in text
    assert "nan" not in text


def test_items_with_few_answers_are_not_told(tmp_path):
    found = analyse(study_exports.write(tmp_path / "x", people=20, crowd=Crowd(dprime=-3.0)))  # 3 or 4 answers each
    assert {row.told for row in found.findings.items} == {"too few answers to tell"}
    assert "Too few answers to tell: 120 of 120 items" in found.text()
    many = analyse(study_exports.write(tmp_path / "y", people=60, crowd=Crowd(dprime=-3.0)))
    fools = [row for row in many.findings.items if row.fools]
    assert len(fools) > 60
    assert f"Most people are wrong about {len(fools)} of 120 items" in many.text()
    assert "chance alone gives up to 6.0" in many.text()


def test_drop_outs_are_counted_and_told(folder, tmp_path):
    sessions = rows(folder, "sessions")
    for at in (3, 4, 5):
        sessions[at] = sessions[at] | {"outcome": "expired"}
    counted = analyse(rewritten(folder, tmp_path / "counted", sessions=sessions))
    assert "30 participants: 27 complete, 3 partial (their answers count)." in counted.text()
    for at in (3, 4, 5):
        sessions[at] = sessions[at] | {"excluded": "incomplete"}
    left = analyse(rewritten(folder, tmp_path / "left", sessions=sessions))
    assert "30 participants: 27 complete, 3 partial (their answers are left out)." in left.text()
    assert "exclude 3 of 30 (incomplete: 3), which leaves 27 participants and 540 answers" in left.text()
    assert (left.findings.participants, left.findings.partial) == (27, 0)
    nobody = [*rows(folder, "sessions"), sessions[3] | {"session": "p999"}]  # left before the first trial
    empty = analyse(rewritten(folder, tmp_path / "empty", sessions=nobody))
    assert "30 participants: all complete." in empty.text()
    assert "1 session without an answer to any trial: not counted." in empty.text()


def test_simulated_is_in_the_title_and_the_first_sentence(folder, tmp_path):
    place = rewritten(folder, tmp_path / "x")
    table = [row | {"simulated": 1} for row in rows(folder, "sessions")]
    with (place / "sessions.csv").open("w", newline="") as file:
        out = csv.DictWriter(file, list(table[0]))
        out.writeheader()
        out.writerows(table)
    found = analyse(place)
    lines = found.text().splitlines()
    assert lines[0].startswith("SIMULATED ANSWERS: ")
    assert lines[2].startswith("SIMULATED: no person gave these answers.")
    found.write(tmp_path / "out")
    page = (tmp_path / "out" / "analysis.html").read_text()
    assert "<title>SIMULATED ANSWERS: " in page
    assert '<div class="answer"><p>SIMULATED' in page


@pytest.fixture(scope="module")
def controlled(folder, tmp_path_factory):
    """The same study in which ten human items are played backwards, and everybody sees one item twice."""
    made = study_exports.study()
    backwards = {f"human{at}" for at in range(10)}
    made["items"] = [item | {"class": "human_reversed"} if item["id"] in backwards else item for item in made["items"]]
    answers = []
    for row in rows(folder):
        own = row | ({"class": "human_reversed", "right": "", "value": "synthetic"} if row["item"] in backwards else {})
        answers.append(own)
        if row["use"] == "trial" and row["position"] == "0":
            changed = int(row["session"][1:]) % 3 == 0  # ten of thirty change their mind
            other = {"human": "synthetic", "synthetic": "human"}
            answers.append(own | {"use": "repeat", "value": other[own["value"]] if changed else own["value"]})
    return rewritten(folder, tmp_path_factory.mktemp("controlled"), made, answers)


def test_controls_are_told_with_interval_and_n_and_are_not_scored(controlled):
    found = analyse(controlled)
    (control,) = found.findings.controls
    assert (control.kind, control.called.mean.value, control.items) == ("human_reversed", 0.0, 10)
    assert 0 == control.called.mean.lo < control.called.mean.hi < 0.3
    assert control.called.answers == sum(
        row["class"] == "human_reversed" and row["use"] == "trial" for row in rows(controlled)
    )
    assert control.apart.difference.hi < 0
    assert control.apart.p < 0.001
    assert "Control human_reversed labelled human: 0.0 % [0.0, " in found.text()
    assert found.findings.answers == 600 - control.called.answers


def test_repeats_are_told_with_interval_and_n(controlled, folder):
    found = analyse(controlled)
    again = found.findings.retest
    assert again.pairs == 30
    assert again.alike.mean.value == pytest.approx(2 / 3)
    assert again.alike.mean.lo < 2 / 3 < again.alike.mean.hi
    assert 0.3 < again.by_chance < 0.7
    assert "Items shown twice get the same answer in 66.7 % [" in found.text()
    assert retest(read(folder)) is None


def test_kinds_and_halves_are_compared_with_interval_and_test(tmp_path):
    """Experts are right by design, and everybody learns: both are found, and not where there is nothing."""
    place = study_exports.write(tmp_path / "x", people=40, crowd=Crowd(dprime=0.0, bias=0.0, items=0.0), seed=9)
    nothing = {(one.what, one.of): one for one in analyse(place).findings.contrasts}
    assert set(nothing) == {(what, of) for what in ("expert − naive", "second half − first half")
                            for of in ("accuracy", "pooled d′")}  # fmt: skip
    assert all(one.difference.lo < 0 < one.difference.hi and one.p > 0.05 for one in nothing.values())
    kinds = {row["session"]: row["kind"] for row in rows(place, "sessions")}
    answers = rows(place)
    for row in answers:
        late = int(row["position"]) >= 10
        if (kinds[row["session"]] == "expert" and int(row["position"]) % 2) or (late and int(row["position"]) % 3):
            row["value"] = row["class"]
        row["seconds"] = 3.0 if row["value"] == row["class"] else 5.0
    found = analyse(rewritten(place, tmp_path / "y", answers=answers))
    by = {(one.what, one.of): one for one in found.findings.contrasts}
    judged = [row for row in answers if row["use"] == "trial"]
    own = {kind: np.mean([row["value"] == row["class"] for row in judged if kinds[row["session"]] == kind])
           for kind in ("expert", "naive")}  # fmt: skip
    apart = by["expert − naive", "accuracy"]
    assert apart.difference.value == pytest.approx(own["expert"] - own["naive"])
    assert apart.difference.lo > 0
    assert apart.p < 0.05
    assert by["second half − first half", "accuracy"].difference.lo > 0
    assert [one.trials for one in found.findings.stretches] == ["1–5", "6–10", "11–15", "16–20"]
    assert sum(one.answers for one in found.findings.stretches) == 800
    assert {(one.kind, one.right, one.median) for one in found.findings.times} == {
        (kind, right, 3.0 if right else 5.0) for kind in ("human", "synthetic") for right in (True, False)
    }
    assert "Expert and naive participants differ in accuracy: +" in found.text()


def test_people_can_tell_but_hardly(tmp_path):
    """d′ above 0, and still within the bound that the study states."""
    crowd = Crowd(dprime=0.3, bias=0.0, items=0.0)
    place = study_exports.write(tmp_path / "x", people=150, crowd=crowd, changes={"analysis": {"bound": 0.15}})
    found = analyse(place)
    assert found.findings.detected.dprime.lo > 0
    assert "People can tell human from synthetic, but hardly: their answers are within 15" in found.text()


def test_the_sources_values_stand_beside_ours_only_where_its_preset_is_followed(folder, tmp_path):
    differs = ["Pictures are shown for 3 s, not 5 s.", "The words are ours."]
    made = study_exports.study(deviations=differs, follows="zanca2020")
    found = analyse(rewritten(folder, tmp_path / "x", made))
    lines = found.text().splitlines()
    line = next(line for line in lines if line.strip().startswith("accuracy, naive"))
    assert "0.50 (0.09)" in line
    assert "0.494 (0.137)" in next(line for line in lines if line.strip().startswith("labelled human"))
    at = lines.index("Answers")
    assert lines[at + 1 : at + 4] == ["  This differs from the source in:", *(f"  - {one}" for one in differs)]
    assert found.text().count(differs[0]) == 1
    assert "240 is inferred" in found.text()
    found.write(tmp_path / "out")
    page = (tmp_path / "out" / "analysis.html").read_text()
    assert f"<p>This differs from the source in:</p><ul><li>{differs[0]}</li>" in page
    assert "- The words are ours." in (tmp_path / "out" / "analysis.md").read_text()
    plain = analyse(rewritten(folder, tmp_path / "y")).text()  # the same questions, not of the preset
    assert "Zanca" not in plain
    assert "differs from" not in plain


def test_deviations_from_another_study_are_one_heading_and_a_list(folder, tmp_path):
    made = study_exports.study(deviations=["This.", "That."], follows="other")
    lines = analyse(rewritten(folder, tmp_path / "x", made)).text().splitlines()
    at = lines.index("How this study differs from its source")
    assert lines[at + 1 : at + 3] == ["  - This.", "  - That."]


def test_kappas_form_is_a_deviation_of_the_preset():
    assert any("κ" in one["text"] for one in preset("zanca2020")["deviations"])


def test_the_cues_are_told_also_where_none_is_strong(folder, tmp_path):
    place = rewritten(folder, tmp_path / "x")
    (place / "about.json").write_text(json.dumps({"cues": [CUE | {"auc": 0.55, "lo": 0.45, "hi": 0.65}]}))
    text = analyse(place).text()
    assert "Giveaway cues" in text
    assert "share of time at rest  0.55 [0.45, 0.65]" in text
    assert "This export does not list giveaway cues" in analyse(folder).text()


def test_where_the_rules_exclude_everybody_there_is_no_number(folder, tmp_path):
    sessions = [row | {"excluded": "checks", "outcome": "failed_checks"} for row in rows(folder, "sessions")]
    found = analyse(rewritten(folder, tmp_path / "x", sessions=sessions))
    text = found.text()
    assert "There is no result: the study's rules exclude all 30 participants (checks: 30)." in text
    assert "change [[exclude]] in the study file" in text
    assert not any(word in text for word in ("d′", " %", "complete"))
    files = {file.name for file in found.write(tmp_path / "out")}
    assert files == {"analysis.md", "analysis.html", "analysis.txt"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda answers: [*answers, *answers[:3]], "got 3 answers that appear twice"),
        (lambda answers: [answers[0] | {"session": "nobody"}, *answers[1:]], "of sessions that are not in sessions"),
        (lambda answers: [answers[0] | {"item": "nope"}, *answers[1:]], "to items that are not in the study"),
    ],
)
def test_an_export_that_was_edited_is_refused(folder, tmp_path, change, said):
    with pytest.raises(Misuse, match=said):
        analyse(rewritten(folder, tmp_path / "x", answers=change(rows(folder))))


def test_who_failed_checks_is_not_complete(folder, tmp_path):
    sessions = rows(folder, "sessions")
    sessions[0] |= {"outcome": "failed_checks", "excluded": "checks"}
    sessions[1] |= {"outcome": "expired"}
    text = analyse(rewritten(folder, tmp_path / "x", sessions=sessions)).text()
    assert "30 participants: 28 complete, 1 with failed checks, 1 partial" in text


def test_it_says_for_what_intervals_were_tried_and_what_this_study_has(controlled):
    text = analyse(controlled).text()
    assert "(5, 10, 20 and 35 participants, 20 trials each, 120 items)" in text
    assert "This study has other numbers: 30 participants, " in text
    assert "items." in text.split("This study has other numbers: 30 participants, ")[1].splitlines()[0]
    assert "One-sided exact binomial tests" in text or "Too few answers to tell: 110 of 110" in text
    assert "minus that of the true ones −" in text
    assert not re.search(r"(?<![\w-])-\d", text)  # true minus signs
    table = text[text.index("\nDifferences") :].splitlines()
    assert "points" in next(line for line in table if "accuracy" in line)


def test_a_giveaway_cue_is_in_the_verdict(folder, tmp_path):
    place = rewritten(folder, tmp_path / "x")
    (place / "about.json").write_text(json.dumps({"cues": [CUE]}))
    said = analyse(place).text()
    assert "a rule that uses only the share of time at rest would pick the human item of a pair in 98 %" in said
    assert "But people may have used a giveaway cue" in said
    wanted = rewritten(folder, tmp_path / "w", study_exports.study(analysis={"cues": ["share of time at rest"]}))
    (wanted / "about.json").write_text(json.dumps({"cues": [CUE]}))
    assert "people may have used" not in analyse(wanted).text()
    (place / "about.json").write_text(json.dumps({"cues": [CUE | {"auc": 0.55, "lo": 0.45}]}))
    assert "people may have used" not in analyse(place).text()


def test_it_says_which_dprime_and_over_what_is_averaged(folder):
    found = analyse(folder)
    text = found.text()
    assert "of answers are right (mean over participants; guessing: 50 %), pooled d′" in text
    own = [person.dprime for person in found.findings.people]
    assert found.findings.detected.own.value == pytest.approx(np.mean(own))
    assert "mean of participants' own d′" in text


def test_every_row_of_the_figure_has_its_participants(folder):
    for part in analyse(folder).findings.parts:
        assert len(part.accuracy.own) == part.accuracy.people > 3


@pytest.mark.browser
def test_the_page_fits_a_telephone(folder, tmp_path):
    from chromium import chromium

    analyse(folder).write(tmp_path / "out")
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.goto((tmp_path / "out" / "analysis.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        widths = page.evaluate("[...document.images].map(one => one.clientWidth / one.naturalWidth)")
        assert len(widths) == 2
        assert min(widths) > 0.85  # so that text of 9.5 points stays above 10 px
        fades = page.evaluate("[...document.querySelectorAll('.wide')].filter(one => one.scrollWidth > one.clientWidth)"
                              ".map(one => getComputedStyle(one).backgroundAttachment)")  # fmt: skip
        assert fades
        assert set(fades) == {"local, local, scroll, scroll"}  # a shadow where a table goes on
        page.set_viewport_size({"width": 1400, "height": 900})
        sizes = page.evaluate("[...document.images].map(one => [one.clientWidth, one.clientHeight])")
        assert abs(sizes[0][1] - sizes[1][1]) <= 2  # side by side, of equal height
        assert sum(width for width, _ in sizes) > 0.95 * page.evaluate("document.querySelector('.figures').clientWidth")
