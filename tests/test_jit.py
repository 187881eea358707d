import pickle
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.jit import compiled
from beholder.vision.warp import warped


@compiled
def halved(values):
    """Each value over 2."""
    found = np.empty_like(values)
    for at in range(len(values)):
        found[at] = values[at] / 2
    return found


@compiled
def over(a, b):
    """A quotient, as NumPy has it."""
    return a / b


def test_a_loop_answers_as_its_python_does():
    values = np.arange(5.0)
    assert_array_equal(halved(values), halved.__wrapped__(values))
    assert halved.__doc__ == "Each value over 2."
    assert pickle.loads(pickle.dumps(halved)) is halved


def test_division_by_zero_is_not_a_fault():
    assert over(1.0, 0.0) == np.inf


def test_numba_is_not_loaded_before_it_is_needed():
    code = "import sys, beholder.motion.models.tvl1, beholder.vision.warp; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_flow_must_fit_the_image():
    with pytest.raises(ValueError, match=r"flow of shape \(2, 3, 2\); expected \(4, 5, 2\)"):
        warped(np.zeros((4, 5), np.float32), np.zeros((2, 3, 2), np.float32))
