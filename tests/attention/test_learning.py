"""Learning: what is known is found again."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from beholder.attention.learning import aim, judd_like, sun
from beholder.attention.learning.__main__ import main, written
from beholder.attention.learning.classifier import logistic, probability
from beholder.attention.learning.components import rotation, unmixing, whitening
from beholder.attention.learning.generalised_gaussian import fit
from beholder.attention.learning.patches import photographs, sampled
from beholder.attention.models._judd_features import NAMES
from beholder.attention.types import Lookers, Picture, scanpath
from beholder.core.sample import Dataset, Sample


def sources(count, n, rng):
    """Independent, peaked (Laplace) and flat (uniform) ones in turn, of variance 1."""
    peaked, flat = rng.laplace(0, np.sqrt(0.5), (count, n)), rng.uniform(-np.sqrt(3), np.sqrt(3), (count, n))
    return np.where(np.arange(count)[:, None] % 2, flat, peaked)


def test_known_mixing_is_undone():
    rng = np.random.default_rng(0)
    mixing = rng.standard_normal((6, 6))
    filters = unmixing((mixing @ sources(6, 20_000, rng)).T, rng=rng)
    through = np.abs(filters @ mixing)  # one of each row and column is 1, all others 0
    assert_allclose(np.sort(through, axis=1)[:, -1], 1, atol=0.05)
    assert np.sort(through, axis=1)[:, -2].max() < 0.06
    assert sorted(through.argmax(axis=1)) == list(range(6))


def test_fewer_sources_than_numbers_are_found_in_the_space_that_they_span():
    rng = np.random.default_rng(1)
    mixing = rng.standard_normal((10, 3))
    filters = unmixing((mixing @ sources(3, 20_000, rng)).T, rng=rng)
    assert filters.shape == (3, 10)
    assert_allclose(np.sort(np.abs(filters @ mixing), axis=1)[:, -1], 1, atol=0.05)


def test_a_share_of_the_variance_is_kept_and_is_white():
    rng = np.random.default_rng(2)
    rows = rng.standard_normal((5000, 4)) * [10, 3, 1, 0.1] + 7
    matrix = whitening(rows, share=0.99)  # 100 of 110.01 are too few, with 9 more enough
    assert matrix.shape == (2, 4)
    assert_allclose(np.cov(matrix @ rows.T, bias=True), np.eye(2), atol=1e-10)
    values, vectors = np.linalg.eigh(np.cov(rows.T, bias=True))
    assert_allclose(np.abs(matrix), np.abs(vectors[:, :1:-1] / np.sqrt(values[:1:-1])).T, atol=1e-9)


def test_the_order_is_that_of_explained_variance_and_the_greatest_weight_is_positive():
    rng = np.random.default_rng(3)
    filters = unmixing((np.diag([1.0, 9.0, 3.0]) @ sources(3, 20_000, rng)).T, rng=rng)
    assert np.abs(filters).argmax(axis=1).tolist() == [1, 2, 0]
    assert (filters.max(axis=1) > -filters.min(axis=1)).all()


def test_a_rotation_is_one():
    rng = np.random.default_rng(4)
    turned = rotation(rng.standard_normal((5, 400)), rng=rng, rounds=3)
    assert_allclose(turned @ turned.T, np.eye(5), atol=1e-12)


@pytest.mark.parametrize(("sigma", "theta"), [(1.0, 0.5), (3.0, 1.0), (0.2, 1.5), (2.0, 2.0), (1.0, 4.0)])
def test_a_generalised_gaussian_is_found_again(sigma, theta):
    from scipy.stats import gennorm

    samples = gennorm.rvs(theta, scale=sigma, size=40_000, random_state=np.random.default_rng(5))
    assert_allclose(fit(samples), (sigma, theta), rtol=0.06)
    peer_theta, _, peer_sigma = gennorm.fit(samples, floc=0)
    assert_allclose(fit(samples), (peer_sigma, peer_theta), rtol=2e-3)


def test_a_shape_may_be_bounded_and_a_scale_scales():
    samples = np.random.default_rng(6).uniform(-1, 1, 5000)
    assert fit(samples, most=2.0)[1] == pytest.approx(2, abs=1e-3)
    assert_allclose(np.divide(fit(5 * samples), fit(samples)), (5, 1), rtol=1e-3)


def test_the_classifier_separates_a_toy_and_is_that_of_an_optimiser():
    from scipy.optimize import minimize

    rng = np.random.default_rng(7)
    labels = np.arange(400) % 2 == 0
    rows = rng.standard_normal((400, 3)) + labels[:, None] * [2.0, -1.0, 0.0]
    weights = logistic(rows, labels, ridge=0.01)
    score = rows @ weights[:3] + weights[3]
    assert ((score > 0) == labels).mean() > 0.8
    assert weights[0] > 1 > abs(weights[2])

    def cost(w):
        return np.logaddexp(0, -np.where(labels, 1, -1) * (rows @ w[:3] + w[3])).mean() + 0.005 * (w[:3] ** 2).sum()

    assert_allclose(weights, minimize(cost, np.zeros(4)).x, atol=1e-4)


def test_a_probability_does_not_overflow():
    assert_array_equal(probability(np.array([-1000.0, 0.0, 1000.0])), [0, 0.5, 1])


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
        lambda: sampled([], 3, count=9, rng=np.random.default_rng(0)),
        lambda: sampled([np.zeros((2, 9, 3), np.float32)], 3, count=9, rng=np.random.default_rng(0)),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(wrong):
    with pytest.raises(ValueError, match=r"got .*expected"):
        wrong()


def test_patches_are_taken_evenly_and_by_the_generator():
    images = [np.full((9, 8, 3), value, np.float32) for value in (0, 1)]
    rows = sampled(images, 4, count=10, rng=np.random.default_rng(0))
    assert rows.shape == (10, 48)
    assert_array_equal(rows.mean(axis=1), [0] * 5 + [1] * 5)
    image = np.random.default_rng(1).random((20, 20, 3), np.float32)
    first, again, other = (sampled([image], 4, count=6, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert_array_equal(first, again)
    assert (first != other).any()


def test_photographs_are_four_in_two_sizes():
    shapes = [image.shape for image in photographs()]
    assert len(shapes) == 8
    assert shapes[:2] == [(512, 512, 3), (256, 256, 3)]


def test_little_runs_are_repeated_to_the_digit():
    images = photographs()[1::2]
    for recipe, side in ((aim, 5), (sun, 3)):
        first, again = (recipe.learn(images, side=side, count=800, seed=3) for _ in range(2))
        assert {name: values.shape[0] for name, values in first.items()} == dict.fromkeys(first, len(first[min(first)]))
        assert all(np.array_equal(first[name], again[name]) for name in first)
    assert first["filters"].shape == (26, 27)  # one direction, the mean, has no variance
    assert_allclose(first["filters"].astype(float).sum(axis=1), 0, atol=5e-3)  # but for 16 bits


def spotted(at):
    """A grey picture with grain and one red spot, which six people looked at."""
    rng = np.random.default_rng(at)
    pixels = rng.integers(100, 130, (96, 128, 3)).astype(np.uint8)
    x, y = rng.integers(20, 100), rng.integers(20, 70)
    pixels[y - 8 : y + 8, x - 8 : x + 8] = (220, 40, 40)
    paths = {str(who): scanpath(x + rng.normal(0, 4, 5), y + rng.normal(0, 4, 5)) for who in range(6)}
    return Sample(str(at), Picture(pixels), Lookers(paths, (96, 128), px_per_deg=8.0))


def test_weights_follow_what_people_looked_at():
    dataset = Dataset("spots", ("1", "2", "3", "4"), lambda id: spotted(int(id)))
    held = judd_like.learn(dataset, count=60, seed=1)
    assert {len(values) - len(NAMES) for name, values in held.items() if name.startswith("weights")} == {1}
    weights = dict(zip(NAMES, held["weights"], strict=False))
    assert weights["colour"] > 0.3
    assert weights["rare_colour_9"] > 0
    assert_array_equal(held["weights"], judd_like.learn(dataset, count=60, seed=1)["weights"])
    rows = (judd_like.examples(spotted(9), count=60, rng=np.random.default_rng(0)) - held["mean"]) / held["scale"]
    score = rows @ held["weights"][:-1]
    assert (score[:60, None] > score[60:]).mean() > 0.9  # the area under the curve, on a picture it has not seen


def test_files_are_the_same_byte_for_byte_and_say_what_they_hold(tmp_path, capsys):
    arrays = {"bases": np.eye(3, dtype=np.float16)}
    assert written(tmp_path, "one", arrays).read_bytes() == written(tmp_path, "two", arrays).read_bytes()
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
