"""What every measure does at the edges: nobody, one fixation, a constant map, repeated fixations, the border."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

from beholder.attention.maps.fixation_maps import continuous_map
from beholder.attention.measures.auc import auc, auc_borji, auc_judd, eer, sauc, sauc_mit
from beholder.attention.measures.histogram import fixation_kl
from beholder.attention.measures.hit_rate import hit_area, hit_rate
from beholder.attention.measures.information import cross_entropy, information_gain, log_likelihood
from beholder.attention.measures.maps import cc, emd, emd_sliced, jensen_shannon, kl, kl_added, sim, spearman
from beholder.attention.measures.nss import nss, percentile
from beholder.attention.measures.regions import f_score, top_auc
from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.core.measure import NotApplicable, card, fix, result
from beholder.registry.find import names

RISING = Surface(np.arange(8.0).reshape(2, 4))  # the last pixel is the most salient
FLAT = Surface(np.full((2, 4), 0.1))
OTHERS = Controls(np.array([[0.0, 0], [3, 1]]), np.array(["a", "b"]), np.zeros(2), np.array(["p", "q"]))
NOBODY = Lookers({"a": scanpath([], [])}, (2, 4), 0.2, OTHERS)
ONE = replace(NOBODY, paths={"a": scanpath(3, 1, onset_ms=0)})
TWICE = replace(NOBODY, paths={"a": scanpath([3, 3], [1, 1], onset_ms=[0, 0])})
CORNER = replace(NOBODY, paths={"a": scanpath(np.nextafter(4, 0), np.nextafter(2, 0), onset_ms=0)})
NA = math.nan

# People who fixate one pixel with a blur of 0.2 px have a map of that pixel alone, but for e-6 around it.
TABLE = [  # measure, one fixation on the rising map, the same on a constant map
    (auc, 7.5 / 8, 0.5),
    (fix(auc, controls="unfixated"), 1.0, 0.5),
    (fix(auc, thresholds="fixated"), 7.5 / 8, 0.5),
    (fix(auc, duplicates="merge"), 7.5 / 8, 0.5),
    (sauc, 0.75, 0.5),  # one control below, one the same pixel
    (fix(sauc, match="observer"), 1.0, 0.5),
    (fix(sauc, match="time"), 0.75, 0.5),
    (auc_judd, 1.0, 0.5),
    (auc_borji, NA, NA),
    (fix(sauc_mit, pictures=0, splits=0), 1.0, 0.5),
    (eer, 1 / 9, 0.5),  # (0, 0) to (1/8, 1): t/8 = 1 − t
    (nss, 3.5 / 5.25**0.5, 0.0),
    (percentile, 93.75, 50.0),
    (fix(percentile, ties="strict"), 87.5, 0.0),
    (hit_rate, 1.0, 0.2),
    (hit_area, 7.5 / 8, 0.5),
    (fixation_kl, math.log(8), 0.0),
    (information_gain, NA, NA),  # maps are no densities
    (log_likelihood, NA, NA),
    (cross_entropy, math.log2(28 / 7), 3.0),
    (cc, 3.5 / (7 * 5.25) ** 0.5, 0.0),
    (spearman, spearmanr(RISING.values, continuous_map(ONE), axis=None).statistic, 0.0),
    (sim, 7 / 28, 1 / 8),
    (kl, math.log(28 / 7), math.log(8)),
    (kl_added, math.log(28 / 7), math.log(8)),
    (
        jensen_shannon,
        (math.log2(1.6) + 0.75 + math.log2(0.4) / 4) / 2,
        (math.log2(16 / 9) + 7 / 8 + math.log2(2 / 9) / 8) / 2,
    ),
    (emd, 0.0, 0.0),  # one square
    (emd_sliced, 0.0, 0.0),
    (fix(top_auc, top=0.125), 1.0, 0.5),
    (fix(f_score, top=0.125, kept=0.25), 2 / 3, 0.0),  # a constant map keeps the first pixels
]
each = pytest.mark.parametrize(("measure", "one", "flat"), TABLE, ids=[card(row[0]).label for row in TABLE])


def value(measure, found, lookers):
    try:
        return result(measure(found, lookers)).value
    except NotApplicable:
        return NA


def near(expected):
    return pytest.approx(expected, abs=2e-4, nan_ok=True)


def test_every_measure_is_in_the_table():
    there = {name.partition(".")[2] for name in names("attention.measures")}
    apart = {"sauc_mit", "other_pictures_kl"}  # that one is of several pictures
    saliency = {card(row[0]).name for row in TABLE} | apart
    assert saliency <= there
    families = ("auc", "histogram", "hit_rate", "information", "maps", "nss", "regions")
    ours = {name.partition(".")[2] for name in names("attention.measures") if name.partition(".")[0] in families}
    assert ours == saliency


@each
def test_nobody(measure, one, flat):
    with pytest.raises(NotApplicable):
        measure(RISING, NOBODY)
    with pytest.raises(NotApplicable):
        measure(RISING, replace(NOBODY, paths={}))


@each
def test_one_fixation(measure, one, flat):
    found = value(measure, RISING, ONE)
    assert found == near(one)


@each
def test_a_constant_map(measure, one, flat):
    found = value(measure, FLAT, ONE)
    assert found == near(flat)
    zero = value(measure, Surface(np.zeros((2, 4))), ONE)
    assert zero == near(found)


@each
def test_a_repeated_fixation_is_the_same_place(measure, one, flat):
    assert value(measure, RISING, TWICE) == near(value(measure, RISING, ONE))


@each
def test_the_border_is_inside_and_beyond_is_refused(measure, one, flat):
    assert value(measure, RISING, CORNER) == near(value(measure, RISING, ONE))
    with pytest.raises(ValueError, match=r"observer a: got fixation 0 at \(-1, 0\)"):
        measure(RISING, replace(NOBODY, paths={"a": scanpath(-1, 0)}))


@each
def test_another_size_is_refused(measure, one, flat):
    found = Surface(np.ones((4, 2)) / 8, np.log(np.ones((4, 2)) / 8))
    with pytest.raises(ValueError, match=r"got a map of \(4, 2\); expected \(2, 4\)"):
        measure(found, ONE)


INVARIANT = ("auc", "sauc", "eer", "nss", "perc", "hit", "fixation_kl", "cc", "spear", "top", "f_s")


@pytest.mark.parametrize("measure", [row[0] for row in TABLE if card(row[0]).name.startswith(INVARIANT)])
def test_scale_and_offset_do_not_matter_but_to_what_reads_mass(measure):
    other = Surface(1e3 * RISING.values - 50)
    assert value(measure, other, ONE) == near(value(measure, RISING, ONE))


def test_no_controls_no_shuffling():
    alone = replace(ONE, controls=None)
    for measure in (sauc, sauc_mit, fix(auc, controls="shuffled"), fix(fixation_kl, controls="shuffled")):
        with pytest.raises(NotApplicable, match="no fixations on other pictures"):
            measure(RISING, alone)
    with pytest.raises(NotApplicable, match="there are no controls"):
        auc(RISING, ONE, controls=np.empty((0, 2)))


def test_every_pixel_fixated():
    x, y = np.meshgrid(np.arange(4.0), np.arange(2.0))
    all_of_it = replace(NOBODY, paths={"a": scanpath(x, y)})
    assert value(auc, RISING, all_of_it) == 0.5
    with pytest.raises(NotApplicable, match="every pixel was fixated"):
        auc(RISING, all_of_it, controls="unfixated")
    assert result(auc_judd(RISING, all_of_it)).state == "na"


def test_people_against_the_map_that_they_are_part_of():
    group = replace(NOBODY, paths={"a": scanpath(3, 1), "b": scanpath(2, 1)})
    others = Surface(continuous_map(group.without("a")), by=("b",))
    for measure in (cc, sim, kl, emd, top_auc):
        with pytest.raises(NotApplicable, match="of='held'"):
            measure(others, group.only("a"))
        assert not math.isnan(value(fix(measure, of="held"), others, group.only("a")))
    assert not math.isnan(value(nss, others, group.only("a")))
