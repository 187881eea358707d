import os
import subprocess
import sys
from collections import namedtuple
from dataclasses import dataclass
from hashlib import blake2b
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from beholder.store.digest import digest, file_digest, package, versions


@dataclass
class Point:
    x: float
    y: object = None


@dataclass
class Place:
    x: float
    y: object = None


Pair = namedtuple("Pair", "a b")
ZEROS = np.zeros(6)
LONG = np.arange(5000.0)


def changed(array, at, value):
    other = array.copy()
    other[at] = value
    return other


def ragged(*items):
    found = np.empty(len(items), object)
    found[:] = items
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ZEROS, ZEROS.astype(np.float32)),
        (ZEROS, ZEROS.astype(np.int64)),  # the same bytes
        (ZEROS, ZEROS.astype(">f8")),
        (ZEROS, ZEROS.reshape(2, 3)),
        (ZEROS.reshape(3, 2), ZEROS.reshape(2, 3)),
        (LONG, changed(LONG, 2500, 0.5)),  # in the part that `repr` leaves out
        (LONG, LONG[::-1]),
        (np.arange(6).reshape(2, 3), np.arange(6).reshape(2, 3, order="F")),
        (np.zeros(0), np.zeros((0, 3))),
        (np.array([0.0]), np.array([-0.0])),
        (np.array([1.0]), [1.0]),
        (ragged(LONG, 1), ragged(changed(LONG, 2500, 0.5), 1)),
        (np.array(["2020-01-01"], "M8[D]"), np.array(["2020-01-02"], "M8[D]")),
        (np.zeros(2, [("a", "f4")]), np.zeros(2, [("b", "f4")])),
        ([1, 2], [2, 1]),
        ([1, [2, 3]], [[1, 2], 3]),
        ([], [[]]),
        (1, 1.0),
        (1, "1"),
        (1, True),
        ("a", b"a"),
        (b"int 1;", 1),
        ([b"a", b"b"], [b"ab", b""]),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        (None, "None"),
        (Point(1), Point(2)),
        (Point(1), Place(1)),
        (Point(1, LONG), Point(1, changed(LONG, 2500, 0.5))),
        (SimpleNamespace(map=LONG), SimpleNamespace(map=changed(LONG, 2500, 0.5))),
        (frozenset("ab"), frozenset("ac")),
        (frozenset("ab"), ["a", "b"]),
        (lambda: 1, lambda: 1),  # of which nothing is known
        (len, max),
    ],
)
def test_unlike_things_have_unlike_digests(one, other):
    assert digest(one) != digest(other)


def test_like_things_have_like_digests():
    assert digest(LONG) == digest(LONG.copy()) == digest(np.stack([LONG, LONG], axis=1)[:, 0])
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest(Point(1, ZEROS)) == digest(Point(1, ZEROS.copy()))
    assert digest(SimpleNamespace(map=LONG)) == digest(SimpleNamespace(map=LONG.copy()))
    assert digest(Pair(1, "x")) == digest((1, "x"))
    assert digest({"x", "y", "z"}) == digest({"z", "y", "x"})
    assert digest(np.float32(1)) == digest(np.float32(1))
    assert digest(float("nan")) == digest(float("nan"))
    assert digest(len) == digest(len)


@settings(deadline=None)
@given(
    arrays.arrays(st.sampled_from([np.uint8, np.float32, np.int64]), arrays.array_shapes(min_side=0)),
    arrays.arrays(st.sampled_from([np.uint8, np.float32, np.int64]), arrays.array_shapes(min_side=0)),
)
def test_arrays_are_told_apart_by_type_shape_and_bytes(one, other):
    same = (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    assert (digest(one) == digest(other)) == same


def test_digests_are_the_same_in_every_process():
    code = "from beholder.store.digest import digest; print(digest({'b', 'a', 'c'}, {'k': (1, 2.5)}, len))"
    runs = [
        subprocess.check_output([sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] == f"{digest({'b', 'a', 'c'}, {'k': (1, 2.5)}, len)}\n".encode()


def test_digests_of_files(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    assert file_digest(tmp_path / "a") == blake2b(b"x" * 3_000_000, digest_size=16).hexdigest()
    assert versions()["numpy"] == np.__version__


def test_the_digest_of_the_package_changes_with_what_it_consists_of(tmp_path, monkeypatch):
    monkeypatch.setattr("beholder.store.digest.ROOT", tmp_path)
    (tmp_path / "__pycache__").mkdir()
    seen = []
    for name, text in (("a.py", "1"), ("a.py", "2"), ("weights.npz", "1"), ("weights.npz", "2")):
        (tmp_path / name).write_text(text)
        seen.append(package.__wrapped__())
        (tmp_path / "__pycache__" / f"a.pyc.{len(seen)}").write_text(text)
        assert package.__wrapped__() == seen[-1]
    assert len(set(seen)) == 4
