"""Laws that every benchmark of the package obeys."""

import inspect
import math
import pickle

import pytest

from beholder.core.benchmark import Recorded
from beholder.core.measure import Card, NotApplicable, card
from beholder.engines.parcels import pack
from beholder.errors import NeedsDataset
from beholder.evaluation.run import enlist
from beholder.registry.find import domains, find, names
from beholder.registry.load import load

EVERY = [f"{domain}/{name}" for domain in domains() for name in names(f"{domain}.benchmarks")]
each_benchmark = pytest.mark.parametrize("name", EVERY)


@pytest.fixture
def bench(name):
    """The benchmark on its own dataset."""
    try:
        return load(name)
    except NeedsDataset as fault:
        return pytest.skip(f"{name} has no dataset of its own: {fault}")


@each_benchmark
def test_it_is_called_what_its_file_is_called(bench, name):
    assert bench.name == name
    assert bench.domain == name.partition("/")[0]


@each_benchmark
def test_it_says_what_it_is(bench, name):
    domain, _, own = name.partition("/")
    assert inspect.getdoc(find(f"{domain}.benchmarks", own))
    assert bench.about


@each_benchmark
def test_it_has_a_version_measures_criteria_and_judges(bench):
    assert isinstance(bench.version, int)
    assert bench.version >= 1
    assert bench.measures
    assert all(isinstance(card(m), Card) for m in bench.all_measures)
    assert bench.criteria
    assert all(callable(criterion.select) for criterion in bench.criteria)
    assert bench.judges
    assert all(callable(judge) for judge in bench.judges)


@each_benchmark
def test_models_have_someone_to_be_compared_with(bench):
    for role in ("baseline", "blind"):
        assert bench.provided(role), f"at least one {role} model"
        for name in bench.provided(role):
            model = bench.provide(role, name)
            assert callable(model) or isinstance(model, Recorded)
    names = [entrant.name for entrant in enlist(bench, {})]
    assert len(set(names)) == len(names)


@each_benchmark
def test_it_travels_as_its_spec(bench, name):
    sent = pack(bench)
    assert len(sent) < 500
    back = pickle.loads(sent)
    assert (back.name, back.version, back.official) == (name, bench.version, bench.official)
    assert (back.dataset.ids, back.dataset.fingerprint) == (bench.dataset.ids, bench.dataset.fingerprint)
    part = pickle.loads(pack(load(name, ids=bench.dataset.ids[-1:])))
    assert part.dataset.ids == bench.dataset.ids[-1:]
    assert part.dataset.fingerprint == bench.dataset.fingerprint


@each_benchmark
@pytest.mark.parametrize(
    "rubbish", [None, object(), len, {"answer": object()}], ids=["None", "object", "function", "dict"]
)
def test_rubbish_is_refused_with_a_sentence(bench, rubbish):
    with pytest.raises((ValueError, TypeError), match=r"got .*; expected"):
        bench.accept(rubbish, bench.dataset[0].stimulus)


@each_benchmark
def test_the_first_criterion_of_the_first_sample_can_be_measured(bench):
    sample = bench.dataset[0]
    given = [bench.provide("baseline", own) for own in bench.provided("baseline")]
    callables = [m for m in given if callable(m)]
    model = next((m for m in callables if "rng" not in inspect.signature(m).parameters), None)
    if model is None or card(bench.measures[0]).per != "sample" or bench.lineup.people:
        pytest.skip("its measures are not taken of one sample and one answer")
    accepted = bench.accept(model(sample.stimulus), sample.stimulus)
    measured = {measure: taken(measure, bench, accepted, sample) for measure in bench.measures[:2]}
    assert not all(math.isnan(found) for found in measured.values())
    for measure, found in measured.items():
        lo, hi = card(measure).bounds
        assert math.isnan(found) or lo <= found <= hi


def taken(measure, bench, accepted, sample):
    """What a measure says; NaN where it does not apply, as commonsense does not without a network."""
    try:
        answer = card(measure).reads(accepted, sample.stimulus)
        found = measure(*bench.criteria[0].select(answer, sample.reference))
        return getattr(found, "value", found)
    except NotApplicable:
        return math.nan


def test_the_walk_meets_them():
    assert "stereo/dense" in EVERY
