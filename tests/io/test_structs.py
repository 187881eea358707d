"""MATLAB's structs, cells and maps, of version 5 as SciPy writes it and of 7.3 as MATLAB lays out its HDF5."""

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.io import savemat

import attention_folders as made
from beholder.io import structs


def newer(path, **variables):
    """A version 7.3 file: 512 bytes of text, then HDF5 in which parts are referred to."""
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, value in variables.items():
            put(file, file, name, value)
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file")
    return path


def put(file, group, name, value):
    if isinstance(value, dict):
        inside = group.create_group(name)
        inside.attrs["MATLAB_class"] = np.bytes_("struct")
        for key, inner in value.items():
            put(file, inside, key, inner)
    elif isinstance(value, list) and value and isinstance(value[0], dict):  # an array of structs
        inside = group.create_group(name)
        inside.attrs["MATLAB_class"] = np.bytes_("struct")
        for key in value[0]:
            inside[key] = references(file, [one[key] for one in value])
    elif isinstance(value, list):
        group[name] = references(file, value)
        group[name].attrs["MATLAB_class"] = np.bytes_("cell")
    elif isinstance(value, str):
        group[name] = np.array([[ord(letter)] for letter in value], np.uint16)
        group[name].attrs["MATLAB_class"] = np.bytes_("char")
    elif np.size(value) == 0:
        group[name] = np.array([0, 0], np.uint64)
        group[name].attrs["MATLAB_class"] = np.bytes_("double")
        group[name].attrs["MATLAB_empty"] = 1
    else:
        group[name] = np.atleast_2d(value).T
        group[name].attrs["MATLAB_class"] = np.bytes_("double")


def references(file, values):
    store = file.require_group("#refs#")
    names = [f"r{len(store) + n}" for n in range(len(values))]
    for name, value in zip(names, values, strict=True):
        put(file, store, name, value)
    return np.array([[store[name].ref for name in names]], h5py.ref_dtype).T


def test_version_five(tmp_path):
    people = made.cell({"x": [1.0, 2.0], "name": "ann"}, {"x": 3.0, "name": "bob"}, {"x": [], "name": ""})
    savemat(tmp_path / "a.mat", {"people": people, "grid": np.arange(6).reshape(2, 3), "word": "hello"})
    found = structs.read(tmp_path / "a.mat")
    assert set(found) == {"people", "grid", "word"}
    assert found["word"] == "hello"
    assert_array_equal(found["grid"], np.arange(6).reshape(2, 3))
    ann, bob, nobody = structs.several(found["people"])
    assert (ann["name"], bob["name"]) == ("ann", "bob")
    assert_array_equal(structs.vector(ann["x"]), [1, 2])
    assert_array_equal(structs.vector(bob["x"]), [3])
    assert structs.vector(nobody["x"]).shape == (0,)


def test_version_seven_point_three(tmp_path):
    people = [{"x": np.array([1.0, 2.0]), "name": "ann"}, {"x": np.array([3.0]), "name": "bob"}]
    file = newer(
        tmp_path / "a.mat",
        people=people,
        cells=["one", np.array([1.0, 2.0]), np.zeros(0)],
        nested={"inner": {"value": np.array([[1.0, 2.0], [3.0, 4.0]])}, "word": "hello"},
    )
    found = structs.read(file)
    assert set(found) == {"people", "cells", "nested"}
    assert [one["name"] for one in found["people"]] == ["ann", "bob"]
    assert_array_equal(found["people"][0]["x"], [1, 2])
    assert found["people"][1]["x"] == 3
    assert found["cells"][0] == "one"
    assert_array_equal(found["cells"][1], [1, 2])
    assert structs.vector(found["cells"][2]).shape == (0,)
    assert_array_equal(found["nested"]["inner"]["value"], [[1, 2], [3, 4]])
    assert found["nested"]["word"] == "hello"


def test_a_containers_map_of_version_five(tmp_path):
    values = [
        made.cell({"name": "a", "data": np.eye(2)}),
        made.cell({"name": "b", "data": np.ones((3, 2))}, {"name": "c", "data": []}),
    ]
    found = structs.variable(made.map_file(tmp_path / "a.mat", ["Action/001.jpg", "Art/002.jpg"], values), "allFixData")
    assert list(found) == ["Action/001.jpg", "Art/002.jpg"]
    (only,) = structs.several(found["Action/001.jpg"])
    assert only["name"] == "a"
    assert_array_equal(only["data"], np.eye(2))
    assert [one["name"] for one in found["Art/002.jpg"]] == ["b", "c"]
    assert np.size(found["Art/002.jpg"][1]["data"]) == 0


def test_a_containers_map_of_version_seven_point_three(tmp_path):
    file = newer(tmp_path / "a.mat", held=np.array([3707764736.0, 2, 1, 1, 1, 1]))
    with h5py.File(file, "r+") as opened:
        opened["held"].attrs["MATLAB_object_decode"] = 3
        system = opened.create_group("#subsystem#")
        properties = {"keys": ["k1", "k2"], "values": [np.array([1.0, 2.0]), "two"]}
        system["MCOS"] = references(opened, [np.arange(5.0), properties])
    found = structs.variable(file, "held")
    assert_array_equal(found["k1"], [1, 2])
    assert found["k2"] == "two"


def test_what_is_wrong_is_said(tmp_path):
    (tmp_path / "a.mat").write_bytes(b"nothing of MATLAB's")
    with pytest.raises(ValueError, match=r"a\.mat: got no MATLAB file that can be read"):
        structs.read(tmp_path / "a.mat")
    (tmp_path / "b.mat").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    with pytest.raises(ValueError, match=r"b\.mat: got a damaged MATLAB 7\.3 file"):
        structs.read(tmp_path / "b.mat")
    savemat(tmp_path / "c.mat", {"a": 1})
    with pytest.raises(ValueError, match="got a; expected the variable b"):
        structs.variable(tmp_path / "c.mat", "b")
    with pytest.raises(ValueError, match="got dict where numbers belong"):
        structs.vector({"x": 1})
    with pytest.raises(FileNotFoundError):
        structs.read(tmp_path / "none.mat")


def test_objects_that_are_no_map_are_refused(tmp_path):
    file = newer(tmp_path / "a.mat", held=np.array([1.0, 2.0]))
    with h5py.File(file, "r+") as opened:
        opened["held"].attrs["MATLAB_object_decode"] = 3
        opened.create_group("#subsystem#")["MCOS"] = references(opened, [np.arange(5.0)])
    with pytest.raises(ValueError, match=r"got 1 MATLAB objects, 0 of them a containers\.Map"):
        structs.read(file)


@pytest.mark.parametrize("value", [{"a": 1}, [{"a": 1}], np.array([{"a": 1}], object)])
def test_one_and_many_are_read_alike(value):
    assert structs.several(value) == [{"a": 1}]
