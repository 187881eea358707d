"""Maps in files: what spec 3.2 asks of wrong-sized, NaN, constant, 8-bit and 16-bit ones."""

import json

import h5py
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from PIL import Image
from scipy.io import savemat

from beholder.attention.files import maps as files
from beholder.attention.maps.features import Clip, Unseen
from beholder.attention.paths.search import Search
from beholder.attention.types import Density, Picture, Salience
from beholder.core.measure import NotApplicable
from beholder.io import image

LEVELS = np.arange(24, dtype=np.uint8).reshape(4, 6) * 10
PICTURE = Picture(np.zeros((4, 6, 3), np.uint8), 30.0)
LOG = np.log(np.full((4, 6), 1 / 24))


def saved(values, path):
    """A map in a file of any kind."""
    kind = path.suffix.lower()
    if kind in (".png", ".tif"):
        Image.fromarray(values).save(path)
    elif kind == ".npy":
        np.save(path, values)
    elif kind == ".npz":
        np.savez(path, map=values)
    elif kind == ".mat":
        savemat(path, {"map": values})
    else:
        with h5py.File(path, "w") as file:
            file["map"] = values
    return path


@pytest.mark.parametrize("suffix", [".png", ".PNG", ".tif", ".npy", ".npz", ".mat", ".h5", ".hdf5"])
def test_every_format_gives_the_same_numbers(tmp_path, suffix):
    found = files.read(saved(LEVELS, tmp_path / f"a{suffix}"))
    assert_array_equal(found.values, LEVELS)
    assert found.values.dtype == np.float64
    assert_array_equal(files.accept_answer(found, PICTURE).values, LEVELS)


def test_sixteen_bits_keep_all_their_levels(tmp_path):
    fine = (np.arange(24, dtype=np.uint16) * 7 + 60000).reshape(4, 6)
    for name in ("a.png", "a.tif"):
        assert_array_equal(files.read(saved(fine, tmp_path / name)).values, fine)


def test_floats_in_a_tif(tmp_path):
    values = np.random.default_rng(0).normal(size=(4, 6)).astype(np.float32)
    assert_array_equal(files.read(saved(values, tmp_path / "a.tif")).values, values)


def test_grey_that_was_saved_as_colour(tmp_path):
    smooth = np.tile(np.linspace(0, 255, 32), (32, 1)).astype(np.uint8)
    Image.fromarray(np.stack([smooth] * 3, axis=-1)).save(tmp_path / "a.jpg", quality=95)
    assert_allclose(files.read(tmp_path / "a.jpg").values, smooth, atol=4)
    Image.fromarray(np.stack([LEVELS] * 3, axis=-1)).save(tmp_path / "a.png")
    assert_array_equal(files.read(tmp_path / "a.png").values, LEVELS)
    Image.fromarray(np.stack([LEVELS, LEVELS, 255 - LEVELS], axis=-1)).save(tmp_path / "b.png")
    with pytest.raises(ValueError, match=r"b\.png: got a coloured image; expected grey levels"):
        files.read(tmp_path / "b.png")


def test_a_constant_map_is_an_answer(tmp_path):
    found = files.accept_answer(files.read(saved(np.full((4, 6), 7.0), tmp_path / "a.npy")), PICTURE)
    assert_array_equal(found.values, 7)


def test_a_map_of_another_size_is_refused_and_never_resized(tmp_path):
    wrong = files.read(saved(np.zeros((5, 6)), tmp_path / "a.npy"))
    with pytest.raises(ValueError, match=r"^a\.npy: got a map of shape \(5, 6\); expected \(4, 6\), .*resize it"):
        files.accept_answer(wrong, PICTURE)
    with pytest.raises(ValueError, match=r"^got a map of shape"):
        files.accept_answer(np.zeros((5, 6)), PICTURE)


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("a.npy", np.where(LEVELS == 10, np.nan, 0), r"a\.npy: got 1 of 24 values that are not finite"),
        ("a.h5", np.full((4, 6), np.inf), r"a\.h5: got 24 of 24 values"),
        ("a.npy", np.zeros((4, 6, 3)), r"a\.npy: got float64 of shape \(4, 6, 3\)"),
        ("a.npy", np.zeros((4, 6), complex), r"a\.npy: got complex128"),
        ("a.npy", np.array([None]), r"a\.npy: .*allow_pickle"),
        ("a.mat", "text", r"a\.mat: got map of class char"),
    ],
)
def test_what_is_no_map_is_told_with_its_file(tmp_path, name, values, said):
    with pytest.raises(ValueError, match=said):
        files.read(saved(values, tmp_path / name))


def test_files_with_more_than_a_map(tmp_path):
    savemat(tmp_path / "a.mat", {"one": LEVELS, "two": LEVELS})
    with pytest.raises(ValueError, match=r"a\.mat: got one, two; expected one variable, the map"):
        files.read(tmp_path / "a.mat")
    with h5py.File(tmp_path / "a.h5", "w"):
        pass
    with pytest.raises(ValueError, match=r"a\.h5: got nothing; expected one data set"):
        files.read(tmp_path / "a.h5")


@pytest.mark.parametrize("suffix", files.SUFFIXES)
def test_damaged_files_are_told(tmp_path, suffix):
    (tmp_path / f"a{suffix}").write_bytes(b"damaged")
    with pytest.raises(ValueError, match=rf"a\{suffix}: "):
        files.read(tmp_path / f"a{suffix}")


def test_a_density(tmp_path):
    np.savez(tmp_path / "a.npz", log=LOG)
    found = files.read(tmp_path / "a.npz")
    assert isinstance(found, Density)
    assert_allclose(files.accept_answer(found, PICTURE).log, LOG)
    np.savez(tmp_path / "b.npz", log=LOG + 1)
    with pytest.raises(ValueError, match=r"^b\.npz: got a log density whose logsumexp is 1"):
        files.accept_answer(files.read(tmp_path / "b.npz"), PICTURE)


def test_what_a_run_keeps_is_read_again(tmp_path):
    values = np.random.default_rng(0).normal(size=(4, 6))
    files.write(Salience(values), tmp_path / "map.npy")
    assert_allclose(files.read(tmp_path / "map.npy").values, values, rtol=1e-6)
    sharp = np.where(LEVELS == 0, 0.0, -np.inf)
    files.write(Density(sharp), tmp_path / "density.npy")
    assert_array_equal(files.accept_answer(files.read(tmp_path / "density.npy"), PICTURE).log, sharp)
    files.write(Salience(values), tmp_path / "map.png")
    levels = files.read(tmp_path / "map.png").values
    assert_allclose(levels, (values - values.min()) / np.ptp(values) * 65535, atol=0.51)
    files.write(Salience(np.full((4, 6), 3.0)), tmp_path / "flat.png")
    assert_array_equal(files.read(tmp_path / "flat.png").values, 0)
    with pytest.raises(ValueError, match=r"a\.jpg: got Salience; expected \.npy"):
        files.write(Salience(values), tmp_path / "a.jpg")


def test_a_program_is_shown_the_picture(tmp_path):
    files.show(PICTURE, tmp_path / "in")
    assert_array_equal(image.read(tmp_path / "in" / "picture.png"), PICTURE.pixels)
    assert (tmp_path / "in" / "meta.json").read_text() == '{"px_per_deg": 30.0}\n'
    files.show(Picture(PICTURE.pixels), tmp_path / "in")
    assert (tmp_path / "in" / "meta.json").read_text() == '{"px_per_deg": null}\n'


def test_real_maps(data):
    place = data / "mit300_demo"
    for name in ("Judd", "ittikoch"):
        found = files.read(place / "MODELS" / f"{name}_i210.jpg")
        assert found.values.shape == (675, 1024)
        assert found.values.max() > 200
    marks = files.read(place / "FIXATIONLOCS" / "i210.mat")
    assert (marks.values.sum(), marks.file) == (259, "i210.mat")


def test_a_program_is_shown_what_to_search_for(tmp_path):
    files.show(Search(LEVELS, target=LEVELS[1:3, 2:5]), tmp_path)
    assert_array_equal(image.read(tmp_path / "target.png"), LEVELS[1:3, 2:5])
    assert_array_equal(image.read(tmp_path / "picture.png"), LEVELS)


def test_a_program_is_shown_the_frames_of_a_clip(tmp_path):
    frames = np.random.default_rng(0).integers(0, 256, (3, 8, 9, 3)).astype(np.uint8)
    files.show(Clip(frames, 25.0, 20.0), tmp_path)
    assert_array_equal(image.read(tmp_path / "frame0002.png"), frames[2])
    assert json.loads((tmp_path / "meta.json").read_text()) == {"px_per_deg": 20.0, "hertz": 25.0}
    with pytest.raises(NotApplicable, match="frames of this clip are not here"):
        files.show(Unseen((8, 9), 25.0, 3), tmp_path)
