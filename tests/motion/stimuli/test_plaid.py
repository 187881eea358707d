import numpy as np
import pytest
from numpy.testing import assert_allclose

from beholder.errors import Misuse
from beholder.motion.stimuli.drawing import movie
from beholder.motion.stimuli.plaid import TYPE_I, TYPE_II, Plaid
from beholder.motion.stimuli.sampling import Sampling
from motion_movies import direction, edge_average, rigid

FAST = Sampling(hertz=400.0, size=160, seconds=0.05)


def test_the_golden_type_ii_plaid():
    plaid = Plaid(normals=TYPE_II)
    speeds = np.hypot(*plaid.components.T)
    assert speeds[0] / speeds[1] == pytest.approx(2.0, abs=0.01)
    assert plaid.percept.bias == pytest.approx(55.60, abs=0.01)
    assert plaid.percept.object_direction == 0


@pytest.mark.parametrize("normals", [TYPE_I, TYPE_II, (-10.0, 60.0)])
def test_the_intersection_of_constraints_is_the_direction(normals):
    plaid = Plaid(normals=normals, direction=0.0)
    angles = np.radians(normals)
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert_allclose(np.linalg.solve(vectors, np.hypot(*plaid.components.T)), [10, 0], atol=1e-9)


@pytest.mark.parametrize("normals", [TYPE_I, TYPE_II])
@pytest.mark.parametrize("turn", [1, -1])
def test_its_pixels_move_rigidly_with_the_pattern(normals, turn):
    plaid = Plaid(normals=normals, turn=turn, diameter=18.0)
    shown = movie(plaid, FAST)
    found = rigid(shown, margin=40)
    assert direction(found) == pytest.approx(0, abs=1)
    assert np.hypot(*found) == pytest.approx(10, rel=0.05)
    assert direction(edge_average(shown, margin=40)) == pytest.approx(plaid.percept.bias, abs=5)


def test_the_balance_moves_contrast_from_one_component_to_the_other():
    spectra = []
    for balance in (0.2, 0.8):
        shown = movie(Plaid(normals=TYPE_I, balance=balance, diameter=18.0), FAST).frames[0].astype(float)
        x, y = np.meshgrid((np.arange(160) - 79.5) / 8, -(np.arange(160) - 79.5) / 8)
        waves = [np.exp(-2j * np.pi * 0.5 * (x + sign * y) / np.sqrt(2)) for sign in (-1, 1)]
        spectra.append([abs(((shown - 50) * wave).sum()) for wave in waves])
    assert spectra[0][0] / spectra[0][1] == pytest.approx(0.25, rel=0.05)
    assert spectra[1][0] / spectra[1][1] == pytest.approx(4.0, rel=0.05)


@pytest.mark.parametrize(
    "wrong", [{"normals": (10.0, 10.0)}, {"normals": (0.0, 95.0)}, {"balance": 1.0}, {"speed": -1.0}]
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(Misuse, match="plaid: got"):
        Plaid(**wrong)
