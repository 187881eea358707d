import struct

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from PIL import Image

from beholder.io.disparity import read, write

NAN = np.nan
MAP = np.array([[1.5, 2.25, NAN], [0.125, 200.0, 3.0]], np.float32)


@pytest.mark.parametrize("suffix", [".pfm", ".npy", ".npz", ".png", ".PFM"])
def test_what_is_written_is_read(tmp_path, suffix):
    write(MAP, tmp_path / f"map{suffix}")
    found = read(tmp_path / f"map{suffix}")
    assert_array_equal(found, MAP)
    assert found.dtype == np.float32
    assert found.dtype.isnative
    assert [p.name for p in tmp_path.iterdir()] == [f"map{suffix}"]


@pytest.mark.parametrize("suffix", [".pfm", ".npy", ".npz"])
def test_floats_are_kept_to_the_last_bit(tmp_path, suffix):
    exact = np.random.default_rng(0).normal(20, 9, (7, 11)).astype(np.float32)
    write(exact, tmp_path / f"map{suffix}")
    assert_array_equal(read(str(tmp_path / f"map{suffix}")), exact)


def test_png_rounds_to_a_256th_and_keeps_zero_apart_from_nothing(tmp_path):
    write(np.array([[0.0, 7.123, NAN]]), tmp_path / "map.png")
    assert_array_equal(read(tmp_path / "map.png"), np.array([[1 / 256, 1823 / 256, NAN]], np.float32))


def test_kitti_png_by_hand(tmp_path):
    Image.fromarray(np.array([[0, 256, 640]], np.uint16)).save(tmp_path / "map.png")
    assert_array_equal(read(tmp_path / "map.png"), np.array([[NAN, 1, 2.5]], np.float32))


def test_pfm_by_hand_in_both_byte_orders(tmp_path):
    for scale, order in (("-1", "<"), ("1.0", ">"), ("-0.5", "<")):
        rows = struct.pack(f"{order}6f", 4, 5, float("inf"), 1, 2, 3)  # the bottom row stands first
        (tmp_path / "map.pfm").write_bytes(f"Pf\n3 2\n{scale}\n".encode() + rows)
        assert_array_equal(read(tmp_path / "map.pfm"), np.array([[1, 2, 3], [4, 5, NAN]], np.float32))


def test_pfm_is_written_as_opencv_reads_it(tmp_path):
    import cv2

    write(MAP, tmp_path / "map.pfm")
    assert_array_equal(
        cv2.imread(str(tmp_path / "map.pfm"), cv2.IMREAD_UNCHANGED), np.where(np.isnan(MAP), np.inf, MAP)
    )


def test_pfm_whose_first_byte_is_white_space(tmp_path):
    rows = b"\x0a\x0a\x20\x09" * 2
    (tmp_path / "map.pfm").write_bytes(b"Pf 2 1 -1\n" + rows)
    assert_array_equal(read(tmp_path / "map.pfm"), np.frombuffer(rows, "<f4")[None])


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "begins with b''"),
        (b"P5\n3 2\n255\n" + bytes(6), "begins with b'P5'"),
        (b"PF\n3 2\n-1\n" + bytes(72), "begins with b'PF'"),
        (b"Pf\n3 2\n-1\n" + bytes(23), r"got 23 bytes after the header; expected 4·3·2 = 24"),
        (b"Pf\n3 2\n-1\n" + bytes(25), r"got 25 bytes"),
        (b"Pf\n99999999 99999999\n-1\n" + bytes(24), "got 24 bytes"),
        (b"Pf\n" + b"9" * 5000 + b" 2\n-1\n", "begins with"),
        (b"Pf\nthree 2\n-1\n" + bytes(24), "expected 'Pf', width, height, scale"),
        (b"Pf\n-3 -2\n-1\n" + bytes(24), "-3 × -2"),
        (b"Pf\n3 2\n0\n" + bytes(24), "scale 0.0"),
        (b"Pf\n3 2\nnan\n" + bytes(24), "scale nan"),
        (b"Pf\n3 2", "begins with b'Pf"),
    ],
)
def test_damaged_pfm_is_refused_by_name(tmp_path, content, sentence):
    (tmp_path / "broken.pfm").write_bytes(content)
    with pytest.raises(ValueError, match=rf"broken\.pfm: .*{sentence}"):
        read(tmp_path / "broken.pfm")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (np.zeros((2, 3), np.int16), "int16"),
        (np.zeros((2, 3, 1)), r"shape \(2, 3, 1\)"),
        (np.array([[None]], object), "no plain NumPy array"),
    ],
)
def test_npy_that_is_no_map_is_refused(tmp_path, values, sentence):
    np.save(tmp_path / "map.npy", values, allow_pickle=True)
    with pytest.raises(ValueError, match=rf"map\.npy: .*{sentence}"):
        read(tmp_path / "map.npy")


def test_damaged_npy_and_png_are_refused(tmp_path):
    for suffix in (".npy", ".npz", ".png"):
        write(np.random.default_rng(0).random((40, 40)), tmp_path / f"map{suffix}")
        whole = (tmp_path / f"map{suffix}").read_bytes()
        for part in (b"", whole[: len(whole) // 2], b"x" * 300):
            (tmp_path / f"map{suffix}").write_bytes(part)
            with pytest.raises(ValueError, match=rf"map\{suffix}: got no"):
                read(tmp_path / f"map{suffix}")


@pytest.mark.parametrize("pixels", [np.zeros((2, 3), np.uint8), np.zeros((2, 3, 3), np.uint8)])
def test_the_scale_of_8_bits_is_not_guessed(tmp_path, pixels):
    Image.fromarray(pixels).save(tmp_path / "map.png")
    with pytest.raises(ValueError, match=r"map\.png: .*scale would be a guess"):
        read(tmp_path / "map.png")


def test_other_suffixes_and_shapes_are_refused(tmp_path):
    (tmp_path / "map.bmp").touch()
    with pytest.raises(ValueError, match=r"map\.bmp: got the suffix '\.bmp'; expected \.pfm, \.npy, \.npz, \.png"):
        read(tmp_path / "map.bmp")
    with pytest.raises(ValueError, match=r"suffix ''"):
        write(MAP, tmp_path / "map")
    with pytest.raises(ValueError, match=r"shape \(2, 3, 1\)"):
        write(MAP[..., None], tmp_path / "map.pfm")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.pfm")


@pytest.mark.parametrize("value", [-1.0, 256.0])
def test_what_a_png_cannot_hold_leaves_the_old_file(tmp_path, value):
    write(MAP, tmp_path / "map.png")
    with pytest.raises(ValueError, match=r"write \.pfm"):
        write(np.array([[value]]), tmp_path / "map.png")
    assert_array_equal(read(tmp_path / "map.png"), MAP)
    assert [p.name for p in tmp_path.iterdir()] == ["map.png"]
