from functools import cache

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from skimage.registration import optical_flow_ilk, optical_flow_tvl1

from beholder.motion.frame_pairs import levels, relative
from beholder.motion.models import classic_median as classic
from beholder.motion.models.classic_median import classic_median
from beholder.motion.models.iterative_lk import iterative_lk
from beholder.motion.models.large_displacement import large_displacement
from beholder.motion.models.tvl1 import tvl1
from beholder.motion.types import Movie
from motion_scenes import bar, barber_pole, diamond, direction, middle_pair, velocity


@cache
def scene(name):
    made = {
        "diamond": lambda: diamond(hertz=50, size=144),
        "bar": lambda: bar(5.0, hertz=50, size=144),
        "barber pole": lambda: barber_pole(12.0, 4.0, size=144),
    }
    return middle_pair(made[name]())


@pytest.mark.parametrize("name", ["diamond", "bar", "barber pole"])
def test_tvl1_is_the_field_of_scikit_image(name):
    first, second = relative(scene(name))
    theirs = optical_flow_tvl1(first, second)[::-1].transpose(1, 2, 0)
    assert_allclose(tvl1(scene(name))[0], theirs, atol=5e-3)


def test_tvl1_takes_its_settings_as_scikit_image_does():
    first, second = relative(scene("diamond"))
    theirs = optical_flow_tvl1(first, second, attachment=5, tightness=0.2, num_warp=2)[::-1].transpose(1, 2, 0)
    assert_allclose(tvl1(scene("diamond"), attachment=5, tightness=0.2, warps=2)[0], theirs, atol=5e-3)


def test_iterative_lk_is_the_field_of_scikit_image():
    noise = cv2.GaussianBlur(np.random.default_rng(2).random((70, 93)).astype(np.float32), (0, 0), 2)
    shown = Movie(np.stack([noise[:, :90], noise[:, 3:]]), 50, 8)
    first, second = relative(shown)
    theirs = optical_flow_ilk(first, second, radius=5, num_warp=4)[::-1].transpose(1, 2, 0)
    assert_allclose(iterative_lk(shown, radius=5, warps=4)[0], theirs, atol=2e-3)


@pytest.mark.parametrize("name", ["diamond", "bar"])
def test_iterative_lk_differs_only_where_windows_are_singular(name):
    first, second = relative(scene(name))
    apart = np.abs(iterative_lk(scene(name))[0] - optical_flow_ilk(first, second)[::-1].transpose(1, 2, 0))
    assert np.median(apart) < 1e-3


def test_large_displacement_is_opencvs_deepflow():
    first, second = levels(scene("diamond"))
    theirs = cv2.optflow.createOptFlow_DeepFlow().calc(first, second, None)
    assert_array_equal(large_displacement(scene("diamond"))[0], theirs)


def test_large_displacement_follows_the_diamond_and_not_its_edges():
    assert abs(direction(large_displacement(scene("diamond")), scene("diamond"))[0]) < 10


@pytest.mark.parametrize("tilt", [1, -1])
def test_classic_median_follows_the_diamond_and_the_mirrored_one_alike(tilt):
    shown = middle_pair(diamond(hertz=50, size=144, tilt=tilt))
    found = direction(classic_median(shown), shown)[0]
    assert abs(found) < 6
    assert found == pytest.approx(tilt * direction(classic_median(scene("diamond")), scene("diamond"))[0], abs=0.05)


def test_classic_median_finds_the_bar_and_most_of_the_barber_pole():
    u, v = velocity(classic_median(scene("bar")), scene("bar"))[0]
    assert_allclose((u, v), (1.6, 0), atol=0.1)
    assert direction(classic_median(scene("barber pole")), scene("barber pole"))[0] < 20


def test_classic_median_keeps_a_border_between_motions_sharp():
    rng = np.random.default_rng(2)
    noise = cv2.GaussianBlur(rng.random((96, 120)).astype(np.float32), (0, 0), 1.5)
    first, second = noise[:, 10:106].copy(), noise[:, 10:106].copy()
    first[32:64, 32:64], second[32:64, 33:65] = noise[:32, :32], noise[:32, :32]
    flow = classic_median(Movie(np.stack([first, second]), 50, 8))[0]
    assert_allclose(np.median(flow[36:60, 36:60], (0, 1)), (1, 0), atol=0.05)
    outside = np.ones((96, 96), bool)
    outside[28:68, 28:69] = False
    assert np.quantile(np.abs(flow[outside]), 0.95) < 0.05


def test_the_descent_solves_the_system():
    rng = np.random.default_rng(0)
    slope = rng.standard_normal((3, 6, 7)).astype(np.float32)
    across, down = rng.random((2, 6, 8)).astype(np.float32), rng.random((2, 7, 7)).astype(np.float32)
    across[:, :, [0, -1]] = down[:, [0, -1]] = 0
    residue = rng.standard_normal((2, 6, 7)).astype(np.float32)
    system = sparse.lil_matrix((84, 84))
    number = np.arange(84).reshape(2, 6, 7)
    for part, y, x in np.ndindex(2, 6, 7):
        own = number[part, y, x]
        for other in (0, 1):
            system[own, number[other, y, x]] += slope[part, y, x] * slope[other, y, x]
        beside = [(across[part, y, x], y, x - 1), (across[part, y, x + 1], y, x + 1)]
        for weight, j, i in [*beside, (down[part, y, x], y - 1, x), (down[part, y + 1, x], y + 1, x)]:
            if weight:
                system[own, own] += weight
                system[own, number[part, j, i]] -= weight
    wanted = np.linalg.solve(system.toarray(), residue.ravel())
    found = classic.descended(residue.copy(), slope, (across, down))
    assert_allclose(found.ravel(), wanted, atol=0.02 * np.abs(wanted).max())


def test_weights_are_the_derivative_of_the_penalty():
    x, step = np.linspace(0.01, 3, 30), 1e-5
    penalty = lambda value: (value**2 + classic.EPSILON**2) ** classic.EXPONENT  # noqa: E731
    slope = (penalty(x + step) - penalty(x - step)) / (2 * step)
    assert_allclose(classic._weight(x.astype(np.float32), 0.0), slope / (2 * x), rtol=1e-3)
    assert_allclose(classic._weight(x.astype(np.float32), 1.0), 1)
