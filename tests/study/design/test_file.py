"""The study file: what does not fit is told in plain sentences."""

import os

import pytest

import study_exports
from beholder.errors import Misuse
from beholder.io import toml
from beholder.study.design.file import Study, read


@pytest.fixture
def write(tmp_path):
    """A study file with some of its keys changed; a key that is None is left out."""

    def made(**changes):
        raw = study_exports.study() | changes
        file = tmp_path / "study.toml"
        file.write_text(toml.written({key: value for key, value in raw.items() if value is not None}), "utf-8")
        return file

    return made


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"title": None}, "title: missing; it is required"),
        ({"name": "My Study"}, "name: got 'My Study'; expected at most 64 lower-case letters"),
        ({"name": 7}, "name: got 7; expected a text, in quotation marks"),
        ({"titel": "x"}, "got 'titel', which a study file does not have; did you mean 'title'?"),
        (
            {"trials": {"cuont": 20}},
            "got 'cuont' in trials, which a study file does not have; did you mean 'count'?",
        ),
        ({"trials": {"count": 0}}, "trials.count: got 0; expected 1 or more"),
        ({"trials": {"count": "many"}}, "trials.count: got 'many'; expected a whole number, without quotation marks"),
        ({"trials": 20}, "trials: got 20; expected a table: [name] and lines below it"),
        ({"platform": "facebook"}, "platform: got 'facebook'; expected open, invite, prolific or mturk"),
        ({"retain_until": "next year"}, "retain_until: got 'next year'; expected a date, such as 2030-12-31"),
        ({"comment": "perhaps"}, "comment: got 'perhaps'; expected true or false"),
        ({"instructions": ""}, "instructions: got ''; expected a non-empty text"),
        ({"form": 3}, "form: got 3; expected a list"),
        ({"exclude": [{"rule": "asleep"}]}, "rule of exclude 1: got 'asleep'; expected checks, frames,"),
        ({"analysis": {"bound": 0.9}}, "analysis.bound: got 0.9; expected less than 0.5"),
        ({"practice": {"feedback": 3}}, "practice.feedback: got 3; expected true or false"),
        ({"items": [{"id": "a"}]}, "class of item 1: missing; it is required"),
        (
            {"items": [{"id": "a", "class": "human", "shwo": "x"}]},
            "got 'shwo' in item 1, which .*; did you mean 'show'?",
        ),
    ],
)
def test_faults_say_where_what_was_got_and_what_was_expected(write, changes, says):
    with pytest.raises(Misuse) as fault:
        read(write(**changes))
    text = str(fault.value)
    assert "study.toml: " in text
    for part in says.split(".*"):
        assert part in text
    for word in ("Input", "valid", "pydantic", "Field", "str_", "type="):
        assert word not in text


def test_a_quota_of_nobody_is_refused(write):
    groups = [{"name": "expert", "field": "knowledge", "at_least": 3, "quota": 0}]
    with pytest.raises(Misuse, match="group expert: got quota = 0; expected 1 or more; remove quota"):
        read(write(groups=groups, form=[{"name": "knowledge", "label": "?"}]))


def test_who_did_not_finish_is_left_out_unless_the_rule_is_switched_off():
    raw = study_exports.study() | {"exclude": None}
    del raw["exclude"]
    assert [one.rule for one in Study.model_validate(raw).exclude] == ["incomplete"]
    assert Study.model_validate(raw | {"exclude": []}).exclude == ()


def test_practice_gives_feedback_unless_it_is_switched_off():
    raw = study_exports.study()
    assert Study.model_validate(raw).practice.feedback
    assert not Study.model_validate(raw | {"practice": {"feedback": False}}).practice.feedback


SCALE = {"name": "knowledge", "label": "Knowledge"}
EXPERT, NAIVE = ({"name": "expert", "field": "knowledge"}, {"name": "naive", "field": "knowledge"})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"participants": 0}, "participants: got 0; expected 1 or more; remove the line"),
        ({"participants": -3}, "participants: got -3; expected 1 or more"),
        ({"participants": True}, "participants: got true; expected a whole number"),
        ({"lease_minutes": True}, "lease_minutes: got true; expected a number"),
        ({"codes": {"failed_checks": ""}}, "codes.failed_checks: got ''; expected a separate code"),
        ({"codes": {"complete": "DONE", "failed_checks": ""}}, "repeat the code: failed_checks = 'DONE'"),
        ({"codes": {"complete": "a b&c"}}, "codes.complete: got 'a b&c'; expected letters"),
        ({"codes": {"screened_out": "é"}}, "codes.screened_out: got 'é'; expected letters"),
        ({"codes": {"return_to": "javascript:alert({code})"}}, "codes.return_to: got 'javascript:alert({code})'"),
        ({"codes": {"return_to": "//a.org/{code}"}}, "expected an address that begins with https://"),
        ({"form": [SCALE | {"low": 5, "high": 5}]}, "form knowledge: got low = 5, high = 5; expected a low below high"),
        ({"exclude": [{"rule": "frames", "least": 80}]}, "exclude frames: got least = 80; expected a share"),
        ({"exclude": [{"rule": "fast", "most": -0.1}]}, "exclude fast: got most = -0.1; expected a share"),
        ({"exclude": [{"rule": "fast", "seconds": -1}]}, "exclude fast: got seconds = -1; expected 0 or more"),
        ({"exclude": [{"rule": "checks", "most": -1}]}, "exclude checks: got most = -1; expected 0 or more"),
        ({"groups": [EXPERT | {"at_least": 30}]}, "group expert: got at_least = 30; expected 1 to 5"),
        ({"groups": [EXPERT | {"at_most": 0}]}, "group expert: got at_most = 0; expected 1 to 5"),
        ({"groups": [EXPERT | {"at_least": 4, "at_most": 2}]}, "group expert: got at_least above at_most"),
        ({"groups": [EXPERT | {"at_least": 3}, NAIVE | {"at_most": 3}]}, "groups expert and naive overlap"),
        ({"groups": [EXPERT | {"at_least": 3}, NAIVE]}, "groups expert and naive overlap"),
        ({"groups": [EXPERT | {"at_least": 3}, EXPERT | {"at_most": 2}]}, "groups: got expert twice"),
        ({"seed": float("inf")}, "seed: got inf; expected a whole number"),
        ({"lease_minutes": float("nan")}, "lease_minutes: got nan; expected a finite number"),
    ],
)
def test_what_cannot_be_meant_is_refused(write, changes, says):
    with pytest.raises(Misuse) as fault:
        read(write(**changes))
    assert says in str(fault.value)
    assert "nput" not in str(fault.value)


def test_groups_that_lie_side_by_side_are_fine_and_so_is_the_same_code_written_out(write):
    groups = [EXPERT | {"at_least": 2.5}, NAIVE | {"at_most": 2}]
    study = read(write(groups=groups, codes={"complete": "DONE", "failed_checks": "DONE"}, participants=1))
    assert [study.group_of({"knowledge": value}) for value in (1, 2, 3)] == ["naive", "naive", "expert"]


@pytest.mark.parametrize("place", ["title", "items"])
def test_control_characters_are_refused_where_they_stand(write, place):
    file = write(title="What")
    old, new = ('"What"', '"What\\u0000"') if place == "title" else ('"t.json"', '"t\\u001b.json"')
    file.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(Misuse, match=r"(title|track of item 1): got 'W?h?a?t.* with a control character"):
        read(file)


@pytest.mark.parametrize("day", ["2036-13-31", "2036-02-30", "2036-1-3"])
def test_a_day_that_is_none_is_named(write, day):
    file = write()
    file.write_text(f"retain_until = {day}\n{file.read_text('utf-8')}", "utf-8")
    with pytest.raises(Misuse, match=f"line 1: got {day}, which is not a calendar date; expected a date, such as"):
        read(file)


def test_what_was_served_before_is_read_still():
    """Rules that came later do not withhold answers."""
    raw = study_exports.study(codes={"complete": "a b"}, groups=[EXPERT, EXPERT])
    assert Study.model_validate(raw).codes.complete == "a b"


def test_a_check_that_nobody_can_pass_is_refused(write):
    items = [*study_exports.study()["items"], {"id": "c", "class": "check", "use": "check", "show": "picture"}]
    with pytest.raises(Misuse, match="item c: got a check without `expected`; expected the answer that it asks for"):
        read(write(items=items))


def test_pipes_are_refused_unread(write, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for file in (tmp_path / "pipe", write(items="pipe")):
        with pytest.raises(Misuse, match="pipe: got a pipe; expected a file; copy what it gives into one"):
            read(file)
