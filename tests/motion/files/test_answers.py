"""Answers in files: what is kept is read again, and what a program may write is understood."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.motion.files.answers import read, write
from beholder.motion.types import Areas, Directions, Flow, Likelihood, Movie, Spikes, Spirals, Units, Velocity, motion

MOVIE = Movie(np.zeros((4, 2, 3), np.float32), hertz=50.0, px_per_deg=8.0)
TWO = {"direction": np.array([0.0, 90.0]), "speed": np.array([1.6, 3.2])}
UNITS = Units(np.arange(6.0).reshape(3, 2), **TWO)
ANSWERS = [
    np.full((3, 2), 0.5),
    Likelihood(np.ones((3, 2, 2, 3)), np.array([[0.5, 0.5], [0.0, 0.0]])),
    UNITS,
    Spikes([[0.01, 0.02], []], **TWO, window=0.02),
    Directions([0.0, 0.1], [1.0, 2.0]),
    Spirals(np.ones((3, 2)), np.array([0.0, 90.0]), np.ones(2)),
    Areas(np.full((3, 2, 3, 2), 0.25), {"V1": UNITS, "MT": UNITS}),
]


def same(one, other):
    """Whether two answers are of one type and alike in all fields."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert list(one) == list(other)
        return all(same(one[name], other[name]) for name in one)
    if hasattr(one, "__dataclass_fields__"):
        return all(same(getattr(one, name), getattr(other, name)) for name in one.__dataclass_fields__)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    assert_array_equal(one, other)
    return True


@pytest.mark.parametrize("raw", ANSWERS, ids=lambda raw: type(raw).__name__)
def test_what_is_kept_is_read_again(raw, tmp_path):
    kept = motion(raw, MOVIE)
    write(kept, tmp_path / "kept.npz")
    assert same(motion(read(tmp_path / "kept.npz"), MOVIE), kept)


def test_flow_is_kept_in_half_precision_and_arrays_are_taken_as_they_are(tmp_path):
    write(Flow(np.full((3, 2, 3, 2), 1e9, np.float32)), tmp_path / "far.npz")
    assert read(tmp_path / "far.npz").velocity.max() == np.finfo(np.float16).max
    np.save(tmp_path / "plain.npy", np.ones((3, 2)))
    np.savez(tmp_path / "named.npz", flow=np.ones((3, 2)))
    for name in ("plain.npy", "named.npz"):
        assert_array_equal(read(tmp_path / name), np.ones((3, 2)))
    write(Velocity(np.ones((3, 2))), tmp_path / "ours.npz")
    assert isinstance(read(tmp_path / "ours.npz"), Velocity)


def test_a_program_may_write_units(tmp_path):
    np.savez(tmp_path / "mt.npz", kind="Units", responses=np.ones((3, 2)), direction=[0, 90], speed=[1.6, 3.2])
    assert motion(read(tmp_path / "mt.npz"), MOVIE).speed == pytest.approx([10, 20])


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"a": np.zeros(1), "b": np.zeros(1)}, "odd.npz: got 2 arrays; expected one"),
        ({"kind": "Unit"}, r"odd.npz: got the kind 'Unit'; expected one of Likelihood"),
        ({"kind": "Units", "speed": [1.0]}, "got Units without responses, direction"),
        ({"kind": "Areas"}, "got 0 arrays"),
    ],
)
def test_other_files_are_refused_with_their_name(arrays, message, tmp_path):
    np.savez(tmp_path / "odd.npz", **arrays)
    with pytest.raises(ValueError, match=message):
        read(tmp_path / "odd.npz")
