"""Answers that hold no information, or that were edited, or that the rules leave out: what is said of them."""

import math

import numpy as np
import pytest

import study_exports
from beholder.stats.equivalence import tost_of_draws
from beholder.study.analysis import trials
from beholder.study.analysis.analyse import analyse
from beholder.study.design.simulation import Crowd
from study_exports import rows


@pytest.fixture(scope="module", autouse=True)
def _few_draws():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trials, "DRAWS", 300)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    crowd = Crowd(dprime=0.0, bias=0.0, items=0.0)
    return study_exports.write(tmp_path_factory.mktemp("export"), people=60, crowd=crowd, seed=4)


def answered(folder, place, say, **changes):
    """The same export in which `say(row)` is the answer."""
    answers = [row | {"value": value, "right": int(value == row["class"])} for row in rows(folder)
               for value in [say(row)]]  # fmt: skip
    return study_exports.written(place, study_exports.study(**changes), answers, rows(folder, "sessions"))


@pytest.mark.parametrize("word", ["human", "synthetic"])
def test_who_always_presses_one_key_shows_nothing(folder, tmp_path, word):
    found = analyse(answered(folder, tmp_path / "x", lambda row: word))
    text = found.text()
    assert f"Nearly all answers are '{word}', so they do not show whether people can tell" in text
    assert "cannot tell" not in text
    assert "shown to be" not in text
    assert not found.findings.detected.equivalence.equivalent
    assert "not tested: the answers are uninformative" in text
    nearly = analyse(
        answered(
            folder, tmp_path / "y", lambda row: word if int(row["position"]) or row["session"] > "p030" else "human"
        )
    )
    assert "Nearly all answers are" in nearly.text()


def test_who_always_presses_a_key_of_their_own_shows_nothing(folder, tmp_path):
    text = analyse(
        answered(folder, tmp_path / "x", lambda row: ("human", "synthetic")[int(row["session"][1:]) % 2])
    ).text()
    assert "Nearly every participant always gives the same answer, so they do not show whether" in text
    assert "cannot tell" not in text


def test_answers_that_guess_still_show_equivalence(folder, tmp_path):
    bound = {"bound": 0.15}
    found = analyse(answered(folder, tmp_path / "x", lambda row: row["value"], analysis=bound))
    assert "People cannot tell human from synthetic: their answers are within 15 points" in found.text()
    told = analyse(answered(folder, tmp_path / "y", lambda row: row["class"], analysis=bound))
    assert "People can tell human from synthetic: 100.0 %" in told.text()


def test_draws_that_do_not_differ_test_nothing():
    assert math.isnan(tost_of_draws(0.0, np.zeros(100), 0.2).p)
    assert math.isnan(tost_of_draws(0.0, np.full(100, 1e-17) * np.arange(100), 0.2).p)


def test_right_follows_from_value_and_class_and_an_edited_export_is_named(folder, tmp_path):
    answers = rows(folder)
    for row in answers[:7]:
        row["right"] = 1 - int(row["right"])
    edited = study_exports.written(tmp_path / "x", study_exports.study(), answers, rows(folder, "sessions"))
    assert analyse(edited).findings.shares[0].mean.value == analyse(folder).findings.shares[0].mean.value
    text = analyse(edited).text()
    assert "7 answers have a cell `right` that contradicts value and class, and is not used" in text
    assert "contradicts value" not in analyse(folder).text()
    answers[0]["value"] = "robot"
    strange = study_exports.written(tmp_path / "y", study_exports.study(), answers, rows(folder, "sessions"))
    assert "1 answer is not one of the study's answers (robot) and left out" in analyse(strange).text()
