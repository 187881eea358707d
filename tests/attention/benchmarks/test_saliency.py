"""attention/saliency: what is judged, who takes part, and that people stand above what does not look."""

import numpy as np
import pandas as pd
import pytest

import beholder as bh
import toys
from attention_folders import mit_raw_folder
from attention_gallery import NAMES, bump, gallery, spot
from beholder.attention.benchmarks.saliency import map_models, saliency
from beholder.attention.datasets.simulated import simulated
from beholder.attention.maps.densities import Fitted
from beholder.core.scores import labels
from beholder.errors import Misuse

FEW = ("itti", "image_signature")


def few(bench, *names):
    """The same benchmark with fewer baselines, so that a test is short."""
    return toys.vary(bench, baselines={name: bench.lineup.baselines[name] for name in names})


@pytest.fixture(scope="module")
def scores():
    bench = few(saliency(simulated(5).only(("astronaut", "odd_colour", "odd_size", "coffee"))), *FEW)
    return bench, bh.run(bench, {"one_way": lambda picture: np.zeros(picture.shape)}, jobs=0)


def mean(table, model, measure, criterion="all"):
    own = table[(table["model"] == model) & (table["criterion"] == criterion) & (table["part"] == "")]
    return own.loc[labels(own).str.startswith(measure), "value"].mean()


def test_information_gain_is_judged_where_everybody_has_a_density():
    given, fitted = saliency(), saliency(densities="fitted")
    assert given.official == tuple(f"{name}(preset=beholder)" for name in ("auc", "sauc", "nss", "cc", "kl", "sim"))
    assert fitted.official[0] == "information_gain(preset=beholder)"
    assert all(isinstance(model, Fitted) for model in fitted.lineup.baselines.values())
    with pytest.raises(Misuse, match="got densities='all'; expected 'given', or 'fitted'"):
        saliency(densities="all")


def test_a_blur_of_ones_own_stands_in_the_names():
    names = saliency(sigma=0.5).official
    assert "cc(preset=beholder,sigma=0.5)" in names
    assert "nss(preset=beholder)" in names
    with pytest.raises(Misuse, match="more than 0 degrees"):
        saliency(sigma=0)


@pytest.mark.parametrize("preset", ["beholder", "tuebingen", "mit-matlab", "salicon", "seed"])
def test_each_preset_makes_a_benchmark(preset):
    assert all(f"preset={preset}" in name for name in saliency(preset=preset, parts=False).official)


def test_nobody_takes_part_twice_and_what_needs_a_checkpoint_does_not():
    assert not {"centre", "uniform", "deepgaze", "fitted", "levy"} & set(map_models("simulated"))
    assert {"itti", "gbvs", "bms", "covsal", "aim", "sun", "judd_like"} <= set(map_models("simulated"))
    assert set(map_models("simulated")) - set(map_models("eyecrowd")) == {"judd_like"}  # it was trained there
    assert set(saliency().provided("blind")) == {"centre", "uniform", "centre_bias", "another_picture"}


def test_people_are_above_the_blind_on_every_judged_measure(scores):
    """CC, KL and SIM had no ceiling: people were part of the map of everyone."""
    bench, table = scores
    for measure in (*bench.official, "information_gain(preset"):
        blind = [mean(table, name, measure) for name in ("centre", "uniform", "centre_bias", "another_picture")]
        people = mean(table, "people", measure)
        assert people < min(blind) if measure.startswith("kl") else people > max(blind)
    shown = table[(table["role"] == "person") & (labels(table) == "cc(preset=beholder)")]
    assert set(shown["state"]) == {"na"}
    assert shown["reason"].str.contains("a map that includes them").all()


def test_an_answer_that_does_not_look_earns_nothing(scores):
    _, table = scores
    assert mean(table, "uniform", "sauc(preset") == mean(table, "one_way", "sauc(preset") == 0.5
    assert mean(table, "uniform", "cc") == mean(table, "one_way", "cc") == 0
    assert mean(table, "centre", "sauc(preset") == pytest.approx(0.5, abs=0.05)


def test_a_map_that_says_nothing_is_at_chance(scores):
    _, table = scores
    assert mean(table, "one_way", "auc") == mean(table, "uniform", "auc") == 0.5
    assert mean(table, "one_way", "nss") == 0
    assert mean(table, "centre_bias", "nss") > 0
    assert mean(table, "uniform", "information_gain(preset") == pytest.approx(0, abs=1e-9)


def test_the_parts_are_measured_and_not_judged(scores):
    bench, table = scores
    parts = {"focal", "ambient", "first_3", "0-1000_ms", "1000-3000_ms"}
    assert parts < set(table["criterion"])
    whole = table[table["criterion"] == "all"]
    assert bench.judge(table).standing.equals(bench.judge(whole).standing)
    assert mean(table, "people", "nss", "first_3") > mean(table, "people", "nss")


def test_the_verdict_names_a_model_that_looks(scores):
    bench, table = scores
    verdict = bench.judge(table)
    assert set(verdict.best) <= set(FEW)
    assert set(verdict.standing.index) == {*FEW, "one_way"}
    assert [found.method for found in bench.verdicts(table)] == ["mean rank", "significance clusters"]


def test_one_observer_has_no_ceiling_and_models_are_scored(tmp_path):
    dataset = bh.load("attention/saliency", dataset=f"table:{gallery(tmp_path, NAMES[:2], ('all',))}").dataset
    table = bh.run(few(saliency(dataset, parts=False), "itti"), jobs=0)
    assert set(table.loc[table["model"] == "people", "state"]) == {"na"}
    assert mean(table, "itti", "nss") > 0
    assert mean(table, "itti", "cc") > 0


def test_fitted_densities_put_information_gain_into_the_verdict(tmp_path):
    dataset = bh.load("attention/saliency", dataset=f"table(px_per_deg=6):{gallery(tmp_path)}").dataset
    bench = few(saliency(dataset, densities="fitted", parts=False), *FEW)
    table = bh.run(bench, jobs=0)
    judged = [name for name in bench.judge(table).standing.columns if "information_gain" in str(name)]
    assert judged
    assert mean(table, "itti", "information_gain(preset") > 0.3
    assert not (table["state"] == "failed").any()


def test_a_model_that_knows_the_spot_is_above_the_built_in_ones(tmp_path):
    dataset = bh.load("attention/saliency", dataset=f"table(px_per_deg=3):{gallery(tmp_path, NAMES[:3])}").dataset
    known = {sample.stimulus.pixels.tobytes(): bump(*spot(sample.id)) for sample in dataset}
    bench = few(saliency(dataset, parts=False), *FEW)
    table = bh.run(bench, {"knows": lambda picture: known[picture.pixels.tobytes()]}, jobs=0)
    assert bench.judge(table).best == ("knows",)


@pytest.mark.slow
def test_fixations_of_two_detectors_stand_side_by_side(tmp_path):
    root = mit_raw_folder(tmp_path)
    tables = []
    for detector in ("acceleration", "velocity"):
        dataset = bh.load("attention/saliency", dataset=f"mit1003(detector={detector}):{root}").dataset
        tables.append(bh.run(few(saliency(dataset, parts=False), "itti"), jobs=0))
    both = pd.concat(tables)
    own = both[(both["model"] == "itti") & (labels(both) == "nss(preset=beholder)")]
    assert set(own["dataset"]) == {"mit1003_acceleration", "mit1003_velocity"}
    assert set(own["state"]) == {"low"}  # fewer than 15 fixations


@pytest.mark.slow
@pytest.mark.data
def test_on_real_people(data):
    dataset = bh.load("attention/saliency", dataset=f"mit1003:{data / 'mit1003_subset'}").dataset
    table = bh.run(few(saliency(dataset[2:4], parts=False), "image_signature"), jobs=0)
    assert 0.85 < mean(table, "people", "auc") < 1
    assert mean(table, "uniform", "cc") == 0  # with a zero border it was 0.2
    assert mean(table, "uniform", "sauc(preset") == 0.5
    blind = ("uniform", "centre", "centre_bias", "another_picture")
    for measure in ("cc", "sim", "sauc(preset"):
        assert mean(table, "people", measure) > max(mean(table, name, measure) for name in blind)
    assert mean(table, "people", "kl") < min(mean(table, name, "kl") for name in blind)
    others = [mean(table, name, "nss") for name in ("image_signature", "centre", "centre_bias", "another_picture")]
    assert mean(table, "people", "nss") > max(others)
