"""Figure 2 of Zanca et al. (2020): what edits tie, amplitudes tell apart, if two sides of the triangle share a bin."""

import numpy as np
import pytest

from beholder.attention.gaze.saccades import moves
from beholder.attention.measures.dynamics import amplitude_divergence
from beholder.attention.measures.string_edit import string_edit
from beholder.attention.types import Lookers
from beholder.claims import zanca_figure_2 as figure


def compared(places, by="kl"):
    human = Lookers({"human": figure.route("ABC", places)}, (400, 520))
    return [
        amplitude_divergence([moves([figure.route(path, places)])], [human], by=by).parts["raw"]
        for path in ("ACB", "BAC")
    ]


def test_the_claim_holds_where_c_is_as_far_from_both():
    claim = figure.figure_two()
    assert claim.holds is True
    assert "edits 1 and 1; KL 0.0" in claim.here
    long, short = compared(figure.PLACES)
    assert short == 0  # the same two lengths as the person's
    assert long > 0


@pytest.mark.parametrize("by", ["kl", "kl_model_people", "js", "wasserstein", "ks"])
def test_every_divergence_prefers_the_short_first_saccade(by):
    long, short = compared(figure.PLACES, by)
    assert short < long


def test_plain_levenshtein_needs_two_edits():
    human = Lookers({"human": figure.route("ABC", figure.PLACES)}, (400, 520))
    for path in ("ACB", "BAC"):
        found = figure.route(path, figure.PLACES)
        assert string_edit(found, human, areas=(13, 10)).value == 1
        assert string_edit(found, human, areas=(13, 10), kind="levenshtein").value == 2


def test_bins_tie_where_the_long_sides_differ():
    places = figure.PLACES | {"C": (480.0, 60.0)}
    long, short = compared(places)
    assert short == pytest.approx(long, abs=1e-12)
    long, short = compared(places, "wasserstein")
    assert short < long


def test_shares_over_random_triangles():
    found = figure.preferences(np.random.default_rng(1), 60)
    assert found["kl tie"] > 0.5 > found["kl"] > 0
    assert found["wasserstein"] > 0.6
    places = figure.triangle(np.random.default_rng(2))
    sides = {a + b: np.hypot(*np.subtract(places[a], places[b])) for a, b in ("AB", "AC", "BC")}
    assert min(sides, key=sides.get) == "AB"
