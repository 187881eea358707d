import csv

import numpy as np
import pytest

from beholder.core.measure import NotApplicable, card
from beholder.stats.rater_agreement import cohen
from beholder.study.measures.consistency import error_consistency
from beholder.study.ratings import Judged

RNG = np.random.default_rng(0)
PEOPLE = (RNG.random((30, 4)) < RNG.random((30, 1))).astype(float)  # some items are hard for everybody
PEOPLE[3:9, 2] = np.nan
MODEL = (RNG.random(30) < 0.6).astype(float)
MODEL[5] = np.nan


def judged(people):
    return [Judged({f"{at}": value for at, value in enumerate(row) if not np.isnan(value)}) for row in people]


def test_it_is_the_mean_of_cohens_kappas_over_people():
    found = error_consistency(MODEL, judged(PEOPLE))
    assert found.value == pytest.approx(np.mean([cohen(MODEL, own) for own in PEOPLE.T]))
    assert set(found.parts) == {"observed", "expected"}


def test_who_errs_as_one_person_does_is_fully_consistent_with_them():
    assert error_consistency(PEOPLE[:, 0], judged(PEOPLE[:, :1])).value == 1


def test_people_with_whom_it_is_undefined_are_left_out():
    always = np.column_stack([np.ones(4), [1, 0, 1, 0]])
    assert error_consistency([1, 1, 1, 1], judged(always[:, :1])).reason
    assert error_consistency([1, 0, 1, 0], judged(always)).value == pytest.approx(0.5)  # 0 with the first, 1 the second
    assert error_consistency([1, 1, 1, 1], judged(always)).value == pytest.approx(0)  # undefined with the first


@pytest.mark.parametrize(("answers", "ratings"), [([0.3, 1], [1.0, 0.0]), ([1, 0], [1.0, 4.0])])
def test_grades_are_not_right_or_wrong(answers, ratings):
    with pytest.raises(NotApplicable, match=r"right \(1\) or wrong \(0\)"):
        error_consistency(answers, [Judged({"a": value}) for value in ratings])


def test_all_draws_at_once_are_the_draws_one_by_one():
    references = judged(PEOPLE)
    picks = np.random.default_rng(1).integers(0, 30, (20, 30))
    often = np.stack([np.bincount(row, minlength=30) for row in picks])
    found = card(error_consistency).resampling.at_once(MODEL, references, often)
    one_by_one = [error_consistency(MODEL[row], [references[at] for at in row]).value for row in picks]
    assert found == pytest.approx(one_by_one)


def trials(data, experiment):
    """Whether each observer was right, items × people, and by network."""
    root = data / "texture_shape" / "raw-data"
    found = {}
    for file in sorted(root.glob(f"{experiment}-experiment*/*.csv")):
        with file.open() as text:
            for row in csv.DictReader(text):
                right = float(row["object_response"] == row["category"])
                found.setdefault(file.stem.split("_session")[0], {})[row["imagename"].split("_")[-1]] = right
    items = sorted(next(iter(found.values())))
    arrays = {name.removeprefix(f"{experiment}-experiment_"): [own[i] for i in items] for name, own in found.items()}
    people = np.array([own for name, own in arrays.items() if name.startswith("subject")]).T
    return people, {name: np.array(own) for name, own in arrays.items() if not name.startswith("subject")}


@pytest.mark.parametrize(
    ("experiment", "humans", "networks"),
    [  # specs/data.md 3.15: accuracy / error consistency with people
        ("edge", 0.3184, {"resnet50": (0.1812, 0.0453), "resnet50_train_60_epochs": (0.4875, 0.1068),
                          "alexnet": (0.4000, 0.1104), "googlenet": (0.2812, 0.0774), "vgg": (0.2437, 0.0710)}),
        ("silhouette-filled", 0.4757, {"resnet50": (0.5437, 0.4462), "resnet50_train_60_epochs": (0.4437, 0.3419),
                                       "alexnet": (0.4437, 0.2827), "googlenet": (0.4875, 0.3348),
                                       "vgg": (0.4813, 0.3292)}),
    ],
)  # fmt: skip
def test_edges_and_silhouettes(data, experiment, humans, networks):
    people, models = trials(data, experiment)
    assert people.shape == (160, 10)
    for name, (accuracy, consistency) in networks.items():
        assert models[name].mean() == pytest.approx(accuracy, abs=1e-4)
        assert error_consistency(models[name], judged(people)).value == pytest.approx(consistency, abs=5e-5)
    each = [error_consistency(people[:, at], judged(np.delete(people, at, axis=1))).value for at in range(10)]
    assert np.mean(each) == pytest.approx(humans, abs=5e-5)
