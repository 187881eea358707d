"""The study file: what does not fit is told in plain sentences."""

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
        ({"title": None}, "title: got nothing; expected it to be there"),
        ({"name": "My Study"}, "name: got 'My Study'; expected lower-case letters, digits"),
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
        ({"instructions": ""}, "instructions: got ''; expected a text that is not empty"),
        ({"form": 3}, "form: got 3; expected a list"),
        ({"exclude": [{"rule": "asleep"}]}, "rule of exclude 1: got 'asleep'; expected checks, frames,"),
        ({"analysis": {"bound": 0.9}}, "analysis.bound: got 0.9; expected less than 0.5"),
        ({"practice": {"feedback": 3}}, "practice.feedback: got 3; expected true or false"),
        ({"items": [{"id": "a"}]}, "class of item 1: got nothing; expected it to be there"),
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
    with pytest.raises(Misuse, match="group expert: got quota = 0; expected 1 or more, or no quota"):
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
