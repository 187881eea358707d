import csv
import itertools
import json
import re

import numpy as np
import pytest

from beholder.stats.bootstrap import expanded_tail
from beholder.stats.rater_agreement import (
    FORMS,
    cohen,
    fleiss,
    gwet,
    icc,
    krippendorff,
    randolph,
    raw,
    shuffled,
    spread,
    why_undefined,
)
from beholder.study.datasets.bluebirds import bluebirds
from beholder.study.ratings import ratings_of

NAN = np.nan
# Missing ratings, an item with one rating, and a scale of five.
RAGGED = np.array(
    [[1, 2, NAN, 1], [2, 2, 3, NAN], [3, 3, 3, 3], [NAN, 5, 4, 5], [1, 1, NAN, NAN], [4, NAN, NAN, NAN], [5, 5, 3, 5],
     [2, 1, 2, 2]]
)  # fmt: skip
COEFFICIENTS = [
    *((fleiss, {}), (cohen, {}), (raw, {}), (randolph, {})),
    *((krippendorff, {"level": level}) for level in ("nominal", "ordinal", "interval")),
    *((gwet, {"weights": weights}) for weights in ("nominal", "ordinal", "quadratic")),
    *((icc, {"form": form}) for form in FORMS),
]
each_coefficient = pytest.mark.parametrize(("of", "settings"), COEFFICIENTS)


def taken(of, x, settings):
    return cohen(x[:, 0], x[:, 1]) if of is cohen else of(x, **settings)


@pytest.mark.parametrize(
    ("of", "settings", "expected"),
    [
        (krippendorff, {"level": "nominal"}, 0.458128078817734),  # krippendorff 0.9.0
        (krippendorff, {"level": "ordinal"}, 0.8523238380809595),
        (krippendorff, {"level": "interval"}, 0.8333333333333334),
        (fleiss, {}, 0.461891786687),  # irrCAC 0.4.4, as all below
        (gwet, {"weights": "nominal"}, 0.464880871736),
        (gwet, {"weights": "ordinal"}, 0.798226600985),
        (gwet, {"weights": "quadratic"}, 0.841402413841),
    ],
)
def test_a_ragged_table_gets_what_other_programs_give_it(of, settings, expected):
    assert of(RAGGED, **settings) == pytest.approx(expected, abs=1e-12)


TEN_BY_FIVE = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
BINARY = [[yes, 10 - yes] for yes in (10, 9, 8, 5, 5, 4, 2, 1, 0, 7)]


@pytest.mark.parametrize(
    ("counts", "kappa", "ac1", "alpha"),  # specs/scanpath-and-study.md 6: statsmodels 0.15.0, irrCAC, krippendorff
    [
        (TEN_BY_FIVE, 0.2099307, 0.22561, 0.2155741),
        (BINARY, 0.3552977, 0.35581, 0.3617447),
        ([[4, 0], [0, 4], [4, 0]], 1, 1, 1),
        ([[2, 2], [2, 2]], -1 / 3, -1 / 3, -1 / 6),
    ],
)
def test_the_tables_of_the_specification(counts, kappa, ac1, alpha):
    x = np.array([np.repeat(range(len(row)), row) for row in counts], float)
    assert fleiss(x) == pytest.approx(kappa, abs=5e-8)
    assert gwet(x) == pytest.approx(ac1, abs=5e-6)
    assert krippendorff(x, level="nominal") == pytest.approx(alpha, abs=5e-8)


def test_raw_agreement_and_randolphs_kappa():
    x = np.array([np.repeat(range(5), row) for row in TEN_BY_FIVE], float)
    assert raw(x) == pytest.approx(0.378022, abs=5e-7)  # P of the same table
    assert randolph(x) == pytest.approx((0.378022 - 0.2) / 0.8, abs=1e-6)


def test_the_chance_agreement_and_the_error_of_the_specification():
    x = np.array([np.repeat(range(5), row) for row in TEN_BY_FIVE], float)
    chance = 1 - (1 - raw(x)) / (1 - fleiss(x))
    assert chance == pytest.approx(0.212755, abs=5e-7)  # Pe
    found = spread(fleiss, x, rng=np.random.default_rng(0))
    assert (found[2] - found[1]) / (0.419 - 0.001) == pytest.approx(1, abs=0.25)  # irrCAC: se 0.09237


def test_the_bluebirds_that_are_carried_have_the_kappa_of_the_specification():
    rows = ratings_of(bluebirds()).table
    x = rows.pivot(index="item", columns="rater", values="value").to_numpy()
    assert x.shape == (108, 39)
    assert fleiss(x) == pytest.approx(0.125293, abs=5e-7)


def test_the_one_way_icc_of_a_ragged_table_is_the_analysis_of_variance():
    rows = [row[~np.isnan(row)] for row in RAGGED]
    every, n = np.concatenate(rows), len(rows)
    bms = sum(len(row) * (row.mean() - every.mean()) ** 2 for row in rows) / (n - 1)
    wms = sum(((row - row.mean()) ** 2).sum() for row in rows) / (len(every) - n)
    k = (len(every) - sum(len(row) ** 2 for row in rows) / len(every)) / (n - 1)
    assert icc(RAGGED, form="1,1") == pytest.approx((bms - wms) / (bms + (k - 1) * wms))
    assert icc(RAGGED, form="1,k") == pytest.approx((bms - wms) / bms)


@pytest.mark.parametrize("form", ["2,1", "3,1", "2,k", "3,k"])
def test_two_way_forms_read_the_items_that_all_raters_rated(form):
    whole = RAGGED[~np.isnan(RAGGED).any(axis=1)]
    assert icc(RAGGED, form=form) == icc(whole, form=form)
    assert np.isnan(icc(RAGGED[[0, 1, 2]], form=form))  # one complete item


def test_the_interval_alpha_of_a_complete_table_is_a_ratio_of_variances():
    x = np.random.default_rng(3).normal(size=(20, 1)) + np.random.default_rng(4).normal(size=(20, 4))
    assert krippendorff(x, level="interval") == pytest.approx(1 - x.var(axis=1, ddof=1).mean() / x.var(ddof=1))


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([[1], [2], [3]], "one rater"),
        ([[1, NAN], [2, NAN]], "one rater"),
        ([[1, 2]], "only one item"),
        ([[1, 2], [NAN, 2]], "only one item"),
        ([[1, NAN], [NAN, 2]], "no item has two raters"),
        ([[4, 4], [4, 4]], "every rating is the same"),
        ([[NAN, NAN]], "no rating"),
    ],
)
def test_where_nothing_can_be_compared_agreement_is_undefined(table, why):
    x = np.array(table, float)
    assert why in why_undefined(x)
    for of, settings in COEFFICIENTS if x.shape[1] == 2 else COEFFICIENTS[2:]:
        assert np.isnan(taken(of, x, settings))
        assert np.isnan(spread(of, x, rng=np.random.default_rng(0), **settings)).all()


@each_coefficient
def test_full_agreement_is_1_and_neither_order_nor_unrated_items_count(of, settings):
    x = RAGGED[:, :2] if of is cohen else RAGGED
    same = np.repeat([[1.0], [2.0], [4.0]], x.shape[1], axis=1)
    assert taken(of, same, settings) == pytest.approx(1)
    padded = np.vstack([x[::-1, ::-1], np.full((2, x.shape[1]), NAN)])
    assert taken(of, padded, settings) == pytest.approx(taken(of, x, settings), nan_ok=True)


@each_coefficient
def test_draws_are_the_coefficient_of_drawn_items(of, settings):
    x = np.random.default_rng(1).integers(1, 4, (6, 2)) + np.arange(6)[:, None]
    found = spread(of, x, rng=np.random.default_rng(5), draws=40, **settings)
    often = np.random.default_rng(5).integers(0, 6, size=(40, 6), dtype=np.int32)
    each = [taken(of, np.repeat(x, np.bincount(row, minlength=6), axis=0).astype(float), settings) for row in often]
    tail = expanded_tail(0.95, 6)
    if of in (gwet, randolph):  # the scale is the whole table's, which a draw may not use up
        assert found.lo < found.value < found.hi
    else:
        assert [found.lo, found.hi] == pytest.approx(list(np.nanquantile(each, [tail, 1 - tail])), abs=1e-9)


def test_groups_are_drawn_whole():
    x = np.random.default_rng(2).integers(1, 4, (40, 1)) + np.random.default_rng(3).integers(0, 2, (40, 3))
    groups = [str(at // 10) for at in range(40)]
    again = np.repeat(x, 5, axis=0)  # copies tell nothing new
    alone, copied = (spread(fleiss, t, groups=g, rng=np.random.default_rng(0))
                     for t, g in ((x, groups), (again, np.repeat(groups, 5).tolist())))  # fmt: skip
    assert copied == pytest.approx(alone, abs=1e-9)
    assert np.isnan(spread(fleiss, x, groups=["a"] * 40, rng=np.random.default_rng(0)).lo)


def test_raters_who_answer_at_random_agree_by_chance():
    x = np.repeat(np.random.default_rng(0).integers(1, 6, (300, 1)), 4, axis=1).astype(float)
    x[::7, 2] = NAN
    rng = np.random.default_rng(1)
    values = [krippendorff(shuffled(x, rng)) for _ in range(50)]
    assert np.mean(values) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(
    "call", [lambda: fleiss([1, 2]), lambda: krippendorff(RAGGED, level="ratio"), lambda: icc(RAGGED, form="4,1"),
             lambda: gwet(RAGGED, weights="linear")]
)  # fmt: skip
def test_what_is_no_table_level_or_form_is_refused(call):
    with pytest.raises(ValueError, match=r"got .*; expected"):
        call()


# Real tables: the values of specs/data.md 3.10, 3.12, 3.14 and 3.15.


def fetv(data, dimension):
    rows = {}
    for file in sorted((data / "fetv_ratings" / "manual_eval_results").glob("human*/*.json")):
        for line in file.read_text().splitlines():
            for prompt, said in json.loads(line).items():
                rows.setdefault((file.name, prompt), []).append(said[dimension])
    return np.array(list(rows.values()), float)


@pytest.mark.parametrize(
    ("dimension", "kappa", "alpha"),
    [("static_quality", 0.3349, 0.6885), ("temporal_quality", 0.3356, 0.7118), ("alignment", 0.3082, 0.6737)],
)
def test_the_raters_of_fetv(data, dimension, kappa, alpha):
    x = fetv(data, dimension)
    assert x.shape == (3017, 3)
    assert fleiss(x) == pytest.approx(kappa, abs=5e-5)
    assert krippendorff(x, level="interval") == pytest.approx(alpha, abs=5e-5)


def test_the_raters_of_tc_bench(data):
    text = (data / "tcbench_ratings/eval_results/human_eval/i2v/human_scores_all.json").read_text()
    for at, kappa in enumerate((0.3996, 0.4656)):
        x = np.array([[*said[at], NAN][:3] for said in json.loads(text).values()], float)
        complete = x[~np.isnan(x).any(axis=1)]
        assert (len(x), len(complete)) == (952, 951)
        assert fleiss(complete) == pytest.approx(kappa, abs=5e-5)
        assert fleiss(x) == pytest.approx(kappa, abs=1e-3)  # the item with two ratings counts, too


def test_the_workers_of_bluebirds_and_ducks(data):
    text = (data / "bluebirds/bluebirds/labels.yaml").read_text()
    workers = [re.findall(r"(\d+): (true|false)", own) for own in re.findall(r"\{([^}]*)\}", text)]
    birds = np.array([[label == "true" for _, label in sorted(own)] for own in workers], float).T
    assert birds.shape == (108, 39)
    assert fleiss(birds) == pytest.approx(0.125293, abs=5e-7)
    items, people, label = np.loadtxt(data / "bluebirds/ducks/labels.txt", skiprows=1, dtype=int).T
    ducks = np.full((240, 53), NAN)
    ducks[items, people] = label
    assert fleiss(ducks) == pytest.approx(0.325215, abs=5e-7)
    assert np.isnan(icc(ducks, form="2,1"))  # no duck has all 53
    assert icc(ducks) == pytest.approx(krippendorff(ducks), abs=2e-3)  # two values, many items


def responses(data, experiment):
    """Responses and classes, items × observers, people first."""
    seen = {}
    folder = data / "texture_shape" / "raw-data"
    for file in sorted(folder.glob(f"{experiment}-experiment/*subject-*.csv")):
        with file.open() as text:
            for row in csv.DictReader(text):
                seen.setdefault(row["imagename"].split("_")[-1], []).append((row["object_response"], row["category"]))
    return np.array(list(seen.values()))


@pytest.mark.parametrize(
    ("experiment", "kappa", "consistency"), [("edge", 0.790179, 0.3184), ("silhouette-filled", 0.677152, 0.4757)]
)
def test_the_observers_of_edges_and_silhouettes(data, experiment, kappa, consistency):
    said = responses(data, experiment)
    names = np.unique(said[..., 0])
    assert fleiss(np.searchsorted(names, said[..., 0])) == pytest.approx(kappa, abs=5e-7)
    right = (said[..., 0] == said[..., 1]).astype(float)
    pairs = [cohen(right[:, a], right[:, b]) for a, b in itertools.combinations(range(10), 2)]
    assert np.mean(pairs) == pytest.approx(consistency, abs=5e-5)
