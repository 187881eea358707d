"""What all models of salience with learnt parameters have in common."""

import inspect
import pickle
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from skimage import data as photographs

import beholder.attention
from beholder.attention.models._patches import at_most, learnt, projected
from beholder.attention.models.aim import aim
from beholder.attention.models.judd_like import judd_like
from beholder.attention.models.sun import sun
from beholder.attention.types import Picture, attended
from beholder.spine.cite import facts_of, key_of, library
from beholder.spine.find import names
from beholder.spine.misuse import Misuse
from beholder.vision.scales import resized

MODELS = [aim, sun, judd_like]
each = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
LEARNT = Path(beholder.attention.__file__).parent / "learnt"


@cache
def photograph(side=256):
    small = resized(photographs.astronaut().astype(np.float32), (side, side))
    return Picture(np.rint(small).astype(np.uint8), px_per_deg=16.0)


@each
def test_any_size_and_grey_are_answered(model):
    pixels = np.tile(photographs.astronaut(), (1, 3, 1))
    for rows, columns in ((32, 32), (33, 47), (32, 1400), (200, 32)):
        for shown in (pixels[:rows, :columns], pixels[:rows, :columns, 1]):
            picture = Picture(shown)
            assert attended(model(picture), picture).values.shape == (rows, columns)


@each
def test_maps_tell_something_and_are_not_negative(model):
    found = model(photograph())
    assert found.dtype == np.float64
    assert found.min() >= 0
    assert np.ptp(found) > 0.01


@each
def test_inputs_are_left_alone_and_answers_are_repeated(model):
    pixels = photograph().pixels.copy()
    pixels.setflags(write=False)
    assert_array_equal(model(Picture(pixels)), model(Picture(pixels)))


@pytest.mark.parametrize("model", [aim, sun], ids=lambda model: model.__name__)
@pytest.mark.parametrize("colour", [0, 37, 255, (200, 10, 30), (128, 128, 129)])
def test_a_constant_picture_has_a_map_of_zeros(model, colour):
    assert_array_equal(model(Picture(np.full((40, 70, 3), colour, np.uint8))), np.zeros((40, 70)))


@each
def test_grey_is_three_equal_colours(model):
    grey = photographs.camera()[100:180, 100:200]
    assert_allclose(model(Picture(grey)), model(Picture(np.repeat(grey[..., None], 3, axis=2))), atol=1e-5)


@each
def test_each_says_whence_it_is_and_pickles(model):
    assert all(key.strip() in library() for key in key_of(model).split(","))
    assert facts_of(model)["family"]
    assert "Deviation:" in inspect.getdoc(model)
    assert pickle.loads(pickle.dumps(model)) is model
    assert model.__name__ in names("attention.models")


def test_who_learnt_from_people_says_from_which():
    assert facts_of(judd_like)["trained_on"] == "eyecrowd"
    assert not any(facts_of(model).get("trained_on") for model in (aim, sun))  # from pictures only, not from people


@pytest.mark.parametrize(
    "wrong",
    [
        partial(aim, side=16),
        partial(aim, sigma=-1),
        partial(sun, side=0),
        partial(sun, sigma=np.nan),
        partial(judd_like, sigma=-0.1),
    ],
)
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(Misuse, match="expected"):
        wrong(photograph(64))


@each
@pytest.mark.parametrize(
    ("pixels", "said"),
    [
        (np.zeros((31, 64), np.uint8), "at least 32"),
        (np.zeros((64, 64), np.float32), "expected uint8"),
        (np.zeros((64, 64, 4), np.uint8), r"\(H, W, 3\)"),
    ],
)
def test_pictures_that_are_none_are_refused(model, pixels, said):
    with pytest.raises(ValueError, match=said):
        model(Picture(pixels))


@each
def test_files_are_small_finite_and_read_only(model):
    file = LEARNT / f"{model.__name__}.npz"
    assert file.stat().st_size < 500_000
    for values in learnt(model.__name__).values():
        assert np.isfinite(values).all()
        assert not values.flags.writeable


def test_patches_are_projected_as_by_correlation():
    """Each filter's answer is the correlation with its three colours, added: SciPy's, in the valid area."""
    from scipy.signal import correlate2d

    rng = np.random.default_rng(0)
    image, filters = rng.random((23, 31, 3), np.float32), rng.standard_normal((4, 75)).astype(np.float32)
    wanted = [
        sum(correlate2d(image[..., c], one.reshape(3, 5, 5)[c], mode="valid") for c in range(3)) for one in filters
    ]
    assert_allclose(projected(image, filters), wanted, atol=1e-4)


def test_a_large_picture_is_shrunk_and_a_small_one_is_not():
    assert at_most(np.zeros((300, 400, 3), np.float32), 200).shape == (150, 200, 3)
    assert at_most(np.zeros((60, 80, 3), np.float32), 200).shape == (60, 80, 3)
