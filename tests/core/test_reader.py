"""Readouts: each once per answer, from the cache unless it says that it is quicker than a look there."""

import numpy as np
import pytest

from beholder.core import reader
from beholder.core.benchmark import EVERYWHERE
from beholder.core.failures import describe_fault
from beholder.core.measure import measure
from beholder.core.reader import Reader
from beholder.errors import Misuse


def mean(answer, stimulus):
    return float(answer.mean())


mean.__module__ = "beholder.somewhere"  # only readouts of ours are cached


def quickly(answer, stimulus):
    return mean(answer, stimulus)


quickly.__module__ = mean.__module__
quickly.quick = True


@pytest.mark.parametrize(("reads", "looks"), [(mean, 1), (quickly, 0)])
def test_a_quick_readout_is_not_looked_for(reads, looks, monkeypatch):
    asked = []
    monkeypatch.setattr(reader, "cached", lambda key, ask: asked.append(key) or ask())

    @measure(better="higher", bounds=(0, 9), cite="", reads=reads)
    def of(observed, reference):
        return observed - reference

    one = Reader(None, "seen")
    one.answer = np.array([1.0, 3.0])
    assert [one.value(of, EVERYWHERE, who, 1.0).value for who in "ab"] == [1.0, 1.0]
    assert len(asked) == looks


def test_misuse_is_a_sentence_by_itself():
    assert describe_fault(Misuse("got 1; expected 2")) == "got 1; expected 2"
    assert describe_fault(ValueError("got 1")) == "ValueError: got 1"
