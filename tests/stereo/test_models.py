import inspect
import pickle
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.spine.cite import key_of
from beholder.stereo.beds.random_dots import random_dots
from beholder.stereo.fill import along_rows
from beholder.stereo.matchers import disparities
from beholder.stereo.measures.disparity import bad_pixels, density
from beholder.stereo.models.block import block
from beholder.stereo.models.flat import flat, mean_disparity
from beholder.stereo.models.random import random
from beholder.stereo.models.sgbm import sgbm
from beholder.stereo.types import Pair


@pytest.fixture(scope="module")
def shifted():
    """A texture that stands 7 px behind the screen, so to say, in colour."""
    scene = np.random.default_rng(0).integers(0, 256, (60, 120, 3)).astype(np.uint8)
    return Pair(scene[:, :100], scene[:, 7:107], 24)


@pytest.mark.parametrize("model", [block, sgbm, partial(sgbm, mode="3way"), partial(block, window=15)])
def test_a_shift_is_found_up_to_the_left_border(shifted, model):
    found = model(shifted)
    assert found.dtype == np.float32
    assert np.isfinite(found).all()
    assert (np.abs(found - 7)[:, 20:] <= 1 / 4).all()
    assert (np.abs(found - 7)[:, 7:] <= 1).mean() > 0.97


@pytest.mark.parametrize("model", [block, sgbm])
def test_images_may_be_grey_or_floats(shifted, model):
    as_floats = Pair(shifted.left / 255, shifted.right / 255, 24)
    assert_array_equal(model(as_floats), model(shifted))
    grey = Pair(shifted.left[..., 0], shifted.right[..., 0], 24)
    assert (np.abs(model(grey) - 7)[:, 20:] <= 1 / 4).mean() > 0.99


def test_the_range_is_a_multiple_of_16(shifted):
    assert disparities(shifted) == 32
    assert disparities(Pair(shifted.left, shifted.right, 32)) == 32


def test_holes_are_left_if_they_are_not_filled(shifted):
    rng = np.random.default_rng(3)
    unlike = Pair(shifted.left, rng.permutation(shifted.right.ravel()).reshape(shifted.right.shape), 24)
    assert np.isnan(sgbm(unlike, fill=False)).any()


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (partial(block, window=8), "window=8"),
        (partial(block, window=3), "window=3"),
        (partial(sgbm, block=2), "block=2"),
        (partial(sgbm, mode="full"), "expected one of 5, hh, 3way, hh4"),
    ],
)
def test_wrong_settings_are_refused(shifted, model, sentence):
    with pytest.raises(ValueError, match=sentence):
        model(shifted)


def test_sources_are_named():
    assert (key_of(block), key_of(sgbm)) == ("Konolige1998", "Hirschmuller2008")
    assert (block.facts, sgbm.facts) == ({"family": "local"}, {"family": "global"})


def test_flat_says_the_mean_of_the_whole_bed():
    bed = random_dots(3, size=64)
    expected = np.mean([sample.reference.disparity.mean() for sample in bed])
    assert mean_disparity(bed) == pytest.approx(expected) == mean_disparity(bed[:1])
    assert mean_disparity(bed, most=1) == pytest.approx(bed[0].reference.disparity.mean())
    assert mean_disparity(bed, most=2) == pytest.approx(np.mean([bed[n].reference.disparity.mean() for n in (0, 2)]))


def test_random_is_drawn_from_its_generator(shifted):
    first, again, other = (random(shifted, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    assert first.min() >= 0
    assert first.max() <= 24
    assert first.mean() == pytest.approx(12, abs=0.5)
    assert "rng" in inspect.signature(random).parameters


def test_models_can_be_pickled(shifted):
    for model in (block, sgbm, partial(flat, disparity=3.0)):
        assert_array_equal(pickle.loads(pickle.dumps(model))(shifted), model(shifted))


# Per cent of bad pixels on Tsukuba, Venus, Teddy, Cones in the given masks nonocc, all, disc, and the density before
# filling: computed independently, by another program around the same OpenCV functions.
TABLE = {
    "BM 9": (block, "7.72 9.37 25.26 3.45 4.58 24.37 13.52 20.92 30.75 8.50 15.95 20.13", 0.85),
    "BM 15": (partial(block, window=15), "6.84 8.08 28.94 2.98 3.88 27.99 14.89 20.65 33.00 10.66 16.77 22.54", 0.87),
    "SGBM": (partial(sgbm, mode="5"), "4.78 6.63 18.49 3.41 4.48 18.06 10.34 16.82 23.30 4.77 12.01 13.80", 0.95),
    "3WAY": (partial(sgbm, mode="3way"), "4.15 5.99 16.15 4.25 5.39 17.56 9.36 15.80 20.26 4.77 11.82 13.63", 0.95),
    "HH": (sgbm, "3.73 5.55 16.99 2.50 3.60 19.95 10.53 16.86 23.87 4.97 12.07 14.44", 0.95),
    "HH4": (partial(sgbm, mode="hh4"), "3.44 5.28 16.18 3.48 4.66 20.11 10.05 16.88 22.32 5.10 13.23 14.34", 0.95),
}


@pytest.mark.data
@pytest.mark.parametrize("name", TABLE)
def test_middlebury_table(scene, name):
    model, printed, share = TABLE[name]
    found, dense = [], []
    for title in ("tsukuba", "venus", "teddy", "cones"):
        given = scene(title)
        holes = model(given.pair, fill=False)
        dense.append(density(holes, given.truth))
        disparity = along_rows(holes)  # the table's program left the rows empty in which block matching has no window
        assert_array_equal(model(given.pair)[np.isfinite(disparity)], disparity[np.isfinite(disparity)])
        for key in ("nonocc", "all", "disc"):
            mask = given.masks[key]
            found.append(bad_pixels(disparity[mask], given.truth[mask]))
    np.testing.assert_allclose(found, np.array(printed.split(), float), atol=0.0051)
    assert np.mean(dense) == pytest.approx(share, abs=0.02)
