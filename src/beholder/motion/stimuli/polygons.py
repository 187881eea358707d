"""Polygons under a Gaussian, exactly: what a blurred figure covers of a point, and what several figures share.

Corners are points (u, v) in order, counter-clockwise; a figure whose corners run clockwise counts negatively.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import owens_t

from beholder.errors import Misuse

Floats = NDArray[np.float64]
Point = tuple[float, float]
Stroke = tuple[Point, Point]
Polygon = tuple[Point, ...]

FAR = 6.0  # standard deviations: beyond lies 1e-9 of a Gaussian, less than float32 resolves (6e-8)
THIN = 1e-12  # of a standard deviation, or a square degree: rounding, not a figure


def covered(u: Floats, v: Floats, *, polygon: Polygon, blur: float) -> Floats:
    """Coverage of points by a polygon that is convolved with a Gaussian: the Gaussian's mass over the polygon.

    With a point at the origin and lengths in standard deviations, an edge at the distance h from t₁ to t₂ spans a
    triangle with the origin, of the mass [atan(t₂/h) − atan(t₁/h)] / 2π − T(h, t₂/h) + T(h, t₁/h), with Owen's T; the
    edges' signed triangles are the polygon. One without an area covers nothing.

    >>> wide = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    >>> covered(np.array([0.0, 4.0, 0.0, -4.0]), np.array([0.0, 0.0, 4.0, 4.0]), polygon=wide, blur=0.5).tolist()
    [0.25, 0.5, 0.5, 0.0]
    """
    found = np.zeros_like(u)
    if not polygon:
        return found
    near = _near(u, v, polygon=polygon, margin=FAR * blur)
    x, y = u[near] / blur, v[near] / blur
    corners = [(right / blur, up / blur) for right, up in polygon]
    found[near] = sum(_triangle(x, y, start=start, end=end) for start, end in pairwise((*corners, corners[0])))
    return found


def _near(u: Floats, v: Floats, *, polygon: Polygon, margin: float) -> NDArray[np.bool_]:
    """The points in a box around a polygon; what is left out does not depend on how the points are arranged."""
    right, up = zip(*polygon, strict=True)
    across = (u > min(right) - margin) & (u < max(right) + margin)
    return np.asarray(across & (v > min(up) - margin) & (v < max(up) + margin))


def _triangle(x: Floats, y: Floats, *, start: Point, end: Point) -> Floats:
    """The normal distribution's mass over the triangles of points with an edge; positive with the point on its left."""
    length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    if length < THIN:
        return np.zeros_like(x)
    tangent = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    right, up = start[0] - x, start[1] - y
    height, first = right * tangent[1] - up * tangent[0], right * tangent[0] + up * tangent[1]
    height = np.where(np.abs(height) < THIN, np.inf, height)  # a point on the edge's line spans no triangle
    return _sector(height, first + length) - _sector(height, first)


def _sector(height: Floats, along: Floats) -> Floats:
    """The mass of the right-angled triangle with these two sides, signed as their ratio."""
    ratio = along / height
    angle = np.arctan(ratio) / (2 * np.pi)
    close = np.abs(height) < FAR
    angle[close] -= owens_t(height[close], ratio[close])
    return np.asarray(angle)


def span(ends: Stroke) -> float:
    """The length of a stroke.

    >>> span(((0.0, 0.0), (4.0, 3.0)))
    5.0
    """
    (x0, y0), (x1, y1) = ends
    length = float(np.hypot(x1 - x0, y1 - y0))
    if not 0 < length < np.inf:
        raise Misuse(f"got a stroke from {ends[0]} to {ends[1]}; expected two points apart, of finite numbers")
    return length


def rectangle(ends: Stroke, width: float) -> Polygon:
    """The corners of a stroke between two points, with square ends.

    >>> rectangle(((0.0, 0.0), (4.0, 0.0)), 2.0)
    ((0.0, -1.0), (4.0, -1.0), (4.0, 1.0), (0.0, 1.0))
    """
    (x0, y0), (x1, y1) = ends
    half = width / 2 / span(ends)
    right, up = half * (y0 - y1) + 0.0, half * (x1 - x0) + 0.0  # no −0
    return (x0 - right, y0 - up), (x1 - right, y1 - up), (x1 + right, y1 + up), (x0 + right, y0 + up)


def area(polygon: Polygon) -> float:
    """Square degrees, by the shoelace formula; 0 of a point, a line or nothing.

    >>> area(((0.0, 0.0), (4.0, 0.0), (0.0, 3.0)))
    6.0
    """
    around = pairwise((*polygon, *polygon[:1]))
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in around) / 2


def common(one: Polygon, other: Polygon) -> Polygon:
    """What two convex polygons share, itself convex; empty where they do not meet.

    >>> common(((0, 0), (2, 0), (2, 2), (0, 2)), ((1, 1), (3, 1), (3, 3), (1, 3)))
    ((1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0))
    """
    left = one
    for start, end in pairwise((*other, *other[:1])):
        left = _clipped(left, (start, end))
    return left if area(left) > THIN else ()


def _clipped(polygon: Polygon, line: Stroke) -> Polygon:
    """The part of a convex polygon to the left of a line (Sutherland and Hodgman's step)."""
    (x0, y0), (x1, y1) = line
    sides = [(x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) for x, y in polygon]
    found: list[Point] = []
    for at, (x, y) in enumerate(polygon):
        (xb, yb), before = polygon[at - 1], sides[at - 1]
        if before * sides[at] < 0:
            share = before / (before - sides[at])
            found.append((xb + share * (x - xb), yb + share * (y - yb)))
        if sides[at] >= 0:
            found.append((float(x), float(y)))
    return tuple(found)


@lru_cache(maxsize=64)  # a film asks for the same figure in each of its frames
def overlaps(figures: tuple[Polygon, ...]) -> tuple[tuple[int, Polygon], ...]:
    """What two or more of some convex figures share, with the sign that it has in the area of their union.

    The principle of inclusion and exclusion: −1 for what two share, 1 for what three share, and so on.

    >>> three = tuple(((x, 0.0), (x + 2, 0.0), (x + 2, 1.0), (x, 1.0)) for x in (0.0, 1.0, 1.5))
    >>> [(sign, area(shared)) for sign, shared in overlaps(three)]
    [(-1, 1.0), (-1, 0.5), (-1, 1.5), (1, 0.5)]
    """
    found: list[tuple[int, Polygon]] = []
    shares = list(enumerate(figures))  # by the last figure that takes part
    sign = -1
    while shares:
        shares = _further(shares, figures)
        found += [(sign, shared) for _, shared in shares]
        sign = -sign
    return tuple(found)


def _further(shares: Sequence[tuple[int, Polygon]], figures: Sequence[Polygon]) -> list[tuple[int, Polygon]]:
    """What the given shares have in common with one more figure each; those that are empty are left out."""
    more = [
        (later, common(shared, figures[later])) for last, shared in shares for later in range(last + 1, len(figures))
    ]
    return [(last, shared) for last, shared in more if shared]
