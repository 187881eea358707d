"""`beholder tune` as a user meets it."""

import os
import subprocess
import sys
import tomllib

import pandas as pd
import pytest

pytestmark = pytest.mark.slow  # whole runs

MODELS = """
import numpy as np
def level(pair, *, depth: float = 40.0, word: str = "a"): return np.full(pair.left.shape[:2], depth)
def chancy(pair, *, depth: float = 1.0, rng): return np.full(pair.left.shape[:2], depth * rng.random())
"""
BED = ("--jobs", "1", "--dataset", "random_dots(count=2,size=64)")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tune")
    (folder / "my.py").write_text(MODELS)
    (folder / "answers").mkdir()
    return folder


@pytest.fixture(scope="module")
def beholder(place):
    def command(*words):
        return subprocess.run(
            [sys.executable, "-m", "beholder.cli", *words], cwd=place, capture_output=True, text=True, check=False,
            timeout=120, env=dict(os.environ),
        )  # fmt: skip

    return command


@pytest.fixture(scope="module")
def tuned(beholder):
    words = ("tune", "stereo/dense", *BED, "--model", "mine=my.py:level", "--over", "depth=4.0..9", "--trials", "6")
    return words, beholder(*words, "--out", "out")


def test_the_record_says_what_was_tried_and_what_came_out(tuned, place):
    _, done = tuned
    assert done.returncode == 0, done.stderr
    record = tomllib.loads((place / "out" / "tuned.toml").read_text("utf-8"))
    assert (record["benchmark"], record["dataset"], record["model"]) == ("stereo/dense", "random_dots", "my.py:level")
    assert record["over"] == {"depth": "4.0..9.0"}
    assert len(record["trial"]) == 6
    assert record["trial"][0]["settings"] == {}
    scores = [trial["score"] for trial in record["trial"]]
    assert (record["untuned"], record["tuned"], record["better"]) == (scores[0], min(scores), "lower")
    assert record["spec"] in done.stdout


def test_tuned_and_untuned_stand_apart_in_one_table(tuned, place):
    table = pd.read_csv(place / "out" / "scores.csv")
    assert set(table.loc[table["role"] == "model", "model"]) == {"mine", "mine tuned"}
    record = tomllib.loads((place / "out" / "tuned.toml").read_text("utf-8"))
    means = table.groupby(["model", "criterion"])["value"].mean().groupby("model").mean()
    assert means["mine tuned"] == pytest.approx(record["tuned"])
    assert means["mine"] == pytest.approx(record["untuned"])
    assert (place / "out" / "report.html").is_file()


def test_the_same_command_goes_on_and_another_one_is_refused(tuned, beholder, place):
    words, _ = tuned
    before = (place / "out" / "tuned.toml").read_bytes()
    again = beholder(*words, "--out", "out", "--quiet")
    assert again.returncode == 0, again.stderr
    assert again.stdout.startswith("my.py:level(depth=")
    assert (place / "out" / "tuned.toml").read_bytes() == before
    other = beholder(*words, "--seed", "3", "--out", "out")
    assert other.returncode == 2
    assert "holds another run" in other.stderr


OVER = ("--over", "depth=1..3")
MISUSE = {
    "no range": (("--model", "my.py:level"), "Missing option '--over'"),
    "a wrong range": (("--model", "my.py:level", "--over", "depth=3..1"), "low end below the high one"),
    "a range twice": (("--model", "my.py:level", *OVER, *OVER), "expected each --over once"),
    "an unknown parameter": (("--model", "my.py:level", "--over", "deph=1..3"), "did you mean 'depth'?"),
    "what is shown to it": (
        ("--model", "my.py:level", "--over", "pair=1..3"),
        "no setting 'pair'; there are depth, word",
    ),
    "no sample": (("--model", "my.py:level", *OVER, "--limit", "0"), "got --limit 0; expected 1 or more"),
    "a word": (("--model", "my.py:level", "--over", "word=1..3"), "which is not a number"),
    "fixed and searched": (("--model", "my.py:level(depth=2)", *OVER), "fixed in its spec and searched"),
    "a stochastic model": (("--model", "my.py:chancy", *OVER), "is stochastic"),
    "an unknown model": (("--model", "blok", *OVER), "did you mean 'block'?"),
    "a program": (("--model", "cmd:true {in} {out}", *OVER), "only that has parameters"),
    "one trial": (("--model", "my.py:level", *OVER, "--trials", "1"), "expected 2 or more"),
    "no worker": (("--model", "my.py:level", *OVER, "--jobs", "0"), "expected 1 to 1000"),
}


@pytest.mark.parametrize("case", MISUSE)
def test_misuse_is_a_sentence(case, beholder):
    words, says = MISUSE[case]
    done = beholder("tune", "stereo/dense", *BED, *words, "--out", "other")
    assert done.returncode == 2, done.stdout + done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_search_over_some_samples_only(tuned, beholder, place):
    words = ("--model", "mine=my.py:level", "--over", "depth=4.0..9", "--trials", "2", "--limit", "1")
    done = beholder("tune", "stereo/dense", *BED, *words, "--out", "few")
    assert done.returncode == 0, done.stderr
    table = pd.read_csv(place / "few" / "scores.csv")
    assert table["unit"].nunique() == 1
    assert pd.read_csv(place / "out" / "scores.csv")["unit"].nunique() == 2


def test_one_benchmark_at_a_time(beholder):
    done = beholder("tune", "stereo", "--model", "block", "--over", "window=3..9")
    assert done.returncode == 2
    assert "expected one: tune DOMAIN/NAME" in done.stderr
