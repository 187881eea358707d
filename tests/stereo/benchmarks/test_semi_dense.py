import numpy as np
import pytest

from beholder.core.benchmark import Answers, Recorded, Unjudged
from beholder.core.scores import labels
from beholder.evaluation.run import run
from beholder.judges.mean_rank import mean_rank
from beholder.judges.pareto import pareto
from beholder.registry.load import load
from beholder.registry.models import models
from beholder.stereo.benchmarks.dense import dense
from beholder.stereo.benchmarks.local import local
from beholder.stereo.benchmarks.semi_dense import semi_dense
from beholder.stereo.datasets.random_dots import random_dots


def test_what_it_is():
    benchmark = semi_dense()
    assert (benchmark.name, benchmark.version) == ("stereo/semi_dense", 2)
    assert benchmark.official == ("bad_pixels(invalid=exclude)", "density")
    assert [c.name for c in benchmark.criteria] == ["nonocc", "disc"]
    assert [judge.__name__ for judge in benchmark.judges] == ["pareto", "mean_rank"]
    assert benchmark.unjudged == Unjudged()
    assert benchmark.lineup.right == dict.fromkeys(("flat", "mean_disparity", "random"), ("density",))
    assert semi_dense(random_dots(2)).dataset.name == "random_dots"


def test_holes_cost_density_alone():
    benchmark = semi_dense(random_dots(1))
    sample = benchmark.dataset[0]
    half = sample.reference.disparity.copy()
    half[:, ::2] = np.nan
    half[:, 1::4] += 5  # every second estimate is wrong
    answer = benchmark.accept(half, sample.stimulus)
    for criterion in benchmark.criteria:
        pair = criterion.select(answer, sample.reference)
        assert benchmark.measures[0](*pair) == pytest.approx(50, abs=5)
        assert benchmark.measures[1](*pair) == pytest.approx(0.5, abs=0.05)


def test_the_baselines_leave_holes():
    benchmark = semi_dense(random_dots(3))
    for name, model in benchmark.lineup.baselines.items():
        found = benchmark.accept(model(benchmark.dataset[2].stimulus), benchmark.dataset[2].stimulus)
        assert 0.005 < np.isnan(found).mean() < 0.5, name


def test_labels_are_specs_and_no_label_means_two_things():
    """Answers are kept by the name of the baseline: the same name elsewhere must be the same model."""
    benchmark = load("stereo/semi_dense", dataset="random_dots(count=1,size=64)")
    pair = benchmark.dataset[0].stimulus
    for label, model in benchmark.lineup.baselines.items():
        (plug,) = models(label, benchmark).values()
        np.testing.assert_array_equal(plug.function()(pair), model(pair))
    assert not set(benchmark.lineup.baselines) & set(dense().lineup.baselines)


def test_a_run_gives_the_sixteen_numbers_on_four_samples():
    benchmark = semi_dense(random_dots(4, size=64))
    scores = run(benchmark, jobs=0)
    official = scores[labels(scores).isin(benchmark.official) & (scores["model"] == "block(fill=false)")]
    assert len(official) == 16
    assert set(official["state"]) == {"ok"}
    verdict = benchmark.judge(scores)
    assert set(verdict.standing.index) == set(benchmark.lineup.baselines)


def few_of(sample):
    """The true disparity of one pixel in 250, and nothing else."""
    found = np.full_like(sample.reference.disparity, np.nan)
    found.flat[::250] = sample.reference.disparity.flat[::250]
    return found


@pytest.mark.parametrize("make", [semi_dense, local])
def test_who_leaves_nearly_everything_out_dominates_nobody(make):
    """A map of 0.4 % of the pixels, all of them right, once dominated six baselines and had the best mean rank."""
    benchmark = make(random_dots(8, size=64))
    scores = run(benchmark, {"few": Recorded(Answers(benchmark.dataset, few_of))}, jobs=0)
    held = scores[(scores["model"] == "few") & (scores["role"] == "model")].groupby("measure")["value"].mean()
    assert held["bad_pixels"] == 0
    assert held["density"] < 0.005
    official, errors = scores[labels(scores).isin(benchmark.official)], scores[labels(scores) == benchmark.official[0]]
    for over in ("means", "units"):
        assert not pareto(official, over=over).standing["dominated_by"].str.contains("few").any()
    assert mean_rank(official).best != ("few",)
    assert pareto(errors, over="units").best == mean_rank(errors).best == ("few",)  # what was judged before
