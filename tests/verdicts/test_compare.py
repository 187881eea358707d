"""Two models side by side: numbers by hand, p-values against SciPy, and the sentence of every case."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import beholder as bh
from beholder.core.scores import plain, table
from beholder.errors import Misuse
from beholder.stats.paired import holm
from beholder.verdicts.compare import MANY, compare, sign_flip, units_needed


def only(found):
    """The one line of a comparison."""
    (line,) = found.table.itertuples(index=False)
    return line


def cells(rows, a, b):
    """Rows of a and b on several measures, each a pair of lists of values."""
    return table(
        row
        for name, (mine, theirs) in zip("xyzuvw", zip(a, b, strict=True), strict=False)
        for model, values in (("a", mine), ("b", theirs))
        for row in rows(model, *values, measure=name)
    )


def random_cells(rows, *shifts, units=9, seed=0):
    """Measures on which b is worse than a by some shift, over units that differ among themselves."""
    rng = np.random.default_rng(seed)
    mine = rng.normal(5, 2, size=(len(shifts), units))
    return cells(rows, mine, mine + np.array(shifts)[:, None] + 0.5 * rng.normal(size=mine.shape))


def test_numbers_by_hand(rows):
    line = only(compare(table([*rows("a", 1, 2, 3, 4), *rows("b", 2, 2, 5, 3)]), "a", "b"))
    assert (line.a, line.b, line.units) == (2.5, 3.0, 4)
    assert line.difference == 0.5  # less is better: a gains 1, 0, 2 and −1
    assert line.won == 2.5 / 4  # two units, and half of the tie
    assert line.p == 0.75  # |Σ| = 2 is reached by 12 of the 16 changes of sign of 1, 0, 2, −1


def test_the_interval_and_the_share_are_those_of_the_textbook(rows):
    gain = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])  # symmetric: no correction for skewness
    line = only(compare(table([*rows("a", *np.zeros(7)), *rows("b", *gain)]), "a", "b"))
    t = stats.t.interval(0.95, 6, loc=gain.mean(), scale=stats.sem(gain))
    assert (line.lo, line.hi) == pytest.approx(t)
    wilson = stats.binomtest(7, 7).proportion_ci(method="wilson")
    assert (line.won_lo, line.won_hi) == pytest.approx((wilson.low, wilson.high))


@pytest.mark.parametrize("seed", range(3))
def test_p_is_that_of_scipys_paired_permutation_test(rows, seed):
    rng = np.random.default_rng(seed)
    mine, theirs = rng.gamma(2, size=10), rng.gamma(2, size=10) + 0.7
    line = only(compare(table([*rows("a", *mine), *rows("b", *theirs)]), "a", "b"))
    peer = stats.permutation_test(
        (mine, theirs), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", vectorized=True,
        n_resamples=np.inf,
    )  # fmt: skip
    assert line.p == pytest.approx(peer.pvalue)


def test_the_normal_limit_of_many_units_agrees_with_drawn_signs():
    gain = np.random.default_rng(1).normal(0.05, 1, size=MANY)
    assert sign_flip(np.append(gain, 0.0)) == pytest.approx(sign_flip(gain), abs=0.01)
    assert sign_flip(np.zeros(MANY + 1)) == 1


def test_p_values_are_corrected_for_the_number_of_measures(rows):
    found = compare(random_cells(rows, 0.2, 0.4, 0.9, 0.0), "a", "b").table
    assert found["p_holm"].tolist() == holm(found["p"].to_numpy()).tolist()
    assert (found["p_holm"] >= found["p"]).all()


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_swapping_the_models_turns_every_sign_and_changes_no_p(rows, better):
    scores = random_cells(rows, 0.5, -0.5, 2.0).assign(better=better)
    one, other = compare(scores, "a", "b"), compare(scores, "b", "a")
    for column, turned in (("difference", "difference"), ("lo", "hi"), ("hi", "lo")):
        assert one.table[column].to_numpy() == pytest.approx(-other.table[turned].to_numpy())
    for column, same in (("a", "b"), ("a_lo", "b_lo"), ("p", "p"), ("p_holm", "p_holm"), ("units", "units")):
        assert one.table[column].to_numpy() == pytest.approx(other.table[same].to_numpy())
    assert one.table["won"].to_numpy() == pytest.approx(1 - other.table["won"].to_numpy())
    words = {"better": "worse", "worse": "better", "ahead": "behind", "behind": "ahead"}
    assert one.table["outcome"].map(words).tolist() == other.table["outcome"].tolist()
    assert one.says == other.says
    assert set(one.units["unit"]) == set(other.units["unit"])


def test_shares_of_nought_and_one_turn_their_sign_too(rows):
    scores = table([*rows("a", 1, 1, 1, 0, 0, 1, 1), *rows("b", 0, 0, 1, 0, 0, 1, 0)])
    one, other = (only(compare(scores, *names)) for names in (("a", "b"), ("b", "a")))
    assert (one.lo, one.hi) == pytest.approx((-other.hi, -other.lo))


def test_equal_models_have_no_difference_and_no_width(rows):
    found = compare(table([*rows("a", *range(8)), *rows("b", *(v * (1 + 1e-15) for v in range(8)))]), "a", "b")
    line = only(found)
    assert (line.difference, line.lo, line.hi, line.won, line.p, line.outcome) == (0, 0, 0, 0.5, 1, "equal")
    assert found.says == "a and b are equal on x (8 units)."
    assert found.units.empty


def test_only_shared_units_count(rows):
    scores = plain(table([*rows("a", 1, 2, 3, 4), *rows("b", 2, 3, math.nan, 5)]))
    scores.loc[scores["value"].isna(), "state"] = "failed"
    found = compare(scores, "a", "b")
    assert (only(found).units, only(found).a) == (3, 7 / 3)
    assert found.notes == (
        "b lacks scores on 1 of 4 units that the other has: each measure is compared on the units that both have.",
    )


def test_infinite_values_are_compared_and_named(rows):
    found = compare(table([*rows("a", *range(8)), *rows("b", math.inf, math.inf, *range(3, 9))]), "a", "b")
    assert only(found).outcome == "better"
    assert only(found).difference == math.inf


def test_repeats_are_averaged_and_parts_left_out(rows):
    some = [*rows("a", 1, 2, 3), *rows("a", 3, 4, 5, repeat=1), *rows("b", 5, 5, 5)]
    parts = [*rows("a", 9, 9, 9, part="half"), *rows("b", 0, 0, 0, part="half")]
    assert only(compare(table([*some, *parts]), "a", "b")).a == 3


def test_the_units_where_they_differ_most_both_ways(rows):
    found = compare(table([*rows("a", 0, 0, 0, 0, 0, 0, 0), *rows("b", 1, 5, 3, 4, 0, -2, -1)]), "a", "b").units
    assert found["unit"].tolist() == ["u1", "u3", "u2", "u5", "u6"]
    assert found["ahead"].tolist() == ["a", "a", "a", "b", "b"]
    assert found["difference"].tolist() == [5, 4, 3, -2, -1]


def test_several_datasets_stand_together_and_alone(rows):
    scores = table(
        row
        for dataset, shift in (("p", 1.0), ("q", 3.0))
        for model, more in (("a", 0.0), ("b", shift))
        for row in rows(model, *(np.arange(6) + more), dataset=dataset)
    )
    found = compare(scores, "a", "b")
    assert found.table[["dataset", "difference", "units"]].values.tolist() == [["", 2, 12], ["p", 1, 6], ["q", 3, 6]]
    assert found.table["p_holm"].iloc[1:].tolist() == [2 * 2 / 2**6] * 2  # corrected together
    assert found.overall["dataset"].tolist() == [""]
    assert found.says == "a significantly beats b on x (12 units)."


def test_what_was_measured_once_shows_the_runners_intervals_and_no_test(rows):
    scores = table([*rows("a", 0.2, unit="*", lo=0.1, hi=0.3), *rows("b", 0.6, unit="*", lo=0.4, hi=0.8, role="blind")])
    found = compare(scores, "a", "b")
    line = only(found)
    assert (line.a_lo, line.a_hi, line.b_lo, line.b_hi) == (0.1, 0.3, 0.4, 0.8)
    assert math.isnan(line.p)
    assert math.isnan(line.lo)
    assert found.says == (
        "1 measure was taken once over all samples, so no paired test is possible: "
        "a is ahead of b on x, with intervals that do not overlap."
    )


def test_one_shared_unit_is_not_tested(rows):
    found = compare(table([*rows("a", 1, unit="u"), *rows("b", 2, unit="u")]), "a", "b")
    assert found.says == "a is ahead of b on x, but 1 unit is too few to test the difference (6 needed)."


def test_any_role_can_be_compared(rows):
    scores = table([*rows("people", *range(7), role="ceiling"), *rows("chance", *range(3, 10), role="blind")])
    assert compare(scores, "chance", "people").says == "people significantly beat chance on x (7 units)."


CASES = {
    "all of several": ((3, 3, 3), "a beats b on 3 of 3 measures, all significantly (Holm, 9 units)."),
    "some of several": ((3, 3, 0.05), "a beats b on 3 of 3 measures, significantly on 2 (Holm, 9 units)."),
    "the other one": ((-3, -3, -3), "b beats a on 3 of 3 measures, all significantly (Holm, 9 units)."),
    "none": ((0.0, 0.0, 0.0), "No significant difference between a and b on 3 measures (9 units)."),
    "mixed": (
        (3, -3, 3),
        "Mixed: of 3 measures, a is significantly better on 2 (x, z) and b on 1 (y) (Holm, 9 units).",
    ),
    "one measure": ((3,), "a significantly beats b on x (9 units)."),
}


@pytest.mark.parametrize(("shifts", "sentence"), CASES.values(), ids=CASES)
def test_the_sentence(rows, shifts, sentence):
    assert compare(random_cells(rows, *shifts, seed=4), "a", "b").says == sentence


def test_the_sentence_where_the_other_is_ahead_somewhere(rows):
    found = compare(random_cells(rows, 3, 3, -0.05, seed=1), "a", "b")
    assert found.says == (
        "a beats b on 2 of 3 measures, all significantly; b is ahead on 1, not significantly (Holm, 9 units)."
    )


def test_too_few_units_are_said_to_be_too_few(rows):
    found = compare(random_cells(rows, 3, 3, units=5), "a", "b")
    assert found.says == "a is ahead of b on 2 of 2 measures, but 5 units are too few to test 2 measures (7 needed)."


def test_measures_on_few_units_do_not_cost_the_others_their_significance(rows):
    many, few = random_cells(rows, 3), random_cells(rows, 3, 3, 3, 3, units=3).assign(settings="k=1", dataset="q")
    found = compare(pd.concat([many, few]), "a", "b")
    assert found.overall["p_holm"].tolist()[0] == found.overall["p"].tolist()[0] == 2 / 2**9
    assert found.overall["p_holm"].isna().tolist() == [False, True, True, True, True]
    assert found.says == (
        "a significantly beats b on x (9 units). "
        "a is ahead of b on 4 of 4 measures, but 3 units are too few to test 4 measures (8 needed)."
    )


@pytest.mark.parametrize("tests", [1, 2, 3, 7, 40])
def test_so_many_units_could_show_something(tests):
    least = units_needed(tests)
    assert tests * 2 / 2**least <= 0.05 < tests * 2 / 2 ** (least - 1)


def test_models_that_share_no_unit(rows):
    found = compare(table([*rows("a", 1, 2), *rows("b", 1, 2, unit="elsewhere", measure="y")]), "a", "b")
    assert found.says == "a and b share no unit on any measure, so they cannot be compared."
    assert found.notes == ("Not compared, because the two share no unit: x, y.",)


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (("a", "blok"), "did you mean 'block'?"),
        (("a", "zzz"), "there are a, block"),
        (("a", "a"), "got 'a' twice"),
    ],
)
def test_misuse(rows, names, why):
    with pytest.raises(Misuse, match=why.replace("?", r"\?")):
        compare(table([*rows("a", 1, 2), *rows("block", 1, 2)]), *names)


def test_one_benchmark_at_a_time(rows):
    scores = table([row for name in "pq" for model in "ab" for row in rows(model, 1, 2, benchmark=name)])
    with pytest.raises(Misuse, match="got scores of p and q; expected one benchmark"):
        bh.compare(scores, "a", "b")
    assert bh.compare(scores, "a", "b", benchmark="q").table["units"].tolist() == [2]
