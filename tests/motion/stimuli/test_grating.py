import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.grating import Grating
from beholder.motion.stimuli.sampling import LEGACY16, Sampling
from motion_movies import direction, edge_average

GRID = Sampling(size=180, seconds=1.0)


def test_a_pixel_sees_ten_cycles_a_second():
    seen = movie(Grating(), GRID).frames[:100, 90, 90]
    assert np.abs(np.fft.rfft(seen - seen.mean())).argmax() == 10
    assert Grating().hertz == pytest.approx(9.99)


def test_a_row_holds_its_spatial_frequency():
    row = movie(Grating(diameter=20.0), GRID).frames[0, 90]
    crossings = np.flatnonzero(np.diff(np.sign(row[15:165] - 50.0)))
    assert np.diff(crossings).mean() == pytest.approx(8 / 0.27 / 2, abs=0.3)


@pytest.mark.parametrize("way", [0.0, 90.0, 180.0, 270.0, 60.0])
def test_it_drifts_along_its_direction_at_its_speed(way):
    grating = Grating(diameter=20.0, direction=way, edge=4.0)
    found = edge_average(movie(grating, Sampling(hertz=400.0, size=180, seconds=0.05)))
    assert (direction(found) - way + 180) % 360 == pytest.approx(180, abs=1)
    assert np.hypot(*found) == pytest.approx(37.0, rel=0.1)
    assert grating.percept.bias == 0


def test_at_16_frames_a_second_it_seems_to_go_backwards():
    """0.624 cycles a frame look like −0.376: the phase of the stripes steps back."""
    shown = movie(Grating(diameter=20.0), LEGACY16).frames.astype(float)
    stripes = np.exp(2j * np.pi * 0.27 * (np.arange(168) - 83.5) / 8)
    phase = np.angle(((shown - 50) * np.conj(stripes)).sum(axis=(1, 2)))
    step = np.angle(np.exp(1j * np.diff(phase))) / (2 * np.pi)
    assert step == pytest.approx(0.376, abs=0.03)  # forward motion is a falling phase: this is the opposite way


@pytest.mark.parametrize("diameter", [2.5, 10.0, 20.0])
@pytest.mark.parametrize("contrast", [1.0, 0.1])
def test_the_disc_has_its_size_and_contrast_and_the_field_its_mean(diameter, contrast):
    shown = movie(Grating(diameter=diameter, contrast=contrast), GRID).frames
    swing = np.ptp(shown, axis=0) / 2 / 50
    assert swing.max() == pytest.approx(contrast, rel=0.02)
    assert swing.sum() / contrast / 64 == pytest.approx(np.pi * diameter**2 / 4, rel=0.03)
    assert shown[:, 0, 0] == pytest.approx(50.0)


def test_a_raised_cosine_softens_the_rim_only():
    sharp, soft = (movie(Grating(diameter=16.0, edge=edge), GRID).frames[0] for edge in (0.0, 4.0))
    assert np.array_equal(sharp[80:100, 80:100], soft[80:100, 80:100])
    assert np.abs(soft[90, 30] - 50) < 0.2 * np.abs(sharp[90, 30] - 50)


@pytest.mark.parametrize("wrong", [{"contrast": 1.1}, {"diameter": 0.0}, {"edge": 11.0}, {"frequency": np.nan}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(Misuse, match="grating: got"):
        Grating(**wrong)
