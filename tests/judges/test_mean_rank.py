import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from beholder.core.scores import Score, table
from beholder.errors import Misuse
from beholder.judges.mean_rank import mean_rank
from beholder.stats.small_samples import mean_interval

# The ranks that Mei et al. 2011 print beside the twelve values of ADCensus; their table gives the mean as 5.8.
ADCENSUS = (12, 10, 14, 2, 7, 2, 4, 3, 4, 3, 5, 4)


def test_the_mean_of_printed_ranks_is_the_printed_mean_rank(matrix):
    # In each column as many others are better as the printed rank says, and the rest are worse.
    others = [[0.0 if other < rank - 1 else 2.0 for rank in ADCENSUS] for other in range(14)]
    standing = mean_rank(matrix([np.ones(12), *others], ["ADCensus", *map(str, range(14))])).standing
    assert standing.loc["ADCensus", "mean_rank"] == pytest.approx(70 / 12)
    assert f"{standing.loc['ADCensus', 'mean_rank']:.2f}" == "5.83"


@pytest.mark.parametrize("ties", ["min", "average"])
@settings(max_examples=40, deadline=None)
@given(losses=arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(0, 3).map(float)))
def test_mean_ranks_are_those_of_scipy(ties, losses):
    from scipy.stats import rankdata

    rows = [
        Score("b", 1, f"m{m}", "model", "toy", f"u{u}", 0, "bad", "", "", "all", "lower", v, 0, 0, 1, "ok", "", "")
        for m, own in enumerate(losses)
        for u, v in enumerate(own)
    ]
    standing = mean_rank(table(rows), ties=ties).standing
    expected = rankdata(losses, method=ties, axis=0).mean(axis=1)
    assert standing["mean_rank"].sort_index().tolist() == pytest.approx(expected.tolist())
    assert standing["mean_rank"].is_monotonic_increasing


def test_directions_may_differ(row):
    values = {"a": (0.9, 3.0), "b": (0.5, 1.0), "c": (0.7, 4.0)}
    rows = [
        row(m, "1", v, measure=k, better=b)
        for m, own in values.items()
        for v, k, b in zip(own, ("hit", "bad"), ("higher", "lower"), strict=True)
    ]
    standing = mean_rank(table(rows)).standing
    assert standing["mean_rank"].to_dict() == {"a": 1.5, "b": 2.0, "c": 2.5}
    assert standing["hit (all)"].to_dict() == {"a": 1.0, "b": 3.0, "c": 2.0}


def test_ties_at_printed_decimals(matrix):
    # CoopRegion and AdaptingBP both print 0.21 on Venus/all and have ranks 3 and 4.
    scores = matrix([[0.214], [0.206], [0.25]], ["AdaptingBP", "CoopRegion", "ADCensus"])
    assert mean_rank(scores).standing["mean_rank"].to_dict() == {"CoopRegion": 1, "AdaptingBP": 2, "ADCensus": 3}
    printed = mean_rank(scores, decimals=2).standing["mean_rank"]
    assert printed.to_dict() == {"AdaptingBP": 1, "CoopRegion": 1, "ADCensus": 3}
    shared = mean_rank(scores, decimals=2, ties="average").standing["mean_rank"]
    assert shared.to_dict() == {"AdaptingBP": 1.5, "CoopRegion": 1.5, "ADCensus": 3}


def test_ties_are_named():
    with pytest.raises(Misuse, match="got ties='max'; expected 'min'"):
        mean_rank(table([]), ties="max")


def test_the_interval_is_over_units_of_all_datasets(row):
    rng = np.random.default_rng(6)
    cells = [("x", "all"), ("x", "disc"), ("y", "all")]
    places = [(dataset, str(unit)) for dataset in ("north", "south") for unit in range(6)]
    rows = [
        row(m, unit, rng.normal(), dataset=dataset, measure=k, criterion=c)
        for m in "abc"
        for dataset, unit in places
        for k, c in cells
    ]
    standing = mean_rank(table(rows)).standing
    values = np.array([r.value for r in rows]).reshape(3, len(places), len(cells))
    each = (values[None] < values[:, None]).sum(axis=1) + 1.0
    lo, hi = mean_interval(each.mean(axis=2).T)
    for at, model in enumerate("abc"):
        assert standing.loc[model, ["mean_rank", "lo", "hi"]].tolist() == pytest.approx(
            [each[at].mean(), lo[at], hi[at]]
        )


def test_units_with_fewer_components_weigh_less(row):
    rows = [row(m, "1", v, criterion=c) for m, v in (("a", 1.0), ("b", 2.0)) for c in ("all", "disc", "flat")]
    standing = mean_rank(table([*rows, row("a", "2", 2.0), row("b", "2", 1.0)])).standing
    assert standing["mean_rank"].to_dict() == {"a": 1.25, "b": 1.75}


def test_the_sentence(matrix):
    verdict = mean_rank(matrix([[1, 1, 1], [2, 2, 2], [3, 3, 3]], ["a", "b", "c"], criterion="disc"))
    assert verdict.says == (
        "a leads the 3 models by mean rank, 1 [1, 1], on bad (disc) over 3 units of toy; 3 units are "
        "too few to test the differences (6 are needed)"
    )
    assert verdict.method == "mean rank"


def test_measures_with_unlike_votes_are_noted(row):
    rows = [row(m, u, v) for m, v in (("a", 1.0), ("b", 2.0)) for u in "123"]
    rows += [row(m, "*", v, measure="spectrum") for m, v in (("a", 2.0), ("b", 1.0))]
    verdict = mean_rank(table(rows))
    assert [*map(str, verdict.notes)] == [
        "every component has one vote, so measures with more components count more: bad (all) 3, spectrum (all) 1",
    ]
    assert verdict.standing["mean_rank"].to_dict() == {"a": 1.25, "b": 1.75}


def test_a_model_without_a_value_where_others_have_one_can_be_left_out_instead_of_the_component():
    def row(model, measure, unit, value, state="ok"):
        where = ("b", 1, model, "model", "toy", unit, 0, measure, "", "", "all", "lower")
        score = Score(*where, value, 0, 0, 1, state, "", "")
        return score._replace(value=np.nan, reason="it is constant") if state == "na" else score

    rows = [
        *(row("a", m, u, 1.0) for m in ("far", "off") for u in "12"),
        *(row("b", m, u, 2.0) for m in ("far", "off") for u in "12"),
        *(row("flat", "off", u, 0.0) for u in "12"),
        *(row("flat", "far", u, 0.0, "na") for u in "12"),
        *(row("a", m, "3", 1.0) for m in ("far", "off")),  # b was shown nothing here, and did not answer
        *(row("b", m, "3", 0.0, "na") for m in ("far", "off")),
        *(row("flat", m, "3", 0.0, "na") for m in ("far", "off")),
    ]
    assert mean_rank(table(rows)).best == ("flat",)
    verdict = mean_rank(table(rows), undefined="model")
    assert (verdict.best, verdict.left_out) == (("a",), {"flat": "far: it is constant"})
    assert "far and off" in verdict.says or "far, off" in verdict.says
    assert "over 2 units" in verdict.says
    with pytest.raises(Misuse, match="expected 'component' or 'model'"):
        mean_rank(table(rows), undefined="unit")


def test_scores_of_low_confidence_can_be_set_apart(row):
    rows = [row(m, u, v) for m, v in (("a", 2.0), ("b", 3.0)) for u in "1234"]
    rows += [row("adapter", u, 1.0, state="low", reason="no likelihood") for u in "1234"]
    assert mean_rank(table(rows)).best == ("adapter",)
    verdict = mean_rank(table(rows), low="apart")
    assert verdict.best == ("a",)
    assert verdict.left_out == {"adapter": "of low confidence: no likelihood"}
    with pytest.raises(Misuse, match="expected 'judged' or 'apart'"):
        mean_rank(table(rows), low="below")
