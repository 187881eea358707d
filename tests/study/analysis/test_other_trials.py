"""Choices between two, and ratings."""

import math

import numpy as np
import pytest

import study_exports
from beholder.stats.signal_detection import two_alternative
from beholder.study.analysis.analyse import analyse

DPRIME = 0.8


@pytest.fixture(scope="module")
def choices(tmp_path_factory):
    """60 people choose among 40 pairs, of human and one of two systems; the first place pulls a little."""
    rng = np.random.default_rng(0)
    made = study_exports.study(
        trial="two_alternative", right={}, trials={"count": 10, "practice": 0, "checks": 0, "repeats": 0}
    )
    made["items"] = [item | {"system": ("a", "b")[at % 2]} if item["class"] == "synthetic" else item
                     for at, item in enumerate(made["items"])]  # fmt: skip
    answers = []
    for who in range(60):
        for position, at in enumerate(rng.permutation(40)[:10]):
            both = [made["items"][at], made["items"][60 + at]]
            first, second = both if rng.random() < 0.5 else both[::-1]
            harder = 0.8 if both[1]["system"] == "a" else 0.0
            right = rng.random() < two_alternative(DPRIME + harder)
            value = "first" if (first["class"] == "human") == right else "second"
            answers.append(
                {"session": f"p{who:02}", "position": position, "use": "trial", "item": first["id"],
                 "other": second["id"], "class": f"{first['class']}|{second['class']}", "group": first["group"],
                 "system": f"{first['system']}|{second['system']}", "dimension": "human", "value": value}
            )  # fmt: skip
    sessions = [{"session": f"p{who:02}", "outcome": "complete"} for who in range(60)]
    return study_exports.written(tmp_path_factory.mktemp("choices"), made, answers, sessions)


def test_choices_have_dprime_by_the_square_root_of_two_and_systems_are_ranked(choices):
    found = analyse(choices).findings
    share = found.shares[0].mean.value
    assert [row.what for row in found.shares] == ["accuracy"]
    expected = float(np.mean(two_alternative(np.array([DPRIME, DPRIME + 0.8]))))
    assert share == pytest.approx(expected, abs=0.05)
    assert found.detected.dprime.value == pytest.approx(math.sqrt(2) * 0.8, abs=0.25)
    assert abs(found.detected.criterion.value) < 0.15
    (ranking,) = found.rankings
    assert [one.system for one in ranking.systems] == ["human", "b", "a"]
    assert len(found.items) == 40
    assert "d′" in analyse(choices).text()


@pytest.fixture(scope="module")
def grades(tmp_path_factory):
    """30 people grade 20 items from 1 to 6."""
    rng = np.random.default_rng(1)
    made = study_exports.study(trial="rating", right={}, questions=[
        {"dimension": name, "text": "?", "answers": [{"value": str(v), "label": str(v)} for v in range(1, 7)]}
        for name in ("natural", "smooth")])  # fmt: skip
    answers = []
    for who in range(30):
        for position, at in enumerate(rng.permutation(120)[:20]):
            item = made["items"][at]
            natural = np.digitize(rng.normal(1.0 * (item["class"] == "human"), 1), [-1, -0.3, 0.5, 1, 2]) + 1
            answers += [
                {"session": f"p{who}", "position": position, "use": "trial", "item": item["id"],
                 **{key: item[key] for key in ("class", "group", "system", "stimulus")}, "dimension": name,
                 "value": value}
                for name, value in (("natural", natural), ("smooth", rng.integers(1, 7)))
            ]  # fmt: skip
    sessions = [{"session": f"p{who}", "outcome": "complete"} for who in range(30)]
    return study_exports.written(tmp_path_factory.mktemp("grades"), made, answers, sessions)


def test_ratings_have_a_roc_and_agreement_on_each_dimension(grades):
    found = analyse(grades).findings
    natural, smooth = found.graded
    assert natural.dprime.value == pytest.approx(1.0, abs=0.25)
    assert natural.area.lo > 0.5
    assert smooth.area.lo < 0.5 < smooth.area.hi
    assert natural.means["human"].value > natural.means["synthetic"].hi
    assert natural.alpha.value > smooth.alpha.value
    assert {ranking.dimension for ranking in found.rankings} == {"natural", "smooth"}
    assert "area under the ROC" in analyse(grades).text()


def test_two_people_who_grade_have_no_intervals_of_systems(grades, tmp_path):
    two = {"p0", "p1"}
    for name in ("answers", "sessions"):
        lines = (grades / f"{name}.csv").read_text().splitlines()
        at = lines[0].split(",").index("session")
        kept = [lines[0], *(line for line in lines[1:] if line.split(",")[at] in two)]
        (tmp_path / f"{name}.csv").write_text("\n".join(kept) + "\n")
    for name in ("items.csv", "study.json"):
        (tmp_path / name).write_bytes((grades / name).read_bytes())
    found = analyse(tmp_path)
    assert all(math.isnan(one.strength.lo) for ranking in found.findings.rankings for one in ranking.systems)
    assert "nan" not in found.text()
    assert "There are no intervals: they need 3 participants" in found.text()
