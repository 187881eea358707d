import numpy as np
import pytest
from numpy.testing import assert_array_equal
from PIL import Image

from beholder.io.image import eight_bit, read, write

COLOUR = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)


@pytest.mark.parametrize("image", [COLOUR, COLOUR[..., 0]])
def test_what_is_written_is_read(tmp_path, image):
    write(image, tmp_path / "image.png")
    assert_array_equal(read(tmp_path / "image.png"), image)
    assert [p.name for p in tmp_path.iterdir()] == ["image.png"]


def test_red_comes_first(tmp_path):
    Image.new("RGB", (3, 2), (250, 10, 20)).save(tmp_path / "red.png")
    assert_array_equal(read(tmp_path / "red.png")[0, 0], [250, 10, 20])


@pytest.mark.parametrize(("mode", "shape"), [("RGBA", (2, 3, 3)), ("LA", (2, 3)), ("P", (2, 3, 3)), ("1", (2, 3))])
def test_other_modes_of_8_bits(tmp_path, mode, shape):
    Image.new(mode, (3, 2)).save(tmp_path / "image.png")
    assert read(tmp_path / "image.png").shape == shape


def test_floats_are_taken_as_shares_of_white():
    assert_array_equal(eight_bit(np.array([[0, 1, 100 / 255]], np.float32)), [[0, 255, 100]])


@pytest.mark.parametrize(
    ("image", "sentence"),
    [
        (np.zeros((2, 3), np.uint16), "uint16"),
        (np.full((2, 3), 1.5), "floats of 0 … 1"),
        (np.full((2, 3), np.nan), "floats of 0 … 1"),
        (np.zeros((2, 3, 4), np.uint8), r"\(2, 3, 4\)"),
        (np.zeros(3, np.uint8), r"\(3,\)"),
    ],
)
def test_what_is_no_image_is_refused(tmp_path, image, sentence):
    with pytest.raises(ValueError, match=sentence):
        write(image, tmp_path / "image.png")
    assert not list(tmp_path.iterdir())


def test_files_that_hold_no_8_bit_image_are_refused_by_name(tmp_path):
    Image.fromarray(np.zeros((2, 3), np.uint16)).save(tmp_path / "deep.png")
    with pytest.raises(ValueError, match=r"deep\.png: got an image of mode I;16"):
        read(tmp_path / "deep.png")
    (tmp_path / "text.png").write_text("no image")
    with pytest.raises(ValueError, match=r"text\.png: got no image"):
        read(tmp_path / "text.png")
    write(np.random.default_rng(0).integers(0, 256, (50, 50)).astype(np.uint8), tmp_path / "cut.png")
    (tmp_path / "cut.png").write_bytes((tmp_path / "cut.png").read_bytes()[:900])
    with pytest.raises(ValueError, match=r"cut\.png: got a damaged image"):
        read(tmp_path / "cut.png")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.png")


def test_an_unknown_suffix_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"suffix '\.xyz'"):
        write(COLOUR, tmp_path / "image.xyz")
