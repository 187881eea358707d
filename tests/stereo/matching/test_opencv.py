import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.errors import Misuse
from beholder.stereo.matching.opencv import disparities, grey, matched, odd, padded, percentage, semi_global
from beholder.stereo.types import Pair


@pytest.fixture
def pair():
    image = np.random.default_rng(0).integers(0, 256, (20, 60, 3)).astype(np.uint8)
    return Pair(image, image, 20)


class Fake:
    """A matcher that answers the column number, in sixteenths, and says what it was shown."""

    def getNumDisparities(self):
        return 4

    def compute(self, left, right):
        self.shown = left
        return np.broadcast_to(np.arange(left.shape[1], dtype=np.int16) - 5, left.shape[:2])


def test_padding_is_added_and_taken_away():
    image = np.arange(6, dtype=np.uint8).reshape(2, 3)
    fake = Fake()
    found = matched(fake, image, image)
    assert_array_equal(fake.shown, [[0, 0, 0, 0, 0, 1, 2], [3, 3, 3, 3, 3, 4, 5]])
    assert_array_equal(found, [[np.nan, 0, 1 / 16]] * 2)  # columns 4, 5 and 6, less 5
    assert padded(np.zeros((2, 3, 3), np.uint8), 2).shape == (2, 5, 3)


def test_the_smoothness_grows_with_channels_and_block(pair):
    colour = semi_global(pair, "hh", block=5, p1=4, p2=64)
    assert (colour.getP1(), colour.getP2()) == (4 * 3 * 25, 64 * 3 * 25)
    plain = semi_global(Pair(grey(pair.left), grey(pair.right), 20), "hh", block=1)
    assert (plain.getP1(), plain.getP2(), plain.getNumDisparities()) == (8, 32, 32)


def test_the_paths_are_named(pair):
    import cv2

    modes = {
        "5": cv2.STEREO_SGBM_MODE_SGBM,
        "hh": cv2.STEREO_SGBM_MODE_HH,
        "3way": cv2.STEREO_SGBM_MODE_SGBM_3WAY,
        "hh4": cv2.STEREO_SGBM_MODE_HH4,
    }
    assert {name: semi_global(pair, name).getMode() for name in modes} == modes
    assert semi_global(pair, 5).getMode() == modes["5"]  # as they come from a command line
    assert semi_global(pair, 3).getMode() == modes["3way"]


def test_the_range_is_a_multiple_of_16(pair):
    assert disparities(pair) == 32
    assert disparities(Pair(pair.left, pair.right, 32)) == 32


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda p: semi_global(p, "full"), "expected one of 5, hh, 3way, 3, hh4"),
        (lambda p: semi_global(p, "hh", p1=32, p2=32), "expected 0 < p1 < p2"),
        (lambda p: semi_global(p, "hh", p1=0), "p1=0"),
        (lambda p: semi_global(p, "hh", uniqueness=101), "uniqueness=101"),
        (lambda p: odd(3, "window", least=5), "window=3; expected an odd number of 5 or more"),
        (lambda p: percentage(-1, "share"), "share=-1"),
    ],
)
def test_wrong_settings_are_refused(pair, wrong, sentence):
    with pytest.raises(Misuse, match=sentence):
        wrong(pair)
