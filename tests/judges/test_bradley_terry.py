import math

import numpy as np
import pytest

from beholder.core.scores import table
from beholder.errors import Misuse
from beholder.judges.bradley_terry import bradley_terry


def trials(row, *games):
    """Rows of trials: (winner, loser, times), or a tie."""
    made = []
    for a, b, times, *tie in games:
        for _ in range(times):
            unit = f"t{len(made) // 2}"
            made += [row(a, unit, 0.5 if tie else 1.0, measure="prefers", better="higher")]
            made += [row(b, unit, 0.5 if tie else 0.0, measure="prefers", better="higher")]
    return table(made)


def test_two_models_in_closed_form(row):
    standing = bradley_terry(trials(row, ("a", "b", 7), ("b", "a", 3)), prior=0).standing
    assert standing.loc["a", "strength"] - standing.loc["b", "strength"] == pytest.approx(math.log(7 / 3))
    assert standing["beats_best"].to_dict() == pytest.approx({"a": 0.5, "b": 0.3})
    assert standing["won"].to_dict() == pytest.approx({"a": 0.7, "b": 0.3})


def test_a_tie_is_half_a_win(row):
    found = bradley_terry(trials(row, ("a", "b", 6), ("a", "b", 4, "tie")), prior=0).standing
    assert found.loc["a", "strength"] - found.loc["b", "strength"] == pytest.approx(math.log(8 / 2))


def test_preferences_of_an_incomplete_design(row):
    # a and c never met: 4 : 1 and 9 : 1 make 36 : 1.
    scores = trials(row, ("a", "b", 4), ("b", "a", 1), ("b", "c", 9), ("c", "b", 1))
    standing = bradley_terry(scores, prior=0).standing
    assert list(standing.index) == ["a", "b", "c"]
    assert standing.loc["a", "strength"] - standing.loc["c", "strength"] == pytest.approx(math.log(36))


def test_wins_are_counted_on_every_component(matrix):
    losses = np.array([[1, 5, 1, 1, 7], [2, 4, 2, 2, 7]])
    standing = bradley_terry(matrix(losses), prior=0).standing
    assert standing.loc["m0", "strength"] - standing.loc["m1", "strength"] == pytest.approx(math.log(3.5 / 1.5))


def test_the_prior_keeps_strengths_finite(matrix, row):
    scores = matrix([[1, 1, 1], [2, 2, 2]])
    verdict = bradley_terry(scores)
    gap = verdict.standing["strength"]["m0"] - verdict.standing["strength"]["m1"]
    assert gap == pytest.approx(math.log(3.5 / 0.5))
    assert "0.5 wins each way were added to every pair that was compared" in map(str, verdict.notes)
    with pytest.raises(Misuse, match="never lost to the others, so their strength is infinite: m0; use"):
        bradley_terry(scores, prior=0)
    with pytest.raises(Misuse, match="got prior=-1"):
        bradley_terry(scores, prior=-1)


@pytest.mark.parametrize("prior", [0, 0.5])
def test_models_that_never_met_are_refused(row, prior):
    scores = trials(row, ("a", "b", 2), ("b", "a", 2), ("c", "d", 1), ("d", "c", 1))
    with pytest.raises(Misuse, match=r"never compared with the others: (a, b|c, d); judge them separately"):
        bradley_terry(scores, prior=prior)


def test_the_interval_is_over_units(matrix):
    rng = np.random.default_rng(1)
    losses = rng.normal(size=(2, 40)) + np.array([[0.0], [0.4]])
    standing = bradley_terry(matrix(losses), draws=4000, prior=0).standing
    ahead = losses[0] < losses[1]
    share = ahead[rng.integers(0, 40, size=(4000, 40))].mean(axis=1)
    lo, hi = np.quantile(np.log(share / (1 - share)) / 2, [0.025, 0.975])
    assert standing.loc["m0", ["lo", "hi"]].tolist() == pytest.approx([lo, hi], abs=0.05)


def test_criteria_of_a_unit_are_drawn_together(row):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(2, 20))
    rows = [row(m, str(u), v, criterion=c) for m, own in zip("ab", values, strict=True) for u, v in enumerate(own)
            for c in ("all", "disc", "flat")]  # fmt: skip
    one = bradley_terry(table([r for r in rows if r.criterion == "all"]), prior=0).standing
    three = bradley_terry(table(rows), prior=0).standing
    assert three[["strength", "lo", "hi"]].to_numpy() == pytest.approx(one[["strength", "lo", "hi"]].to_numpy())


def test_draws_without_a_finite_strength_are_left_out(row):
    verdict = bradley_terry(trials(row, ("a", "b", 3), ("b", "a", 1)), prior=0, draws=400)
    (note,) = (note for note in map(str, verdict.notes) if "infinite" in note)
    # b wins no draw of four with probability (3/4)⁴ = 0.32, a none with (1/4)⁴ = 0.004.
    assert int(note.split()[0]) / 400 == pytest.approx(0.32, abs=0.07)
    assert verdict.standing[["lo", "hi"]].notna().all(axis=None)


def test_failures_leave_a_model_out_but_absence_does_not(row):
    scores = trials(row, ("a", "b", 3), ("b", "a", 1))
    more = table([row("c", "t0", math.nan, measure="prefers", better="higher", state="failed", reason="broke")])
    import pandas as pd

    verdict = bradley_terry(pd.concat([scores, more]))
    assert verdict.left_out == {"c": "1 of 1 scores failed: broke"}
    assert set(verdict.standing.index) == {"a", "b"}


def test_many_models_have_no_interval(matrix):
    verdict = bradley_terry(matrix(np.random.default_rng(0).normal(size=(500, 4))))
    assert verdict.standing["lo"].isna().all()
    assert "with this many models the interval rests on 0 draws instead of 1000" in map(str, verdict.notes)
