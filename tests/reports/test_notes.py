"""The sentences of a section: in order, once each, with capitals, and never with a changed name."""

import math

import pytest

from beholder.core.scores import Score, table
from beholder.core.verdict import Note
from beholder.evaluation.sections import Section
from beholder.reports import _notes
from beholder.verdicts.notes import KINDS


def row(
    model: str, unit: str, *, dataset: str = "scenes", lo: float = math.nan, n: int = 1, state: str = "ok"
) -> Score:
    """A row of a model under test."""
    where = ("b", 1, model, "model", dataset, unit, 0, "error", "", "", "all", "lower")
    return Score(*where, value=1.0, lo=lo, hi=2.0, n=n, state=state, reason="", provenance="verified")


def test_the_verdict_begins_with_a_capital_and_names_the_left_out_without_their_reasons(stereo: Section) -> None:
    assert _notes.official_headline(stereo) == (
        "2 of 3 models are undominated on bad_pixels(delta=1): sgm, census; block is dominated by sgm; "
        "left out: broken."
    )


def test_a_name_keeps_its_letters(stereo: Section) -> None:
    assert _notes.headline(stereo, stereo.verdicts[1]) == (
        "sgm has the best mean rank, 1.11 [1.00, 1.30]; left out: broken."
    )
    assert _notes.sentence("smooth is a word", ["smo"]) == "Smooth is a word."
    assert _notes.sentence("a(b=1) is a name", ["a(b=1)"]) == "a(b=1) is a name."


def test_order_of_notes(stereo: Section) -> None:
    given = (
        Note("blind", "block is worse than the blind model flat on {about}", ("bad_pixels(delta=1) (disc)",)),
        Note("ceiling", "people do not beat the blind models on {about} here", ("density (all)",)),
        Note("dataset", "On scenes alone: sgm is best", ("scenes",)),
        Note("shared", "On scenes the runs share 9 of up to 12 units, and are compared on these.", ("scenes",)),
        Note("status", "3 of 9 scores rest on reference numbers quoted from memory", ("memory",)),
    )
    assert _notes.notes(stereo._replace(notes=given)) == [
        "On scenes the runs share 9 of up to 12 units, and are compared on these.",
        "3 of 9 scores rest on reference numbers quoted from memory.",
        "The judges differ on the leading models (Pareto dominance: sgm, census; mean rank: sgm); all of them name "
        "sgm; no two models stand in opposite order; Kendall's τ-b is 0.82.",  # 2 / √(2 · 3), as one judge ties a pair
        "block is worse than the blind model flat on bad_pixels(delta=1) (disc).",
        "People do not beat the blind models on density (all) here.",
        "Pareto dominance: 3 of 27 components do not apply to every model and were left out.",
        "On scenes alone: sgm is best.",
    ]


def test_the_kinds_that_are_sorted_are_known() -> None:
    assert {*_notes.HEAD, *_notes.FIRST, *_notes.LAST} <= set(KINDS)


def test_judges_that_agree_do_not_differ(stereo: Section) -> None:
    assert dissent(stereo._replace(verdicts=stereo.verdicts[:1] * 2)) == []
    assert len(dissent(stereo)) == 1


def dissent(section: Section) -> list[str]:
    return [note for note in _notes.notes(section) if "judges" in note]


def test_judges_may_agree_on_the_best_and_differ_on_the_others(stereo: Section) -> None:
    ranks = stereo.verdicts[1]
    other = ranks._replace(method="mean score", standing=ranks.standing.iloc[[0, 2, 1]].assign(mean_rank=[1, 2, 3]))
    assert dissent(stereo._replace(verdicts=(ranks, other))) == [
        "Both judges name the same leading models: sgm; 1 pair of models stands in opposite order, such as "
        "census before block by mean rank, and after it by mean score; Kendall's τ-b is 0.33."
    ]


@pytest.mark.parametrize("change", ["no models", "other models", "words first", "no columns"])
def test_verdicts_that_cannot_be_compared_do_not_differ(stereo: Section, change: str) -> None:
    first, second = stereo.verdicts
    standing = second.standing
    standing = {
        "no models": standing.iloc[:0],
        "other models": standing.rename(index=str.upper),
        "words first": standing.assign(mean_rank="first"),
        "no columns": standing[[]],
    }[change]
    assert dissent(stereo._replace(verdicts=(first, second._replace(standing=standing)))) == []


def test_a_long_sentence_is_cut_at_a_word() -> None:
    assert _notes.short("x" * 300) == "x" * 300
    assert _notes.short("x" * 301) == "x" * 301 + " …"  # there is no better place
    assert _notes.short("x" * 299 + ", yz") == "x" * 299 + " …"
    assert _notes.short("x" * 290 + " y " + "z" * 20) == "x" * 290 + " y …"


def test_nothing_is_said_twice(stereo: Section) -> None:
    first, second = stereo.verdicts
    both = stereo._replace(
        verdicts=(first, second._replace(notes=first.notes)),
        notes=(Note("blind", "it rains"), Note("ceiling", "It rains.")),
    )
    found = _notes.notes(both)
    assert found.count("It rains.") == 1
    assert [note for note in found if "components" in note] == [
        "3 of 27 components do not apply to every model and were left out."
    ]


def test_notes_on_several_measures_become_one(people: Section) -> None:
    within = "far is better than the blind model centre on {about}, but centre lies within its interval"
    level = "people do not beat the blind models on {about} here"
    given = (
        Note("blind", within, ("nss (all)",)),
        Note("blind", "near is worse than the blind model centre on {about}", ("nss (all)",)),
        Note("blind", within, ("sim (all)",)),
        Note("ceiling", level, ("sim (all)",)),
        Note("blind", "far is worse than near on nss (all) but not on sim (all)"),
        Note("ceiling", level, ("nss (all)",)),
    )
    assert _notes.notes(people._replace(notes=given))[1:] == [
        "far is better than the blind model centre on nss (all), sim (all), but centre lies within its interval.",
        "near is worse than the blind model centre on nss (all).",
        "People do not beat the blind models on sim (all), nss (all) here.",
        "far is worse than near on nss (all) but not on sim (all).",
    ]


def test_what_a_person_expects_is_said_once_per_number(people: Section, stereo: Section) -> None:
    card = stereo.facts["measures"][0]
    cards = [{**card, "label": name, "person": value} for name, value in (("a", 1.4), ("b", 1.2), ("c", 1.4))]
    found = _notes.notes(people._replace(facts={**people.facts, "measures": cards}))
    assert [note for note in found if "typical person" in note] == [
        "A typical person scores 1.400 on a, c; 1 is the mean of people.",
        "A typical person scores 1.200 on b; 1 is the mean of people.",
    ]


def test_a_few_units_are_said_once(people: Section, stereo: Section) -> None:
    (rough,) = [note for note in _notes.notes(people) if "rough" in note]
    assert rough == "Intervals rest on 3 units: treat them as rough."
    assert not any("rough" in note for note in _notes.notes(stereo))


@pytest.mark.parametrize(
    ("units", "said"),
    [
        ({"a": 5}, ""),
        ({"a": 4}, "Intervals rest on 4 units: treat them as rough."),
        ({"a": 1}, ""),
        ({"a": 3, "b": 3}, "On a, b intervals rest on 3 units: treat them as rough."),
        ({"a": 2, "b": 9}, "On a intervals rest on 2 units: treat them as rough."),
        ({"a": 2, "b": 2}, "Intervals rest on 4 units: treat them as rough."),
    ],
)
def test_few_units_by_dataset(empty: Section, units: dict[str, int], said: str) -> None:
    rows = [row("m", f"u{at}", dataset=dataset) for dataset, n in units.items() for at in range(n)]
    assert "".join(_notes.notes(empty._replace(scores=table(rows)))) == said


@pytest.mark.parametrize(("lo", "said"), [(0.5, "Intervals rest on 3 units: treat them as rough."), (math.nan, "")])
def test_few_units_behind_an_interval_of_the_runner(empty: Section, lo: float, said: str) -> None:
    rows = [row("m", "*", lo=lo, n=3)]
    assert "".join(_notes.notes(empty._replace(scores=table(rows)))) == said


def test_few_units_behind_skill(saliency: Section) -> None:
    assert not any("rough" in note for note in _notes.notes(saliency))
    fewer = saliency._replace(skill=saliency.skill.assign(units=[3, 12]))
    assert "Some intervals rest on only 3 units: treat them as rough." in _notes.notes(fewer)
    unknown = fewer._replace(skill=fewer.skill.assign(skill=math.nan))
    assert not any("rough" in note for note in _notes.notes(unknown))


def test_a_model_that_lost_units_has_rough_intervals(empty: Section) -> None:
    rows = [row("whole", f"u{at}") for at in range(9)]
    rows += [row("lost", f"u{at}", state="ok" if at < 2 else "failed") for at in range(9)]
    assert _notes.notes(empty._replace(scores=table(rows))) == [
        "Some intervals rest on only 2 units: treat them as rough."
    ]
