"""Laws of all formats of disparity and flow: what is written is read."""

import struct

import cv2
import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_array_equal
from PIL import Image

from beholder.io import disparity, flow, middlebury, sintel, spring

NAN = np.nan
quick = settings(deadline=None, max_examples=25)
shapes = array_shapes(min_dims=2, max_dims=2, max_side=7)
singles = st.floats(-1e6, 1e6, width=32) | st.just(NAN)
steps = st.integers(0, 255)


def maps(elements, dtype=np.float32, shape=shapes):
    return arrays(dtype, shape, elements=elements)


@pytest.mark.parametrize("suffix", [".pfm", ".npy", ".npz"])
@quick
@given(values=maps(singles))
def test_floats_come_back_exactly(tmp_path_factory, suffix, values):
    path = tmp_path_factory.mktemp("floats") / f"map{suffix}"
    disparity.write(values, path)
    assert_array_equal(disparity.read(path), values)


@quick
@given(levels=maps(st.integers(0, 65535), np.uint16))
def test_kitti_comes_back_in_256ths(tmp_path_factory, levels):
    path = tmp_path_factory.mktemp("kitti") / "map.png"
    values = np.where(levels > 0, levels / np.float32(256), np.float32(NAN))
    disparity.write(values, path)
    assert_array_equal(disparity.read(path), values)
    assert_array_equal(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), levels)


@pytest.mark.parametrize("zero", [False, True])
@quick
@given(levels=maps(steps, np.uint8), scale=st.sampled_from([1, 2, 3, 4, 8, 16]))
def test_eight_bits_come_back_in_steps(tmp_path_factory, zero, levels, scale):
    path = tmp_path_factory.mktemp("eight") / "map.png"
    values = levels.astype(np.float32) / np.float32(scale)
    if not zero:
        values[levels == 0] = NAN
    middlebury.write(values, path, scale=scale, zero=zero)
    assert_array_equal(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), levels)
    assert_array_equal(middlebury.read(path, scale=scale, zero=zero), values)


@quick
@given(numbers=maps(st.integers(0, 2**24 - 1), np.uint32))
def test_sintel_comes_back_in_steps(tmp_path_factory, numbers):
    path = tmp_path_factory.mktemp("sintel") / "map.png"
    values = (numbers / 2**14).astype(np.float32)
    sintel.write(values, path)
    assert_array_equal(sintel.read(path), values)
    blue, green, red = np.moveaxis(cv2.imread(str(path)).astype(float), -1, 0)
    assert_array_equal(4 * red + green / 2**6 + blue / 2**14, numbers / 2**14)


@quick
@given(values=maps(singles))
def test_spring_disparity_comes_back(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("spring") / "map.dsp5"
    spring.write(values, path)
    assert_array_equal(spring.read(path), values)
    with h5py.File(path) as file:
        assert file["disparity"].shape == (2 * values.shape[0], 2 * values.shape[1])


fields = shapes.flatmap(lambda s: st.tuples(maps(singles, shape=(*s, 2)), st.just(s)))


@pytest.mark.parametrize(("module", "suffix"), [(flow, ".flo"), (spring, ".flo5")])
@quick
@given(drawn=fields)
def test_flow_comes_back_exactly(tmp_path_factory, module, suffix, drawn):
    path = tmp_path_factory.mktemp("flow") / f"field{suffix}"
    values = drawn[0]
    values[np.isnan(values).any(axis=-1)] = NAN  # unknown in one component is unknown
    module.write(values, path)
    assert_array_equal(module.read(path), values)


@quick
@given(levels=shapes.flatmap(lambda s: maps(st.integers(0, 65535), np.uint16, (*s, 2))), data=st.data())
def test_kitti_flow_comes_back_in_64ths(tmp_path_factory, levels, data):
    path = tmp_path_factory.mktemp("kitti") / "field.png"
    known = data.draw(arrays(bool, levels.shape[:2]))
    values = np.where(known[..., None], (levels.astype(np.float32) - 2**15) / 64, np.float32(NAN))
    flow.write(values, path)
    assert_array_equal(flow.read(path), values)


def test_flo_by_hand_and_by_opencv(tmp_path):
    path = tmp_path / "field.flo"
    path.write_bytes(struct.pack("<fii8f", 202021.25, 2, 2, 1, -2, 3.5, 4, 1e10, 0, -1.5, 1e9))
    assert_array_equal(flow.read(path), np.array([[[1, -2], [3.5, 4]], [[NAN, NAN], [-1.5, 1e9]]], np.float32))
    values = np.random.default_rng(0).normal(0, 9, (5, 4, 2)).astype(np.float32)
    flow.write(values, path)
    assert_array_equal(cv2.readOpticalFlow(str(path)), values)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "begins with b''"),
        (struct.pack(">fii2f", 202021.25, 1, 1, 0, 0), "the other one"),
        (struct.pack("<fii1f", 202021.25, 1, 1, 0), "got 4 bytes for 1 × 1 pixels; expected 8"),
        (struct.pack("<fii2f", 202021.25, -1, -1, 0, 0), "-1 × -1"),
        (b"PIEH\x01", "begins with b'PIEH'"),
    ],
)
def test_damaged_flo_is_refused(tmp_path, content, sentence):
    (tmp_path / "field.flo").write_bytes(content)
    with pytest.raises(ValueError, match=rf"field\.flo: .*{sentence}"):
        flow.read(tmp_path / "field.flo")


def test_flow_that_no_file_can_hold_is_refused(tmp_path):
    for name, values in (("a.flo", 2e9), ("a.png", 600.0)):
        with pytest.raises(ValueError, match="got a flow"):
            flow.write(np.full((1, 1, 2), values), tmp_path / name)
    with pytest.raises(ValueError, match=r"shape \(2, 2\)"):
        flow.write(np.zeros((2, 2)), tmp_path / "a.flo")
    with pytest.raises(ValueError, match=r"suffix '\.txt'"):
        flow.read(tmp_path / "a.txt")
    assert not list(tmp_path.iterdir())


def test_an_8_bit_picture_of_flow_is_refused(tmp_path):
    Image.new("RGB", (3, 2)).save(tmp_path / "a.png")
    with pytest.raises(ValueError, match="got uint8"):
        flow.read(tmp_path / "a.png")
    (tmp_path / "a.png").write_bytes(b"")
    with pytest.raises(ValueError, match="no whole image"):
        flow.read(tmp_path / "a.png")


def test_eight_bits_are_not_16_and_no_picture(tmp_path):
    Image.fromarray(np.ones((2, 3), np.uint16)).save(tmp_path / "deep.png")
    with pytest.raises(ValueError, match=r"deep\.png: got an image of mode I;16"):
        middlebury.read(tmp_path / "deep.png", scale=4)
    Image.new("RGB", (3, 2)).save(tmp_path / "colour.png")
    with pytest.raises(ValueError, match="picture for display"):
        middlebury.read(tmp_path / "colour.png", scale=4)
    Image.new("L", (3, 2)).save(tmp_path / "grey.png")
    with pytest.raises(TypeError, match="scale"):
        middlebury.read(tmp_path / "grey.png")
    for scale in (0, -4, NAN, 300):
        with pytest.raises(ValueError, match="got scale="):
            middlebury.read(tmp_path / "grey.png", scale=scale)
    with pytest.raises(ValueError, match="got a grey image"):
        sintel.read(tmp_path / "grey.png")


@pytest.mark.parametrize("value", [64.0, -1.0])
def test_what_8_bits_cannot_hold_is_refused(tmp_path, value):
    with pytest.raises(ValueError, match=r"expected \(H, W\) of 0 … 63\.75 px"):
        middlebury.write(np.array([[value]]), tmp_path / "map.png", scale=4)
    with pytest.raises(ValueError, match="with holes"):
        middlebury.write(np.array([[NAN]]), tmp_path / "map.png", scale=4, zero=True)
    for values in (np.array([[NAN]]), np.array([[1024.0]]), np.array([[-1.0]])):
        with pytest.raises(ValueError, match=r"map\.png: got"):
            sintel.write(values, tmp_path / "map.png")
    assert not list(tmp_path.iterdir())


def test_the_smallest_disparity_is_not_a_hole(tmp_path):
    middlebury.write(np.array([[0.0, NAN, 2]]), tmp_path / "map.png", scale=4)
    assert_array_equal(middlebury.read(tmp_path / "map.png", scale=4), np.array([[0.25, NAN, 2]], np.float32))


def test_spring_takes_every_second_pixel_as_it_is(tmp_path):
    path = tmp_path / "map.dsp5"
    with h5py.File(path, "w") as file:
        file["disparity"] = np.array([[1, 2, np.inf, 4], [5, 6, 7, 8]], np.float32)
    assert_array_equal(spring.read(path), np.array([[1, NAN]], np.float32))


@pytest.mark.parametrize(
    ("entry", "values", "sentence"),
    [
        ("flow", np.zeros((2, 2)), "no such array as 'disparity'"),
        ("disparity", np.zeros((2, 2), np.uint8), "uint8"),
        ("disparity", np.zeros((2, 2, 2)), "expected floats with 2 axes"),
        ("disparity", np.zeros((3, 2)), "even sides"),
    ],
)
def test_what_spring_would_not_write_is_refused(tmp_path, entry, values, sentence):
    with h5py.File(tmp_path / "map.dsp5", "w") as file:
        file[entry] = values
    with pytest.raises(ValueError, match=sentence):
        spring.read(tmp_path / "map.dsp5")


def test_other_files_are_not_spring(tmp_path):
    (tmp_path / "map.dsp5").write_bytes(b"no HDF5")
    with pytest.raises(ValueError, match="got no HDF5 file"):
        spring.read(tmp_path / "map.dsp5")
    with pytest.raises(FileNotFoundError):
        spring.read(tmp_path / "none.dsp5")
    with pytest.raises(ValueError, match=r"suffix '\.h5'"):
        spring.write(np.zeros((2, 2)), tmp_path / "map.h5")
    with pytest.raises(ValueError, match="int64"):
        spring.write(np.zeros((2, 2), np.int64), tmp_path / "map.dsp5")


def test_an_archive_holds_one_map(tmp_path):
    np.savez(tmp_path / "map.npz", a=np.zeros((2, 2)), b=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="got 2 arrays"):
        disparity.read(tmp_path / "map.npz")
    np.savez(tmp_path / "map.npz", np.zeros((2, 2), np.int16))
    with pytest.raises(ValueError, match="int16"):
        disparity.read(tmp_path / "map.npz")


@pytest.mark.parametrize(("order", "scale"), [("<", "-1"), (">", "1")])
def test_opencv_reads_the_same_pfm(tmp_path, order, scale):
    # rows stand from bottom to top: a reader that forgets it, or the byte order, would give another map
    values = np.arange(12, dtype=np.float32).reshape(4, 3)
    path = tmp_path / "map.pfm"
    path.write_bytes(f"Pf\n3 4\n{scale}\n".encode() + values[::-1].astype(f"{order}f4").tobytes())
    assert_array_equal(disparity.read(path), values)
    assert_array_equal(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), values)
