"""A law for all measures of scanpaths: whatever a scanpath is like there is a number, or a reason why there is none."""

import math
from itertools import product

import numpy as np
import pytest

from attention_walks import ODD, SHAPE, controls
from beholder.attention.gaze.saccades import model_moves
from beholder.attention.paths.pairs import read_scanpaths
from beholder.attention.types import Lookers, Picture, keep_inside
from beholder.core.measure import NotApplicable, Result, card, result
from beholder.registry.find import find, names

PICTURE = Picture(np.zeros((*SHAPE, 3), np.uint8), 8.0)
EVERY = {name: find("attention.measures", name) for name in names("attention.measures")}
MEASURES = {name: measure for name, measure in EVERY.items() if card(measure).reads in (read_scanpaths, model_moves)}
LEAST = {"multimatch": 2, "subsmatch": 2, "tde": 2, "string_tde": 2}  # fixations that a measure needs; all others 1
each = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
each_pair = pytest.mark.parametrize(
    "measure",
    [pytest.param(of, id=name) for name, of in MEASURES.items() if not name.startswith(("recurrence", "dynamics"))],
)


def looked(name):
    path, off = keep_inside(ODD[name], SHAPE)
    return Lookers({"a": path}, SHAPE, 8.0, controls(np.random.default_rng(0)), dropped=off)


def tried(measure, model, human):
    """The result, through the readout, as a run would have it."""
    found = card(measure).reads(ODD[model], PICTURE)
    pair = ([found], [looked(human)]) if card(measure).per == "dataset" else (found, looked(human))
    try:
        return result(measure(*pair))
    except NotApplicable as reason:
        return Result(math.nan, state="na", reason=str(reason))


def test_the_walk_finds_all_families():
    assert {name.partition(".")[0] for name in MEASURES} == {
        *("string_edit", "mannan", "multimatch", "scanmatch", "subsmatch", "time_delay", "recurrence"),
        *("elastic", "scasim", "sequence_score", "dynamics"),
    }


@each
def test_every_scanpath_gives_a_number_or_a_reason(measure):
    lo, hi = card(measure).bounds
    for model, human in product(ODD, ODD):
        found = tried(measure, model, human)
        if found.state == "na":
            assert math.isnan(found.value)
            assert len(found.reason) > 10, (model, human)
        else:
            assert lo <= found.value <= hi, (model, human)
            assert not any(math.isinf(part) for part in found.parts.values())


@each
def test_ordinary_scanpaths_have_numbers(measure):
    assert tried(measure, "collinear", "collinear").state != "na"


@each_pair
@pytest.mark.parametrize("odd", ["one", "two", "collinear", "duplicated", "outside"])
def test_equal_scanpaths_are_as_alike_as_can_be(measure, odd):
    found = tried(measure, odd, odd)
    kept = len(keep_inside(ODD[odd], SHAPE)[0])
    if kept < LEAST.get(measure.__name__, 1):
        assert found.state == "na"
    else:
        assert found.value == pytest.approx(card(measure).best, abs=1e-9)


@each_pair
def test_a_model_that_fixated_nothing_never_scores_well(measure):
    for odd in ("empty", "all outside"):
        found = tried(measure, odd, "collinear")
        assert found.state == "na" or found.value != pytest.approx(card(measure).best)
