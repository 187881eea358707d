"""Strokes that meet, against an integral that is taken line by line."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ndtr

from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.diamond import Diamond, texture
from beholder.motion.stimuli.drawing import coordinates, movie, strokes
from beholder.motion.stimuli.polygons import area, covered, overlaps, rectangle
from beholder.motion.stimuli.sampling import Sampling

GRID = Sampling(size=144)
LINES = 256  # columns a pixel of the line-by-line integral; its error falls with their square

FIGURES = {
    "diamond": Diamond(),
    "acute": Diamond(half_angle=3.0, width=0.25),
    "upright": Diamond(tilt=0.0),
    "square": Diamond(edge=5.0, half_angle=45.0),
    "thick": Diamond(edge=5.0, half_angle=30.0, width=1.5),
    "filled by its strokes": Diamond(edge=5.0, half_angle=8.0, width=2.0),
    "tiles that nearly touch": Bar(length=6.0, tiles=3, gap=0.05),
}
each_figure = pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)


def ends_of(figure):
    return figure.ends() if isinstance(figure, Bar) else figure.edges()


def coverage(figure, blur=GRID.blur):
    return strokes(*coordinates(GRID), ends=ends_of(figure), width=figure.width, blur=blur)


def crossings(ends, width, x):
    """Where vertical lines at x enter and leave a stroke; NaN where they miss it."""
    (x0, y0), (x1, y1) = ends
    tangent = np.array([x1 - x0, y1 - y0]) / np.hypot(x1 - x0, y1 - y0)
    normal = np.array([-tangent[1], tangent[0]])
    low, high = np.full_like(x, -np.inf), np.full_like(x, np.inf)
    for axis, half in ((tangent, np.hypot(x1 - x0, y1 - y0) / 2), (normal, width / 2)):
        offset = (x - (x0 + x1) / 2) * axis[0] - axis[1] * (y0 + y1) / 2  # |offset + axis_y · y| < half
        if abs(axis[1]) < 1e-12:
            high[np.abs(offset) >= half] = -np.inf
            continue
        limits = np.sort([(-half - offset) / axis[1], (half - offset) / axis[1]], axis=0)
        low, high = np.maximum(low, limits[0]), np.minimum(high, limits[1])
    return np.where(low < high, [low, high], np.nan)


def united(intervals):
    """The union of the intervals (n, 2) on one line."""
    found = []
    for low, high in sorted(intervals[~np.isnan(intervals[:, 0])].tolist()):
        if found and low <= found[-1][1]:
            found[-1][1] = max(high, found[-1][1])
        else:
            found.append([low, high])
    return found


def line_by_line(figure):
    centres = (np.arange(GRID.size) - (GRID.size - 1) / 2) / GRID.px_per_deg
    step = 1 / GRID.px_per_deg / LINES
    lines = np.arange(centres[0], centres[-1], step) + step / 2
    intervals = np.array([crossings(ends, figure.width, lines) for ends in ends_of(figure)])
    down = np.zeros((len(lines), GRID.size))
    for at in np.flatnonzero(~np.isnan(intervals[:, 0]).all(axis=0)):
        for low, high in united(intervals[:, :, at]):
            down[at] += ndtr((high + centres) / GRID.blur) - ndtr((low + centres) / GRID.blur)
    across = np.exp(-0.5 * ((centres[:, None] - lines) / GRID.blur) ** 2) * step / (GRID.blur * np.sqrt(2 * np.pi))
    return (across @ down).T


@each_figure
def test_the_coverage_is_the_integral_to_five_digits(figure):
    assert_allclose(coverage(figure), line_by_line(figure), rtol=0, atol=1e-5)


@each_figure
def test_the_coverage_is_a_share_and_adds_up_to_the_area(figure):
    found = coverage(figure, blur=2 * GRID.blur)  # one pixel: then the sum over pixels is the integral to 3e-9
    figures = tuple(rectangle(ends, figure.width) for ends in ends_of(figure))
    whole = sum(map(area, figures)) + sum(sign * area(shared) for sign, shared in overlaps(figures))
    assert found.min() == 0
    assert found.max() <= 1
    assert found.sum() / 64 == pytest.approx(whole, rel=1e-7)


def test_three_strokes_do_meet_in_a_figure_that_they_fill():
    figure = FIGURES["filled by its strokes"]
    assert 1 in {sign for sign, _ in overlaps(tuple(rectangle(ends, 2.0) for ends in figure.edges()))}
    assert coverage(figure)[GRID.size // 2, GRID.size // 2] == pytest.approx(1, abs=1e-12)


def test_a_stroke_drawn_twice_is_drawn_once():
    u, v = coordinates(GRID)
    ends = ((-2.0, -1.0), (3.0, 1.5))
    once, twice = (strokes(u, v, ends=[ends] * times, width=0.5, blur=GRID.blur) for times in (1, 2))
    assert_allclose(twice, once, atol=5e-9)


@each_figure
def test_the_order_of_the_strokes_does_not_matter(figure):
    u, v = coordinates(GRID)
    backwards = [(end, start) for start, end in reversed(ends_of(figure))]
    assert_allclose(
        strokes(u, v, ends=backwards, width=figure.width, blur=GRID.blur), coverage(figure), atol=1e-12, rtol=0
    )


@pytest.mark.parametrize("name", ["diamond", "upright", "square", "thick"])
def test_what_the_strokes_leave_free_completes_the_figure(name):
    """Outline and inside together are the union of the strokes and of the whole rhombus: no seam, nothing twice."""
    figure = FIGURES[name]
    u, v = coordinates(GRID)
    inside = covered(u, v, polygon=figure.inside(), blur=GRID.blur)
    rhombus = covered(u, v, polygon=figure.corners(), blur=GRID.blur)
    together = coverage(figure) + inside
    assert together.max() < 1 + 1e-8
    assert (together - rhombus).min() > -1e-8
    assert area(figure.inside()) > 0.1
    assert_allclose(together[rhombus > 1 - 1e-9], 1, atol=1e-8)


def test_a_texture_stays_within_the_outline_and_out_of_a_figure_without_an_inside():
    filled = Diamond(edge=5.0, half_angle=8.0, width=2.0, fill=texture(np.random.default_rng(0)))
    still = Sampling(size=144, seconds=0.02)
    assert (movie(filled, still).frames == movie(FIGURES["filled by its strokes"], still).frames).all()
    assert movie(Diamond(fill=filled.fill), still).frames.max() <= 40
