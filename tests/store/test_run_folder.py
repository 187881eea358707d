"""A run's folder: what a kill has left in it is taken up or removed."""

import shutil

import pytest

from beholder.store import run_folder
from beholder.store.run_folder import Config


def own(folder, **how):
    with run_folder.own(folder, Config("one"), **how) as owned:
        owned.ledger.commit()


def test_a_kill_while_a_run_is_removed_leaves_a_folder_that_can_be_begun_anew(tmp_path, monkeypatch):
    own(tmp_path / "run")
    (tmp_path / "run" / "answers").mkdir()

    def killed(path):
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "rmtree", killed)
    with pytest.raises(KeyboardInterrupt):
        own(tmp_path / "run", fresh=True)
    monkeypatch.undo()
    own(tmp_path / "run", fresh=True)
    assert not (tmp_path / "run" / "answers").exists()


def test_drafts_that_a_kill_has_left_are_removed_and_nothing_else(tmp_path):
    own(tmp_path)
    for name in (".scores.csv.0123abcd", ".run.json.0123abcd", ".scores.csv.mine", ".notes"):
        (tmp_path / name).write_text("half of it")
    own(tmp_path)
    assert {one.name for one in tmp_path.glob(".*")} == {".lock", ".scores.csv.mine", ".notes"}
