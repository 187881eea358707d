import csv
import json
from importlib import resources

import numpy as np
import pytest

from beholder.cli import app
from beholder.core.measure import NotApplicable
from beholder.core.sample import STATUSES
from beholder.evaluation.run import run
from beholder.judges.pareto import pareto
from beholder.registry.load import load
from beholder.stereo.benchmarks.published import average_rank, blind, published, read, write
from beholder.stereo.measures.published import published_bad_pixels
from beholder.stereo.published import REGIONS, SCENES, Figures, figure_in, figures, in_table, name_here, rows


@pytest.fixture(scope="module")
def scores():
    return run(published(), jobs=0)


def of(scores, names):
    return scores[scores["model"].isin(list(names))]


def vector(name):
    return np.array([rows()[name].answers[scene].values[region] for scene in SCENES for region in REGIONS])


def test_the_table_is_whole():
    statuses = [row.status for row in rows().values()]
    assert {word: statuses.count(word) for word in set(statuses)} == {"verified": 32, "partial": 5, "memory": 57}
    lacking = {name: int(np.isnan(vector(name)).sum()) for name in rows() if np.isnan(vector(name)).any()}
    assert lacking == {"ObjectStereo": 3, "LocallyConsist": 12}
    assert sum(row.online for row in rows().values()) == 77
    text = resources.files("beholder.stereo").joinpath("published.csv").read_text("utf-8")
    assert all(line["source"] for line in csv.DictReader(text.splitlines()))


def test_numbers_are_where_they_belong():
    # Mei et al. 2011, table 2, in its order: nonocc, all, disc of Tsukuba, Venus, Teddy, Cones.
    assert vector("ADCensus").tolist() == [1.07, 1.48, 5.73, 0.09, 0.25, 1.15, 4.10, 6.22, 10.9, 2.42, 7.25, 6.95]
    assert vector("DoubleBP").tolist() == [0.88, 1.29, 4.76, 0.13, 0.45, 1.87, 3.53, 8.30, 9.63, 2.90, 8.78, 7.79]
    every = np.array([vector(name) for name in rows()]).reshape(-1, 4, 3)
    assert not (every[..., 0] > every[..., 1]).any(), "nonocc is a part of all, and the easier one in every row"


def test_each_number_has_a_status():
    partial, read_whole, remembered = (rows()[name].recall("cones") for name in ("SemiGlob", "ADCensus", "RDP"))
    assert partial.statuses == {"nonocc": "verified", "all": "memory", "disc": "memory"}
    assert (partial.status, read_whole.status, remembered.status) == ("memory", "verified", "memory")
    assert {s for row in rows().values() for a in row.answers.values() for s in a.statuses.values()} < set(STATUSES)


def test_the_names_of_the_paper_are_known():
    assert [name_here(name) for name in ("PUTV3", "GradAdaptWeight", "CostAggrtocc")] == [
        "PUTv3",
        "GradAdaptWgt",
        "CostAggr+occ",
    ]
    assert [len(in_table(number)) for number in "1234"] == [15, 16, 13, 7]
    assert {rows()[name].facts["family"] for name in in_table("4")} == {"local"}
    assert "family" not in rows()["DoubleBP"].facts


def test_provenance_is_that_of_the_numbers(scores):
    own = scores.groupby("model")["provenance"].agg(set)
    assert own["ADCensus"] == {"verified"}
    assert own["SemiGlob"] == own["RDP"] == {"memory"}
    assert own["chance"] == {"derived"}


def test_scores_are_the_published_numbers(scores):
    one = scores[(scores["model"] == "AdaptWeight") & (scores["unit"] == "venus")]
    assert dict(zip(one["criterion"], one["value"], strict=True)) == {"nonocc": 0.71, "all": 1.19, "disc": 6.13}
    counts = scores["state"].value_counts()
    assert (counts["ok"], counts["na"]) == (95 * 12 - 15, 15)


def test_the_verified_rows_fall_into_the_known_layers(scores):
    verified = [name for name, row in rows().items() if row.status == "verified"]
    verdict = pareto(of(scores, verified), over="units", draws=0)
    assert set(verdict.best) == {"ADCensus", "AdaptingBP", "CoopRegion", "DoubleBP"}
    assert verdict.standing["layer"].value_counts().sort_index().tolist() == [4, 14, 6, 5, 3]


def test_the_complete_online_rows_fall_into_the_known_layers(scores):
    complete = [name for name, row in rows().items() if row.online and not np.isnan(vector(name)).any()]
    verdict = pareto(of(scores, complete), over="units", draws=0)
    assert verdict.standing["layer"].value_counts().sort_index().tolist() == [14, 22, 14, 13, 6, 5, 1]
    from moocore import pareto_rank

    peer = np.array(pareto_rank(np.array([vector(name) for name in complete])))
    assert dict(verdict.standing["layer"]) == dict(zip(complete, peer + 1, strict=True))


def test_incomplete_rows_are_judged_on_what_is_known(scores):
    dominance, rank = published().verdicts(scores)
    assert "ObjectStereo" in dominance.best
    assert list(dominance.left_out) == ["LocallyConsist"]
    assert set(rank.left_out) == {"ObjectStereo", "LocallyConsist"}
    assert "3 of its numbers are unknown" in rank.left_out["ObjectStereo"]
    assert len(rank.standing) == 92


def test_the_sentence_tells_dominated_models_from_their_dominators(scores):
    """It ended with "EnhancedBP by CoopRegion, DoubleBP, OutlierConf and 66 more": 66 of which?"""
    says = published().judge(scores).says
    assert (
        "; EnhancedBP by CoopRegion, DoubleBP, OutlierConf; 66 further models are dominated; the table says by which"
        in says
    )
    assert "; OverSegmBP by ADCensus, AdaptingBP, CoopRegion and 5 others;" in says
    outside = 93 - 15
    assert says.count(" by ") == outside - 66 + 1  # each of the named ones, and the table that says by whom


def test_the_mean_rank_is_that_of_the_columns(scores):
    complete = [name for name in rows() if not np.isnan(vector(name)).any()]
    table = np.array([vector(name) for name in complete])
    better = (table[None] < table[:, None]).sum(axis=1)
    equal = (table[None] == table[:, None]).sum(axis=1)
    expected = dict(zip(complete, (1 + better + (equal - 1) / 2).mean(axis=1), strict=True))
    found = average_rank(scores[scores["role"] == "baseline"]).standing["mean_rank"]
    assert dict(found) == pytest.approx(expected)
    least = average_rank(scores, ties="min").standing["mean_rank"]
    assert dict(least) == pytest.approx(dict(zip(complete, (1 + better).mean(axis=1), strict=True)))


def test_guessing_scores_what_chance_gives():
    # 3 of 16 whole disparities are right within 1 px: 81.25 % are bad
    found = blind(published().dataset)["chance"]
    assert found.recall("tsukuba").values == dict.fromkeys(REGIONS, 81.25)
    assert found.recall("cones").values["disc"] == pytest.approx(95.3125)


def test_regions_are_chosen():
    assert [c.name for c in load("stereo/published", regions="nonocc,disc").criteria] == ["nonocc", "disc"]
    with pytest.raises(ValueError, match="got the region 'occ'; expected some of nonocc, all, disc"):
        published(regions="occ")


def test_the_dataset_shows_nothing():
    assert [sample.stimulus for sample in published().dataset] == [None] * 4


def test_answers_are_checked_and_stand_in_files(tmp_path):
    answer = figures({"nonocc": 1, "all": 2.5, "disc": None}, None)
    write(answer, tmp_path / "cones.json")
    assert json.loads((tmp_path / "cones.json").read_text()) == {"nonocc": 1.0, "all": 2.5, "disc": None}
    again = figures(read(tmp_path / "cones.json"), None)
    assert str(again.values) == str(answer.values)
    assert figures(answer, None) is answer
    assert answer.status == ""
    (tmp_path / "bad.json").write_text("1.5,")
    with pytest.raises(ValueError, match="got no JSON"):
        read(tmp_path / "bad.json")
    for raw in ({"nonocc": 1}, {"nonocc": 1, "all": 2, "disc": 101}, {"nonocc": 1, "all": "x", "disc": 1}, [1, 2, 3]):
        with pytest.raises(ValueError, match=r"got .*; expected"):
            figures(raw, None)


def test_a_number_that_is_not_known_is_not_measured():
    with pytest.raises(NotApplicable, match="not known"):
        figure_in(Figures({"nonocc": float("nan")}), None, region="nonocc")
    assert published_bad_pixels(*figure_in(Figures({"nonocc": 2.5}), None, region="nonocc")) == 2.5


def test_status_verified_leaves_remembered_rows_out(tmp_path):
    from typer.testing import CliRunner

    out = tmp_path / "run"
    done = CliRunner().invoke(app, ["run", "stereo/published", "--status", "verified", "--out", str(out), "--quiet"])
    assert done.exit_code == 0, done.output
    with (out / "scores.csv").open() as file:
        kept = {line["model"] for line in csv.DictReader(file)}
    assert kept == {name for name, row in rows().items() if row.status == "verified"}
    facts = json.loads((out / "run.json").read_text())
    models = {model["name"]: model for entry in facts["benchmarks"] for model in entry["models"]}
    assert models["AdaptWeight"]["facts"]["family"] == "local"
