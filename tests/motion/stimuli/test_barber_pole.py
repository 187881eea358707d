import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.motion.stimuli.barber_pole import BarberPole
from beholder.motion.stimuli.drawing import coordinates, movie
from beholder.motion.stimuli.sampling import NATIVE, Sampling
from motion_movies import direction, edge_average

GRID = Sampling(hertz=200.0, size=168, seconds=0.25)
FINE = Sampling(px_per_deg=40.0, size=600)


@pytest.mark.parametrize(("breadth", "angle"), [(12.0, 45.0), (4.0, 18.4349), (2.0, 9.4623)])
def test_the_golden_sums_of_line_ends(breadth, angle):
    assert BarberPole(breadth=breadth).terminators == pytest.approx(angle, abs=1e-4)


@pytest.mark.parametrize("theta", [30.0, 45.0, 60.0])
def test_the_sum_of_line_ends_counted_one_by_one(theta):
    """Crests meet the sides at points that run along them; their number times their speed, side by side."""
    pole = BarberPole(breadth=3.0, angle=theta)
    cosine, sine = np.cos(np.radians(theta)), np.sin(np.radians(theta))
    long = 2 * pole.length * pole.frequency * cosine * (pole.speed / cosine)
    short = 2 * pole.breadth * pole.frequency * sine * (pole.speed / sine)
    assert pole.terminators == pytest.approx(np.degrees(np.arctan2(short, long)))


@pytest.mark.parametrize("way", [0.0, 45.0, 180.0])
@pytest.mark.parametrize("turn", [1, -1])
def test_its_stripes_drift_along_their_normal(way, turn):
    pole = BarberPole(breadth=12.0, direction=way, turn=turn, soft=5.0)
    found = edge_average(movie(pole, GRID))
    assert (direction(found) - way) % 360 == pytest.approx(turn * 45 % 360, abs=3)
    assert (pole.percept.normal_direction - way) % 360 == turn * 45 % 360
    assert pole.speed == 8


def test_in_the_end_people_see_the_long_axis_unless_it_is_no_longer_or_has_deep_teeth():
    plain, square, toothed = BarberPole(turn=-1), BarberPole(breadth=12.0), BarberPole(indent=0.25)
    assert (plain.percept.object_direction, plain.percept.bias) == (0, -45)
    assert plain.percept.speed == pytest.approx(8 * np.sqrt(2))
    assert (square.percept.object_direction, square.percept.speed) == (45, 8)
    assert toothed.percept.object_direction == 45


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        ({}, "seed"),
        ({"breadth": 12.0}, "derived"),
        ({"indent": 0.125}, "placeholder"),
        ({"indent": 0.25}, "verified"),
        ({"masked": 0.9}, "derived"),
        ({"soft": 1.0}, "placeholder"),
    ],
)
def test_it_says_how_well_its_percept_is_known(settings, status):
    assert BarberPole(**settings).percept.status == status


@pytest.mark.parametrize("masked", [0.0, 0.5, 0.9])
def test_a_mask_covers_its_share_of_the_area(masked):
    seen = BarberPole(masked=masked).aperture(*coordinates(NATIVE), NATIVE.blur)
    assert seen.sum() / 64 == pytest.approx((1 - masked) * 48, rel=0.01)
    assert seen[84, 84] == pytest.approx(1 - bool(masked), abs=1e-6)


def test_soft_sides_fade_the_long_sides_only():
    sharp, soft = (BarberPole(soft=soft).aperture(*coordinates(FINE), FINE.blur) for soft in (0.0, 2.0))
    assert soft[300, 62] == pytest.approx(sharp[300, 62], rel=1e-3)  # near the short side, on the axis
    assert soft[225, 300] < 0.1  # near the long side
    assert sharp[225, 300] > 0.9


@pytest.mark.parametrize("angle", [30.0, 45.0, 70.0])
def test_flanks_of_teeth_run_along_and_across_the_stripes(angle):
    pole = BarberPole(indent=0.25, angle=angle)
    down, right = np.gradient(pole.aperture(*coordinates(FINE), 3 / 40))  # three pixels of blur
    strong = np.hypot(down, right) > 0.5 * np.hypot(down, right).max()
    across = np.degrees(np.arctan2(-down[strong], right[strong])) % 90
    aside = np.minimum(np.abs(across - angle), 90 - np.abs(across - angle))
    assert np.median(aside) < 1
    assert np.mean(aside < 5) > 0.85  # the rest are corners


@pytest.mark.parametrize("indent", [0.125, 0.25, 0.5])
def test_teeth_have_their_depth(indent):
    """Along the long side the edge lies between the full half-breadth and one depth below it."""
    seen = BarberPole(indent=indent).aperture(*coordinates(FINE), FINE.blur)
    columns = np.abs(coordinates(FINE)[0][0]) < 4
    heights = (seen[:300, columns] > 0.5).sum(axis=0) / 40
    assert heights.max() == pytest.approx(2.0, abs=0.08)
    assert heights.min() == pytest.approx(2.0 - 2 * indent, abs=0.08)


@pytest.mark.parametrize(
    "wrong", [{"breadth": 13.0}, {"angle": 90.0}, {"contrast": 2.0}, {"masked": 1.0}, {"indent": 1.0}, {"soft": 3.0}]
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(Misuse, match="barberpole: got"):
        BarberPole(**wrong)


def test_a_turned_aperture_must_fit():
    tight = Sampling(size=92)  # 11.5°: 12 × 4 aslant needs (12 + 4)/√2 = 11.3°, lying or standing 12°
    assert movie(BarberPole(direction=45.0), tight).frames.shape[1:] == (92, 92)
    for way in (0.0, 90.0):
        with pytest.raises(Misuse, match="an extent of 12 deg"):
            movie(BarberPole(direction=way), tight)
    with pytest.raises(Misuse, match="an extent of 17 deg"):
        movie(BarberPole(breadth=12.0, direction=45.0), tight)
