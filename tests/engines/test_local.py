"""The pool of supervised workers: a death costs its task and nothing else."""

import functools
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from beholder.engines import local
from beholder.engines.local import Local
from beholder.engines.protocol import Died, Late, Outgrown
from beholder.engines.serial import Serial
from beholder.errors import Misuse
from processes import still_running


@pytest.fixture
def pool():
    with closing(Local(1, timeout=20)) as made:
        yield made


def test_results_come_back_in_futures(pool):
    assert pool.submit(divmod, 7, 2).result() == (3, 1)
    assert [f.result() for f in [pool.submit(pow, 2, n) for n in range(50)]] == [2**n for n in range(50)]


def test_what_a_task_raises_comes_back_as_text(pool):
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        pool.submit(divmod, 1, 0).result()
    assert pool.submit(divmod, 7, 2).result() == (3, 1)


@pytest.mark.parametrize(
    ("task", "sentence"),
    [
        ((os._exit, 5), "exited with code 5"),
        ((os.abort,), "killed by SIGABRT"),
        ((signal.raise_signal, signal.SIGKILL), "killed by SIGKILL"),
    ],
)
def test_a_death_costs_its_task_only(pool, task, sentence):
    before, dead, after = pool.submit(abs, -1), pool.submit(*task), pool.submit(abs, -2)
    with pytest.raises(Died, match=sentence):
        dead.result()
    assert (before.result(), after.result()) == (1, 2)


def test_a_late_task_is_killed_with_what_it_has_started():
    with closing(Local(1, timeout=1)) as pool:
        started = time.monotonic()
        with pytest.raises(Late, match="no answer within 1 s"):
            pool.submit(os.system, "sleep 30").result()
        assert time.monotonic() - started < 15
        assert pool.submit(abs, -2).result() == 2


def test_a_gigabyte_of_print_blocks_nothing_and_is_not_kept(pool):
    lots = "import sys; [sys.stdout.write('x' * 1_000_000) for _ in range(1000)]"
    assert pool.submit(os.system, f'{sys.executable} -c "{lots}"').result() == 0
    assert all(len(worker._said) <= 2000 for worker in pool._workers)


def test_workers_use_one_thread(pool):
    assert pool.submit(os.getenv, "OMP_NUM_THREADS").result() == "1"


def test_a_worker_dies_with_its_parent(tmp_path):
    script = (
        "import os, time\n"
        "from beholder.engines.local import Local\n"
        "pool = Local(1)\n"
        "print(pool.submit(os.getpid).result(), flush=True)\n"
        "pool.submit(time.sleep, 60)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    with parent:
        worker = int(parent.stdout.readline())
        parent.kill()
    assert not still_running([worker])


def test_an_idle_worker_is_ended_and_the_next_task_gets_a_new_one(monkeypatch):
    monkeypatch.setattr(local, "IDLE", 0.2)
    with closing(Local(1)) as pool:
        first = pool.submit(os.getpid).result()
        assert not still_running([first])
        assert pool.submit(os.getpid).result() != first
        assert pool.peak() > 0  # of those that are gone, too


def test_serial_does_it_at_once():
    with closing(Serial()) as here:
        assert here.submit(os.getpid).result() == os.getpid()
        with pytest.raises(ZeroDivisionError):
            here.submit(divmod, 1, 0).result()


def test_closing_at_any_instant_leaves_nobody_waiting():
    """Also while a worker is being started: none may be forgotten, and no thread may wait for its answer."""
    for delay in (0.0, 0.005, 0.02, 0.1, 0.3, 0.6):
        pool = Local(2, timeout=60)
        futures = [pool.submit(time.sleep, 60) for _ in range(4)]
        time.sleep(delay)
        started = time.monotonic()
        pool.close(now=True)
        assert time.monotonic() - started < 20
        assert all(future.done() for future in futures)
        assert not pool._workers


def forks_and_dies():
    """Leaves a child that holds the pipes open."""
    if os.fork() == 0:
        time.sleep(30)
        os._exit(0)
    os._exit(6)


def test_a_death_is_seen_though_a_child_holds_the_pipe():
    with closing(Local(1, timeout=60)) as pool:
        started = time.monotonic()
        with pytest.raises(Died, match="exited with code 6"):
            pool.submit(forks_and_dies).result()
        assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    ("quota", "may_use"),
    [
        ("max 100000", 8),
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("50000 100000", 1),
        ("1600000 100000", 8),
        ("", 8),
    ],
)
def test_cores_are_those_that_a_container_was_given(monkeypatch, tmp_path, quota, may_use):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    monkeypatch.setattr(local, "QUOTA", tmp_path / "cpu.max")
    assert local.cores() == 8
    (tmp_path / "cpu.max").write_text(f"{quota}\n")
    assert local.cores() == may_use


def take(megabytes, *, give=0, children=0, hold=0.0):
    """Take memory, in children too, and give something back."""
    held = bytearray(megabytes << 20)
    for _ in range(children):
        if os.fork() == 0:
            own = bytearray(megabytes << 20)
            time.sleep(hold)
            os._exit(len(own) * 0)
    time.sleep(hold)
    return bytes(give) or len(held)


KEPT = []


def leak(megabytes):
    """Take memory and never give it back."""
    KEPT.append(bytearray(megabytes << 20))
    return len(KEPT)


@pytest.mark.parametrize(("each", "children"), [(400, 0), (150, 2)], ids=["alone", "with children"])
def test_a_worker_that_takes_too_much_memory_is_ended_and_no_other(each, children):
    with closing(Local(2, timeout=60, memory=350_000_000)) as pool:
        small = pool.submit(functools.partial(take, 10, hold=2))
        large = pool.submit(functools.partial(take, each, children=children, hold=30))
        with pytest.raises(Outgrown, match=re.escape("used more than 350 MB of memory (--memory)")):
            large.result()
        assert small.exception() is None
        assert pool.submit(abs, -2).result() == 2


def test_what_forked_processes_share_counts_once():
    with closing(Local(1, timeout=60, memory=600_000_000)) as pool:
        assert pool.submit(functools.partial(shared, 250, hold=3)).result() == 2


def shared(megabytes, *, hold):
    """Two children look at what their parent holds."""
    held = bytearray(megabytes << 20)
    children = [pid for _ in range(2) if (pid := os.fork())]
    if len(children) < 2:
        time.sleep(hold)
        os._exit(sum(held[:: 1 << 20]))
    return sum(os.waitpid(pid, 0)[1] == 0 for pid in children)


def test_a_model_that_leaks_gets_a_new_worker_and_loses_nothing():
    with closing(Local(1, timeout=60, memory=400_000_000)) as pool:
        counts = [pool.submit(leak, 60).result() for _ in range(12)]
    assert len(counts) == 12
    assert counts.count(1) > 1  # a new worker begins at one


def test_a_gigabyte_comes_not_back():
    with closing(Local(1, timeout=60)) as pool:
        with pytest.raises(RuntimeError, match="what came out cannot be sent back: it holds more than 268 MB"):
            pool.submit(functools.partial(take, 1, give=1 << 30)).result()
        assert pool.submit(os.getpid).result() in {worker._process.pid for worker in pool._workers}


def test_the_peak_of_workers_is_measured_anew_each_time():
    with closing(Local(1, timeout=60)) as pool:
        pool.submit(take, 300).result()
        first = pool.peak()
        pool.submit(take, 1).result()
        assert first > 300 << 20 > pool.peak() > 10 << 20


def test_a_worker_that_cannot_be_started_now_is_tried_again_and_in_the_end_no_task_is_blamed(monkeypatch):
    start, refused, files = subprocess.Popen, [], len(list(Path("/proc/self/fd").iterdir()))

    def popen(*words, **how):
        if len(refused) < 2:
            refused.append(1)
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return start(*words, **how)

    monkeypatch.setattr(local.subprocess, "Popen", popen)
    with closing(Local(1)) as pool:
        assert pool.submit(abs, -2).result() == 2
        refused.clear()
        monkeypatch.setattr(local, "PATIENCE", 0.0)
        pool.renew()
        with pytest.raises(Misuse, match=r"no worker process can be started on .* \(Resource temp.*what was finished"):
            pool.submit(abs, -2).result()
        assert len(list(Path("/proc/self/fd").iterdir())) == files  # no pipe stays open


def test_a_worker_without_a_thread_that_listens_is_ended(monkeypatch):
    started, there = threading.Thread.start, set(children())

    def start(thread):
        if thread._target.__name__ == "_listen":
            raise RuntimeError("can't start new thread")
        started(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.setattr(local, "PATIENCE", 0.0)
    with closing(Local(1)) as pool, pytest.raises(Misuse, match="no worker process can be started"):
        pool.submit(abs, -2).result()
    assert set(children()) <= there


def children():
    """Processes that this one has started, ended or not."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that has ended meanwhile
            found += (task / "children").read_text().split()
    return found


def test_workers_are_heard_however_many_files_are_open(pool):
    below, more = resource.getrlimit(resource.RLIMIT_NOFILE)
    if more != resource.RLIM_INFINITY and more < 2048:
        pytest.skip("no more than 2,048 files may be open")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(below, 2048), more))
    many = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        assert pool.submit(abs, -2).result() == 2
    finally:
        for fd in many:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (below, more))
