"""The rivalry model: what it reads from frames, and how its two percepts compete."""

import numpy as np
import pytest

from beholder.errors import Misuse
from beholder.motion.datasets.line_plaids import line_plaids
from beholder.motion.models import rivalry as r
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.line_plaid import LinePlaid
from beholder.motion.stimuli.sampling import Sampling

DATASET = line_plaids()


def test_angle_and_speed_are_read_from_the_frames():
    grid = Sampling(hertz=100.0, size=112, seconds=0.1)
    found = [r.components(movie(LinePlaid(angle=angle, speed=3.0), grid)) for angle in (80.0, 110.0, 140.0)]
    assert [one.angle for one in found] == pytest.approx([80, 110, 140], abs=12)
    assert np.all(np.diff([one.angle for one in found]) > 20)
    slow, fast = (r.components(movie(LinePlaid(speed=speed), grid)).speed for speed in (1.5, 3.0))
    assert fast / slow == pytest.approx(2, rel=0.05)
    turned = r.components(movie(LinePlaid(angle=110.0, direction=0.0), grid))
    assert turned == pytest.approx(found[1], rel=0.02)


def test_the_stronger_drive_shortens_the_other_and_hardly_changes_its_own():
    def means(drive):
        seen = r.competition(np.array([1.2, drive]), np.full(20, 0.06), steps=12000, rng=np.random.default_rng(0))
        answers = [r._percepts(one) for one in seen.T]
        return [np.mean([answer.mean(word) for answer in answers]) for word in ("coherent", "transparent")]

    (weak, own_weak), (strong, own_strong) = means(1.14), means(1.26)
    assert strong < 0.65 * weak
    assert own_strong == pytest.approx(own_weak, rel=0.15)


def test_equal_drives_share_the_time_and_noise_makes_them_alternate():
    seen = r.competition(np.array([1.2, 1.2]), np.full(20, 0.06), steps=12000, rng=np.random.default_rng(1))
    assert seen.mean() == pytest.approx(0.5, abs=0.06)
    noises = np.array([0.0, 0.04, 0.1])
    switches = np.diff(r.competition(np.array([1.2, 1.2]), noises, steps=12000, rng=np.random.default_rng(1)), axis=0)
    counts = np.abs(switches).sum(axis=0)
    assert counts[0] == 0
    assert 0 < counts[1] < counts[2]


def test_the_same_generator_gives_the_same_periods():
    film = DATASET[0].stimulus
    one, two, other = (r.rivalry(film, rng=np.random.default_rng(seed), many=2) for seed in (0, 0, 1))
    assert np.array_equal(one[0].seconds, two[0].seconds)
    assert not np.array_equal(one[0].seconds, one[1].seconds)
    assert not np.array_equal(one[0].seconds, other[0].seconds)
    assert one[0].seconds.sum() == pytest.approx(60)
    with pytest.raises(Misuse, match="got noise=-1; expected 0 or more"):
        r.rivalry(film, rng=np.random.default_rng(0), noise=-1)
