"""The wheel that the start page installs holds all that a run needs; nothing of the repository is needed beside it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import beholder

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_wheel_scores_a_model(tmp_path):
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    built = subprocess.run(
        [*command, "--wheel-dir", str(tmp_path), str(ROOT)], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob(f"beholder-{beholder.__version__}-*.whl")
    assert wheel.stat().st_size < 10_000_000
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    (tmp_path / "my.py").write_text(
        "def mine(pair):\n    return 5.0 + 0 * pair.left.reshape(*pair.left.shape[:2], -1)[..., 0]\n"
    )
    words = "run stereo/dense --model mine=my.py:mine --limit 1 --samples 1 --jobs 1 --quiet --out run"
    done = subprocess.run(
        [sys.executable, "-m", "beholder.cli", *words.split()],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "report.html").exists()
