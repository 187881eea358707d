"""attention/conditional: who takes part, what is judged, and how models of one's own enter."""

import numpy as np
import pytest

import beholder as bh
import toys
from attention_gallery import NAMES, bump, gallery, spot
from beholder.attention.benchmarks.conditional import conditional, likelihood_models
from beholder.attention.datasets.simulated import simulated
from beholder.attention.maps.densities import Fitted
from beholder.attention.models.from_sampler import from_sampler
from beholder.attention.types import scanpath
from beholder.core.scores import labels
from beholder.errors import Misuse

GAIN = "conditional_information_gain"


def few(bench, *names):
    """The same benchmark with fewer baselines, so that a test is short."""
    return toys.vary(bench, baselines={name: bench.lineup.baselines[name] for name in names})


def near(picture):
    """A model of one's own: the eye goes on near where it is."""

    def forecast(history):
        x, y = history.points[-1]
        rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
        p = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 60.0**2))
        return np.log(0.9 * p / p.sum() + 0.1 / p.size)

    return forecast


@pytest.fixture(scope="module")
def scores():
    bench = few(
        conditional(simulated(4).only(("astronaut", "odd_colour", "coffee"))), "saccadic_prior", "scenewalk_start"
    )
    return bench, bh.run(bench, {"near": near, "map": lambda picture: np.indices(picture.shape)[0]}, jobs=0)


def mean(table, model, measure=GAIN, criterion="all"):
    own = table[(table["model"] == model) & (table["criterion"] == criterion) & (labels(table) == measure)]
    return own["value"].mean()


def test_who_takes_part():
    bench = conditional()
    assert set(bench.lineup.baselines) == {"scenewalk_start", "scenewalk_fitted", "saccadic_prior", "itti"}
    assert isinstance(bench.lineup.baselines["itti"], Fitted)
    assert set(likelihood_models("mit1003")) == {"scenewalk_start", "saccadic_prior"}  # the other was fitted there
    assert set(likelihood_models("eyecrowd")) == {"scenewalk_start", "scenewalk_fitted"}
    assert set(conditional(still="").lineup.baselines) == {"scenewalk_start", "scenewalk_fitted", "saccadic_prior"}
    assert bench.lineup.baselines["scenewalk_fitted"].facts["trained_on"] == "mit1003"
    assert "trained_on" not in bench.lineup.baselines["scenewalk_start"].facts
    assert "scenewalk_start has the constants at which SceneWalk's public fit begins" in bench.about
    assert {"itti", "gbvs"} < set(conditional(still="itti+gbvs").lineup.baselines)


def test_settings_are_checked_and_stand_in_the_names():
    kept = conditional(first="keep")
    assert kept.official == tuple(f"conditional_{name}(first=keep)" for name in ("information_gain", "auc", "nss"))
    assert kept.unjudged.criteria[0].name == "fixation_1"
    assert conditional().unjudged.criteria[0].name == "fixation_2"
    with pytest.raises(Misuse, match="got first='forced'; expected one of 'drop', 'keep'"):
        conditional(first="forced")
    with pytest.raises(Misuse, match="did you mean 'itti'"):
        conditional(still="iti")
    with pytest.raises(Misuse, match="gravity is not one"):
        conditional(still="gravity")


def test_people_and_the_blind_stand_where_they_should(scores):
    _, table = scores
    assert mean(table, "people") > max(mean(table, blind) for blind in ("centre", "another_picture", "uniform"))
    assert mean(table, "uniform") == pytest.approx(0, abs=1e-9)
    assert mean(table, "uniform", "conditional_auc") == 0.5
    assert mean(table, "centre_bias", f"{GAIN}(baseline=controls)") == pytest.approx(0, abs=0.2)
    assert not (table["state"] == "failed").any()


def test_people_are_a_ceiling_that_knows_where_the_eye_is_and_one_that_does_not(scores):
    bench, table = scores
    ceilings = table.loc[table["role"] == "ceiling", "model"].unique().tolist()
    assert ceilings == ["people", "people_any_order"]
    assert mean(table, "people") > mean(table, "people_any_order") + 0.05
    assert mean(table, "people") > mean(table, "saccadic_prior") + 0.1  # blind to the picture, not to the history
    assert bench.version == 3
    assert "`people_any_order` does so without the last fixation (the gold standard of maps)" in bench.about


def test_a_forecast_that_reads_the_history_gains_by_it(scores):
    _, table = scores
    assert mean(table, "near") > mean(table, "uniform") + 0.2
    pixels = {"astronaut": 384 * 384, "odd_colour": 288 * 384, "coffee": 256 * 384}
    lower = mean(table, "near", "conditional_log_likelihood")
    assert mean(table, "near") == pytest.approx(lower + np.mean([np.log2(n) for n in pixels.values()]))


def test_fixations_are_scored_by_their_number_too(scores):
    _, table = scores
    parts = {f"fixation_{count}" for count in range(2, 9)}
    assert parts | {"all"} == set(table["criterion"])
    own = table[(table["model"] == "saccadic_prior") & (labels(table) == f"{GAIN}.n")]
    assert own.loc[own["criterion"].isin(parts), "value"].dropna().eq(1).all()  # one fixation of each person


def test_a_map_has_no_bits_and_is_left_out_by_name(scores):
    bench, table = scores
    verdict = bench.judge(table)
    assert set(verdict.standing.index) == {"near", "saccadic_prior", "scenewalk_start"}
    assert "a map is not a density" in verdict.left_out["map"]
    assert np.isfinite(mean(table, "map", "conditional_auc"))


def test_an_adapter_is_flagged_in_every_row(tmp_path):
    dataset = bh.load("attention/saliency", dataset=f"table(px_per_deg=6):{gallery(tmp_path, NAMES[:2])}").dataset
    bench = few(conditional(dataset, still=""), "saccadic_prior")
    table = bh.run(bench, {"levy": lambda picture: from_sampler(picture, of="levy")}, jobs=0)
    own = table[(table["model"] == "levy") & (labels(table) == GAIN) & (table["criterion"] == "all")]
    assert set(own["state"]) == {"low"}
    assert own["reason"].str.contains("not the model's likelihood: a kernel density of 200").all()
    assert mean(table, "levy", f"{GAIN}.samples") == 200
    verdict = bench.judge(table)
    assert verdict.best == ("saccadic_prior",)
    assert "of low confidence: an adapter" in verdict.left_out["levy"]
    assert mean(table, "levy", f"{GAIN}.bandwidth_deg") == 2
    assert set(table.loc[(table["model"] == "saccadic_prior") & (table["criterion"] == "all"), "state"]) == {"ok"}


def test_who_knows_the_spot_is_best_and_files_are_models(tmp_path):
    dataset = bh.load(
        "attention/saliency", dataset=f"table(px_per_deg=3):{gallery(tmp_path / 'dataset', NAMES[:3])}"
    ).dataset
    (tmp_path / "maps").mkdir()
    for id in dataset.ids:
        p = bump(*spot(id)) + 0.01
        np.savez(tmp_path / "maps" / f"{id}.npz", log=np.log(p / p.sum()))
    bench = few(conditional(dataset, still=""), "saccadic_prior")
    table = bh.run(bench, {"knows": bh.model(f"dir:{tmp_path / 'maps'}", bench)}, jobs=0)
    assert bench.judge(table).best == ("knows",)
    assert mean(table, "knows") > 3


def test_faults_are_rows_with_a_sentence(tmp_path):
    dataset = bh.load("attention/saliency", dataset=f"table(px_per_deg=3):{gallery(tmp_path, NAMES[:1])}").dataset
    wrong = {
        "draws": lambda picture: scanpath([3.0], [4.0]),
        "short": lambda picture: lambda history: np.zeros((2, 2)),
        "forgets": lambda picture: lambda history: None,
        "late": lambda picture: lambda history: near(picture)(history) if len(history) < 3 else np.zeros(picture.shape),
    }
    table = bh.run(few(conditional(dataset, still=""), "saccadic_prior"), wrong, jobs=0)
    said = {name: table.loc[table["model"] == name, "reason"].iloc[0] for name in wrong}
    assert "got scanpaths; expected a function" in said["draws"]
    assert "got a forecast of shape (2, 2); expected (48, 64)" in said["short"]
    assert "got NoneType for the next fixation; expected" in said["forgets"]
    assert "logsumexp" in said["late"]
    assert set(table.loc[table["model"].isin(wrong), "state"]) <= {"failed", "na"}


@pytest.mark.slow
@pytest.mark.data
def test_on_real_people(data):
    """MIT1003: people's density and the prior of saccades gain over the centre, which gains over nothing."""
    dataset = bh.load("attention/conditional", dataset=f"mit1003:{data / 'mit1003_subset'}").dataset
    table = bh.run(few(conditional(dataset[2:4], still=""), "saccadic_prior"), jobs=0)
    assert mean(table, "people") > mean(table, "centre") > 0
    assert mean(table, "saccadic_prior") > mean(table, "centre")
