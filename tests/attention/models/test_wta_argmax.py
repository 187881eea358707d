"""Winner takes all by the greatest value, and what both such models accept."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from skimage import data as photographs

from attention_walks import BLANK, PEAKS, bumps, rng
from beholder.attention.models.wta_argmax import winners, wta_argmax
from beholder.attention.models.wta_lif import wta_lif
from beholder.attention.types import Picture
from beholder.errors import Misuse


def test_peaks_come_in_order_of_their_height():
    path = wta_argmax(BLANK, of=bumps, fixations=3)
    assert_array_equal(path.points, [(column + 0.5, row + 0.5) for row, column, _ in PEAKS])
    assert np.isnan(path.onset_ms).all()


def test_a_disc_is_inhibited_and_fades():
    path = wta_argmax(BLANK, of=bumps, fixations=6, radius=10)
    gaps = np.hypot(*(path.points[:, None] - path.points[None]).T)
    assert gaps[np.triu_indices(6, 1)].min() > 10
    back = wta_argmax(BLANK, of=bumps, fixations=4, decay=0.0)
    assert_array_equal(back.points[2], back.points[0])


def test_ties_are_the_topmost_then_the_leftmost():
    rows, columns = winners(np.array([[0, 1.0, 0], [1, 0, 1]]), 0.5, count=3)
    assert_array_equal(rows, [0, 1, 1])
    assert_array_equal(columns, [1, 0, 2])


def test_any_model_of_maps_guides_and_no_other():
    photo = Picture(photographs.chelsea())
    by_itti, by_signature = (wta_argmax(photo, of=of) for of in ("itti", "image_signature"))
    assert (by_itti.points != by_signature.points).any()
    with pytest.raises(Misuse, match=r"got of='gravity', a scanpath model"):
        wta_argmax(photo, of="gravity")
    with pytest.raises(ValueError, match="got a map of shape"):
        wta_lif(photo, rng=rng(), of=lambda picture: np.ones((2, 2)))


def test_what_is_wrong_is_said():
    with pytest.raises(Misuse, match="fixations=0"):
        wta_argmax(BLANK, fixations=0)
    with pytest.raises(Misuse, match="decay=2"):
        wta_argmax(BLANK, decay=2)
    with pytest.raises(Misuse, match="fixations=0"):
        wta_lif(BLANK, rng=rng(), fixations=0)
