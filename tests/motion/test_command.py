"""A user's own function through the command line: scored with no other file; and whatever is wrong with it, said."""

import os
import subprocess
import sys

import pandas as pd
import pytest

from beholder.core.scores import labels

MODELS = """
import numpy as np

def flow(movie):
    made = np.zeros((len(movie.frames) - 1, *movie.frames.shape[1:], 2))
    made[..., 0] = 1.0
    return made

def velocity(movie): return np.tile([1.0, 0.0], (len(movie.frames) - 1, 1))
def wrong_shape(movie): return np.zeros((3, 3))
def all_nan(movie): return flow(movie) * np.nan
def still(movie): return flow(movie) * 0
def upset(movie):
    if float(movie.frames[0, :, :80].sum()) == FIRST: raise RuntimeError("out of memory")
    return velocity(movie)
def text(movie): return "rightwards"
FIRST = %r
"""
NAMES = ("flow", "velocity", "wrong_shape", "all_nan", "rest", "upset", "text")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    from beholder.motion.datasets.diamonds import diamonds

    place = tmp_path_factory.mktemp("command")
    first = float(diamonds().load("diamond0").stimulus.frames[0, :, :80].sum())
    (place / "my.py").write_text(MODELS % first)
    models = [word for name in NAMES for word in ("--model", f"{name}=my.py:{'still' if name == 'rest' else name}")]
    done = subprocess.run(
        [sys.executable, "-m", "beholder.cli", "run", "motion/static", "--dataset", "diamonds", "--only", "diamond0",
         "--only", "diamond2", "--jobs", "1", *models, "--out", "out", "--samples", "1", "--set", "models=none"],
        cwd=place, capture_output=True, text=True, check=False, timeout=300, env=dict(os.environ),
    )  # fmt: skip
    return done, place / "out"


@pytest.fixture(scope="module")
def scores(run):
    done, folder = run
    assert (folder / "scores.csv").is_file(), done.stderr
    found = pd.read_csv(folder / "scores.csv", keep_default_na=False)
    found = found[(labels(found) == "final_score") & (found["criterion"] == "diamond")]
    return found.set_index(["model", "unit"])


def test_a_flow_and_velocities_are_scored_alike(scores):
    assert scores.loc[("flow", "diamond0"), "state"] == "ok"
    assert float(scores.loc[("flow", "diamond0"), "value"]) == 1  # it goes right
    assert float(scores.loc[("flow", "diamond2"), "value"]) == 0  # up
    for unit in ("diamond0", "diamond2"):
        assert scores.loc[("velocity", unit), "value"] == scores.loc[("flow", unit), "value"]


@pytest.mark.parametrize(
    ("name", "unit", "state", "says"),
    [
        ("wrong_shape", "diamond0", "failed", "got an answer of shape (3, 3); expected (22, 160, 160, 2)"),
        ("all_nan", "diamond0", "low", "no direction in the last 100 ms"),
        ("rest", "diamond2", "low", "no direction in the last 100 ms"),
        ("upset", "diamond0", "failed", "out of memory"),
        ("upset", "diamond2", "ok", ""),
        ("text", "diamond2", "failed", "expected real numbers"),
    ],
)
def test_what_is_wrong_is_a_row_with_a_reason(scores, name, unit, state, says):
    row = scores.loc[(name, unit)]
    assert row["state"] == state
    assert says in row["reason"]


def test_the_run_goes_on_names_the_failures_and_exits_with_one(run):
    done, folder = run
    assert done.returncode == 1, done.stderr
    assert "failed: wrong_shape on diamond0" in done.stdout
    assert "more failure" in done.stdout or "failed: upset on diamond0" in done.stdout
    assert "Traceback" not in done.stderr
    page = (folder / "report.html").read_text("utf-8")
    assert "out of memory" in page
    assert "scores.png" in page
