import numpy as np
import pandas as pd
import pytest

from beholder.core.sample import Dataset, Sample
from beholder.core.scores import labels
from beholder.errors import Misuse
from beholder.evaluation.run import run
from beholder.judges.pareto import pareto
from beholder.registry.find import find
from beholder.registry.load import load
from beholder.stereo.benchmarks.parameters import parameters
from beholder.stereo.datasets.random_dots import random_dots
from beholder.stereo.sweeps.sensitivity import sensitivity
from beholder.stereo.sweeps.variants import GRIDS, label, settings_of, variants
from beholder.stereo.types import Truth


def test_what_it_is():
    benchmark = parameters()
    assert (benchmark.name, benchmark.version, benchmark.official) == ("stereo/parameters", 1, ("bad_pixels",))
    assert len(benchmark.lineup.baselines) == 24
    assert "sgbm(block=7,p1=16,p2=64)" in benchmark.lineup.baselines
    assert parameters(random_dots(2)).dataset.name == "random_dots"


@pytest.mark.parametrize("name", GRIDS)
def test_every_grid_can_be_run(name):
    benchmark = parameters(random_dots(1, size=64), algorithm=name)
    pair = benchmark.dataset[0].stimulus
    assert len(benchmark.lineup.baselines) >= 5
    for text, model in benchmark.lineup.baselines.items():
        assert text.startswith(f"{name}(")
        assert np.isfinite(model(pair)).all()


def test_a_grid_of_ones_own():
    benchmark = load("stereo/parameters", algorithm="ncc", grid={"window": (3, 5), "fill": (True, False)})
    assert list(benchmark.lineup.baselines) == [f"ncc(window={w},fill={f})" for w in (3, 5) for f in ("true", "false")]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"algorithm": "sgbn"}, "no grid of settings for 'sgbn'; did you mean 'sgbm'"),
        ({"algorithm": "ncc", "grid": {"windw": (3,)}}, "model ncc has no setting 'windw'; did you mean 'window'"),
        ({"algorithm": "ncc", "grid": {"window": 3}}, "got window=3 in the grid of ncc; expected its values"),
        ({"algorithm": "ncc", "grid": {"window": ()}}, "got window=()"),
        ({"algorithm": "nobody", "grid": {"window": (3,)}}, "nothing called 'nobody'"),
    ],
)
def test_wrong_settings_are_misuse(settings, sentence):
    with pytest.raises(Misuse) as fault:
        load("stereo/parameters", **settings)
    assert sentence in str(fault.value)


def test_labels_can_be_taken_apart():
    every = variants("census", {"width": (5, 9), "fill": (False, True)})
    for text, model in every.items():
        assert settings_of("census", text) == model.keywords
        assert model.func is find("stereo.models", "census")
    odd = {"mode": "3way", "p1": 8, "smoothing": 1e-05, "fill": True, "values": (1, 2)}
    assert settings_of("sgbm", label("sgbm", odd)) == odd
    assert settings_of("sgbm", "census(width=5)") == {}
    assert settings_of("sgbm", "sgbm") == {}
    assert label("sgbm", {}) == "sgbm"


def test_sensitivity_is_that_of_the_scores():
    benchmark = parameters(random_dots(2, size=64), algorithm="sad", grid={"window": (5, 9), "cap": (10, 20)})
    scores = run(benchmark, {"broken": lambda pair: None}, jobs=0)
    found = sensitivity(scores, "sad").set_index(["parameter", "value", "criterion"])
    assert len(found) == 2 * 2 * 3
    rows = scores[(labels(scores) == "bad_pixels") & scores["model"].str.contains("window=5")]
    for criterion, expected in rows.groupby("criterion")["value"].mean().items():
        assert found.loc[("window", 5, criterion), "mean"] == pytest.approx(expected)
    assert set(found["settings"]) == {2}


def test_settings_that_failed_are_left_out_whole():
    columns = ["model", "role", "measure", "settings", "part", "criterion", "state", "value"]
    rows = [
        (
            f"sad(window={w},cap={c})",
            "model",
            "bad_pixels",
            "",
            "",
            "all",
            "failed" if (w, c, u) == (5, 1, 0) else "ok",
            1.0 * c,
        )
        for w in (5, 9)
        for c in (1, 3)
        for u in (0, 1)
    ]
    found = sensitivity(pd.DataFrame(rows, columns=columns), "sad").set_index(["parameter", "value"])
    assert found.loc[("window", 5), ["mean", "settings"]].tolist() == [3, 1]
    assert found.loc[("window", 9), ["mean", "settings"]].tolist() == [2, 2]


def test_a_sample_is_drawn_from_its_answers():
    benchmark = parameters(random_dots(1, size=64), algorithm="ncc", grid={"window": (5, 9)})
    sample = benchmark.dataset[0]
    answers = {name: model(sample.stimulus) for name, model in benchmark.lineup.baselines.items()}
    figure = benchmark.figures.sample(sample, answers | {"truth": sample.reference.disparity})
    assert [axes.get_xlabel() for axes in figure.axes] == ["window"]


@pytest.mark.data
@pytest.mark.slow
def test_settings_of_semi_global_matching_on_the_four_scenes(scene):
    """Layers and A* as another program found them with the same settings: 24 of them, twelve numbers each."""

    def sample(id):
        given = scene(id)
        return Sample(id, given.pair, Truth(given.truth, given.masks))

    benchmark = parameters(Dataset("four", ("tsukuba", "venus", "teddy", "cones"), sample))
    scores = run(benchmark, jobs=0)
    verdict = pareto(scores[labels(scores) == "bad_pixels"], over="units", draws=0)
    assert verdict.standing["layer"].value_counts().sort_index().tolist() == [2, 8, 7, 6, 1]
    assert set(verdict.best) == {"sgbm(block=1,p1=16,p2=32)", "sgbm(block=3,p1=16,p2=32)"}
    table = sensitivity(scores).set_index(["parameter", "value", "criterion"])["mean"]
    for criterion in ("nonocc", "all", "disc"):  # what the best two share is also best on the mean over all else
        assert table["p2", 32, criterion] < table["p2", 64, criterion]
        assert table["p1", 16, criterion] < table["p1", 4, criterion]
