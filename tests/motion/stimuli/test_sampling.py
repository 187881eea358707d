import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.errors import Misuse
from beholder.motion.stimuli.bar import Bar
from beholder.motion.stimuli.diamond import Diamond
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.grating import Grating
from beholder.motion.stimuli.sampling import LEGACY16, NATIVE, QUICK, Check, Sampling, carrier, fit, guard, stroke


def grades(checks):
    return [check.grade for check in checks]


def test_the_grating_of_tlapale_2012_is_refused_on_its_own_clock_and_passes_on_ours():
    seed = Grating()
    slow, fast = (carrier(seed.frequency, seed.hertz, sampling)[1] for sampling in (LEGACY16, NATIVE))
    assert (slow.value, fast.value) == pytest.approx((0.624, 0.0999), abs=5e-4)
    assert (slow.grade, fast.grade) == ("refused", "ok")
    with pytest.raises(
        Misuse, match=r"temporal frequency of 0\.624 cycles/frame; expected less than 0\.5; raise hertz"
    ):
        movie(seed, Sampling(hertz=16.0, size=180))


@pytest.mark.parametrize(("cycles", "grade"), [(0.25, "ok"), (0.2501, "coarse"), (0.4999, "coarse"), (0.5, "refused")])
def test_a_carrier_is_coarse_above_a_quarter_and_refused_from_a_half_on(cycles, grade):
    grid = Sampling(hertz=100.0, px_per_deg=8.0)
    assert grades(carrier(cycles * 8, 0.0, grid)) == [grade, "ok"]
    assert grades(carrier(0.0, -cycles * 100, grid)) == ["ok", grade]


@pytest.mark.parametrize(("pixels", "grade"), [(4, "ok"), (2, "ok"), (1.9, "coarse"), (1, "coarse"), (0.9, "refused")])
def test_a_line_is_coarse_below_two_pixels_and_refused_below_one(pixels, grade):
    assert stroke(pixels / 8, 0.0, NATIVE)[0].grade == grade


@pytest.mark.parametrize(("widths", "grade"), [(1, "ok"), (1.1, "coarse"), (2, "coarse"), (2.1, "refused")])
def test_a_stroke_is_coarse_when_frames_do_not_overlap_and_refused_beyond_two_widths(widths, grade):
    assert stroke(0.5, widths * 0.5 * 100, NATIVE)[1].grade == grade


@pytest.mark.parametrize(("reach", "grade"), [(9.4, "ok"), (9.6, "coarse"), (10.5, "coarse"), (10.6, "refused")])
def test_a_scene_must_stay_in_the_frame_with_a_margin_of_one_degree(reach, grade):
    assert NATIVE.extent == 21
    assert fit(reach, NATIVE).grade == grade


def test_what_leaves_the_frame_is_refused_though_aliasing_is_allowed():
    with pytest.raises(Misuse, match="an extent of 25 deg; expected less than 21; enlarge the frame"):
        movie(Grating(diameter=25.0), LEGACY16)


def test_legacy_frames_are_drawn_and_known_to_be_aliased():
    assert guard(Grating(diameter=10.0).checks(LEGACY16), LEGACY16) == "refused"
    assert len(movie(Grating(diameter=10.0), LEGACY16).frames) == 8  # 0.45 s at 16 frames/s
    assert guard(Diamond().checks(LEGACY16), LEGACY16) == "ok"  # 10 deg/s · cos 37.5° / 16 Hz = 0.496° < 0.5°
    assert guard(Bar(length=10.0).checks(LEGACY16), LEGACY16) == "coarse"  # 16 · cos 45° / 16 Hz = 0.707°


def test_nothing_to_ask_is_nothing_to_refuse():
    assert guard([], NATIVE) == "ok"
    assert guard([Check("x", 1.0, "y", 2.0, 3.0, "z"), Check("x", 2.5, "y", 2.0, 3.0, "z")], NATIVE) == "coarse"


def test_times_start_with_the_onset_and_the_preview_is_still():
    sampling = Sampling(hertz=10.0, seconds=0.3, preview=2)
    assert_allclose(sampling.times, [0, 0, 0, 0.1, 0.2, 0.3])
    shown = movie(Grating(diameter=10.0, speed=5.0), sampling)
    assert shown.onset == 2
    assert_allclose(shown.seconds, [-0.15, -0.05, 0.05, 0.15, 0.25])
    assert np.array_equal(shown.frames[0], shown.frames[2])
    assert not np.array_equal(shown.frames[2], shown.frames[3])


def test_the_quick_profile_is_22_pairs_of_160_pixels():
    shown = movie(Diamond(), QUICK)
    assert shown.frames.shape == (23, 160, 160)
    assert shown.frames.dtype == np.float32


def test_a_shutter_dims_a_sinusoid_by_its_sinc():
    """Averaging over a frame multiplies a sinusoid of ν cycles a frame by sin(πν)/(πν)."""
    grating = Grating(diameter=20.0, speed=25.0 / 0.27, contrast=0.5)  # 25 Hz at 100 frames/s: ν = 1/4
    flash = Sampling(size=180, seconds=0.05)
    film = Sampling(size=180, seconds=0.05, shutter=64)
    change = [movie(grating, sampling).frames[3] - grating.mean for sampling in (flash, film)]
    seen = np.abs(change[0]) > 5
    assert_allclose(change[1][seen] / change[0][seen], np.sin(np.pi / 4) / (np.pi / 4), rtol=1e-3)


@pytest.mark.parametrize(
    "wrong", [{"hertz": 0}, {"px_per_deg": -1}, {"seconds": 0.001}, {"preview": -1}, {"shutter": 0}]
)
def test_an_impossible_grid_is_refused(wrong):
    with pytest.raises(Misuse, match="got "):
        Sampling(**wrong)
