"""study/opinions from a user's own table: every oddity has a defined result, and the pictures are drawn."""

import numpy as np
import pandas as pd
import pytest

import beholder as bh
from beholder.core.entrant import answer_key
from beholder.core.measure import NotApplicable
from beholder.core.scores import labels
from beholder.engines.progress import Silent
from beholder.errors import Misuse
from beholder.evaluation import execute, plan
from beholder.registry.models import model
from beholder.study.datasets.texture_shape import texture_shape
from beholder.study.measures.alignment import preference_accuracy, spearman
from beholder.study.models.scored import scored
from beholder.study.ratings import Item, clean, judged


def table(groups=12, systems=3, raters=3, seed=0):
    """Ratings of items whose quality a good measure sees, a bad one turns round and a blind one does not."""
    rng = np.random.default_rng(seed)
    rows = []
    for group in range(groups):
        for system in range(systems):
            quality = rng.normal() + 0.5 * system
            said = {"good": quality + 0.3 * rng.normal(), "bad": -quality, "flat": 1.0}
            said["gaps"] = quality if group else np.nan
            item = [f"{group}-{system}", f"s{system}", f"g{group}"]
            for rater in range(raters):
                for dimension in ("sharp", "smooth"):
                    rows.append([*item, dimension, f"r{rater}", quality + 0.5 * rng.normal(), *said.values()])
    return pd.DataFrame(rows, columns=["item", "system", "group", "dimension", "rater", "value", *said])


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """One run of the command on a table with missing values, a copy, a rater who missed an item, and a user's model."""
    place = tmp_path_factory.mktemp("opinions")
    frame = table()
    frame.loc[3, "value"] = np.nan
    frame = pd.concat([frame, frame.iloc[[7]]])
    frame.to_csv(place / "my.csv", index=False)
    (place / "my.py").write_text("def mine(item):\n    return item.columns['good'] * 2 - 1\n")
    request = plan.Request("study/opinions", (f"ratings:{place / 'my.csv'}",), models=(f"{place / 'my.py'}:mine",))
    return execute.execute(plan.plan(request), execute.Options(place / "out", jobs=0), Silent())


def rows_of(done, measure, model, **where):
    scores = done.scores
    scores = scores[(scores["measure"] == measure) & (scores["model"] == model) & (scores["part"] == "")]
    for name, value in {"settings": "", **where}.items():
        scores = scores[scores[name] == value]
    return scores


def test_a_measure_is_known_by_its_column_and_a_function_likewise(done):
    for criterion in ("sharp", "smooth", "all"):
        column, mine = (rows_of(done, "spearman", name, criterion=criterion).iloc[0] for name in ("good", "mine"))
        assert column["value"] == mine["value"] > 0.6  # a rank correlation does not see a scale
        assert column["lo"] < column["value"] < column["hi"]
    assert rows_of(done, "spearman", "bad", criterion="sharp")["value"].iloc[0] < -0.6


def test_people_are_scored_like_measures(done):
    people = rows_of(done, "spearman", "people", criterion="sharp").iloc[0]
    persons = [rows_of(done, "spearman", f"person r{n}", criterion="sharp")["value"].iloc[0] for n in range(3)]
    assert people["role"] == "ceiling"
    assert people["value"] == pytest.approx(np.mean(persons))


def test_each_oddity_has_a_defined_result(done):
    flat = rows_of(done, "spearman", "flat", criterion="sharp").iloc[0]
    assert (flat["state"], flat["reason"]) == ("na", "the measure gives every item the same value")
    assert rows_of(done, "preference_accuracy", "flat", criterion="sharp")["value"].iloc[0] == 0.5
    gaps = rows_of(done, "spearman", "gaps", criterion="sharp").iloc[0]
    assert (gaps["state"], gaps["n"]) == ("ok", 33)  # the group without a value is left out, and counted
    assert done.failed == 0


def test_a_combination_turns_what_points_down_and_leaves_out_what_is_flat(done):
    whole = rows_of(done, "ablation", "z_sum", criterion="sharp")["value"].iloc[0]
    parts = done.scores[(done.scores["measure"] == "ablation") & (done.scores["model"] == "z_sum")]
    share = dict(zip(parts["part"], parts["value"], strict=True))
    assert whole > 0.75
    assert {"without good", "without bad", "without flat", "up_to good", "up_to bad"} <= share.keys()
    one = rows_of(done, "ablation", "good", criterion="sharp").iloc[0]
    assert (one["state"], one["reason"]) == (
        "na",
        "this is a single measure; only a combination has measures to leave out",
    )


def test_the_pictures_are_drawn(done):
    drawn = {file.stem for file in (done.folder / "figures").rglob("*.png")}
    among = "rank_correlations_among_measures"
    assert drawn == {"agreement_with_people", "scatter", "ablation", "critical_difference", among}


def longer(item):
    """A measure of ids."""
    return float(len(item.id))


def test_a_table_of_one_group_one_system_and_one_rater():
    frame = table(groups=6, systems=1, raters=1)[["item", "value"]].drop_duplicates("item")
    frame = frame.assign(item=[f"i{'x' * n}" for n in range(len(frame))])
    found = bh.run(bh.load("study/opinions", dataset=clean(frame).dataset("mine")), {"one": longer}, jobs=0)
    own = found[(found["model"] == "one") & (found["part"] == "")]
    states = dict(zip(labels(own), own["state"], strict=True))
    assert (states["spearman"], states["spearman(scope=between)"], states["preference_by_group"]) == ("low", "na", "ok")
    assert set(found[found["role"] == "ceiling"]["state"]) == {"na"}  # nobody can be left out


def test_a_dimension_can_be_chosen_and_a_slip_is_told():
    chosen = bh.load("study/opinions", dimension="temporal")
    assert [criterion.name for criterion in chosen.all_criteria] == ["temporal"]
    with pytest.raises(Misuse, match="got the dimension 'tempral'; expected some of static, temporal, alignment"):
        bh.load("study/opinions", dimension="tempral")
    with pytest.raises(Misuse, match="holds no ratings"):
        bh.load("study/opinions", dataset=bh.load("stereo/dense").dataset)


def test_a_run_of_beholder_is_a_measure_under_test(tmp_path):
    dots = bh.load("stereo/dense", dataset="random_dots(count=3,size=64)")
    scores = bh.run(dots, {}, jobs=0)
    run = str(bh.save(tmp_path / "run", scores, dots))
    found = scores[(scores["model"] == "block") & (scores["unit"] == "rds0") & (scores["criterion"] == "all")].iloc[0]
    label = f"{found['measure']}({found['settings']})" if found["settings"] else found["measure"]
    names = {"s0": "block", "s1": "sgbm", "s2": "flat", **{f"g{n}": f"rds{n}" for n in range(3)}}
    frame = table(groups=3, raters=2)[["item", "system", "group", "rater", "dimension", "value"]].replace(names)
    bench = bh.load("study/opinions", dataset=clean(frame).dataset("dots"))
    rows = bh.run(bench, {"bad": f"scored(run={run!r},measure={label!r},criterion='all')"}, jobs=0)
    own = rows[(rows["model"] == "bad") & (rows["measure"] == "spearman") & (rows["settings"] == "")]
    assert set(own["state"]) == {"low"}
    assert set(own["reason"]) == {"only 9 items: a correlation of fewer than 15 is mostly chance"}
    assert scored(Item("x", "block", "rds0"), run=run, measure=label, criterion="all") == -found["value"]
    with pytest.raises(Misuse, match="has no measure called 'bad_pixl'"):
        scored(Item("x", "block", "rds0"), run=run, measure="bad_pixl")
    with pytest.raises(Misuse, match=r"got criterion='' for .* expected one of"):
        scored(Item("x", "block", "rds0"), run=run, measure=label)
    with pytest.raises(NotApplicable, match="has no score"):
        scored(Item("x", "nobody", "rds0"), run=run, measure=label, criterion="all")


def test_error_consistency_of_real_people(data):
    found = texture_shape(data / "texture_shape")
    edges = found.only([id for id in found.ids if id.startswith("edges")])
    scores = bh.run(bh.load("study/opinions", dataset=edges, dimension="edges"), {}, jobs=0)
    own = scores[(scores["measure"] == "error_consistency") & (scores["part"] == "")].set_index("model")["value"]
    assert own["people"] == pytest.approx(0.3184, abs=5e-5)


def test_the_blind_measure_knows_the_system_and_nothing_of_its_items(done):
    frame = table()
    frame.loc[3, "value"] = np.nan
    means = frame[frame["dimension"] == "sharp"].groupby("system")["value"].mean()
    sharp = frame[frame["dimension"] == "sharp"].groupby(["group", "item", "system"])["value"].mean().reset_index()
    right = [
        (means[a.system] > means[b.system]) == (a.value > b.value)
        for _, own in sharp.groupby("group")
        for at, a in enumerate(own.itertuples())
        for b in list(own.itertuples())[:at]
    ]
    blind = rows_of(done, "preference_accuracy", "system", criterion="sharp").iloc[0]
    assert (blind["role"], blind["value"]) == ("blind", pytest.approx(np.mean(right)))
    within = rows_of(done, "spearman", "system", criterion="sharp", settings="scope=within").iloc[0]
    assert within["state"] == "na"  # it says the same of all items of a system


def test_combinations_are_fitted_on_the_dimension_that_they_are_scored_on():
    full = bh.load("study/opinions", dataset="fetv")
    combined = full.provide("baseline", "z_sum")
    said = [combined.answers[id].by["alignment"].value for id in full.dataset.ids]
    people = [judged(video.reference, "alignment") for video in full.dataset]
    found = spearman(said, people).value, preference_accuracy(said, people).value
    assert found == pytest.approx((0.4604, 0.7078), abs=5e-5)


def test_kinds_of_raters_are_rows_and_parts():
    frame = table(groups=6, raters=4)
    frame = frame[frame["dimension"] == "sharp"]
    facts = {f"r{n}": {"expertise": "high" if n < 2 else "low"} for n in range(4)}
    data = clean(frame[["item", "system", "group", "rater", "value"]], raters=facts).dataset("mine")
    found = bh.run(bh.load("study/opinions", dataset=data), {"one": longer}, jobs=0)
    own = found[(found["measure"] == "spearman") & (found["settings"] == "")].set_index("model")["value"]
    kind = frame["rater"].map(lambda who: facts[who]["expertise"])
    by = frame.groupby(["item", kind])["value"].mean().unstack()
    assert own["person expertise=high"] == pytest.approx(by["high"].corr(by["low"], method="spearman"))
    parts = found[(found["measure"] == "rater_spearman") & (found["model"] == "person r0")]["part"]
    assert {"expertise=high", "expertise=low"} <= set(parts)


def test_what_a_setting_names_as_a_file_is_never_remembered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bench = bh.load("study/opinions")
    spec = "scored(run='x',measure='bad_pixels')"
    assert model(spec, bench).built_in
    (tmp_path / "x").mkdir()  # a folder without a slash in its name
    assert not model(spec, bench).built_in
    assert answer_key(model(spec, bench).function(), "seen") == ""
