"""The command line of learning, its files, and what every recipe refuses."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.attention.learning import aim, sun
from beholder.attention.learning.__main__ import main, write_arrays
from beholder.attention.learning.classifier import logistic
from beholder.attention.learning.components import whitening
from beholder.attention.learning.generalised_gaussian import fit
from beholder.attention.learning.patches import photographs, sample_patches


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: whitening(np.zeros((1, 4))),
        lambda: whitening(np.full((5, 4), 2.0)),
        lambda: whitening(np.array([[1.0, np.nan], [0.0, 1.0]])),
        lambda: whitening(np.eye(3), share=0),
        lambda: fit(np.zeros(9)),
        lambda: fit(np.array([1.0, np.nan])),
        lambda: logistic(np.zeros((3, 2)), np.array([True, True, True])),
        lambda: logistic(np.zeros((3, 2)), np.array([True, False])),
        lambda: logistic(np.zeros((2, 2)), np.array([True, False]), ridge=0),
        lambda: sample_patches([], 3, count=9, rng=np.random.default_rng(0)),
        lambda: sample_patches([np.zeros((2, 9, 3), np.float32)], 3, count=9, rng=np.random.default_rng(0)),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(wrong):
    with pytest.raises(ValueError, match=r"got .*expected"):
        wrong()


def test_little_runs_are_repeated_to_the_digit():
    images = photographs()[1::2]
    for recipe, side in ((aim, 5), (sun, 3)):
        first, again = (recipe.learn(images, side=side, count=800, seed=3) for _ in range(2))
        assert {name: values.shape[0] for name, values in first.items()} == dict.fromkeys(first, len(first[min(first)]))
        assert all(np.array_equal(first[name], again[name]) for name in first)
    assert first["filters"].shape == (26, 27)  # one direction, the mean, has no variance
    assert_allclose(first["filters"].astype(float).sum(axis=1), 0, atol=5e-3)  # but for 16 bits


def test_files_are_the_same_byte_for_byte_and_say_what_they_hold(tmp_path, capsys):
    arrays = {"bases": np.eye(3, dtype=np.float16)}
    assert write_arrays(tmp_path, "one", arrays).read_bytes() == write_arrays(tmp_path, "two", arrays).read_bytes()
    assert "bases (3, 3)" in capsys.readouterr().out
    with np.load(tmp_path / "one.npz", allow_pickle=False) as held:
        assert_array_equal(held["bases"], np.eye(3))


@pytest.mark.parametrize(("words", "said"), [(["ami"], "expected aim, sun"), (["judd_like"], "needs --eyecrowd")])
def test_the_command_line_refuses(words, said, capsys):
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


def test_the_command_line_has_help():
    done = subprocess.run(
        [sys.executable, "-m", "beholder.attention.learning", "--help"], capture_output=True, text=True, check=True
    )
    assert "--eyecrowd" in done.stdout
