"""Golden values of maps and fixations, per convention (spec 9); those of AUC with ties tell the conventions apart."""

from functools import partial

import numpy as np
import pytest

from beholder.attention.maps.fixation_maps import continuous_map, fixation_map
from beholder.attention.measures.auc import auc, auc_judd, sauc
from beholder.attention.measures.hit_rate import hit_area
from beholder.attention.measures.information import information_gain, log_likelihood
from beholder.attention.measures.maps import cc, kl, kl_added, sim, spearman
from beholder.attention.measures.nss import nss, percentile
from beholder.attention.measures.regions import top_auc
from beholder.attention.readouts import Surface
from beholder.attention.types import Controls, Lookers, scanpath
from beholder.core.measure import fix, result

Y, X = np.mgrid[:8, :10]
MAPS = {"T": ((7 * Y + 3 * X) % 11) / 10, "S": np.exp(-((X - 6) ** 2 + (Y - 3) ** 2) / 8)}
FIXATIONS = scanpath([1, 6, 6, 9, 0, 5, 6], [1, 3, 3, 7, 0, 4, 2])
OTHERS = np.array([(4, 4), (5, 3), (2, 6), (8, 1), (6, 5)], float)
CONTROLS = Controls(OTHERS, np.array(["a"] * 5), np.full(5, np.nan), np.array(["p"] * 5))
HERE = Lookers({"a": FIXATIONS}, (8, 10), px_per_deg=1.5, controls=CONTROLS)

zero = partial(fix, border="constant")  # beyond the border: as the spec's maps are blurred
unfixated = fix(auc, controls="unfixated")
GOLDEN = [
    (auc, 0.7223214285714284, 0.6116071428571429),
    (hit_area, 0.7223214285714284, 0.6116071428571429),
    (unfixated, 0.7432432432432432, 0.6158301158301158),
    (fix(auc, controls="unfixated", thresholds="fixated"), 0.8214285714285714, 0.6747104247104247),
    (auc_judd, 0.7635135135135135, 0.5518018018018018),  # ties count half, no slanting lines: the exact one, see below
    (fix(auc, controls="unfixated", duplicates="merge"), 0.7635135135135135, 0.5518018018018018),
    (sauc, 0.6857142857142856, 0.5428571428571428),
    (fix(auc, controls="shuffled"), 0.6857142857142856, 0.5428571428571428),
    (fix(auc, controls=OTHERS), 0.6857142857142856, 0.5428571428571428),
    (nss, 0.7670235365, 0.9140124147),
    (fix(nss, ddof=1), 0.7622145641, 0.9082818728),
    (fix(nss, duplicates="merge"), 0.8422219225, 0.6261836554),
    (fix(percentile, ties="strict"), 67.85714285714286, 59.464285714285715),
    (percentile, 72.23214285714284, 61.16071428571429),
    (zero(cc), 0.0682884774, 0.8172716577),
    (zero(spearman), 0.0486175714, 0.6478952155),
    (zero(kl_added), 4.3716965005, 0.4131653620),
    (zero(kl), 3.1716782100, 0.4131653620),
    (zero(kl, direction="model-people"), 0.8338796573, 0.1873263435),
    (zero(kl_added, direction="model-people"), 0.8338796573, 0.1873263435),
    (zero(sim), 0.5953055291, 0.8077302027),
    (zero(sim, stretch=True), 0.5951061675, 0.8069758760),
    (zero(top_auc, top=0.02), 0.4551282051, 0.9903846154),
    (zero(top_auc, top=0.05), 0.5263157895, 0.9950657895),
    (zero(top_auc, top=0.1), 0.6154513889, 0.9973958333),
    (zero(top_auc, top=0.2), 0.5434570313, 0.8266601563),
]


@pytest.mark.parametrize(
    ("measure", "of_t", "of_s"), GOLDEN, ids=lambda of: getattr(getattr(of, "card", None), "label", "")
)
def test_golden(measure, of_t, of_s):
    for name, expected in (("T", of_t), ("S", of_s)):
        assert result(measure(Surface(MAPS[name]), HERE)).value == pytest.approx(expected, abs=5.1e-11)


def test_the_map_of_people():
    people = continuous_map(HERE, border="constant")
    assert people.sum() == pytest.approx(5.415891019103121, abs=1e-14)
    assert people[3, 6] == pytest.approx(0.24385999013517884, abs=1e-16)
    assert fixation_map(HERE).sum() == 7
    assert fixation_map(HERE)[3, 6] == 2


@pytest.mark.parametrize(("name", "expected"), [("T", -0.6356171651), ("S", -0.7674159696)])
def test_information_gain(name, expected):
    p = (MAPS[name] + 1e-3) / (MAPS[name] + 1e-3).sum()
    found = Surface(p, np.log(p))
    assert information_gain(found, HERE).value == pytest.approx(expected, abs=5e-11)
    assert log_likelihood(found, HERE).value == pytest.approx(expected - np.log2(80), abs=5e-11)


@pytest.mark.parametrize("name", MAPS)
def test_three_names_of_one_number(name):
    found = Surface(MAPS[name])
    assert percentile(found, HERE).value / 100 == auc(found, HERE).value == hit_area(found, HERE).value


def test_parts_say_how_many():
    assert nss(Surface(MAPS["T"]), HERE).parts == {"n": 7.0, "dropped": 0.0}
    assert auc_judd(Surface(MAPS["T"]), HERE).parts["n"] == 6
