"""Two models of a run: on each benchmark in which both took part, official measures only, with what must be known."""

import shutil

import numpy as np
import pandas as pd
import pytest

import beholder as bh
import toys
from beholder.errors import Misuse
from beholder.evaluation.comparisons import comparisons, newest_run
from beholder.evaluation.record import read


def bright(patch):
    return float(patch.mean())


def dark(patch):
    return 1 - float(patch.mean())


def still(stimulus):
    return np.full(10, stimulus[0])


def off(stimulus):
    return np.full(10, stimulus[0] + 1.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of two benchmarks in which two models took part, and some in one of them only."""
    opinions, glances = toys.opinions(), toys.glances()
    scores = [bh.run(opinions, {"one": bright, "two": dark}), bh.run(glances, {"one": still, "two": off})]
    place = tmp_path_factory.mktemp("run")
    return bh.save(place, pd.concat(scores, ignore_index=True), opinions, glances)


def test_benchmarks_stand_one_after_another(folder):
    found = comparisons(read(folder), "one", "two")
    assert [one.benchmark for one in found] == ["toy/opinions", "toy/glances"]
    assert all({one.found.a, one.found.b} == {"one", "two"} and one.found.says for one in found)


def test_only_official_measures_are_compared(folder):
    (found,) = comparisons(read(folder), "one", "two", benchmark="toy/glances")
    assert set(found.found.table["measure"]) == {"bias", "above_control"}  # and not width


def test_pooled_measures_stand_apart(folder):
    (found,) = comparisons(read(folder), "one", "two", benchmark="toy/opinions")
    once = found.found.table.set_index("measure").loc["pearson"]
    assert np.isnan(once["p"])
    assert once["a_lo"] < once["a"] < once["a_hi"]
    assert "1 further measure was taken once over all samples" in found.found.says


def test_doubtful_references_are_said(folder):
    (found,) = comparisons(read(folder), "one", "two", benchmark="toy/glances")
    assert any("rest on reference numbers quoted from memory" in note for note in found.found.notes)


def test_changed_scores_are_said(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "edited")
    file = tmp_path / "edited" / "scores.csv"
    file.write_text(file.read_text() + "\n")
    (found,) = comparisons(read(tmp_path / "edited"), "brightness", "contrast")
    assert "was changed after the run" in found.found.notes[0]


def test_people_and_blind_models_can_be_compared(folder):
    found = bh.compare(folder, "people", "constant")
    assert found.says.startswith("people ")


def test_from_python(folder):
    found = bh.compare(read(folder), "one", "two", benchmark="toy/opinions")
    assert found.says == bh.compare(str(folder), "one", "two", benchmark="toy/opinions").says
    assert {"difference", "lo", "hi", "won", "p_holm"} <= set(found.table)
    assert {"unit", "a", "b", "difference", "ahead"} <= set(found.units)


def test_one_of_several_benchmarks_must_be_named(folder):
    with pytest.raises(Misuse, match="both took part in toy/opinions, toy/glances; name one"):
        bh.compare(folder, "one", "two")


@pytest.mark.parametrize(
    ("names", "benchmark", "why"),
    [
        (("one", "brigtness"), "", "did you mean 'brightness'"),
        (("one", "one"), "", "got 'one' twice"),
        (("brightness", "starer"), "", "took part in no benchmark of .* together"),
        (("one", "two"), "toy/opinion", "did you mean 'toy/opinions'"),
        (("one", "brightness"), "toy/glances", "no model of toy/glances is called 'brightness'"),
    ],
)
def test_misuse(folder, names, benchmark, why):
    with pytest.raises(Misuse, match=why):
        bh.compare(folder, *names, benchmark=benchmark)


def test_no_run_is_the_newest_of_none(tmp_path):
    with pytest.raises(Misuse, match="there is no run with scores below"):
        newest_run(tmp_path)
