"""Laws that every measure of the package obeys. A new family of measures needs one entry in INPUTS, and no test.

INPUTS stands in tests/<domain>_inputs.py: by domain, or by domain.family where its families read different things, or
by domain.family.measure where a family's measures do.
"""

import doctest
import functools
import inspect
import math
import re
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beholder.core.cite import library
from beholder.core.measure import Card, NotApplicable, card, fix, result
from beholder.core.model_code import freeze
from beholder.registry.find import domains, find, names
from damage import examples

EVERY = [(f"{domain}.measures", name) for domain in domains() for name in names(f"{domain}.measures")]
quick = examples(30)  # HYPOTHESIS_PROFILE=deep tries a hundred times as many
each_measure = pytest.mark.parametrize(("place", "name"), EVERY, ids=lambda word: word)
MEASURED = sorted({place.partition(".")[0] for place, _ in EVERY})
INPUTS = {key: tried for domain in MEASURED for key, tried in import_module(f"{domain}_inputs").INPUTS.items()}


def inputs(place, name):
    domain, family = place.partition(".")[0], name.partition(".")[0]
    found = INPUTS.get(f"{domain}.{name}") or INPUTS.get(f"{domain}.{family}") or INPUTS.get(domain)
    if found is None:
        pytest.fail(
            f"no inputs for the measures of {domain}.{family}: add INPUTS['{domain}.{family}'] = Inputs(...) "
            f"to tests/{domain}_inputs.py, with a strategy that draws (observed, reference)"
        )
    return found


found = functools.cache(find)  # a look-up reads the files of all families


def variants(place, name):
    """The measure as it is, and with the further settings that INPUTS names."""
    measure = found(place, name)
    yield measure
    for chosen in inputs(place, name).settings.get(measure.__name__, []):
        yield fix(measure, **chosen)


def value(measure, observed, reference):
    """The number, or NaN where there is nothing to measure."""
    freeze((observed, reference))
    try:
        found = result(measure(observed, reference))
    except NotApplicable:
        return math.nan
    assert (found.state in ("na", "failed")) == math.isnan(found.value)
    return found.value


@each_measure
def test_its_card_is_complete(place, name):
    its = card(find(place, name))
    assert isinstance(its, Card)
    assert its.name == name.partition(".")[2] == find(place, name).__name__
    assert its.better in ("higher", "lower")
    assert its.bounds[0] < its.bounds[1]
    assert callable(its.reads)
    assert its.per
    if its.per != "sample":
        assert its.resampling, "a pooled measure says what is resampled for its interval"


@each_measure
def test_its_source_is_in_the_library(place, name):
    keys = [key.strip() for key in card(find(place, name)).cite.split(",") if key.strip()]
    assert keys, "a measure says where it comes from: cite=KEY"
    assert [key for key in keys if key not in library()] == []


@each_measure
def test_its_docstring_has_a_formula_and_an_example(place, name):
    text = inspect.getdoc(find(place, name))
    examples = doctest.DocTestParser().get_examples(text)
    assert [example for example in examples if example.want], "an example that can be checked by hand"
    prose = " ".join(text.partition(">>>")[0].split())
    assert re.search(r"[=/Σ∑√∏∫≤≥<>^·]", prose), "a line with the formula"
    words = r"NaN|\b(un)?defined|not applicable|empt|without an estimate|holes|no known|nothing"
    assert re.search(words, prose, re.IGNORECASE), "how empties and NaN are treated"


@each_measure
def test_its_settings_are_keywords_with_defaults(place, name):
    further = list(inspect.signature(find(place, name)).parameters.values())[2:]
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in further)


@each_measure
@quick
@given(data=st.data())
def test_a_perfect_answer_reaches_the_best_bound(place, name, data):
    kind = inputs(place, name)
    if kind.perfect is None:
        pytest.skip(f"no answer reaches the bounds of {place} {name}: they are limits")
    _, reference = data.draw(kind.pairs)
    for measure in variants(place, name):
        found, best = value(measure, kind.perfect(reference), reference), card(measure).best
        assert math.isnan(found) or math.isinf(best) or found == pytest.approx(best, abs=1e-9)


@each_measure
@quick
@given(data=st.data())
def test_its_values_stay_in_their_bounds(place, name, data):
    pair = data.draw(inputs(place, name).pairs)
    for measure in variants(place, name):
        found, (lo, hi) = value(measure, *pair), card(measure).bounds
        assert math.isnan(found) or lo <= found <= hi
        assert value(measure, *pair) == pytest.approx(found, nan_ok=True, abs=0)  # the same again


@each_measure
def test_some_answers_are_worse_than_the_best(place, name):
    # else the laws above would hold of a constant
    seen, measure, tried = set(), find(place, name), inputs(place, name)

    @quick
    @given(tried.pairs)
    def collect(pair):
        seen.add(value(measure, *pair))
        if tried.perfect and len(seen) == 1:  # random answers may all be the worst
            seen.add(value(measure, tried.perfect(pair[1]), pair[1]))

    collect()
    assert len({number for number in seen if not math.isnan(number)}) > 1


def same(one, other):
    return one == pytest.approx(other, rel=1e-9, abs=1e-12, nan_ok=True)


@each_measure
@quick
@given(data=st.data(), seed=st.integers(0, 9))
def test_the_order_does_not_matter(place, name, data, seed):
    kind = inputs(place, name)
    if kind.shuffled is None:
        pytest.skip(f"the order matters to the measures of {place}")
    pair = data.draw(kind.pairs)
    other = kind.shuffled(*pair, np.random.default_rng(seed))
    for measure in variants(place, name):
        assert same(value(measure, *other), value(measure, *pair))


@each_measure
@quick
@given(data=st.data())
def test_what_is_not_known_changes_nothing(place, name, data):
    kind = inputs(place, name)
    pair = data.draw(kind.pairs)
    for measure in variants(place, name):
        assert same(value(measure, *kind.blurred(*pair)), value(measure, *pair))


@each_measure
def test_where_there_is_nothing_to_measure_there_is_no_number(place, name):
    for measure in variants(place, name):
        assert math.isnan(value(measure, *inputs(place, name).empty))


HOLES = (np.array([5, 6, 8, np.nan], np.float32), np.full(4, 5, np.float32))  # errors 0, 1, 3 and one hole


@pytest.mark.parametrize(
    ("name", "chosen", "expected"),
    [
        ("bad_pixels", {}, 50.0),  # the hole is bad: 2 of 4
        ("bad_pixels", {"invalid": "exclude"}, 100 / 3),  # it is left out: 1 of 3
        ("mae", {}, 4 / 3),  # (0 + 1 + 3) / 3
        ("rms", {}, (10 / 3) ** 0.5),  # (0 + 1 + 9) / 3
        ("density", {}, 0.75),
    ],
)
def test_holes_of_disparity_maps_cost_what_the_docstrings_say(name, chosen, expected):
    assert value(fix(find("stereo.measures", name), **chosen), *HOLES) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "expected"), [("bad_pixels", 100.0), ("density", 0.0), ("mae", math.nan), ("rms", math.nan)]
)
def test_a_map_of_holes_alone(name, expected):
    found = np.full(4, np.nan, np.float32)
    assert value(find("stereo.measures", name), found, HOLES[1]) == pytest.approx(expected, nan_ok=True)


def test_the_walk_meets_every_family_and_says_what_is_missing():
    assert ("stereo.measures", "disparity.bad_pixels") in EVERY
    with pytest.raises(pytest.fail.Exception, match=r"add INPUTS\['smell\.odour'\] = Inputs"):
        inputs("smell.measures", "odour.near")
