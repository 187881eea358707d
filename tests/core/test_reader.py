"""Readouts: each once per answer, from the cache unless it says that it is quicker than a look there."""

import numpy as np
import pytest

from beholder.core import reader
from beholder.core.benchmark import EVERYWHERE
from beholder.core.failures import describe_fault
from beholder.core.measure import measure
from beholder.core.model_code import Process
from beholder.core.reader import Reader
from beholder.errors import Misuse
from toys import pass_for_ours


def mean(answer, stimulus):
    return float(answer.mean())


def quickly(answer, stimulus):
    return mean(answer, stimulus)


quickly.quick = True


@pytest.fixture(autouse=True)
def ours(monkeypatch):
    """Only readouts of ours are cached."""
    pass_for_ours(monkeypatch, mean, quickly)


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


def test_what_was_read_is_known_by_its_question(tmp_path, monkeypatch):
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path))
    monkeypatch.setattr(Process, "foreign", False)
    first = Reader(None, "seen", "question")
    first.answer = np.array([1.0, 3.0])
    assert [first.read(mean), first.read(quickly)] == [2.0, 2.0]
    first.remember()
    several = {"question": [mean], "another": [mean], "": [mean]}
    assert [Reader(None, "seen", key).recall(reads) for key, reads in several.items()] == [True, False, False]
    later = Reader(None, "seen", "question")
    assert not later.recall([])
    assert not later.recall([mean, quickly])
    assert later.recall([mean])
    assert later.read(mean) == 2.0  # without an answer


def test_nothing_is_remembered_beside_a_model_that_may_have_changed_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path))
    monkeypatch.setattr(Process, "foreign", True)
    first = Reader(None, "seen", "question")
    first.answer = np.array([1.0, 3.0])
    first.read(mean)
    first.remember()
    assert not Reader(None, "seen", "question").recall([mean])


def test_misuse_is_a_sentence_by_itself():
    assert describe_fault(Misuse("got 1; expected 2")) == "got 1; expected 2"
    assert describe_fault(ValueError("got 1")) == "ValueError: got 1"
