import h5py
import numpy as np
import pytest
from scipy.io import savemat

from beholder.io import matlab

VALUES = np.arange(24.0).reshape(2, 3, 4)


@pytest.fixture
def classic(tmp_path):
    savemat(tmp_path / "a.mat", {"Values": VALUES, "word": "text", "count": np.int16(3)})
    return tmp_path / "a.mat"


@pytest.fixture
def newer(tmp_path):
    """As MATLAB writes version 7.3: 512 bytes of text, then HDF5 with reversed axes."""
    path = tmp_path / "b.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        file["Values"] = VALUES.T
        file["word"] = np.array([[ord(c)] for c in "text"], np.uint16)
        file["word"].attrs["MATLAB_class"] = np.bytes_("char")
        file["none"] = np.array([0, 0], np.uint64)
        file["none"].attrs["MATLAB_empty"] = 1
        file.create_group("struct")
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file")
    return path


@pytest.mark.parametrize("version", ["classic", "newer"])
def test_axes_are_as_in_matlab(version, request):
    found = matlab.array(request.getfixturevalue(version), "Values", (2, None, 4))
    assert found.dtype == np.float64
    assert np.array_equal(found, VALUES)


def test_everything_is_read(classic, newer):
    assert set(matlab.read(classic)) == {"Values", "word", "count"}
    found = matlab.read(newer)
    assert set(found) == {"Values", "word", "none"}
    assert found["word"] == "text"
    assert found["none"].shape == (0, 0)


@pytest.mark.parametrize(
    ("name", "shape", "says"),
    [
        ("Value", None, "got Values, count, word; expected the variable Value"),
        ("word", None, "got word of <U4; expected real numbers"),
        ("Values", (2, 3), "got Values of 2 × 3 × 4; expected 2 × 3"),
        ("Values", (2, None, 5), "expected 2 × any × 5"),
    ],
)
def test_what_is_not_there_is_said(classic, name, shape, says):
    with pytest.raises(ValueError, match=says):
        matlab.array(classic, name, shape)


@pytest.mark.parametrize("content", [b"", b"hello", b"x" * 600, b"\x89HDF\r\n\x1a\n" + b"0" * 600])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "c.mat").write_bytes(content)
    with pytest.raises(ValueError, match=r"expected a complete \.mat"):
        matlab.read(tmp_path / "c.mat")


def test_a_torn_file_is_refused(classic, newer, tmp_path):
    for file in (classic, newer):
        torn = tmp_path / "torn.mat"
        torn.write_bytes(file.read_bytes()[:700] if file is newer else file.read_bytes()[:200])
        with pytest.raises(ValueError, match=r"torn\.mat: got"):
            matlab.read(torn)
    with pytest.raises(FileNotFoundError):
        matlab.read(tmp_path / "nowhere.mat")
