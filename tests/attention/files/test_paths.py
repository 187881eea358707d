"""Scanpaths at the border and in files: what is accepted, what is refused and in which words."""

import json

import numpy as np
import pytest

from beholder.attention.files.paths import accept_scanpaths, as_list, read, write
from beholder.attention.types import Density, Picture, Salience, Scanpath, scanpath

PICTURE = Picture(np.zeros((60, 80, 3), np.uint8))
POINTS = [[10.0, 20.0], [30.5, 40.0], [70.0, 5.0]]
TIMED = [[*point, 100.0 + at] for at, point in enumerate(POINTS)]


def test_what_is_a_scanpath():
    for raw in (np.array(POINTS), POINTS, tuple(map(tuple, POINTS)), scanpath(*np.array(POINTS).T)):
        found = accept_scanpaths(raw, PICTURE)
        assert isinstance(found, Scanpath)
        assert found.points.tolist() == POINTS
        assert np.isnan(found.duration_ms).all()
    assert accept_scanpaths(TIMED, PICTURE).duration_ms.tolist() == [100, 101, 102]


def test_what_are_several():
    for raw in (
        [np.array(POINTS), np.array(TIMED)],
        [POINTS, TIMED],
        [accept_scanpaths(POINTS, PICTURE), np.array(TIMED)],
    ):
        first, second = accept_scanpaths(raw, PICTURE)
        assert first.points.tolist() == second.points.tolist() == POINTS
        assert second.duration_ms.tolist() == [100, 101, 102]
    assert len(accept_scanpaths([np.array(POINTS), []], PICTURE)[1]) == 0


def test_one_alone_in_a_list_is_itself():
    assert isinstance(accept_scanpaths([scanpath([1], [2])], PICTURE), Scanpath)


@pytest.mark.parametrize("empty", [[], np.empty((0, 2)), np.empty((0, 3)), scanpath([], [])])
def test_no_fixation_is_an_answer(empty):
    assert len(accept_scanpaths(empty, PICTURE)) == 0


def test_some_outside_or_unknown_are_left_to_the_measures():
    found = accept_scanpaths([[10, 20], [-5, 3], [np.nan, 2]], PICTURE)
    assert len(found) == 3


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ([[np.nan, np.nan], [1, np.nan]], "got 2 fixations that are all NaN or infinite"),
        ([[500, 20], [3, 99]], r"none inside the picture of 80 x 60 px \(the first at 500, 20\)"),
        ([[0.2, 0.5], [0.7, 1.0]], "between 0 and 1; expected px"),
        ([[3, 4, -1]], "got a duration of -1 ms"),
        ([[3, 4, np.inf]], "got a duration of inf ms"),
        (np.zeros((4, 5)), r"got an array of shape \(4, 5\)"),
        ([1, 2, 3], r"got an array of shape \(3,\)"),
        ([[1, 2], [1]], "not a table of numbers"),
        ([["a", "b"]], "not a table of numbers"),
    ],
)
def test_what_is_none_is_refused_with_a_sentence(raw, said):
    with pytest.raises(ValueError, match=f"got .*{said.removeprefix('got ')}"):
        accept_scanpaths(raw, PICTURE)


@pytest.mark.parametrize(
    "raw", [np.zeros((60, 80)), np.zeros((60, 80, 3)), Salience(np.zeros((60, 80))), Density(np.zeros((60, 80)))]
)
def test_a_map_is_told_how_to_walk(raw):
    with pytest.raises(TypeError, match=r"use wta_argmax\(of=...\) or wta_lif\(of=...\)"):
        accept_scanpaths(raw, PICTURE)


@pytest.mark.parametrize("raw", [{"x": [1]}, "walk", 7, object()])
def test_rubbish_is_refused(raw):
    with pytest.raises(TypeError, match=r"got a .*; expected a Scanpath"):
        accept_scanpaths(raw, PICTURE)


FILES = {
    "heading.csv": "x,y,duration_ms\n10,20,100\n30.5,40,101\n70,5,102\n",
    "others.csv": "index;onset_ms;Y;X;duration_ms\n1;0;20;10;100\n2;300;40;30.5;101\n3;600;5;70;102\n",
    "numbered.csv": ",x,y,duration_ms\n0,10,20,100\n1,30.5,40,101\n2,70,5,102\n",
    "bare.txt": "10 20 100\n30.5 40 101\n\n70 5 102\n",
    "tabs.txt": "10\t20\t100\n30.5\t40\t101\n70\t5\t102\n",
    "bom.csv": "\ufeffx,y,duration_ms\n10,20,100\n30.5,40,101\n70,5,102\n",
    "rows.json": json.dumps(TIMED),
    "record.json": json.dumps({"x": [10, 30.5, 70], "y": [20, 40, 5], "duration_ms": [100, 101, 102]}),
}


@pytest.mark.parametrize("name", FILES)
def test_each_format_gives_the_same_path(tmp_path, name):
    (tmp_path / name).write_text(FILES[name], "utf-8")
    found = accept_scanpaths(read(tmp_path / name), PICTURE)
    assert found.points.tolist() == POINTS
    assert found.duration_ms.tolist() == [100, 101, 102]


def test_numbers_in_numpys_format(tmp_path):
    np.save(tmp_path / "a.npy", np.array(TIMED))
    assert accept_scanpaths(read(tmp_path / "a.npy"), PICTURE).duration_ms.tolist() == [100, 101, 102]


def test_several_paths_in_one_file(tmp_path):
    (tmp_path / "a.csv").write_text("path,x,y\n7,1,2\n7,3,4\n2,5,6\n", "utf-8")
    (tmp_path / "a.json").write_text(json.dumps([{"x": [1, 3], "y": [2, 4]}, {"x": [5], "y": [6]}]), "utf-8")
    (tmp_path / "b.json").write_text(json.dumps([[[1, 2], [3, 4]], [[5, 6]]]), "utf-8")
    (tmp_path / "c.json").write_text(json.dumps({"path": [7, 7, 2], "x": [1, 3, 5], "y": [2, 4, 6]}), "utf-8")
    for name in ("a.csv", "a.json", "b.json", "c.json"):
        assert [p.points.tolist() for p in accept_scanpaths(read(tmp_path / name), PICTURE)] == [
            [[1, 2], [3, 4]],
            [[5, 6]],
        ]


def test_what_is_kept_comes_back(tmp_path):
    first = scanpath([1.25, 1 / 3], [2, 4], onset_ms=[0, 300], duration_ms=[100, np.nan])
    write([first, scanpath([5], [6])], tmp_path / "a.csv")
    back = accept_scanpaths(read(tmp_path / "a.csv"), PICTURE)
    for name in ("x", "y", "onset_ms", "duration_ms"):
        np.testing.assert_array_equal(getattr(back[0], name), getattr(first, name))
    assert len(back) == 2
    write(scanpath([], []), tmp_path / "none.csv")
    assert len(accept_scanpaths(read(tmp_path / "none.csv"), PICTURE)) == 0
    assert as_list(first) == [first]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "x,z\n1,2\n", r"a.csv: got x, z; expected the columns x, y\[, duration_ms\]"),
        (
            "a.csv",
            "x,y,duration\n1,2,3\n",
            "a.csv: got the column duration; expected x, y and, if .*duration_ms, onset",
        ),
        ("a.txt", "x y Start end\n1 2 3 4\n", "a.txt: got the column start, end; .* rename it if it is one of these"),
        ("a.json", '{"x": [1], "y": [2], "dur": [3]}', "a.json: got the column dur; expected x, y"),
        ("a.json", '[{"x": [1], "y": [2], "t": [3]}]', "a.json: got the column t; expected x, y"),
        ("a.json", '{"x": [1], "y": [2], "path": [0, 1]}', "a.json: got 2 values of path and 1 of x"),
        ("a.csv", "x,y\n1,two\n", "a.csv: got '1 two' as fixation 1; expected 2 numbers"),
        ("a.txt", "1 2\n3\n", "a.txt: got '3' as fixation 2; expected 2 numbers"),
        ("a.json", "{", "a.json: "),
        ("a.json", '{"u": [1]}', "a.json: got u; expected the columns x, y"),
        ("a.json", '{"x": [1, 2], "y": [1]}', "a.json: got 2 values of x"),
        ("a.npy", "no numbers", "a.npy: "),
        ("a.png", "", r"a.png: got the suffix '.png'; expected .csv, .json, .npy, .txt"),
    ],
)
def test_a_fault_names_the_file(tmp_path, name, text, said):
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(ValueError, match=said):
        read(tmp_path / name)


def test_a_path_that_is_refused_names_its_file(tmp_path):
    (tmp_path / "far.csv").write_text("x,y\n900,900\n", "utf-8")
    with pytest.raises(ValueError, match=r"^far\.csv: got 1 fixations, none inside"):
        accept_scanpaths(read(tmp_path / "far.csv"), PICTURE)


def test_it_is_written_as_a_table_only(tmp_path):
    with pytest.raises(ValueError, match=r"a.json: got the suffix '.json'; expected .csv"):
        write(scanpath([1], [1]), tmp_path / "a.json")
