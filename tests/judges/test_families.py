"""Dominance over families: one number each, whatever the units of the measures in it."""

import math

import numpy as np
import pytest

from beholder.core.scores import table
from beholder.errors import Misuse
from beholder.judges.families import families
from beholder.judges.pareto import pareto
from beholder.stats.ranks import ranks

THREE = {"where": ("near", "far"), "when": ("order",), "how": ("speed",)}


@pytest.fixture
def rows(row):
    """A table of models × measures × units; what is in `better` is better higher."""

    def made(values, better=()):
        return [
            row(model, f"u{unit}", value, measure=of, better="higher" if of in better else "lower")
            for model, own in values.items()
            for of, several in own.items()
            for unit, value in enumerate(several)
        ]

    return made


VALUES = {
    "a": {"near": (1, 1), "far": (10, 30), "order": (0.9, 0.8), "speed": (5.0,)},
    "b": {"near": (2, 3), "far": (20, 20), "order": (0.7, 0.9), "speed": (4.0,)},
    "c": {"near": (3, 2), "far": (30, 10), "order": (0.1, 0.1), "speed": (6.0,)},
}


def test_numbers_by_hand(rows):
    verdict = families(table(rows(VALUES, better=("order",))), families=THREE)
    standing = verdict.standing
    # near: a 1, 1; b 2, 3; c 3, 2. far: a 1, 3; b 2, 2; c 3, 1. Each measure weighs alike.
    assert standing["where"].to_dict() == {"a": 1.5, "b": 2.25, "c": 2.25}
    assert standing["when"].to_dict() == {"a": 1.5, "b": 1.5, "c": 3.0}
    assert standing["how"].to_dict() == {"a": 2.0, "b": 1.0, "c": 3.0}
    assert standing["layer"].to_dict() == {"a": 1, "b": 1, "c": 2}
    assert standing["dominated_by"]["c"] == "a, b"
    assert verdict.best == ("a", "b")
    assert verdict.says == (
        "2 of 3 models are undominated on the mean ranks in where, when, how over 2 units of toy: a, b; "
        "c is dominated by a, b"
    )


def test_a_measure_counts_once_however_many_units_it_has(row):
    made = [row(m, f"u{u}", v, measure="many") for m, v in (("a", 1.0), ("b", 2.0)) for u in range(20)]
    made += [row(m, "*", v, measure="once") for m, v in (("a", 2.0), ("b", 1.0))]
    standing = families(table(made), families={"both": ("many", "once")}).standing
    assert standing["both"].to_dict() == {"a": 1.5, "b": 1.5}


def test_scales_and_directions_do_not_count(rows):
    plain = families(table(rows(VALUES, better=("order",))), families=THREE).standing
    wild = {m: {**own, "near": tuple(1e6 * v**3 for v in own["near"])} for m, own in VALUES.items()}
    turned = {m: {**own, "order": tuple(-v for v in own["order"])} for m, own in wild.items()}
    assert families(table(rows(turned)), families=THREE).standing.equals(plain)


def test_one_family_is_an_order_by_mean_rank(matrix):
    losses = np.random.default_rng(0).normal(size=(7, 31)) + 3 * np.arange(7)[:, None]
    standing = families(matrix(losses)).standing
    mean = ranks(losses, "average").mean(axis=1)
    assert standing["layer"].tolist() == list(range(1, 8))
    assert standing["bad"].tolist() == pytest.approx(sorted(mean))


def test_families_of_one_measure_on_one_unit_are_pareto_on_components(row):
    values = np.random.default_rng(3).normal(size=(9, 4))
    made = table([row(f"m{at}", "u", v, measure=f"q{q}") for at, own in enumerate(values) for q, v in enumerate(own)])
    ours, theirs = families(made).standing, pareto(made).standing
    assert ours["layer"].to_dict() == theirs["layer"].to_dict()
    assert families(made).best == pareto(made).best


def test_the_share_of_draws_by_hand(row):
    # Two units of one measure: a is better on the first, b on the second. Two draws of two units: both in half of the
    # samples, where they tie; each alone in a quarter.
    made = [row("a", "1", 1.0), row("b", "1", 2.0), row("a", "2", 2.0), row("b", "2", 1.0)]
    inside = families(table(made), draws=40_000).standing["in_best"]
    assert inside.to_dict() == pytest.approx({"a": 0.75, "b": 0.75}, abs=0.01)


def test_what_is_measured_once_stays_in_every_draw(rows):
    verdict = families(
        table(rows({**VALUES, "c": {**VALUES["c"], "speed": (1.0,)}}, better=("order",))), families=THREE
    )
    assert verdict.standing["in_best"]["c"] == 1.0
    values = {m: {of: own[of] for of in ("near", "order")} for m, own in VALUES.items()}
    made = [*rows(values), *[r._replace(unit="*") for r in rows({m: {"speed": o["speed"]} for m, o in VALUES.items()})]]
    verdict = families(table(made), families={"where": ("near",), "when": ("order",), "how": ("speed",)})
    assert "measured once over the whole dataset, and the same in every draw: speed (all)" in map(str, verdict.notes)


def test_a_model_without_a_family_is_left_out_by_name(rows, row):
    still = {"near": (0.5, 0.5), "far": (1, 1), "order": (0.1, 0.1)}
    made = rows({**VALUES, "still": still}, better=("order",))
    made.append(row("still", "u0", math.nan, measure="speed", state="na", reason="the model made no saccade"))
    verdict = families(table(made), families=THREE)
    assert verdict.left_out == {"still": "no value in the family how: the model made no saccade"}
    assert set(verdict.standing.index) == {"a", "b", "c"}
    assert verdict.standing["how"].to_dict() == {"a": 2.0, "b": 1.0, "c": 3.0}
    assert verdict.says.endswith("; left out: still (no value in the family how: the model made no saccade)")


def test_a_gap_within_a_family_costs_the_component_and_not_the_model(rows):
    made = rows(VALUES, better=("order",))
    at = next(i for i, r in enumerate(made) if (r.model, r.measure, r.unit) == ("b", "far", "u0"))
    made[at] = made[at]._replace(value=math.nan, state="na", reason="too short")
    verdict = families(table(made), families=THREE)
    assert verdict.standing["where"].to_dict() == {"a": 2.0, "b": 2.25, "c": 1.75}  # far: the second unit alone
    assert "1 of 7 components do not apply to every model and were left out" in map(str, verdict.notes)


def test_a_name_without_settings_means_all_variants(row):
    made = [
        row(m, "1", v, measure=of, settings=settings)
        for m, v in (("a", 1), ("b", 2))
        for of, settings in (("stde", "norm=k"), ("stde", "norm=rms"), ("x", ""))
    ]
    verdict = families(table(made), families={"order": ("stde",)})
    assert verdict.standing["order"].to_dict() == {"a": 1.0, "b": 2.0}
    assert "families: order: stde(norm=k), stde(norm=rms)" in map(str, verdict.notes)
    assert "not judged, because in no family: x" in map(str, verdict.notes)
    one = families(table(made), families={"order": ("stde(norm=k)",)})
    assert "not judged, because in no family: stde(norm=rms), x" in map(str, one.notes)


def test_families_that_cannot_be_are_misuse(matrix):
    with pytest.raises(Misuse, match="got families of good, fine; none of these is in the table: bad"):
        families(matrix([[1], [2]]), families={"x": ("good",), "y": ("fine",)})
    with pytest.raises(Misuse, match="got the measure 'bad' in two families"):
        families(matrix([[1], [2]]), families={"x": ("bad",), "y": "bad"})


def test_a_family_of_which_the_table_has_nothing_is_noted(matrix):
    verdict = families(matrix([[1, 2], [2, 3]]), families={"x": ("bad",), "how": ("speed",)})
    assert verdict.best == ("m0",)
    assert "no measure of these families is in the table: how" in map(str, verdict.notes)


def test_a_model_that_was_asked_rarely_does_not_cost_the_others_their_units(row):
    made = [row(m, f"u{u}", v) for m, v in (("a", 1.0), ("b", 2.0)) for u in range(5)]
    made += [row("rare", f"u{u}", 0.0) for u in range(2)]
    made += [row("rare", f"u{u}", math.nan, state="na", reason="was not asked") for u in range(2, 5)]
    verdict = families(table(made))
    assert verdict.left_out == {"rare": "has values on only 2 of 5 units, and would cost all models the others"}
    assert not any("do not apply" in note for note in map(str, verdict.notes))
    often = [r._replace(value=0.0, state="ok") if (r.model, r.unit) == ("rare", "u2") else r for r in made]
    assert set(families(table(often)).standing.index) == {"a", "b", "rare"}
