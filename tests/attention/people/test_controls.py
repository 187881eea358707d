import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.attention.people.controls import pool_fixations
from beholder.attention.types import scanpath

LOOKED = {
    "wide": {"ann": scanpath([0, 19.9], [0, 9.9], onset_ms=[5, 6]), "bob": scanpath([], [])},
    "tall": {"ann": scanpath([9.99], [19.99], onset_ms=[7]), "bob": scanpath([1], [10], onset_ms=[8])},
    "none": {"cid": scanpath([3], [3])},
}
SHAPES = {"wide": (10, 20), "tall": (20, 10)}


def test_controls_are_the_others_scaled_floored_and_inside():
    held = pool_fixations(LOOKED, SHAPES)
    found = held.controls_for("wide", SHAPES["wide"])
    assert_array_equal(found.points, [[19, 9], [2, 5]])  # (9.99, 19.99) · (20/10, 10/20) → (19.98, 9.995)
    assert found.observer.tolist() == ["ann", "bob"]
    assert found.picture.tolist() == ["tall", "tall"]
    assert_array_equal(found.onset_ms, [7, 8])
    assert found.rule == "fixations on 1 other pictures, scaled by the ratio of the sizes, floored, clipped"


def test_a_point_on_the_border_stays_inside():
    held = pool_fixations({"a": {"ann": scanpath([np.nextafter(7, 0)], [2])}}, {"a": (3, 7)})
    assert_array_equal(held.controls_for("b", (9, 3 * 10**6)).points[:, 0], [3 * 10**6 - 1])


def test_pictures_of_unknown_size_give_no_controls_but_get_some():
    found = pool_fixations(LOOKED, SHAPES).controls_for("none", (10, 20))
    assert set(found.picture) == {"wide", "tall"}
    assert len(found.points) == 4


def test_what_is_drawn_depends_on_the_id_only():
    many = {f"p{n}": {"ann": scanpath(np.arange(50) % 20, np.arange(50) % 10)} for n in range(4)}
    held = pool_fixations(many, dict.fromkeys(many, (10, 20)))
    first, again, other = (held.controls_for(id, (10, 20), most=30) for id in ("p0", "p0", "p1"))
    assert len(first.points) == 30
    assert "p0" not in first.picture
    assert "30 of 150, drawn by the picture's id" in first.rule
    assert_array_equal(first.points, again.points)
    assert not np.array_equal(first.points, other.points)
    assert len(held.controls_for("p0", (10, 20), most=150).points) == 150


def test_a_single_picture_has_none():
    found = pool_fixations({"a": {"ann": scanpath([1], [1])}}, {"a": (3, 7)}).controls_for("a", (3, 7))
    assert found.points.shape == (0, 2)
    assert found.observer.dtype.kind == "U"


@pytest.mark.parametrize("shape", [(1, 1), (37, 91)])
def test_controls_are_whole_pixels_of_the_picture(shape):
    rng = np.random.default_rng(0)
    held = pool_fixations({"a": {"ann": scanpath(rng.uniform(0, 20, 500), rng.uniform(0, 10, 500))}}, {"a": (10, 20)})
    points = held.controls_for("b", shape).points
    assert_array_equal(points, np.floor(points))
    assert (points >= 0).all()
    assert (points < shape[::-1]).all()
