"""What all models of salience with learnt parameters have in common."""

import inspect
import pickle
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from skimage import data as photographs

import beholder.attention
from beholder.attention.maps.patches import load_learnt, project, shrink_to
from beholder.attention.models.aim import aim
from beholder.attention.models.judd_like import judd_like
from beholder.attention.models.sun import sun
from beholder.attention.types import Picture
from beholder.core.cite import facts_of, key_of, library
from beholder.registry.find import names
from beholder.vision.scales import resized

MODELS = [aim, sun, judd_like]
each = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
LEARNT = Path(beholder.attention.__file__).parent / "learnt"


@cache
def photograph(side=256):
    small = resized(photographs.astronaut().astype(np.float32), (side, side))
    return Picture(np.rint(small).astype(np.uint8), px_per_deg=16.0)


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


@each
def test_files_are_small_finite_and_read_only(model):
    file = LEARNT / f"{model.__name__}.npz"
    assert file.stat().st_size < 500_000
    for values in load_learnt(model.__name__).values():
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
    assert_allclose(project(image, filters), wanted, atol=1e-4)


def test_a_large_picture_is_shrunk_and_a_small_one_is_not():
    assert shrink_to(np.zeros((300, 400, 3), np.float32), 200).shape == (150, 200, 3)
    assert shrink_to(np.zeros((60, 80, 3), np.float32), 200).shape == (60, 80, 3)
