"""CAS, the released table and the list of switches: D1 and D2."""

from dataclasses import fields

import numpy as np
import pytest

from beholder.study.scoreboards import vmbench
from beholder.video.release.commonsense import CLASSES, commonsense
from beholder.video.release.switches import AS_RELEASED, MENDED, Switches
from beholder.video.release.total import averages, total

WITH_WEIGHTS = Switches(cas_without_weights=False)


@pytest.mark.parametrize(("at", "worth"), list(enumerate([0, 0.25, 0.5, 0.75, 1])))
def test_each_class_has_its_worth(at, worth):
    assert commonsense(np.eye(5)[at], WITH_WEIGHTS) == worth
    assert len(CLASSES) == 5


def test_probabilities_are_averaged_over_views():
    views = np.array([[1, 0, 0, 0, 0], [0, 0, 0, 0, 1.0]])
    assert commonsense(views, WITH_WEIGHTS) == 0.5


def test_other_numbers_of_classes_are_refused():
    with pytest.raises(ValueError, match=r"got class probabilities of \(4,\); expected \(views, 5\): Bad, Poor"):
        commonsense(np.ones(4), WITH_WEIGHTS)


def test_d1_without_weights_every_clip_is_the_same():
    # 0.49995 ± 0.00001: specs/video.md 1.9, the scripts' network with its own initial values
    assert {commonsense(np.eye(5)[at]) for at in range(5)} == {commonsense(None)} == {0.49995}
    assert commonsense(np.full(5, 0.2), WITH_WEIGHTS) == pytest.approx(0.5)


def test_the_table_has_means_of_those_that_have_a_number():
    values = {"CAS": [0.2, 0.4, np.nan], "MSS": [1.0], "TCS": [np.nan], "PAS": [0.5]}
    assert averages(values) == {"CAS": pytest.approx(30), "MSS": 100}
    assert total({}) == 0.0


def test_d2_the_total_is_of_four():
    # Wan2.1 in the README's table: 77.70 of four, 65.74 of five, and 78.4 is printed
    row = vmbench().set_index(["model", "measure"])["value"]["Wan2.1"] / 100
    values = {name: [value] for name, value in row.items()}
    assert total(values) == pytest.approx(77.70)
    assert total(values, Switches(amplitude_left_out_of_total=False)) == pytest.approx(65.74)


def test_all_ten_are_switches_and_all_are_on_as_released():
    assert len(fields(Switches)) == 10
    assert str(AS_RELEASED) == "as released"
    assert not any(getattr(MENDED, field.name) for field in fields(Switches))
