import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

import beholder as bh
from beholder.core.measure import card
from beholder.core.scores import labels
from beholder.engines.parcels import pack
from beholder.errors import Misuse
from beholder.registry.load import load
from beholder.stereo.benchmarks.dense import dense
from beholder.stereo.datasets.planes import planes
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.measures.disparity import bad_pixels, mae
from beholder.stereo.models.flat import flat
from beholder.stereo.presets import PRESETS, clipped, narrower, preset
from beholder.stereo.types import Pair

NAN = np.nan


def named(found):
    return [card(measure).label for measure in found]


def test_the_default_is_what_it_was():
    assert preset("middlebury2").measures == (bad_pixels,)
    assert preset("middlebury2").extra == (mae,)
    assert named(dense(random_dots(1)).measures) == ["bad_pixels"]


@pytest.mark.parametrize(
    ("name", "official", "regions"),
    [
        ("middlebury3", "bad_pixels(delta=2.0,preset=middlebury3)", "nonocc all"),
        ("kitti2012", "bad_pixels(delta=3.0,preset=kitti2012)", "nonocc all"),
        ("kitti2015", "d1(preset=kitti2015)", "all nonocc bg fg"),
        ("eth3d", "bad_pixels(delta=1.0,preset=eth3d)", "nonocc all"),
        ("scharstein2002", "bad_pixels(delta=1.0,preset=scharstein2002)", "nonocc textureless disc"),
    ],
)
def test_what_they_are(name, official, regions):
    benchmark = dense(random_dots(1), preset=name)
    assert benchmark.official == (official,)
    assert [criterion.name for criterion in benchmark.criteria] == regions.split()
    assert f"(preset {name})" in benchmark.about
    assert (benchmark.name, benchmark.version) == ("stereo/dense", 1)


def test_no_measure_is_in_two_presets():
    every = [named((*preset(name).measures, *preset(name).extra)) for name in PRESETS]
    together = [name for names in every for name in names]
    assert len(together) == len(set(together))


HOLE, TRUE = np.array([[9, NAN, 4, 13]], np.float32), np.array([[9, 9, 4, 9]], np.float32)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("middlebury2", 50),  # the hole and the last
        ("middlebury3", 50),
        ("kitti2012", 50),  # the hole becomes 4, wrong by 5
        ("kitti2015", 50),
        ("eth3d", 100 / 3),  # the hole is left out
        ("scharstein2002", 50),
    ],
)
def test_what_a_hole_costs(name, expected):
    assert preset(name).measures[0](HOLE, TRUE) == pytest.approx(expected)
    easy = np.array([[9, 4, 4, 9]], np.float32)  # what the fill finds is right
    filled = {"kitti2012": 25, "kitti2015": 25, "eth3d": 100 / 3}.get(name, 50)
    assert preset(name).measures[0](HOLE, easy) == pytest.approx(filled)


def test_kitti_as_estimated():
    found = dict(zip(named(preset("kitti2015").extra), preset("kitti2015").extra, strict=True))
    assert found["d1(invalid=exclude,preset=kitti2015)"](HOLE, TRUE) == pytest.approx(100 / 3)
    assert found["density(preset=kitti2015)"](HOLE, TRUE) == 0.75


def test_an_unknown_one_has_a_neighbour():
    with pytest.raises(Misuse, match="no preset called 'kitti2016'; did you mean 'kitti201"):
        dense(preset="kitti2016")


def test_it_travels_with_the_benchmark():
    back = pickle.loads(pack(load("stereo/dense", dataset="planes(count=1)", preset="kitti2012")))
    assert back.official == ("bad_pixels(delta=3.0,preset=kitti2012)",)


def test_tables_under_two_presets_do_not_meet():
    dataset = planes(1, size=96)
    first = bh.run(dense(dataset), {"near": partial(flat, disparity=30.0)}, seed=0)
    benchmark = dense(dataset, preset="kitti2012")
    second = bh.run(benchmark, {"far": partial(flat, disparity=5.0)}, seed=0)
    assert set(labels(first)).isdisjoint(labels(second))
    verdict = benchmark.judge(pd.concat([first, second], ignore_index=True))
    assert "far" in verdict.standing.index
    assert "near" not in verdict.standing.index


def test_small_maps_are_enlarged_and_large_values_clipped():
    pair = Pair(np.zeros((5, 6)), np.zeros((5, 6)), 16)
    half = np.arange(9.0).reshape(3, 3)  # 5 rows need 3, 6 columns 3
    assert_array_equal(clipped(half, pair), np.minimum(2 * half.repeat(2, 0).repeat(2, 1)[:5], 16))
    quarter = np.array([[1, 2], [3, 5]])
    assert_array_equal(clipped(quarter, pair), np.minimum(4 * quarter.repeat(4, 0).repeat(4, 1)[:5, :6], 16))
    full = np.full((5, 6), 3.0)
    assert_array_equal(clipped(full, pair), full)
    holes = np.full((5, 6), np.inf)
    assert np.isnan(clipped(holes, pair)).all()
    for wrong in (np.zeros((5, 5)), np.zeros((3, 3), bool), None, "map"):
        with pytest.raises(ValueError, match=r"got .*; expected"):
            clipped(wrong, pair)


def test_a_pair_of_one_pixel_is_not_enlarged():
    assert_array_equal(clipped([[3.0]], Pair(np.zeros((1, 1)), np.zeros((1, 1)), 16)), [[3]])


def test_wider_than_the_image_is_no_estimate():
    pair = Pair(np.zeros((1, 3)), np.zeros((1, 3)), 16)
    assert_array_equal(narrower([[3, 3.1, -1]], pair), np.array([[3, NAN, NAN]], np.float32))
