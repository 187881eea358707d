"""Nobody who has sprung from a process outlives it, wherever they went and whenever they were started."""

import os
import signal
import subprocess
import sys
import time

import pytest

from beholder.io import programs
from processes import still_running

# A leader whose child goes into a session of its own and, when it is told to, forks a child that hides likewise.
LEADER = """
import os, pathlib, sys, time
from beholder.io.programs import adopt_orphans
adopt_orphans()
def note(name): pathlib.Path(name + ".part").write_text(str(os.getpid())); os.rename(name + ".part", name)
if os.fork() == 0:
    os.setsid()
    note("child")
    while not os.path.exists("go"): time.sleep(0.005)
    if os.fork() == 0:
        os.setsid()
        note("grandchild")
    time.sleep(60)
time.sleep(60)
"""
HIDING = "import os, pathlib, time; pathlib.Path('hidden').write_text(f'{os.getpid()}'); time.sleep(60)"
DYING = f"""
import os, pathlib, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {HIDING!r}], start_new_session=True, env={{}})
while not os.path.exists("hidden") or not pathlib.Path("hidden").read_text(): time.sleep(0.01)
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def start(tmp_path):
    """Start a program that leads a session, with our mark."""
    begun = []

    def leader(program):
        begun.append(
            subprocess.Popen(
                [sys.executable, "-c", program],
                cwd=tmp_path,
                env={**os.environ, "MARK": "ours"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        )
        return begun[-1]

    yield leader
    for one in begun:
        one.kill()
        one.wait()
        one.stdout.close()


def pid_in(file, seconds=20.0):
    end = time.monotonic() + seconds
    while not (file.exists() and file.read_text()):
        if time.monotonic() > end:
            return None
        time.sleep(0.005)
    return int(file.read_text())


def test_a_child_that_is_forked_while_we_look_is_found(start, tmp_path, monkeypatch):
    leader = start(LEADER)
    child = pid_in(tmp_path / "child")
    look, looks = programs.descendants, []

    def look_slowly(parent):
        found = look(parent)
        looks.append(found)
        (tmp_path / "go").touch()
        if len(looks) == 1:
            assert pid_in(tmp_path / "grandchild") not in found
        return found

    monkeypatch.setattr(programs, "descendants", look_slowly)
    monkeypatch.setattr(programs, "_marked", lambda mark: set())
    programs.kill_family(leader.pid, "MARK=ours")
    assert leader.wait(20) == -signal.SIGKILL
    assert not still_running([child, pid_in(tmp_path / "grandchild")])


def test_a_child_without_our_mark_is_found_by_what_it_prints_to_when_its_parent_is_dead(start, tmp_path):
    leader = start(DYING)
    assert leader.wait(20) == -signal.SIGKILL
    hidden = pid_in(tmp_path / "hidden")
    programs.kill_family(leader.pid, "MARK=ours", os.fstat(leader.stdout.fileno()).st_ino)
    assert not still_running([hidden])
