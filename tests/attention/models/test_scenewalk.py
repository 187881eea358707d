import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.attention.models.scenewalk import Rates, Scene, scenewalk
from beholder.attention.types import Picture, scanpath
from beholder.errors import Misuse

BLANK = Picture(np.zeros((96, 128), np.uint8), 4.0)  # 32 x 24 deg


def rng():
    return np.random.default_rng(8)


def left(picture):
    return np.tile(np.linspace(1, 0, picture.shape[1]), (picture.shape[0], 1))


def test_attention_and_inhibition_are_those_of_the_equations():
    rates = Rates()
    scene = Scene.of(BLANK, left, rates=rates, count=1)
    after = scene.after(np.array([[0.25, 0.5]]), np.array([0.3]))
    centres = (np.arange(128) + 0.5) / 128
    x, y = np.meshgrid((centres - 0.25) * 32, (centres - 0.5) * 24)
    window = scene.salience * np.exp(-(x**2 + y**2) / (2 * 10**2))
    trace = np.exp(-(x**2 + y**2) / (2 * 9**2))
    even = 1 / 128**2
    a = window / window.sum() + np.exp(-15 * 0.3) * (even - window / window.sum())
    i = trace / trace.sum() + np.exp(-1.5 * 0.3) * (even - trace / trace.sum())
    assert_allclose(after.attended[0], a, rtol=1e-9)
    assert_allclose(after.inhibited[0], i, rtol=1e-9)
    u = np.maximum(a / a.sum() - i**2 / (i**2).sum(), 0)
    assert_allclose(after.next[0], 0.999 * u / u.sum() + 0.001 * even, rtol=1e-8)


def test_what_was_inhibited_is_looked_at_less():
    rates = Rates(sigma_inhibition=3.0)
    scene = Scene.of(BLANK, "uniform", rates=rates, count=1).after(np.array([[0.5, 0.5]]), np.array([0.5]))
    p = scene.next[0]
    assert p[64, 64] < p[64, 90]
    assert_allclose(p, p[:, ::-1], atol=1e-12)


def test_a_long_fixation_forgets_what_was_before():
    scene = Scene.of(BLANK, left, rates=Rates(), count=1)
    here = np.array([[0.7, 0.3]])
    fresh = scene.after(here, np.array([60.0]))
    used = scene.after(np.array([[0.1, 0.9]]), np.array([0.5])).after(here, np.array([60.0]))
    assert_allclose(used.next, fresh.next, rtol=1e-9)


def test_samples_have_the_density_that_is_told():
    density = scenewalk.conditional_log_density
    path = scanpath([64.0, 100.0], [48.0, 30.0], duration_ms=[200.0, 300.0])
    log = density(BLANK, path, of=left)
    assert log.shape == BLANK.shape
    assert np.exp(log).sum() == pytest.approx(1)
    first = density(BLANK, scanpath([], []), of=left)
    assert np.unravel_index(first.argmax(), first.shape) in {(47, 63), (47, 64), (48, 63), (48, 64)}
    paths = scenewalk(BLANK, rng=rng(), many=400, of=left, seconds=0.1)
    x = np.concatenate([each.x[:1] for each in paths])
    assert x.std() == pytest.approx(4.0 * 4, rel=0.1)  # 4 deg of 4 px


def test_unknown_durations_are_taken_as_250_ms():
    density = scenewalk.conditional_log_density
    known = density(BLANK, scanpath([20.0], [30.0], duration_ms=[250.0]), of=left)
    assert_allclose(density(BLANK, scanpath([20.0], [30.0]), of=left), known)


def test_where_nothing_is_left_anything_may_come():
    scene = Scene.of(BLANK, "uniform", rates=Rates(inhibits=1e6, gamma=1.0), count=2)
    assert_allclose(scene.next, 1 / 128**2)


def test_salience_guides():
    paths = scenewalk(BLANK, rng=rng(), many=40, of=left)
    assert np.mean([path.x.mean() for path in paths]) < 60


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="expected rates and widths above 0"):
        Rates(attention=0)
    with pytest.raises(Misuse, match="noise"):
        Rates(noise=0)
    with pytest.raises(Misuse, match="seconds=-1"):
        scenewalk(BLANK, rng=rng(), seconds=-1)
