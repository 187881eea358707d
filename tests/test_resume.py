"""The same command again: what may be resumed, and what is another run. Kills are in tests/faults."""

import subprocess
import sys

import pytest

MODEL = """
import numpy as np
def mine(pair):
    return np.full(pair.left.shape[:2], 4.0)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.py").write_text(MODEL)
    return tmp_path


def command(out, *more):
    words = ["run", "stereo/dense", "--quiet", "--samples", "0", "--dataset", "random_dots(count=2,size=64)"]
    return [sys.executable, "-m", "beholder.cli", *words, "--jobs", "1", "--model", "my.py:mine", "--out", out, *more]


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
    (place / "my.py").write_text(MODEL + "\n# changed\n")
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
