"""kill -9 in the middle, then the same command: the same table, and nothing that was finished is computed again."""

import os
import signal
import subprocess
import sys
import time

import pytest

import beholder as bh
from beholder.store.ledger import Ledger

SLOW = """
import os, pathlib, time
from beholder.store.digest import digest

def slow(pair):
    time.sleep(0.2)
    with open(pathlib.Path(__file__).with_name("calls"), "a") as log:  # one write: whole lines, whoever dies
        log.write(digest(pair) + "\\n")
    return pair.left[..., 0].astype(float) * 0 + 4.0 if pair.left.ndim == 3 else pair.left.astype(float) * 0 + 4.0
"""
COUNT = 24


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slow.py").write_text(SLOW)
    return tmp_path


def command(out, *more):
    words = ["run", "stereo/dense", "--quiet", "--samples", "0", "--dataset", f"random_dots(count={COUNT},size=64)"]
    words += ["--jobs", "1"]  # so that a kill comes in the middle
    return [sys.executable, "-m", "beholder.cli", *words, "--model", "slow=slow.py:slow", "--out", out, *more]


def calls(place):
    file = place / "calls"
    return file.read_text().splitlines() if file.exists() else []


def finished(folder):
    """Samples of the slow model that the ledger holds."""
    if not (folder / "ledger.sqlite").exists():
        return set()
    book = Ledger(folder / "ledger.sqlite")
    try:
        return book.finished(bh.load("stereo/dense", dataset=f"random_dots(count={COUNT},size=64)").key, "slow")
    finally:
        book.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The table of a run that nothing disturbs, in one process: workers, however many, must give the same bytes."""
    place = tmp_path_factory.mktemp("whole")
    (place / "slow.py").write_text(SLOW)
    subprocess.run(command("whole", "--engine", "serial"), cwd=place, check=True, timeout=120)
    assert len(calls(place)) == COUNT
    return (place / "whole" / "scores.csv").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_kill_and_resume(place, whole, jobs):
    kept = 0
    for _ in range(3):  # killed three times on the way
        running = subprocess.Popen(command("killed", "--jobs", jobs), start_new_session=True)
        for _ in range(1200):
            time.sleep(0.05)
            if running.poll() is not None or len(finished(place / "killed")) > kept + 2:
                break
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        now = len(finished(place / "killed"))
        assert now >= kept
        kept = now
    assert 0 < kept < COUNT
    time.sleep(1)  # a worker that was in the middle of a call is gone too
    before = calls(place)
    subprocess.run(command("killed", "--jobs", jobs), check=True, timeout=120)
    assert (place / "killed" / "scores.csv").read_bytes() == whole
    assert len(calls(place)) - len(before) == COUNT - kept  # only what was missing

    subprocess.run(command("killed", "--jobs", jobs), check=True, timeout=120)  # and once more: nothing to do
    assert len(calls(place)) - len(before) == COUNT - kept
    assert (place / "killed" / "scores.csv").read_bytes() == whole


@pytest.mark.slow
def test_a_worker_that_is_killed_from_outside_costs_nothing(place, whole):
    running = subprocess.Popen(command("hurt", "--jobs", "2"))
    victims = 0
    while running.poll() is None and victims < 3:
        time.sleep(1.0)
        victims += subprocess.run(["pkill", "-9", "-n", "-P", str(running.pid)], check=False).returncode == 0
    assert running.wait(120) == 0
    assert victims
    assert (place / "hurt" / "scores.csv").read_bytes() == whole


@pytest.mark.slow
def test_another_configuration_in_that_folder_is_refused(place):
    small = command("mine", "--limit", "1")
    subprocess.run(small, check=True, timeout=120)
    other = subprocess.run([*small, "--seed", "1"], capture_output=True, text=True, check=False, timeout=120)
    assert other.returncode == 2
    assert "holds another run" in other.stderr
    assert "--fresh" in other.stderr
    assert subprocess.run([*small, "--seed", "1", "--fresh"], check=False, timeout=120).returncode == 0


def test_a_changed_model_file_is_another_run(place):
    small = command("mine", "--limit", "1")
    subprocess.run(small, check=True, timeout=120)
    (place / "slow.py").write_text(SLOW + "\n# changed\n")
    assert subprocess.run(small, capture_output=True, check=False, timeout=120).returncode == 2


def test_fresh_never_empties_a_folder_that_is_no_run(place):
    (place / "thesis").mkdir()
    (place / "thesis" / "chapter1.tex").write_text("years of work")
    for more in ((), ("--fresh",)):
        done = subprocess.run(command("thesis", *more), capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 2
        assert (place / "thesis" / "chapter1.tex").read_text() == "years of work"


@pytest.mark.slow
def test_failures_are_kept_and_tried_again_with_resume(place):
    (place / "moody.py").write_text(
        "import pathlib\n"
        "def moody(pair):\n"
        "    if not pathlib.Path(__file__).with_name('mended').exists(): raise OSError('no licence')\n"
        "    return pair.left.reshape(*pair.left.shape[:2], -1)[..., 0] * 0.0\n"
    )
    small = command("mine", "--limit", "2", "--model", "moody=moody.py:moody")
    assert subprocess.run(small, capture_output=True, check=False, timeout=120).returncode == 1
    (place / "mended").touch()
    assert subprocess.run(small, capture_output=True, check=False, timeout=120).returncode == 1
    assert subprocess.run([*small, "--resume"], capture_output=True, check=False, timeout=120).returncode == 0


@pytest.mark.slow
def test_two_runs_in_one_folder_at_once(place):
    running = subprocess.Popen(command("mine"))
    while not (place / "mine" / "config").exists() and running.poll() is None:
        time.sleep(0.05)
    second = subprocess.run(command("mine"), capture_output=True, text=True, check=False, timeout=120)
    assert running.wait(120) == 0
    assert second.returncode == 2
    assert "being written by another run" in second.stderr
