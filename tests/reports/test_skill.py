"""Skill as it is shown: between the best blind model and people."""

import json as decoder

import pytest

from beholder.evaluation.sections import Section
from beholder.reports import _plot, _skill
from beholder.reports.html import html
from beholder.reports.json import json
from beholder.reports.markdown import markdown
from beholder.reports.terminal import terminal


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_numbers_are_those_made_by_hand(people: Section) -> None:
    found = _skill.skill(people)
    assert found is not None
    assert [row.model for row in found.table.rows] == ["near", "far"]
    values = [row.lines[0].value for row in found.table.rows if row.lines[0]]
    assert values == pytest.approx([(2.5 - 1) / (3 - 1), (2 - 1) / (3 - 1)])


def test_where_people_do_not_beat_the_blind_models_there_is_a_dash(people: Section) -> None:
    found = _skill.skill(people)
    assert found is not None
    assert [found.table.texts()[row.key][1] for row in found.table.rows] == ["—", "—"]


def test_both_ends_are_named(people: Section) -> None:
    found = _skill.skill(people)
    assert found is not None
    assert found.feet == (("0 is", "centre", "centre"), ("1 is", "people", "people"), ("units", "3", "3"))


def test_units_that_differ_between_models_are_a_range(people: Section) -> None:
    found = _skill.skill(people._replace(skill=people.skill.assign(units=[3, 2, 3, 3])))
    assert found is not None
    assert found.feet[2] == ("units", "2 to 3", "3")


def test_the_axis_always_shows_both_ends(people: Section) -> None:
    near = people._replace(skill=people.skill.assign(skill=0.99, lo=0.98, hi=1.0))
    found = _skill.skill(near)
    assert found is not None
    panel = _plot.panels(found.with_ends, stretch=float("inf"))[0]
    assert [(mark.label, mark.off) for mark in panel.marks] == [
        ("near", ""),
        ("far", ""),
        ("people", ""),
        ("centre", ""),
    ]
    blind, ceiling = panel.blind, panel.ceiling
    assert blind is not None
    assert ceiling is not None
    assert 0 <= blind < panel.marks[0].x < ceiling[1] <= 100
    assert (panel.marks[0].x - blind) / (ceiling[1] - blind) == pytest.approx(0.99)


def test_each_cell_has_its_own_blind_model(people: Section) -> None:
    found = _skill.skill(people._replace(skill=people.skill.assign(blind=["centre", "centre", "blank", "blank"])))
    assert found is not None
    assert [row.model for row, _ in found.with_ends.column(1)] == ["near", "far", "people", "blank"]


@pytest.mark.parametrize("view", [terminal, markdown, html])
def test_skill_is_shown_with_interval_ends_and_the_note(view, people: Section, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("COLUMNS", "120")
    text = squeezed(view([people]))
    for piece in (
        "Skill: 0 is the best blind model, 1 is people",
        "0.75 [0.62, 0.88]",  # by hand: the three units alone have 0.625, 0.75 and 0.875
        "0 is",
        "1 is",
        "People are not significantly better than the blind models on sim (all).",
    ):
        assert piece in text, piece


def test_the_page_draws_both_ends(people: Section) -> None:
    text = html([people._replace(skill=people.skill.assign(skill=0.99, lo=0.98, hi=1.0))])
    drawn = text[text.index("<h3>Skill") : text.index("</table>", text.index("<h3>Skill"))]
    assert 'class="off' not in drawn
    assert drawn.count('class="end blind"') == drawn.count('class="end people"') == 2


def test_the_page_says_why_nobody_has_a_skill(people: Section) -> None:
    none = people.skill.assign(skill=float("nan"))
    text = html([people._replace(skill=none)])
    assert "people are not significantly better than the best blind model on any measure." in text
    assert '<dl class="feet">' not in text
    assert "on no unit do a model" in html([people._replace(skill=none.assign(units=0))])


def test_the_page_draws_only_what_has_a_value(people: Section) -> None:
    text = html([people])
    drawn = text[text.index("<h3>Skill") : text.index("</table>", text.index("<h3>Skill"))]
    assert drawn.count('<th scope="col" class="plot"') == 1
    assert '<span class="v">—</span>' not in drawn


@pytest.mark.parametrize("view", [terminal, markdown, html])
def test_without_skill_nothing_is_said_of_it(view, stereo: Section) -> None:  # type: ignore[no-untyped-def]
    assert "Skill" not in view([stereo])


def test_json_has_the_numbers_and_null_for_none(people: Section, stereo: Section) -> None:
    first, second = decoder.loads(json([people, stereo]))["sections"]
    assert first["skill"][0] == {
        "model": "near",
        "measure": "nss",
        "settings": "",
        "criterion": "all",
        "blind": "centre",
        "ceiling": "people",
        "skill": pytest.approx(0.75),
        "lo": pytest.approx(0.625),
        "hi": pytest.approx(0.875),
        "units": 3,
    }
    assert first["skill"][2]["skill"] is None
    assert second["skill"] == []
