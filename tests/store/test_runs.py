"""Which runs there are: running, stopped, done or damaged, read from their folders."""

import errno
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

from beholder.errors import Misuse
from beholder.store import run_json
from beholder.store.run_folder import Config, own
from beholder.store.runs import list_runs, read_finished, size_of


@pytest.fixture
def stopped(tmp_path):
    """Three of ten trials are done, one of them has failed."""
    with own(tmp_path / "runs" / "a", Config("digest")) as (ledger, _):
        ledger.expect({"bench": 6, "other": 4})
        for id in "xyz":
            ledger.add("bench", "model", id, SimpleNamespace(failure="broke" if id == "y" else ""))
    return tmp_path / "runs"


def test_a_stopped_run_says_how_far_it_came(stopped):
    (one,) = list_runs(stopped)
    assert (one.state, one.scored, one.share, one.failed, one.seconds) == ("stopped", False, 0.3, 1, None)
    assert one.size == size_of(one.folder) > 0
    assert not list(one.folder.glob("*-wal"))  # looking leaves nothing behind


def test_a_run_is_running_while_somebody_holds_its_folder(stopped):
    with own(stopped / "a", Config("digest")):
        assert [one.state for one in list_runs(stopped)] == ["running"]
    assert [one.state for one in list_runs(stopped)] == ["stopped"]


def test_a_run_that_goes_on_has_failed_as_often_as_its_ledger_says(stopped):
    run_json.write(stopped / "a", [], scores="")  # of an earlier end, which knows of no failure
    with own(stopped / "a", Config("digest")) as (ledger, _):
        assert [one.failed for one in list_runs(stopped)] == [ledger.failed("bench", "model")] == [1]


def test_a_pipe_in_place_of_a_config_is_no_run_and_is_not_waited_for(stopped):
    (stopped / "a" / "config").unlink()
    os.mkfifo(stopped / "a" / "config")
    assert list_runs(stopped) == []
    with pytest.raises(Misuse, match="holds no Beholder run"):
        own(stopped / "a", Config("digest")).__enter__()


def test_a_ledger_that_cannot_be_opened_is_a_sentence(stopped):
    ledger = stopped / "a" / "ledger.sqlite"
    ledger.unlink()
    ledger.symlink_to(stopped / "nowhere" / "ledger.sqlite")
    with pytest.raises(Misuse, match=r"cannot open .*ledger.sqlite \(unable to open .*choose another --out"):
        own(stopped / "a", Config("digest")).__enter__()


def test_starting_over_removes_a_link_and_not_what_is_behind_it(stopped, tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "mine.png").write_text("")
    (stopped / "a" / "figures").symlink_to(tmp_path / "far")
    with own(stopped / "a", Config("digest"), fresh=True):
        assert not (stopped / "a" / "figures").exists()
    assert (tmp_path / "far" / "mine.png").exists()


def test_a_file_system_without_locks_is_named(stopped, monkeypatch):
    def unlocked(*_):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", unlocked)
    with pytest.raises(Misuse, match=r"cannot be locked \(Function not implemented\).*choose an --out on a local disk"):
        own(stopped / "a", Config("digest")).__enter__()


def test_two_at_once_are_refused(stopped):
    with (
        own(stopped / "a", Config("digest")),
        pytest.raises(Misuse, match="is being written by another run"),
        own(stopped / "a", Config("digest")),
    ):
        pass


LOOKING = "import sys; from pathlib import Path; from beholder.store.runs import _locked\n"
LOOKING += "print(flush=True)\nwhile True: _locked(Path(sys.argv[1]))"


def test_looking_at_a_run_never_keeps_it_from_beginning(stopped):
    with subprocess.Popen([sys.executable, "-c", LOOKING, stopped / "a"], stdout=subprocess.PIPE) as looker:
        looker.stdout.readline()
        for _ in range(20):
            with own(stopped / "a", Config("digest")):
                pass
        looker.kill()


def test_what_cannot_be_read_is_listed_all_the_same(stopped):
    (stopped / "a" / "run.json").write_text("{")
    assert [(one.state, one.scored) for one in list_runs(stopped)] == [("damaged", False)]
    (stopped / "a" / "run.json").unlink()
    (stopped / "a" / "ledger.sqlite").write_bytes(b"rubbish" * 1000)
    assert [(one.state, one.share) for one in list_runs(stopped)] == [("stopped", None)]
    assert read_finished(stopped / "a") == {}
    shutil.rmtree(stopped / "a")
    assert list_runs(stopped) == []


def test_a_run_itself_and_a_product_that_was_copied_are_listed(stopped):
    assert [one.folder for one in list_runs(stopped / "a")] == [stopped / "a"]
    copied = stopped / "copied"
    copied.mkdir()
    (copied / "run.json").write_text("{}")
    assert [one.folder.name for one in list_runs(stopped)] == ["a"]
    (copied / "scores.csv").touch()
    assert {one.folder.name: one.state for one in list_runs(stopped)} == {"a": "stopped", "copied": "damaged"}
    assert len(list_runs(copied)) == 1
