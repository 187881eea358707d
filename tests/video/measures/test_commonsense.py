"""Commonsense adherence needs a network: without class probabilities there is no number."""

from types import SimpleNamespace

import numpy as np
import pytest

from beholder.core.measure import NotApplicable
from beholder.video.measures.commonsense import commonsense_adherence
from beholder.video.uneventful import uneventful


def test_without_weights_it_does_not_apply():
    with pytest.raises(NotApplicable, match="weights"):
        commonsense_adherence(uneventful(), None)


def test_it_is_what_the_classes_are_worth_by_their_probabilities():
    views = np.array([[0.1, 0.2, 0.4, 0.2, 0.1], [0.0, 0.0, 0.0, 0.2, 0.8]])
    found = commonsense_adherence(SimpleNamespace(classes=views), None)
    assert found.value == pytest.approx((0.5 + 0.95) / 2)  # 0.05 + 0.2 + 0.15 + 0.1, and 0.15 + 0.8
    assert found.parts["Perfect"] == pytest.approx(0.45)
