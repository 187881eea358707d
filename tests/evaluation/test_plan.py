"""What is asked of several benchmarks at once."""

from dataclasses import replace

import pytest

from beholder.core.sample import Dataset
from beholder.errors import Misuse
from beholder.evaluation import plan as plans
from beholder.evaluation.execute import Options
from beholder.evaluation.forecast import forecast
from beholder.evaluation.plan import Request, plan
from beholder.evaluation.run import enlist


def test_of_several_benchmarks_each_takes_the_settings_that_it_has():
    what = plan(Request("motion", settings={"models": "none"}))
    brought = {one.benchmark.name: one.benchmark.provided("baseline") for one in what.evaluations}
    assert not brought["motion/static"]
    assert not brought["motion/beyond"]
    assert brought["motion/perceived_flow"]  # which has no such setting


def test_a_setting_that_none_has_is_refused():
    with pytest.raises(Misuse, match=r"none of these \d+ benchmarks has a setting 'modles'; did you mean 'models'"):
        plan(Request("motion", settings={"modles": "none"}))


def test_one_benchmark_must_have_every_setting():
    with pytest.raises(Misuse, match="benchmark motion/depth has no setting 'models'"):
        plan(Request("motion/depth", settings={"models": "none"}))


@pytest.mark.parametrize("target", ["stereo/dense", "motion/static", "motion/depth", "motion/multistable"])
def test_planning_loads_no_sample(target, monkeypatch):
    """Blind models and oracles are made when they are first asked: --dry-run and --only ONE touch no other sample."""
    met = []
    load = Dataset.__getitem__
    monkeypatch.setattr(Dataset, "__getitem__", lambda self, at: met.append(at) or load(self, at))
    whole = plan(Request(target))
    one = whole.evaluations[0].benchmark.dataset.ids[-1]
    bench = whole.evaluations[0].benchmark
    spied = replace(bench.dataset, load=lambda id: met.append(id) or bench.dataset.load(id))
    enlist(bench.on(spied.only([one])), {})
    assert met == []


@pytest.mark.parametrize(
    ("target", "drawing"),
    [
        ("attention/saliency", "beholder.attention.datasets._scenes.pixels"),
        ("attention/scanpath", "beholder.attention.datasets._scenes.pixels"),
        ("motion/perceived_flow", "beholder.motion.datasets.simulated_observers.picture"),
    ],
)
def test_who_looked_is_read_without_what_was_seen(target, drawing, monkeypatch):
    """The roster of people and how long they looked come from references: no picture is drawn to plan a run."""

    def refuse(*args, **kwargs):
        raise AssertionError("a stimulus was made")

    monkeypatch.setattr(drawing, refuse)
    assert plan(Request(target)).evaluations[0].trials
    with pytest.raises(AssertionError, match="a stimulus was made"):
        plan(Request(target)).evaluations[0].benchmark.dataset[0]


def test_the_benchmark_is_built_once_and_entrants_are_listed_once(monkeypatch):
    built, listed = [], []
    build, enlists = plans.benchmark, plans.enlist
    monkeypatch.setattr(plans, "benchmark", lambda *spec: built.append(spec) or build(*spec))
    monkeypatch.setattr(plans, "enlist", lambda *given: listed.append(given) or enlists(*given))
    what = plan(Request("stereo/dense", ("random_dots(count=3,size=64)",), limit=1))
    forecast(what, Options())
    assert (len(built), len(listed)) == (1, 1)
    assert what.evaluations[0].trials == len(what.evaluations[0].entrants)
