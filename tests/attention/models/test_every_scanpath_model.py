"""What every model of scanpaths must do, found by what it says of itself."""

import inspect

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from skimage import data as photographs

from beholder.attention.models.visits import visits
from beholder.attention.types import Picture, Scanpath, accept_map
from beholder.core.cite import facts_of, key_of, library
from beholder.errors import Misuse
from beholder.registry.find import find, names

EVERY = ("eymol", "geymol", "gravity", "levy", "saccadic_prior", "scanddm", "scenewalk", "wta_argmax", "wta_lif")
DRAWN = tuple(name for name in EVERY if name != "wta_argmax")
PHOTO = Picture(photographs.chelsea()[:240, :320], 12.0)
each = pytest.mark.parametrize("name", EVERY)
each_drawn = pytest.mark.parametrize("name", DRAWN)


def asked(name, picture=PHOTO, seed=0, **settings):
    model = find("attention.models", name)
    known = inspect.signature(model).parameters
    if name == "eymol":
        settings["version"] = "final"  # half as costly; the other one has tests of its own
    if "seconds" in known:
        settings.setdefault("seconds", 1.0)
    if "rng" in known:
        settings["rng"] = np.random.default_rng(seed)
    return model(picture, **settings)


def test_these_are_all():
    found = {
        name
        for name in names("attention.models")
        if facts_of(find("attention.models", name)).get("answers") == "scanpath"
    }
    assert found == set(EVERY)


@each
def test_it_says_where_it_comes_from(name):
    model = find("attention.models", name)
    assert set(key_of(model).split(",")) <= set(library())
    assert "Deviation:" in (inspect.getdoc(model) or "") or name == "wta_argmax"
    assert "supervised" in facts_of(model)


@each
def test_fixations_lie_inside_in_order(name):
    path = asked(name)
    assert isinstance(path, Scanpath)
    assert len(path) > 0
    assert ((path.points >= 0) & (path.points < PHOTO.shape[::-1])).all()
    known = path.onset_ms[np.isfinite(path.onset_ms)]
    assert (np.diff(known) > 0).all()
    assert not (path.duration_ms < 0).any()


@each_drawn
def test_the_same_seed_gives_the_same_paths_and_another_does_not(name):
    one, again = (asked(name, many=2) for _ in range(2))
    other = asked(name, seed=1, many=2)
    for first, second in zip(one, again, strict=True):
        for column in ("x", "y", "onset_ms", "duration_ms"):
            assert_array_equal(getattr(first, column), getattr(second, column))
    assert not np.array_equal(one[0].points, other[0].points)
    assert not np.array_equal(one[0].points, one[1].points)


@each_drawn
def test_many_gives_as_many(name):
    assert [len(asked(name, many=count)) for count in (1, 3)] == [1, 3]
    with pytest.raises(Misuse, match="many=0"):
        asked(name, many=0)


@each
@pytest.mark.parametrize("pixels", [np.full((48, 64), 120, np.uint8), np.zeros((64, 48, 3), np.uint8)])
def test_a_constant_picture_is_answered(name, pixels):
    path = asked(name, Picture(pixels))
    assert np.isfinite(path.points).all()


@each
def test_the_picture_is_left_as_it_is(name):
    pixels = PHOTO.pixels.copy()
    asked(name, Picture(pixels, 12.0))
    assert_array_equal(pixels, PHOTO.pixels)


@each
def test_pictures_of_another_kind_are_refused(name):
    if name == "saccadic_prior":
        pytest.skip("it does not look at pixels")
    with pytest.raises(ValueError, match="expected uint8"):
        asked(name, Picture(PHOTO.pixels.astype(float)))


@pytest.mark.parametrize("name", ["saccadic_prior", "scenewalk"])
def test_likelihoods_are_densities(name):
    density = find("attention.models", name).conditional_log_density
    path = asked(name, seed=3)
    for upto in (0, 1, len(path)):
        log = density(PHOTO, path.at(slice(upto)))
        assert log.shape == PHOTO.shape
        assert np.exp(log).sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("of", ["gravity", "saccadic_prior", "wta_argmax"])
def test_any_of_them_is_a_map_too(of):
    found = accept_map(visits(PHOTO, rng=np.random.default_rng(0), of=of, observers=4), PHOTO)
    assert found.values.max() > 0


def test_a_map_of_visits_is_where_the_fixations_are():
    path = asked("wta_argmax", fixations=1)
    found = visits(PHOTO, rng=np.random.default_rng(0), of=lambda picture: path)
    row, column = np.unravel_index(found.argmax(), found.shape)
    assert_allclose([column + 0.5, row + 0.5], path.points[0])
    with pytest.raises(Misuse, match="got of='itti', a map model"):
        visits(PHOTO, rng=np.random.default_rng(0), of="itti")
