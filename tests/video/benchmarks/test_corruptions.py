"""video/corruptions: measures as models, against damage done on purpose."""

import math
from dataclasses import replace

import pytest

from beholder.core.benchmark import Lineup
from beholder.core.scores import whole
from beholder.errors import Misuse
from beholder.evaluation.run import run
from beholder.registry.load import load
from beholder.video.benchmarks.corruptions import accept
from beholder.video.models.measured import measured

pytestmark = pytest.mark.slow  # whole runs

KINDS = "jitter+vanish+exit+same_mirror"


def half_blind(clip):
    """A measure of a user's, that abstains on some clips."""
    return math.nan if clip.pixels[0].mean() > 0 else 1.0


@pytest.fixture(scope="module")
def scores():
    bench = load("video/corruptions", dataset=f"corrupted(kinds={KINDS!r},levels=3,clips=2,frames=16)")
    names = ("jerk", "temporal_coherence")
    ours = {name: lambda clip, name=name: measured(clip, measure=name) for name in names}
    lean = replace(bench, lineup=Lineup(blind=bench.lineup.blind))
    return whole(run(lean, {**ours, "half_blind": half_blind}, jobs=0))


def value(scores, model, kind, measure="severity_correlation"):
    own = scores[(scores["model"] == model) & (scores["criterion"] == kind) & (scores["measure"] == measure)]
    return own["value"].item()


def test_each_measure_follows_its_own_fault(scores):
    assert value(scores, "jerk", "jitter") == pytest.approx(-1)
    assert value(scores, "temporal_coherence", "vanish") < -0.8


def test_few_scores_are_of_low_confidence(scores):
    own = scores[(scores["model"] == "jerk") & (scores["criterion"] == "jitter")]
    own = own[own["measure"] == "severity_correlation"]
    assert own["state"].tolist() == ["low"]
    assert own["reason"].tolist() == ["only 6 scores: a correlation of fewer than 15 is mostly chance"]


def test_an_abstention_counts_nothing(scores):
    assert value(scores, "half_blind", "vanish") == 0
    assert value(scores, "constant", "vanish") == 0


def test_what_is_no_fault_moves_little(scores):
    assert value(scores, "temporal_coherence", "exit", "shift") < 0.02
    assert value(scores, "jerk", "same_mirror", "shift") < 0.01


@pytest.mark.parametrize("raw", ["0.5", True, None, [1, 2], math.inf])
def test_a_measure_answers_with_a_number(raw):
    """Infinity would be no row at all, and so dodge what an abstention costs."""
    with pytest.raises(ValueError, match=r"expected (one number|a number)"):
        accept(raw, None)


def test_other_datasets_are_refused():
    with pytest.raises(Misuse, match="got the dataset scenes; expected clips with faults: --dataset corrupted"):
        load("video/corruptions", dataset="scenes")
