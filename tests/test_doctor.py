"""`beholder doctor`: what is there, what is missing and how to get it; exit 1 only where something needed is broken."""

import importlib.util

import pytest
from typer.testing import CliRunner

from beholder.cli import app, doctor
from beholder.extras import EXTRAS


@pytest.fixture(autouse=True)
def _place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("BEHOLDER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("BEHOLDER_DATA", raising=False)


def found(subject):
    return next(one for one in doctor.examine() if one.subject == subject)


def test_a_sound_installation_is_fine_and_nothing_is_made(tmp_path):
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 0, done.output
    assert done.output.rstrip().endswith("Everything that Beholder needs is there.")
    assert max(map(len, done.output.splitlines())) <= 80 + len(str(tmp_path))  # a path is not broken
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", EXTRAS)
def test_every_extra_with_its_use_and_the_way_to_get_it(name, monkeypatch):
    monkeypatch.setattr("beholder.extras.find_spec", lambda module: None)
    one = found(f"extra {name}")
    assert one.state == "missing"
    assert one.says == f"{EXTRAS[name].use}; {EXTRAS[name].install}"
    monkeypatch.setattr("beholder.extras.find_spec", lambda module: object())
    assert found(f"extra {name}") == (f"extra {name}", "fine", EXTRAS[name].use)


def test_a_package_that_is_needed_and_missing_is_broken(monkeypatch):
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "skimage" else there(name))
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "missing: scikit-image; pip install scikit-image" in done.output
    assert "Broken: packages." in done.output


def test_data_at_hand(tmp_path, monkeypatch):
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path / "data"))
    assert found("data").state == "missing"
    (tmp_path / "data" / "my_own").mkdir(parents=True)
    assert found("data").state == "fine"
    assert "known datasets fetched; beside them my_own" in found("data").says
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BEHOLDER_DATA", str(tmp_path / "file"))
    assert found("data").state == "broken"


def test_a_folder_for_runs_that_cannot_be_written_is_broken(tmp_path):
    (tmp_path / "runs").write_text("a file")
    assert found("runs folder").state == "broken"
    assert "give --out DIR" in found("runs folder").says
