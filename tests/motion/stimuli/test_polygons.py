"""Blurred polygons against distributions, quadrature and counted points."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.special import ndtr

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import coordinates, segment
from beholder.motion.stimuli.polygons import area, common, covered, overlaps, rectangle, span
from beholder.motion.stimuli.sampling import Sampling

GRID = Sampling(size=48)
HUGE = 1e3
TRIANGLE = ((-0.8, -0.6), (1.1, -0.5), (0.2, 0.9))
STRAIGHT = ((-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5))


def at(*points, polygon, blur=0.25):
    u, v = np.array(points, float).T
    return covered(u, v, polygon=polygon, blur=blur)


def turned(polygon, degrees):
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return tuple((x * cosine - y * sine, x * sine + y * cosine) for x, y in polygon)


def lattice(step=0.01, reach=3.0):
    axis = np.arange(-reach, reach, step) + step / 2
    return np.meshgrid(axis, axis)


def within(x, y, polygon):
    sides = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return np.all([(x1 - x0) * (y - y0) > (y1 - y0) * (x - x0) for (x0, y0), (x1, y1) in sides], axis=0)


@pytest.mark.parametrize("degrees", [0.0, 17.0, 45.0, 90.0, 163.0])
def test_a_rectangle_is_the_product_of_two_boxes(degrees):
    (x0, y0), (x1, y1) = turned(((-1.2, 0.1), (0.9, 0.1)), degrees)
    ends = ((x0, y0), (x1, y1))
    u, v = coordinates(GRID)
    found = covered(u, v, polygon=rectangle(ends, 0.5), blur=GRID.blur)
    assert_allclose(found, segment(u, v, ends, width=0.5, blur=GRID.blur), atol=5e-9)


def test_a_half_plane_is_a_normal_distribution():
    half = turned(((0, -HUGE), (HUGE, -HUGE), (HUGE, HUGE), (0, HUGE)), 30)
    direction = np.array([np.cos(np.radians(30)), np.sin(np.radians(30))])
    points = np.random.default_rng(0).normal(size=(50, 2))
    assert_allclose(at(*points, polygon=half, blur=0.5), ndtr(points @ direction / 0.5), atol=1e-9)


@pytest.mark.parametrize("point", [(0.0, 0.0), (1.1, -0.5), (0.7, 0.1), (-0.9, 0.8), (0.3, -0.52)])
def test_a_triangle_is_the_integral_that_quadrature_finds(point):
    (x0, y0), (x1, y1), (x2, y2) = TRIANGLE
    blur = 0.25

    def slice_of(x):
        low = y0 + (x - x0) * (y1 - y0) / (x1 - x0)
        (xa, ya), (xb, yb) = ((x0, y0), (x2, y2)) if x < x2 else ((x2, y2), (x1, y1))
        high = ya + (x - xa) * (yb - ya) / (xb - xa)
        density = np.exp(-(((x - point[0]) / blur) ** 2) / 2) / np.sqrt(2 * np.pi) / blur
        return density * (ndtr((high - point[1]) / blur) - ndtr((low - point[1]) / blur))

    expected = quad(slice_of, x0, x1, points=[x2, *[point[0]] * (x0 < point[0] < x1)], epsabs=1e-12)[0]
    assert at(point, polygon=TRIANGLE)[0] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("degrees", [0.0, 31.0])
def test_points_on_corners_edges_and_their_lines_are_as_good_as_any(degrees):
    points = turned(((-1.0, -0.5), (0.0, 0.5), (4.0, 0.5), (0.0, 0.0)), degrees)
    corner = (ndtr(2 / 0.25) - 0.5) * (ndtr(1 / 0.25) - 0.5)
    edge = (2 * ndtr(1 / 0.25) - 1) * (ndtr(1 / 0.25) - 0.5)
    centre = (2 * ndtr(1 / 0.25) - 1) * (2 * ndtr(0.5 / 0.25) - 1)
    assert_allclose(at(*points, polygon=turned(STRAIGHT, degrees)), [corner, edge, 0, centre], atol=1e-9)


def test_its_mass_is_its_area_and_never_outside_0_and_1():
    u, v = coordinates(GRID)
    found = covered(u, v, polygon=TRIANGLE, blur=2 * GRID.blur)  # a pixel: the sum is the integral to 3e-9
    assert found.sum() / 64 == pytest.approx(area(TRIANGLE), rel=1e-7)
    assert found.min() > -1e-8
    assert found.max() < 1 + 1e-12


def test_a_figure_need_not_be_convex_and_counts_backwards_when_it_runs_so():
    corner = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
    lower, upper = ((0, 0), (2, 0), (2, 1), (0, 1)), ((0, 1), (1, 1), (1, 2), (0, 2))
    points = np.random.default_rng(1).uniform(-1, 3, (40, 2))
    both = at(*points, polygon=lower) + at(*points, polygon=upper)
    assert_allclose(at(*points, polygon=corner), both, atol=1e-8)
    assert_allclose(at(*points, polygon=corner[::-1]), -both, atol=1e-8)


def test_a_repeated_corner_changes_nothing_and_no_corner_covers_nothing():
    points = np.random.default_rng(2).normal(size=(20, 2))
    assert_allclose(at(*points, polygon=(*TRIANGLE, TRIANGLE[-1])), at(*points, polygon=TRIANGLE), atol=1e-15)
    assert not at(*points, polygon=()).any()


def test_what_each_point_gets_does_not_depend_on_the_others():
    u, v = coordinates(GRID)
    whole = covered(u, v, polygon=TRIANGLE, blur=GRID.blur)
    for part in (np.s_[::-1], np.s_[:, ::-1], np.s_[5:40:3, 7:], np.s_[20:21, 17:24]):
        assert (covered(u[part], v[part], polygon=TRIANGLE, blur=GRID.blur) == whole[part]).all()


@pytest.mark.parametrize("seed", range(6))
def test_what_two_share_is_what_counting_finds(seed):
    rng = np.random.default_rng(seed)
    one, other = (rectangle(tuple(map(tuple, rng.uniform(-1.5, 1.5, (2, 2)))), 1.2) for _ in range(2))
    x, y = lattice()
    counted = (within(x, y, one) & within(x, y, other)).sum() * 1e-4
    assert area(common(one, other)) == pytest.approx(counted, abs=0.01)
    assert area(common(other, one)) == pytest.approx(area(common(one, other)), abs=1e-12)


def test_figures_that_are_apart_or_only_touch_share_nothing():
    beside = tuple((x + 2, y) for x, y in STRAIGHT)
    apart = tuple((x + 5, y) for x, y in STRAIGHT)
    assert common(STRAIGHT, beside) == common(STRAIGHT, apart) == ()
    assert overlaps((STRAIGHT, beside, apart)) == ()
    assert area(common(STRAIGHT, STRAIGHT)) == area(STRAIGHT)


@pytest.mark.parametrize("seed", range(4))
def test_inclusion_and_exclusion_give_the_area_of_the_union(seed):
    rng = np.random.default_rng(seed)
    figures = tuple(rectangle(tuple(map(tuple, rng.uniform(-1.5, 1.5, (2, 2)))), 1.2) for _ in range(5))
    shared = overlaps(figures)
    assert {sign for sign, _ in shared} == {-1, 1}
    x, y = lattice()
    counted = np.any([within(x, y, figure) for figure in figures], axis=0).sum() * 1e-4
    assert sum(map(area, figures)) + sum(sign * area(part) for sign, part in shared) == pytest.approx(counted, abs=0.02)


@pytest.mark.parametrize("ends", [((1.0, 2.0), (1.0, 2.0)), ((0.0, 0.0), (np.nan, 1.0))])
def test_a_stroke_that_goes_nowhere_is_refused(ends):
    with pytest.raises(Misuse, match="expected two points apart"):
        span(ends)
