"""Executors of others as engines: the same table, and a pool that breaks costs rows, never the run."""

import os
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, wait

import pandas as pd
import pytest

import beholder as bh
import toys
from beholder.engines.from_executor import FromExecutor
from beholder.engines.protocol import Died
from beholder.engines.serial import Serial


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2) as executor:
        yield executor


@pytest.mark.slow
def test_any_executor_gives_the_table_of_this_process(processes):
    bench = toys.opinions(toys.items(6))
    here = bh.run(bench, jobs=0)
    for engine in (processes, FromExecutor(processes), Serial(), "serial"):
        there = bh.run(bench, engine=engine)
        pd.testing.assert_frame_equal(there, here)


def test_slots_are_the_executors_own(processes):
    assert (FromExecutor(processes).slots, FromExecutor(ThreadPoolExecutor(3)).slots) == (2, 3)


def test_what_a_task_raises_comes_back(processes):
    with pytest.raises(ZeroDivisionError):
        FromExecutor(processes).submit(divmod, 1, 0).result()


@pytest.mark.slow
def test_a_broken_pool_is_told_in_our_words():
    with ProcessPoolExecutor(1) as executor:
        engine = FromExecutor(executor)
        with pytest.raises(Died, match="the executor is broken"):
            engine.submit(os._exit, 3).result()
        with pytest.raises(RuntimeError, match="the executor is broken"):
            engine.submit(abs, -1).result()


def test_tasks_that_an_executor_drops_are_rows_and_nobody_waits_for_them():
    with ThreadPoolExecutor(1) as executor:
        engine, go = FromExecutor(executor), threading.Event()
        first, second = engine.submit(go.wait, 30), engine.submit(abs, -1)
        executor.shutdown(wait=False, cancel_futures=True)
        go.set()
        assert wait([first, second], timeout=30).not_done == set()
        for lost, why in (
            (second, "the executor was shut down before it came to this"),
            (engine.submit(abs, -1), "broken"),
        ):
            with pytest.raises(RuntimeError, match=why):
                lost.result()


def test_what_breaks_a_pool_when_it_is_opened_is_not_opened_in_this_process():
    with ProcessPoolExecutor(1) as executor:
        scores = bh.run(toys.opinions(toys.items(2)), {"deadly": toys.Deadly()}, engine=executor)
    lost = scores[(scores["model"] == "deadly") & (scores["measure"] == "miss")]
    assert set(lost["state"]) == {"failed"}
    assert lost["reason"].str.startswith("it cannot be opened: the executor is broken").all()
    assert set(scores.loc[scores["role"] == "person", "state"]) <= {"ok", "na"}
