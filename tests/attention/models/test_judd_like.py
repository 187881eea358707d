"""After Judd's model: its features, and what its weights make of them."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from skimage import data as photographs

from beholder.attention.maps.faces import face_map, faces
from beholder.attention.maps.judd_features import NAMES, SIDE, distance, features, rare_colours, rare_shades
from beholder.attention.maps.patches import load_learnt
from beholder.attention.models.judd_like import judd_like
from beholder.attention.types import Picture
from saliency_displays import DISPLAYS, share_of_odd

ASTRONAUT = Picture(photographs.astronaut())
uncentred = partial(judd_like, centre=False)


@pytest.mark.parametrize("name", ["colour", "diagonal", "brightness", "saturation", "size"])
def test_the_odd_one_pops_out_without_the_centre(name):
    assert share_of_odd(uncentred(DISPLAYS[name])) == 1


def test_a_constant_picture_has_the_centre_alone():
    nothing = Picture(np.full((60, 90, 3), 120, np.uint8))
    found = judd_like(nothing)
    assert found[29:31, 44:46].min() == pytest.approx(found.max(), abs=1e-3)
    assert found[0, 0] < found[0, 45] < found[30, 45]
    assert_allclose(found, found[::-1, ::-1], atol=1e-5)
    assert np.ptp(uncentred(nothing)) < 1e-5


def test_people_look_at_centres_faces_and_colours():
    weights = dict(zip(NAMES, load_learnt("judd_like")["weights"], strict=False))
    assert weights["distance"] == min(weights.values()) < 0
    assert weights["faces"] == max(weights.values()) > 0
    assert weights["colour"] > 0


def test_what_is_left_out_weighs_nothing():
    held = load_learnt("judd_like")
    for left_out in (("distance",), ("faces",), ("distance", "faces")):
        weights = held["_without_".join(["weights", *left_out])]
        assert [name for name, weight in zip(NAMES, weights, strict=False) if weight == 0] == [
            name for name in NAMES if name in left_out
        ]


def test_the_map_is_the_logistic_function_of_weighed_features():
    held = load_learnt("judd_like")
    white = (features(ASTRONAUT).astype(np.float64) - held["mean"]) / held["scale"]
    score = white @ held["weights"][:-1] + held["weights"][-1]
    shown = Picture(photographs.astronaut())
    found = judd_like(shown, sigma=0)
    assert found.shape == (512, 512)
    assert 0 < found.min() < found.max() < 1
    assert found.max() == pytest.approx((1 / (1 + np.exp(-score))).max(), abs=0.02)  # linear between pixels


def test_features_have_names_and_are_finite():
    found = features(ASTRONAUT)
    assert found.shape == (SIDE, SIDE, len(NAMES)) == (200, 200, 30)
    assert np.isfinite(found).all()
    assert np.ptp(found, axis=(0, 1)).min() > 0


def test_energy_is_found_where_a_grating_is_and_in_its_orientation():
    pixels = np.full((SIDE, SIDE), 128, np.uint8)
    pixels[:, 100:] = (128 + 60 * np.sin(2 * np.pi * np.arange(100) / 4 + 1)).astype(np.uint8)  # a wave along rows
    found = dict(zip(NAMES, np.moveaxis(features(Picture(pixels), faces=False), 2, 0), strict=True))
    right, left = (slice(20, 180), slice(120, 180)), (slice(20, 180), slice(20, 80))
    assert found["energy_0_0"][right].mean() > found["energy_0_0"][left].mean() + 3
    assert found["energy_0_0"][right].mean() > found["energy_0_90"][right].mean() + 3


def test_rare_colours_are_rare():
    image = np.full((SIDE, SIDE, 3), 0.2, np.float32)
    image[50:70, 50:70] = (0.9, 0.1, 0.1)
    share = 400 / SIDE**2
    assert rare_shades(image[..., 0])[60, 60] == pytest.approx(-np.log(share + 1e-4), abs=1e-4)
    assert rare_colours(image, 1)[60, 60] == pytest.approx(-np.log(share + 1e-4), abs=1e-4)
    assert rare_colours(image, 17)[0, 0] < 0.02


def test_the_distance_is_1_at_the_middles_of_sides():
    away = distance()
    assert away[99, 0] == pytest.approx(0.995, abs=1e-3)
    assert away[0, 0] == pytest.approx(0.995 * np.sqrt(2), abs=1e-3)
    assert away.argmin() in (99 * SIDE + 99, 99 * SIDE + 100, 100 * SIDE + 99, 100 * SIDE + 100)


def test_a_face_is_found_where_it_is():
    boxes = faces(ASTRONAUT)
    left, top, width, height = boxes[np.argmax(boxes[:, 2])] * 512
    assert left < 222 < left + width  # between the eyes of Eileen Collins
    assert top < 120 < top + height
    found = face_map(ASTRONAUT, (64, 64))
    assert found.max() == pytest.approx(1, abs=0.1)
    down, right = np.unravel_index(found.argmax(), found.shape)
    assert (abs(right * 8 - 222) < 40, abs(down * 8 - 120) < 40) == (True, True)


def test_where_nobody_is_there_is_no_face():
    assert faces(Picture(np.full((64, 64), 90, np.uint8))).shape == (0, 4)
    assert not face_map(Picture(np.full((64, 64), 90, np.uint8)), (10, 10)).any()


def test_faces_draw_the_eye():
    with_faces, without = judd_like(ASTRONAUT), judd_like(ASTRONAUT, faces=False)
    at = (slice(90, 150), slice(190, 250))
    assert with_faces[at].mean() / with_faces.mean() > without[at].mean() / without.mean()
