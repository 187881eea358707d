"""Sums are done on one thread: by the command, as by its workers, unless the user says otherwise, and by `serial`."""

import os

import cv2
import numpy as np
import pytest
import scipy.linalg
from threadpoolctl import threadpool_info, threadpool_limits

import beholder as bh
import toys
from beholder import cli
from beholder.engines.serial import Serial
from beholder.engines.threads import SINGLE


def test_one_thread_unless_told_otherwise(monkeypatch):
    seen = {}
    monkeypatch.setattr(os, "environ", {"OMP_NUM_THREADS": "3"})
    monkeypatch.setattr(cli, "bare_flags", lambda _: lambda **_: seen.update(os.environ))
    with pytest.raises(SystemExit):
        cli.main()
    assert seen == {**SINGLE, "OMP_NUM_THREADS": "3"}


def threads():
    """How many threads each library may use."""
    return [one["num_threads"] for one in threadpool_info()] + [cv2.getNumThreads()]


@pytest.fixture
def two():
    """Libraries that use two threads each, whatever the machine has."""
    scipy.linalg.svd(np.eye(2))  # has a BLAS of its own, which is loaded by now
    before = cv2.getNumThreads()
    cv2.setNumThreads(2)
    with threadpool_limits(2):
        yield threads()
    cv2.setNumThreads(before)


def test_serial_uses_one_thread_and_gives_the_others_back(two):
    assert len(two) >= 3
    assert set(two) == {2}
    assert set(Serial().submit(threads).result()) == {1}
    with pytest.raises(ZeroDivisionError):
        Serial().submit(divmod, 1, 0).result()
    assert threads() == two


def test_pooled_measures_are_taken_on_one_thread(two):
    seen = []

    @bh.measure(better="higher", bounds=(0, 1), cite="", per="dataset")
    def pooled(answers, references):
        """How many threads there are."""
        seen.extend(threads())
        return 1.0

    bh.run(bh.Benchmark("toy/x", 1, toys.items(2), (pooled,), (toys.nobody,)), lambda patch: 1.0, jobs=0)
    assert set(seen) == {1}
    assert threads() == two
