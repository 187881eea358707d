"""Any scanpaths as a map: of functions and of folders, as they are of built-in models."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from beholder.attention.datasets.simulated import simulated
from beholder.attention.models.visits import visits
from beholder.attention.types import scanpath
from beholder.errors import Misuse, NotFound

SAMPLE = simulated().load("astronaut")
PICTURE = SAMPLE.stimulus


def mapped(of, **settings):
    return visits(PICTURE, rng=np.random.default_rng(0), of=of, **settings)


def peak(values):
    return tuple(int(at) for at in np.unravel_index(values.argmax(), values.shape))


def test_a_function_may_answer_as_it_does_in_the_benchmark():
    row, column = peak(mapped(lambda picture: np.array([[50.5, 80.5]])))
    assert (row, column) == (80, 50)


def test_a_function_with_rng_alone_is_asked_once_an_observer():
    asked = []

    def drawn(picture, *, rng):
        asked.append(rng.random())
        return scanpath([0.0], [0.0])

    found = mapped(drawn, observers=3)
    assert len(set(asked)) == 3
    assert found.sum() == pytest.approx(3)  # in a corner three fixations weigh no more than elsewhere


def test_a_folder_of_scanpaths_is_one_map_a_picture(tmp_path):
    (tmp_path / "astronaut.csv").write_text("x,y\n120,70\n")
    assert peak(mapped(f"dir:{tmp_path}")) == (70, 120)
    with pytest.raises(LookupError, match="no recorded answer"):
        visits(simulated().load("coffee").stimulus, rng=np.random.default_rng(0), of=f"dir:{tmp_path}")


def test_a_file_of_yours(tmp_path):
    (tmp_path / "mine.py").write_text("def look(picture):\n    return [[120, 70], [120, 70]]\n")
    found = mapped(f"{tmp_path / 'mine.py'}:look")
    assert peak(found) == (70, 120)
    assert_array_equal(found, mapped(lambda picture: [[120, 70], [120, 70]]))


def test_what_is_wrong_is_said():
    with pytest.raises(NotFound, match="no model called 'gravitty'"):
        mapped("gravitty")
    with pytest.raises(Misuse, match="a map model"):
        mapped("gbvs")
    with pytest.raises(TypeError, match="got a map of shape"):
        mapped(lambda picture: np.zeros(picture.shape))
