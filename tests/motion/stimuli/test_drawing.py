import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.ndimage import gaussian_filter

from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.barber_pole import BarberPole
from beholder.motion.stimuli.diamond import Diamond, texture
from beholder.motion.stimuli.dots import Dots, lots
from beholder.motion.stimuli.drawing import coordinates, disc, movie, ramp, segment
from beholder.motion.stimuli.grating import Grating
from beholder.motion.stimuli.plaid import Plaid
from beholder.motion.stimuli.sampling import Sampling

SMALL = Sampling(hertz=50.0, size=128, seconds=0.06)
FINE = 16  # samples a pixel and axis, of the brute-force drawing
RNG = np.random.default_rng

SCENES = {
    "bar": (Bar, {"length": 8.0, "tilt": 30.0, "tiles": 2}),
    "diamond": (Diamond, {}),
    "textured": (Diamond, {"fill": texture(RNG(1))}),
    "grating": (Grating, {"diameter": 9.0, "edge": 1.0}),
    "barber pole": (BarberPole, {"breadth": 5.0, "angle": 30.0}),
    "indented": (BarberPole, {"breadth": 5.0, "angle": 30.0, "indent": 0.25, "masked": 0.3, "soft": 0.5}),
    "plaid": (Plaid, {}),
    "dots": (Dots, {"lots": lots(20, RNG(2))}),
}
each_scene = pytest.mark.parametrize("name", SCENES)


def frames(name, **more):
    scene, settings = SCENES[name]
    return movie(scene(**settings, **more), SMALL).frames


def fine(shape, sampling):
    """A shape sampled FINE × FINE times a pixel, prefiltered and read at the centres of the pixels."""
    margin = 8
    dense = Sampling(size=(sampling.size + margin) * FINE, px_per_deg=sampling.px_per_deg * FINE)
    u, v = coordinates(dense)
    filtered = gaussian_filter(shape(u, v).astype(float), 0.5 * FINE, truncate=6)
    half = FINE // 2
    around = filtered[half - 1 :: FINE, half - 1 :: FINE], filtered[half::FINE, half::FINE]
    centres = (around[0] + around[1]) / 2  # an even number of samples: the centre lies between two of them
    inner = slice(margin // 2, -margin // 2)
    return centres[inner, inner]


@each_scene
def test_a_scene_turned_by_90_degrees_is_the_turned_array(name):
    upright = frames(name)
    for quarter in (1, 2, 3):
        assert_array_equal(frames(name, direction=90.0 * quarter), np.rot90(upright, quarter, axes=(1, 2)))


@each_scene
def test_a_mirrored_scene_is_the_mirrored_array(name):
    assert_array_equal(frames(name, turn=-1), frames(name)[:, ::-1])
    assert_array_equal(frames(name, direction=90.0, turn=-1), frames(name, direction=90.0)[:, :, ::-1])


@each_scene
def test_a_scene_moves(name):
    shown = frames(name)
    assert np.abs(np.diff(shown, axis=0)).max(axis=(1, 2)).min() > 0.02 * np.ptp(shown)


def test_pixel_centres_lie_symmetrically_and_rows_run_down():
    u, v = coordinates(Sampling(size=4, px_per_deg=2))
    assert_array_equal(u[0], [-0.75, -0.25, 0.25, 0.75])
    assert_array_equal(v[:, 0], [0.75, 0.25, -0.25, -0.75])


def test_a_stroke_is_the_integral_over_the_prefilter():
    grid = Sampling(size=32)
    ends = ((-1.0, -0.6), (1.1, 0.7))
    tangent = np.array([2.1, 1.3]) / np.hypot(2.1, 1.3)

    def inside(u, v):
        u, v = u - 0.05, v - 0.05
        along, across = u * tangent[0] + v * tangent[1], v * tangent[0] - u * tangent[1]
        return (np.abs(along) < np.hypot(2.1, 1.3) / 2) & (np.abs(across) < 0.25)

    drawn = segment(*coordinates(grid), ends, width=0.5, blur=grid.blur)
    assert drawn.max() > 0.99
    assert_allclose(drawn, fine(inside, grid), atol=0.01)
    assert drawn.sum() / 64 == pytest.approx(np.hypot(2.1, 1.3) * 0.5, rel=1e-4)  # area in square degrees


def test_a_disc_has_its_area_and_a_soft_rim_of_one_pixel():
    grid = Sampling(size=64)
    drawn = disc(*coordinates(grid), diameter=5.0, blur=grid.blur)
    assert_allclose(drawn, fine(lambda u, v: np.hypot(u, v) < 2.5, grid), atol=0.02)
    assert drawn.sum() / 64 == pytest.approx(np.pi * 2.5**2, rel=1e-3)


def test_a_ramp_rises_inwards():
    assert_allclose(ramp(np.array([-0.1, 0.0, 0.5, 1.0, 1.5, 2.0, 9.0]), 2.0)[[0, 1, 3, 5, 6]], [0, 0, 0.5, 1, 1])


def test_a_figure_moves_by_fractions_of_a_pixel_without_changing():
    """0.25 px/frame for four frames is one pixel: the frames are the same, one pixel on."""
    slow = Sampling(hertz=100.0, size=160, seconds=0.08)
    shown = movie(Diamond(speed=3.125), slow).frames  # 3.125 deg/s · 8 px/deg / 100 Hz = 0.25 px
    assert_allclose(shown[4][:, 1:], shown[0][:, :-1], atol=1e-5)
    assert_allclose(shown[8][:, 2:], shown[0][:, :-2], atol=1e-5)
