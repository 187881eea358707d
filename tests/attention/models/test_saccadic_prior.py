"""Where eyes go without looking: densities that add up, draws that have them, and times like people's."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.attention.maps.patches import load_learnt
from beholder.attention.models._landing import draw_points, first_density, landing_density
from beholder.attention.models.saccadic_prior import saccadic_prior
from beholder.attention.types import Picture, scanpath
from beholder.errors import Misuse

BLANK = Picture(np.zeros((96, 128), np.uint8))


def rng():
    return np.random.default_rng(1)


def test_densities_add_up_and_prefer_to_stay_near_and_central():
    points = np.array([[0.2, 0.3], [0.9, 0.9]])
    p = landing_density(points)
    assert_allclose(p.sum(axis=(1, 2)), 1)
    rows, columns = np.unravel_index(p.reshape(2, -1).argmax(axis=1), p.shape[1:])
    assert np.hypot(columns / 64 - points[:, 0], rows / 48 - points[:, 1]).max() < 0.1
    x = (np.arange(64) + 0.5) / 64
    means = (p.sum(axis=1) * x).sum(axis=1)
    assert 0.2 < means[0] < 0.5 < means[1] < 0.9  # back towards the middle
    assert first_density()[20:28, 28:36].mean() > 5 * first_density()[:8, :8].mean()


def test_left_and_right_are_alike():
    p, mirrored = landing_density(np.array([[0.2, 0.3], [0.8 - 1e-9, 0.3]]))
    assert_allclose(p, mirrored[:, ::-1], rtol=0.02)


def test_draws_have_the_density():
    p = np.zeros((20_000, 2, 3))
    p[:, 0, 1], p[:, 1, 2] = 0.25, 0.75
    points = draw_points(p, rng())
    in_second = points[:, 1] >= 0.5
    assert in_second.mean() == pytest.approx(0.75, abs=0.01)
    assert points[in_second, 0].min() >= 2 / 3
    assert points[~in_second, 0].min() >= 1 / 3
    assert points[~in_second, 0].max() < 2 / 3


def test_the_picture_is_not_seen():
    noise = Picture(np.random.default_rng(0).integers(0, 255, (96, 128), np.uint8))
    one, other = (saccadic_prior(each, rng=rng()) for each in (BLANK, noise))
    assert_allclose(one.points, other.points)


def test_times_are_like_people_s():
    paths = saccadic_prior(BLANK, rng=rng(), many=50)
    lasts = np.concatenate([path.duration_ms for path in paths])
    assert 190 < np.median(lasts) < 220
    for path in paths:
        assert path.onset_ms[-1] < 5000 <= path.onset_ms[-1] + path.duration_ms[-1] + 30
        assert_allclose(np.diff(path.onset_ms), path.duration_ms[:-1] + 30)


def test_conditional_densities():
    density = saccadic_prior.conditional_log_density
    log = density(BLANK, scanpath([100.0, 30.0], [50.0, 20.0]))
    assert np.exp(log).sum() == pytest.approx(1)
    row, column = np.unravel_index(log.argmax(), log.shape)
    assert np.hypot(row - 20, column - 30) < 8
    assert_allclose(log, density(BLANK, scanpath(30.0, 20.0)))
    with pytest.raises(ValueError, match="expected it inside the picture"):
        density(BLANK, scanpath(500.0, 20.0))


def test_on_other_people_it_says_more_than_where_eyes_like_to_be(data):
    """MIT1003's people: bits a saccade more than the bias of EyeCrowd alone, which knows no jumps."""
    from beholder.attention.datasets.mit1003 import mit1003

    dataset = mit1003(data / "mit1003_subset")
    gains = []
    for sample in list(dataset)[:10]:
        for path in sample.reference.paths.values():
            points = path.points / sample.reference.shape[::-1]
            cells = np.minimum((points * [64, 48]).astype(int), [63, 47])
            p = landing_density(points[:-1])[np.arange(len(points) - 1), cells[1:, 1], cells[1:, 0]]
            bias = np.exp(load_learnt("saccadic_prior")["bias"].astype(float))
            plain = (bias / bias.sum())[cells[1:, 1], cells[1:, 0]]
            gains.extend(np.log2(p / plain))
    assert np.mean(gains) > 0.5


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="seconds=0"):
        saccadic_prior(BLANK, rng=rng(), seconds=0)
