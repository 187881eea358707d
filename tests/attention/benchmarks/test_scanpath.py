"""attention/scanpath: people above the blind, the stare exposed, nobody compared with himself."""

from functools import partial

import numpy as np
import pytest

import beholder as bh
import toys
from attention_gallery import NAMES, PEOPLE, gallery
from beholder.attention.benchmarks.scanpath import FAMILIES, scanpath
from beholder.attention.datasets.simulated import simulated
from beholder.attention.measures._areas import alphabet
from beholder.attention.measures.string_edit import path_edit_distance, string_similarity
from beholder.attention.models.levy import levy
from beholder.attention.paths.pairs import leave_one_out
from beholder.attention.paths.viewing_time import ViewingTime, scanpath_models, viewing_time, with_viewing_time
from beholder.core.job import Job
from beholder.core.scores import labels
from beholder.errors import Misuse
from beholder.evaluation.run import enlist
from beholder.stats.sequences import DAMERAU
from beholder.verdicts.skill import skill

BLIND = ["uniform", "centre_stare", "centre_gaussian", "another_picture", "shuffled_in_time"]


def few(bench, *names):
    """The same benchmark with fewer baselines, so that a test is short."""
    return toys.vary(bench, baselines={name: bench.lineup.baselines[name] for name in names})


@pytest.fixture(scope="module")
def ran():
    dataset = simulated(5).only(("astronaut", "odd_colour", "coffee", "chelsea"))
    bench = few(scanpath(dataset), "levy", "saccadic_prior", "wta_argmax")
    walks = {
        "one": lambda picture: [[picture.shape[1] / 2, picture.shape[0] / 2]],
        "list": lambda picture: [np.array([[5.0, 5.0], [50, 50]]), np.array([[9.0, 9.0]])],
        "none": lambda picture: [],
        "lost": lambda picture: [[-1.0, -1.0]],
    }
    return bench, bh.run(bench, walks, jobs=0, repeats=3)


def mean(table, model, measure):
    return table[(table["model"] == model) & (labels(table) == measure)]["value"].mean()


def states(table, model, measure):
    return set(table[(table["model"] == model) & (labels(table) == measure)]["state"])


def test_every_model_of_scanpaths_takes_part():
    every = {"eymol", "geymol", "gravity", "levy", "saccadic_prior", "scanddm", "scenewalk", "wta_argmax", "wta_lif"}
    assert every <= set(scanpath_models("simulated", ViewingTime(3.0, 9)))
    assert every - set(scanpath_models("eyecrowd", ViewingTime(3.0, 9))) == {"saccadic_prior"}  # it was trained there
    assert scanpath().provided("blind") == BLIND


def test_what_is_judged():
    bench = scanpath()
    assert bench.official == (
        "mannan",
        "string_similarity",
        "stde(norm=k)",
        "stde(norm=rms)",
        "multimatch(duration=0)",
        "scanmatch",
        "amplitude_divergence",
    )
    named = [m for own in FAMILIES.values() for m in own]
    assert {name.partition("(")[0] for name in bench.official} == set(named)


def test_the_ceiling_is_everybody_beside_everybody_else(ran):
    bench, table = ran
    for id in ("coffee", "chelsea"):
        lookers = bench.dataset.load(id).reference
        own = table[(table["model"] == "people") & (table["unit"] == id)]
        own = own.set_index(labels(own))["value"]
        compare = partial(path_edit_distance, letters=alphabet(5, lookers), costs=DAMERAU)
        wanted = leave_one_out(lookers, compare, better="lower")
        assert own["string_edit"] == pytest.approx(np.mean(list(wanted.values())))
    persons = table[(table["model"] == "person simulated01") & (labels(table) == "string_similarity")]
    first = bench.dataset[0].reference
    by_hand = string_similarity(first.paths["simulated01"], first.without("simulated01")).value
    assert persons["value"].iloc[0] == pytest.approx(by_hand)


def test_people_and_models_have_histograms_of_one_path_a_picture(ran):
    bench, table = ran
    saccades = [len(path) - 1 for sample in bench.dataset for path in sample.reference.paths.values()]
    total = sum(saccades)
    of = "amplitude_divergence.n"
    assert mean(table, "people", of) == pytest.approx(total / 5)
    assert mean(table, "levy", of) == 4 * (bench.lineup.baselines["levy"].keywords["fixations"] - 1)
    assert mean(table, "people", "amplitude_divergence.n_people") == pytest.approx(total * 4 / 5)
    assert mean(table, "levy", "amplitude_divergence.n_people") == total
    own = table[(table["model"] == "uniform") & (labels(table) == "amplitude_divergence.n")]
    assert len(own) == 10
    assert own["value"].mean() == pytest.approx(total / 5, rel=0.1)


def test_an_interval_holds_its_value(ran):
    _, table = ran
    own = table[(labels(table) == "amplitude_divergence") & table["state"].isin(["ok", "low"])]
    assert len(own)
    assert (own["lo"] >= 0).all()
    assert (own["lo"] <= own["value"]).all()
    assert (own["value"] <= own["hi"]).all()


def test_each_path_of_a_list_is_a_repeat(ran):
    _, table = ran
    own = table[(table["model"] == "list") & (labels(table) == "string_edit") & (table["unit"] == "coffee")]
    assert own["repeat"].tolist() == [0, 1]
    lengths = table[(table["model"] == "list") & (labels(table) == "string_edit.length")]
    assert sorted(set(lengths["value"])) == [1, 2]


def test_one_fixation_none_and_all_outside_have_clear_rows(ran):
    _, table = ran
    assert states(table, "one", "multimatch(duration=0)") == states(table, "one", "amplitude_divergence") == {"na"}
    assert states(table, "one", "string_similarity") == {"ok"}
    assert states(table, "none", "string_edit") == {"ok"}
    assert states(table, "none", "stde(norm=k)") == {"na"}
    own = table[(table["model"] == "lost") & (labels(table) == "mannan")]
    assert set(own["state"]) == {"failed"}
    assert own["reason"].str.contains("none inside the picture of").all()


def test_what_is_peoples_own_is_not_blind(ran):
    _, table = ran
    assert (
        states(table, "shuffled_in_time", "mannan")
        == states(table, "another_picture", "amplitude_divergence")
        == {"na"}
    )
    assert not table[(table["role"] == "blind") & (table["state"] == "failed")].size


def test_the_stare_is_exposed_by_amplitudes_and_not_by_stde(ran):
    _, table = ran
    others = [name for name in BLIND if name not in ("centre_stare", "another_picture")]
    worst = max(mean(table, name, "amplitude_divergence") for name in (*others, "people"))
    assert mean(table, "centre_stare", "amplitude_divergence") > 1.2 * worst
    assert mean(table, "centre_stare", "stde(norm=k)") > mean(table, "people", "stde(norm=k)")
    said = "people are not significantly better than the blind models on stde(norm=k) (all)"
    assert said in map(str, skill(table).notes)


def test_the_verdict_is_over_families(ran):
    bench, table = ran
    verdict = bench.judge(table)
    assert set(FAMILIES) <= set(verdict.standing.columns)
    assert set(verdict.standing.index) == {"levy", "saccadic_prior", "wta_argmax", "list"}
    assert "no value in the family dynamic: " in verdict.left_out["one"]
    assert "failed" in verdict.left_out["lost"]
    assert [found.method for found in bench.verdicts(table)] == ["Pareto dominance over families", "mean rank"]


def test_models_look_as_long_as_people(tmp_path):
    assert viewing_time(simulated()) == pytest.approx(ViewingTime(3.2, 9), abs=1.0)
    assert viewing_time(simulated(), 6.0).seconds == 6
    assert viewing_time(simulated(), 6.0).fixations > 1.5 * viewing_time(simulated()).fixations
    dataset = bh.load("attention/scanpath", dataset=f"table:{gallery(tmp_path)}").dataset
    assert viewing_time(dataset) == ViewingTime(1.4, 6)  # 200 + 210 … 250 ms
    with pytest.raises(Misuse, match=r"got seconds=-1; expected above 0, or 0 to look as long as people did"):
        scanpath(seconds=-1)

    def walker(picture, *, seconds=1.0):
        return seconds

    assert with_viewing_time(walker, ViewingTime(2.5, 7))(None) == 2.5


def test_without_durations_or_with_one_observer(tmp_path):
    root = gallery(tmp_path / "alone", NAMES[:2], PEOPLE[:1])
    lines = (root / "fixations.csv").read_text("utf-8").splitlines()
    (root / "fixations.csv").write_text("\n".join(line.rpartition(",")[0] for line in lines) + "\n", "utf-8")
    dataset = bh.load("attention/scanpath", dataset=f"table:{root}").dataset
    assert viewing_time(dataset) == ViewingTime(2.2, 6)  # 6 fixations, 2.7 a second
    table = bh.run(few(scanpath(dataset), "levy"), jobs=0, repeats=2)
    assert set(table.loc[table["model"] == "people", "state"]) == {"na"}
    assert states(table, "levy", "scanmatch") == {"ok"}
    assert states(table, "uniform", "scanmatch") == {"na"}  # it has the length of the only one
    assert not (table["state"] == "failed").any()


@pytest.mark.slow
@pytest.mark.data
def test_on_real_people(data):
    dataset = bh.load("attention/scanpath", dataset=f"mit1003:{data / 'mit1003_subset'}").dataset
    bench = few(scanpath(dataset.only(dataset.ids[::4])), "levy")
    table = bh.run(bench, jobs=0, repeats=2)
    assert mean(table, "centre_stare", "stde(norm=k)") > mean(table, "people", "stde(norm=k)") > 0.88
    assert mean(table, "centre_stare", "amplitude_divergence") > 1.5
    assert mean(table, "people", "amplitude_divergence") < 0.5
    blind = [mean(table, name, "scanmatch") for name in BLIND[:4]]
    assert mean(table, "people", "scanmatch") > max(blind) + 0.05
    notes = [str(note) for note in skill(table).notes]
    assert "people are not significantly better than the blind models on stde(norm=k) (all)" in notes
    assert "people are not significantly better than the blind models on scanmatch (all)" not in notes


@pytest.mark.slow
@pytest.mark.data
def test_published_models_of_search_stand_among_the_others(data):
    dataset = bh.load("attention/scanpath", dataset=f"interiors_search:{data / 'interiors_search'}").dataset
    bench = few(scanpath(dataset[:2]), "levy", "IVSN", "eccNET", "nnIBS", "IRL")
    table = bh.run(bench, jobs=0, repeats=2)
    assert not (table["state"] == "failed").any()
    whole, found = (table[table["criterion"] == name] for name in ("all", "found, merged within 32 px"))
    assert states(whole, "IVSN", "scanmatch") == {"ok"}
    assert mean(whole, "people", "scanmatch") > max(mean(whole, name, "scanmatch") for name in BLIND[:4])
    assert mean(found, "people", "multimatch(duration=0)") > mean(found, "eccNET", "multimatch(duration=0)") > 0.7
    verdict = bench.judge(table)
    assert {"levy", "IVSN", "eccNET", "nnIBS"} <= set(verdict.standing.index)
    assert verdict.standing.equals(bench.judge(whole).standing)  # what was found is not judged


def test_a_built_in_model_that_is_named_looks_as_long_as_people():
    bench = scanpath()
    long = viewing_time(bench.dataset)
    job = Job(bench, {entrant.name: entrant for entrant in enlist(bench, {"levy(candidates=4)": "levy(candidates=4)"})})
    assert job.respondent("levy(candidates=4)").model.keywords == {"candidates": 4, "fixations": long.fixations}
    assert with_viewing_time(partial(levy, fixations=4), long).keywords == {"fixations": 4}
