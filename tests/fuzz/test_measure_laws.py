"""What a change of the answer that means nothing, or makes it worse, does to a measure: laws by name.

tests/test_every_measure.py holds bounds, the perfect answer, order, unknowns and empties of every measure.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import attention_inputs
import attention_walks as walks
from beholder.attention.readouts import Surface
from beholder.core.measure import NotApplicable, card, fix, result
from beholder.core.model_code import freeze
from beholder.registry.find import find, names
from beholder.study.ratings import Judged
from damage import examples

pytestmark = pytest.mark.fuzz
seeds = st.integers(0, 999)


def value(measure, observed, reference):
    freeze((observed, reference))
    try:
        return result(measure(observed, reference)).value
    except NotApplicable:
        return math.nan


def same(one, other):
    return one == pytest.approx(other, rel=1e-7, abs=1e-9, nan_ok=True)


def attention(name):
    return find("attention.measures", name)


# What a map's measure does not see: its order only, its shift and scale, or its scale.
ORDER = ["auc", "sauc", "eer", "percentile", "hit_rate", "spearman", "top_auc", "auc_judd"]
AFFINE = ["cc", "nss", *ORDER]
SCALE = ["sim", "kl", "jensen_shannon", *AFFINE]


def mapped(seed, change):
    """A map of a few levels, the same after a change, and people."""
    _, lookers = attention_inputs._gazed(seed)
    levels = np.random.default_rng(seed).integers(0, 9, lookers.shape).astype(np.float64)
    return Surface(levels), Surface(change(levels)), lookers


@pytest.mark.parametrize("name", SCALE)
@examples(2)
@given(seeds, st.integers(-40, 40))
def test_the_scale_of_a_map_means_nothing(name, seed, power):
    one, other, lookers = mapped(seed, lambda levels: levels * 2.0**power)
    assert same(value(attention(name), other, lookers), value(attention(name), one, lookers))


@pytest.mark.parametrize("name", AFFINE)
@examples(2)
@given(seeds, st.integers(-64, 64))
def test_a_shift_of_a_map_means_nothing(name, seed, shift):
    one, other, lookers = mapped(seed, lambda levels: 4 * levels + shift)
    assert same(value(attention(name), other, lookers), value(attention(name), one, lookers))


@pytest.mark.parametrize("name", ORDER)
@examples(2)
@given(seeds)
def test_only_the_order_of_pixels_counts(name, seed):
    one, other, lookers = mapped(seed, lambda levels: levels**3 - 100)
    assert same(value(attention(name), other, lookers), value(attention(name), one, lookers))


@pytest.mark.parametrize(("name", "half"), [("auc", 0.5), ("sauc", 0.5), ("eer", 0.5), ("percentile", 50.0)])
@examples(2)
@given(seeds, st.floats(-1e6, 1e6))
def test_where_all_is_tied_it_is_half(name, half, seed, level):
    _, lookers = attention_inputs._gazed(seed)
    found = value(attention(name), Surface(np.full(lookers.shape, level)), lookers)
    assert math.isnan(found) or found == pytest.approx(half)


@pytest.mark.parametrize("name", ["auc", "sauc", "nss", "cc", "spearman"])
@examples(2)
@given(seeds)
def test_the_opposite_map_has_the_opposite_score(name, seed):
    one, other, lookers = mapped(seed, lambda levels: 8 - levels)
    middle = 1.0 if "auc" in name else 0.0
    assert same(value(attention(name), one, lookers), middle - value(attention(name), other, lookers))


SYMMETRIC = ["dtw", "frechet", "hausdorff", "eyenalysis", "string_edit", "euclidean"]


@pytest.mark.parametrize("name", SYMMETRIC)
@examples(3)
@given(seeds)
def test_a_distance_is_the_same_both_ways(name, seed):
    path, lookers = walks.walked(3 * seed + 1)  # within the picture
    assume(
        len(path) and len(lookers.paths["a"])
    )  # nothing against something is a fault of the answer, the other way na
    back = walks.person(path), lookers.paths["a"]
    assert same(value(attention(name), path, lookers), value(attention(name), back[1], back[0]))


@pytest.mark.parametrize("name", ["dtw", "frechet", "hausdorff", "euclidean", "tde", "mannan"])
@examples(3)
@given(seeds)
def test_a_mirrored_picture_changes_no_distance(name, seed):
    path, lookers = walks.walked(3 * seed + 1)
    width = lookers.shape[1]

    def mirrored(one):
        return replace(one, x=width - one.x)

    turned = replace(lookers, paths={who: mirrored(one) for who, one in lookers.paths.items()})
    assert same(value(attention(name), mirrored(path), turned), value(attention(name), path, lookers))


DISPARITY = ["bad_pixels", "mae", "rms", "quantile", "d1"]
maps = st.integers(2, 30).flatmap(
    lambda many: st.tuples(*[st.lists(st.floats(0.25, 128, width=32), min_size=many, max_size=many)] * 2)
)


@pytest.mark.parametrize("name", ["mae", "rms", "quantile", "bad_pixels"])
@examples(8)
@given(maps)
def test_an_error_is_the_same_both_ways(name, pair):
    found, true = (np.array(one, np.float32) for one in pair)
    measure = find("stereo.measures", name)
    assert same(value(measure, found, true), value(measure, true, found))


@pytest.mark.parametrize("name", DISPARITY)
@examples(8)
@given(maps, st.integers(0, 29), st.floats(1, 100, width=32))
def test_a_larger_error_is_never_better(name, pair, at, more):
    found, true = (np.array(one, np.float32) for one in pair)
    at %= len(found)
    worse = found.copy()
    worse[at] += np.float32(more if found[at] >= true[at] else -more)
    assume(worse[at] >= 0)
    measure = find("stereo.measures", name)
    assert value(measure, worse, true) >= value(measure, found, true) - 1e-9


ratings = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 5)), min_size=3, max_size=12)


@pytest.mark.parametrize("name", ["alignment.spearman", "alignment.kendall", "alignment.pearson"])
@examples(6)
@given(ratings)
def test_agreement_with_people_is_blind_to_units_and_turns_with_the_sign(name, rows):
    measure = find("study.measures", name)
    judged = [Judged({"a": float(rating)}, "one", f"{at}") for at, (_, rating) in enumerate(rows)]
    plain = value(measure, [float(number) for number, _ in rows], judged)
    assert same(value(measure, [8.0 * number - 3 for number, _ in rows], judged), plain)
    assert same(value(measure, [-float(number) for number, _ in rows], judged), -plain)
    if name != "alignment.pearson":
        assert same(value(measure, [float(number) ** 3 for number, _ in rows], judged), plain)


EXTREMES = [1e-320, 1e-160, 1e160, 1e300]


@pytest.mark.parametrize(
    "name", [one for one in names("attention.measures") if one.startswith(("auc.", "nss.", "maps."))]
)
@examples(2)
@given(seeds, st.sampled_from(EXTREMES))
def test_absurd_magnitudes_stay_in_the_bounds(name, seed, scale):
    _, other, lookers = mapped(seed, lambda levels: levels / 9 * scale)
    measure = attention(name)
    found, (low, high) = value(fix(measure), other, lookers), card(measure).bounds
    assert math.isnan(found) or low <= found <= high
