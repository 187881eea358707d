"""The map that SIM is shown of a density, against what it would be shown otherwise."""

import numpy as np
import pytest

from beholder.attention.maps.fixation_maps import continuous_map
from beholder.attention.maps.optimal import sim_map
from beholder.attention.measures.maps import sim
from beholder.attention.readouts import Surface
from beholder.attention.types import Lookers, scanpath
from beholder.stats.divergence import shares
from beholder.vision.blur import blurred

Y, X = np.mgrid[:120, :160]
DENSITY = shares(
    np.exp(-((X - 80) ** 2) / 1800 - (Y - 60) ** 2 / 800) + 0.3 * np.exp(-((X - 30) ** 2 + (Y - 30) ** 2) / 32) + 0.02
)


def looked(n, seed):
    """People who look where the density says."""
    at = np.random.default_rng(seed).choice(DENSITY.size, n, p=DENSITY.ravel())
    rows, columns = np.unravel_index(at, DENSITY.shape)
    return Lookers({"a": scanpath(columns, rows)}, DENSITY.shape, px_per_deg=6.0)


@pytest.mark.parametrize("n", [20, 100])
def test_it_shares_more_mass_than_the_density_or_its_blur(n):
    best = sim_map(DENSITY, sigma=6.0, fixations=n, rng=np.random.default_rng(0))
    people = [shares(continuous_map(looked(n, seed))) for seed in range(60)]
    mean = lambda shown: np.mean([np.minimum(shown, one).sum() for one in people])  # noqa: E731
    assert mean(best) > mean(DENSITY) + 0.002
    assert mean(best) > mean(shares(blurred(DENSITY, 6.0))) + 0.002
    assert best.sum() == pytest.approx(1)
    assert best.min() >= 0


def test_sim_takes_it():
    found = Surface(DENSITY, np.log(DENSITY))
    here = looked(100, 0)
    shown = Surface(sim_map(DENSITY, sigma=6.0, rng=np.random.default_rng(0)))
    assert sim(found, here).value == sim(shown, here).value
    assert sim(found, here).value != sim(Surface(DENSITY), here).value
    assert sim(Surface(DENSITY, np.log(DENSITY)), here).value == sim(found, here).value


def test_one_certain_place_and_a_tiny_picture():
    certain = np.zeros((40, 50))
    certain[20, 30] = 1.0
    found = sim_map(certain, sigma=4.0, rng=np.random.default_rng(0))
    assert np.unravel_index(found.argmax(), found.shape) == pytest.approx((20, 30), abs=1)
    assert sim_map(np.full((1, 2), 0.5), sigma=9.0, rng=np.random.default_rng(0)).shape == (1, 2)
