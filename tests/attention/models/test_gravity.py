from decimal import Decimal, localcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from skimage import data as photographs

from beholder.attention.maps.features import Clip
from beholder.attention.models._falling import Law, Retina, damped_step, fall, reflected
from beholder.attention.models.gravity import gravity, retina, trajectories
from beholder.attention.types import Picture
from beholder.errors import Misuse

PHOTO = Picture(photographs.chelsea(), 16.0)


def rng(seed=0):
    return np.random.default_rng(seed)


def blobs(shape=(60, 80)):
    y, x = np.indices(shape)
    return sum(np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 40) for cx, cy in [(20, 15), (60, 40), (35, 50)])


def eye(law, steps=100, hertz=100.0, start=(40.0, 30.0, 20.0, -10.0)):
    return fall(Retina(blobs()[None], 8.0), law, start=np.array([start]), hertz=hertz, steps=steps)[0]


def test_a_constant_field_has_its_closed_form():
    # A far and heavy mass pulls evenly; E = 3, λ = 1.5, t = 2 (spec 1.1): s = 2.73304942449, v = 1.90042586326.
    mass = np.zeros((1, 1, 200_001))
    mass[0, 0, -1] = 3 * 2 * np.pi * 200_000
    law = Law(alpha=1.0, damping=1.5, beta=0.0, sums="direct")
    states = fall(Retina(mass, 1.0), law, start=np.array([[0.5, 0.5, 0.0, 0.0]]), hertz=5.0, steps=10)[0]
    assert states[-1, 0] - 0.5 == pytest.approx(2.73304942449, rel=1e-4)
    assert states[-1, 2] == pytest.approx(1.90042586326, rel=1e-4)


@pytest.mark.parametrize("damping", [1e-14, 1e-9, 1e-6, 1e-5, 1e-3, 0.5, 0.9999, 1.0, 1.0001, 2.5, 40.0])
def test_however_weak_the_damping_a_step_is_exact(damping):
    h, scale = Decimal("0.01"), Decimal(damping)
    with localcontext() as context:
        context.prec = 80
        kept = (-scale * h).exp()
        p = (1 - kept) / scale
        expected = kept, p, (h - p) / scale
    assert damped_step(damping, 0.01) == pytest.approx([float(value) for value in expected], rel=2e-13)


def test_without_damping_to_speak_of_the_eye_swings_as_without():
    # One heavy mass in the middle; in 1 s with λ of 1e-12 and 1e-6 the eye is at one place (up to 1 part in 1e6).
    ends = [eye(Law(alpha=30.0, damping=damping, beta=0.0, sums="direct"))[-1, :2] for damping in (1e-12, 1e-6)]
    assert_allclose(*ends, atol=1e-4)


def test_without_mass_the_eye_glides_to_rest():
    law = Law(damping=2.0, beta=0.0, sums="direct")
    states = fall(
        Retina(np.zeros((1, 40, 60)), 8.0), law, start=np.array([[10.0, 20.0, 8.0, 0.0]]), hertz=50, steps=400
    )
    assert_allclose(states[0, -1], [14, 20, 0, 0], atol=1e-5)  # v / λ


@pytest.mark.parametrize("beta", [0.0, 2.5])
def test_half_the_step_has_a_quarter_of_the_error(beta):
    law = Law(alpha=300.0, damping=10.0, beta=beta, sums="direct")
    ends = [eye(law, steps=n, hertz=float(n))[-1, :2] for n in (50, 100, 200, 1600)]
    errors = [np.hypot(*(end - ends[-1])) for end in ends[:-1]]
    assert 3 < errors[0] / errors[1] < 5.5
    assert 3 < errors[1] / errors[2] < 5.5


def test_lsoda_agrees():
    still = {"alpha": 300.0, "damping": 10.0, "beta": 0.0, "sums": "direct"}
    ours, theirs = (eye(Law(**still, solver=solver), steps=400, hertz=400.0) for solver in ("verlet", "lsoda"))
    assert_allclose(ours[-1, :2], theirs[-1, :2], atol=2e-3)
    inhibited = still | {"beta": 2.5}
    far = [
        np.hypot(*(eye(Law(**inhibited), n, float(n)) - eye(Law(**inhibited, solver="lsoda"), n, float(n)))[-1, :2])
        for n in (50, 200)
    ]
    assert far[1] < far[0] / 2.5  # masses stand still within a step of LSODA: an error of the first order
    assert far[1] < 0.1  # px, after 1 s


@pytest.mark.parametrize("start", [(4.0, 30.0, -400.0, 30.0), (70.0, 55.0, 500.0, 300.0)])
def test_lsoda_bounces_off_a_wall_as_steps_that_have_converged(start):
    law = {"alpha": 3000.0, "damping": 2.0, "beta": 0.0, "sums": "direct"}
    steps = eye(Law(**law), 3200, 6400.0, start)
    assert (np.diff(np.sign(steps[:, 2])) != 0).any()  # it does turn round
    one = eye(Law(**law, solver="lsoda"), 50, 100.0, start)
    assert_allclose(one[-1, :2], steps[-1, :2], atol=0.05)
    assert_allclose(one[:, :2], steps[::64, :2], atol=0.1)


@pytest.mark.parametrize("beta", [0.0, 2.5])
def test_both_ways_to_the_field_lead_to_the_same_place(beta):
    law = {"alpha": 300.0, "damping": 10.0, "beta": beta}
    direct, fft = (eye(Law(**law, sums=sums)) for sums in ("direct", "fft"))
    assert np.abs(direct - fft)[:, :2].max() < 0.05
    assert_allclose(eye(Law(**law, sums="auto")), direct if beta else fft)


def test_the_eye_falls_towards_a_mass():
    mass = np.zeros((1, 60, 80))
    mass[0, 28:33, 18:23] = 1.0
    start = np.array([[40.0, 20.5, 0.0, 0.0]])
    states = fall(Retina(mass, 4.0), Law(4000.0, 35.0, beta=0.0), start=start, hertz=200, steps=600)[0]
    assert np.hypot(*(states[-1, :2] - [20.5, 30.5])) < 2


def test_inhibition_makes_it_leave_again():
    stays, leaves = (trajectories(PHOTO, rng=rng(), count=4, law=Law(beta=beta))[:, 200:] for beta in (0.0, 2.5))
    assert stays.std(axis=1).max() < 5
    assert leaves.std(axis=1).max(axis=1).min() > 16  # a degree


def test_borders_reflect():
    law = Law(damping=0.01, beta=0.0, sums="direct")
    start = np.array([[5.0, 5.0, -40.0, 30.0]])
    states = fall(Retina(np.zeros((1, 20, 30)), 8.0), law, start=start, hertz=100, steps=25)[0]
    assert_allclose(states[-1, :2], [5, 12.5], atol=0.03)
    assert states[-1, 2] > 39
    assert (states[:, :2] >= 0).all()
    assert_allclose(reflected(np.array([[65.0, -45.0]]), np.array([30.0, 20.0]))[0], [[5.0, 5.0]])


def test_frames_of_a_clip_pull_in_their_time():
    masses = np.zeros((2, 40, 80))
    masses[0, 18:22, 5:9] = masses[1, 18:22, 70:74] = 1.0
    law = Law(4000.0, 35.0, beta=0.0, sums="direct")
    states = fall(Retina(masses, 4.0, 2.0), law, start=np.array([[40.0, 20.0, 0.0, 0.0]]), hertz=100, steps=100)[0]
    assert states[50, 0] < 38
    assert states[100, 0] > states[50, 0]


def test_a_moving_thing_is_followed():
    frames = np.full((25, 64, 96), 30, np.uint8)
    for at, frame in enumerate(frames):
        frame[28:36, 20 + 2 * at : 28 + 2 * at] = 220
    clip = Clip(frames, 25.0, 8.0)
    moved = trajectories(clip, rng=rng(), count=3, seconds=1.0, features="gradient+flow", side=0, law=Law(4000.0, 35.0))
    assert np.abs(moved[:, -1] - [74, 32]).max() < 10
    assert len(gravity(clip, rng=rng(), many=2, seconds=1.0)) == 2


def test_many_observers_are_those_one_by_one_from_the_same_places():
    seen = retina(PHOTO)
    starts = np.array([[100.0, 80.0, 10.0, 5.0], [60.0, 40.0, -8.0, 3.0]])
    both = fall(seen, Law(), start=starts, hertz=100, steps=50)
    one = fall(seen, Law(), start=starts[1:], hertz=100, steps=50)
    assert_array_equal(both[1:], one)


def test_paths_look_like_paths():
    paths = gravity(PHOTO, rng=rng(), many=6)
    assert 5 < np.mean([len(path) for path in paths]) < 30
    jumps = np.concatenate([np.hypot(np.diff(path.x), np.diff(path.y)) for path in paths]) / 16
    assert 1 < np.median(jumps) < 8


def test_people_and_gravity_fixate_about_as_often_and_not_in_two_places_only():
    paths = gravity(PHOTO, rng=rng(), many=8)
    assert 1.8 < np.mean([len(path) for path in paths]) / 5 < 4  # a second; people: 2.7 … 3.1
    cells = [{(int(5 * x / 451), int(5 * y / 300)) for x, y in path.points} for path in paths]
    assert np.mean([len(each) for each in cells]) > 3.5


def test_constants_are_settings():
    one = gravity(PHOTO, rng=rng(), seconds=1.0, alpha=300.0, damping=9.0, beta=2.0, sigma=4.0)
    other = gravity(PHOTO, rng=rng(), seconds=1.0, law=Law(300.0, 9.0, 2.0, 4.0))
    assert_array_equal(one.points, other.points)
    still, moving = (gravity(PHOTO, rng=rng(), beta=beta) for beta in (0.0, 1.7))
    assert len(still) < len(moving)
    with pytest.raises(Misuse, match="sigma=0"):
        gravity(PHOTO, rng=rng(), sigma=0)


def test_masses_are_on_average_1_whatever_resolution_and_contrast():
    small, whole = retina(PHOTO, side=224), retina(PHOTO, side=0)
    assert whole.masses.shape == (1, *PHOTO.shape)
    assert small.masses.shape == (1, 149, 224)
    assert small.px_per_deg == pytest.approx(16 * 224 / 451)
    faint = retina(Picture((100 + PHOTO.pixels // 8).astype(np.uint8), 16.0))
    assert [each.masses.mean() for each in (small, whole, faint)] == pytest.approx([1, 1, 1])
    assert not retina(Picture(np.full((40, 60), 9, np.uint8))).masses.any()


def test_a_further_feature_plugs_in():
    def right_half(picture):
        return np.repeat([[0.0, 5.0]], picture.shape[0], 0).repeat(picture.shape[1] // 2, 1)

    flat = Picture(np.full((64, 96), 90, np.uint8), 8.0)
    moved = trajectories(flat, rng=rng(), count=4, seconds=1.0, features=[right_half], side=0, law=Law(4000.0, 35.0))
    assert (moved[:, -1, 0] > 48).all()


def small(picture):
    return np.ones((2, 2))


def test_on_a_photograph_lsoda_leads_to_the_same_places():
    ours, theirs = (
        trajectories(PHOTO, rng=rng(), count=1, seconds=0.5, law=Law(solver=solver)) for solver in ("verlet", "lsoda")
    )
    assert np.abs(ours - theirs).max() < 4  # a quarter of a degree, with steps of 10 ms
    one, other = gravity(PHOTO, rng=rng(), seconds=0.5, solver="lsoda"), gravity(PHOTO, rng=rng(), seconds=0.5)
    assert len(one) == len(other)


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="got seconds=0"):
        gravity(PHOTO, rng=rng(), seconds=0)
    with pytest.raises(Misuse, match="side=5"):
        gravity(PHOTO, rng=rng(), side=5)
    with pytest.raises(Misuse, match="expected gradient, faces, flow"):
        gravity(PHOTO, rng=rng(), features="edges")
    with pytest.raises(Misuse, match="alpha=-1"):
        Law(alpha=-1)
    with pytest.raises(Misuse, match="solver='euler'"):
        Law(solver="euler")
    with pytest.raises(ValueError, match=r"got a map of \(2, 2\) from small"):
        gravity(PHOTO, rng=rng(), features=[small])
