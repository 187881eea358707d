"""Generated scenes show exactly the motion that their scripts say."""

import math
import pickle

import cv2
import numpy as np
import pytest

from beholder.video.readouts.flow import pair
from beholder.video.scenes.camera import MIDDLE, Camera
from beholder.video.scenes.paths import Course
from beholder.video.scenes.rendering import render
from beholder.video.scenes.script import Script, Shape
from beholder.video.scenes.textures import Texture
from beholder.video.scenes.writing import CAMERAS, INTERACTIONS, write
from beholder.video.skeletons import FIGURE

SIZE = (180, 320)
DIAGONAL = math.hypot(*SIZE)


def greys(clip):
    return [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in clip.pixels]


def measured(homography, step):
    """Pan (diagonals/s), zoom (log/s) and roll (degrees/s, counter-clockwise) of a homography at the frame's middle."""
    middle = np.array([[[(SIZE[1] - 1) / 2, (SIZE[0] - 1) / 2]]])
    moved = cv2.perspectiveTransform(np.concatenate([middle, middle + np.array([10.0, 0.0])]), homography)
    shift = complex(*(moved[0, 0] - middle[0, 0])) / DIAGONAL / step
    turn = complex(*(moved[1, 0] - moved[0, 0])) / 10
    return shift, math.log(abs(turn)) / step, -math.degrees(math.atan2(turn.imag, turn.real)) / step


@pytest.mark.parametrize(
    "camera",
    [
        Camera(pan=0.12 - 0.03j),
        Camera(zoom=0.2),
        Camera(roll=8.0),
        Camera(pan=-0.05 + 0j, zoom=-0.1, roll=-5.0),
        Camera(shake=0.006, seed=3),
    ],
    ids=["pan", "zoom", "roll", "all", "hand"],
)
def test_the_drawn_camera_is_the_true_one(camera):
    rate = 12.0
    shown = greys(render(Script(1, Texture("gravel", 1), camera=camera), rate=rate, seconds=0.5, size=SIZE))
    for n in (0, 3):
        pan, zoom, roll = measured(pair(shown[n], shown[n + 1]).homography, 1 / rate)
        true = camera.rates(n / rate, 1 / rate)
        assert abs(pan - true.pan) < 0.004  # a tenth of a pixel a frame
        assert zoom == pytest.approx(true.zoom, abs=0.012)
        assert roll == pytest.approx(true.roll, abs=0.5)


def test_a_camera_with_constant_rates_keeps_them():
    camera = Camera(pan=0.1j, zoom=0.2, roll=10.0)
    for t in (0.0, 2.0):
        rates = camera.rates(t, 1e-4)
        assert abs(rates.pan - 0.1j) < 1e-4
        assert (rates.zoom, rates.roll) == pytest.approx((0.2, 10.0), abs=1e-3)


def test_a_shape_moves_as_fast_as_its_script_says():
    course = Course(((0.0, -0.1 + 0j), (1.0, 0.05 + 0.02j)))
    script = Script(2, Texture("cloud", 2), (Shape("disc", 0.25, Texture("blotch", 4), course),), grain=0.0)
    first, second = greys(render(script, rate=10.0, seconds=0.2, size=SIZE))
    forward = pair(first, second).forward
    at = course.at(0.0) * DIAGONAL + complex((SIZE[1] - 1) / 2, (SIZE[0] - 1) / 2)
    part = forward[round(at.imag) - 15 : round(at.imag) + 15, round(at.real) - 15 : round(at.real) + 15]
    speed = np.hypot(*np.median(part, axis=(0, 1))) / DIAGONAL * 10
    assert speed == pytest.approx(script.speed(script.shapes[0], 0.0), rel=0.05)


@pytest.mark.parametrize("interaction", INTERACTIONS)
def test_scenes_are_the_same_each_time(interaction):
    made, again = (write(5, interaction, "hand_held") for _ in range(2))
    assert made == again
    assert pickle.loads(pickle.dumps(made.script)) == made.script
    clips = [render(each.script, rate=8.0, seconds=0.5, size=(67, 121)) for each in (made, again)]
    assert clips[0].pixels.shape == (4, 67, 121, 3)
    assert np.array_equal(clips[0].pixels, clips[1].pixels)


def test_other_seeds_make_other_scenes():
    assert write(1, "crossing").script != write(2, "crossing").script


def test_every_camera_is_what_it_says():
    moving = {name: write(3, "alone", name).scene.camera for name in CAMERAS}
    assert moving == {name: "static" if name == "static" else "moving" for name in CAMERAS}


def test_a_scene_is_the_same_at_another_rate_and_size():
    script = write(7, "walk", "pan").script
    slow = render(script, rate=6.0, seconds=1.0, size=(90, 160))
    fast = render(script, rate=12.0, seconds=1.0, size=SIZE)
    np.testing.assert_allclose(slow.poses[0].points, fast.poses[0].points[::2], atol=0.004)
    small = cv2.resize(fast.pixels[4], (160, 90), interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(int) - slow.pixels[2]).mean() < 4


@pytest.mark.parametrize("interaction", ["walk", "wave", "hand_over"])
def test_bones_keep_their_length(interaction):
    for figure in write(9, interaction).script.figures:
        lengths = [
            [abs(points[a] - points[b]) for a, b in FIGURE.bones]
            for points in map(figure.keypoints, np.linspace(0, 2.5, 30))
        ]
        assert np.ptp(lengths, axis=0).max() < 1e-9


def test_colliding_discs_touch_and_do_not_overlap():
    for seed in range(20):
        first, second = write(seed, "collision").script.shapes
        gaps = [abs(first.path.at(t) - second.path.at(t)) for t in np.linspace(0, 2.5, 101)]
        touching = (first.size + second.size) / 2
        assert min(gaps) == pytest.approx(touching, rel=0.02)


def test_what_is_handed_over_never_jumps():
    script = write(4, "hand_over").script
    places = [script.place(script.shapes[0], t) for t in np.linspace(0, 2.5, 251)]
    assert max(abs(np.diff(places))) < 0.006  # diagonals in a hundredth of a second


def test_mutual_occlusion_puts_each_in_front_once():
    first, second = write(6, "mutual_occlusion").script.shapes
    nearer = {first.path.depth(t) > second.path.depth(t) for t in np.linspace(0, 3.4, 50)}
    assert nearer == {True, False}


def test_the_world_is_in_place_in_the_middle():
    assert Camera(pan=1 + 0j, zoom=1.0, roll=90.0).view(MIDDLE)(0.3 + 0.1j) == pytest.approx(0.3 + 0.1j)


def test_keypoints_lie_on_the_figure():
    """The keypoint of a knee is drawn in the colours of the trousers: against the same frame without the figure."""
    script = write(11, "wave").script
    bare = Script(**{**vars(script), "figures": (), "shapes": ()})
    with_figure, without = (render(s, rate=4.0, seconds=1.0, size=SIZE) for s in (script, bare))
    changed = np.abs(with_figure.pixels.astype(int) - without.pixels).sum(-1) > 12
    for frame, points in zip(changed, with_figure.poses[0].points, strict=True):
        known = points[~np.isnan(points[:, 0])]
        on = [frame[int(y * SIZE[0]), int(x * SIZE[1])] for x, y in known]
        assert np.mean(on) > 0.85  # a few may have the background's colour
