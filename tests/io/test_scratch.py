"""Folders for a moment: what a killed process left is removed, what belongs to somebody is not."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from beholder.io import scratch
from beholder.io.scratch import OWNER, PREFIX, Scratch

MAKES = """
import os, pathlib, sys
from beholder.io.scratch import Scratch
made = Scratch()
pathlib.Path(made.name, "data").write_text("x")
print(made.name, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch.sweep.cache_clear()
    yield tmp_path
    scratch.sweep.cache_clear()


@pytest.fixture
def owner(place):
    """A process that holds a folder; the folder."""
    running = subprocess.Popen(
        [sys.executable, "-c", MAKES],
        env={**os.environ, "TMPDIR": str(place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with running:
        yield running, Path(running.stdout.readline().strip())
        running.kill()


def names(place):
    return {file.name for file in place.iterdir()}


def test_what_a_killed_process_left_goes_at_the_next_start_and_not_before_it_is_dead(place, owner):
    running, left = owner
    with Scratch() as own:
        assert names(place) == {Path(own).name, left.name}
    scratch.sweep.cache_clear()
    running.kill()
    running.wait()
    assert (left / "data").exists()
    with Scratch() as own:
        assert names(place) == {Path(own).name}
    assert not names(place)


def test_a_process_sweeps_once(place, owner):
    running, left = owner
    Scratch().cleanup()
    running.kill()
    running.wait()
    Scratch().cleanup()
    assert left.exists()


def test_what_is_not_known_to_be_ours_stays(place):
    (place / "elsewhere").mkdir()
    (place / "elsewhere" / OWNER).touch()
    (place / f"{PREFIX}link").symlink_to("elsewhere")
    (place / f"{PREFIX}unmarked").mkdir()  # one that is being made looks like that
    (place / "beholder-run").mkdir()
    (place / "beholder-run" / OWNER).touch()
    (place / f"{PREFIX}file").touch()
    before = names(place)
    Scratch().cleanup()
    assert names(place) == before
    assert (place / "elsewhere" / OWNER).exists()


def test_what_belongs_to_another_user_stays(place, monkeypatch):
    (place / f"{PREFIX}other").mkdir()
    (place / f"{PREFIX}other" / OWNER).touch()
    with monkeypatch.context() as other:
        other.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
        scratch.sweep()
    assert names(place) == {f"{PREFIX}other"}
    scratch.sweep.cache_clear()
    scratch.sweep()
    assert not names(place)


def test_where_files_cannot_be_locked_the_folder_is_there_and_nobody_sweeps_it(place, monkeypatch):
    def refuse(*args):
        raise OSError("no locks here")

    with monkeypatch.context() as lockless:
        lockless.setattr(scratch.fcntl, "flock", refuse)
        made = Scratch()
    scratch.sweep()
    assert not (Path(made.name) / OWNER).exists()
    assert Path(made.name).is_dir()
    made.cleanup()
    assert not names(place)
